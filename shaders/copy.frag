#version 330 core

uniform sampler2D source;
uniform ivec2 corner; // of the picture in the target

out vec4 picture;

void main() {
    picture = vec4(texelFetch(source, ivec2(gl_FragCoord.xy) - corner, 0).rgb, 1.0);
}
