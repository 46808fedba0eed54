"""How far pairs are from the other answer: the distance of two sets, or the least translation that separates them.

Both are computed in float64 over the features of n pairs at once, seen from the primitive and in units of the
pair's size. A distance is the least over pairs of features (Ericson 2005, 5.1), a depth the least overlap along
the axes of the separating axis test (Gottschalk 1996). What is near the noise of that, and where edges are so
nearly parallel that their common normal is unknown, is computed without rounding, pair by pair. The same overlaps
tell what surely meets or misses; of round shapes those of their cores, and the points of these that are nearest.
"""

from collections.abc import Sequence
from itertools import starmap
from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.float_mode import in_default_mode
from hitscope.geometry.arrays import Array, Shapes, builder, scaled_rows
from hitscope.geometry.exact.distance import distance
from hitscope.geometry.exact.feature_arrays import FeatureArrays, exponents, features, units
from hitscope.geometry.exact.pair_kernels import MISS, STRICT, UNSURE
from hitscope.geometry.exact.relation import relation
from hitscope.geometry.exact.separation import way_out
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import ENDLESS, Cast, Plane, Shape

CHUNK = 1 << 11
"""The number of pairs that are measured at once: arrays of a megabyte for two boxes' edges."""
NOISE = 1e-10
"""The least result that float64 gives, in units of the pair's size."""
TINY = 2.0**-1000
"""The least length that keeps its digits when it is scaled."""
LEAST_EXPONENT = -900
"""The least exponent of a pair's size, in units of its largest coordinate, with which its numbers keep theirs."""
ROUNDED = 2.0**-50
"""More than the relative error of a component of a unit vector or a cross product's term."""


@in_default_mode
def margins(probes: Sequence[Shape], primitives: Sequence[Shape], hit: NDArray[np.bool_]) -> Array:
    """Return how far each of n pairs is from the other answer, (n,), of the pairs' exact verdicts `hit` (n,).

    Of a miss that is the distance; of a hit the least translation of the probe that leaves the closed primitive,
    or a little more: 0 where it only touches, inf where none leaves it. The error is below 1e-11 of the pair's
    size, and of a hit below half of the result.
    """
    found = np.empty(len(hit))
    for chosen, measured in ((hit, depths), (~hit, distances)):
        indices = np.flatnonzero(chosen)
        found[indices] = measured(_taken(probes, indices), _taken(primitives, indices))
    return found


def distances(probes: Sequence[Shape], primitives: Sequence[Shape]) -> Array:
    """Return the distances of n pairs that are apart, (n,)."""
    found = np.full(len(probes), nan)
    for part in _parts(probes, primitives):
        found[part] = _chunk_distances(probes[part], primitives[part])  # type: ignore[arg-type]
    for i in np.flatnonzero(np.isnan(found)).tolist():
        found[i] = abs(distance(probes[i], primitives[i]))
    return found


def depths(probes: Sequence[Shape], primitives: Sequence[Shape]) -> Array:
    """Return the lengths of the least translations that separate n pairs that meet, (n,)."""
    found = np.full(len(probes), nan)
    parts = _parts(probes, primitives)
    for part in parts:
        least = _least_overlaps(probes[part], primitives[part])  # type: ignore[arg-type]
        is_known = least.can_be_hit & (least.lengths > least.noise)
        lengths = _unscaled(least.lengths, is_known, least.exponents)
        found[part] = np.where(least.is_crossed & is_known, inf, lengths)
    # Nearly all that float64 leaves unsure only touches, which takes less to tell than a way out.
    for i in np.flatnonzero(np.isnan(found)).tolist():
        probe, primitive = probes[i], primitives[i]
        touches = parts and relation(probe, primitive).state in ("touching", "coplanar")
        found[i] = 0.0 if touches else way_out(probe, primitive)[0]
    return found


def _taken(shapes: Sequence[Shape], indices: NDArray[np.intp]) -> Sequence[Shape]:
    return shapes[indices] if isinstance(shapes, Shapes) else [shapes[i] for i in indices.tolist()]


