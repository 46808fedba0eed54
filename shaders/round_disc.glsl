// A point of a disc that is shaded like a ball; see round_plain_faces.vert.

in vec3 within;
flat in float bulge;
flat in vec4 light;
flat in vec4 depth;

// The part of the pixel that the disc covers.
float covered() {
    return clamp(0.5 + (1.0 - length(within.xy)) * light.w, 0.0, 1.0);
}

// Unit, in the frame of the disc.
vec3 disc_normal() {
    vec2 aside = within.xy * bulge;
    return vec3(aside, sqrt(max(1.0 - dot(aside, aside), 0.0)));
}
