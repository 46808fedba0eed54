"""The facets of the convex cone of vectors of four integers: hulls and intersections of half-spaces are both one.

The points (x, y, z) have the hull's faces as facets of the cone of (x, y, z, 1). The half-spaces dot(n, p) <= b
have the corners of their intersection as facets of the cone of (n, -b), by duality.

The algorithm is incremental, with conflict lists (Clarkson and Shor 1989): each vector outside a facet waits in
its list, and the first of them, in random order, replaces it. It goes by ridges (Blelloch, Gu, Shun, Sun 2020):
across a ridge, the facet whose list has the earlier first vector is replaced by the facet of that vector and the
ridge, and only a vector in one of the two old lists can be in the new one. Ridges do not wait for one another, so
that all of them are taken at once as arrays; after O(log n) rounds none is left. The expected work is O(n log n).
Few vectors are taken one by one, and the facets that each is outside found by trying all.

The side of a vector of a facet is the sign of a determinant: of floats where its proven error bound allows, else
of integers. A vector on a facet's plane is not outside, as if each later vector were moved inwards, and farther
than all before it, by an infinitesimal amount. So every input is in general position: a facet has three corners,
although several facets may lie in one plane, or several corners of half-spaces at one point.
"""

from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.geometry.exact.integers import Homogeneous

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]
Triple: TypeAlias = tuple[int, int, int]

SEED = 1989
RELATIVE = 16 * 2.0**-53
"""The error of a determinant in units of the sum of its terms' magnitudes: for each term, four factors, three
products and six sums are rounded."""
ABSOLUTE = 2.0**-1060
"""More than all numbers of a determinant lose that are below float64's normal range."""
EXACT_BITS = 48
"""The most bits of a product of four entries of which 24 add up without rounding."""
CHUNK = 1 << 12
"""A number of exact signs that takes milliseconds."""
ARRAYS_FROM = 128
"""The number of vectors from which rounds of arrays take less time than integers, vector by vector."""


def facets(
    vectors: Sequence[Homogeneous], start: Sequence[Triple], arrays_from: int = ARRAYS_FROM
) -> list[Triple]:
    """Return the facets of the cone of vectors, by the indices of their corners; their `normal` is outward.

    `start` are those of the cone of some of the vectors. There is none if the vectors are in no half-space.
    From `arrays_from` vectors on they are found in rounds of arrays.
    """
    used = list(dict.fromkeys(chain.from_iterable(start)))
    if len(vectors) < arrays_from:
        return _facets_of_few(vectors, start, used)
    others = np.delete(np.arange(len(vectors)), used)
    order = np.concatenate([np.array(used, np.intp), np.random.default_rng(SEED).permutation(others)])
    corners = np.array([[used.index(i) for i in triple] for triple in start], np.intp)
    made = _Facets([vectors[i] for i in order.tolist()])
    waiting = np.arange(len(used), len(order))
    made.add(corners, np.repeat(np.arange(len(corners)), len(waiting)), np.tile(waiting, len(corners)))
    progress.add_total(len(order))
    _replace(made, _ridges(corners))
    progress.advance(len(order) - int(made.is_taken.sum()))
    found: list[Triple] = [(i, j, k) for i, j, k in order[made.corners[made.counts == 0]].tolist()]
    return found


def _facets_of_few(vectors: Sequence[Homogeneous], start: Sequence[Triple], used: Sequence[int]) -> list[Triple]:
    """Return the facets, found by taking the vectors that `start` does not use one after the other."""
    made = {facet: normal(*(vectors[i] for i in facet)) for facet in start}
    for p, (x, y, z, w) in enumerate(vectors):
        if p in used:
            continue
        buried = [facet for facet, (fx, fy, fz, fw) in made.items() if fx * x + fy * y + fz * z + fw * w > 0]
        ridges = {(facet[k - 1], facet[k]) for facet in buried for k in range(3)}
        for facet in buried:
            del made[facet]
        for a, b in ridges:
            if (b, a) not in ridges:
                made[a, b, p] = normal(vectors[a], vectors[b], vectors[p])
    return list(made)


