#version 330 core

uniform sampler2D source;

in vec2 uv;
out vec4 picture;

void main() {
    picture = texture(source, uv);
}
