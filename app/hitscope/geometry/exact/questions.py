"""Questions about exact sets beside a pair's relation, distance and witness: extent, containment, faces entered.

Nothing outside `geometry` sees the slabs and planes that answer them. Points are homogeneous integers.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import inf

from hitscope.geometry.exact.casts import line_and_set
from hitscope.geometry.exact.clipping import Bound, clip_linear, linear_probe
from hitscope.geometry.exact.features import box_axes
from hitscope.geometry.exact.gaps import point_gap
from hitscope.geometry.exact.hull import Cycle, Slab
from hitscope.geometry.exact.integers import Homogeneous, homogeneous, unit
from hitscope.geometry.exact.relation import reach_of, relation
from hitscope.geometry.exact.roots import sign_of
from hitscope.geometry.exact.round_ranges import round_range
from hitscope.geometry.exact.separation import generators
from hitscope.geometry.exact.sets import clip_cycle, convex_set, radius_of
from hitscope.geometry.shapes import Aabb, Line, Ray, Segment, Shape, Vec3, is_linear
from hitscope.geometry.vector import dot

Range = tuple[Bound, Bound]
"""Where a probe enters and where it leaves."""


def is_bounded(shape: Shape) -> bool:
    """Whether a set has no point at infinity."""
    return isinstance(shape, Segment) if is_linear(shape) else convex_set(shape).bounded


def dimension(shape: Shape) -> int:
    """Return 0 of a point, 1 of a set on a line, 2 of one in a plane and 3 of a solid."""
    if is_linear(shape):
        return int(any(linear_probe(shape).direction))
    return 3 if radius_of(shape) else 3 - len(convex_set(shape).planes)


def is_plane(shape: Shape) -> bool:
    """Whether a set is a whole plane."""
    return not is_linear(shape) and dimension(shape) == 2 and not convex_set(shape).walls


def corners(shape: Shape) -> Sequence[Homogeneous]:
    """Return the corners of a set, or of a round one's core, each once.

    Of a linear probe these are its ends, of a plane the point nearest to the origin. Those of an unbounded
    polyhedron are partly far out.
    """
    return generators(shape).points


def faces(shape: Shape, within: Aabb | None = None) -> Sequence[Cycle]:
    """Return the corners of each face in turn, or of the part of it within a box; a flat set is its own face.

    Of a round set they are those of its core.
    """
    cycles = convex_set(shape).faces
    if within is None:
        return cycles
    return [part for face in cycles if (part := clip_cycle(face, convex_set(within).slabs))]


def box_sides_at(box: Aabb, point: Homogeneous) -> set[tuple[int, int]]:
    """Return the sides of a box that a point lies on, by axis and end (0 or 1)."""
    return {
        (axis, end)
        for axis, slab in enumerate(convex_set(box).slabs)
        for end, bound in enumerate((slab.lo, slab.hi))
        if bound is not None and dot(slab.normal, point) == bound * point[3]
    }


def contains(outer: Shape, inner: Shape) -> bool:
    """Whether all of a bounded set lies in another set; false of an unbounded one."""
    if not is_bounded(inner):
        return False
    # What both have around their cores changes nothing: the larger radius counts less the smaller one.
    excess = radius_of(inner) - radius_of(outer)
    if excess >= 0:
        return _hold(convex_set(outer).slabs, corners(inner), excess)
    return all(point_gap(corner, convex_set(outer)).squared <= excess**2 for corner in corners(inner))


def contains_point(shape: Shape, point: Sequence[Fraction]) -> bool:
    """Whether a point of fractions lies in a set."""
    if radius := radius_of(shape):
        return point_gap(homogeneous(point), convex_set(shape)).squared <= radius**2
    return _hold(convex_set(shape).slabs, [homogeneous(point)])


def are_in_a_plane(probe: Shape, primitive: Shape) -> bool:
    """Whether a body and a flat primitive, such as two boxes without height, lie in one plane."""
    if is_linear(probe) or radius_of(probe) or radius_of(primitive):
        return False
    planes = convex_set(primitive).planes
    return any(_hold([plane], corners(probe)) for plane in planes)


def line_range(probe: Segment | Ray | Line, primitive: Shape) -> Range | None:
    """Return the t at which the whole line of a probe enters and leaves a primitive; None where it misses."""
    if not radius_of(primitive):
        return _range_in(probe, convex_set(primitive).slabs)
    found = round_range(probe, primitive, endless=True)
    return None if found is None else (found.t_enter, found.t_exit)


def box_ranges(probe: Segment | Ray | Line, box: Shape) -> list[Range] | None:
    """Return the t at which a probe's line is between each two opposite faces of a box, None without volume.

    It is from inf to -inf where the line is outside.
    """
    if not box_axes(box):
        return None
    return [_range_in(probe, [slab]) or (inf, -inf) for slab in convex_set(box).slabs]


def _range_in(probe: Segment | Ray | Line, slabs: Sequence[Slab]) -> Range | None:
    """Return the t at which the whole line of a probe enters and leaves slabs; None where it misses."""
    found = clip_linear(linear_probe(probe)._replace(t_min=-inf, t_max=inf), slabs)
    return None if found is None else (found.t_enter, found.t_exit)


def entry_normals(probe: Shape, primitive: Shape) -> list[Vec3] | None:
    """Return the unit normals of all faces that a linear probe enters first; None where it enters none.

    Of a body that moves they are the faces of the difference of both that its motion enters.
    """
    found = relation(probe, primitive)
    if found.normal is None or found.t_enter in (None, -inf):
        return None
    normals = [found.normal]
    if not reach_of(probe, primitive):
        line, target = line_and_set(probe, primitive)
        ranges = [clip_linear(line, [slab]) for slab in target.slabs] if target else []
        normals = [one.normal for one in ranges if one and one.normal and one.t_enter == found.t_enter]
    return [direction for normal in normals if (direction := unit(normal)) is not None]


def _hold(slabs: Iterable[Slab], points: Sequence[Homogeneous], radius: Fraction | int = 0) -> bool:
    """Whether all that is within a radius of points lies in all slabs."""
    for slab in slabs:
        squared = dot(slab.normal, slab.normal)
        for (normal, bound), point in product(slab.sides, points):
            if sign_of(Fraction(dot(normal, point), point[3]) - bound, radius, squared) > 0:
                return False
    return True
