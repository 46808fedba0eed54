#version 330 core
#include "frame.glsl"
#include "face.glsl"
#include "cues.glsl"
#include "round.glsl"

// As faces.frag, with both sides of the surface at once.

uniform bool over; // as there

layout(location = 0) out vec4 accumulated;
layout(location = 1) out vec4 weight;

void main() {
    Sight line = sight();
    float covered = clamp(0.5 - line.outside, 0.0, 1.0);
    bool open = is_open(line);
    float depth = depth_at(line, open ? line.far : line.near);
    if (covered == 0.0 || (!orthographic() && depth < depths.x)) discard;
    accumulated = vec4(0.0, 0.0, 0.0, 1.0);
    weight = vec4(0.0);
    for (int side = open ? 1 : 0; side < 2; ++side) {
        float t = side == 0 ? line.near : line.far;
        vec4 face = face_colour(normal_at(line, t), -line.way, 1.0, round_code);
        face = with_cues(face, -line.outside / screen.z, 1.0 - float(side), round_code);
        face.a *= covered;
        float closeness = exp2(face_nearness(depth_at(line, t), round_code.x));
        accumulated.rgb += face.rgb * face.a * closeness;
        accumulated.a *= 1.0 - face.a;
        weight += face.a * closeness;
    }
    accumulated.a = 1.0 - accumulated.a;
    if (over) accumulated.rgb *= accumulated.a / max(weight.r, 1e-9);
    gl_FragDepth = clamp(window_depth(depth), 0.0, 1.0);
}