def _parts(probes: Sequence[Shape], primitives: Sequence[Shape], bare: bool = True) -> list[slice]:
    """Return the chunks to measure in float64, of types in arrays; `bare`: without radius and motion."""
    if not isinstance(probes, Shapes) or not isinstance(primitives, Shapes):
        return []
    for kind in (probes.kind, primitives.kind):
        # Frusta have no spans to measure, and the difference of a gap and a radius may cancel.
        if not (KINDS[kind].spans or kind is Plane) or (bare and (KINDS[kind].core or issubclass(kind, Cast))):
            return []
    return [slice(first, first + CHUNK) for first in range(0, len(probes), CHUNK)]


class Measured(NamedTuple):
    """n pairs seen from the primitive, scaled by 2 ** -exponents (n,) so that all coordinates are below 1."""

    probe: FeatureArrays
    primitive: FeatureArrays
    radii: Array  # (n,): the sum of both
    exponents: NDArray[np.intc]
    keeps_digits: NDArray[np.bool_]
    """Whether no digit of a pair's numbers was lost when they were scaled."""


def _unscaled(lengths: Array, sure: NDArray[np.bool_], exponents: NDArray[np.intc]) -> Array:
    """Return lengths in the scene's unit, NaN if they are not sure or leave float64's range."""
    found: Array = np.ldexp(lengths, exponents)
    return np.where(sure & (found < inf) & (found > TINY), found, nan)


def _spans(kind: type, rows: Array) -> tuple[Array, Array]:
    spans = KINDS[kind].spans
    assert spans is not None, f"{kind.__name__} has no spans"
    return spans(rows)


def _radius(kind: type, rows: Array) -> Array:
    """Return the radii of shapes of these rows, (n,); 0 of those without one."""
    radius = KINDS[kind].radius
    return np.zeros(rows.shape[1]) if radius is None else np.asarray(radius(builder(kind)(rows)))


def _measured(probes: Shapes, primitives: Shapes) -> Measured:
    rows = [shapes.rows.copy() for shapes in (probes, primitives)]
    lengths = [scaled_rows(shapes.kind) for shapes in (probes, primitives)]
    first = np.max([np.abs(each[k]).max(axis=0) for each, k in zip(rows, lengths, strict=True)], axis=0)
    # Once so that no difference overflows, once more for sets that are small and far from the origin.
    first = exponents(first) + 1
    for each, k in zip(rows, lengths, strict=True):
        each[k] = np.ldexp(each[k], -first)
    kinds = probes.kind, primitives.kind
    (base, spans), (center, own) = (_spans(k, each) for k, each in zip(kinds, rows, strict=True))
    radii = _radius(probes.kind, rows[0]) + _radius(primitives.kind, rows[1])
    if probes.kind in ENDLESS:
        spans = units(spans)
    bounded = [*([] if probes.kind in ENDLESS else [spans]), own, (base - center)[:, None], radii[:, None, None]]
    second = exponents(np.max([np.abs(each).max(axis=(1, 2), initial=0) for each in bounded], axis=0)) + 2

    def scaled(vectors: Array) -> Array:
        found: Array = np.ldexp(vectors, -second.reshape(-1, *[1] * (vectors.ndim - 1)))
        return found

    return Measured(
        features(probes.kind, scaled(base - center), spans if probes.kind in ENDLESS else scaled(spans)),
        features(primitives.kind, np.zeros_like(center), scaled(own)),
        scaled(radii),
        first + second,
        second > LEAST_EXPONENT,
    )


