#version 330 core
#include "frame.glsl"
#include "kinds.glsl"
#include "edge.glsl"
#include "edge_style.glsl"
#include "round_quad.glsl"

flat out float half_width; // in pixels
flat out float strength;
flat out float clarity;

uniform int layer; // see line.glsl

void main() {
    float depth = in_front(-(view * vec4(surface_point - extent.x * outward, 1.0)).z);
    style_edge(2.0 * extent.x / pixel_size(depth) / screen.z, depth, code, layer, half_width, strength, clarity);
    lay_quad(half_width + 2.0);
    if (layer > 0 && !has(code.y, SELECTED | PAIRED)) gl_Position = NOWHERE;
}
