#version 330 core
#include "frame.glsl"
#include "line.glsl"
#include "triangle.glsl"

uniform bool crowded; // many triangles are highlighted: opaque ones have one outline around them all

in vec2 corner;
in vec3 from, to; // which of the vertices

void main() {
    mat3 vertices = mat3(a, b, c);
    float size = max(distance(a, b), max(distance(b, c), distance(c, a)));
    bool opaque = code.z == 1u, around = opaque && crowded && layer > 0;
    // An outline that is behind its own face by some pixels is visible only beside it.
    if (around) lift = -40.0 * screen.w * screen.z;
    draw_edge(vertices * from, vertices * to, corner, size, code.xy);
    if (around) style.w = AROUND;
    // Other edges of opaque triangles are drawn with their faces.
    bool marked = has(code.y, DEGENERATE) || (!crowded && has(code.y, HOVERED | SELECTED | PAIRED));
    if (!is_drawn() || (opaque && layer == 0 && !marked)) gl_Position = NOWHERE;
}
