#version 330 core
#include "frame.glsl"
#include "plain.glsl"

in vec3 origin, edge_x, edge_y, edge_z;
in uvec2 code;

void main() {
    vec3 middle = origin + 0.5 * (edge_x + edge_y + edge_z);
    float size = max(length(edge_x), max(length(edge_y), length(edge_z)));
    lay_point((view * vec4(middle, 1.0)).xyz, size, 1.0, code);
}