def _chunk_distances(probes: Shapes, primitives: Shapes) -> Array:
    """Return the distances of pairs that are apart, NaN where they are left to fractions; (n,)."""
    with np.errstate(all="ignore"):
        if primitives.kind is Plane:
            over = _heights(probes, primitives)
            lengths = np.abs(over.heights).min(axis=1)
            return _unscaled(lengths, lengths > over.noise, over.exponents)
        pairs = _measured(probes, primitives)
        a, b = pairs.probe, pairs.primitive
        lengths = np.linalg.norm(_nearest(a, b), axis=2).min(axis=1)
        sines = [_sines(a.planes[:, :, 0], a.planes[:, :, 1]), _sines(b.planes[:, :, 0], b.planes[:, :, 1])]
        sines.append(_sines(a.directions[:, :, None], b.directions[:, None]))
        # A foot that is wrong by `doubt` is farther by half of its square over the distance.
        sure = pairs.keeps_digits & (lengths > NOISE) & (_doubt(sines) ** 2 < lengths * (NOISE / 64))
        return _unscaled(lengths, sure, pairs.exponents)


class Overlaps(NamedTuple):
    """The least overlaps of n pairs along the axes that may separate them, scaled by 2 ** -exponents (n,)."""

    lengths: Array  # (n,), negative of a gap
    noise: Array  # (n,): what rounding may add to them
    can_be_miss: NDArray[np.bool_]
    """(n,): whether a gap beyond noise is one."""
    can_be_hit: NDArray[np.bool_]
    """(n,): whether an overlap beyond noise along all axes is one along every axis."""
    is_crossed: NDArray[np.bool_]
    """(n,): whether no translation parts a pair."""
    exponents: NDArray[np.intc]


@in_default_mode
def surely(probes: Shapes, primitives: Shapes) -> NDArray[np.uint8]:
    """Return the verdict codes of n pairs by separating axes in float64, UNSURE of those that it cannot tell.

    A gap beyond the noise of its computation separates two sets along any axis. An overlap beyond it along all
    axes is a hit of the interiors if the axes are right, or those that are not belong to narrow faces (`_doubt`).
    What moves is taken as all that it comes to. Round shapes meet if their cores do or have points within the
    radii, and are as far apart as their cores less the radii.
    """
    codes = np.full(len(probes), UNSURE, np.uint8)
    for part in _parts(probes, primitives, bare=False):
        least = _least_overlaps(probes[part], primitives[part])
        parted = least.can_be_miss & (least.lengths < -least.noise)
        joined = least.can_be_hit & (least.lengths > least.noise)
        codes[part] = np.where(parted, MISS, np.where(joined, STRICT, UNSURE))
    return codes


def _least_overlaps(probes: Shapes, primitives: Shapes) -> Overlaps:
    with np.errstate(all="ignore"):
        return _over_planes(probes, primitives) if primitives.kind is Plane else _along_axes(probes, primitives)


def _along_axes(probes: Shapes, primitives: Shapes) -> Overlaps:
    """Return the least overlaps along the normals of faces and the cross products of edges."""
    pairs = _measured(probes, primitives)
    a, b = pairs.probe, pairs.primitive
    axes = [
        _flattened_vectors(np.cross(b.planes[:, :, 0], b.planes[:, :, 1])),
        _flattened_vectors(np.cross(a.planes[:, :, 0], a.planes[:, :, 1])),
        _flattened_vectors(np.cross(a.directions[:, :, None], b.directions[:, None])),
    ]
    sines = [np.linalg.norm(axis, axis=-1) for axis in axes]
    sizes = np.concatenate(sines, axis=1)
    normals = np.concatenate(axes, axis=1) / sizes[:, :, None]  # NaN of no axis
    within = np.zeros(len(probes), np.bool_)
    if pairs.radii.any():
        nearest = _nearest(a, b)
        within = np.linalg.norm(nearest, axis=2).min(axis=1) < pairs.radii - NOISE
        if not a.endless:
            normals = np.concatenate([normals, units(nearest)], axis=1)
    own, other = (np.einsum("nak,nvk->nav", normals, each.vertices) for each in (a, b))
    ahead, back = other.max(axis=2) - own.min(axis=2), own.max(axis=2) - other.min(axis=2)
    known = pairs.keeps_digits
    if a.endless:
        # Only the faces' normals, which come first, may lean towards the way of a ray or line.
        faces = axes[0].shape[1]
        p, q = b.planes[:, :, 0], b.planes[:, :, 1]
        slopes = np.einsum("nak,nk->na", axes[0], a.ways[:, 0])
        errors = np.einsum("nak,nk->na", _term_sizes(p, q), np.abs(a.ways[:, 0])) * ROUNDED
        falls, rises, leans = _leaning(slopes, errors, a.endless)
        known = known & leans.all(axis=1)
        ahead[:, :faces][falls] = inf
        back[:, :faces][rises] = inf
    overlaps = np.fmin(ahead, back)
    lengths: Array = np.fmin.reduce(overlaps, axis=1, initial=inf)
    of_cores = np.fmin.reduce(overlaps[:, : sizes.shape[1]], axis=1, initial=inf)
    sure = known & (within | ((of_cores > np.maximum(8 * _doubt(sines), NOISE)) & (of_cores < inf)))
    noise, never = np.full_like(lengths, NOISE), np.zeros_like(sure)
    return Overlaps(lengths + pairs.radii, noise, known, sure, never, pairs.exponents)


