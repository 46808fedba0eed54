#version 330 core
#include "frame.glsl"
#include "plain.glsl"
#include "triangle.glsl"


void main() {
    float size = max(distance(a, b), max(distance(b, c), distance(c, a)));
    float area = 0.5 * length(cross(b - a, c - a)) / max(size * size, 1e-30);
    vec3 middle = (view * vec4((a + b + c) / 3.0, 1.0)).xyz;
    lay_point(middle, size, area, code.xy);
    if (code.z == 1u) {
        colour = vec4(opaque_colour(unit(mat3(view) * cross(b - a, c - a)), unit(to_eye_from(middle)), code.xy), 1.0);
        // Squares of a triangle's area would leave gaps between them.
        gl_PointSize *= 1.6;
    }
    if (!is_drawn()) gl_Position = NOWHERE;
}
