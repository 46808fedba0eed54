#version 330 core

// The part of the sky that is hidden from each point of the ground by what is over it.

uniform sampler2D overhead; // as overhead.frag has it, with all its levels
uniform float reach;        // half of the side of both, in stage units
uniform float side;         // of the shadow, in texels

out float shadow;

const int RINGS = 6;
const float INNERMOST = 0.03; // the radius of the first ring; each is twice as wide as the one within
const float LIFT = 0.1;       // all shapes are taken to be so much higher: what lies on the ground has a soft rim, too
const vec2 AROUND[8] = vec2[](
    vec2(1.0, 0.0), vec2(0.7071, 0.7071), vec2(0.0, 1.0), vec2(-0.7071, 0.7071),
    vec2(-1.0, 0.0), vec2(-0.7071, -0.7071), vec2(0.0, -1.0), vec2(0.7071, -0.7071)
);
const mat2 HALF_A_STEP = mat2(0.9239, 0.3827, -0.3827, 0.9239);

void main() {
    vec2 uv = gl_FragCoord.xy / side;
    float hidden = 0.0, inner = 0.0, outer = INNERMOST;
    // A ring is looked at in eight places at 0.7 of its radius, in the level whose texels are as large as an eighth.
    mat2 turn = mat2(0.35 / reach);
    float level = log2(0.28 * INNERMOST / reach * float(textureSize(overhead, 0).x));
    for (int ring = 0; ring < RINGS; ++ring) {
        vec2 cones = vec2(inner * inner, outer * outer);
        for (int tap = 0; tap < 8; ++tap) {
            vec2 covered = textureLod(overhead, uv + outer * (turn * AROUND[tap]), level).rg;
            float height = LIFT + covered.g / max(covered.r - covered.g, 1e-3);
            // A cone up from the ground that is so wide at that height takes so much of its light, by Lambert's law.
            vec2 parts = cones / (cones + height * height);
            hidden += 0.125 * covered.r * (parts.y - parts.x);
        }
        inner = outer;
        outer *= 2.0;
        level += 1.0;
        turn *= HALF_A_STEP;
    }
    vec2 border = min(uv, 1.0 - uv);
    shadow = hidden * smoothstep(0.0, 0.12, min(border.x, border.y));
}
