"""What mouse and keys do in the picture.

`pointer` begins, moves and ends the `drags`, of which `left_button` chooses one; `picking` finds what is under the
mouse, `snapping` what a drag goes to; `commands` are what keys do to the selection.
"""
