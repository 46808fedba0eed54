#version 330 core
#include "frame.glsl"
#include "plain.glsl"

in vec3 surface_point, outward, extent, axis;
in uvec2 code;

void main() {
    float radius = extent.x, between = extent.z - extent.y, size = 2.0 * radius + between;
    vec3 center = surface_point - radius * outward + 0.5 * (extent.y + extent.z) * axis;
    float filled = 2.0 * radius * (1.57 * radius + between) / max(size * size, 1e-30);
    lay_point((view * vec4(center, 1.0)).xyz, size, between > 0.0 ? filled : 0.785, code);
}
