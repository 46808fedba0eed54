#version 330 core
#include "frame.glsl"
#include "round_quad.glsl"

void main() {
    lay_quad(1.0);
}
