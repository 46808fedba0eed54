#include "kinds.glsl"
#include "edge.glsl"
#include "edge_style.glsl"

// A line as a quad of constant screen width: corner.x is 0 at its start and 1 at its end, corner.y -1 or 1.
// The quad's position is given after the division by w, so that everything varies linearly over the screen.

uniform int layer; // 0: the lines themselves; 1: halos under them; 2: under these the outlines of selected shapes

out vec2 pixel_offset;            // pixels along the line and across it
flat out vec4 extent;      // length in pixels, window depth at both ends, half width in pixels
flat out vec2 part;        // the part of the line in view, as fractions
flat out vec2 sideways;    // unit, across the line
flat out float strength;   // opacity
flat out float clarity;    // of an edge: 1 where its shape is large enough for hidden, dashed edges to be readable
flat out float broadside;  // of an arrow: 1 seen from the side, 0 end-on
flat out uvec4 style;      // Role, Cue, Ending (8: inside), kind

float lift = 4e-4; // towards the eye: a line on a face is in front of it

void draw_line(vec4 start, vec4 end, vec2 corner, float half_width, float reach, float opacity, uvec4 code) {
    // Clipped before the division, or a line that passes behind the eye would wrap around.
    vec4 a = projection * start, b = projection * end;
    vec4 low = vec4(a.w + a.x / 1.3, a.w - a.x / 1.3, a.w + a.y / 1.3, a.w - a.y / 1.3);
    vec4 high = vec4(b.w + b.x / 1.3, b.w - b.x / 1.3, b.w + b.y / 1.3, b.w - b.y / 1.3);
    part = vec2(0.0, 1.0);
    for (int i = 0; i < 5; ++i) {
        float f = i < 4 ? low[i] : orthographic() ? 1.0 : a.w - depths.z;
        float g = i < 4 ? high[i] : orthographic() ? 1.0 : b.w - depths.z;
        if (f < 0.0 && g < 0.0) part = vec2(2.0, -1.0);
        else if (f < 0.0) part.x = max(part.x, f / (f - g));
        else if (g < 0.0) part.y = min(part.y, f / (f - g));
    }
    style = code;
    strength = opacity;
    if (part.x > part.y) {
        gl_Position = NOWHERE;
        pixel_offset = vec2(0.0);
        extent = vec4(0.0);
        sideways = vec2(0.0);
        return;
    }
    vec4 p = mix(a, b, part.x), q = mix(a, b, part.y);
    vec2 from = p.xy / p.w * 0.5 * screen.xy, to = q.xy / q.w * 0.5 * screen.xy;
    float size = length(to - from);
    vec2 along = size > 1e-4 ? (to - from) / size : vec2(1.0, 0.0);
    sideways = vec2(-along.y, along.x);
    vec2 seen = -mix(vec2(start.z), vec2(end.z), part);
    extent = vec4(size, window_depth(nearer(seen.x, lift)), window_depth(nearer(seen.y, lift)), half_width);
    float rim = reach + 1.0;
    pixel_offset = vec2(corner.x * size + (2.0 * corner.x - 1.0) * rim, corner.y * rim);
    gl_Position = vec4((from + along * pixel_offset.x + sideways * pixel_offset.y) / (0.5 * screen.xy), 0.0, 1.0);
}

// An edge of a box or triangle that measures `size` in eye units.
void draw_edge(vec3 from, vec3 to, vec2 corner, float size, uvec2 code) {
    vec4 start = view * vec4(from, 1.0), end = view * vec4(to, 1.0);
    float depth = in_front(-0.5 * (start.z + end.z));
    float pixels = size / pixel_size(depth) / screen.z;
    float opacity, half_width;
    style_edge(pixels, depth, code, layer, half_width, opacity, clarity);
    broadside = 1.0;
    draw_line(start, end, corner, half_width, half_width, opacity, uvec4(code, 0u, EDGE));
    if (has(code.y, HIDDEN) || (layer > 0 && !has(code.y, SELECTED | PAIRED))) gl_Position = NOWHERE;
}
