// The look of a face: its colour and opacity by role and cues, softly lit by its direction.

const float SOFTER = 0.5; // as in the renderer
const vec3 LIGHT = vec3(-0.36, 0.80, 0.48);

// Facing the eye: 1, else 0.
float facing(vec3 normal, vec3 to_eye) {
    return dot(normal, to_eye) >= 0.0 ? 1.0 : 0.0;
}

// Of any length, 0 included: a face may go through the eye.
vec3 unit(vec3 way) {
    float size = length(way);
    return size > 0.0 ? way / size : vec3(0.0, 0.0, 1.0);
}

// A quiet face or point where there are many: greyer, and the fainter the more.
vec4 receded(vec4 face) {
    return vec4(mix(face.rgb, colours[NEUTRAL].rgb, 0.6 * crowding), face.a * mix(1.0, min(3.6 * quiet_strength, 0.9), crowding));
}

// `closed` is 1 for a side of a closed surface, 0 for a flat shape that is visible from either side.
vec4 face_colour(vec3 normal, vec3 to_eye, float closed, uvec2 code) {
    float front = facing(normal, to_eye);
    float slant = 1.0 - abs(dot(normal, to_eye));
    vec3 colour = colours[code.x].rgb;
    float alpha = colours[code.x].a;
    // The shown pair stands out among other hits, whose faces are softer by that much.
    if (code.x == HIT && has(code.y, SELECTED | PAIRED)) alpha = min(alpha / SOFTER, 1.0);
    vec3 lit = front > 0.5 || closed > 0.5 ? normal : -normal;
    float light = 0.5 + 0.5 * dot(lit, LIGHT);
    colour *= mix(0.62, 1.18, light);
    if (closed < 0.5) colour *= mix(0.72, 1.0, front);

    // The far side of a box adds less, so that the near side reads as the surface.
    alpha *= mix(closed > 0.5 ? 0.45 : 0.9, 1.0, front) * (1.0 + 0.8 * slant * slant);
    if (has(code.y, INSIDE)) alpha = mix(alpha, 1.0, 0.26);
    if (has(code.y, HOVERED)) {
        colour = mix(colour, colours[OUTLINE].rgb, 0.18);
        alpha = mix(alpha, 1.0, 0.14);
    }
    vec4 face = vec4(colour, alpha);
    return quiet(code.x) && closed > 0.5 && !has(code.y, HOVERED | SELECTED | PAIRED) ? receded(face) : face;
}

// The colour of an opaque triangle, lit from above, from the eye's side and from behind.
vec3 opaque_colour(vec3 normal, vec3 to_eye, uvec2 code) {
    float front = facing(normal, to_eye);
    vec3 lit = front > 0.5 ? normal : -normal;
    vec3 colour = code.x == HIT ? colours[HIT].rgb : colours[OPAQUE].rgb;
    // A miss is calm: there are many, and what matters are the hits among them.
    if (code.x == MISS) colour = mix(colour, colours[MISS].rgb, 0.16);
    float light = 0.52 + 0.14 * lit.y + 0.46 * max(dot(lit, LIGHT), 0.0) + 0.10 * dot(lit, to_eye);
    colour *= code.x == HIT ? mix(light, 1.0, 0.4) : light;
    colour *= mix(0.86, 1.0, front);
    float rim = 1.0 - abs(dot(lit, to_eye));
    colour = mix(colour, colours[OUTLINE].rgb, 0.22 * rim * rim * rim);
    return has(code.y, HOVERED) ? mix(colour, colours[OUTLINE].rgb, 0.22) : colour;
}

// The weight of a layer at a depth against those behind it, as a binary logarithm.
float face_nearness(float depth, uint role) {
    // A hit is brought forward among misses, and far forward where it is one of few.
    return (role == HIT ? 4.5 + 8.0 * hit_rarity * crowding : 3.0) - 10.0 * remoteness(depth);
}