class Heights(NamedTuple):
    """The heights of n probes over planes, in float64, scaled by 2 ** -exponents (n,)."""

    heights: Array  # (n, v)
    radii: Array  # (n,)
    noise: Array  # (n,)
    normals: Array  # (n, 3), unit
    probe: FeatureArrays
    exponents: NDArray[np.intc]


def _heights(probes: Shapes, primitives: Shapes) -> Heights:
    rows, lengths = probes.rows.copy(), scaled_rows(probes.kind)
    unit = exponents(np.abs(rows[lengths]).max(axis=0)) + 2
    rows[lengths] = np.ldexp(rows[lengths], -unit)
    (bases, spans), radii = _spans(probes.kind, rows), _radius(probes.kind, rows)
    probe = features(probes.kind, bases, units(spans) if probes.kind in ENDLESS else spans)
    steepness = exponents(np.abs(primitives.rows[:3]).max(axis=0))
    normals = np.ldexp(primitives.rows[:3], -steepness).T
    offsets = np.ldexp(primitives.rows[3], -steepness - unit)
    sizes = np.linalg.norm(normals, axis=1)
    heights = np.einsum("nk,nvk->nv", normals, probe.vertices) - offsets[:, None]
    terms = np.einsum("nk,nvk->nv", np.abs(normals), np.abs(probe.vertices)).max(axis=1) + np.abs(offsets)
    noise = (terms / sizes + radii) * NOISE
    return Heights(heights / sizes[:, None], radii, noise, normals / sizes[:, None], probe, unit)


def _over_planes(probes: Shapes, primitives: Shapes) -> Overlaps:
    """Return the least overlaps of probes and planes."""
    over = _heights(probes, primitives)
    ahead, back = over.radii - over.heights.min(axis=1), over.heights.max(axis=1) + over.radii
    known, crossed = np.ones(len(probes), np.bool_), np.zeros(len(probes), np.bool_)
    if over.probe.endless:
        way = over.probe.ways[:, 0]
        errors = _dot(np.abs(over.normals), np.abs(way)) * ROUNDED
        falls, rises, known = _leaning(_dot(over.normals, way), errors, over.probe.endless)
        crossed = falls & rises & known
        ahead, back = np.where(falls, inf, ahead), np.where(rises, inf, back)
    noise = np.maximum(over.noise, TINY)
    return Overlaps(np.minimum(ahead, back), noise, known, known, crossed, over.exponents)


def _leaning(slopes: Array, errors: Array, endless: int) -> tuple[NDArray[np.bool_], ...]:
    """Return where a ray or line has no lowest and where no highest point along an axis, and if that is sure."""
    down, up = slopes < -errors, slopes > errors
    either = down | up
    known = either | (errors == 0)
    return (either, either, known) if endless > 1 else (down, up, known)


