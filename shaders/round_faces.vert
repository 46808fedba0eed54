#version 330 core
#include "frame.glsl"
#include "round_quad.glsl"

flat out vec3 near_point, normal_there, axis_there, reach;
flat out uvec2 round_code;

void main() {
    Quad quad = quad_at(0.0, 0.0, 0.0);
    near_point = quad.point;
    normal_there = quad.normal;
    axis_there = mat3(view) * axis;
    reach = extent;
    round_code = code;
    gl_Position = corner_around(1.0, 0.05);
}
