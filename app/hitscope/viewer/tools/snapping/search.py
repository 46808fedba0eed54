"""A search for a feature to snap to: the elements near the mouse, the best feature, and the numbers to store.

Features are searched for in the picture, in floats. The point of the one that is found is exact; that point is
stored if float64 has it, else one next to it at which the probe still hits (`float64_points`).
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope import numerals
from hitscope.draw.intervals import ParametricLine, half_space_intervals, round_intervals
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import contains_point, meet
from hitscope.geometry.exact.float64_points import float64_point
from hitscope.geometry.features.shape_features import ExactPoint, Face, Features, features
from hitscope.geometry.shapes import Shape, Vec3, is_linear
from hitscope.render.view import View
from hitscope.scene.exact_points import nearest_on_line
from hitscope.scene.items import Single
from hitscope.viewer.tools.snapping.candidates import HOLD, REACH, SnapCandidates, SnapQuery

SnapKey: TypeAlias = tuple[Any, ...]
"""Identifies a snap: the kind of feature, and the element that has it."""

MISSES = ": no float64 near it hits"
NO_LINES: Array = np.empty((0, 2, 3))
THIN = 1e-9
"""The least depth, as a part of the camera's distance, at which a shape in front of a point hides it."""


class Snap(NamedTuple):
    """The snap of a handle: the item with the handle there, its point, the feature in words, and its marks.

    `gap` is the distance of the stored point from the exact one, 0.0 only if they are equal; `lines` (n, 2, 3)
    mark the feature in the picture, in scene units.
    """

    item: Single
    point: Vec3
    words: str
    gap: float
    lines: Array
    key: SnapKey


class NearElement(NamedTuple):
    """An element near the mouse."""

    id: str
    shape: Shape

    @property
    def features(self) -> Features:
        return features(self.shape)


class SnapSearch(NamedTuple):
    """The inputs of one search for a snap feature.

    `previous` is the key of the feature that the handle was snapped to, `step` the grid's. Only visible corners
    and edges are searched or, with `occluded`, only hidden ones.
    """

    query: SnapQuery
    candidates: SnapCandidates
    near: list[NearElement]
    step: float
    previous: SnapKey
    occluded: bool = False

    @property
    def balls(self) -> list[NearElement]:
        return [element for element in self.near if element.features.radius]

    @property
    def faces(self) -> list[tuple[NearElement, Face]]:
        return [(element, face) for element in self.near for face in element.features.faces]

    def face_arrays(self, *names: str) -> Iterator[Array]:
        """Arrays of `Features` over all `faces`, of which there is at least one."""
        return (np.concatenate([getattr(element.features, name) for element in self.near]) for name in names)

    def reach_factor(self, key: SnapKey) -> float:
        """The factor of a feature's reach, which is larger for the previous one, so that its snap is kept."""
        return HOLD if key == self.previous else 1.0

    def nearest(self, keys: Sequence[SnapKey], points: Array) -> tuple[int, str] | None:
        """The index of the point (n, 3) nearest to the pixel, within reach, and its occluder's name, if any.

        Of two at one pixel it is the one in front.
        """
        if not keys:
            return None
        away = self.query.distances(points) / np.array([self.reach_factor(key) for key in keys])
        found = np.flatnonzero(away <= REACH)
        if not len(found):
            return None
        depths = self.query.view.project(points[found])[:, 2]
        occluders = Occluders.of(self.near)
        for i in found[np.lexsort((depths, np.round(away[found])))].tolist():
            occluder = occluders.frontmost_before(points[i], self.query.view)
            if bool(occluder) == self.occluded:
                return i, occluder
        return None

    def least(self, keys: Sequence[SnapKey], values: Array, reach: float) -> int | None:
        """The index of the least value (n,) within reach, of equals the first; the previous snap is favored."""
        if not keys:
            return None
        values = values / np.array([self.reach_factor(key) for key in keys])
        best = int(np.round(values, 3).argmin())
        return best if values[best] <= reach else None

    def snap_to(
        self, key: SnapKey, point: ExactPoint, words: str, touching: NearElement | None, lines: Array = NO_LINES
    ) -> Snap:
        """Put the handle at an exact point, or where it still hits the element that it touches.

        A constrained handle moves only as far as the constraint allows: along a coordinate axis, level with the
        point.
        """
        target, constraint = self.query.target, self.query.constraint
        axis, level = self.query.locked_axis, self.query.level
        free = True, True, True
        exact = [p - Fraction(b) for p, b in zip(point, target.base, strict=True)]
        if axis is not None or level is not None:
            free = (axis == 0, axis == 1, axis == 2) if axis is not None else (level != 0, level != 1, level != 2)
            exact = [e if may else Fraction(v) for e, v, may in zip(exact, target.vector, free, strict=True)]
        elif constraint is not None:
            exact = nearest_on_line(exact, target.vector, constraint)
        if any(p - Fraction(b) != e for p, b, e in zip(point, target.base, exact, strict=True)):
            words, touching = f"level with {words}", None
        shape = None if touching is None else touching.shape

        def accept(vector: Vec3) -> bool:
            return shape is None or hits(target.store(vector).shape, shape)

        found = float64_point(exact, accept, free)
        if found.error:
            words += f", {numerals.short(found.error, 2)} {_side(target.base, found.point, shape)}"
        if not found.accepted:
            words += MISSES
        return Snap(target.store(found.point), target.at(found.point), words, found.error, lines, key)


