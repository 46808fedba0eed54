#version 330 core
#include "frame.glsl"
#include "round_quad.glsl"

flat out vec3 near_point, normal_there;
flat out float radius;
flat out uvec2 round_code;

void main() {
    Quad quad = quad_around(1.0, 0.05);
    near_point = quad.point;
    normal_there = quad.normal;
    radius = extent.x;
    round_code = code;
    gl_Position = corner_of(quad);
}
