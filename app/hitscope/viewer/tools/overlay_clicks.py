"""Clicks on what is drawn over the scene: the arrow to a selection out of sight, and the marks of wrong pairs."""

import math
from collections.abc import Callable

from hitscope.draw.target import Target
from hitscope.viewer.actions.selecting import select
from hitscope.viewer.actions.view import frame_selection
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.out_of_sight import EdgeArrow, edge_arrow
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State
from hitscope.viewer.state.wrong_marks import wrong_mark_at
from hitscope.viewer.tools.drags.camera_drags import Orbit

RADIUS = 15.0
"""The radius of the disc below the arrow, in points."""


def arrow_at(session: Session, selection: Selection, display: Display, x: float, y: float) -> EdgeArrow | None:
    """The arrow, if it is at a pixel."""
    arrow = edge_arrow(session, selection, display)
    if arrow is None or math.dist(arrow[:2], (x, y)) > RADIUS * display.pixel_ratio:
        return None
    return arrow


class ClickDrag(Orbit):
    """Orbits the camera; a click runs an action."""

    def __init__(self, state: State, x: float, y: float, run: Callable[[State], None]) -> None:
        super().__init__(state, x, y)
        self._state, self._run = state, run

    def release(self) -> None:
        """Run the action, unless the mouse was moved."""
        if not self._moving:
            self._run(self._state)


def click_at(
    session: Session, selection: Selection, display: Display, x: float, y: float
) -> Callable[[State], None] | None:
    """The action of a click on the arrow or on a mark at a pixel; None where there is neither."""
    if arrow_at(session, selection, display, x, y) is not None:
        return frame_selection
    mark = wrong_mark_at(session, selection, display.view, x, y)
    if mark is None:
        return None
    pair = Target("primitive", mark.pair.primitive), Target("probe", mark.pair.probe)
    return lambda state: select(state, *pair)
