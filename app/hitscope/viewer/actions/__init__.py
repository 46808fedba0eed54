"""Changes of the state, one file a subject; no ImGui and no OpenGL.

An action takes the state first, so that the table of keys and the panels' `do` call all of them alike; what
actions share takes the parts that it uses.

Nothing here reads a folder or a file that no scene names: that is asked of the host, see `state.host`.
"""
