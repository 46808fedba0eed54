"""The exact convex hull of points: a point, a segment, a polygon or a solid.

The triangles of a solid are found by `cone`. Those of a plane are one face, the true polygon, however many points
are coplanar or repeated.
"""

from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from itertools import chain, pairwise, product
from math import gcd
from typing import NamedTuple, TypeAlias, TypeVar

from hitscope import progress
from hitscope.geometry.exact import cone
from hitscope.geometry.exact.integers import Homogeneous, Vector, reduced, times
from hitscope.geometry.vector import cross, dot, subtract

P = TypeVar("P")
STEPS = 1 << 10
"""A number of faces that takes milliseconds."""

FAR_WAYS: list[Vector] = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
_FAR_CORNERS = [
    (i, 2 + j, 4 + k) if (i + j + k) % 2 == 0 else (2 + j, i, 4 + k) for i, j, k in product((0, 1), repeat=3)
]
"""The sides of a cube about the origin, and the three sides at each corner."""

Cycle: TypeAlias = Sequence[Homogeneous]
"""A convex polygon by its corners in turn; two corners are a segment, one is a point."""


class Slab(NamedTuple):
    """The points with lo <= dot(normal, p) <= hi; None is no bound, and lo == hi makes it a plane."""

    normal: Vector
    lo: int | None
    hi: int | None

    @property
    def sides(self) -> list[tuple[Vector, int]]:
        """The half-spaces dot(normal, p) <= bound whose intersection it is, by normal and bound."""
        ahead = [] if self.hi is None else [(self.normal, self.hi)]
        return ahead if self.lo is None else [*ahead, (times(self.normal, -1), -self.lo)]


class Face(NamedTuple):
    """A polygon, counter-clockwise from outside, and the half-space that it bounds."""

    half_space: Slab
    cycle: Cycle


class ConvexHull(NamedTuple):
    """The slabs whose intersection is the hull (planes first), and its faces as cycles of vertices.

    A solid's faces are counter-clockwise from outside, in the order of `in_order`; a flat hull is its own face, a
    segment or point too.
    """

    slabs: list[Slab]
    faces: list[Cycle]


def hull(points: Sequence[Vector]) -> ConvexHull:
    """Return the convex hull of at least one point."""
    distinct = [(*point, 1) for point in sorted(set(points))]
    if (flat := flat_hull(distinct)) is not None:
        return flat
    faces = in_order(_faces(distinct))
    return ConvexHull([face.half_space for face in faces], [face.cycle for face in faces])


def hull_of_half_spaces(half_spaces: Sequence[Slab], far: int) -> ConvexHull:
    """Return the hull of an intersection's part in a cube: of a solid without slabs, if empty without faces."""
    sides = [*(Slab(way, None, far) for way in FAR_WAYS), *half_spaces]
    vectors = [(*side.normal, -(side.hi or 0)) for side in sides]
    on_side: dict[int, dict[Homogeneous, None]] = {}
    for facet in cone.facets(vectors, _FAR_CORNERS):
        corner = reduced(*cone.normal(*(vectors[i] for i in facet)))
        for i in facet:
            on_side.setdefault(i, {})[corner] = None
    corners = sorted(dict.fromkeys(chain.from_iterable(on_side.values())), key=cmp_to_key(compared))
    if not corners:
        return ConvexHull([], [])
    if (flat := flat_hull(corners)) is not None:
        return flat
    faces = [Face(sides[i], convex_cycle(on, sides[i].normal)) for i, on in on_side.items()]
    return ConvexHull([], [face.cycle for face in in_order([face for face in faces if len(face.cycle) > 2])])


def flat_hull(points: Sequence[Homogeneous]) -> ConvexHull | None:
    """Return the hull of distinct points in lexicographic order if all are in one plane."""
    first, *others = simplex(points)
    match others:
        case []:
            units: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
            return ConvexHull([_plane_at(first, unit) for unit in units], [[first]])
        case [second]:
            return _segment(points[0], points[-1])
        case [second, third]:
            normal = cross(towards(first, second), towards(first, third))
            cycle = convex_cycle(points, normal)
            return ConvexHull([_plane_at(cycle[0], normal), *edge_slabs(cycle, normal)], [cycle])
    return None


def simplex(points: Sequence[Homogeneous]) -> list[Homogeneous]:
    """Return the first of distinct points that are affinely independent: one to four."""
    first = points[0]
    directions = [towards(first, p) for p in points[1:]]
    if not directions:
        return [first]
    second = directions[0]
    third = next((i for i, d in enumerate(directions) if any(cross(second, d))), None)
    if third is None:
        return [first, points[1]]
    normal = cross(second, directions[third])
    fourth = next((i for i, d in enumerate(directions) if dot(normal, d)), None)
    return [first, points[1], points[third + 1], *([] if fourth is None else [points[fourth + 1]])]


def towards(p: Homogeneous, q: Homogeneous) -> Vector:
    """Return the direction from a point to another, of any length."""
    v, w = p[3], q[3]
    return q[0] * v - p[0] * w, q[1] * v - p[1] * w, q[2] * v - p[2] * w


def compared(p: Homogeneous, q: Homogeneous) -> int:
    """Return whether a point is before (< 0), equal to (0) or after (> 0) another in lexicographic order."""
    return next((difference for difference in towards(q, p) if difference), 0)


def edge_slabs(cycle: Cycle, normal: Vector) -> list[Slab]:
    """Return, for each edge of a counter-clockwise polygon, the half-space on the polygon's side of it."""
    return [_half_space_at(p, cross(towards(p, q), normal)) for p, q in edges_of(cycle)]


