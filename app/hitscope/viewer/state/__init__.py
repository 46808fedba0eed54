"""What a window holds: plain state, without Dear ImGui and OpenGL."""
