#version 330 core
#include "frame.glsl"
#include "plain.glsl"
#include "round_quad.glsl"

// The reduced picture: a disc that is shaded like a ball.

flat out vec4 shade;  // the colour away from the light, and the opacity at the silhouette, as `colour` has the others
flat out float bulge; // the length of the normal across the line of sight, at the silhouette
flat out vec4 light;  // how the normal, in the frame of the disc, turns to the light; pixels a radius
flat out vec4 depth;  // how it takes the surface away from the eye, and the depth of the center

void main() {
    Quad quad = quad_around(1.0, 0.0);
    vec3 center = quad.point - extent.x * quad.normal;
    lay_edge(center, 2.0 * extent.x, code);
    rim = colour;
    if (code.x != HIT) rim.a *= 0.6;
    vec3 across = vec3(LIGHT.y, -LIGHT.x, 0.0);
    colour = face_colour(LIGHT, LIGHT, 1.0, code);
    shade = vec4(face_colour(-LIGHT, -LIGHT, 1.0, code).rgb, face_colour(LIGHT, across, 1.0, code).a);
    if (has(code.y, TOUCHING)) {
        vec4 glow = vec4(mix(colours[code.x].rgb, brightest(), 0.85), 0.85);
        colour = mix(colour, glow, 0.15);
        shade = mix(shade, glow, 0.15);
    }
    within = vec3(corner * (quad.half_width / max(quad.radius, 1e-30)), 0.0);
    bulge = sqrt(max(1.0 - quad.cosine * quad.cosine, 0.0));
    light = vec4(LIGHT * quad.turn, quad.radius / pixel_size(in_front(-quad.middle.z)));
    depth = vec4(vec3(0.0, 0.0, -extent.x) * quad.turn, -center.z);
    if (quad.everywhere) {
        // The eye is in the ball: there is only the far side.
        rim.a = 0.0;
        colour.a = shade.a = 0.45 * colour.a;
        within = vec3(0.0);
        depth = vec4(0.0, 0.0, 0.0, length(center) + extent.x);
    }
    nearness = face_nearness(-center.z, code.x);
    gl_Position = corner_of(quad);
}
