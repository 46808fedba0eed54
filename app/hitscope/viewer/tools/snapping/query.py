"""The query for a snap: the position of a dragged handle by the mouse, and the directions in which it may move."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from hitscope.draw.handle_targets import HandleTarget
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Vec3
from hitscope.render.view import View, ViewRay

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
        """The view ray through the pixel."""
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
