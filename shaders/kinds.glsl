// The kinds of lines.

const uint STROKE = 0u;
const uint DROP = 1u;
const uint GAP = 3u;
const uint EDGE = 4u;
const uint AROUND = 5u; // an outline around many opaque triangles
