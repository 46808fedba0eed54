"""The state of the window, in parts; no ImGui and no OpenGL here.

`State` (state.py) is the composition. Each part is one small class, whose docstring says who writes it.
A part knows no other part, except `Session`, which keeps the selection with each step of the history.
"""
