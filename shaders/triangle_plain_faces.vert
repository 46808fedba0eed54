#version 330 core
#include "frame.glsl"
#include "plain.glsl"
#include "triangle.glsl"

in vec3 which; // of the vertices

void main() {
    vec3 position = (view * vec4(mat3(a, b, c) * which, 1.0)).xyz;
    lay_face(mat3(view) * cross(b - a, c - a), position, 0.0, code.xy);
    lay_rim(which, position, max(distance(a, b), max(distance(b, c), distance(c, a))), code.xy);
    gl_Position = is_drawn() ? projection * vec4(position, 1.0) : NOWHERE;
}
