"""The exact witness of a verdict: the feature that a probe enters through, or the axis that separates two sets.

The axes are those of the separating axis test (Gottschalk 1996): the normals of the faces, then the cross products
of an edge of each. Where none of these separates two sets that are apart, e.g. two coplanar triangles, the axis is
the line between their nearest points.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from math import inf, isinf
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from hitscope import progress
from hitscope.float_mode import in_default_mode
from hitscope.geometry.exact.casts import contact
from hitscope.geometry.exact.clipping import linear_probe
from hitscope.geometry.exact.distance import shortened
from hitscope.geometry.exact.features import Direction, edges, feature_at, normals, surface_at
from hitscope.geometry.exact.gaps import core_gap
from hitscope.geometry.exact.hull import towards
from hitscope.geometry.exact.integers import Homogeneous, Vector, homogeneous, over_one_denominator, rounded, times
from hitscope.geometry.exact.relation import reach_of, relation
from hitscope.geometry.exact.round_ranges import round_range
from hitscope.geometry.exact.sets import Intersection, convex_set, core_of, radius_of, recession_cone
from hitscope.geometry.exact.sides import Array, about, direction_rows
from hitscope.geometry.shapes import Cast, Line, Plane, Point, Ray, Segment, Shape, is_linear
from hitscope.geometry.vector import cross, dot, subtract

AxisKind: TypeAlias = Literal["face normal", "edge normal", "edge cross edge", "nearest points"]
TOLERANCE = 2.0**-45
"""More than the error of a gap computed in float64, relative to the size of both sets: it is the difference of two
heights, each of less than 16 roundings, of coordinates of at most 1 along a unit vector."""
SAMPLES = 256
"""The most points of a set that a first bound of a gap is computed from."""
AXES, BOUNDED_AXES = 1 << 8, 1 << 14
"""The axes whose gaps are computed at once, and those whose gaps' bounds are."""


class Axis(NamedTuple):
    """An axis from the primitive towards the probe (not unit), and the feature of each shape that it comes from.

    A face normal comes from one of the two shapes; the other one's feature is None.
    """

    kind: AxisKind
    vector: Vector
    probe: str | None
    primitive: str | None
    gap: float
    """The distance of the two sets along the axis; minus the overlap if they overlap."""


class EntryFeature(NamedTuple):
    """The feature of the primitive that a point is on, or that a linear probe enters through or starts on."""

    feature: str
    starts: bool
    probe: str | None = None
    """The feature of a body that moves, with which it meets the primitive."""


Witness: TypeAlias = EntryFeature | Axis


class Generators(NamedTuple):
    """A set as the hull of `points`, unbounded along the directions `endless`."""

    points: Sequence[Homogeneous]
    endless: list[Vector]

    def ends(self, vector: Vector) -> tuple[bool, bool]:
        """Return whether the set is bounded backwards along a vector, and whether forwards."""
        slopes = [dot(vector, direction) for direction in self.endless]
        return min(slopes, default=0) >= 0, max(slopes, default=0) <= 0

    def along(self, vector: Vector) -> tuple[Fraction | None, Fraction | None]:
        """Return the least and the greatest dot product of a vector with the set; None where it is unbounded."""
        heights = [Fraction(dot(vector, point), point[3]) for point in self.points]
        backwards, forwards = self.ends(vector)
        return min(heights) if backwards else None, max(heights) if forwards else None


@in_default_mode
@lru_cache(maxsize=1 << 10, typed=True)  # Within a frame, both the panel and the picture use it.
def witness(probe: Shape, primitive: Shape) -> Witness | None:
    """Return the witness of a pair's verdict.

    Of a miss that is the separating axis with the widest gap; of a hit by a point or a linear probe the entry; of
    two bodies that meet the axis of the least overlap. None for a line that is inside the primitive from infinity.
    """
    found = relation(probe, primitive)
    if not found.hit:
        return _separating(probe, primitive)
    if isinstance(probe, Cast):
        assert found.t_enter is not None
        met = contact(probe, primitive, Fraction(found.t_enter), found.normal)
        own = surface_at(probe.inner, met.on_probe)
        return EntryFeature(surface_at(primitive, met.on_primitive), starts=found.t_enter == 0, probe=own)
    if isinstance(probe, Point):
        return EntryFeature(feature_at(primitive, convex_set(probe).vertices[0]), starts=True)
    if not is_linear(probe):
        axis = _widest(probe, primitive, all_axes(probe, primitive))
        if reach_of(probe, primitive) and core_gap(probe, primitive) is not None:
            between = nearest_points_axis(probe, primitive)
            return between if axis is None or axis.gap < between.gap else axis
        return axis
    if found.t_enter is None or found.t_enter == -inf:
        return None
    line = linear_probe(probe)
    entered = round_range(probe, primitive) if radius_of(primitive) else None
    if entered is not None and entered.on_core is not None:
        return EntryFeature(surface_at(primitive, entered.on_core()), starts=False)
    feature = feature_at(primitive, line.at(Fraction(found.t_enter)))
    return EntryFeature(feature, starts=found.t_enter == line.t_min)


