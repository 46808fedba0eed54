#version 330 core
#include "frame.glsl"

in vec3 corner; // of the unit cube
in vec3 side;   // outward, of the unit cube
in vec3 origin, edge_x, edge_y, edge_z;
in uvec2 code;

out vec3 eye_position;
out vec4 rim; // each 0 on one border of the face
flat out vec3 eye_normal;
flat out float closed; // 1: a closed surface, visible from inside or outside; 0: a flat one, visible from either side
flat out uvec2 face_code;

void main() {
    vec3 position = origin + mat3(edge_x, edge_y, edge_z) * corner;
    vec3 across_x = cross(edge_y, edge_z), across_y = cross(edge_z, edge_x), across_z = cross(edge_x, edge_y);
    float handed = dot(edge_x, across_x) < 0.0 ? -1.0 : 1.0;
    eye_normal = mat3(view) * mat3(across_x, across_y, across_z) * side * handed;
    closed = 1.0;
    face_code = code;
    vec2 uv = side.x != 0.0 ? corner.yz : side.y != 0.0 ? corner.zx : corner.xy;
    rim = vec4(uv, 1.0 - uv);
    vec4 eye = view * vec4(position, 1.0);
    eye_position = eye.xyz;
    gl_Position = left_out(code) ? NOWHERE : projection * eye;
}
