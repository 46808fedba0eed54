"""Changes of the state, one file a subject; no ImGui and no OpenGL.

An action takes the state first, so that the table of keys and the panels' `do` call all of them alike; what
actions share takes the parts that it uses.

Actions read only files that a scene names; requests for all others go to the host, see `state.host`.
"""
