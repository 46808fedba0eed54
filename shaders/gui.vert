#version 330 core

uniform vec2 size; // of the window, in pixels

layout(location = 0) in vec2 position; // in pixels from the top left
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 tint;

out vec2 where;
out vec4 colour;

void main() {
    where = texel;
    colour = tint;
    gl_Position = vec4(2.0 * position.x / size.x - 1.0, 1.0 - 2.0 * position.y / size.y, 0.0, 1.0);
}
