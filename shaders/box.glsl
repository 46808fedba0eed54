// A box of any kind in the eye's frame, and which of its corners is nearest to the eye.

in vec3 origin, edge_x, edge_y, edge_z;
in uvec2 code;

struct Box {
    vec3 origin;
    mat3 edges;
    mat3 across; // outward on the sides towards the eye
    vec3 near;   // the nearest corner, of the unit cube
    float size;
};

Box box_in_sight() {
    Box box;
    box.origin = (view * vec4(origin, 1.0)).xyz;
    box.edges = mat3(view) * mat3(edge_x, edge_y, edge_z);
    vec3 x = box.edges[0], y = box.edges[1], z = box.edges[2];
    vec3 center = box.origin + 0.5 * (x + y + z);
    box.across = mat3(cross(y, z), cross(z, x), cross(x, y));
    float handed = dot(x, box.across[0]) < 0.0 ? -1.0 : 1.0;
    vec3 towards = handed * (to_eye_from(center) * box.across);
    box.near = step(vec3(0.0), towards);
    vec3 outward = handed * (2.0 * box.near - 1.0);
    for (int i = 0; i < 3; ++i) box.across[i] *= outward[i];
    box.size = max(length(x), max(length(y), length(z)));
    return box;
}

// A corner by the axes along which it is far from the eye.
vec3 corner_of(Box box, vec3 far) {
    return box.origin + box.edges * abs(box.near - far);
}
