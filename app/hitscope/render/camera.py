"""The camera: its position, its matrices, and its moves by the mouse."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyrr
from numpy.typing import ArrayLike

from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.scene.model import FileView, Up

RADIANS_PER_POINT = 0.006
STEEPEST = math.radians(89.5)
STRAIGHT = math.radians(90) - 1e-9
ZOOM_PER_STEP = 0.88
MARGIN = 1.12
"""The factor by which the frame is larger than the framed scene."""
STEPS = 8
"""The steps of Newton's method that center a framed scene in the picture."""
FARTHEST = 1e301
"""The largest coordinate of a camera, so that its distances are finite."""
LEVEL = 1e-6
"""The largest sine of the angle between a direction of view and an axis that counts as along it."""
ORTHOGRAPHIC_START = 1e4
"""The camera distances behind the eye at which the rays of an orthographic picture begin."""
START_OFFSET: dict[str, Vec3] = {"y": (0.55, 0.42, 1.0), "z": (0.55, -1.0, 0.42)}
UP_AXIS: dict[str, Vec3] = {"y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
FRONT: dict[str, Vec3] = {"y": (0.0, 0.0, 1.0), "z": (0.0, -1.0, 0.0)}
"""The direction from which a front view is taken; the right is +x for both."""


class Viewport(NamedTuple):
    """The rectangle of a picture that shows the scene, in pixels; (0, 0) is the picture's top left corner."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Camera:
    """A camera in scene units; `fov_deg` is vertical. Every change is a new camera.

    An orthographic camera shows everything at the size that a perspective one has at the target's depth.
    """

    eye: Vec3
    target: Vec3
    up: Up = "y"
    fov_deg: float = 45.0
    orthographic: bool = False

    @classmethod
    def of_view(cls, view: FileView | None, corners: ArrayLike, viewport: Viewport) -> "Camera":
        """The camera that a scene opens with: its own, or one that shows corners (n, 3)."""
        up: Up = "y" if view is None else view.up
        if view is not None and view.camera is not None:
            given = view.camera
            return cls(given.eye, given.target, up, given.fov_deg)
        return cls(START_OFFSET[up], (0.0, 0.0, 0.0), up).frame(corners, viewport)

    @property
    def distance(self) -> float:
        """From the eye to the target, in scene units; never 0."""
        return math.dist(self.eye, self.target) or 1.0

    @cached_property
    def axes(self) -> Array:
        """Unit vectors (3, 3): rows right, up and back of the picture, in scene axes."""
        offset = (np.array(self.eye) - np.array(self.target)) / self.distance
        back = offset if offset.any() else np.array([0.0, 0.0, 1.0])
        up = np.array(UP_AXIS[self.up])
        if np.linalg.norm(np.cross(up, back)) < 1e-9:
            # Straight from above or below: the picture's top is where the ground's second axis points.
            up = np.array([0.0, 0.0, -1.0] if self.up == "y" else [0.0, 1.0, 0.0]) * np.sign(up @ back)
        return np.asarray(pyrr.matrix44.create_look_at(back, np.zeros(3), up)[:3, :3].T)

    @cached_property
    def grid_axis(self) -> int:
        """The index of the axis across which the grid lies: the one along which the view looks, else up."""
        aside = np.sort(np.abs(self.axes[2]))[1]
        return int(np.abs(self.axes[2]).argmax()) if aside < LEVEL else "xyz".index(self.up)

    @property
    def slope(self) -> float:
        """Half of the picture's height at the target, over the target's distance."""
        return math.tan(math.radians(self.fov_deg) / 2)

    def pixel_size(self, depth: float, height: int) -> float:
        """The height of a pixel at a depth of a perspective picture `height` pixels high, in the depth's unit."""
        return 2 * self.slope * depth / height

    @property
    def angles(self) -> tuple[float, float]:
        """Azimuth and height of the eye as seen from the target, in radians: right of the front, above the ground.

        Straight above or below, the azimuth is that of a camera that comes down with its picture upright.
        """
        up, front = np.array(UP_AXIS[self.up]), np.array(FRONT[self.up])
        _, top, back = self.axes
        height = float(up @ back)
        level = back if abs(height) < 1 - 1e-12 else -top * math.copysign(1.0, height)
        along, aside = float(level @ front), float(level @ np.cross(up, front))
        return math.atan2(aside, along), math.atan2(height, math.hypot(*np.cross(up, back)))

    def view_matrix(self, anchor: ArrayLike, scale: float) -> Array:
        """The matrix (4, 4), laid out as GL does, from the stage frame, (p - anchor) / scale, to the eye's."""
        rotation = self.axes
        matrix = np.eye(4)
        matrix[:3, :3] = rotation.T
        matrix[3, :3] = -rotation @ ((np.array(self.eye) - np.asarray(anchor)) / scale)
        return matrix

    def projection_matrix(self, aspect: float, near: float, far: float, scale: float = 1.0) -> Array:
        """The matrix (4, 4), laid out as GL does, from the eye's frame, in units of `scale`, to clip space."""
        if self.orthographic:
            high = self.slope * self.distance / scale
            sides = (-aspect * high, aspect * high, -high, high)
            return np.asarray(pyrr.matrix44.create_orthogonal_projection_matrix(*sides, float(near), float(far)))
        create = pyrr.matrix44.create_perspective_projection_matrix
        return np.asarray(create(float(self.fov_deg), float(aspect), float(near), float(far)))

    def orbit(self, dx: float, dy: float) -> "Camera":
        """Turn around the target as a drag by (dx, dy) points does, y down; stops short of the poles."""
        axis = np.array(UP_AXIS[self.up])
        right, _, back = self.axes
        height = math.asin(max(-1.0, min(1.0, float(axis @ back))))
        pitch = max(-STEEPEST, min(STEEPEST, height + dy * RADIANS_PER_POINT)) - height
        turn = pyrr.quaternion.cross(
            pyrr.quaternion.create_from_axis_rotation(axis, -dx * RADIANS_PER_POINT),
            pyrr.quaternion.create_from_axis_rotation(right, -pitch),
        )
        return self._seen_along(pyrr.quaternion.apply_to_vector(turn, back) * self.distance)

    def pan(self, dx: float, dy: float, viewport: Viewport) -> "Camera":
        """Move sideways so that points at the target's depth follow a drag by (dx, dy) pixels, y down."""
        pixel = self.pixel_size(self.distance, viewport.height)
        shift = np.array([-dx * pixel, dy * pixel, 0.0]) @ self.axes
        return self._at(np.array(self.eye) + shift, np.array(self.target) + shift)

    def zoom(self, steps: float, toward: ArrayLike | None = None) -> "Camera":
        """Zoom in, or out if negative, as far as float64 goes; `toward` (3,), else the target, keeps its pixel."""
        point = np.array(self.target) if toward is None else np.asarray(toward, float)
        factor = ZOOM_PER_STEP**steps
        with np.errstate(over="ignore"):
            nearer = self._at(*(point + (np.array(end) - point) * factor for end in (self.eye, self.target)))
        size = max(map(abs, nearer.target), default=0.0)
        span = math.dist(nearer.eye, nearer.target)
        return nearer if math.isfinite(span) and span > 1e-13 * size and span > 0 else self

    def seen_from(self, azimuth: float, height: float) -> "Camera":
        """Look at the target from an azimuth and a height, as in `angles`, at the same distance."""
        up, front = np.array(UP_AXIS[self.up]), np.array(FRONT[self.up])
        level = math.cos(azimuth) * front + math.sin(azimuth) * np.cross(up, front)
        # A right angle is straight above, without the last bit of its cosine.
        flat = math.cos(height) if abs(height) < STRAIGHT else 0.0
        return self._seen_along((flat * level + math.sin(height) * up) * self.distance)

    def fly(self, ahead: float, right: float, up: float) -> "Camera":
        """Move by lengths in scene units along the picture's directions; ahead an orthographic camera zooms."""
        shift = np.array([right, up, 0.0 if self.orthographic else -ahead]) @ self.axes
        moved = self._at(np.array(self.eye) + shift, np.array(self.target) + shift)
        return moved.zoom(-ahead / self.distance / math.log(ZOOM_PER_STEP)) if self.orthographic else moved

    def look(self, dx: float, dy: float) -> "Camera":
        """Turn about the eye as a drag by (dx, dy) points does, y down; stops short of the poles."""
        turned = self.orbit(dx, dy)
        shift = np.array(self.eye) - np.array(turned.eye)
        return self._at(np.array(self.eye), np.array(turned.target) + shift)

    def with_up(self, up: Up) -> "Camera":
        """The camera at the same azimuth, height and distance with another axis up."""
        return replace(self, up=up).seen_from(*self.angles)

    def frame(self, corners: ArrayLike, viewport: Viewport, about: bool = False) -> "Camera":
        """Keep the direction and move back until corners (n, 3) are all in the picture.

        Their projections are centered in the picture; with `about`, the camera looks at the middle of their bounds
        and orbits it.
        """
        points = np.asarray(corners, float)
        lo, hi = points.min(axis=0) / 2, points.max(axis=0) / 2
        center = lo + hi
        size = float((hi - lo).max()) or 1.0
        turned = (points - center) / size @ self.axes.T
        across, back = turned[:, :2], turned[:, 2:]
        slopes = self.slope / MARGIN * np.array([viewport.width / viewport.height, 1.0])
        # The offset at the target of the planes from the eye through the picture's sides.
        high, low = (across + slopes * back).max(axis=0), (slopes * back - across).max(axis=0)
        if about:
            high = low = np.maximum(high, low)
        # In an orthographic picture the size does not depend on the depth.
        spans = np.maximum(high + low, np.ptp(across, axis=0)) if self.orthographic else high + low
        away = max(float((spans / (2 * slopes)).max()), MARGIN * float(back.max())) or 4.0
        size = min(size, FARTHEST / away)
        aside = np.zeros(2) if about else _middle(across, away - back * (not self.orthographic), (high - low) / 2)
        target = vec3((center + aside @ self.axes[:2] * size).tolist())
        return replace(self, target=target)._seen_along(self.axes[2] * (size * away))

    def _seen_along(self, offset: Array) -> "Camera":
        return self._at(np.array(self.target) + offset, np.array(self.target))

    def _at(self, eye: Array, target: Array) -> "Camera":
        return replace(self, eye=vec3(np.clip(eye, -FARTHEST, FARTHEST).tolist()), target=vec3(target.tolist()))


def _middle(across: Array, depths: Array, aside: Array) -> Array:
    """The middle (2,) of the projections of points `across` (n, 2) at depths (n, 1), by Newton's method."""
    nearness = 1 / depths
    start = across * nearness
    for _ in range(STEPS):
        projected = start - aside * nearness
        ends = projected.argmin(axis=0), projected.argmax(axis=0)
        off = sum(projected[end, (0, 1)] for end in ends)
        aside = aside + off / sum(nearness[end, 0] for end in ends)
    return aside
