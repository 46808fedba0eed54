#version 330 core
#include "frame.glsl"
#include "face.glsl"
#include "cues.glsl"

// The nearest opaque triangle, with its edges where it is so large that they can be told apart.

in vec3 eye_position;
in vec4 rim;
flat in vec3 eye_normal;
flat in uvec2 face_code;

out vec4 picture;

// The part of a pixel that is on an edge; each triangle draws one half of it.
float on_edge(float half_width) {
    vec3 steps = max(fwidth(rim.xyz), vec3(1e-9));
    vec3 away = rim.xyz / steps / screen.z, heights = 1.0 / steps / screen.z;
    float nearest = min(away.x, min(away.y, away.z)), height = min(heights.x, min(heights.y, heights.z));
    return clamp(0.5 + (half_width - nearest) * screen.z, 0.0, 1.0) * smoothstep(5.0, 22.0, height);
}

void main() {
    vec3 normal = unit(eye_normal), to_eye = unit(to_eye_from(eye_position));
    uint role = face_code.x;
    vec4 face = vec4(opaque_colour(normal, to_eye, face_code), 1.0);
    face = with_cues(face, border_distance(rim), facing(normal, to_eye), face_code);
    // A hit has strong light or dark edges, the others thin ones, a little darker than they are.
    if (role == HIT) face.rgb = mix(face.rgb, mix(colours[HIT].rgb, colours[OUTLINE].rgb, 0.55), on_edge(1.4));
    else face.rgb *= 1.0 - 0.38 * on_edge(0.5);
    picture = vec4(face.rgb, 1.0);
}
