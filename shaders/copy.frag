#version 330 core

uniform sampler2D source;

in vec2 place;
out vec4 picture;

void main() {
    picture = vec4(texture(source, place).rgb, 1.0);
}
