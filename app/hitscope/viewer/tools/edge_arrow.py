"""The arrow at the edge of the picture to a selection out of sight: a click on it frames the selection."""

import math

from hitscope.viewer.actions.view import frame_selection
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.out_of_sight import EdgeArrow, edge_arrow
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.drags.camera_drags import Orbit

RADIUS = 15.0
"""The radius of the disc below the arrow, in points."""


def arrow_at(session: Session, selection: Selection, display: Display, x: float, y: float) -> EdgeArrow | None:
    """The arrow, if it is at a pixel."""
    arrow = edge_arrow(session, selection, display)
    if arrow is None or math.dist(arrow[:2], (x, y)) > RADIUS * display.pixel_ratio:
        return None
    return arrow


class ArrowDrag(Orbit):
    """Orbits the camera; a click frames the selection."""

    def __init__(self, state: State, x: float, y: float) -> None:
        super().__init__(state, x, y)
        self._state = state

    def release(self) -> None:
        """Frame the selection, which was out of sight."""
        if not self._moving:
            frame_selection(self._state)
