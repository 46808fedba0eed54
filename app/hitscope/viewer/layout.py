"""Where the panels and the picture lie in the window."""

from typing import NamedTuple

from hitscope.render.camera import Viewport

PANEL_WIDTH = 320
LARGEST_PART = 0.45
"""The panel leaves the picture more than half of a narrow window."""
STATUS_HEIGHT = 26


class Layout(NamedTuple):
    """Rectangles in pixels, (0, 0) at the top left of the window."""

    picture: Viewport
    panel: Viewport
    status: Viewport


def lay_out(width: int, height: int, points: float, panels: bool) -> Layout:
    """Give the panel the right side and the status line the bottom; without panels the picture has it all.

    `points` is how many pixels a point has.
    """
    panel = round(min(PANEL_WIDTH * points, width * LARGEST_PART)) if panels else 0
    status = round(STATUS_HEIGHT * points) if panels else 0
    left = width - panel
    return Layout(
        picture=Viewport(0, 0, max(left, 1), max(height - status, 1)),
        panel=Viewport(left, 0, panel, height),
        status=Viewport(0, height - status, left, status),
    )
