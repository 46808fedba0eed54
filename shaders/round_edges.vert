#version 330 core
#include "frame.glsl"
#include "kinds.glsl"
#include "edge.glsl"
#include "edge_style.glsl"
#include "round_quad.glsl"

uniform int layer; // see line.glsl

flat out vec3 near_point, normal_there, axis_there, reach;
flat out uvec2 round_code;
flat out float half_width; // in pixels
flat out float strength;
flat out float clarity;

void main() {
    vec3 center = surface_point + nearest_along() * axis - extent.x * outward;
    float depth = in_front(-(view * vec4(center, 1.0)).z), size = 2.0 * extent.x + extent.z - extent.y;
    style_edge(size / pixel_size(depth) / screen.z, depth, code, layer, half_width, strength, clarity);
    Quad quad = quad_at(0.0, 0.0, 0.0);
    near_point = quad.point;
    normal_there = quad.normal;
    axis_there = mat3(view) * axis;
    reach = extent;
    round_code = code;
    bool visible = layer == 0 || has(code.y, SELECTED | PAIRED);
    gl_Position = visible ? corner_around(half_width + 1.0, 0.05) : NOWHERE;
}
