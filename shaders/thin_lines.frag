#version 330 core

in vec4 colour; // not premultiplied

out vec4 fragment; // premultiplied

void main() {
    fragment = vec4(colour.rgb * colour.a, colour.a);
}
