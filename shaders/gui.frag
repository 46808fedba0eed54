#version 330 core

uniform sampler2D sheet; // glyphs and icons, or a picture

in vec2 where;
in vec4 colour;

out vec4 pixel;

void main() {
    pixel = colour * texture(sheet, where);
}
