#version 330 core
#include "frame.glsl"
#include "plain.glsl"
#include "box.glsl"

in vec3 far; // 1 along the axes along which the corner is the far one

void main() {
    Box box = box_in_sight();
    vec3 position = corner_of(box, far);
    // The last vertex of a face's triangles, which gives the colour, is near along its axis alone.
    lay_face(box.across * (1.0 - far), position, 1.0, code);
    lay_rim(far, position, box.size, code);
    gl_Position = left_out(code) ? NOWHERE : projection * vec4(position, 1.0);
}
