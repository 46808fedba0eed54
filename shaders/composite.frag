#version 330 core
#include "frame.glsl"

// Background, the grid with its two axes and, where it is the ground, the shadow, and the faces over and under it.

uniform LAYER accumulated, weight; // sampler2D or sampler2DMS: texelFetch takes a level of one, a sample of the other
uniform LAYER opaque, opaque_depth; // the nearest opaque triangle
uniform bool some_opaque;
uniform int samples;
uniform sampler2D face_depth;
uniform vec3 background_top, background_bottom;
uniform bool transparent;      // there is no background
uniform vec4 grid_minor, grid_major;
uniform float axes_opacity;
uniform bool upright;          // it is not the ground
uniform uvec2 grid_axes;       // the palette's colours of its first and second axis
uniform vec3 eye_over_grid;    // first and second coordinate relative to the fade's middle, height
uniform vec2 eye_phase;        // first and second coordinate, modulo the widest spacing
uniform vec2 eye_from_axes;    // first and second coordinate
uniform vec3 spacing;          // of the finest lines; the part by which these have faded; radius of the fade
uniform sampler2D shadow;
uniform vec3 eye_in_shadow;    // first and second coordinate in the shadow's texture; its part that a stage unit takes
uniform vec4 shade;            // the shadow's colour, and its opacity where no sky is visible

in vec3 from, ray;
out vec4 picture; // premultiplied

float line(vec2 position, vec2 footprint, float spacing, float pixels) {
    vec2 off = abs(fract(position / spacing - 0.5) - 0.5) * spacing / footprint;
    vec2 drawn = clamp(0.5 * pixels + 0.5 - off, 0.0, 1.0);
    drawn *= 1.0 - smoothstep(0.08, 0.3, footprint * fine() / spacing);
    return max(drawn.x, drawn.y);
}

// 1 around the camera's target, 0 and less where no grid is shown.
float grid_fade(vec2 ground_point) {
    float far_off = length(eye_over_grid.xy + ground_point) / spacing.z;
    return exp(-3.0 * far_off * far_off) - 0.002;
}

vec4 ruled(vec2 ground_point, vec2 footprint, float depth, float fade) {
    // At a grazing angle, lines are dense at the horizon.
    float grazing = max(footprint.x, footprint.y) / pixel_size(depth);
    fade *= 1.0 - smoothstep(12.0, 40.0, grazing);
    if (fade <= 0.0) return vec4(0.0);
    vec2 position = eye_phase + ground_point;
    float fine = line(position, footprint, spacing.x, screen.z) * (1.0 - spacing.y);
    float medium = line(position, footprint, 10.0 * spacing.x, screen.z);
    float coarse = line(position, footprint, 100.0 * spacing.x, screen.z);
    vec4 drawn = grid_minor * fine;
    drawn = mix(drawn, mix(grid_major, grid_minor, spacing.y), medium);
    drawn = mix(drawn, grid_major, coarse);
    // The first axis is where the second coordinate is 0.
    vec2 axis = clamp(0.8 * screen.z + 0.5 - abs(eye_from_axes.yx + ground_point.yx) / footprint.yx, 0.0, 1.0);
    drawn = mix(drawn, vec4(colours[grid_axes.x].rgb, axes_opacity), axis.x);
    drawn = mix(drawn, vec4(colours[grid_axes.y].rgb, axes_opacity), axis.y);
    drawn.a *= fade;
    return drawn;
}

void main() {
    float height = gl_FragCoord.y / screen.y;
    vec4 colour = transparent ? vec4(0.0) : vec4(mix(background_bottom, background_top, height), 1.0);

    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 faces = vec4(0.0);
    float faces_weight = 0.0;
    for (int i = 0; i < samples; ++i) {
        faces += texelFetch(accumulated, pixel, i);
        faces_weight += texelFetch(weight, pixel, i).r;
    }
    float shines_through = faces.a / float(samples);
    faces.rgb /= max(faces_weight, 1e-6);

    vec4 wall = vec4(0.0); // premultiplied by the part of the pixel that it covers
    float wall_depth = 1.0;
    for (int i = 0; some_opaque && i < samples; ++i) {
        wall += texelFetch(opaque, pixel, i) / float(samples);
        wall_depth = min(wall_depth, texelFetch(opaque_depth, pixel, i).r);
    }
    wall_depth = eye_depth(wall_depth);

    float depth = -(eye_over_grid.z + from.z) / ray.z;
    vec2 ground_point = from.xy + ray.xy * depth;
    vec2 footprint = max(fwidth(ground_point), vec2(1e-20));
    float steepness = fwidth(depth);
    vec4 grid = vec4(0.0);
    float shaded = 0.0;
    if ((depth > 0.0 || orthographic()) && abs(depth) < 1e6 * spacing.z) {
        float fade = grid_fade(ground_point);
        grid = ruled(ground_point, footprint, depth, fade);
        vec2 at = eye_in_shadow.xy + ground_point * eye_in_shadow.z;
        shaded = shade.a * max(fade, 0.0) * textureLod(shadow, at, 0.0).r;
    }
    bool from_the_side = orthographic() && abs(ray.z) < 1e-6;
    if (from_the_side) {
        float off = abs(eye_over_grid.z + from.z) / max(fwidth(from.z), 1e-20);
        grid = vec4(grid_major.rgb, 1.5 * grid_major.a * clamp(0.5 * screen.z + 0.5 - off, 0.0, 1.0));
    }
    // The ground from the side, which is a line, and an upright grid are behind everything else.
    if (from_the_side || upright) {
        shaded = 0.0;
        depth = depths.y;
    }
    float face = eye_depth(texelFetch(face_depth, pixel, 0).r);
    // Grid lines are drawn over shapes in the ground, their shadow under them: slanted faces have more depth offset.
    // Behind the opaque triangles: 0, between them and the translucent faces: 1, in front of all: 2.
    int grid_place = depth < face ? 2 : depth < wall_depth ? 1 : 0;
    float ahead = depth + 2.0 * steepness;
    int shadow_place = ahead < nearer(face, 2e-3) ? 2 : ahead < nearer(wall_depth, 2e-3) ? 1 : 0;
    for (int place = 0; place < 3; ++place) {
        if (place == 1) colour = mix(colour, vec4(wall.rgb / max(wall.a, 1e-6), 1.0), wall.a);
        if (place == 2) colour = mix(vec4(faces.rgb, 1.0), colour, shines_through);
        if (place == shadow_place) colour = mix(colour, vec4(shade.rgb, 1.0), shaded);
        if (place == grid_place) colour = mix(colour, vec4(grid.rgb, 1.0), grid.a);
    }

    // Half a step of noise hides the bands of the gradient.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    picture = transparent ? colour : vec4(colour.rgb + (noise - 0.5) / 255.0, 1.0);
}
