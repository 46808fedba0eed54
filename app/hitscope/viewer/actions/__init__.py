"""What commands, tools and panels do to the state: functions from its parts to its parts; no ImGui and no OpenGL.

Nothing here reads a folder or a file that no scene names: that is asked of the host, see `state.host`.
"""
