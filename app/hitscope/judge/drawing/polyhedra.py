"""Polyhedra made of parallelepipeds, as rows of planes or of vertices."""

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array
from hitscope.judge.drawing.samplers import RandomBlock, Sampler, cross, dot
from hitscope.targets.cases import MOST_PARTS, PART_WIDTH

CORNERS = np.array([[k >> i & 1 for i in range(3)] for k in range(8)], dtype=np.float64)
"""The coordinates of a parallelepiped's corners: (8, 3)."""
CHOICES = np.arange(2**MOST_PARTS)[:, None] >> np.arange(MOST_PARTS) & 1
"""Each choice of the parts of a polyhedron, as a number whose bits say which are chosen, and as a row of bits."""
CHOSEN_FIRST = np.argsort(-CHOICES, axis=1, kind="stable").T
"""For each choice (a column), the indices of the parts, the chosen ones first."""
COUNTS = CHOICES.sum(axis=1)
AT_LEAST_FOUR = np.flatnonzero((COUNTS >= 4) & (np.arange(len(COUNTS)) < 256))
"""The choices of at least four of eight parts."""
LEAST_VOLUME = 2.0**-10
"""The least volume of a parallelepiped whose six faces are given as planes: rounded offsets do not empty it."""


def polyhedra(sampler: Sampler, solids: Array) -> Array:
    """Draw polyhedra (40, n) of vertices or planes, made of parallelepipeds (12, n)."""
    return np.where(sampler.random.chance(0.5), _slabs(sampler, solids), _hulls(sampler, solids))


def hulls_of(solids: Array) -> Array:
    """Return the hulls (40, n) of the corners of parallelepipeds."""
    corners = _corners(solids)
    eight = np.full(solids.shape[1], 0xFF)
    return _packed(_as_vertices(np.concatenate([corners, corners[:2]])), eight)


def frusta(solids: Array) -> Array:
    """Return frusta (24, n) whose planes are the faces of parallelepipeds, or of a cube in place of a flat one."""
    edges = solids[3:].reshape(3, 3, -1)
    flat = ~(np.abs(dot(cross(edges[0], edges[1]), edges[2])) > LEAST_VOLUME)
    edges = np.where(flat, np.eye(3)[:, :, None], edges)
    base = np.where(flat, 0.0, solids[:3])
    normals = np.stack([cross(edges[i - 2], edges[i - 1]) for i in range(3)])
    parts = _planes(normals, base, base + edges[0] + edges[1] + edges[2])[:6]
    # The same planes, by normals that no precision overflows.
    parts = np.ldexp(parts, -np.frexp(np.abs(parts[:, :3]).max(axis=1, keepdims=True))[1])
    return np.asarray(np.nan_to_num(np.concatenate([parts[:, :3].reshape(18, -1), parts[:, 3]])))


def touched_polyhedra(sampler: Sampler, solids: Array, coordinates: Array, pinned: NDArray[np.bool_]) -> Array:
    """Draw polyhedra in parallelepipeds, with the face, edge or corner on which the `pinned` coordinates are kept.

    They are the corners there and some of the others, perhaps with the point itself and the centre, or six planes.
    """
    random = sampler.random
    there = random.integers(0, 255).astype(np.intp)
    for k, corner in enumerate(CORNERS[:, :, None]):
        away = (pinned & (coordinates != corner)).sum(axis=0)
        above_the_first = (away == 1) & ~(~pinned & (corner == 1)).any(axis=0)  # gives the hull a volume
        there |= ((away == 0) | above_the_first).astype(np.intp) << k
    there |= random.choice((0, 0x100, 0x300)).astype(np.intp)
    edges = solids[3:].reshape(3, 3, -1)
    extra = [sum(s * e for s, e in zip(c, edges, strict=True)) + solids[:3] for c in (coordinates, [0.5] * 3)]
    hulls = _packed(_as_vertices(np.concatenate([_corners(solids), extra])), there)
    normals = np.stack([cross(edges[i - 2], edges[i - 1]) for i in range(3)])
    ends = solids[:3], solids[:3] + edges[0] + edges[1] + edges[2]
    faces = _packed(_planes(normals, *ends), np.full(solids.shape[1], 0x3F))
    flat = np.abs(dot(edges[0], normals[0])) < LEAST_VOLUME
    return np.where(flat | random.chance(0.5), hulls, faces)


