#version 330 core

#ifdef FADES
in vec3 from_center; // of length 1 where it has faded out
#endif

void main() {
#ifdef FADES
    // A nearly transparent part hides nothing.
    if (dot(from_center, from_center) > 0.7) discard;
#endif
}
