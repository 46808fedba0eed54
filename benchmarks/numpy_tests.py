"""The tests in NumPy: vectorized as one first writes them, over (n, 3) arrays, and over chunks of coordinates.

`vectorized` and `chunked` return a function of a probe that gives its verdict with every primitive.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.native import PAIRS
from benchmarks.workloads import Floats
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.shapes import Shape, is_linear, linear
from hitscope.geometry.vector import cross, dot, subtract

CHUNK = 16_384
"""A number of primitives whose temporaries stay in the processor's cache."""

Bools: TypeAlias = NDArray[np.bool_]


def vectorized(pair: str, primitives: Shapes) -> Callable[[Shape], Bools]:
    """Return the test over (n, 3) arrays."""
    vectors = [np.ascontiguousarray(primitives.rows[k : k + 3].T) for k in range(0, len(primitives.rows), 3)]
    return _of_probe(VECTORIZED[PAIRS[pair]], vectors)


def chunked(pair: str, primitives: Shapes) -> Callable[[Shape], Bools]:
    """Return the test over chunks of coordinate rows."""
    test, count = CHUNKED[PAIRS[pair]], len(primitives)

    def chunks(probe: Any, rows: Floats) -> Bools:
        hit = np.empty(count, dtype=np.bool_)
        for first in range(0, count, CHUNK):
            part = rows[:, first : first + CHUNK]
            hit[first : first + CHUNK] = test(probe, [tuple(part[k : k + 3]) for k in range(0, len(rows), 3)])
        return hit

    return _of_probe(chunks, primitives.rows)


def _of_probe(test: Callable[[Any, Any], Bools], primitives: Any) -> Callable[[Shape], Bools]:
    def decide(probe: Shape) -> Bools:
        with np.errstate(all="ignore"):
            return test(linear(probe) if is_linear(probe) else probe, primitives)

    return decide


def vectorized_linear_aabb(probe: Any, vectors: Any) -> Bools:
    """Intersect three slabs."""
    lo, hi = vectors
    near, far = (lo - probe.origin) / probe.direction, (hi - probe.origin) / probe.direction
    enter, leave = np.minimum(near, far).max(axis=1), np.maximum(near, far).min(axis=1)
    meets: Bools = np.maximum(enter, probe.t_min) <= np.minimum(leave, probe.t_max)
    return meets


def vectorized_linear_obb(probe: Any, vectors: Any) -> Bools:
    """Turn the probe into each box's frame and intersect three slabs."""
    center, half, *axes = vectors
    frame = np.stack(axes, axis=1)
    origin = (frame * (probe.origin - center)[:, None]).sum(axis=2)
    direction = frame @ np.array(probe.direction)
    near, far = (-half - origin) / direction, (half - origin) / direction
    enter, leave = np.minimum(near, far).max(axis=1), np.maximum(near, far).min(axis=1)
    meets: Bools = np.maximum(enter, probe.t_min) <= np.minimum(leave, probe.t_max)
    return meets


def vectorized_linear_triangle(probe: Any, vectors: Any) -> Bools:
    """Solve as Moeller and Trumbore do."""
    a, b, c = vectors
    edge1, edge2 = b - a, c - a
    p = np.cross(probe.direction, edge2)
    determinant = (edge1 * p).sum(axis=1)
    from_a = probe.origin - a
    u = (from_a * p).sum(axis=1) / determinant
    q = np.cross(from_a, edge1)
    v = (q * probe.direction).sum(axis=1) / determinant
    t = (edge2 * q).sum(axis=1) / determinant
    meets: Bools = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= probe.t_min) & (t <= probe.t_max)
    return meets


def vectorized_linear_sphere(probe: Any, vectors: Any) -> Bools:
    """Measure the distance of the point nearest to each center."""
    center, radius = vectors
    direction = np.array(probe.direction)
    offset = center - probe.origin
    t = np.clip(offset @ direction / (direction @ direction), probe.t_min, probe.t_max)
    away = offset - t[:, None] * direction
    meets: Bools = (away**2).sum(axis=1) <= radius[:, 0] ** 2
    return meets