def normal(a: Homogeneous, b: Homogeneous, c: Homogeneous) -> Homogeneous:
    """Return the vector f with dot(f, v) = det(a, b, c, v) for every v."""
    (ax, ay, az, aw), (bx, by, bz, bw), (cx, cy, cz, cw) = a, b, c
    xy, xz, xw = bx * cy - by * cx, bx * cz - bz * cx, bx * cw - bw * cx
    yz, yw, zw = by * cz - bz * cy, by * cw - bw * cy, bz * cw - bw * cz
    return (
        -(ay * zw - az * yw + aw * yz),
        ax * zw - az * xw + aw * xz,
        -(ax * yw - ay * xw + aw * xy),
        ax * yz - ay * xz + az * xy,
    )


def _ridges(corners: Indices) -> Indices:
    """Return the ridges (n, 4): two corners, the facet that has them in this order, and the other facet."""
    facet_of = {(t[i], t[i - 2]): k for k, t in enumerate(corners.tolist()) for i in range(3)}
    return np.array([(a, b, k, facet_of[b, a]) for (a, b), k in facet_of.items() if a < b], np.intp)


def _replace(made: "_Facets", ridges: Indices) -> None:
    """Replace facets until no vector is outside one."""
    size = len(made.vectors)
    # A half ridge is a key, two corners and the facet that has them in this order; it waits for the other half.
    halves = np.empty((0, 4), np.intp)
    while True:
        # A vector outside both facets buries their ridge; with no vector outside either, both stay.
        ridges = ridges[made.first[ridges[:, 2]] != made.first[ridges[:, 3]]]
        if not len(ridges):
            return
        turned = made.first[ridges[:, 3]] < made.first[ridges[:, 2]]
        ridges[turned] = ridges[turned][:, [1, 0, 3, 2]]
        a, b, left, right = ridges.T
        p = made.first[left]
        old = ridges[:, 2:].ravel()
        counts = made.counts[old]
        owners = np.repeat(np.repeat(np.arange(len(ridges)), 2), counts)
        candidates = made.conflicts[_ranges(made.starts[old], counts)]
        others = candidates != p[owners]
        new = len(made.first) + np.arange(len(ridges))
        made.add(np.column_stack([a, b, p]), owners[others], candidates[others])
        # An edge from its later end p to another corner is made but once, by two facets.
        halves = np.concatenate(
            [np.column_stack([p * size + b, b, p, new]), np.column_stack([p * size + a, p, a, new]), halves]
        )
        halves = halves[np.argsort(halves[:, 0], kind="stable")]
        pairs = np.flatnonzero(halves[1:, 0] == halves[:-1, 0])
        whole = np.column_stack([halves[pairs, 1:], halves[pairs + 1, 3]])
        halves = np.delete(halves, np.concatenate([pairs, pairs + 1]), axis=0)
        ridges = np.concatenate([np.column_stack([a, b, new, right]), whole])


