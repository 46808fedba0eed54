#version 330 core
#include "frame.glsl"

// One triangle over the whole picture.

uniform mat3 eye_to_stage;

out vec3 ray; // in the stage frame, of depth 1

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    ray = eye_to_stage * vec3(corner / vec2(projection[0][0], projection[1][1]), -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
