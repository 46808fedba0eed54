#version 330 core
#include "frame.glsl"

in float at;    // 0 at the start, 1 at the end
in vec3 start, end;
in uvec4 code;  // Role, Cue, 1 if it fades towards its end, opacity of 255

out vec4 colour; // not premultiplied

void main() {
    colour = vec4(colours[code.x].rgb, float(code.w) / 255.0);
    if (has(code.y, HOVERED | SELECTED)) colour.a = min(2.5 * colour.a, 1.0);
    if (has(code.y, SELECTED)) colour.rgb = mix(colour.rgb, colours[OUTLINE].rgb, 0.4);
    if (code.z == 1u) colour.a *= 1.0 - 0.9 * at;
    colour.a *= fine();
    gl_Position = has(code.y, HIDDEN) ? NOWHERE : projection * view * vec4(mix(start, end, at), 1.0);
}
