#version 330 core
#include "frame.glsl"
#ifdef PLAIN
#include "round_disc.glsl"
#else
#include "round.glsl"
#endif

// Behind the lines on it, as the polygon offset has flat faces.
const float SLANTED = 1.5, CLOSE = 2.0 / 16777216.0;

void main() {
#ifdef PLAIN
    if (covered() < 0.5) discard;
    gl_FragDepth = window_depth(max(disc_depth(), depths.x));
#else
    Sight line = sight();
    float depth = window_depth(depth_at(line, is_open(line) ? line.far : line.near));
    float slope = max(abs(dFdx(depth)), abs(dFdy(depth)));
    if (line.outside > 0.0) discard;
    gl_FragDepth = depth + SLANTED * slope + CLOSE;
#endif
}
