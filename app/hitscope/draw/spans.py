"""Where a linear probe runs through boxes, triangles and half-spaces, to the accuracy of a picture.

Used to order hits from near to far and to draw the part of a probe that lies inside; never for a verdict.
Everything is in stage units, in which a scene is about one unit large, so nothing overflows.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.items import Array


class Course(NamedTuple):
    """origin + t * direction, from t_min to t_max, the direction of unit length (or zero), in stage units."""

    origin: Array
    direction: Array
    t_min: float
    t_max: float


def box_spans(course: Course, origins: Array, edges: Array) -> Array:
    """Give (n, 2): where the course is inside each box; NaN where it is not, or where the box is flat."""
    reciprocal = np.cross(np.roll(edges, -1, axis=1), np.roll(edges, -2, axis=1))
    with np.errstate(all="ignore"):
        reciprocal /= np.einsum("ni,ni->n", edges[:, 0], reciprocal[:, 0])[:, None, None]
        start = np.einsum("nij,nj->ni", reciprocal, course.origin - origins)
        slope = np.einsum("nij,j->ni", reciprocal, course.direction)
        low, high = -start / slope, (1 - start) / slope
        parallel = slope == 0
        outside = parallel & ((start < 0) | (start > 1))
        enter = np.where(parallel, -np.inf, np.minimum(low, high)).max(axis=1, initial=course.t_min)
        leave = np.where(parallel, np.inf, np.maximum(low, high)).min(axis=1, initial=course.t_max)
        missed = ~(enter <= leave) | outside.any(axis=1)
    return np.where(missed[:, None], np.nan, np.stack([enter, leave], axis=1))


def triangle_depths(course: Course, vertices: Array) -> Array:
    """Give (n,): t where the course meets each triangle's plane; NaN where it is parallel to it."""
    a, b, c = vertices.transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    with np.errstate(all="ignore"):
        t = np.einsum("ni,ni->n", normal, a - course.origin) / (normal @ course.direction)
    return np.where(np.isfinite(t), t, np.nan)


def triangle_spans(course: Course, vertices: Array) -> Array:
    """Give (n, 2): t twice where the course meets each triangle within its sides; NaN where it does not."""
    a, b, c = vertices.transpose(1, 0, 2)
    t = triangle_depths(course, vertices)
    with np.errstate(over="ignore", invalid="ignore"):
        point = course.origin + t[:, None] * course.direction
        sides = np.stack([np.cross(b - a, point - a), np.cross(c - b, point - b), np.cross(a - c, point - c)])
        turns = np.einsum("sni,ni->sn", sides, np.cross(b - a, c - a))
        met = (turns >= 0).all(axis=0) & (course.t_min <= t) & (t <= course.t_max)
    t = np.where(met, t, np.nan)
    return np.stack([t, t], axis=1)


def half_space_spans(course: Course, normals: Array, offsets: Array, first: NDArray[np.intp]) -> Array:
    """Give (n, 2): where the course is inside each body; NaN where it is not.

    The half-spaces dot(normal, p) <= offset of body i are those from `first[i]` to before `first[i + 1]`.
    """
    if len(first) == 0:
        return np.empty((0, 2))
    room = offsets - normals @ course.origin
    speed = normals @ course.direction
    with np.errstate(all="ignore"):
        t = room / speed
    enter = np.where(speed < 0, t, np.where((speed == 0) & (room < 0), np.inf, -np.inf))
    leave = np.where(speed > 0, t, np.inf)
    spans = np.stack([np.maximum.reduceat(enter, first), np.minimum.reduceat(leave, first)], axis=1)
    spans = np.stack([np.maximum(spans[:, 0], course.t_min), np.minimum(spans[:, 1], course.t_max)], axis=1)
    spans[~(spans[:, 0] <= spans[:, 1])] = np.nan
    return spans


def merged(spans: Array) -> Array:
    """Give the union of spans (n, 2) as disjoint spans in ascending order; NaN spans are left out."""
    spans = spans[~np.isnan(spans[:, 0])]
    if len(spans) == 0:
        return spans
    spans = spans[np.argsort(spans[:, 0])]
    tops = np.maximum.accumulate(spans[:, 1])
    gaps = spans[1:, 0] > tops[:-1]
    return np.stack([spans[np.r_[True, gaps], 0], tops[np.r_[gaps, True]]], axis=1)