def _nearest(a: FeatureArrays, b: FeatureArrays) -> Array:
    """Return the shortest vectors between vertices, edges and faces of two sets, (n, k <= 5, 3)."""
    points = (a.vertices, b), (b.vertices, a)
    groups = *starmap(_vertex_edge, points), *starmap(_vertex_face, points), _edge_edge(a, b)
    shortest = []
    for vectors in (_flattened_vectors(group) for group in groups if group.size):
        squared = _squared(vectors)
        least = np.where(np.isnan(squared), inf, squared).argmin(axis=1)
        shortest.append(vectors[np.arange(len(least)), least])
    return np.stack(shortest, axis=1)


def _vertex_edge(points: Array, other: FeatureArrays) -> Array:
    """Return the vectors from the points of edges nearest to points (n, v, 3), (n, v, e, 3)."""
    between = points[:, :, None] - other.starts[:, None]
    ways = other.ways[:, None]
    t: Array = np.clip(_dot(between, ways), other.t_min[:, None], other.t_max[:, None])
    return between - t[..., None] * ways


def _vertex_face(points: Array, other: FeatureArrays) -> Array:
    """Return the vectors to points (n, v, 3) from points of faces, their feet if inside, (n, v, f, 3)."""
    between = points[:, :, None] - other.corners[:, None]
    u, v = other.sides[:, None, :, 0], other.sides[:, None, :, 1]
    normal = np.cross(u, v)
    size = _squared(normal)
    s: Array = np.clip(_dot(np.cross(between, v), normal) / size, 0, 1)
    t: Array = np.clip(_dot(np.cross(u, between), normal) / size, 0, np.where(other.is_box, 1, 1 - s))
    return between - s[..., None] * u - t[..., None] * v


def _edge_edge(a: FeatureArrays, b: FeatureArrays) -> Array:
    """Return the vectors between the points of edges nearest to each other, if inside both, (n, e, e, 3)."""
    between = b.starts[:, None] - a.starts[:, :, None]
    own, other = a.ways[:, :, None], b.ways[:, None]
    normal = np.cross(own, other)
    t = _dot(np.cross(between, own), normal) / _squared(normal)
    t = np.clip(t, b.t_min[:, None], b.t_max[:, None])
    between = between + t[..., None] * other
    # The first edge may be endless: the foot of a point of the second is not far away even if t is wrong.
    s: Array = np.clip(_dot(between, own), a.t_min[:, :, None], a.t_max[:, :, None])
    return between - s[..., None] * own


def _doubt(sines: Sequence[Array]) -> Array:
    """Return how far a foot or a normal may be wrong, from the sines of the angles between edges; (n,).

    The error of a cross product is inverse to the sine; but two edges that are nearly parallel span a face of the
    difference of two sets as narrow as the sine, and its neighbours are as near.
    """
    every = np.concatenate([sine.reshape(len(sine), -1) for sine in sines], axis=1)
    doubts = np.where(every > 0, np.minimum(every, ROUNDED / every), 0.0)
    found: Array = doubts.max(axis=1, initial=0.0)
    return found


def _sines(p: Array, q: Array) -> Array:
    """Return the sines of the angles between unit vectors."""
    return np.sqrt(_squared(np.cross(p, q)))


def _term_sizes(p: Array, q: Array) -> Array:
    """Return the sums of the magnitudes of the terms in each component of p x q."""
    (px, py, pz), (qx, qy, qz) = (np.moveaxis(np.abs(each), -1, 0) for each in (p, q))
    return np.stack([py * qz + pz * qy, pz * qx + px * qz, px * qy + py * qx], axis=-1)


def _dot(a: Array, b: Array) -> Array:
    found: Array = np.einsum("...k,...k->...", a, b)
    return found


def _squared(a: Array) -> Array:
    return _dot(a, a)


def _flattened_vectors(vectors: Array) -> Array:
    return vectors.reshape(len(vectors), -1, 3)
