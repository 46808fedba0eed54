// Where the line of sight through a pixel meets a sphere or a capsule, as precise for a pebble far away as for a planet underfoot.

flat in vec3 near_point, normal_there; // a point of the surface and the outward normal there, in the eye's frame
flat in vec3 axis_there; // unit, from the start to the end of a capsule; 0 of a sphere
flat in vec3 reach;      // the radius, and the ways along the axis from there to both ends
flat in uvec2 round_code;

struct Sight {
    vec3 origin; // in the eye's frame
    vec3 way;    // unit
    float beyond;     // the squared distance from the center less the squared radius
    float power;      // of the origin: the square of a tangent from there, negative within
    float middle;     // the way to the point nearest to the center, ...
    float near, far;  // to where it enters and leaves the sphere: behind the eye where negative
    vec2 sideways;    // on the screen, unit, away from the center
    float along;      // the way along the axis to the sphere that is nearest to the line
    float outside;    // pixels to the silhouette; negative within, also where the eye is in the sphere
};

const float EVERYWHERE = 1e6;

// Of the sphere at a way along the axis.
Sight sight_at(Sight line, float way_along) {
    float radius = reach.x;
    vec3 p = near_point + way_along * axis_there - line.origin;
    float along = dot(p, line.way), turned = dot(normal_there, line.way);
    vec3 p_aside = p - along * line.way, n_aside = normal_there - turned * line.way;
    vec3 aside = p_aside - radius * n_aside; // from the line to the center
    float away = length(aside);
    // Without the square of the center's coordinates.
    float beyond = dot(p_aside, p_aside) - 2.0 * radius * dot(p_aside, n_aside) - radius * radius * turned * turned;
    line.beyond = beyond;
    line.power = dot(p, p) - 2.0 * radius * dot(p, normal_there);
    line.middle = along - radius * turned;
    float half_chord = sqrt(max(-beyond, 0.0));
    float one = line.middle + (line.middle < 0.0 ? -half_chord : half_chord);
    float other = one == 0.0 ? 0.0 : line.power / one;
    line.near = beyond < 0.0 ? min(one, other) : line.middle;
    line.far = beyond < 0.0 ? max(one, other) : line.middle;
    float flat_away = length(aside.xy);
    line.sideways = flat_away > 0.0 ? -aside.xy / flat_away : vec2(1.0, 0.0);
    float pixel = pixel_size(-line.way.z * line.middle) * (away > 0.0 ? max(flat_away / away, 0.1) : 1.0);
    line.outside = beyond / max(away + radius, 1e-30) / max(pixel, 1e-30);
    if (!orthographic()) {
        if (line.power < 0.0) line.outside = -EVERYWHERE;
        else if (line.middle <= 0.0) line.outside = EVERYWHERE;
    }
    line.along = way_along;
    return line;
}

Sight sight() {
    Sight line;
    vec2 slope = (2.0 * gl_FragCoord.xy / screen.xy - 1.0) / vec2(projection[0][0], projection[1][1]);
    line.origin = orthographic() ? vec3(slope, 0.0) : vec3(0.0);
    line.way = orthographic() ? vec3(0.0, 0.0, -1.0) : normalize(vec3(slope, -1.0));
    if (reach.y == reach.z) return sight_at(line, 0.0);
    // A capsule is made of spheres: the line enters and leaves those where it enters and leaves the endless cylinder.
    vec3 to_axis = near_point - reach.x * normal_there - line.origin;
    float turned = dot(axis_there, line.way);
    vec3 across = axis_there - turned * line.way;
    float squared = max(dot(across, across), 1e-12), middle = -dot(to_axis, across) / squared;
    float chord = turned * sqrt(max(-sight_at(line, middle).beyond, 0.0) / squared);
    float power = sight_at(line, clamp(-dot(to_axis, axis_there), reach.y, reach.z)).power;
    Sight near = sight_at(line, clamp(middle - chord, reach.y, reach.z));
    Sight far = sight_at(line, clamp(middle + chord, reach.y, reach.z));
    line = sight_at(line, clamp(middle, reach.y, reach.z));
    line.near = near.near;
    line.far = far.far;
    line.power = power;
    if (!orthographic() && power < 0.0) line.outside = -EVERYWHERE;
    return line;
}

float depth_at(Sight line, float t) {
    return -(line.origin.z + t * line.way.z);
}

// Unit, outward.
vec3 normal_at(Sight line, float t) {
    vec3 way = line.origin + t * line.way - near_point + reach.x * normal_there;
    way -= clamp(dot(way, axis_there), reach.y, reach.z) * axis_there;
    float size = length(way);
    return size > 0.0 ? way / size : -line.way;
}

// Whether the side towards the eye is before the near plane, so that the far one is visible.
bool is_open(Sight line) {
    return !orthographic() && depth_at(line, line.near) < depths.x;
}
