"""Where a drag wants a handle to be, and which shapes are near enough to matter for it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.items import Array
from hitscope.draw.spans import Course
from hitscope.geometry.shapes import Line, Point, Ray, Segment, Shape, Vec3
from hitscope.viewer.tools.features import bounds
from hitscope.viewer.tools.held import Held
from hitscope.viewer.tools.picking import Eye

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

    eye: Eye
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
    def sight(self) -> tuple[Array, Array]:
        """The eye and the unit direction, both (3,), of the view ray through the pixel."""
        return self.eye.camera.ray_through(*self.pixel, self.eye.viewport)

    @cached_property
    def free_pixel(self) -> tuple[float, float]:
        """The pixel of the unsnapped place, which on a rail is not the one that is wanted."""
        x, y, _ = self.eye.camera.project(self.free, self.eye.viewport)[0].tolist()
        return x, y

    def away(self, points: Array, pixel: tuple[float, float] | None = None) -> Array:
        """Give how many points of the screen points (n, 3) are from a pixel, or from the wanted one."""
        at = self.pixel if pixel is None else pixel
        seen = self.eye.camera.project(points, self.eye.viewport)
        with np.errstate(all="ignore"):
            pixels = np.hypot(seen[:, 0] - at[0], seen[:, 1] - at[1]) / self.eye.points
        return np.where(seen[:, 2] > 0, np.nan_to_num(pixels, nan=np.inf), np.inf)

    def to_eye(self, place: Array) -> Course:
        """Give the way from a place to the eye, in an orthographic picture without end."""
        camera = self.eye.camera
        if camera.orthographic:
            return Course(place, camera.axes[2], 0.0, math.inf)
        way = np.array(camera.eye) - place
        length = float(np.linalg.norm(way))
        return Course(place, way / length, 0.0, length)

    def decimals(self, place: Array) -> int:
        """Give how many decimals the picture shows at a place."""
        size = self.point_size(place) / self.eye.points
        return math.ceil(-math.log10(size)) if 0 < size < math.inf else 0

    def point_size(self, place: Array | Vec3) -> float:
        """Give the size of a point of the screen at a place, in scene units."""
        camera, viewport = self.eye.camera, self.eye.viewport
        depth = float(camera.project(place, viewport)[0, 2])
        return self.eye.points * camera.pixel(depth, viewport)


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
            order = np.linalg.norm(self._centers[found] - place, axis=1) - self._radii[found]
        most = len(found) if isinstance(probe, Point | Segment | Ray | Line) else BODIES_ASKED
        return [self.elements[i] for i in _in_order(found, order)[:most]]

    def _seen(self, aim: Aim, pixel: tuple[float, float]) -> list[int]:
        origin, sight = aim.eye.camera.ray_through(*pixel, aim.eye.viewport)
        camera, viewport = aim.eye.camera, aim.eye.viewport
        # At the border of a wide picture a pixel is seen larger than in its middle.
        spread = 2 * HOLD * REACH * aim.eye.points * camera.pixel(1.0, viewport)
        with np.errstate(all="ignore"):
            out = self._centers - origin
            along = out @ sight
            beside = np.linalg.norm(out - along[:, None] * sight, axis=1)
            ahead = along + self._radii
            reach = spread * (1.0 if camera.orthographic else ahead)
            found = np.flatnonzero((ahead > 0) & ~(beside > self._radii + reach))
        return _in_order(found, along[found] - self._radii[found])[:NEARBY]


def _in_order(indices: NDArray[np.intp], keys: Array) -> list[int]:
    return [int(indices[i]) for i in np.argsort(np.nan_to_num(keys, nan=-np.inf, neginf=-np.inf), kind="stable")]


def _clearance(probe: Shape, centers: Array, radii: Array) -> tuple[Array, Array | float]:
    """Give how far centres (n, 3) are from a probe, and how much further than its handle it moves there."""
    if not isinstance(probe, Segment | Ray | Line):
        (middle,), (radius,) = bounds([probe])
        return np.linalg.norm(centers - middle, axis=1) - radius, 1.0
    start = np.array(probe[0])
    way = np.array(probe[1]) - start if isinstance(probe, Segment) else np.array(probe[1])
    length = float(np.linalg.norm(way)) or 1.0
    out = centers - start
    along = out @ (way / length)
    kept = along if isinstance(probe, Line) else np.maximum(along, 0)
    if isinstance(probe, Segment):
        kept = np.minimum(kept, length)
    beside = np.linalg.norm(out - kept[:, None] * (way / length), axis=1)
    if isinstance(probe, Segment):
        return beside, 1.0
    # A ray that turns about its origin sweeps the more the farther away.
    return beside, np.maximum(1.0, (np.linalg.norm(out, axis=1) + radii) / length)
