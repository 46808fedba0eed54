// The reduced picture: a face, an edge or a whole shape has one colour, computed at one of its vertices.

#include "face.glsl"
#include "edge.glsl"

flat out vec4 colour; // not premultiplied
flat out vec4 rim;    // of a face whose edges are drawn with it: their colour, not premultiplied
out vec3 within;      // the position on such a face, 0 or 1 at its edges
out float nearness; // the binary logarithm of its weight against layers behind it

// A face that also represents the far side behind it.
void lay_face(vec3 normal, vec3 eye_position, float closed, uvec2 code) {
    vec3 n = unit(normal), to_eye = unit(to_eye_from(eye_position));
    colour = face_colour(n, to_eye, closed, code);
    if (closed > 0.5) colour.a = 1.0 - (1.0 - colour.a) * (1.0 - 0.45 * facing(n, to_eye) * colour.a);
    vec3 strong = mix(colours[code.x].rgb, colours[OUTLINE].rgb, 0.45);
    if (has(code.y, TOUCHING)) colour = mix(colour, vec4(mix(colour.rgb, brightest(), 0.85), 0.85), 0.15);
    if (has(code.y, COPLANAR)) colour = mix(colour, vec4(strong, 0.7), 0.25);
    rim = vec4(0.0);
    within = vec3(0.0);
    nearness = face_nearness(-eye_position.z, code.x);
}

vec4 edge_colour(vec3 eye_position, float size, uvec2 code) {
    float depth = in_front(-eye_position.z);
    float pixels = size / pixel_size(depth) / screen.z;
    vec4 edge = vec4(colours[code.x].rgb, edge_opacity(pixels, depth));
    if (quiet(code.x)) edge.a *= (code.x == MISS ? 0.56 : 0.75) * quiet_strength;
    if (has(code.y, HOVERED | TOUCHING)) edge.rgb = mix(edge.rgb, colours[OUTLINE].rgb, 0.45);
    if (has(code.y, HOVERED | SELECTED | DEGENERATE)) edge.a = 1.0;
    return edge;
}

// An edge, a pixel wide, of a shape that measures `size` in eye units.
void lay_edge(vec3 eye_position, float size, uvec2 code) {
    colour = edge_colour(eye_position, size, code);
    rim = vec4(0.0);
    within = vec3(0.0);
    nearness = 0.0;
}

// The edges of a face, where pixels are so large that lines of their own would be too wide.
void lay_rim(vec3 position, vec3 eye_position, float size, uvec2 code) {
    if (fine() == 1.0) return;
    rim = edge_colour(eye_position, size, code);
    // Unlike lines they are visible through shapes before them; a hit is brought forward anyway.
    if (code.x != HIT) rim.a *= 0.6;
    within = position;
}

uniform float smallest; // of the squares that stand for shapes, in pixels

// A shape that is so small on the screen that it is drawn as a square of its colour, edges included; `filled` is the
// part of the square around the shape that it fills.
void lay_point(vec3 eye_position, float size, float filled, uvec2 code) {
    float depth = in_front(-eye_position.z);
    // However small, it stays visible; and many large squares would hide one another.
    float wanted = clamp(size * sqrt(filled) / pixel_size(depth), smallest, 8.0 * screen.z);
    float side = max(wanted, 1.0);
    lay_face(to_eye_from(eye_position), eye_position, 0.0, code);
    float edges = code.x == HIT ? mix(0.3, 0.9, hit_rarity) : quiet(code.x) ? 0.3 * mix(0.2, 1.0, quiet_strength) : 0.3;
    colour.a = mix(colour.a, 1.0, edges) * (wanted * wanted) / (side * side);
    if (code.x == HIT) {
        // So that it is seen around the marks where a probe enters and exits.
        if (crowding == 1.0) side = max(side, 16.0 * hit_rarity * screen.z);
        colour.a = mix(colour.a, 1.0, hit_rarity * crowding);
    }
    if (quiet(code.x)) colour = receded(colour);
    if (has(code.y, DEGENERATE)) {
        side = max(side, 2.8 * screen.z);
        colour.a = 1.0;
    }
    gl_PointSize = side;
    bool gone = too_near(-eye_position.z) || left_out(code);
    gl_Position = gone ? NOWHERE : projection * vec4(eye_position, 1.0);
}
