#version 330 core
#include "frame.glsl"
#include "plain.glsl"

in vec3 surface_point, outward, extent;
in uvec2 code;

void main() {
    float radius = extent.x;
    lay_point((view * vec4(surface_point - radius * outward, 1.0)).xyz, 2.0 * radius, 0.785, code);
}
