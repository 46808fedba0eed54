// The reduced picture: a face, an edge or a whole shape has one colour, worked out at one of its vertices.

#include "face.glsl"
#include "edge.glsl"

flat out vec4 colour; // not premultiplied
out float nearness; // the binary logarithm of how much it counts against what is behind it

// A face that stands for the far side behind it, too.
void lay_face(vec3 normal, vec3 eye_position, float closed, uvec2 code) {
    vec3 n = unit_normal(normal), to_eye = normalize(to_eye_from(eye_position));
    colour = face_colour(n, to_eye, closed, code);
    if (closed > 0.5) colour.a = 1.0 - (1.0 - colour.a) * (1.0 - 0.45 * facing(n, to_eye) * colour.a);
    vec3 strong = mix(colours[code.x].rgb, colours[OUTLINE].rgb, 0.45);
    if (has(code.y, TOUCHING)) colour = mix(colour, vec4(strong, 0.85), 0.15);
    if (has(code.y, COPLANAR)) colour = mix(colour, vec4(strong, 0.7), 0.25);
    nearness = face_nearness(-eye_position.z);
}

// An edge, a pixel wide, of a shape that measures `size` in eye units.
void lay_edge(vec3 eye_position, float size, uvec2 code) {
    float depth = in_front(-eye_position.z);
    float pixels = size / pixel_size(depth) / screen.z;
    colour = vec4(colours[code.x].rgb, edge_opacity(pixels, depth));
    if (code.x == MISS) colour.a *= 0.56;
    if (has(code.y, HOVERED | TOUCHING)) colour.rgb = mix(colour.rgb, colours[OUTLINE].rgb, 0.45);
    if (has(code.y, HOVERED | SELECTED | DEGENERATE)) colour.a = 1.0;
    nearness = 0.0;
}

// A shape that is seen so small that a square of its colour, edges and all, stands for it; `filled` is the part of
// the square around it that it fills.
void lay_point(vec3 eye_position, float size, float filled, uvec2 code) {
    float depth = in_front(-eye_position.z);
    // However small, it is there; and a crowd of large squares would hide one another.
    float side = clamp(size * sqrt(filled) / pixel_size(depth), 1.5, 8.0 * screen.z);
    lay_face(to_eye_from(eye_position), eye_position, 0.0, code);
    colour.a = mix(colour.a, 1.0, 0.3);
    if (has(code.y, DEGENERATE)) {
        side = max(side, 2.8 * screen.z);
        colour.a = 1.0;
    }
    gl_PointSize = side;
    bool gone = too_near(-eye_position.z) || has(code.y, HIDDEN);
    gl_Position = gone ? NOWHERE : projection * vec4(eye_position, 1.0);
}
