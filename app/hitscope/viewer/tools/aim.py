"""Where a drag wants a handle to be, and which shapes are near enough to matter for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite

import numpy as np

from hitscope.draw.intervals import ParametricLine
from hitscope.draw.items import Array
from hitscope.draw.shape_drawings import DrawnAs, drawn_as
from hitscope.geometry.shapes import Shape, Vec3, is_linear, linear
from hitscope.render.view import View, ViewRay
from hitscope.viewer.tools.features import bounds
from hitscope.viewer.tools.held import Held

REACH = 10.0
"""Points on the screen within which a feature is snapped to."""
HOLD = 1.5
"""What is snapped to is let go at so many times the reach."""
NEARBY = 64
"""At most so many elements are looked at, the frontmost."""
BODIES_ASKED = 16
"""At most so many elements are asked about a probe with faces, which takes longer."""


@dataclass(frozen=True)
class Aim:
    """A drag under way: the pixel where the handle is wanted, and the place where it would be put unsnapped.

    `held` holds the handle as it was at the press; `axis` is the coordinate axis that the drag is locked to,
    `level` the coordinate that stays where it is locked to a plane.
    """

    view: View
    held: Held
    pixel: tuple[float, float]
    free: Vec3
    axis: int | None = None
    level: int | None = None

    @cached_property
    def rail(self) -> Array | None:
        """The unit direction (3,) along which the handle moves, if it does not move freely."""
        return np.eye(3)[self.axis] if self.axis is not None else self.held.rail

    @cached_property
    def locked_axis(self) -> int | None:
        """The coordinate axis along which the handle moves, if there is one."""
        if self.rail is None or np.count_nonzero(self.rail) > 1:
            return None
        return int(np.abs(self.rail).argmax())

    @cached_property
    def height(self) -> Fraction:
        """The exact coordinate that stays, where the drag is locked to a plane."""
        assert self.level is not None
        return Fraction(self.held.base[self.level]) + Fraction(self.held.vector[self.level])

    @cached_property
    def ray(self) -> ViewRay:
        """The view ray through the pixel."""
        return self.view.ray_through(*self.pixel)

    @cached_property
    def free_pixel(self) -> tuple[float, float]:
        """The pixel of the unsnapped place, which on a rail is not the one that is wanted."""
        x, y, _ = self.view.project(self.free)[0].tolist()
        return x, y

    def away(self, points: Array, pixel: tuple[float, float] | None = None) -> Array:
        """Give how many points of the screen points (n, 3) are from a pixel, or from the wanted one."""
        return self.view.pixels_from(points, *(self.pixel if pixel is None else pixel)) / self.view.pixel_ratio

    def to_eye(self, place: Array) -> ParametricLine:
        """Give the way from a place to the eye, in an orthographic picture without end."""
        direction, distance = self.view.toward_eye(place)
        return ParametricLine(place, direction, 0.0, distance)

    def point_size(self, place: Array | Vec3) -> float:
        """Give the size of a point of the screen at a place, in scene units."""
        return self.view.pixel_ratio * self.view.pixel_size(place)


class Around:
    """The shapes that can be snapped to, what is dragged not among them; made once, when a drag begins."""

    def __init__(self, elements: Iterable[tuple[str, Shape]]) -> None:
        """Keep named shapes."""
        self.elements = list(elements)
        self._centers, self._radii = bounds([shape for _, shape in self.elements])

    def near(self, aim: Aim) -> list[tuple[str, Shape]]:
        """Give the elements that may be seen within reach of the pixel, the frontmost first."""
        found = self._seen(aim, aim.pixel)
        if aim.rail is not None:
            found = list(dict.fromkeys(found + self._seen(aim, aim.free_pixel)))
        return [self.elements[i] for i in found]

    def touched(self, probe: Shape, place: Vec3, step: float) -> list[tuple[str, Shape]]:
        """Give the elements that a probe may meet or leave when its handle, at a place, moves by `step`.

        Those nearest to the handle come first.
        """
        with np.errstate(all="ignore"):
            beside, lever = _clearance(probe, self._centers, self._radii)
            found = np.flatnonzero(~(beside > self._radii + 2 * step * lever))
            away = np.linalg.norm(self._centers[found] - place, axis=1) - self._radii[found]
        most = len(found) if drawn_as(probe) in (DrawnAs.STROKES, DrawnAs.MARKER) else BODIES_ASKED
        order = np.argsort(np.nan_to_num(away, nan=-np.inf, neginf=-np.inf), kind="stable")
        return [self.elements[i] for i in found[order[:most]]]

    def _seen(self, aim: Aim, pixel: tuple[float, float]) -> list[int]:
        # At the border of a wide picture a pixel is seen larger than in its middle.
        reach = 2 * HOLD * REACH * aim.view.pixel_ratio
        found: list[int] = aim.view.frontmost_near(self._centers, self._radii, *pixel, reach, NEARBY).tolist()
        return found


def _clearance(probe: Shape, centers: Array, radii: Array) -> tuple[Array, Array | float]:
    """Give how far centres (n, 3) are from a probe, and how much further than its handle it moves there."""
    if not is_linear(probe):
        (middle,), (radius,) = bounds([probe])
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
    # A ray that turns about its origin sweeps the more the farther away.
    return beside, np.maximum(1.0, (np.linalg.norm(out, axis=1) + radii) / length)
