#version 330 core
#include "frame.glsl"
#include "line.glsl"

in vec2 corner;
in vec3 from, to; // corners of the unit cube
in vec3 origin, edge_x, edge_y, edge_z;
in uvec2 code;

void main() {
    mat3 edges = mat3(edge_x, edge_y, edge_z);
    float size = max(length(edge_x), max(length(edge_y), length(edge_z)));
    draw_edge(origin + edges * from, origin + edges * to, corner, size, code);
}
