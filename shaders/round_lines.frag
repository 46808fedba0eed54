#version 330 core
#include "frame.glsl"
#include "kinds.glsl"
#include "edge_look.glsl"
#include "round.glsl"

// The silhouette, of a sphere its equator, which is level, of a capsule the circles where its caps begin, and of a
// rounded shape the sides of its flat faces.

uniform sampler2D face_depth;
uniform int layer; // see line.glsl

flat in float half_width; // in pixels
flat in float strength;
flat in float clarity;

out vec4 fragment; // premultiplied

const float TAU = 6.2831853;
const float LIFT = 4e-4;    // towards the eye: a line on a face is in front of it
const float EQUATOR = 0.55; // the strength of the equator, beside that of the silhouette

bool is_hidden(vec2 pixel, float depth) {
    ivec2 texel = texel_at(pixel, textureSize(face_depth, 0));
    return texelFetch(face_depth, texel, 0).r < min(window_depth(nearer(depth, LIFT)), 1.0);
}

// A line around, `away` pixels from the middle of the line, at a part of a turn.
vec4 drawn(float away, bool hidden, float around, float turn, float opacity) {
    vec4 line = edge_look(round_code, layer, hidden, opacity, clarity, around, turn * around);
    float alpha = line.a * clamp(0.5 + half_width - abs(away), 0.0, 1.0);
    return vec4(line.rgb * alpha, alpha);
}

// The part of a turn around the middle of a rounded shape.
float turn_around_middle(Sight line) {
    vec3 from = line.origin + line.middle * line.way - near_point + reach.x * normal_there;
    return atan(from.y, from.x) / TAU;
}

// The part of a turn, from the middle of the end's cap to the left, at which a point of the silhouette is.
float turn_along(Sight line, float pixel, float around) {
    float flat_part = length(axis_there.xy);
    if (is_rounded()) return turn_around_middle(line);
    vec2 ahead = flat_part > 0.0 ? axis_there.xy / flat_part : vec2(1.0, 0.0);
    float angle = atan(dot(line.sideways, vec2(-ahead.y, ahead.x)), dot(line.sideways, ahead));
    float back = (reach.z - line.along) * flat_part;
    return (reach.x * angle + (angle < 0.0 ? -back : back)) / max(pixel * around, 1e-30);
}

vec4 silhouette(Sight line, float pixel, float around) {
    if (abs(line.outside) > half_width + 0.5) return vec4(0.0);
    // The surface a pixel inside: at the silhouette itself it ends.
    float depth = depth_at(line, line.middle - sqrt(2.0 * line.radius * pixel_size(depth_at(line, line.middle))));
    bool hidden = is_hidden(gl_FragCoord.xy - line.outside * line.sideways, depth);
    return drawn(line.outside, hidden, around, turn_along(line, pixel, around), strength);
}

// Pixels to the conic that such a circle is projected to, measured along its gradient; all lengths in radii.
float pixels_to_circle(Sight line, vec3 p, vec3 way, vec3 across, float height, float steepness) {
    vec3 there = height * way - steepness * p;
    float step_size = screen.w * (orthographic() ? depths.w / reach.x : 1.0);
    vec3 steps[2];
    vec2 turns;
    for (int k = 0; k < 2; ++k) {
        vec3 axis = vec3(0.0);
        axis[k] = step_size;
        turns[k] = orthographic() ? 0.0 : axis[k] * across[k];
        steps[k] = orthographic() ? steepness * axis - axis[k] * across[k] * way : height * axis - turns[k] * p;
    }
    float level = dot(normal_there, there);
    float value = dot(there, there) + 2.0 * steepness * level;
    vec2 slope;
    mat2 curve;
    for (int j = 0; j < 2; ++j) {
        float own = dot(normal_there, steps[j]);
        slope[j] = 2.0 * dot(there, steps[j]) + 2.0 * (turns[j] * level + steepness * own);
        for (int k = 0; k < 2; ++k) {
            curve[j][k] = 2.0 * dot(steps[j], steps[k])
                + 2.0 * (turns[j] * dot(normal_there, steps[k]) + turns[k] * own);
        }
    }
    float steep = length(slope);
    vec2 along = steep > 0.0 ? slope / steep : vec2(1.0, 0.0);
    // From the side the conic is a line twice, with a root of about 0.
    float root = sqrt(max(steep * steep - 2.0 * value * dot(along, curve * along), 0.0));
    return 2.0 * abs(value) / max(steep + root, 1e-30);
}

