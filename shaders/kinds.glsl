// The kinds of lines, and the lowest of their layers: the outlines of selected shapes.

const int RINGS = 2;

const uint STROKE = 0u;
const uint DROP = 1u;
const uint GAP = 3u;
const uint VALUE = 4u; // of a step of a method
const uint EDGE = 5u;
const uint AROUND = 6u; // an outline around many opaque triangles
