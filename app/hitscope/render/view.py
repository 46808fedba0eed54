"""The view: a camera that shows the scene in a rectangle of pixels, with the maps between scene and pixels."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitscope.draw.extent import Stage
from hitscope.geometry.arrays import Array, polar
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.render.camera import ORTHOGRAPHIC_START, Camera, Viewport


class ViewRay(NamedTuple):
    """The half-line origin + t * direction, t > 0, of the points that are projected to a pixel."""

    origin: Array  # (3,)
    direction: Array  # (3,), of unit length

    def in_stage(self, stage: Stage) -> "ViewRay":
        return ViewRay(stage.to_stage(self.origin), self.direction)

    def at(self, t: float) -> Array:
        """The point (3,) at a distance from the origin."""
        return np.asarray(self.origin + t * self.direction)

    def depth_on_plane(self, point: ArrayLike, normal: Array, least_sine: float = 0.0) -> float | None:
        """The t at which the ray meets the plane through a point, the unit normal being (3,).

        None where the plane is behind the origin or the sine of its angle with the ray is not above `least_sine`.
        """
        slope = float(self.direction @ normal)
        if not slope * slope > least_sine**2:
            return None
        depth = float((np.asarray(point, float) - self.origin) @ normal) / slope
        return depth if 0 < depth < math.inf else None

    def nearest_on_line(self, start: ArrayLike, direction: Array, least_sine: float) -> float | None:
        """The s of start + s * direction (unit) nearest to the ray; None for a sine below `least_sine`."""
        slant = float(direction @ self.direction)
        if 1 - slant * slant < least_sine**2:
            return None
        out = self.origin - np.asarray(start, float)
        return float((out @ direction - out @ self.direction * slant) / (1 - slant * slant))

    def nearest_on_segments(self, starts: Array, ends: Array) -> Array:
        """The points (n, 3) of segments, given by their ends (n, 3), that are nearest to the ray's line."""
        sight = self.direction
        with np.errstate(all="ignore"):
            ways, out = ends - starts, starts - self.origin
            # Without the components along the ray, the segments are projected to a plane across it.
            flat = ways - np.outer(ways @ sight, sight)
            out -= np.outer(out @ sight, sight)
            parts = -np.einsum("ni,ni->n", out, flat) / np.einsum("ni,ni->n", flat, flat)
            return np.asarray(starts + np.clip(np.nan_to_num(parts), 0, 1)[:, None] * ways)


class View(NamedTuple):
    """A camera and the rectangle of pixels in which it shows the scene; `pixel_ratio` is pixels per point.

    Points of the scene are in scene units, pixels are from the picture's top left corner.
    """

    camera: Camera
    viewport: Viewport
    pixel_ratio: float = 1.0

    def project(self, points: ArrayLike) -> Array:
        """Pixel x, pixel y and depth in scene units (n, 3) of points (n, 3) or (3,).

        Depth is the distance along the view from where the rays through pixels begin; behind that it is not
        positive and x, y are NaN.
        """
        camera, (left, top, width, height) = self.camera, self.viewport
        # In halves, or the difference of the largest numbers would overflow.
        relative = np.asarray(points, float).reshape(-1, 3) / 2 - np.array(camera.eye) / 2
        relative /= camera.distance / 2
        right, up, back = camera.axes @ relative.T
        ahead = ORTHOGRAPHIC_START - back if camera.orthographic else -back
        with np.errstate(all="ignore"):
            nearness = np.ones_like(ahead) if camera.orthographic else 1 / ahead
            unit = np.where(ahead > 0, height / 2 / camera.slope * nearness, np.nan)
            x = left + width / 2 + right * unit
            y = top + height / 2 - up * unit
            return np.stack([x, y, ahead * camera.distance], axis=1)

    def pixels_from(self, points: ArrayLike, x: float, y: float) -> Array:
        """The distances (n,) in pixels of points (n, 3) from the pixel (x, y), infinite behind the eye."""
        projected = self.project(points)
        with np.errstate(all="ignore"):
            away = np.hypot(projected[:, 0] - x, projected[:, 1] - y)
        return np.where(projected[:, 2] > 0, np.nan_to_num(away, nan=np.inf), np.inf)

    def frontmost_near(
        self, centers: Array, radii: Array, x: float, y: float, reach: float, most: int
    ) -> NDArray[np.intp]:
        """Indices of spheres (n, 3), (n,) within some `reach` pixels or beyond float64, the `most` nearest."""
        origin, sight = self.ray_through(x, y)
        spread = reach * self.pixel_size_at(1.0)
        with np.errstate(all="ignore"):
            out = centers - origin
            along = out @ sight
            beside = np.linalg.norm(out - along[:, None] * sight, axis=1)
            ahead = along + radii
            widths = spread * (1.0 if self.camera.orthographic else ahead)
            found = np.flatnonzero((ahead > 0) & ~(beside > radii + widths))
        depths = np.nan_to_num(along[found] - radii[found], nan=-np.inf, neginf=-np.inf)
        return found[np.argsort(depths, kind="stable")[:most]]

    def ray_through(self, x: float, y: float) -> ViewRay:
        """The ray through a pixel, from the eye or, in an orthographic picture, from far behind it."""
        camera, (left, top, width, height) = self.camera, self.viewport
        right = (x - left - width / 2) / (height / 2) * camera.slope
        up = (top + height / 2 - y) / (height / 2) * camera.slope
        if camera.orthographic:
            with np.errstate(over="ignore"):  # then it begins infinitely far behind
                behind = np.array([right, up, ORTHOGRAPHIC_START]) @ camera.axes * camera.distance
                return ViewRay(camera.eye + behind, -camera.axes[2])
        direction = np.array([right, up, -1.0]) @ camera.axes
        return ViewRay(np.array(camera.eye), direction / np.linalg.norm(direction))

    def beside_target(self, x: float, y: float) -> Array:
        """The point (3,) at a pixel and at the target's depth; not finite where float64 has no such point."""
        origin, sight = self.ray_through(x, y)
        back = self.camera.axes[2]
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(origin + sight * ((origin - np.array(self.camera.target)) @ back / -(sight @ back)))

    def toward_eye(self, point: ArrayLike) -> tuple[Array, float]:
        """The unit direction (3,) from a point to the eye, and the distance; in an orthographic view it is inf."""
        if self.camera.orthographic:
            return self.camera.axes[2], math.inf
        distance, direction = polar(np.subtract(self.camera.eye, point))
        return direction, distance or 1.0

    def pixel_size_at(self, depth: float) -> float:
        """The height of a pixel at a depth, in scene units."""
        camera = self.camera
        return camera.pixel_size(camera.distance if camera.orthographic else depth, self.viewport.height)

    def pixel_size(self, point: ArrayLike) -> float:
        """The height of a pixel at a point (3,), in scene units; not positive behind the eye."""
        return self.pixel_size_at(float(self.project(point)[0, 2]))

    def decimals(self, point: ArrayLike) -> int:
        """The number of visible decimals of coordinates near a point: a unit of the next one is below a pixel."""
        size = self.pixel_size(point)
        return math.ceil(-math.log10(size)) if 0 < size < math.inf else 0

    def rounded(self, point: Array) -> Vec3:
        """A point (3,) rounded to the decimals that are visible there."""
        decimals = self.decimals(point)
        return vec3(round(value, decimals) + 0.0 for value in point.tolist())
