"""A search for a feature to snap to: the elements near the mouse, the best feature, and the numbers to store.

Features are searched for in the picture, in floats. The point of the one that is found is exact; that point is
stored if float64 has it, else one next to it at which the probe still hits (`float64_points`).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hitscope import numerals
from hitscope.draw.handle_targets import HandleTarget
from hitscope.draw.intervals import ParametricLine, half_space_intervals, round_intervals
from hitscope.draw.picture import Picture
from hitscope.draw.target import Hidden, Target
from hitscope.evaluate import Element
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import contains_point, meet
from hitscope.geometry.exact.float64_points import float64_point
from hitscope.geometry.features.shape_features import ExactPoint, Face, Features, bounding_spheres, features
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Shape, Vec3, is_linear, linear
from hitscope.geometry.vector import vec3
from hitscope.render.view import View, ViewRay
from hitscope.scene.edits import Kind
from hitscope.scene.exact_points import nearest_on_line
from hitscope.scene.items import Single

REACH = 10.0
"""The distance in points within which a feature is snapped to."""
HOLD = 1.5
"""The factor by which the reach of the previous snap is larger, so that it is kept."""


@dataclass(frozen=True)
class SnapQuery:
    """The pixel of the mouse in a drag of a handle, and the point where the handle would be without snapping.

    `target` is the handle at the press; `axis` is the coordinate axis that the drag is locked to, `level` the
    coordinate that stays constant in a lock to a plane.
    """

    view: View
    target: HandleTarget
    pixel: tuple[float, float]
    free: Vec3
    axis: int | None = None
    level: int | None = None

    @cached_property
    def constraint(self) -> Array | None:
        """The unit direction (3,) along which the handle moves, if it does not move freely."""
        return np.eye(3)[self.axis] if self.axis is not None else self.target.constraint

    @cached_property
    def locked_axis(self) -> int | None:
        """The index of the coordinate axis along which the handle moves; None if it moves otherwise."""
        if self.constraint is None or np.count_nonzero(self.constraint) > 1:
            return None
        return int(np.abs(self.constraint).argmax())

    @cached_property
    def height(self) -> Fraction:
        """The exact coordinate that stays constant in a drag that is locked to a plane."""
        assert self.level is not None
        return Fraction(self.target.base[self.level]) + Fraction(self.target.vector[self.level])

    @cached_property
    def ray(self) -> ViewRay:
        return self.view.ray_through(*self.pixel)

    @cached_property
    def free_pixel(self) -> tuple[float, float]:
        """The pixel of the unsnapped point, which differs from the wanted one if the handle is constrained."""
        x, y, _ = self.view.project(self.free)[0].tolist()
        return x, y

    def distances(self, points: Array, pixel: tuple[float, float] | None = None) -> Array:
        """The distances (n,) in points of the screen of points (n, 3) from a pixel, by default the mouse's."""
        return self.view.pixels_from(points, *(self.pixel if pixel is None else pixel)) / self.view.pixel_ratio

    def screen_point(self, point: Array | Vec3) -> float:
        """The size of a point of the screen, seen at a point of the scene, in scene units."""
        return self.view.pixel_ratio * self.view.pixel_size(point)


MOST_SEARCHED = 64
"""The largest number of elements near the pixel that are searched for features, the frontmost ones."""
MOST_TOUCHED = 16
"""The largest number of elements that are tested against a probe with faces, which takes longer."""
NEARBY = 150.0
"""The distance in points from the mouse that counts as near."""