@in_default_mode
def way_out(probe: Shape, primitive: Shape) -> tuple[float, Vector]:
    """Return the least translation of the probe that separates two sets that meet: its length and direction.

    They are apart after any longer one. The length is right within an ulp, 0 where they only touch and infinite
    where no translation separates them. The direction is not unit, (0, 0, 0) if there is none or most will do.
    """
    if reach := reach_of(probe, primitive):
        if core_gap(probe, primitive) is not None:
            axis = nearest_points_axis(probe, primitive)
            return -axis.gap + 0.0, axis.vector
        length, vector = way_out(core_of(probe), core_of(primitive))
        return length if isinf(length) else rounded(Fraction(length) + reach), vector
    if _are_along_one_line(probe, primitive):
        return 0.0, (0, 0, 0)
    axes = [*all_axes(probe, primitive)]
    least = _widest(probe, primitive, axes)
    if least is not None:
        return -least.gap, least.vector
    # Without any axis both sets are on one line, or a line goes through a plane.
    is_point = len(convex_set(primitive).vertices) == 1
    return inf if any(any(axis.vector) for axis in axes) and not is_point else 0.0, (0, 0, 0)


def _are_along_one_line(probe: Shape, primitive: Shape) -> bool:
    """Whether each of two sets is a point or lies on a line, and those lines are parallel."""
    vectors = []
    for shape in (probe, primitive):
        points, endless = generators(shape)
        vectors += [*endless, *(towards(points[0], point) for point in points)]
    vectors = [vector for vector in vectors if any(vector)]
    return not any(any(cross(vectors[0], vector)) for vector in vectors)


def all_axes(probe: Shape, primitive: Shape) -> Iterator["Candidate"]:
    """Yield all axes that may separate two sets, but for the line between their nearest points."""
    return chain(_faces(probe, primitive), _crosses(probe, primitive))


def _separating(probe: Shape, primitive: Shape) -> Axis:
    """Return the separating axis with the widest gap: a face normal if one separates, else a cross product.

    Of a body that moves it is the one between the nearest points on the way.
    """
    if isinstance(probe, Cast):
        return nearest_points_axis(probe, primitive)
    for candidates in (_faces, _crosses):
        best = _widest(probe, primitive, candidates(probe, primitive))
        if best is not None and best.gap > 0:
            return best
    return nearest_points_axis(probe, primitive)


def nearest_points_axis(probe: Shape, primitive: Shape) -> Axis:
    """Return the axis along the line between the nearest points of two cores that are apart."""
    found = core_gap(probe, primitive)
    assert found is not None, "the cores are apart"
    first, second = map(homogeneous, found.points())
    (a, b), _ = over_one_denominator([first, second])
    gap = shortened(found.squared, reach_of(probe, primitive))
    return Axis("nearest points", subtract(a, b), surface_at(probe, first), surface_at(primitive, second), gap)


class Candidate(NamedTuple):
    """An axis that may separate two sets, and the normals or edges that it comes from."""

    kind: AxisKind
    vector: Vector
    probe: Direction | None
    primitive: Direction | None

    def features(self, turned: bool) -> tuple[str | None, str | None]:
        """Return the features (probe's, primitive's) if the probe lies ahead along it, `turned` if behind."""
        probe, primitive = self.probe, self.primitive
        if turned:
            return probe and probe.ahead, primitive and primitive.behind
        # Of two opposite faces it is the one that looks at the other body.
        return probe and probe.behind, primitive and primitive.ahead


def _faces(probe: Shape, primitive: Shape) -> Iterator[Candidate]:
    for face in normals(primitive):
        yield Candidate("face normal", face.vector, None, face)
    for face in normals(probe):
        yield Candidate("face normal", face.vector, face, None)


def _crosses(probe: Shape, primitive: Shape) -> Iterator[Candidate]:
    for theirs, edge in product(edges(primitive), edges(probe)):
        yield Candidate("edge cross edge", cross(edge.vector, theirs.vector), edge, theirs)


def _widest(probe: Shape, primitive: Shape, candidates: Iterable[Candidate]) -> Axis | None:
    """Return the axis with the widest gap, or the least overlap; the first of several, None if there is none."""
    own, target, reach = generators(probe), generators(primitive), reach_of(probe, primitive)
    best: tuple[Fraction, Axis] | None = None
    for axis in _promising(own, target, candidates):
        vector = axis.vector
        (lo, hi), (near, far) = own.along(vector), target.along(vector)
        for first, last, way in ((lo, far, 1), (near, hi, -1)):
            if first is None or last is None:
                continue
            gap = first - last
            squared = gap**2 / dot(vector, vector)
            signed = squared if gap > 0 else -squared
            if best is None or signed > best[0]:
                features = axis.features(turned=way < 0)
                best = signed, Axis(axis.kind, times(vector, way), *features, _less_reach(signed, reach))
    return None if best is None else best[1]


