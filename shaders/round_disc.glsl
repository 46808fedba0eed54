// A point of a disc that is shaded like a ball, or of two of them and what is between; see round_plain_faces.vert.

in vec3 within;
flat in float bulge;
flat in vec4 light;
flat in vec4 depth;
flat in vec3 taper;

// The part of the way from one end of a capsule to the other.
float part_along() {
    return taper.x > 0.0 ? clamp(within.x / taper.x, 0.0, 1.0) : 0.0;
}

vec2 disc() {
    float part = part_along();
    return (within.xy - vec2(part * taper.x, 0.0)) / mix(1.0, taper.y, part);
}

// The pixels of a radius.
float disc_pixels() {
    return light.w * mix(1.0, taper.y, part_along());
}

// The part of the pixel that the disc covers.
float covered() {
    return clamp(0.5 + (1.0 - length(disc())) * disc_pixels(), 0.0, 1.0);
}

// Unit, in the frame of the disc.
vec3 disc_normal() {
    vec2 aside = disc() * bulge;
    return vec3(aside, sqrt(max(1.0 - dot(aside, aside), 0.0)));
}

float disc_depth() {
    float part = part_along();
    if (!orthographic()) part *= depth.w / mix(taper.z, depth.w, part);
    return mix(depth.w, taper.z, part) + dot(depth.xyz, disc_normal());
}
