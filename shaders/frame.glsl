// What every shader of a frame shares: the camera, the screen, the palette and the codes of the draw list.

layout(std140) uniform Frame {
    mat4 view;        // stage frame to eye frame
    mat4 projection;  // eye frame to clip space
    vec4 screen;      // width and height in pixels, pixel ratio, height of a pixel at depth 1
    vec4 depths;      // the faces' near and far plane, and how near a line may come
    vec4 colours[16]; // one a Role (a: the opacity of its faces), then the ones below
};

const uint MISS = 1u;
const uint PROBE = 2u;
const uint EXIT = 4u;
const uint HALO = 12u;
const uint OUTLINE = 13u;
const uint WARNING = 14u;
const uint CORE = 15u;

const uint HOVERED = 1u;
const uint SELECTED = 2u;
const uint TOUCHING = 4u;
const uint INSIDE = 8u;
const uint COPLANAR = 16u;
const uint DEGENERATE = 32u;

bool has(uint cues, uint cue) {
    return (cues & cue) != 0u;
}

float window_depth(float depth) {
    float near = depths.x, far = depths.y;
    return 0.5 + 0.5 * ((far + near) - 2.0 * far * near / depth) / (far - near);
}

float eye_depth(float window) {
    float near = depths.x, far = depths.y;
    return 2.0 * far * near / (far + near - (2.0 * window - 1.0) * (far - near));
}

// 0 at the nearest faces, 1 at the farthest.
float remoteness(float depth) {
    return clamp((depth - depths.x) / (depths.y - depths.x), 0.0, 1.0);
}
