"""The point to which the mouse drags another: freely, along a direction, or locked; and the step of the grid."""

import math
from typing import NamedTuple

import numpy as np

from hitscope.draw.extent import Stage
from hitscope.draw.handle_targets import with_coordinate
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.render.camera import Camera
from hitscope.render.ground import grid_distance, spacing_level
from hitscope.render.view import View
from hitscope.scene.decimals import difference, total
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Pixel

AXES = "xyz"
END_ON = 0.01
"""The least sine of the angle to the line of sight at which an axis or a plane can be dragged along."""


class AxisLock(NamedTuple):
    """The lock of a drag to a coordinate axis, or to the plane across it."""

    axis: int
    plane: bool = False

    @property
    def directions(self) -> Array:
        """The unit directions (n, 3) of the axis or the plane."""
        return np.eye(3)[[(k == self.axis) != self.plane for k in range(3)]]

    def words(self, owner: str = "the ") -> str:
        """The lock in words, e.g. "along x"; `owner` is "the " for the world's axes, or "its own "."""
        if self.plane:
            return f"in {owner}{AXES.replace(AXES[self.axis], '')} plane"
        return f"along {owner.removeprefix('the ')}{AXES[self.axis]}"


def constraint_words(constraint: Array) -> str:
    """The direction in which a handle moves in words, e.g. "along x"."""
    axes = np.flatnonzero(constraint)
    return AxisLock(int(axes[0])).words() if len(axes) == 1 else "along its normal"


def dragged_point(
    view: View, stage: Stage, start: Vec3, pixel: Pixel, lock: AxisLock | None, constraint: Array | None = None
) -> Vec3 | None:
    """The point to which the mouse drags `start`: along `constraint` (3,), by the lock, else facing the camera.

    It is rounded to the visible decimals; None where the direction is seen end on or beyond the horizon.
    """
    axis = constraint if constraint is not None else None if lock is None else np.eye(3)[lock.axis]
    if axis is None or (constraint is None and lock is not None and lock.plane):
        on_plane = point_on_plane(view, stage, start, view.camera.axes[2] if axis is None else axis, pixel)
        if on_plane is None:
            return None
        free = view.rounded(on_plane)
        return free if lock is None else with_coordinate(free, lock.axis, start[lock.axis])
    ray, point = view.ray_through(*pixel).in_stage(stage), stage.to_stage(np.array(start))
    along = ray.nearest_on_line(point, axis, END_ON) if np.isfinite(ray.origin).all() else None
    if along is None:
        return None
    to = view.rounded(stage.to_scene(point + along * axis))
    return vec3(new if way else old for new, old, way in zip(to, start, axis, strict=True))


def point_on_plane(view: View, stage: Stage, start: Vec3, normal: Array, pixel: Pixel) -> Array | None:
    """The point (3,) at a pixel of a plane with a unit normal (3,); None end on, or beyond its horizon."""
    ray = view.ray_through(*pixel).in_stage(stage)
    depth = ray.depth_on_plane(stage.to_stage(np.array(start)), normal, END_ON)
    return None if depth is None else stage.to_scene(ray.at(depth))


def point_at_distance(
    start: Vec3, free: Vec3, distance: float, lock: AxisLock | None, constraint: Array | None = None
) -> Vec3 | None:
    """The point at a distance from a start, along the constraint or axis, else towards `free` if that is apart."""
    direction = np.array(difference(free, start))
    if constraint is not None:
        direction = constraint
    elif lock is not None and not lock.plane:
        direction = np.eye(3)[lock.axis]
    length = float(np.linalg.norm(direction))
    if not 0 < length < math.inf:
        return None
    return total(start, vec3(distance * value / length + 0.0 for value in direction.tolist()))


def point_words(point: Vec3) -> str:
    """The coordinates of a point, e.g. "(1, 0.5, 2)"."""
    x, y, z = point
    return f"({x:g}, {y:g}, {z:g})"


def path_words(start: Vec3, end: Vec3) -> str:
    return f"from {point_words(start)} to {point_words(end)}"


def grid_step_of(state: State) -> float:
    """The step of the grid, in scene units: as set, or that of the finest lines of the grid."""
    return state.settings.grid_step or grid_step(state.display.view.camera)


def grid_step(camera: Camera) -> float:
    """The spacing of the finest grid lines in this view, a power of ten in scene units."""
    distance = grid_distance(camera, camera.eye[camera.grid_axis])
    return float(f"1e{math.floor(spacing_level(distance))}")
