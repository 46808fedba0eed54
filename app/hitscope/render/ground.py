"""The grid: the ground or an upright plane, its lines, and the scene's origin."""

import math
from typing import Any, NamedTuple

import numpy as np

from hitscope.draw.extent import FAR, Stage
from hitscope.draw.items import Role
from hitscope.geometry.arrays import Array
from hitscope.render.camera import Camera

FAR_FROM_ORIGIN = 1e3
"""The sizes of the scene from the origin beyond which the grid lies beside the scene instead of at 0."""
DISTANCE_PER_SPACING = 8.0
FADE_PER_DISTANCE = 3.2
FIRST_AXIS_COLOUR = len(Role)
"""The colours of a frame are one a role, those of the axes, and others; see frame.glsl."""


def grid_distance(camera: Camera, over: float, scale: float = 1.0) -> float:
    """The distance that sets the grid's spacing: to the target, or of the eye from the grid's plane if larger.

    `over` and the result are in units of `scale`. In an orthographic picture only the target's distance counts.
    """
    return max(camera.distance / scale, 0.0 if camera.orthographic else abs(over))


def spacing_level(distance: float, scale: float = 1.0) -> float:
    """The exponent of the grid's spacing, 10 ** exponent scene units, for a `grid_distance` in `scale` units."""
    return math.log10(distance / DISTANCE_PER_SPACING) + math.log10(scale)


class Grid(NamedTuple):
    """A plane with grid lines across an axis, in stage units: the ground is the one across the up axis."""

    stage: Stage
    origin: Array  # (3,) the scene's origin
    across: int  # index of the axis
    height: float  # along that axis

    @classmethod
    def through(cls, stage: Stage, axis: int, bounds: Array) -> "Grid":
        """The grid through the scene's origin, or at the low end of `bounds` (2, 3) if the origin is far away."""
        with np.errstate(over="ignore"):
            origin = -stage.anchor / stage.scale
        size = max(float(np.ptp(bounds, axis=0).max()) / 2, 1.0)
        near = abs(origin[axis]) < min(FAR_FROM_ORIGIN * size, FAR)
        return cls(stage, origin, axis, float(origin[axis] if near else bounds[0, axis]))

    @property
    def key(self) -> tuple[float, ...]:
        """Its numbers besides its stage, by value."""
        return float(self.across), self.height

    @property
    def axes(self) -> tuple[int, int]:
        """The indices of its first and second axis."""
        return int(self.across == 0), 2 - int(self.across == 2)

    @property
    def shows_origin(self) -> bool:
        """Whether the scene's origin is near enough to be drawn."""
        return bool(np.abs(self.origin).max() < FAR_FROM_ORIGIN)

    def feet(self, points: Array) -> Array:
        """The points (n, 3) of the plane right below or above stage points (n, 3)."""
        feet = points.copy()
        feet[:, self.across] = self.height
        return feet

    def uniforms(self, camera: Camera) -> dict[str, Any]:
        """The uniforms of screen.vert and composite.frag by which the grid's lines are drawn for a camera."""
        first, second = self.axes
        scale = self.stage.scale
        eye, target = ((np.array(end) - self.stage.anchor) / scale for end in (camera.eye, camera.target))
        over = float(eye[self.across]) - self.height
        distance = grid_distance(camera, over, scale)
        level = spacing_level(distance, scale)
        going = max(0.0, 1.6 * (level - math.floor(level)) - 0.6)
        spacing = 10.0 ** (math.floor(level) - math.log10(scale))
        # The remainder is taken in float64: far from the origin float32 would not place the lines.
        phase = np.fmod(eye - self.origin, 100 * spacing)
        from_axes = np.clip(eye - self.origin, -1e12, 1e12)
        return {
            "eye_to_grid": camera.axes[:, (first, second, self.across)].ravel().tolist(),
            "upright": self.across != "xyz".index(camera.up),
            "grid_axes": (FIRST_AXIS_COLOUR + first, FIRST_AXIS_COLOUR + second),
            "eye_over_grid": (eye[first] - target[first], eye[second] - target[second], over),
            "eye_phase": (phase[first], phase[second]),
            "eye_from_axes": (from_axes[first], from_axes[second]),
            "spacing": (spacing, going * going * (3 - 2 * going), FADE_PER_DISTANCE * distance),
        }
