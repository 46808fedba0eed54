"""Snapping: the feature near the mouse to which a dragged handle moves, and the float64 numbers stored for it."""
