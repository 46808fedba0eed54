"""The intervals of a line inside boxes, triangles, round shapes and half-spaces, accurate enough for a picture.

Used to order hits from near to far and to draw the part of a probe that lies inside; never for a verdict.
Everything is in stage units, in which a scene is about one unit large, so nothing overflows.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array


class ParametricLine(NamedTuple):
    """origin + t * direction, from t_min to t_max, the direction of unit length (or zero), in stage units."""

    origin: Array
    direction: Array
    t_min: float
    t_max: float


def box_intervals(line: ParametricLine, origins: Array, edges: Array) -> Array:
    """The interval of t (n, 2) inside each box; NaN for a miss, and for a flat box."""
    reciprocal = np.cross(np.roll(edges, -1, axis=1), np.roll(edges, -2, axis=1))
    with np.errstate(all="ignore"):
        reciprocal /= np.einsum("ni,ni->n", edges[:, 0], reciprocal[:, 0])[:, None, None]
        start = np.einsum("nij,nj->ni", reciprocal, line.origin - origins)
        slope = np.einsum("nij,j->ni", reciprocal, line.direction)
        low, high = -start / slope, (1 - start) / slope
        parallel = slope == 0
        outside = parallel & ((start < 0) | (start > 1))
        enter = np.where(parallel, -np.inf, np.minimum(low, high)).max(axis=1, initial=line.t_min)
        leave = np.where(parallel, np.inf, np.maximum(low, high)).min(axis=1, initial=line.t_max)
        missed = ~(enter <= leave) | outside.any(axis=1)
    return np.where(missed[:, None], np.nan, np.stack([enter, leave], axis=1))


def triangle_depths(line: ParametricLine, vertices: Array) -> Array:
    """The t (n,) at which the line meets each triangle's plane; NaN where it is parallel to it."""
    a, b, c = vertices.transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    with np.errstate(all="ignore"):
        t = np.einsum("ni,ni->n", normal, a - line.origin) / (normal @ line.direction)
    return np.where(np.isfinite(t), t, np.nan)


def triangle_intervals(line: ParametricLine, vertices: Array) -> Array:
    """The t at which the line meets each triangle, twice (n, 2); NaN for a miss."""
    t = triangle_depths(line, vertices)
    with np.errstate(over="ignore", invalid="ignore"):
        point = line.origin + t[:, None] * line.direction
        edges = np.roll(vertices, -1, axis=1) - vertices
        sides = np.cross(edges, point[:, None] - vertices)
        turns = np.einsum("nsi,ni->sn", sides, np.cross(edges[:, 0], -edges[:, 2]))
        met = (turns >= 0).all(axis=0) & (line.t_min <= t) & (t <= line.t_max)
    t = np.where(met, t, np.nan)
    return np.stack([t, t], axis=1)


def sphere_intervals(line: ParametricLine, centers: Array, radii: Array) -> Array:
    """The interval of t (n, 2) inside each sphere, by its center (n, 3) and radius (n,); NaN for a miss."""
    with np.errstate(all="ignore"):
        middle = (centers - line.origin) @ line.direction
        beside = line.origin + middle[:, None] * line.direction - centers
        half = np.sqrt(radii**2 - np.einsum("ni,ni->n", beside, beside))
        enter, leave = np.maximum(middle - half, line.t_min), np.minimum(middle + half, line.t_max)
    return np.where((enter <= leave)[:, None], np.stack([enter, leave], axis=1), np.nan)


def round_intervals(line: ParametricLine, starts: Array, ends: Array, radii: Array) -> Array:
    """The interval of t (n, 2) inside each capsule, by its ends (n, 3), of a sphere one; NaN for a miss."""
    found = sphere_intervals(line, starts, radii)
    long = np.flatnonzero((starts != ends).any(axis=1))
    if len(long):
        first, last, radius = starts[long], ends[long], radii[long]
        of_parts = found[long], sphere_intervals(line, last, radius), _side_intervals(line, first, last, radius)
        enter, leave = np.stack(of_parts).transpose(2, 0, 1)
        found[long] = np.stack([np.fmin.reduce(enter), np.fmax.reduce(leave)], axis=1)
    return found


def _side_intervals(line: ParametricLine, starts: Array, ends: Array, radii: Array) -> Array:
    """The interval of t (n, 2) inside each cylinder, by the ends (n, 3) of its axis; NaN for a miss."""
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(ends - starts, axis=1)
        axes, offsets = (ends - starts) / lengths[:, None], line.origin - starts
        slopes, heights = axes @ line.direction, np.einsum("ni,ni->n", axes, offsets)
        ways, beside = line.direction - slopes[:, None] * axes, offsets - heights[:, None] * axes
        squared = np.einsum("ni,ni->n", ways, ways)
        middle = -np.einsum("ni,ni->n", ways, beside) / squared
        nearest = beside + middle[:, None] * ways
        half = np.sqrt((radii**2 - np.einsum("ni,ni->n", nearest, nearest)) / squared)
        low, high = -heights / slopes, (lengths - heights) / slopes
        enter = np.maximum(np.maximum(middle - half, line.t_min), np.minimum(low, high))
        leave = np.minimum(np.minimum(middle + half, line.t_max), np.maximum(low, high))
    return np.where((enter <= leave)[:, None], np.stack([enter, leave], axis=1), np.nan)


def half_space_intervals(line: ParametricLine, normals: Array, offsets: Array, first: NDArray[np.intp]) -> Array:
    """The interval of t (n, 2) inside each intersection of half-spaces; NaN for a miss.

    The half-spaces dot(normal, p) <= offset of intersection i are those from `first[i]` to before `first[i + 1]`.
    """
    room = offsets - normals @ line.origin
    speed = normals @ line.direction
    with np.errstate(all="ignore"):
        t = room / speed
    enter = np.where(speed < 0, t, np.where((speed == 0) & (room < 0), np.inf, -np.inf))
    leave = np.where(speed > 0, t, np.inf)
    enter = np.maximum(np.maximum.reduceat(enter, first), line.t_min)
    leave = np.minimum(np.minimum.reduceat(leave, first), line.t_max)
    return np.where((enter <= leave)[:, None], np.stack([enter, leave], axis=1), np.nan)


def merged(intervals: Array) -> Array:
    """The union of intervals (n, 2) as disjoint intervals in ascending order; those with NaN are left out."""
    intervals = intervals[~np.isnan(intervals).any(axis=1)]
    if len(intervals) == 0:
        return intervals
    intervals = intervals[np.argsort(intervals[:, 0])]
    tops = np.maximum.accumulate(intervals[:, 1])
    gaps = intervals[1:, 0] > tops[:-1]
    return np.stack([intervals[np.r_[True, gaps], 0], tops[np.r_[gaps, True]]], axis=1)