// The circle on the sphere of a line of sight, in the plane of two axes and across a third one.
vec4 circle(Sight line, float around, vec3 u, vec3 v, vec3 across) {
    if (layer > 0 || clarity == 0.0 || reach.x == 0.0 || line.outside > 0.5) return vec4(0.0);
    vec3 p = (near_point + line.along * axis_there - line.origin) / reach.x;
    vec3 way = orthographic() ? line.way : line.way / -line.way.z;
    float steepness = dot(way, across), height = dot(p, across) - dot(normal_there, across);
    float away = pixels_to_circle(line, p, way, across, height, steepness);
    if (away > half_width + 0.5) return vec4(0.0);
    float t = height / steepness * length(way) * reach.x;
    bool around_eye = line.outside == -EVERYWHERE;
    if (around_eye && !(t > 0.0)) return vec4(0.0); // behind the eye
    // Where both halves are seen as one line, it is the front one.
    float tilt = orthographic() ? abs(steepness) : abs(height) / length(p - normal_there);
    bool front = !around_eye && (t < line.middle || tilt * around < TAU);
    t = front ? line.near : line.far;
    vec3 from_center = normal_at(line, t);
    float turn = atan(dot(from_center, v), dot(from_center, u)) / TAU;
    return drawn(away, is_hidden(gl_FragCoord.xy, depth_at(line, t)), around, turn, EQUATOR * strength);
}

// The sides of the flat faces where a line enters and leaves a rounded shape.
vec4 sides(Sight line, float around) {
    if (layer > 0 || clarity == 0.0 || line.outside > 0.5) return vec4(0.0);
    vec3 point, way;
    float there;
    line_in_core(line, point, way, there);
    vec4 head = of_core(0), drawn_both = vec4(0.0);
    for (int side = line.outside == -EVERYWHERE ? 1 : 0; side < 2; ++side) {
        if (line.planes[side] < 0) continue;
        float t = side == 0 ? line.near : line.far, away = 1e9;
        vec4 face = of_core(line.planes[side]);
        vec3 there_on = point + (t - there) / reach.x * way - head.x * face.xyz;
        for (int i = 1; i <= int(head.y); ++i) {
            vec4 other = of_core(i);
            vec3 across = other.xyz - dot(other.xyz, face.xyz) * face.xyz;
            float size = length(across);
            if (size < 1e-3) continue;
            vec3 slope = across - face.xyz * dot(across, way) / dot(face.xyz, way);
            away = min(away, (other.w - dot(other.xyz, there_on)) / length(slope));
        }
        float depth = depth_at(line, t), pixels = max(away, 0.0) * reach.x / pixel_size(depth);
        vec4 own = drawn(pixels, is_hidden(gl_FragCoord.xy, depth), around, turn_around_middle(line), EQUATOR * strength);
        drawn_both += own * (1.0 - drawn_both.a);
    }
    return drawn_both;
}

vec4 circles(Sight line, float around) {
    if (is_rounded()) return sides(line, around);
    int axis = int(up + 0.5);
    if (reach.y == reach.z)
        return circle(line, around, mat3(view)[(axis + 1) % 3], mat3(view)[(axis + 2) % 3], mat3(view)[axis]);
    vec3 level = abs(axis_there.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 u = normalize(cross(level, axis_there)), v = cross(axis_there, u);
    vec4 first = circle(sight_at(line, reach.y), around, u, v, axis_there);
    return max(first, circle(sight_at(line, reach.z), around, u, v, axis_there));
}

void main() {
    Sight line = sight();
    float pixel = orthographic() ? pixel_size(0.0) : sqrt(max(line.power, 1e-30)) * screen.w;
    float around = TAU * reach.x / pixel;
    float both = around + 2.0 * (reach.z - reach.y) * length(axis_there.xy) / pixel;
    vec4 ring = silhouette(line, pixel, both);
    fragment = ring + circles(line, around) * (1.0 - ring.a);
    if (fragment.a < 0.002) discard;
}
