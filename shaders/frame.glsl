// Shared by all shaders of a frame: the camera, the screen, the palette and the codes of the draw list.

layout(std140) uniform Frame {
    mat4 view;        // stage frame to eye frame
    mat4 projection;  // eye frame to clip space
    vec4 screen;      // width and height in pixels, pixel ratio, height of a pixel at depth 1
    vec4 depths;      // the faces' near and far plane, how near a line may come, and in an orthographic picture
                      // the depth whose size everything has, else 0
    vec4 colours[18]; // one a Role (a: the opacity of its faces), then the ones below
    float quiet_strength; // opacity factor of quiet shapes: the more there are, the fainter each is
    float hit_rarity;     // 1 where hits are few among many quiet shapes, and are visible through them
    float up;             // the index of the scene's up axis
    float crowding;       // 1 where quiet shapes are so many that they recede: points and outlines that hide nothing
};

uniform bool hides; // faces are drawn into the depth by which what is behind them is dimmed

const uint HIT = 0u;
const uint MISS = 1u;
const uint NEUTRAL = 2u;
const uint PROBE = 3u;
const uint EXIT = 5u;
const uint REFERENCE = 9u;
const uint HALO = 13u;
const uint OUTLINE = 14u;
const uint WARNING = 15u;
const uint CORE = 16u;
const uint OPAQUE = 17u; // triangles of a mesh that are not hit

const uint HOVERED = 1u;
const uint SELECTED = 2u;
const uint TOUCHING = 4u;
const uint INSIDE = 8u;
const uint COPLANAR = 16u;
const uint DEGENERATE = 32u;
const uint HIDDEN = 64u;
const uint PAIRED = 128u;

const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);

bool has(uint cues, uint cue) {
    return (cues & cue) != 0u;
}

// A primitive that no probe hits, or is tested against.
bool quiet(uint role) {
    return role == MISS || role == NEUTRAL;
}

// A shape that is left out of what is drawn.
bool left_out(uvec2 code) {
    bool recedes = quiet(code.x) && crowding == 1.0 && !has(code.y, HOVERED | SELECTED | PAIRED);
    return has(code.y, HIDDEN) || (hides && recedes);
}

// The lighter of the colours of outline and halo.
vec3 brightest() {
    return max(colours[OUTLINE].rgb, colours[HALO].rgb);
}

bool orthographic() {
    return depths.w > 0.0;
}

// The width in pixels of the finest lines: less than one where pixels are large.
float fine() {
    return min(screen.z, 1.0);
}

// The depth that the size on the screen is divided by.
float seen_at(float depth) {
    return orthographic() ? depths.w : depth;
}

// The height of a pixel at a depth.
float pixel_size(float depth) {
    return seen_at(depth) * screen.w;
}

// From a point in the eye's frame to the eye, of any length.
vec3 to_eye_from(vec3 eye_position) {
    return orthographic() ? vec3(0.0, 0.0, 1.0) : -eye_position;
}

// A depth nearer to the eye by a part of itself.
float nearer(float depth, float part) {
    return depth - part * seen_at(depth);
}

// A point in the eye's frame nearer to the eye by such a part, on the same line of sight.
vec3 nearer(vec3 eye_position, float part) {
    return eye_position + part * (orthographic() ? vec3(0.0, 0.0, depths.w) : -eye_position);
}

// A depth, clamped to the nearest that is drawn.
float in_front(float depth) {
    return orthographic() ? depth : max(depth, depths.z);
}

// Whether a depth is too near to the eye to be visible, or behind it.
bool too_near(float depth) {
    return !orthographic() && depth < depths.z;
}

// The texel under a pixel of the screen, of a texture that covers the screen with as many texels or fewer.
ivec2 texel_at(vec2 pixel, ivec2 texels) {
    return ivec2(clamp(pixel, vec2(0.0), screen.xy - 1.0)) * texels / ivec2(screen.xy);
}

float window_depth(float depth) {
    float near = depths.x, far = depths.y;
    if (orthographic()) return (depth - near) / (far - near);
    return 0.5 + 0.5 * ((far + near) - 2.0 * far * near / depth) / (far - near);
}

float eye_depth(float window) {
    float near = depths.x, far = depths.y;
    if (orthographic()) return near + window * (far - near);
    return 2.0 * far * near / (far + near - (2.0 * window - 1.0) * (far - near));
}

// 0 at the nearest faces, 1 at the farthest.
float remoteness(float depth) {
    return clamp((depth - depths.x) / (depths.y - depths.x), 0.0, 1.0);
}
