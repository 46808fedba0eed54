// A quad around the silhouette of a sphere.

in vec2 corner;        // each -1 or 1
in vec3 surface_point; // the one nearest to the stage's anchor: near it, large spheres are precise by that point
in vec3 outward;       // unit, there
in vec3 extent;        // the radius
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

// With a margin in pixels. `least` is the part that the eye's power has of the squared distance below which the quad is
// everywhere: with 0 only if the eye is in the sphere.
Quad quad_around(float margin, float least) {
    Quad quad;
    quad.point = (view * vec4(surface_point, 1.0)).xyz;
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

// At the depth of the eye's plane: a quad is not cut by the near and the far one.
vec4 corner_of(Quad quad) {
    vec3 position = quad.middle + quad.turn * vec3(quad.half_width * corner, 0.0);
    vec4 clip = projection * vec4(position, 1.0);
    if (left_out(code)) return NOWHERE;
    return quad.everywhere ? vec4(corner, 0.0, 1.0) : vec4(clip.xy, 0.0, clip.w);
}
