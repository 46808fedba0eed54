#version 330 core

in vec4 colour; // not premultiplied

out vec4 ink; // premultiplied

void main() {
    ink = vec4(colour.rgb * colour.a, colour.a);
}
