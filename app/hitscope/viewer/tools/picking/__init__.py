"""Picking: what is under the mouse, of what is drawn, to the accuracy of a picture; never a verdict."""
