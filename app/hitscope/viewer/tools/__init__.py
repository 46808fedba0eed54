"""The tools that mouse and keys use in the picture.

`pointer` begins, moves and ends the `drags`, of which `left_button` chooses one; `picking` finds the target under
the mouse, `snapping` the feature that a drag snaps to; keys call `edit_commands` and `tool_commands`.
"""