def axes_of(balls: Iterable[NearElement]) -> tuple[Array, Array, Array]:
    """The ends (n, 3), (n, 3) of round shapes' axes and the radii (n,); of a sphere both are its center."""
    parts = [ball.features for ball in balls]
    ends = np.array([part.corners[[0, -1]] for part in parts]).reshape(-1, 2, 3)
    return ends[:, 0], ends[:, 1], np.array([part.radius for part in parts])


def hits(probe: Shape, shape: Shape) -> bool:
    """Whether a probe hits an element, exactly; always true for linear elements."""
    return is_linear(shape) or meet(probe, shape)


def _side(base: Vec3, vector: Vec3, shape: Shape | None) -> str:
    if shape is None or is_linear(shape):
        return "off"
    point = [Fraction(b) + Fraction(v) for b, v in zip(base, vector, strict=True)]
    return "inside" if contains_point(shape, point) else "off"


class Occluders(NamedTuple):
    """Bounded shapes as half-spaces by normals and points of the planes, those of each from one of `firsts` on.

    After them come round shapes, by the ends of their axes.
    """

    names: list[str]
    normals: Array
    anchors: Array
    firsts: NDArray[np.intp]
    starts: Array
    ends: Array
    radii: Array

    @classmethod
    def of(cls, elements: Sequence[NearElement]) -> "Occluders":
        """The occluders among elements."""
        planes = {element.id: element.features.half_spaces for element in elements}
        bounded = {name: planes for name, planes in planes.items() if len(planes[0])}
        sizes = [len(normals) for normals, _ in bounded.values()]
        balls = [element for element in elements if element.features.radius]
        return cls(
            [*bounded, *(ball.id for ball in balls)],
            np.concatenate([np.empty((0, 3)), *(normals for normals, _ in bounded.values())]),
            np.concatenate([np.empty((0, 3)), *(anchors for _, anchors in bounded.values())]),
            np.cumsum([0, *sizes[:-1]])[: len(sizes)],
            *axes_of(balls),
        )

    def frontmost_before(self, point: Array, view: View) -> str:
        """The name of the frontmost shape that hides a point; "" if the point is visible."""
        # Relative to the point, so that the error does not grow with the distance from the origin.
        direction, distance = view.toward_eye(point)
        line = ParametricLine(np.zeros(3), direction, 0.0, distance)
        room = np.einsum("ni,ni->n", self.normals, self.anchors - point)
        through = half_space_intervals(line, self.normals, room, self.firsts)
        through_rounds = round_intervals(line, self.starts - point, self.ends - point, self.radii)
        left = np.concatenate([through, through_rounds])[:, 1]
        # A shape that ends at the point is behind it; one that contains the eye hides nothing.
        hides = (left > THIN * view.camera.distance) & (left < line.t_max)
        return self.names[np.where(hides, left, 0.0).argmax()] if hides.any() else ""
