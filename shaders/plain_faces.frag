#version 330 core

// As faces.frag, with one colour a face.

flat in vec4 colour;
in float nearness;

layout(location = 0) out vec4 accumulated;
layout(location = 1) out vec4 weight;

void main() {
    float closeness = exp2(nearness);
    accumulated = vec4(colour.rgb * colour.a * closeness, colour.a);
    weight = vec4(colour.a * closeness);
}
