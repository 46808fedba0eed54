// A triangle of the draw list.

in vec3 a, b, c;
in uvec3 code; // Role, Cue, 1: opaque

uniform uint opacity; // of the triangles that are drawn: 0 translucent, 1 opaque, 2 either

bool is_drawn() {
    return !(code.z == 1u ? has(code.y, HIDDEN) : left_out(code.xy)) && (opacity == 2u || opacity == code.z);
}
