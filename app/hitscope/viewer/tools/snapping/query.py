"""Where the mouse wants a dragged handle to be: what every search for something to snap to starts from."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from hitscope.draw.handle_targets import HandleTarget
from hitscope.draw.items import Array
from hitscope.geometry.shapes import Vec3
from hitscope.render.view import View, ViewRay

REACH = 10.0
"""Points on the screen within which a feature is snapped to."""
HOLD = 1.5
"""A snap is kept up to so many times the reach."""


@dataclass(frozen=True)
class SnapQuery:
    """A drag under way: the pixel where the handle is wanted, and the point where it would be put unsnapped.

    `target` is the handle as it was at the press; `axis` is the coordinate axis that the drag is locked to,
    `level` the coordinate that stays where it is locked to a plane.
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
        """The coordinate axis along which the handle moves, if there is one."""
        if self.constraint is None or np.count_nonzero(self.constraint) > 1:
            return None
        return int(np.abs(self.constraint).argmax())

    @cached_property
    def height(self) -> Fraction:
        """The exact coordinate that stays, where the drag is locked to a plane."""
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
        """The distances (n,) on the screen, in points, of points (n, 3) from a pixel, or from the wanted one."""
        return self.view.pixels_from(points, *(self.pixel if pixel is None else pixel)) / self.view.pixel_ratio

    def screen_point(self, point: Array | Vec3) -> float:
        """The size of a point of the screen, seen at a point of the scene, in scene units."""
        return self.view.pixel_ratio * self.view.pixel_size(point)