class _Facets:
    """The facets made so far, replaced ones too, and the conflict list of each in ascending order."""

    def __init__(self, vectors: Sequence[Homogeneous]) -> None:
        self.vectors = vectors
        self.rows, self.relative = _in_floats(vectors)
        self.sizes = np.abs(self.rows)
        self.corners = np.empty((0, 3), np.intp)
        self.starts, self.counts, self.first, self.conflicts = (np.empty(0, np.intp) for _ in range(4))
        self.is_taken = np.zeros(len(vectors), np.bool_)

    def add(self, corners: Indices, owners: Indices, candidates: Indices) -> None:
        """Add facets (m, 3) whose conflicts are among the candidates (k,) of the facets `owners` (k,), from 0."""
        size, count = len(self.vectors), len(corners)
        outside = self._outside(corners, owners, candidates)
        keys = np.sort(owners[outside] * size + candidates[outside])
        keys = keys[np.diff(keys, prepend=-1) > 0]
        owners, conflicts = np.divmod(keys, size)
        counts = np.bincount(owners, minlength=count)
        starts = np.cumsum(counts) - counts
        first = np.where(counts > 0, np.append(conflicts, size)[starts], size)
        self.starts = np.concatenate([self.starts, starts + len(self.conflicts)])
        self.corners = np.concatenate([self.corners, corners])
        self.counts = np.concatenate([self.counts, counts])
        self.first = np.concatenate([self.first, first])
        self.conflicts = np.concatenate([self.conflicts, conflicts])
        before = int(self.is_taken.sum())
        self.is_taken[corners] = True
        progress.advance(int(self.is_taken.sum()) - before)

    def _outside(self, corners: Indices, owners: Indices, candidates: Indices) -> NDArray[np.bool_]:
        """Return whether each candidate is outside its facet."""
        normals, sizes = _normals(*(self.rows[corners[:, k]] for k in range(3)))
        outside = np.empty(len(owners), np.bool_)
        unsure = [np.empty(0, np.intp)]
        for part in progress.chunks(len(owners)):
            facet, vector = owners[part], candidates[part]
            det = np.einsum("ij,ij->i", normals[facet], self.rows[vector])
            error = np.einsum("ij,ij->i", sizes[facet], self.sizes[vector]) * self.relative
            error += ABSOLUTE if self.relative else 0.0
            outside[part] = det > error
            unsure.append(part.start + np.flatnonzero((np.abs(det) <= error) & (error > 0)))
        rest = np.concatenate(unsure)
        outside[rest] = self._exactly_outside(corners, owners[rest], candidates[rest])
        return outside

    def _exactly_outside(self, corners: Indices, owners: Indices, candidates: Indices) -> NDArray[np.bool_]:
        vectors = self.vectors
        needed = np.unique(owners)
        exact = {
            k: normal(vectors[a], vectors[b], vectors[c])
            for k, (a, b, c) in zip(needed.tolist(), corners[needed].tolist(), strict=True)
        }
        outside = []
        for first in range(0, len(owners), CHUNK):
            progress.advance(0)
            part = slice(first, first + CHUNK)
            for k, i in zip(owners[part].tolist(), candidates[part].tolist(), strict=True):
                f, v = exact[k], vectors[i]
                outside.append(f[0] * v[0] + f[1] * v[1] + f[2] * v[2] + f[3] * v[3] > 0)
        return np.array(outside, np.bool_)


def _in_floats(vectors: Sequence[Homogeneous]) -> tuple[Array, float]:
    """Return the directions of vectors as rows (n, 4) with entries up to 1, and the determinants' relative error.

    Small integers are kept as they are: their determinants are not rounded.
    """
    columns = zip(*vectors, strict=True)
    if sum(max(map(abs, column)).bit_length() for column in columns) <= EXACT_BITS:
        return np.array(vectors, float), 0.0
    sizes = (max(map(abs, vector)) for vector in vectors)
    rows = [(x / size, y / size, z / size, w / size) for (x, y, z, w), size in zip(vectors, sizes, strict=True)]
    return np.array(rows), RELATIVE


def _normals(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """Return `normal` of each row (m, 4), and the sums of its terms' magnitudes."""
    a, b, c = (np.ascontiguousarray(rows.T) for rows in (a, b, c))
    left, right = b[_FIRST] * c[_SECOND], b[_SECOND] * c[_FIRST]
    minors, sizes = left - right, np.abs(left) + np.abs(right)
    normals = np.einsum("kim,kim,ki->mk", a[_TIMES], minors[_MINORS], _SIGNS)
    return normals, np.einsum("kim,kim->mk", np.abs(a)[_TIMES], sizes[_MINORS])


_FIRST, _SECOND = np.triu_indices(4, 1)
"""The columns of the minors of two rows: xy, xz, xw, yz, yw, zw."""
_TIMES = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
"""The columns of the third row which expand each entry of `normal`, by these minors and with these signs."""
_MINORS = np.array([[5, 4, 3], [5, 2, 1], [4, 2, 0], [3, 1, 0]])
_SIGNS = np.array([[-1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, 1.0]])


def _ranges(starts: Indices, counts: Indices) -> Indices:
    """Return the numbers from each start on, as many as its count."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1]) - np.repeat(ends - counts - starts, counts)