def edges_of(cycle: Sequence[P]) -> list[tuple[P, P]]:
    """Return the edges of a polygon in turn, by their ends."""
    return [(p, q) for p, q in pairwise((*cycle, cycle[0])) if p != q]


def convex_cycle(points: Iterable[Homogeneous], normal: Vector) -> list[Homogeneous]:
    """Return the corners of coplanar points, counter-clockwise about the normal (Andrew's monotone chain).

    Of points on a line there are two, of one point none.
    """
    dropped = max(range(3), key=lambda axis: abs(normal[axis]))
    k, m = (dropped + 1) % 3, (dropped + 2) % 3

    def before(p: Homogeneous, q: Homogeneous) -> int:
        return p[k] * q[3] - q[k] * p[3] or p[m] * q[3] - q[m] * p[3]

    def turns_left(a: Homogeneous, b: Homogeneous, c: Homogeneous) -> bool:
        v, w, u = a[3], b[3], c[3]
        return (b[k] * v - a[k] * w) * (c[m] * v - a[m] * u) > (b[m] * v - a[m] * w) * (c[k] * v - a[k] * u)

    def chain(path: Sequence[Homogeneous]) -> list[Homogeneous]:
        kept: list[Homogeneous] = []
        for p in path:
            while len(kept) > 1 and not turns_left(kept[-2], kept[-1], p):
                kept.pop()
            kept.append(p)
        return kept[:-1]

    ordered = sorted(set(points), key=cmp_to_key(before))
    cycle = chain(ordered) + chain(ordered[::-1])
    return cycle if normal[dropped] > 0 else cycle[::-1]


def in_order(faces: Sequence[Face]) -> list[Face]:
    """Return the faces of a solid from one at the least corner on, each reached over an edge of one before."""
    beyond = {edge: face for face in faces for edge in edges_of(face.cycle)}
    least = min(dict.fromkeys(p for p, _ in beyond), key=cmp_to_key(compared))
    around = [face for face in faces if least in face.cycle]
    normal = _first_normal([towards(least, p) for face in around for p in face.cycle])
    ahead = [face for face in around if dot(face.half_space.normal, normal) > 0]
    first = next(face for face in ahead if not any(cross(face.half_space.normal, normal)))
    ordered: list[Face] = []
    done: set[tuple[Homogeneous, Homogeneous]] = set()
    waiting = edges_of(first.cycle)[:1]
    while waiting:
        p, q = waiting.pop()
        if (p, q) not in done:
            ordered.append(face := beyond[p, q])
            edges = edges_of(face.cycle)
            done.update(edges)
            waiting.extend((q, p) for p, q in edges)
    return ordered


def _segment(first: Homogeneous, last: Homogeneous) -> ConvexHull:
    direction = towards(first, last)
    units = ((1, 0, 0), (0, 1, 0))
    across = next(n for unit in units if any(n := cross(direction, unit)))
    planes = [_plane_at(first, n) for n in (across, cross(direction, across))]
    v, w = first[3], last[3]
    along = Slab(times(direction, v * w), dot(direction, first) * w, dot(direction, last) * v)
    return ConvexHull([*planes, along], [[first, last]])


def _half_space_at(point: Homogeneous, normal: Vector) -> Slab:
    """Return the half-space behind the plane through a point."""
    return Slab(times(normal, point[3]), None, dot(normal, point))


def _plane_at(point: Homogeneous, normal: Vector) -> Slab:
    half_space = _half_space_at(point, normal)
    return half_space._replace(lo=half_space.hi)


def _turned(directions: Sequence[Vector], axis: Vector) -> Vector:
    """Return the normal of a plane along an axis with all directions in it or behind it."""
    normal: Vector | None = None
    for direction in directions:
        if normal is None or dot(normal, direction) > 0:
            turned = cross(axis, direction)
            normal = turned if any(turned) else normal
    assert normal is not None, "a solid has points beside every line"
    return normal


def _first_normal(directions: Sequence[Vector]) -> Vector:
    """Return the normal of the face that a vertical plane through the least point, seen from there, turns into.

    If that plane has only an edge of the hull, it is turned about the edge.
    """
    normal = _turned(directions, (0, 0, 1))
    met = [direction for direction in directions if dot(normal, direction) == 0]
    axis = next(direction for direction in met if any(cross((0, 0, 1), direction)))
    if any(any(cross(axis, direction)) for direction in met):
        return normal
    return _turned(directions, axis)


def _faces(points: Sequence[Homogeneous]) -> list[Face]:
    """Return the faces of the hull of integer points that are not in one plane."""
    lows, highs = (tuple(map(extreme, zip(*points, strict=True))) for extreme in (min, max))
    cx, cy, cz, _ = ((low + high) // 2 for low, high in zip(lows, highs, strict=True))
    centered = [(x - cx, y - cy, z - cz, 1) for x, y, z, _ in points]
    index = {point: i for i, point in enumerate(points)}
    a, b, c, d = (index[point] for point in simplex(points))
    outward = cone.normal(centered[a], centered[b], centered[c])
    if sum(f * v for f, v in zip(outward, centered[d], strict=True)) > 0:
        a, b = b, a
    on_plane: dict[tuple[Vector, int], list[Homogeneous]] = {}
    for i, facet in enumerate(cone.facets(centered, [(a, b, c), (a, d, b), (b, d, c), (c, d, a)])):
        if i % STEPS == 0:
            progress.advance(0)
        p, q, r = (points[k] for k in facet)
        normal = cross(subtract(r, p), subtract(q, p))
        size = gcd(*normal)
        normal = normal[0] // size, normal[1] // size, normal[2] // size
        on_plane.setdefault((normal, dot(normal, p)), []).extend((p, q, r))
    return [Face(Slab(n, None, offset), convex_cycle(corners, n)) for (n, offset), corners in on_plane.items()]
