// The half width in pixels and the opacity of an edge of a shape of so many pixels, by its cues.

void style_edge(
    float pixels, float depth, uvec2 code, int layer, out float half_width, out float opacity, out float clarity
) {
    opacity = edge_opacity(pixels, depth);
    float width = edge_width(pixels) * (code.x == HIT ? 1.14 : 1.0);
    if (has(code.y, HOVERED)) {
        width = 1.15;
        opacity = 1.0;
    }
    if (has(code.y, TOUCHING)) width = 1.15;
    if (has(code.y, DEGENERATE)) {
        width = 1.4;
        opacity = 1.0;
    }
    if (has(code.y, SELECTED | PAIRED)) opacity = 1.0;
    // An outline is a ring, away from the line by a gap: around a small shape both are thinner.
    float room = mix(0.55, 1.0, smoothstep(10.0, 60.0, pixels));
    if (layer > 0) width += 1.2 * room;
    if (layer == RINGS) width += (has(code.y, SELECTED) ? 1.4 : 0.9) * room;
    half_width = width * screen.z;
    clarity = edge_clarity(pixels);
}
