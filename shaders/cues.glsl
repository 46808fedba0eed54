// The marks on a face that touches or is coplanar.

// `rim` is 0 on one border of the face each.
vec4 with_cues(vec4 face, vec4 rim, float front, uvec2 code) {
    vec4 border = rim / max(fwidth(rim), vec4(1e-9));
    if (has(code.y, TOUCHING)) {
        float pixels = min(min(border.x, border.y), min(border.z, border.w)) / screen.z;
        float glow = (1.0 - smoothstep(2.5, 6.5, pixels)) * mix(0.4, 1.0, front);
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
