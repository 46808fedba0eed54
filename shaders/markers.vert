#version 330 core
#include "frame.glsl"

uniform sampler2D face_depth;
uniform float radii[6];   // by kind
uniform float sign_above; // the height of a warning sign over its shape

in vec2 corner; // x 0 or 1, y -1 or 1
in vec3 position;
in uvec3 code;  // Role or colour, Cue, kind

out vec2 pixel_offset; // pixels from the middle
flat out float radius;
flat out float hidden;
flat out uvec3 style;

const uint WARNING_SIGN = 3u;

void main() {
    vec4 eye = view * vec4(position, 1.0);
    vec4 middle = projection * eye;
    style = code;
    radius = radii[code.z];
    if (has(code.y, HOVERED)) radius *= 1.4;
    radius *= screen.z;
    float rim = radius + 5.0 * screen.z;
    pixel_offset = vec2(2.0 * corner.x - 1.0, corner.y) * rim;
    if (too_near(-eye.z) || has(code.y, HIDDEN)) {
        gl_Position = NOWHERE;
        hidden = 0.0;
        return;
    }
    // The depth is tested once, at the middle, so that a disc on a slanted face is not cut in half.
    vec2 at = (middle.xy / middle.w * 0.5 + 0.5) * screen.xy;
    float before = texelFetch(face_depth, texel_at(at, textureSize(face_depth, 0)), 0).r;
    hidden = before < min(window_depth(nearer(-eye.z, 2e-3)), 1.0) ? 1.0 : 0.0;
    vec2 shift = code.z == WARNING_SIGN ? vec2(0.0, sign_above * screen.z) : vec2(0.0);
    gl_Position = vec4((at + shift + pixel_offset) / screen.xy * 2.0 - 1.0, 0.0, 1.0);
}
