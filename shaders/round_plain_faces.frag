#version 330 core
#include "frame.glsl"
#include "round_disc.glsl"

flat in vec4 colour;
flat in vec4 shade;
flat in vec4 rim;
in float nearness;

layout(location = 0) out vec4 accumulated;
layout(location = 1) out vec4 weight;

void main() {
    float part = covered();
    if (part == 0.0) discard;
    vec2 aside = disc();
    float slant = 1.0 - sqrt(max(1.0 - dot(aside, aside), 0.0));
    float alpha = mix(colour.a, shade.a, slant * slant);
    alpha = 1.0 - (1.0 - alpha) * (1.0 - 0.45 * alpha);
    vec3 face = mix(shade.rgb, colour.rgb, 0.5 + 0.5 * dot(light.xyz, disc_normal())) * alpha;
    float drawn = rim.a * clamp(0.5 + screen.z - (1.0 - length(aside)) * disc_pixels(), 0.0, 1.0);
    vec4 both = part * (vec4(face, alpha) * (1.0 - drawn) + vec4(rim.rgb, 1.0) * drawn);
    float closeness = exp2(nearness);
    accumulated = vec4(both.rgb * closeness, both.a);
    weight = vec4(both.a * closeness);
}
