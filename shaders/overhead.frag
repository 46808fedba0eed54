#version 330 core
#include "frame.glsl"

// What is over the ground, seen straight up from it: that a texel is covered, and how high.

#ifndef POINTS
flat in vec3 eye_normal;
flat in float closed;
#endif
#ifdef FADES
in vec3 from_center; // 1 long where nothing is left
flat in float endless;
#endif

out vec2 covered; // 1, and height / (1 + height); levels of the texture have their means

void main() {
    float height = max(eye_depth(gl_FragCoord.z), 0.0);
#ifndef POINTS
    bool from_within = closed > 0.5 && eye_normal.z < 0.0;
    // The ground is in the solid.
    if (from_within) height = 0.0;
    // A flat box is seen from without, though its two sides coincide.
    gl_FragDepth = gl_FragCoord.z + (from_within ? 1e-4 : 0.0);
#endif
#ifdef FADES
    // What ends at the horizon would leave no sky.
    if (endless > 0.5 && dot(fwidth(from_center), vec3(1.0)) < 1e-4) discard;
    if (endless > 0.5 && (closed < 0.5 || dot(from_center, from_center) > 0.7)) discard;
#endif
    covered = vec2(1.0, height / (1.0 + height));
}