class Shadows(NamedTuple):
    """The shadows of both on an axis from the primitive to the probe, as lengths rounded once."""

    turned: bool
    """Whether the axis is minus the vector asked about, since the gap is wider that way."""
    probe: tuple[float, float]
    primitive: tuple[float, float]
    gap: float
    """Between the shadows; minus their overlap, measured as the way of the probe out of it."""


def shadows(probe: Shape, primitive: Shape, vector: Vector) -> Shadows:
    """Return the shadows of both along a vector other than zero."""
    (lo, hi), (near, far) = generators(probe).along(vector), generators(primitive).along(vector)
    own, target = radius_of(probe), radius_of(primitive)
    gap = None if lo is None or far is None else lo - far
    other = None if near is None or hi is None else near - hi
    turned = other is not None and (gap is None or other > gap)
    if turned:
        gap, (lo, hi, near, far) = other, (None if end is None else -end for end in (hi, lo, far, near))
    squared = dot(vector, vector)
    return Shadows(
        turned,
        (_length(lo, squared, -inf, own), _length(hi, squared, inf, -own)),
        (_length(near, squared, -inf, target), _length(far, squared, inf, -target)),
        _length(gap, squared, -inf, own + target),
    )


def _length(height: Fraction | None, squared: int, unbounded: float, less: Fraction | int) -> float:
    """Return a dot product with an axis of a squared length as a length along it, less another, rounded once."""
    if height is None:
        return unbounded
    return _less_reach(height * abs(height) / squared, less)


def _less_reach(signed: Fraction, reach: Fraction | int) -> float:
    """Return the length of a square with the sign of that length, less another length, rounded once."""
    return shortened(signed, reach) if signed > 0 else -shortened(-signed, -reach) + 0.0


def _promising(own: Generators, target: Generators, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates whose gap, computed in float64, may be the widest, in their order."""
    axes = [candidate for candidate in candidates if any(candidate.vector)]
    if len(axes) < 2:
        return axes
    vectors = direction_rows([axis.vector for axis in axes])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    points, _ = about(target.points[0], (*own.points, *target.points))
    probe, primitive = np.split(points, [len(own.points)])
    back, on = np.array([own.ends(axis.vector) for axis in axes]).T
    behind, beyond = np.array([target.ends(axis.vector) for axis in axes]).T

    def gaps_of(part: Any, probe: Array, primitive: Array) -> Array:
        own_heights, heights = vectors[part] @ probe.T, vectors[part] @ primitive.T
        ahead = np.where((back & beyond)[part], own_heights.min(axis=1) - heights.max(axis=1), -inf)
        after = np.where((on & behind)[part], heights.min(axis=1) - own_heights.max(axis=1), -inf)
        return np.maximum(ahead, after)

    # Some of the points give an upper bound of each gap: all are needed only where it may be the widest.
    samples = [each[:: len(each) // SAMPLES + 1] for each in (probe, primitive)]
    parts = [slice(first, first + BOUNDED_AXES) for first in range(0, len(axes), BOUNDED_AXES)]
    bounds = np.concatenate([gaps_of(part, *samples) for part in parts])
    order = np.argsort(-bounds, kind="stable")
    gaps = np.full(len(axes), -inf)
    for first in range(0, len(axes), AXES):
        progress.advance(0)
        part = order[first : first + AXES]
        if bounds[part[0]] < gaps.max() - 2 * TOLERANCE:
            break
        gaps[part] = gaps_of(part, probe, primitive)
    return [axes[i] for i in np.flatnonzero(gaps >= gaps.max() - 2 * TOLERANCE)]


@lru_cache(maxsize=1 << 8, typed=True)  # A drag changes one shape of a pair; the other is looked up again.
def generators(shape: Shape) -> Generators:
    """Return a shape's extreme points and endless directions."""
    if isinstance(shape, Segment | Ray | Line):
        line = linear_probe(shape)
        end = (line.at(Fraction(1)),) if isinstance(shape, Segment) else ()
        points = [line.at(Fraction(0)), *end]
        ways: dict[type, tuple[int, ...]] = {Segment: (), Ray: (1,), Line: (1, -1)}
        return Generators(points, [times(line.direction, way) for way in ways[type(shape)]])
    if isinstance(shape, Plane):
        (plane,) = convex_set(shape).planes
        n, squared = plane.normal, dot(plane.normal, plane.normal)
        foot = times(n, plane.hi or 0)
        within = [axis for unit in ((1, 0, 0), (0, 1, 0), (0, 0, 1)) if any(axis := cross(n, unit))]
        return Generators([(*foot, squared)], [*within, *(times(axis, -1) for axis in within)])
    body = convex_set(shape)
    endless: list[Vector] = []
    if isinstance(body, Intersection) and not body.bounded:
        endless = [(x, y, z) for x, y, z, _ in recession_cone(body).vertices]
    return Generators(body.vertices, endless)
