"""A mesh that rays cannot leave: it is closed, oriented and manifold, which is checked when it is read."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault, HitscopeError
from hitscope.geometry.arrays import Array
from hitscope.geometry.vector import cross
from hitscope.scene import mesh
from hitscope.targets.cases import Reals
from hitscope.targets.target import FLOATS

Indices = NDArray[np.int64]

ROUNDINGS = 8 * float(np.finfo(np.float64).eps)
"""The relative error of a component of a triangle's normal is less, unless it underflows."""
UNDERFLOW = 2.0**-1000
"""More than what is lost where a component underflows."""
LISTED = 4
"""The most triangles of an edge that a message lists."""


class ClosedMesh(NamedTuple):
    """The triangles of a file, with its vertices in the precision of the rays."""

    vertices: Reals
    """(v, 3), all different."""
    triangles: Indices
    """(n, 3), the indices of their vertices, in the order of the file."""
    edges: Indices
    """(3n / 2, 2), the indices of their ends."""

    @property
    def numbers(self) -> Reals:
        """The triangles' numbers: (n, 9)."""
        return self.vertices[self.triangles].reshape(-1, 9)


def read_closed_mesh(path: Path, real: str) -> ClosedMesh:
    """Read a file, its vertices rounded to a precision, equal ones merged.

    Raises HitscopeError for a file that cannot be read, and for a mesh that has a hole, is not oriented or not
    manifold, or has triangles without area.
    """
    try:
        corners = mesh.read(path).rows.T.reshape(-1, 3)
    except Fault as fault:
        raise HitscopeError(f"--mesh: {fault.message}") from None
    with np.errstate(over="ignore"):
        rounded = corners.astype(real) + 0.0
        extent = np.ptp(rounded, axis=0)
    if not np.isfinite(extent).all():
        raise HitscopeError(f"{path}: expected a mesh whose size is finite in {FLOATS[real]}, found a larger one")
    vertices, triangles = _merged(rounded)
    if faults := _faults(vertices, triangles):
        expected = "a closed, oriented and manifold mesh"
        raise HitscopeError(f"{path}: expected {expected} in {FLOATS[real]}, found {'; '.join(faults)}")
    halves = _half_edges(triangles)
    return ClosedMesh(vertices, triangles, halves[halves[:, 0] < halves[:, 1]])


def _merged(corners: Reals) -> tuple[Reals, Indices]:
    """Return the different points of (3n, 3) corners, and their indices (n, 3)."""
    order = np.lexsort(corners.T)
    in_order = corners[order]
    is_new = np.ones(len(corners), np.bool_)
    is_new[1:] = (in_order[1:] != in_order[:-1]).any(axis=1)
    indices = np.empty(len(corners), np.int64)
    indices[order] = np.cumsum(is_new) - 1
    return in_order[is_new], indices.reshape(-1, 3)


def _half_edges(triangles: Indices) -> Indices:
    """Return the ends of the triangles' edges as they run around them: (3n, 2), a triangle's three together."""
    return triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)


def _faults(vertices: Reals, triangles: Indices) -> list[str]:
    """Return in words what is wrong with a mesh, each with a count and an example."""
    flat = _without_area(vertices[triangles].astype(np.float64))
    faults = _counted(flat, "triangle", "without area", lambda k: f"triangle {k}")
    a, b, c = triangles.T
    kept = np.flatnonzero((a != b) & (b != c) & (c != a))
    of_edges = _faults_of_edges(vertices, triangles[kept], kept)
    return faults + (of_edges or _faults_of_vertices(vertices, triangles[kept]))


def _faults_of_edges(vertices: Reals, triangles: Indices, numbers: Indices) -> list[str]:
    """Return the edges that do not belong to two triangles which run along them opposite ways."""
    halves = _half_edges(triangles)
    ascending = halves[:, 0] < halves[:, 1]
    keys = halves.min(axis=1) * len(vertices) + halves.max(axis=1)
    edges, edge_of, counts = np.unique(keys, return_inverse=True, return_counts=True)
    ups = np.bincount(edge_of[ascending], minlength=len(edges))

    def example(edge: int) -> str:
        ends = (_point(vertices[end]) for end in divmod(int(edges[edge]), len(vertices)))
        owners = [str(numbers[half // 3]) for half in np.flatnonzero(edge_of == edge)]
        more = [f"{len(owners) - LISTED} more"] if len(owners) > LISTED else []
        return f"{' - '.join(ends)} of triangle{'s' * (len(owners) > 1)} {', '.join(owners[:LISTED] + more)}"

    return [
        *_counted(counts == 1, "edge", "of one triangle alone", example),
        *_counted(counts > 2, "edge", "of more than two triangles", example),
        *_counted((counts == 2) & (ups != 1), "edge", "along which both triangles run the same way", example),
    ]


def _faults_of_vertices(vertices: Reals, triangles: Indices) -> list[str]:
    """Return the vertices whose triangles are not one fan: each edge belongs to two, along it opposite ways."""
    corners, following = _half_edges(triangles).T
    # Around the vertex of a corner the next triangle is the one that runs back along the edge from it.
    outgoing = np.argsort(corners * len(vertices) + following)
    incoming = np.argsort(following * len(vertices) + corners)
    beyond = np.empty(len(corners), np.int64)
    beyond[outgoing] = incoming + 1 - 3 * (incoming % 3 == 2)
    fan = np.arange(len(corners))
    while (fan != fan[beyond]).any():
        fan, beyond = np.minimum(fan, fan[beyond]), beyond[beyond]
    fans = np.bincount(corners[np.unique(fan)], minlength=len(vertices))
    return _counted(fans > 1, "vertex", "in which separate fans of triangles meet", lambda k: _point(vertices[k]))


def _counted(wrong: NDArray[np.bool_], what: str, words: str, example: Callable[[int], str]) -> list[str]:
    """Return the line about what is wrong, if anything is."""
    count = int(np.count_nonzero(wrong))
    if not count:
        return []
    first = example(int(np.argmax(wrong)))
    if count == 1:
        return [f"a{'n' * (what == 'edge')} {what} {words} ({first})"]
    return [f"{count} {'vertices' if what == 'vertex' else f'{what}s'} {words} (e.g. {first})"]


def _without_area(triangles: Array) -> NDArray[np.bool_]:
    """Return which of (n, 3, 3) triangles have their vertices on one line."""
    a, b, c = triangles.transpose(1, 2, 0)
    e, f = b - a, c - a
    with np.errstate(over="ignore", invalid="ignore"):
        normals = np.stack(cross(e, f))
        terms = np.abs(e[[1, 2, 0]] * f[[2, 0, 1]]) + np.abs(e[[2, 0, 1]] * f[[1, 2, 0]])
        flat: NDArray[np.bool_] = ~(np.abs(normals) > terms * ROUNDINGS + UNDERFLOW).any(axis=0)
    for k in np.flatnonzero(flat).tolist():
        (ax, ay, az), *others = triangles[k].tolist()
        sides = [tuple(Fraction(x) - Fraction(y) for x, y in zip(p, (ax, ay, az), strict=True)) for p in others]
        flat[k] = not any(cross(*sides))
    return flat


def _point(vertex: Reals) -> str:
    return f"({', '.join(map(str, vertex))})"
