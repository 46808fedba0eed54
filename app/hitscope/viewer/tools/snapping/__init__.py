"""Snapping: the feature near the mouse that a dragged handle goes to, and the float64 numbers stored for it."""
