#version 330 core
#include "frame.glsl"
#include "face.glsl"
#include "cues.glsl"

// Weighted blended transparency with one blend function for both targets:
// accumulated rgb adds up, accumulated a multiplies up to the transmittance, weight adds up.

in vec3 eye_position;
in vec4 rim;
#ifdef FADES
in vec3 from_center; // of length 1 where it has faded out
flat in float endless; // 1: only a part of the shape is drawn
#endif
flat in vec3 eye_normal;
flat in float closed;
flat in uvec2 face_code;

uniform bool over; // a picture, in one layer

layout(location = 0) out vec4 accumulated;
layout(location = 1) out vec4 weight;

void main() {
    vec3 normal = unit(eye_normal), to_eye = unit(to_eye_from(eye_position));
    float front = facing(normal, to_eye);
    vec4 face = face_colour(normal, to_eye, closed, face_code);
    face = with_cues(face, border_distance(rim), front, face_code);
    vec3 colour = face.rgb;
    float alpha = face.a;
#ifdef FADES
    // A large sheet is lighter than shapes before it, from behind lighter still; a hit one is louder, and recedes
    // towards its horizon.
    float slant = 1.0 - abs(dot(normal, to_eye));
    float receding = face_code.x == HIT ? 0.6 * mix(1.0, 0.3, slant * slant) : 1.0;
    if (closed < 0.5) alpha *= mix(1.0, mix(0.5, 0.85, front) * receding, endless);
    alpha *= 1.0 - smoothstep(0.35, 1.0, length(from_center));
#endif
    float closeness = exp2(face_nearness(-eye_position.z, face_code.x));
    accumulated = vec4(colour * alpha * closeness, alpha);
    weight = vec4(alpha * closeness);
    if (over) accumulated.rgb *= accumulated.a / max(weight.r, 1e-9);
}
