"""The faces of a large set that may be nearest to a probe: found in floats, so that few are left for integers.

No distance is shorter than its projection onto a unit vector. So a face is left out if it lies behind the foremost
corner, along any direction, by more than the length of some vector between the sets exceeds the projected gap. The
direction is that of the shortest vector (`approach`), or the normal of the face that separates the sets the most:
of two sets that all but touch, the shortest vector is too short to have a direction.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hitscope.geometry.exact.approach import Moving, approach
from hitscope.geometry.exact.clipping import linear_probe
from hitscope.geometry.exact.hull import Cycle
from hitscope.geometry.exact.integers import Homogeneous
from hitscope.geometry.exact.sets import ConvexSet, convex_set, hull_points
from hitscope.geometry.exact.sides import Array, about, direction_rows
from hitscope.geometry.shapes import Line, Ray, Segment, Shape, is_linear

CORNERS_FROM = 257
"""The corners of all faces of a set from which it is worth while to leave some out."""
TOLERANCE = 2.0**-40
"""A bound of the error of a height computed in float64, relative to the size of both sets."""


class _Floats(NamedTuple):
    """A set about its first corner, in units of a power of two for which no coordinate is above 1."""

    center: Homogeneous
    exponent: int
    corners: Array  # (n, 3)
    normals: Array  # (k, 3) of those faces that have area, unit
    anchors: Array  # (k, 3) a corner of each


def has_many_corners(body: ConvexSet) -> bool:
    """Whether `near_faces` leaves faces out."""
    return sum(map(len, body.faces)) >= CORNERS_FROM


def near_faces(probe: Shape, primitive: Shape) -> Sequence[Cycle]:
    """Return those faces of a primitive among which are all that are nearest to a probe apart from it."""
    body = convex_set(primitive)
    if not (body.bounded and has_many_corners(body)):
        return body.faces
    floats = _floats(primitive)
    ends, exponent = about(floats.center, ends_of(probe), floats.exponent)
    far, anchors = (np.ldexp(points, floats.exponent - exponent) for points in (floats.corners, floats.anchors))
    near = _part_near(far, ends[0], probe) if isinstance(probe, Ray | Line) else ends
    still = Moving(near.tolist(), far, (0.0, 0.0, 0.0), 0.0)  # type: ignore[arg-type]  # rows are points, too
    nearest = approach(still, 0.0, 0.0, [(0, 0)])
    shortest = near[0] - far[0] if nearest is None else np.array(nearest.away)
    length = float(np.linalg.norm(shortest))
    apart = (near @ floats.normals.T).min(axis=0) - (anchors * floats.normals).sum(axis=1)
    directions = [*floats.normals[apart.argsort()[-1:]], *([shortest / length] if length else [])]
    if not directions:
        return body.faces
    gaps = [float((near @ along).min() - (far @ along).max()) for along in directions]
    gap, along = max(zip(gaps, directions, strict=True), key=lambda found: found[0])
    heights = far @ along
    is_near = heights >= heights.max() - (length - gap + TOLERANCE * (1.0 + float(np.abs(near).max())))
    of_faces, starts = body.corners_of_faces
    kept = np.flatnonzero(np.logical_or.reduceat(is_near[of_faces], starts))
    return [body.faces[i] for i in kept.tolist()]


@lru_cache(maxsize=1 << 6, typed=True)  # A drag changes the probe alone.
def _floats(shape: Shape) -> _Floats:
    body = convex_set(shape)
    center = body.vertices[0]
    corners, exponent = about(center, body.vertices)
    of_faces, starts = body.corners_of_faces
    anchors = corners[of_faces[starts]]
    arms = corners[of_faces] - np.repeat(anchors, np.diff(starts, append=len(of_faces)), axis=0)
    # The first arm of each face is 0, so that no product is of two faces.
    normals = np.add.reduceat(np.cross(arms, np.roll(arms, -1, axis=0)), starts)
    lengths = np.linalg.norm(normals, axis=1)
    has_area = lengths > 0
    normals, anchors = normals[has_area] / lengths[has_area, None], anchors[has_area]
    if body.planes:
        normals, anchors = np.concatenate([normals, -normals]), np.concatenate([anchors, anchors])
    return _Floats(center, exponent, corners, normals, anchors)


def ends_of(probe: Shape) -> Sequence[Homogeneous]:
    """Return the points of a set one of which is the nearest to any plane that the set does not meet."""
    if not is_linear(probe):
        return hull_points(probe)
    # A ray or line comes no nearer to it than its origin.
    line = linear_probe(probe)
    return [line.at(Fraction(t)) for t in ((0, 1) if isinstance(probe, Segment) else (0,))]


def _part_near(far: Array, origin: Array, probe: Ray | Line) -> Array:
    """Return the ends (2, 3) of a part of an endless probe in which the nearest point to any corner is."""
    line = linear_probe(probe)
    way = direction_rows([line.direction])[0]
    way /= np.linalg.norm(way) or 1.0
    along = (far - origin) @ way
    reach = np.array([along.min() - 1.0, along.max() + 1.0])
    return np.asarray(origin + np.clip(reach, float(line.t_min), None)[:, None] * way)
