// The colour of an edge by role, cues and layer, and its dashes.

// 1 on a dash, 0 in a gap, at so many pixels along a line of a length; the period is stretched so that the line begins
// and ends with half a dash.
float dash(float drawn, float gap, float size, float along) {
    float period = (drawn + gap) * screen.z;
    period = size / max(round(size / period), 1.0);
    float phase = abs(fract(along / period + 0.5) - 0.5) * period;
    return clamp(0.5 + 0.5 * drawn / (drawn + gap) * period - phase, 0.0, 1.0);
}

// Not premultiplied; `opacity` as `style_edge` has it.
vec4 edge_look(uvec2 code, int layer, bool hidden, float opacity, float clarity, float size, float along) {
    // Outlines of selected shapes are visible through others, so that they can be found among many.
    if (layer == RINGS) return vec4(colours[OUTLINE].rgb, hidden ? 0.3 : 0.95);
    if (layer > 0) return vec4(colours[HALO].rgb, hidden ? 0.6 : 0.8);
    vec3 colour = colours[code.x].rgb;
    if (has(code.y, HOVERED) || has(code.y, TOUCHING)) colour = mix(colour, colours[OUTLINE].rgb, 0.45);
    float through = code.x == HIT ? hit_rarity : 0.0;
    if (hidden) opacity *= mix(0.5, 0.95, through) * mix(mix(0.24, 0.6, through), dash(2.5, 3.5, size, along), clarity);
    else if (code.x == MISS) opacity *= mix(0.55, 0.9 * dash(7.0, 4.0, size, along), clarity);
    if (quiet(code.x) && !has(code.y, HOVERED | SELECTED)) opacity *= quiet_strength;
    return vec4(colour, opacity);
}
