// A quad around the silhouette of a sphere.

in vec2 corner;        // each -1 or 1
in vec3 surface_point; // the one nearest to the stage's anchor: near it, large spheres are precise by that point
in vec3 outward;       // unit, there
in vec3 extent;        // the radius
in uvec2 code;         // Role, Cue

flat out vec3 near_point, normal_there; // in the eye's frame
flat out float radius;
flat out uvec2 round_code;

const float WIDEST = 0.05; // the squared sine of the angle between silhouette and eye plane below which all may be seen

void lay_quad(float margin) { // in pixels
    near_point = (view * vec4(surface_point, 1.0)).xyz;
    normal_there = mat3(view) * outward;
    radius = extent.x;
    round_code = code;
    vec3 center = near_point - radius * normal_there;
    vec3 right = vec3(1.0, 0.0, 0.0), up = vec3(0.0, 1.0, 0.0), middle = center;
    float half_width = radius + margin * depths.w * screen.w;
    bool everywhere = false;
    if (!orthographic()) {
        // The lines of sight that touch the sphere do so on a circle.
        float squared = dot(center, center), tangent = dot(near_point, near_point) - 2.0 * radius * dot(near_point, normal_there);
        everywhere = tangent < WIDEST * squared || squared == 0.0;
        vec3 way = center * inversesqrt(max(squared, 1e-30));
        middle = center * (tangent / max(squared, 1e-30));
        right = normalize(cross(abs(way.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), way));
        up = cross(way, right);
        half_width = radius * sqrt(max(tangent, 0.0) / max(squared, 1e-30)) + margin * screen.w * sqrt(squared);
    }
    vec4 clip = projection * vec4(middle + half_width * (corner.x * right + corner.y * up), 1.0);
    // Not cut by the near and the far plane: the surface is elsewhere.
    gl_Position = everywhere ? vec4(corner, 0.0, 1.0) : vec4(clip.xy, 0.0, clip.w);
    if (has(code.y, HIDDEN)) gl_Position = NOWHERE;
}
