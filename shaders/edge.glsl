// How an edge looks by how many pixels large its shape is seen, and how deep in the picture.
// What is only a few pixels large would be nothing but edges, and what is far away would be as strong as what is near.

float edge_opacity(float pixels, float depth) {
    return mix(0.3, 1.0, smoothstep(2.0, 26.0, pixels)) * mix(1.0, 0.62, remoteness(depth));
}

float edge_width(float pixels) {
    return 0.875 * mix(0.6, 1.0, smoothstep(2.0, 26.0, pixels));
}

// 1 where a shape is large enough for what is hidden and dashed to be read.
float edge_clarity(float pixels) {
    return smoothstep(14.0, 60.0, pixels);
}
