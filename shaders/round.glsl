// Where the line of sight through a pixel meets a sphere or a capsule, as precise for a pebble far away as for a planet underfoot; or a rounded shape, which is in a ball.

flat in vec3 near_point, normal_there; // a point of the surface and the outward normal there, in the eye's frame
flat in vec3 axis_there; // unit, from the start to the end of a capsule; 0 of a sphere
flat in vec3 reach;      // the radius, and the ways along the axis from there to both ends; of a rounded shape both
                         // are where its core begins in the texture, counted from 1
flat in uvec2 round_code;

uniform sampler2D cores; // of each the radius and the counts, its planes, and the ends of its edges: see draw/cores.py

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
    float radius;     // where it is seen from the side
    mat2x3 normals;   // of a rounded shape, where the line enters and leaves it
    ivec2 planes;     // the planes of its core over which that is, or -1
};

bool is_rounded() {
    return reach.y > 0.0;
}

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
    line.radius = radius;
    return line;
}

vec4 of_core(int i) {
    int k = int(reach.y) - 1 + i;
    return texelFetch(cores, ivec2(k % 1024, k / 1024), 0);
}

const float FLAT = 2e-6; // in radii of the ball, as all lengths of a core are

// The line of sight in the frame of the core: its point nearest to the middle of the ball, and its way.
void line_in_core(Sight line, out vec3 point, out vec3 way, out float there) {
    vec3 from = line.origin - near_point + reach.x * normal_there;
    there = -dot(from, line.way);
    point = (from + there * line.way) / reach.x * mat3(view);
    way = line.way * mat3(view);
}

// Whether a point on a plane at the radius is over the face of the core.
bool is_over_face(vec3 point, int plane, vec4 head) {
    point -= head.x * of_core(plane).xyz;
    for (int i = 1; i <= int(head.y); ++i) {
        vec4 other = of_core(i);
        if (dot(other.xyz, point) > other.w + FLAT) return false;
    }
    return true;
}

// A rounded shape is all capsules around the edges of its core, and what is over its faces.
Sight sight_of_rounded(Sight line) {
    vec3 point, way;
    float there;
    line_in_core(line, point, way, there);
    vec4 head = of_core(0);
    float radius = head.x, nearest = 1e9, near = 1e9, far = -1e9;
    vec2 sharp = vec2(-1e9, 1e9), core = sharp;
    ivec2 over = ivec2(-1);
    for (int i = 1; i <= int(head.y); ++i) {
        vec4 plane = of_core(i);
        float speed = dot(plane.xyz, way), room = plane.w - dot(plane.xyz, point);
        if (abs(speed) < 1e-7) {
            if (room < -FLAT) core.x = 1e9;
            continue;
        }
        float t = (room + radius) / speed;
        if (speed < 0.0 && t > sharp.x) { sharp.x = t; over.x = i; }
        if (speed > 0.0 && t < sharp.y) { sharp.y = t; over.y = i; }
        if (speed < 0.0) core.x = max(core.x, room / speed);
        else core.y = min(core.y, room / speed);
    }
    bool through = head.y > 0.0 && core.x <= core.y + FLAT;
    vec3 aside = vec3(1.0, 0.0, 0.0);
    for (int i = 0; i < int(head.z); ++i) {
        vec3 start = of_core(int(head.y) + 1 + 2 * i).xyz, edge = of_core(int(head.y) + 2 + 2 * i).xyz - start;
        float size = length(edge);
        vec3 axis = size > 0.0 ? edge / size : vec3(0.0), to = start - point;
        float turned = dot(axis, way);
        vec3 across = axis - turned * way;
        float squared = max(dot(across, across), 1e-12), middle = -dot(to, across) / squared;
        vec3 off = to + clamp(middle, 0.0, size) * axis;
        float along = dot(off, way);
        off -= along * way;
        float away = length(off);
        if (away < nearest) {
            nearest = away;
            aside = -off;
            line.middle = along;
        }
        if (away >= radius) continue;
        vec3 endless = to + middle * axis;
        endless -= dot(endless, way) * way;
        float chord = turned * sqrt(max(radius * radius - dot(endless, endless), 0.0) / squared);
        for (int side = -1; side < 2; side += 2) {
            vec3 ball = to + clamp(middle + float(side) * chord, 0.0, size) * axis;
            float t = dot(ball, way);
            vec3 off_ball = ball - t * way;
            t += float(side) * sqrt(max(radius * radius - dot(off_ball, off_ball), 0.0));
            if (side < 0 && t < near) { near = t; line.normals[0] = t * way - ball; }
            if (side > 0 && t > far) { far = t; line.normals[1] = t * way - ball; }
        }
    }
    line.planes = ivec2(-1);
    if (over.x > 0 && sharp.x < near && is_over_face(point + sharp.x * way, over.x, head)) {
        near = sharp.x;
        line.normals[0] = of_core(over.x).xyz;
        line.planes.x = over.x;
    }
    if (over.y > 0 && sharp.y > far && is_over_face(point + sharp.y * way, over.y, head)) {
        far = sharp.y;
        line.normals[1] = of_core(over.y).xyz;
        line.planes.y = over.y;
    }
    if (near > far) near = far = line.middle;
    vec3 out_there = mat3(view) * (through ? -aside : aside);
    float flat_away = length(out_there.xy), away = max(length(out_there), 1e-30);
    line.sideways = flat_away > 0.0 ? out_there.xy / flat_away : vec2(1.0, 0.0);
    line.middle = there + reach.x * line.middle;
    line.near = there + reach.x * near;
    line.far = there + reach.x * far;
    line.power = line.middle * line.middle;
    line.radius = reach.x * radius;
    line.along = 0.0;
    for (int side = 0; side < 2; ++side) {
        vec3 normal = mat3(view) * line.normals[side];
        float length_of = length(normal);
        line.normals[side] = length_of > 0.0 ? normal / length_of : -line.way;
    }
    float pixel = pixel_size(-line.way.z * line.middle) * max(flat_away / away, 0.1);
    line.outside = reach.x * (through ? -nearest - radius : nearest - radius) / max(pixel, 1e-30);
    if (!orthographic()) {
        if (line.far <= 0.0) line.outside = EVERYWHERE;
        else if (line.near < 0.0 && line.outside < 0.0) line.outside = -EVERYWHERE;
    }
    return line;
}

Sight sight() {
    Sight line;
    vec2 slope = (2.0 * gl_FragCoord.xy / screen.xy - 1.0) / vec2(projection[0][0], projection[1][1]);
    line.origin = orthographic() ? vec3(slope, 0.0) : vec3(0.0);
    line.way = orthographic() ? vec3(0.0, 0.0, -1.0) : normalize(vec3(slope, -1.0));
    if (is_rounded()) return sight_of_rounded(line);
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
    if (is_rounded()) return line.normals[t == line.near ? 0 : 1];
    vec3 way = line.origin + t * line.way - near_point + reach.x * normal_there;
    way -= clamp(dot(way, axis_there), reach.y, reach.z) * axis_there;
    float size = length(way);
    return size > 0.0 ? way / size : -line.way;
}

// Whether the side towards the eye is before the near plane, so that the far one is visible.
bool is_open(Sight line) {
    return !orthographic() && depth_at(line, line.near) < depths.x;
}
