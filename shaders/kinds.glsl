// The kinds of lines.

const uint STROKE = 0u;
const uint DROP = 1u;
const uint GAP = 3u;
const uint VALUE = 4u; // of a step of a method
const uint EDGE = 5u;
const uint AROUND = 6u; // an outline around many opaque triangles
