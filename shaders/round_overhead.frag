#version 330 core
#include "frame.glsl"
#include "round.glsl"

// As overhead.frag.

out vec2 covered;

const float HUGE = 1e3; // in stage units

void main() {
    Sight line = sight();
    float near = depth_at(line, line.near);
    if (line.outside > 0.0 || depth_at(line, line.far) < depths.x || near > depths.y) discard;
    // The ground is in what would cover the whole sky.
    if (near < 0.0 && reach.x > HUGE) discard;
    float height = max(near, 0.0); // 0: the ground is in the solid
    gl_FragDepth = clamp(window_depth(near), 0.0, 1.0);
    covered = vec2(1.0, height / (1.0 + height));
}
