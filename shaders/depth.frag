#version 330 core

#ifdef FADES
in vec3 from_center; // 1 long where nothing is left
#endif

void main() {
#ifdef FADES
    // What is nearly gone hides nothing.
    if (dot(from_center, from_center) > 0.7) discard;
#endif
}
