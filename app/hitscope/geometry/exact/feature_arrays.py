"""The vertices, edges and faces of many shapes in float64 arrays, for measuring pair by pair.

Each shape is a base point plus combinations of spans: of a triangle b - a and c - a, of a box its edges. Polyhedra
have no such form.
"""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array
from hitscope.geometry.kinds import KINDS, Cell
from hitscope.geometry.shapes import T_RANGES, Cast


class Pattern(NamedTuple):
    """The features of a type of shape, as the coefficients of its m spans."""

    vertices: Array  # (v, m)
    edges: Array  # (e, 2, m): where each starts, and its direction and length
    faces: Array  # (f, 3, m): a corner, and the two edges from there
    is_box: bool
    """Whether the faces are parallelograms, not triangles."""


@dataclass(frozen=True, eq=False)
class FeatureArrays:
    """The features of n shapes of one type, or of their cores."""

    vertices: Array  # (n, v, 3); of a ray or line its origin
    starts: Array  # (n, e, 3), of the edges; a ray or line is one edge
    ways: Array  # (n, e, 3), unit, or zero of an edge without length
    t_min: Array  # (n, e), along the unit ways
    t_max: Array  # (n, e)
    corners: Array  # (n, f, 3), of the faces
    sides: Array  # (n, f, 2, 3), the edges of a face from its corner
    directions: Array  # (n, d, 3): the ways that are not parallel
    planes: Array  # (n, p, 2, 3): the unit sides of faces that are not parallel
    is_box: NDArray[np.bool_]  # (f,): whether a face is a parallelogram, not a triangle
    endless: int
    """How many ends of the edge of a ray (1) or a line (2) are at infinity; 0 of other shapes."""


def features(kind: type, bases: Array, spans: Array) -> FeatureArrays:
    """Return the features of shapes of one type from their base points (n, 3) and spans (n, m, 3)."""
    if issubclass(kind, Cast):
        return _swept(features(kind.wrapped, bases, spans[:, :-1]), spans[:, -1:])
    pattern = _pattern(KINDS[kind].cell, spans.shape[1])
    t_min, t_max = T_RANGES.get(kind, (0.0, 1.0))
    endless = int(t_max == inf) + int(t_min == -inf)

    def combined(coefficients: Array) -> Array:
        found: Array = np.einsum("...m,nmk->n...k", coefficients, spans)
        return found

    along = combined(pattern.edges[:, 1])
    lengths, ways = np.linalg.norm(along, axis=-1), units(along)
    faces = combined(pattern.faces)
    sides = faces[:, :, 1:]
    return FeatureArrays(
        vertices=bases[:, None] + combined(pattern.vertices),
        starts=bases[:, None] + combined(pattern.edges[:, 0]),
        ways=ways,
        t_min=np.full_like(lengths, t_min),
        t_max=np.full_like(lengths, inf) if endless else lengths,
        corners=bases[:, None] + faces[:, :, 0],
        sides=sides,
        directions=ways[:, :3],
        planes=units(sides[:, :3]),
        is_box=np.full(len(pattern.faces), pattern.is_box),
        endless=endless,
    )


def _swept(body: FeatureArrays, motion: Array) -> FeatureArrays:
    """Return the features of all that bodies come to by a motion (n, 1, 3), and some inside."""
    way = units(motion)
    ways = np.broadcast_to(way, body.vertices.shape)
    lengths = np.broadcast_to(np.linalg.norm(motion, axis=-1), ways.shape[:2])
    edges = body.ways * body.t_max[:, :, None]

    def along(vectors: Array, by: Array) -> Array:
        return np.stack([vectors, np.broadcast_to(by, vectors.shape)], axis=2)

    def joined(*arrays: Array) -> Array:
        return np.concatenate(arrays, axis=1)

    return replace(
        body,
        vertices=joined(body.vertices, body.vertices + motion),
        starts=joined(body.starts, body.starts + motion, body.vertices),
        ways=joined(body.ways, body.ways, ways),
        t_min=joined(body.t_min, body.t_min, np.zeros_like(lengths)),
        t_max=joined(body.t_max, body.t_max, lengths),
        corners=joined(body.corners, body.corners + motion, body.starts),
        sides=joined(body.sides, body.sides, along(edges, motion)),
        directions=joined(body.directions, way),
        planes=joined(body.planes, along(body.directions, way)),
        is_box=np.append(np.tile(body.is_box, 2), np.ones(edges.shape[1], np.bool_)),
    )


def units(vectors: Array) -> Array:
    """Return vectors (..., 3) of the same directions with length 1; zero vectors unchanged."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0)
    scaled = np.ldexp(vectors, -exponents(largest))
    lengths = np.linalg.norm(scaled, axis=-1, keepdims=True)
    return scaled / np.where(lengths > 0, lengths, 1.0)


def exponents(sizes: Array) -> NDArray[np.intc]:
    """Return the exponents of two of numbers, 0 of zero."""
    return np.frexp(sizes)[1]


@cache
def _flat(m: int) -> Pattern:
    """Return the pattern of a point, a segment or a triangle: of 0, 1 or 2 spans."""
    corners = np.vstack([np.zeros(m), np.eye(m)])
    pairs = list(combinations(range(m + 1), 2)) or [(0, 0)]
    edges = np.array([(corners[i], corners[j] - corners[i]) for i, j in pairs])
    return Pattern(corners, edges, corners[None] if m == 2 else np.empty((0, 3, m)), False)


@cache
def _box(low: float) -> Pattern:
    """Return the pattern of a box whose coefficients are from `low` to 1; the first features have one corner."""
    ends = [np.array(corner) for corner in product((low, 1.0), repeat=3)]
    long = np.eye(3) * (1.0 - low)
    edges = [(corner, long[k]) for corner in ends for k in range(3) if corner[k] == low]
    faces = [
        (corner, long[i], long[j])
        for corner in ends
        for i, j in ((1, 2), (2, 0), (0, 1))
        if corner[i] == corner[j] == low
    ]
    return Pattern(np.array(ends), np.array(edges), np.array(faces), True)


def _pattern(cell: Cell, m: int) -> Pattern:
    if cell is Cell.LINE:
        return _flat(1)._replace(vertices=np.zeros((1, 1)))
    return _flat(m) if cell is Cell.SIMPLEX else _box(0.0 if cell is Cell.CUBE else -1.0)
