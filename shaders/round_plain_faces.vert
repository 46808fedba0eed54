#version 330 core
#include "frame.glsl"
#include "plain.glsl"
#include "round_quad.glsl"

// The reduced picture: a disc that is shaded like a ball, and a capsule as all discs from one end to the other.

flat out vec4 shade;  // the colour away from the light, and the opacity at the silhouette, as `colour` has the others
flat out float bulge; // the length of the normal across the line of sight, at the silhouette
flat out vec4 light;  // how the normal, in the frame of the disc, turns to the light; pixels a radius
flat out vec4 depth;  // how it takes the surface away from the eye, and the depth of the center
flat out vec3 taper;  // of a capsule the other end: how far it is and its radius, in radii, and its depth

// Lay out a capsule between the discs of its ends, whose corner is set.
void lay_between(Quad quad, Quad other) {
    vec4 ends[2] = vec4[](projected(quad, vec2(0.0)), projected(other, vec2(0.0)));
    vec2 pixels = screen.xy / 2.0, start = ends[0].xy / ends[0].w * pixels;
    vec2 between = ends[1].xy / ends[1].w * pixels - start, from_start = gl_Position.xy * pixels - start;
    float radius = max(light.w, 1e-3), size = max(length(between), 1e-3 * radius);
    vec2 along = between / size;
    within = vec3(dot(from_start, along), dot(from_start, vec2(-along.y, along.x)), 0.0) / radius;
    float other_radius = other.radius / pixel_size(in_front(-other.middle.z));
    taper = vec3(size / radius, other_radius / radius, -other.middle.z);
    vec3 right = normalize(vec3(along, 0.0) - dot(quad.turn[2].xy, along) * quad.turn[2]);
    mat3 turn = mat3(right, cross(quad.turn[2], right), quad.turn[2]);
    light.xyz = LIGHT * turn;
    depth.xyz = vec3(0.0, 0.0, -extent.x) * turn;
}

void main() {
    Quad quad = quad_at(extent.y, 1.0, 0.0);
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
    gl_Position = corner_around(1.0, 0.0);
    taper = vec3(0.0);
    if (extent.y < extent.z) lay_between(quad, quad_at(extent.z, 1.0, 0.0));
}
