#version 330 core
#include "frame.glsl"
#include "line.glsl"

in vec2 corner;
in vec3 from, to; // which of the vertices
in vec3 a, b, c;
in uvec2 code;

void main() {
    mat3 vertices = mat3(a, b, c);
    float size = max(distance(a, b), max(distance(b, c), distance(c, a)));
    draw_edge(vertices * from, vertices * to, corner, size, code);
}
