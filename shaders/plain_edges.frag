#version 330 core

flat in vec4 colour;

out vec4 fragment; // premultiplied

void main() {
    fragment = vec4(colour.rgb * colour.a, colour.a);
}
