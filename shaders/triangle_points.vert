#version 330 core
#include "frame.glsl"
#include "plain.glsl"

in vec3 a, b, c;
in uvec2 code;

void main() {
    float size = max(distance(a, b), max(distance(b, c), distance(c, a)));
    float area = 0.5 * length(cross(b - a, c - a)) / max(size * size, 1e-30);
    lay_point((view * vec4((a + b + c) / 3.0, 1.0)).xyz, size, area, code);
}
