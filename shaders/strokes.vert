#version 330 core
#include "frame.glsl"
#include "line.glsl"

in vec2 corner;
in vec3 start, end;
in float pixels; // when not 0: `end` is a direction, and this is the length of the line in pixels
in uvec4 code;   // Role or colour, Cue, Ending (8: inside), kind

const uint ARROW_END = 4u;

void main() {
    vec4 from = view * vec4(start, 1.0);
    vec4 to = view * vec4(end, 1.0);
    if (pixels > 0.0) {
        to = from + vec4(mat3(view) * end, 0.0) * max(pixel_size(-from.z), 0.0) * pixels * screen.z;
    }
    float half_width = code.w == STROKE ? 1.5 : code.w == DROP ? 0.6 : 1.1;
    if (code.w == GAP || (code.w == STROKE && code.x != PROBE)) half_width = 1.0;
    if (code.w == VALUE) {
        half_width = has(code.z, ARROW_END) ? 1.1 : has(code.z, 8u) ? 3.8 : 1.9;
    } else if (has(code.z, 8u)) {
        half_width += 1.1;
    }
    if (has(code.y, HOVERED)) half_width += 0.6;
    float reach = has(code.z, ARROW_END) ? 4.2 * half_width : half_width;
    half_width *= screen.z;
    clarity = 1.0;
    vec3 way = (to - from).xyz, back = to_eye_from(to.xyz);
    broadside = length(cross(way, back)) / max(length(way) * length(back), 1e-20);
    draw_line(from, to, corner, half_width, (reach + 3.5) * screen.z, 1.0, code);
    if (has(code.y, HIDDEN)) gl_Position = NOWHERE;
}
