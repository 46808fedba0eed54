#version 330 core
#include "frame.glsl"

// One triangle over the whole picture.

uniform mat3 eye_to_grid;

// Both with the grid's first and second axis and the one across it for x, y and z.
out vec3 from; // the start of the line of sight, relative to the eye
out vec3 ray;  // of depth 1

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    vec2 aside = corner / vec2(projection[0][0], projection[1][1]);
    from = eye_to_grid * (orthographic() ? vec3(aside, 0.0) : vec3(0.0));
    ray = eye_to_grid * vec3(orthographic() ? vec2(0.0) : aside, -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
