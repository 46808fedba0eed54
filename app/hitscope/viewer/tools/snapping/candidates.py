"""The shapes that a drag can snap to, and the search for those near enough."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite

import numpy as np

from hitscope.draw.handle_targets import HandleTarget
from hitscope.draw.picture import Picture
from hitscope.draw.target import Hidden, Target
from hitscope.evaluate import Element
from hitscope.geometry.arrays import Array
from hitscope.geometry.features.shape_features import bounding_spheres
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Shape, Vec3, is_linear, linear
from hitscope.render.view import View, ViewRay
from hitscope.scene.edits import Kind

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
        self.elements = list(elements)
        self._centers, self._radii = bounding_spheres([shape for _, shape in self.elements])

    def near(self, query: SnapQuery) -> list[tuple[str, Shape]]:
        """The elements that may be seen within reach of the pixel, the frontmost first."""
        found = self._seen(query, query.pixel)
        if query.constraint is not None:
            found = list(dict.fromkeys(found + self._seen(query, query.free_pixel)))
        return [self.elements[i] for i in found]

    def touched(self, probe: Shape, point: Vec3, step: float) -> list[tuple[str, Shape]]:
        """The elements that a probe may meet or leave when its handle, at a point, moves by `step`.

        Those nearest to the handle come first.
        """
        with np.errstate(all="ignore"):
            beside, lever = _distances_from_probe(probe, self._centers, self._radii)
            found = np.flatnonzero(~(beside > self._radii + 2 * step * lever))
            away = np.linalg.norm(self._centers[found] - point, axis=1) - self._radii[found]
        most = len(found) if KINDS[type(probe)].dimension < 2 else MOST_TOUCHED
        order = np.argsort(np.nan_to_num(away, nan=-np.inf, neginf=-np.inf), kind="stable")
        return [self.elements[i] for i in found[order[:most]]]

    def _seen(self, query: SnapQuery, pixel: tuple[float, float]) -> list[int]:
        # At the border of a wide picture a pixel is seen larger than in its middle.
        reach = 2 * HOLD * REACH * query.view.pixel_ratio
        found = query.view.frontmost_near(self._centers, self._radii, *pixel, reach, MOST_SEARCHED)
        indices: list[int] = found.tolist()
        return indices


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
    kept = np.maximum(along, 0) if isfinite(t_min) else along
    if isfinite(t_max):
        kept = np.minimum(kept, length)
    beside = np.linalg.norm(out - kept[:, None] * (way / length), axis=1)
    if isfinite(t_max):
        return beside, 1.0
    # The motion of a ray that turns about its origin grows with the distance.
    return beside, np.maximum(1.0, (np.linalg.norm(out, axis=1) + radii) / length)


class CandidateFinder:
    """Finds the shapes that a drag can snap to: all that are shown when it begins, except those that it changes.

    In a scene with more than `most` elements these are the ones near the mouse.
    """

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
