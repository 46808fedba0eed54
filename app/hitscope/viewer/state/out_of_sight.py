"""The selection while it is outside of the picture, and the arrow at the picture's edge that points to it."""

import math
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from hitscope.draw.picture import Picture
from hitscope.draw.selection_geometry import bounds_of, indices_of, shape_of
from hitscope.draw.target import Targets
from hitscope.evaluate import Report
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import ENDLESS, Shape, is_linear, linear
from hitscope.render.view import View
from hitscope.scene.decimals import LARGEST
from hitscope.viewer.state.state import State

FROM_EDGE = 30.0
"""The distance of the arrow from the edges of the picture, in points."""
FAR = 1e3
"""Where rays and lines are cut, as a multiple of their distance."""
FARTHEST = 1e150
"""The distance to which points are brought in, so that squares do not overflow."""
LEAST_ROOM = 160.0
"""The least width and height of a picture with an arrow, in points."""


class EdgeArrow(NamedTuple):
    """The arrow: its middle, a pixel, and its direction in the picture, of unit length."""

    x: float
    y: float
    right: float
    down: float


def edge_arrow(state: State) -> EdgeArrow | None:
    """The arrow to what is selected; None where some of it may be in sight, or nothing is selected and shown."""
    session, selection = state.session, state.selection
    targets = tuple(target for target in selection.targets if target.item not in selection.hidden)
    return _edge_arrow(session.picture, session.report, targets, state.display.view)


@lru_cache(maxsize=1)  # a frame asks several times
def _edge_arrow(picture: Picture, report: Report, targets: Targets, view: View) -> EdgeArrow | None:
    if not targets or min(view.viewport.width, view.viewport.height) < LEAST_ROOM * view.pixel_ratio:
        return None
    shape = shape_of(report, targets[-1])
    if shape is not None and type(shape) in ENDLESS:
        alone = len(targets) == len(indices_of(report, targets[-1])) == 1
        return _arrow(view, *_ends(shape, view)) if alone else None
    bounds = bounds_of(picture, targets)
    if bounds is None:
        return None
    corners = np.array(list(product(*zip(bounds.lo.tolist(), bounds.hi.tolist(), strict=True))))
    return _arrow(view, corners, bounds.center)


def _ends(shape: Shape, view: View) -> tuple[Array, Array]:
    """The ends (2, 3) of a ray or line, cut far away, and its origin (3,)."""
    assert is_linear(shape)
    origin, direction, t_min, _ = linear(shape)
    start, way = np.array(origin), np.array(direction)
    way /= np.abs(way).max() or 1.0
    with np.errstate(all="ignore"):
        far = FAR * (view.camera.distance + float(np.abs(start - view.camera.eye).max()))
        ends = np.stack([start - far * way if t_min < 0 else start, start + far * way])
    return np.clip(ends, -LARGEST, LARGEST), start


def _arrow(view: View, points: Array, middle: Array) -> EdgeArrow | None:
    """The arrow to a middle (3,); None unless all points (n, 3) are beyond one edge, or behind the eye."""
    right, up, ahead = _seen(view, np.concatenate([points, middle[None]]))
    left, top, width, height = view.viewport
    depth = np.ones_like(ahead) if view.camera.orthographic else ahead
    tall = view.camera.slope * depth
    wide = tall * width / height
    beyond = [right > wide, right < -wide, up > tall, up < -tall]
    if not view.camera.orthographic:
        beyond.append(ahead < 0)
    if not any(bool(outside[:-1].all()) for outside in beyond):
        return None
    x, y = float(right[-1]), -float(up[-1])
    length = math.hypot(x, y)
    x, y = (x / length, y / length) if length > 0 else (0.0, 1.0)
    inset = FROM_EDGE * view.pixel_ratio
    reach = min((side / 2 - inset) / abs(part) for side, part in ((width, x), (height, y)) if abs(part) > 1e-9)
    return EdgeArrow(left + width / 2 + x * reach, top + height / 2 + y * reach, x, y)


def _seen(view: View, points: Array) -> Array:
    """How far right of the view's middle, above it and ahead of the eye points (n, 3) are, in target distances."""
    camera = view.camera
    with np.errstate(over="ignore"):
        # In halves, or the difference of the largest numbers would overflow.
        relative = (points / 2 - np.array(camera.eye) / 2) / (camera.distance / 2)
        right, up, back = camera.axes @ np.clip(relative, -FARTHEST, FARTHEST).T
    return np.stack([right, up, -back])
