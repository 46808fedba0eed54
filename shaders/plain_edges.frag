#version 330 core

flat in vec4 colour;

out vec4 ink; // premultiplied

void main() {
    ink = vec4(colour.rgb * colour.a, colour.a);
}
