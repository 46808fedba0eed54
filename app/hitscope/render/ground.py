"""The ground: where it lies, how it is ruled, and where the scene's origin is."""

import math
from typing import Any, NamedTuple

import numpy as np

from hitscope.draw.extent import FAR, Stage
from hitscope.draw.items import Array
from hitscope.render.camera import Camera

FAR_FROM_ORIGIN = 1e3
"""So many sizes of the scene from the origin, the ground lies under the scene instead of at 0."""
DISTANCE_PER_SPACING = 8.0
FADE_PER_DISTANCE = 3.2
FIRST_AXIS_COLOUR = 9


class Ground(NamedTuple):
    """The plane of the grid, in stage units."""

    stage: Stage
    origin: Array  # (3,) the scene's origin
    up: int  # index of the up axis
    height: float  # along the up axis

    @classmethod
    def under(cls, stage: Stage, up: str, span: Array) -> "Ground":
        """Give the ground through the scene's origin; where that is far away, below `span` (2, 3)."""
        axis = "xyz".index(up)
        with np.errstate(over="ignore"):
            origin = -stage.anchor / stage.scale
        size = max(float(np.ptp(span, axis=0).max()) / 2, 1.0)
        near = abs(origin[axis]) < min(FAR_FROM_ORIGIN * size, FAR)
        return cls(stage, origin, axis, float(origin[axis] if near else span[0, axis]))

    @property
    def key(self) -> tuple[float, ...]:
        """What the ground is made of besides its stage, by value."""
        return float(self.up), self.height

    @property
    def axes(self) -> tuple[int, int]:
        """The indices of the ground's first and second axis."""
        return (0, 2) if self.up == 1 else (0, 1)

    @property
    def shows_origin(self) -> bool:
        """Whether the scene's origin is near enough to be drawn."""
        return bool(np.abs(self.origin).max() < FAR_FROM_ORIGIN)

    def feet(self, points: Array) -> Array:
        """Give the points (n, 3) of the ground right below or above stage points (n, 3)."""
        feet = points.copy()
        feet[:, self.up] = self.height
        return feet

    def uniforms(self, camera: Camera) -> dict[str, Any]:
        """Give what stage.frag needs to rule the ground as this camera sees it."""
        first, second = self.axes
        scale = self.stage.scale
        eye = (np.array(camera.eye) - self.stage.anchor) / scale
        target = (np.array(camera.target) - self.stage.anchor) / scale
        over = float(eye[self.up]) - self.height
        distance = max(camera.distance / scale, abs(over))
        level = math.log10(distance / DISTANCE_PER_SPACING) + math.log10(scale)
        going = max(0.0, 1.6 * (level - math.floor(level)) - 0.6)
        spacing = 10.0 ** (math.floor(level) - math.log10(scale))
        # The remainder is taken in float64: far from the origin float32 would not place the lines.
        phase = np.fmod(eye - self.origin, 100 * spacing)
        from_axes = np.clip(eye - self.origin, -1e12, 1e12)
        return {
            "ground_axes": (FIRST_AXIS_COLOUR + first, FIRST_AXIS_COLOUR + second, int(self.up == 2)),
            "eye_over_ground": (eye[first] - target[first], eye[second] - target[second], over),
            "eye_phase": (phase[first], phase[second]),
            "eye_from_axes": (from_axes[first], from_axes[second]),
            "spacing": (spacing, going * going * (3 - 2 * going), FADE_PER_DISTANCE * distance),
        }
