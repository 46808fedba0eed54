"""The marks of pairs on which a method differs from exact, where they stand in the picture."""

import math
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from hitscope.draw.picture import Picture
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Hidden, Targets, targets_of
from hitscope.evaluate.method_differences import MethodDifferences, WrongPair
from hitscope.geometry.arrays import Array
from hitscope.render.view import View
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session

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
        at = next(chain(free, apart), None)
        if at is not None:
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
    pixels: Array = projected[projected[:, 2] > 0, :2]
    return pixels