def movable_number(random: RandomBlock, rows: Array, ulps: Array) -> tuple[NDArray[np.intp], Array]:
    """Choose a coordinate of a vertex, or an offset, which moves outwards: planes may have one common point."""
    count = (~np.isnan(rows[::PART_WIDTH])).sum(axis=0)
    part = np.floor(random.unit() * count)
    of_planes = ~np.isnan(rows[PART_WIDTH - 1])
    index = part * PART_WIDTH + np.where(of_planes, PART_WIDTH - 1, random.integers(0, 2))
    return index.astype(np.intp), np.where(of_planes, np.abs(ulps), ulps)


def _hulls(sampler: Sampler, solids: Array) -> Array:
    """Draw the hulls of some corners and of at most two other points."""
    random = sampler.random
    chosen = np.take(AT_LEAST_FOUR, random.indices(len(AT_LEAST_FOUR))) + random.choice((0, 0, 0x300))
    vertices = np.concatenate([_corners(solids), [sampler.point(), sampler.point()]])
    return _packed(_as_vertices(vertices), chosen.astype(np.intp))


def _slabs(sampler: Sampler, solids: Array) -> Array:
    """Draw the intersections of slabs that have two opposite corners in common, without some planes perhaps.

    Offsets that could round are moved outwards; where they leave the precision, all planes keep the origin in.
    """
    random, (bits, lowest, highest) = sampler.random, sampler.random.precision[1:]
    p, q = solids[:3], solids[:3] + solids[3:6] + solids[6:9] + solids[9:]
    normals = sampler.normals(4)
    parts = _planes(normals, p, q)
    offsets = parts[:8, 3]
    if sampler.step is None:
        farthest = np.maximum(np.abs(p), np.abs(q))
        terms = np.repeat([dot(np.abs(normal), farthest) for normal in normals], 2, axis=0)
        beyond = ~((terms > 2.0 ** (lowest + bits + 4)) & (terms < 2.0 ** (highest - 1))).all(axis=0)
        outward = offsets + terms * 2.0 ** (3 - bits)
        parts[:8, 3] = np.where(beyond, np.abs(np.nan_to_num(offsets)), outward)
    chosen = random.integers(1, random.choice((15, 63, 255)))
    return _packed(parts, chosen.astype(np.intp))


def _planes(normals: Array, p: Array, q: Array) -> Array:
    """Return both planes of at most five slabs between points p and q (3, n), slab by slab: (10, 4, n)."""
    parts = np.full((MOST_PARTS, PART_WIDTH, p.shape[1]), np.nan)
    for k, normal in enumerate(normals):
        a, b = dot(normal, p), dot(normal, q)
        parts[2 * k, :3], parts[2 * k, 3] = normal, np.maximum(a, b)
        parts[2 * k + 1, :3], parts[2 * k + 1, 3] = -normal, -np.minimum(a, b)
    return parts


def _corners(solids: Array) -> Array:
    """Return the corners (8, 3, n) of parallelepipeds."""
    o, u, v, w = solids.reshape(4, 3, -1)
    corners = np.empty((8, 3, solids.shape[1]))
    corners[0] = o
    np.add(corners[:1], u, out=corners[1:2])
    np.add(corners[:2], v, out=corners[2:4])
    np.add(corners[:4], w, out=corners[4:])
    return corners


def _as_vertices(points: Array) -> Array:
    """Return points (10, 3, n) as parts (10, 4, n)."""
    parts = np.full((MOST_PARTS, PART_WIDTH, points.shape[2]), np.nan)
    parts[:, :3] = points
    return parts


def _packed(parts: Array, chosen: NDArray[np.intp]) -> Array:
    """Return rows (40, n) of the parts (10, 4, n) that are chosen, the first ones, and of NaN after the last."""
    order = np.take(CHOSEN_FIRST, chosen, axis=1)
    rows = np.take_along_axis(parts, order[:, None], axis=0)
    packed = np.where(np.arange(MOST_PARTS)[:, None, None] < COUNTS[chosen], rows, np.nan)
    return packed.reshape(MOST_PARTS * PART_WIDTH, -1)
