#version 330 core
#include "frame.glsl"

// Weighted blended transparency with one blend function for both targets:
// accumulated rgb adds up, accumulated a multiplies up to what shines through, weight adds up.

in vec3 eye_position;
in vec4 rim;
#ifdef FADES
in vec3 from_center; // 1 long where nothing is left
flat in float endless; // 1: what is drawn is only a part
#endif
flat in vec3 eye_normal;
flat in float closed;
flat in uvec2 face_code;

layout(location = 0) out vec4 accumulated;
layout(location = 1) out vec4 weight;

const vec3 LIGHT = vec3(-0.36, 0.80, 0.48);

void main() {
    float size = length(eye_normal);
    vec3 normal = size > 0.0 ? eye_normal / size : vec3(0.0, 0.0, 1.0);
    vec3 to_eye = -normalize(eye_position);
    float front = dot(normal, to_eye) >= 0.0 ? 1.0 : 0.0;
    float slant = 1.0 - abs(dot(normal, to_eye));

    uint role = face_code.x, cues = face_code.y;
    vec3 colour = colours[role].rgb;
    float alpha = colours[role].a;
    vec3 lit = front > 0.5 || closed > 0.5 ? normal : -normal;
    float light = 0.5 + 0.5 * dot(lit, LIGHT);
    colour *= mix(0.62, 1.18, light);
    if (closed < 0.5) colour *= mix(0.72, 1.0, front);

    // The far side of a box adds less, so that the near side reads as the surface.
    alpha *= mix(closed > 0.5 ? 0.45 : 0.9, 1.0, front) * (1.0 + 0.8 * slant * slant);
    if (has(cues, INSIDE)) alpha = mix(alpha, 1.0, 0.32);
    if (has(cues, HOVERED)) {
        colour = mix(colour, colours[OUTLINE].rgb, 0.18);
        alpha = mix(alpha, 1.0, 0.14);
    }
    vec4 border = rim / max(fwidth(rim), vec4(1e-9));
    if (has(cues, TOUCHING)) {
        float pixels = min(min(border.x, border.y), min(border.z, border.w)) / screen.z;
        float glow = exp(-0.16 * pixels) * mix(0.4, 1.0, front);
        colour = mix(colour, mix(colours[role].rgb, colours[OUTLINE].rgb, 0.55), glow);
        alpha = mix(alpha, 0.85, glow);
    }
    if (has(cues, COPLANAR)) {
        float stripe = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / (11.0 * screen.z)) - 0.5) * 11.0 * screen.z;
        float hatch = clamp(1.35 * screen.z - stripe, 0.0, 1.0);
        colour = mix(colour, mix(colours[role].rgb, colours[OUTLINE].rgb, 0.35), hatch);
        alpha = mix(alpha, 0.7, hatch);
    }
#ifdef FADES
    // A large sheet is lighter than what stands before it, and from behind lighter still.
    if (closed < 0.5) alpha *= mix(1.0, mix(0.32, 0.5, front), endless);
    alpha *= 1.0 - smoothstep(0.35, 1.0, length(from_center));
#endif
    float closeness = exp2(3.0 - 10.0 * remoteness(-eye_position.z));
    accumulated = vec4(colour * alpha * closeness, alpha);
    weight = vec4(alpha * closeness);
}
