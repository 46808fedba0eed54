"""Marks over the picture: of pairs on which a method differs from exact, and the arrow to the selection."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice, product
from typing import NamedTuple

import numpy as np

from hitscope.draw.picture import Picture
from hitscope.draw.selection_geometry import bounds_of, indices_of, shape_of
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Hidden, Targets, targets_of
from hitscope.evaluate import Report
from hitscope.evaluate.method_differences import MethodDifferences, WrongPair
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import ENDLESS, Shape, is_linear, linear
from hitscope.render.view import View
from hitscope.scene.decimals import LARGEST
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State

MOST = 32
"""The largest number of marks, those first of pairs that are decided wrongly."""
RADIUS, AWAY = 8.0, 17.0
"""The radius of a mark, and how far it stands from its point, in points."""
HANDLE = 9.0
"""The radius around a handle or the point of an answer that a mark leaves free where it can, in points."""
SIDES = (0, -1), (0, 1), (1, 0), (-1, 0), (0, -2), (0, 2)
"""Where a mark may stand beside its point, right and down, the best first."""


class WrongMark(NamedTuple):
    """A mark: its middle, a pixel, and its pair."""

    x: float
    y: float
    pair: WrongPair


def wrong_marks(session: Session, selection: Selection, view: View) -> list[WrongMark]:
    """The marks of the visible pairs, while the comparison is known; none covers another one."""
    differences = session.differences
    if differences is None or not differences.wrong:
        return []
    placed: list[WrongMark] = []
    handles = _handles(session.picture, selection.targets, selection.hidden, view)
    radius, away, ratio = RADIUS * view.pixel_ratio, AWAY * view.pixel_ratio, view.pixel_ratio
    for pair, (x, y) in _in_sight(differences, selection.hidden, view):
        places = [(x + right * away, y + down * away) for right, down in SIDES]
        apart = [at for at in places if all(math.dist(at, other[:2]) >= 2 * radius for other in placed)]
        free = (at for at in apart if (np.hypot(*(handles - at).T) >= radius + HANDLE * ratio).all())
        if (at := next(chain(free, apart), None)) is not None:
            placed.append(WrongMark(*at, pair))
    return placed


def wrong_mark_at(session: Session, selection: Selection, view: View, x: float, y: float) -> WrongMark | None:
    """The mark at a pixel, if there is one."""
    marks = wrong_marks(session, selection, view)
    return next((mark for mark in marks if math.dist(mark[:2], (x, y)) <= RADIUS * view.pixel_ratio), None)


def _in_sight(
    differences: MethodDifferences, hidden: Hidden, view: View
) -> Iterator[tuple[WrongPair, tuple[float, float]]]:
    """The pairs that are not hidden, and the pixels of their points."""
    known = (pair for pair in differences.wrong if pair.point is not None)
    shown = (pair for pair in known if all(of.item not in hidden for of in targets_of(pair.probe, pair.primitive)))
    pairs = list(islice(shown, MOST))
    left, top, width, height = view.viewport
    projected = view.project(np.array([pair.point for pair in pairs]).reshape(-1, 3)).tolist()
    for pair, (x, y, depth) in zip(pairs, projected, strict=True):
        if depth > 0 and left <= x < left + width and top <= y < top + height:
            yield pair, (x, y)


def _handles(picture: Picture, selected: Targets, hidden: Hidden, view: View) -> Array:
    """The pixels (n, 2) of the handles that can be dragged."""
    points = [handle_points(shape) for target, shape in picture.with_handles(selected) if target[:2] not in hidden]
    projected = view.project(np.concatenate([np.empty((0, 3)), *points]))
    return np.asarray(projected[projected[:, 2] > 0, :2])


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
    return _edge_arrow(session.picture, session.report, targets, state.display.view) if targets else None


@lru_cache(maxsize=1)  # a frame asks several times
def _edge_arrow(picture: Picture, report: Report, targets: Targets, view: View) -> EdgeArrow | None:
    if min(view.viewport.width, view.viewport.height) < LEAST_ROOM * view.pixel_ratio:
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
