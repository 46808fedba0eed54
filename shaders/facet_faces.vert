#version 330 core
#include "frame.glsl"

in vec3 which;           // of the vertices
in vec3 middle, b, c;    // of the polygon, and a side of it
in vec3 normal;
in vec3 fade_center;
in vec3 traits;          // the rate of fading, 0: none; size of the shape; 1: closed
in uvec4 code;

out vec3 eye_position;
out vec4 rim;
out vec3 from_center;    // of length 1 where it has faded out
flat out float endless;  // 1: only a part of the shape is drawn
flat out vec3 eye_normal;
flat out float closed;
flat out uvec2 face_code;

void main() {
    vec3 position = mat3(middle, b, c) * which;
    eye_normal = mat3(view) * normal;
    closed = traits.z;
    face_code = code.xy;
    rim = vec4(which.x, 1.0, 1.0, 1.0);
    from_center = (position - fade_center) * traits.x;
    endless = traits.x > 0.0 ? 1.0 : 0.0;
    vec4 eye = view * vec4(position, 1.0);
    eye_position = eye.xyz;
    gl_Position = has(code.y, HIDDEN) ? NOWHERE : projection * eye;
}
