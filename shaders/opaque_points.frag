#version 330 core

flat in vec4 colour;

out vec4 picture;

void main() {
    picture = vec4(colour.rgb, 1.0);
}
