#version 330 core
#include "frame.glsl"
#include "triangle.glsl"

in vec3 which; // of the vertices

out vec3 eye_position;
out vec4 rim;
flat out vec3 eye_normal;
flat out float closed;
flat out uvec2 face_code;

void main() {
    eye_normal = mat3(view) * cross(b - a, c - a);
    closed = 0.0;
    face_code = code.xy;
    rim = vec4(which, 1.0);
    vec4 eye = view * vec4(mat3(a, b, c) * which, 1.0);
    eye_position = eye.xyz;
    gl_Position = is_drawn() ? projection * eye : NOWHERE;
}
