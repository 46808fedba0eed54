#version 330 core
#include "frame.glsl"
#include "plain.glsl"
#include "box.glsl"

in vec3 far; // 1 along the axes along which the corner is the far one

const float LIFT = 4e-4; // towards the eye: an edge is in front of its faces

void main() {
    Box box = box_in_sight();
    vec3 position = corner_of(box, far);
    lay_edge(position, box.size, code);
    gl_Position = has(code.y, HIDDEN) ? NOWHERE : projection * vec4(nearer(position, LIFT), 1.0);
}
