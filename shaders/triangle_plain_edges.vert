#version 330 core
#include "frame.glsl"
#include "plain.glsl"
#include "triangle.glsl"

in vec3 which; // of the vertices

const float LIFT = 4e-4; // towards the eye: an edge is in front of its face

void main() {
    vec3 position = (view * vec4(mat3(a, b, c) * which, 1.0)).xyz;
    lay_edge(position, max(distance(a, b), max(distance(b, c), distance(c, a))), code.xy);
    gl_Position = is_drawn() ? projection * vec4(nearer(position, LIFT), 1.0) : NOWHERE;
}
