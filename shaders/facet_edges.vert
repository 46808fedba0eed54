#version 330 core
#include "frame.glsl"
#include "line.glsl"

in vec2 corner;
in vec3 from, to;       // which of the vertices
in vec3 middle, b, c;
in vec3 traits;
in uvec4 code;          // Role, Cue, Ending, Side

const uint SIDE = 1u;
const uint CUT = 2u;

void main() {
    mat3 vertices = mat3(middle, b, c);
    draw_edge(vertices * from, vertices * to, corner, traits.y, code.xy);
    style.z = code.z;
    // A sheet has next to no frame, as it does not end there; a solid just fades, and shows where it is cut only when it is highlighted.
    if (code.w == CUT && !has(code.y, SELECTED | HOVERED)) strength *= traits.z > 0.5 ? 0.0 : 0.12;
    if (code.w != SIDE && code.w != CUT) gl_Position = NOWHERE;
}
