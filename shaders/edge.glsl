// The look of an edge by its shape's size in pixels and its depth in the picture.
// Without this, small shapes would be all edges, and far ones as strong as near ones.

float edge_opacity(float pixels, float depth) {
    return mix(0.3, 1.0, smoothstep(2.0, 26.0, pixels)) * mix(1.0, 0.62, remoteness(depth));
}

float edge_width(float pixels) {
    return 0.875 * mix(0.6, 1.0, smoothstep(2.0, 26.0, pixels));
}

// 1 where a shape is large enough for its hidden, dashed edges to be readable.
float edge_clarity(float pixels) {
    return smoothstep(14.0, 60.0, pixels);
}
