"""The rectangles of the panels and the picture in the window."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from hitscope.render.camera import Viewport

WIDTHS: Final[Mapping[str, float]] = {"outliner": 250.0, "panel": 320.0}
"""How wide the panels are in points, until they are dragged to another width."""
NARROWEST = 220.0
"""In points; in a window that is small itself, at most `LARGEST_IF_SMALL` of it."""
LARGEST_IF_SMALL = 0.55
LOW = 400.0
"""A window lower than this, in points, leaves out what is only an explanation."""
LARGEST_PART = 0.45
"""A panel alone leaves the picture more than half of the window."""
LARGEST_PARTS = 0.6
"""Two panels leave it so much less than all."""
ROOM_FOR_TWO = 960.0
"""A window narrower than this, in points, has the outliner among the tabs of the one panel."""
STATUS_HEIGHT = 26


class Layout(NamedTuple):
    """Rectangles in pixels, (0, 0) at the top left of the window; what is not there has no width."""

    picture: Viewport
    outliner: Viewport
    panel: Viewport
    status: Viewport


def is_low(height: float, points: float) -> bool:
    """Whether a window of this height, in pixels, has no room for explanations."""
    return height < LOW * points


def lay_out(width: int, height: int, points: float, panels: bool, widths: Mapping[str, float] = WIDTHS) -> Layout:
    """The layout with the outliner at the left, the panel at the right, the status line below the picture.

    Without panels the picture has it all. `points` is how many pixels a point has, `widths` are in points.
    """
    left = right = 0.0
    if panels:
        wanted = {name: max(widths.get(name, known), NARROWEST) * points for name, known in WIDTHS.items()}
        least = min(NARROWEST * points, width * LARGEST_IF_SMALL)
        left, right = wanted["outliner"], min(wanted["panel"], max(width * LARGEST_PART, least))
        if width < ROOM_FOR_TWO * points:
            left = 0.0
        else:
            less = min(1.0, width * LARGEST_PARTS / (left + right))
            left, right = left * less, right * less
    outliner, panel = round(left), round(right)
    status = round(STATUS_HEIGHT * points) if panels else 0
    middle = max(width - outliner - panel, 1)
    return Layout(
        picture=Viewport(outliner, 0, middle, max(height - status, 1)),
        outliner=Viewport(0, 0, outliner, height),
        panel=Viewport(width - panel, 0, panel, height),
        status=Viewport(outliner, height - status, middle, status),
    )