def vectorized_triangle_aabb(triangle: Any, vectors: Any) -> Bools:
    """Project onto thirteen axes."""
    lo, hi = vectors
    center, half = (lo + hi) / 2, (hi - lo) / 2
    corners = np.array(triangle)[:, None] - center
    edges = np.roll(corners, -1, axis=0) - corners
    units = np.eye(3)
    axes = [np.broadcast_to(unit, center.shape) for unit in units]
    axes += [np.cross(edges[0], edges[1]), *(np.cross(unit, edge) for unit in units for edge in edges)]
    hit = np.ones(len(center), dtype=np.bool_)
    for axis in axes:
        heights = (corners * axis).sum(axis=2)
        radius = (half * abs(axis)).sum(axis=1)
        hit &= (heights.min(axis=0) <= radius) & (heights.max(axis=0) >= -radius)
    return hit


def chunked_linear_aabb(probe: Any, rows: Any) -> Bools:
    """Intersect three slabs, their planes put in order by the direction's signs."""
    enter, leave = probe.t_min, probe.t_max
    for lo, hi, o, d in zip(*rows, probe.origin, probe.direction, strict=True):
        near, far = (hi, lo) if d < 0 else (lo, hi)
        enter = np.maximum((near - o) * (1 / np.float64(d)), enter)
        leave = np.minimum((far - o) * (1 / np.float64(d)), leave)
    meets: Bools = enter <= leave
    return meets


def chunked_linear_obb(probe: Any, rows: Any) -> Bools:
    """Turn the probe into each box's frame and intersect three slabs."""
    center, half, *axes = rows
    offset = subtract(center, probe.origin)
    enter, leave = probe.t_min, probe.t_max
    for axis, size in zip(axes, half, strict=True):
        inverse = 1 / dot(axis, probe.direction)
        middle, reach = dot(axis, offset) * inverse, abs(size * inverse)
        enter, leave = np.maximum(middle - reach, enter), np.minimum(middle + reach, leave)
    meets: Bools = enter <= leave
    return meets


def chunked_linear_triangle(probe: Any, rows: Any) -> Bools:
    """Solve as Moeller and Trumbore do, multiplied by the determinant's magnitude."""
    a, b, c = rows
    edge1, edge2 = subtract(b, a), subtract(c, a)
    p = cross(probe.direction, edge2)
    determinant: Any = dot(edge1, p)
    from_a = subtract(probe.origin, a)
    q = cross(from_a, edge1)
    sign, size = np.sign(determinant), abs(determinant)
    u, v, t = (sign * number for number in (dot(from_a, p), dot(q, probe.direction), dot(edge2, q)))
    inside: Any = (u >= 0) & (v >= 0) & (u + v <= size) & (size > 0)
    meets: Bools = inside & (t >= probe.t_min * size) & (t <= probe.t_max * size)
    return meets


def chunked_linear_sphere(probe: Any, rows: Any) -> Bools:
    """Measure the distance of the point nearest to each center."""
    center, (radius,) = rows
    offset, direction = subtract(center, probe.origin), probe.direction
    t: Any = np.clip(dot(offset, direction) * (1 / dot(direction, direction)), probe.t_min, probe.t_max)
    away = subtract(offset, [t * d for d in direction])
    meets: Bools = np.less_equal(dot(away, away), radius * radius)
    return meets


def chunked_triangle_aabb(triangle: Any, rows: Any) -> Bools:
    """Compare the triangle's interval on each of thirteen axes, all constants, with the box's."""
    lo, hi = rows
    edges = [subtract(triangle[(j + 1) % 3], triangle[j]) for j in range(3)]
    units = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    axes = [*units, cross(edges[0], edges[1]), *(cross(unit, edge) for unit in units for edge in edges)]
    hit = np.ones(len(lo[0]), dtype=np.bool_)
    for axis in axes:
        heights = [dot(axis, corner) for corner in triangle]
        parts = [(k, n) for k, n in enumerate(axis) if n]
        least = sum(n * (lo if n > 0 else hi)[k] for k, n in parts)
        most = sum(n * (hi if n > 0 else lo)[k] for k, n in parts)
        hit &= np.less_equal(least, max(heights)) & np.greater_equal(most, min(heights))
    return hit


VECTORIZED: dict[str, Callable[[Any, Any], Bools]] = {
    "linear_aabb": vectorized_linear_aabb,
    "linear_obb": vectorized_linear_obb,
    "linear_sphere": vectorized_linear_sphere,
    "linear_triangle": vectorized_linear_triangle,
    "triangle_aabb": vectorized_triangle_aabb,
}
CHUNKED: dict[str, Callable[[Any, Any], Bools]] = {
    "linear_aabb": chunked_linear_aabb,
    "linear_obb": chunked_linear_obb,
    "linear_sphere": chunked_linear_sphere,
    "linear_triangle": chunked_linear_triangle,
    "triangle_aabb": chunked_triangle_aabb,
}
