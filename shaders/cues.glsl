// The marks on a face that touches or is coplanar.

// `border` is the distance to the border of the face, in points.
vec4 with_cues(vec4 face, float border, float front, uvec2 code) {
    if (has(code.y, TOUCHING)) {
        float glow = (1.0 - smoothstep(2.5, 6.5, border)) * mix(0.4, 1.0, front);
        // The rim is lightened before it is made opaque, so that it is nowhere darker than the face.
        face.rgb = mix(face.rgb, mix(colours[code.x].rgb, brightest(), 0.85), sqrt(glow));
        face.a = mix(face.a, 0.85, glow);
    }
    if (has(code.y, COPLANAR)) {
        float stripe = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / (11.0 * screen.z)) - 0.5) * 11.0 * screen.z;
        float hatch = clamp(1.35 * screen.z - stripe, 0.0, 1.0);
        face.rgb = mix(face.rgb, mix(colours[code.x].rgb, colours[OUTLINE].rgb, 0.35), hatch);
        face.a = mix(face.a, 0.7, hatch);
    }
    return face;
}

// That distance, where `rim` is 0 on one side of the face each.
float border_distance(vec4 rim) {
    vec4 away = rim / max(fwidth(rim), vec4(1e-9));
    return min(min(away.x, away.y), min(away.z, away.w)) / screen.z;
}
