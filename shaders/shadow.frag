#version 330 core

// The part of the sky that shapes hide from each point of the ground.

uniform sampler2D overhead; // the output of overhead.frag, with its mipmaps
uniform float reach;        // half of the side of both, in stage units
uniform float side;         // of the shadow, in texels

out float shadow;

const int RINGS = 6;
const float INNERMOST = 0.03; // the radius of the first ring; each is twice as wide as the one inside
const float LIFT = 0.1;       // the height added to all shapes, so that those on the ground have a soft rim, too
const vec2 AROUND[8] = vec2[](
    vec2(1.0, 0.0), vec2(0.7071, 0.7071), vec2(0.0, 1.0), vec2(-0.7071, 0.7071),
    vec2(-1.0, 0.0), vec2(-0.7071, -0.7071), vec2(0.0, -1.0), vec2(0.7071, -0.7071)
);
const mat2 HALF_A_STEP = mat2(0.9239, 0.3827, -0.3827, 0.9239);

void main() {
    vec2 uv = gl_FragCoord.xy / side;
    float hidden = 0.0, inner = 0.0, outer = INNERMOST;
    // A ring is sampled at eight points at 0.7 of its radius, in the mipmap whose texels are about as large as an
    // eighth: between two mipmaps a software renderer takes twice as long.
    mat2 turn = mat2(0.35 / reach);
    float level = round(log2(0.28 * INNERMOST / reach * float(textureSize(overhead, 0).x)));
    for (int ring = 0; ring < RINGS; ++ring) {
        vec2 cones = vec2(inner * inner, outer * outer);
        for (int tap = 0; tap < 8; ++tap) {
            vec2 covered = textureLod(overhead, uv + outer * (turn * AROUND[tap]), level).rg;
            float height = LIFT + covered.g / max(covered.r - covered.g, 1e-3);
            // The part of the light, by Lambert's law, from a cone up from the ground with this width at that height.
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
