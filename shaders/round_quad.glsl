// A quad around the silhouette of a sphere, or around those of both ends of a capsule.

in vec2 corner;        // each -1 or 1
in vec3 surface_point; // the one nearest to the stage's anchor: near it, large spheres are precise by that point
in vec3 outward;       // unit, there
in vec3 extent;        // the radius, and the ways along the axis from there to both ends
in vec3 axis;          // unit, from the start to the end of a capsule; 0 of a sphere
in uvec2 code;         // Role, Cue

struct Quad {
    vec3 point, normal; // those above, in the eye's frame
    vec3 middle;        // of the circle on which lines of sight touch the sphere
    mat3 turn;          // to the right, up and to the eye
    float radius;       // of the circle
    float half_width;
    float cosine;       // of the angle from the middle of the visible part to its rim
    bool everywhere;    // it covers the picture
};

// Around the sphere at a way along the axis, with a margin in pixels. `least` is the part that the eye's power has of the squared distance below which the quad is
// everywhere: with 0 only if the eye is in the sphere.
Quad quad_at(float way_along, float margin, float least) {
    Quad quad;
    quad.point = (view * vec4(surface_point + way_along * axis, 1.0)).xyz;
    quad.normal = mat3(view) * outward;
    float size = extent.x;
    vec3 center = quad.point - size * quad.normal;
    quad.middle = center;
    quad.turn = mat3(1.0);
    quad.radius = size;
    quad.half_width = size + margin * pixel_size(0.0);
    quad.cosine = 0.0;
    // A much larger triangle than the picture would be drawn with gaps.
    quad.everywhere = least > 0.0 && quad.half_width * projection[1][1] > 100.0;
    if (orthographic()) return quad;
    float squared = max(dot(center, center), 1e-30);
    float power = dot(quad.point, quad.point) - 2.0 * size * dot(quad.point, quad.normal);
    quad.everywhere = power <= least * squared;
    vec3 way = -center * inversesqrt(squared);
    vec3 right = normalize(cross(abs(way.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), way));
    quad.turn = mat3(right, cross(way, right), way);
    quad.middle = center * (power / squared);
    quad.radius = size * sqrt(max(power, 0.0) / squared);
    quad.half_width = quad.radius + margin * screen.w * sqrt(squared);
    quad.cosine = size * inversesqrt(squared);
    return quad;
}

vec4 projected(Quad quad, vec2 toward) {
    return projection * vec4(quad.middle + quad.turn * vec3(quad.half_width * toward, 0.0), 1.0);
}

// At the depth of the eye's plane: a quad is not cut by the near and the far one.
vec4 corner_of(Quad quad) {
    vec4 clip = projected(quad, corner);
    if (left_out(code)) return NOWHERE;
    return quad.everywhere ? vec4(corner, 0.0, 1.0) : vec4(clip.xy, 0.0, clip.w);
}

// The way along the axis to the sphere nearest to the eye, or to the plane of the eye.
float nearest_along() {
    vec3 center = (view * vec4(surface_point - extent.x * outward, 1.0)).xyz, way = mat3(view) * axis;
    return clamp(-dot(center, way), extent.y, extent.z);
}

// The corner of a rectangle in the picture, along a capsule, around the quads of its ends.
vec4 corner_around(float margin, float least) {
    Quad quad = quad_at(extent.y, margin, least);
    if (extent.y == extent.z || left_out(code)) return corner_of(quad);
    Quad other = quad_at(extent.z, margin, least);
    vec4 ends[2] = vec4[](projected(quad, vec2(0.0)), projected(other, vec2(0.0)));
    bool everywhere = quad.everywhere || other.everywhere || quad_at(nearest_along(), margin, least).everywhere;
    vec2 pixels = screen.xy / 2.0, between = (ends[1].xy / ends[1].w - ends[0].xy / ends[0].w) * pixels;
    vec2 along = length(between) > 0.0 ? normalize(between) : vec2(1.0, 0.0), low = vec2(1e9), high = vec2(-1e9);
    for (int k = 0; k < 8; ++k) {
        vec2 toward = vec2((k & 1) * 2 - 1, (k & 2) - 1);
        vec4 clip = k < 4 ? projected(quad, toward) : projected(other, toward);
        everywhere = everywhere || clip.w <= 0.0;
        vec2 pixel = clip.xy / clip.w * pixels;
        pixel = vec2(dot(pixel, along), dot(pixel, vec2(-along.y, along.x)));
        low = min(low, pixel);
        high = max(high, pixel);
    }
    if (everywhere) return vec4(corner, 0.0, 1.0);
    vec2 pixel = mix(low, high, 0.5 + 0.5 * corner);
    return vec4((pixel.x * along + pixel.y * vec2(-along.y, along.x)) / pixels, 0.0, 1.0);
}
