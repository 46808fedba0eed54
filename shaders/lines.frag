#version 330 core
#include "frame.glsl"
#include "kinds.glsl"
#include "edge_look.glsl"

uniform sampler2D face_depth;
uniform int layer; // see line.glsl

in vec2 pixel_offset;
flat in vec4 extent;
flat in vec2 part;
flat in vec2 sideways;
flat in float strength;
flat in float clarity;
flat in float broadside;
flat in uvec4 style;

out vec4 fragment; // premultiplied

const uint FADE_START = 1u;
const uint FADE_END = 2u;
const uint ARROW_END = 4u;
const uint IN_HIT = 8u;

// Pixels to the border of the line with its arrow head; negative inside.
float outline_distance(float half_width) {
    float size = extent.x;
    float beyond = max(max(-pixel_offset.x, pixel_offset.x - size), 0.0);
    if (!has(style.z, ARROW_END)) return length(vec2(beyond, pixel_offset.y)) - half_width;
    float head = min(9.0 * half_width, 0.75 * size);
    float to_tip = size - pixel_offset.x;
    float shaft = max(abs(pixel_offset.y) - half_width, max(-pixel_offset.x, pixel_offset.x - size + 0.6 * head));
    float flank = (abs(pixel_offset.y) - 0.42 * to_tip) * 0.92;
    // End-on, where nothing is left of its length, the head is a dot.
    float radius = 3.0 * half_width * (1.0 - smoothstep(0.1, 0.35, broadside));
    float dot_border = length(vec2(to_tip - 0.7 * head, pixel_offset.y)) - radius;
    return min(min(shaft, max(flank, to_tip - head)), dot_border);
}

void main() {
    float size = extent.x, half_width = extent.w;
    float at = size > 0.0 ? clamp(pixel_offset.x / size, 0.0, 1.0) : 0.0;
    // The depth is tested on the middle of the line, or half of a line along a slanted face would vanish.
    vec2 aside = style.w == AROUND ? vec2(0.0) : sideways * pixel_offset.y;
    ivec2 middle = texel_at(gl_FragCoord.xy - aside, textureSize(face_depth, 0));
    bool hidden = texelFetch(face_depth, middle, 0).r < min(mix(extent.y, extent.z, at), 1.0);

    float opacity = strength;
    float t = mix(part.x, part.y, at);
    if (has(style.z, FADE_START)) opacity *= t * t;
    if (has(style.z, FADE_END)) opacity *= (1.0 - t) * (1.0 - t);

    float border = outline_distance(half_width);
    vec3 colour = colours[style.x].rgb;
    if (style.w >= EDGE) {
        if (style.w == AROUND && hidden) discard;
        vec4 look = edge_look(style.xy, layer, hidden, opacity, clarity, size, pixel_offset.x);
        colour = look.rgb;
        opacity = look.a;
    } else if (style.w == DROP) {
        opacity *= (hidden ? 0.3 : 0.6) * dash(3.0, 3.0, size, pixel_offset.x);
        if (layer > 0) opacity = 0.0;
    } else {
        if (style.w == GAP) {
            opacity *= dash(6.0, 4.0, size, pixel_offset.x) * (layer > 0 ? 0.5 : 1.0);
            colour = mix(colour, colours[OUTLINE].rgb, 0.55);
        } else if (style.w == VALUE) {
            opacity *= has(style.y, HOVERED) ? 1.0 : layer > 0 ? 0.3 : 0.5;
        } else if (style.x == REFERENCE && !has(style.y, HOVERED | SELECTED)) {
            opacity *= 0.6;
        }
        if (layer == RINGS) {
            border -= (has(style.y, SELECTED) ? 3.0 : 2.4) * screen.z;
            colour = colours[OUTLINE].rgb;
            opacity *= has(style.y, SELECTED | PAIRED) ? 0.95 : 0.0;
        } else if (layer > 0) {
            border -= 1.5 * screen.z;
            colour = colours[HALO].rgb;
            opacity *= has(style.y, SELECTED | PAIRED) ? 0.9 : hidden ? 0.35 : 0.75;
        } else {
            if (has(style.y, HOVERED) && style.w != VALUE) colour = mix(colour, colours[OUTLINE].rgb, 0.3);
            if (has(style.z, IN_HIT) && style.w != VALUE) {
                float core = clamp(0.5 - border - 0.48 * half_width, 0.0, 1.0);
                colour = mix(colour, colours[CORE].rgb, core);
            }
            if (hidden) opacity *= has(style.z, IN_HIT) || style.w == VALUE ? 0.85 : 0.65;
        }
    }
    opacity *= clamp(0.5 - border, 0.0, 1.0);
    if (opacity < 0.002) discard;
    fragment = vec4(colour * opacity, opacity);
}
