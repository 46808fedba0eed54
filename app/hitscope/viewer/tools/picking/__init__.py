"""Picking: the targets under the mouse, to the accuracy of the picture; never a verdict."""
