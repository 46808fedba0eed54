#version 330 core
#include "frame.glsl"

// As faces.frag, with one colour a face and one for its edges.

flat in vec4 colour;
flat in vec4 rim;
in vec3 within;
in float nearness;

layout(location = 0) out vec4 accumulated;
layout(location = 1) out vec4 weight;

void main() {
    vec4 face = vec4(colour.rgb * colour.a, colour.a);
    if (rim.a > 0.0) {
        // Along an axis that the face is across, there is no edge.
        vec3 footprint = fwidth(within);
        vec3 off = min(within, 1.0 - within) / max(footprint, 1e-9) + 1e3 * step(footprint, vec3(1e-6));
        float drawn = rim.a * clamp(0.5 + screen.z - min(off.x, min(off.y, off.z)), 0.0, 1.0);
        face = face * (1.0 - drawn) + vec4(rim.rgb, 1.0) * drawn;
    }
    float closeness = exp2(nearness);
    accumulated = vec4(face.rgb * closeness, face.a);
    weight = vec4(face.a * closeness);
}