class SnapCandidates:
    """The shapes that can be snapped to, without the dragged ones; made once, when a drag begins."""

    def __init__(self, elements: Iterable[tuple[str, Shape]]) -> None:
        """Prepare named shapes for the search, with their bounding spheres."""
        self.elements = [NearElement(*element) for element in elements]
        self._centers, self._radii = bounding_spheres([shape for _, shape in self.elements])

    def near(self, query: SnapQuery) -> list["NearElement"]:
        """The elements that may be seen within reach of the pixel, the frontmost first."""
        # At the border of a wide picture a pixel is seen larger than in its middle.
        view, reach = query.view, 2 * HOLD * REACH * query.view.pixel_ratio
        pixels = [query.pixel] if query.constraint is None else [query.pixel, query.free_pixel]
        found = [view.frontmost_near(self._centers, self._radii, *pixel, reach, MOST_SEARCHED) for pixel in pixels]
        return [self.elements[i] for i in dict.fromkeys(chain(*found))]

    def touched(self, probe: Shape, point: Vec3, step: float) -> list["NearElement"]:
        """The elements that a probe may meet or leave as its handle moves by `step` from a point, by distance."""
        with np.errstate(all="ignore"):
            beside, lever = _distances_from_probe(probe, self._centers, self._radii)
            found = np.flatnonzero(~(beside > self._radii + 2 * step * lever))
            away = np.linalg.norm(self._centers[found] - point, axis=1) - self._radii[found]
        most = len(found) if KINDS[type(probe)].dimension < 2 else MOST_TOUCHED
        order = np.argsort(np.nan_to_num(away, nan=-np.inf, neginf=-np.inf), kind="stable")
        return [self.elements[i] for i in found[order[:most]]]


def _distances_from_probe(probe: Shape, centers: Array, radii: Array) -> tuple[Array, Array | float]:
    """The distances (n,) of centers (n, 3) from a probe, and its motion there as a multiple of its handle's."""
    if not is_linear(probe):
        (middle,), (radius,) = bounding_spheres([probe])
        return np.linalg.norm(centers - middle, axis=1) - radius, 1.0
    origin, direction, t_min, t_max = linear(probe)
    start, way = np.array(origin), np.array(direction)
    length = float(np.linalg.norm(way)) or 1.0
    out = centers - start
    along = out @ (way / length)
    kept = np.clip(along, t_min, t_max * length)
    beside = np.linalg.norm(out - kept[:, None] * (way / length), axis=1)
    if math.isfinite(t_max):
        return beside, 1.0
    # The motion of a ray that turns about its origin grows with the distance.
    return beside, np.maximum(1.0, (np.linalg.norm(out, axis=1) + radii) / length)


class CandidateFinder:
    """Finds what a drag can snap to: all shapes that it does not change, of over `most` those near the mouse."""

    def __init__(self, picture: Picture, hidden: Hidden, most: int) -> None:
        self._picture, self._hidden, self._most = picture, hidden, most
        self._found: tuple[tuple[float, float], SnapCandidates] | None = None

    def near(self, view: View, pixel: tuple[float, float], changed: Hidden) -> SnapCandidates:
        """The candidates with the mouse at a pixel, without those that the drag changes."""
        picture, without = self._picture, self._hidden | changed
        elements = picture.report.elements
        few = len(elements) <= self._most
        if self._found is None or (not few and math.dist(self._found[0], pixel) > NEARBY / 2 * view.pixel_ratio):
            indices = range(len(elements)) if few else _seen_near(picture, view, pixel, self._most)
            near = [element for i in indices if _is_kept(element := elements[i], "primitive", without)]
            near += [probe for _, probe in picture.layouts.single_probes if _is_kept(probe, "probe", without)]
            self._found = pixel, SnapCandidates(near)
        return self._found[1]


def _is_kept(element: Element, kind: Kind, without: Hidden) -> bool:
    return not without or not {(kind, element.id), Target(kind, element.id).item} & without


def _seen_near(picture: Picture, view: View, pixel: tuple[float, float], most: int) -> list[int]:
    """Indices of the frontmost elements seen near a pixel, at most `most`, and of all planes and polyhedra."""
    elements, lows, highs = picture.arrays.bounds
    with np.errstate(all="ignore"):
        centers, radii = (lows + highs) / 2, np.linalg.norm(highs - lows, axis=1) / 2
    nearest = view.frontmost_near(centers, radii, *pixel, NEARBY * view.pixel_ratio, most)
    return [*elements[nearest].tolist(), *picture.arrays.faceted_elements.tolist()]


