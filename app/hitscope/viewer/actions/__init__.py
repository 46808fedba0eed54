"""Changes of the state, one file a subject; no ImGui and no OpenGL.

An action takes the state first, and so does what actions share: the table of keys, the panels' `do`, drags and
the user interface call all of them alike. A command that cannot do anything raises HitscopeError,
whose message becomes the notice.

Actions read only files that a scene names; requests for all others go to the host, see `state.host`.
"""
