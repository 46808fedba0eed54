#version 330 core
#include "frame.glsl"

// The view straight up from the ground: whether a texel is covered, and the height of the cover.

#ifndef POINTS
flat in vec3 eye_normal;
flat in float closed;
#endif
#ifdef FADES
in vec3 from_center; // of length 1 where it has faded out
flat in float endless;
#endif

out vec2 covered; // 1, and height / (1 + height); mipmaps have the means

void main() {
    float height = max(eye_depth(gl_FragCoord.z), 0.0);
#ifndef POINTS
    bool from_within = closed > 0.5 && eye_normal.z < 0.0;
    // The ground is in the solid.
    if (from_within) height = 0.0;
    // A flat box is visible from outside, though its two sides coincide.
    gl_FragDepth = gl_FragCoord.z + (from_within ? 1e-4 : 0.0);
#endif
#ifdef FADES
    // Shapes that end at the horizon would cover the whole sky.
    if (endless > 0.5 && dot(fwidth(from_center), vec3(1.0)) < 1e-4) discard;
    if (endless > 0.5 && (closed < 0.5 || dot(from_center, from_center) > 0.7)) discard;
#endif
    covered = vec2(1.0, height / (1.0 + height));
}