SnapKey: TypeAlias = tuple[Any, ...]
"""Identifies a snap: the kind of feature, and the element that has it."""

SURFACE = "surface"
"""The name of the surface of a round shape, in place of a face's."""
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
    key: SnapKey
    lines: Array = NO_LINES


class NearElement(NamedTuple):
    """An element near the mouse."""

    id: str
    shape: Shape

    @property
    def features(self) -> Features:
        return features(self.shape)

    def face_key(self, kind: str, face: Face | None) -> SnapKey:
        """The key of a snap to a face, or parallel to it; None for a round surface, here and below."""
        return (kind, self.id, face.name if face else SURFACE)

    def face_words(self, face: Face | None) -> str:
        """The face in words, e.g. "face +x of crate"; that of a flat shape is its id alone."""
        if face is None:
            return f"{SURFACE} of {self.id}"
        return f"face {face.name} of {self.id}" if face.name else self.id

    def face_outline(self, face: Face) -> Array:
        """The edges of a face as lines (n, 2, 3)."""
        corners = self.features.corners[list(face.corners)]
        return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)


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
        """The index of the point (n, 3) in reach that is nearest, or in front, and its occluder's name, if any."""
        away = self.query.distances(points) / np.array([self.reach_factor(key) for key in keys])
        found = np.flatnonzero(away <= REACH)
        if not len(found):
            return None
        depths = self.query.view.project(points[found])[:, 2]
        hiding = _frontmost_before(self.near, self.query.view)
        for i in found[np.lexsort((depths, np.round(away[found])))].tolist():
            occluder = hiding(points[i])
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
        """Put the handle at an exact point, or where it still hits what it touches; constrained, level with it."""
        target, constraint = self.query.target, self.query.constraint
        axis, level = self.query.locked_axis, self.query.level
        free = vec3(k != level if axis is None else k == axis for k in range(3))
        wanted = [p - Fraction(b) for p, b in zip(point, target.base, strict=True)]
        exact = [w if may else Fraction(v) for w, v, may in zip(wanted, target.vector, free, strict=True)]
        if all(free) and constraint is not None:
            exact = nearest_on_line(wanted, target.vector, constraint)
        if exact != wanted:
            words, touching = f"level with {words}", None
        shape = None if touching is None else touching.shape

        def accept(vector: Vec3) -> bool:
            return shape is None or hits(target.store(vector).shape, shape)

        found = float64_point(exact, accept, free)
        if found.error:
            words += f", {numerals.short(found.error, 2)} {_side(target.base, found.point, shape)}"
        if not found.accepted:
            words += MISSES
        return Snap(target.store(found.point), target.at(found.point), words, found.error, key, lines)


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


def _frontmost_before(elements: Sequence[NearElement], view: View) -> Callable[[Array], str]:
    """A function that gives the name of the frontmost bounded shape that hides a point (3,); "" if none does."""
    balls = [element for element in elements if element.features.radius]
    solids = [element for element in elements if len(element.features.half_spaces[0])]
    names = [element.id for element in (*solids, *balls)]
    planes = [(np.empty((0, 3)), np.empty((0, 3))), *(element.features.half_spaces for element in solids)]
    normals, anchors = map(np.concatenate, zip(*planes, strict=True))
    firsts = np.cumsum([len(its) for its, _ in planes])[:-1]
    starts, ends, radii = axes_of(balls)

    def hiding(point: Array) -> str:
        # Relative to the point, so that the error does not grow with the distance from the origin.
        direction, distance = view.toward_eye(point)
        line = ParametricLine(np.zeros(3), direction, 0.0, distance)
        room = np.einsum("ni,ni->n", normals, anchors - point)
        through = half_space_intervals(line, normals, room, firsts)
        through_rounds = round_intervals(line, starts - point, ends - point, radii)
        left = np.concatenate([through, through_rounds])[:, 1]
        # A shape that ends at the point is behind it; one that contains the eye hides nothing.
        hides = (left > THIN * view.camera.distance) & (left < line.t_max)
        return names[np.where(hides, left, 0.0).argmax()] if hides.any() else ""

    return hiding
