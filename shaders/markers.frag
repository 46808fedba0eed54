#version 330 core
#include "frame.glsl"

in vec2 pixel_offset;
flat in float radius;
flat in float hidden;
flat in uvec3 style;

out vec4 fragment; // premultiplied

const uint HANDLE = 0u;
const uint POINT = 1u;
const uint WARNING_SIGN = 3u;
const uint SMALL_HANDLE = 4u;
const uint FAINT_HANDLE = 5u;
const float FAINT = 0.6; // the opacity of a handle that hides nothing

float covered(float border) {
    return clamp(0.5 - border, 0.0, 1.0);
}

void lay(vec3 colour, float alpha) {
    fragment = fragment * (1.0 - alpha) + vec4(colour * alpha, alpha);
}

float triangle(vec2 p, float size) {
    p.y += 0.25 * size;
    return max(abs(p.x) * 0.866 + p.y * 0.5, -p.y) - 0.5 * size;
}

void main() {
    float ratio = screen.z, away = length(pixel_offset);
    vec3 colour = colours[style.x].rgb, halo = colours[HALO].rgb;
    fragment = vec4(0.0);
    if (style.z == WARNING_SIGN) {
        lay(halo, 0.85 * covered(triangle(pixel_offset, radius) - 1.8 * ratio));
        lay(colours[WARNING].rgb, covered(triangle(pixel_offset, radius)));
        float stroke = max(abs(pixel_offset.x) - 0.8 * ratio, abs(pixel_offset.y - 0.5 * ratio) - 2.4 * ratio);
        lay(halo, covered(min(stroke, length(pixel_offset + vec2(0.0, 4.2 * ratio)) - 0.9 * ratio)));
    } else {
        if (has(style.y, SELECTED) && style.z != FAINT_HANDLE) lay(colours[OUTLINE].rgb, covered(abs(away - radius - 3.2 * ratio) - 0.8 * ratio));
        lay(halo, 0.8 * covered(away - radius - 1.4 * ratio));
        lay(colour, covered(away - radius));
        if (style.z == HANDLE || style.z == SMALL_HANDLE) lay(colours[CORE].rgb, covered(away - 0.45 * radius));
        if (style.z == POINT && style.x == EXIT) lay(halo, covered(away - 0.5 * radius));
    }
    fragment *= (1.0 - 0.3 * hidden) * (style.z == FAINT_HANDLE ? FAINT : 1.0);
    if (fragment.a < 0.002) discard;
}
