#version 330 core
#include "frame.glsl"
#include "kinds.glsl"
#include "edge.glsl"
#include "edge_style.glsl"
#include "round_quad.glsl"

uniform int layer; // see line.glsl

flat out vec3 near_point, normal_there;
flat out float radius;
flat out uvec2 round_code;
flat out float half_width; // in pixels
flat out float strength;
flat out float clarity;

void main() {
    float depth = in_front(-(view * vec4(surface_point - extent.x * outward, 1.0)).z);
    style_edge(2.0 * extent.x / pixel_size(depth) / screen.z, depth, code, layer, half_width, strength, clarity);
    Quad quad = quad_around(half_width + 1.0, 0.05);
    near_point = quad.point;
    normal_there = quad.normal;
    radius = extent.x;
    round_code = code;
    gl_Position = layer == 0 || has(code.y, SELECTED | PAIRED) ? corner_of(quad) : NOWHERE;
}
