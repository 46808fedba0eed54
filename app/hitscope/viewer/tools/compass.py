"""The compass: the axes in the current view, in a corner of the picture; a click looks along one."""

import math
from typing import NamedTuple

from hitscope.viewer.actions.view import look_along
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.state import State

ARM, DISC = 33.0, 8.5
"""The distance of the ends from the middle, and their radius, in points."""
CORNER = 54.0
"""Points from the middle to the top and the right of the picture."""
LEAST_ROOM = 260.0
"""The least width and height of a picture with a compass, in points."""
FACING = 0.999
"""The nearness of an end that the view looks along: a click on it looks from the other side."""


class AxisEnd(NamedTuple):
    """The end of an axis in the picture: its axis and sign, its pixel, and how near to the eye it is."""

    axis: int
    sign: int
    x: float
    y: float
    nearness: float  # 1 towards the eye, -1 away from it


def middle(display: Display) -> tuple[float, float]:
    left, top, width, _ = display.layout.picture
    return left + width - CORNER * display.pixel_ratio, top + CORNER * display.pixel_ratio


def ends(display: Display) -> list[AxisEnd]:
    """The six ends of the axes in the view, the farthest first; none where there is no space."""
    if min(display.layout.picture[2:]) < LEAST_ROOM * display.pixel_ratio:
        return []
    x, y = middle(display)
    arm = ARM * display.pixel_ratio
    right, up, back = display.view.camera.axes.tolist()
    found = [
        AxisEnd(axis, sign, x + arm * sign * right[axis], y - arm * sign * up[axis], sign * back[axis])
        for axis in range(3)
        for sign in (1, -1)
    ]
    return sorted(found, key=lambda end: end.nearness)


def end_at(display: Display, x: float, y: float) -> AxisEnd | None:
    """The end at a pixel, of several the nearest to the eye; None if there is none."""
    near = [end for end in ends(display) if math.dist((end.x, end.y), (x, y)) <= 1.2 * DISC * display.pixel_ratio]
    return near[-1] if near else None


def look_from(state: State, end: AxisEnd) -> None:
    """Look along an axis from its end; from the other side where the view looks along it already."""
    sign = -end.sign if end.nearness > FACING else end.sign
    x, y, z = (float(sign) if i == end.axis else 0.0 for i in range(3))
    look_along(state, (x, y, z), f"View from {'+' if sign > 0 else '−'}{'XYZ'[end.axis]}")
