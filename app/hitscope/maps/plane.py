"""The square of positions of a map, and a scale on which a wrong answer is seen."""

from dataclasses import dataclass
from math import frexp, isfinite, ulp

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import exact
from hitscope.geometry.shapes import Shape, Vec3
from hitscope.geometry.vector import vec3

SIZE, LARGEST_MAP = 256, 4096
"""The positions of a row of a map, unless others are asked for, and the most of them."""
ALONG_AN_AXIS = 1 - 1e-9
"""The least component of a unit vector that counts as a coordinate axis: the pixels are exactly along that."""
SMALLEST = 2.0**-1000
"""The coordinate next to zero whose ulp is the finest scale: products of such numbers need not underflow."""
FEW_ULPS = 16
"""Below so many ulps a pixel, the scale is a power of two: then the pixels are numbers, evenly spaced."""
MARGINS = 8.0
"""The width of a map, in distances of the pair from the other answer."""
FINEST = 2.0**-1000
"""A scale below all others, which stands for one ulp a pixel."""


@dataclass(frozen=True)
class MapPlane:
    """`size` x `size` positions: pixel (x, y) is origin + x * right + y * up, in float64 from left to right."""

    origin: Vec3
    right: Vec3
    up: Vec3
    size: int

    @property
    def center(self) -> Vec3:
        return self.position(self.size // 2, self.size // 2)

    @property
    def axes(self) -> tuple[Vec3, Vec3]:
        """The unit vectors along the rows and upwards."""
        right, up = (vec3(part / self.scale for part in step) for step in (self.right, self.up))
        return right, up

    @property
    def scale(self) -> float:
        """The distance of two pixels of a row, in scene units."""
        return float(np.linalg.norm(self.right))

    def positions(self, rows: slice = slice(None)) -> NDArray[np.float64]:
        """Return the positions of some rows, from the bottom up, each from left to right; (n, 3)."""
        steps = np.arange(self.size, dtype=np.float64)
        origin, right, up = (np.array(vector) for vector in (self.origin, self.right, self.up))
        row = origin + steps[:, None] * right
        return np.reshape(row[None, :, :] + (steps[rows, None] * up)[:, None, :], (-1, 3))

    def position(self, x: int, y: int) -> Vec3:
        return vec3(o + x * r + y * u for o, r, u in zip(self.origin, self.right, self.up, strict=True))

    def pixel(self, position: Vec3) -> tuple[float, float]:
        """Return the pixel, with its fraction, that is nearest to a position."""
        offset = np.subtract(position, self.origin)
        x, y = (float(offset @ np.array(step) / np.dot(step, step)) for step in (self.right, self.up))
        return x, y

    @property
    def ulps(self) -> float:
        """The ulps of the largest coordinate that changes, anywhere in the square, in a pixel."""
        last = self.size - 1
        corners = [self.position(x, y) for x in (0, last) for y in (0, last)]
        return self.scale / max(_least(corner, self.right, self.up) for corner in corners)


def plane_facing(center: Vec3, right: Vec3, up: Vec3, scale: float, size: int) -> MapPlane:
    """Return the plane around a position, along two unit vectors, with `scale` scene units a pixel.

    The position is that of pixel (size // 2, size // 2). A vector that is a coordinate axis but for rounding is
    taken as that axis; a scale of a few ulps becomes a power of two. Raises ValueError for a scale that is none.
    """
    if not (isfinite(scale) and scale > 0):
        raise ValueError(f"expected a scale above 0, found {scale!r}")
    right, up = _snapped(right), _snapped(up)
    least = _least(center, right, up)
    if scale < FEW_ULPS * least:
        scale = max(least, 2.0 ** (frexp(scale)[1] - 1))
    half = size // 2
    across, upward = (tuple(scale * part for part in vector) for vector in (right, up))
    a, b, c = (m - half * r - half * u for m, r, u in zip(center, across, upward, strict=True))
    return MapPlane((a, b, c), vec3(across), vec3(upward), size)


def _least(center: Vec3, right: Vec3, up: Vec3) -> float:
    """Return an ulp of the largest coordinate that changes in a plane; that of 2**-1000 around zero."""
    largest = max(abs(part) for part, r, u in zip(center, right, up, strict=True) if r or u)
    return ulp(max(largest, SMALLEST))


def _snapped(vector: Vec3) -> Vec3:
    return vec3(float(round(part)) for part in vector) if max(map(abs, vector)) > ALONG_AN_AXIS else vector


def telling_scale(probe: Shape, primitive: Shape, size: int) -> float:
    """Return the scene units a pixel of a map of a pair that is judged wrongly: FINEST if it only touches."""
    relation = exact.relation(probe, primitive)
    margin = exact.way_out(probe, primitive)[0] if relation.hit else abs(exact.distance(probe, primitive))
    scale = MARGINS * margin / size
    return float(f"{scale:.2g}") if scale > FINEST and isfinite(scale) else FINEST
