"""The exact convex hull of points: a point, a segment, a polygon or a solid.

A solid's faces are found by gift wrapping (Chand and Kapur 1970): from a face the next one is reached by turning
its plane about an edge until it meets a point. All points of a plane are taken at once, so that faces are the
true polygons, however many points are coplanar or repeated.
"""

from collections.abc import Sequence
from typing import NamedTuple

from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.vector import cross, dot, subtract


class Slab(NamedTuple):
    """The points with lo <= dot(normal, p) <= hi; None is no bound, and lo == hi makes it a plane."""

    normal: Vector
    lo: int | None
    hi: int | None


class ConvexHull(NamedTuple):
    """The slabs whose intersection is the hull (planes first), and its faces as cycles of vertices.

    A solid's faces are counter-clockwise from outside; a flat hull is its own face, a segment or point too.
    """

    slabs: list[Slab]
    faces: list[list[Vector]]


def hull(points: Sequence[Vector]) -> ConvexHull:
    """Return the convex hull of at least one point."""
    distinct = sorted(set(points))
    first = distinct[0]
    second = next((p for p in distinct if p != first), None)
    if second is None:
        units: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
        return ConvexHull([Slab(unit, dot(unit, first), dot(unit, first)) for unit in units], [[first]])
    direction = subtract(second, first)
    normal = next((n for p in distinct if any(n := cross(direction, subtract(p, first)))), None)
    if normal is None:
        return _segment(distinct, direction)
    if all(dot(normal, p) == dot(normal, first) for p in distinct):
        return _polygon(distinct, normal)
    return _solid(distinct)


def _segment(points: list[Vector], direction: Vector) -> ConvexHull:
    units = ((1, 0, 0), (0, 1, 0))
    across = next(n for unit in units if any(n := cross(direction, unit)))
    planes = [Slab(n, dot(n, points[0]), dot(n, points[0])) for n in (across, cross(direction, across))]
    ordered = sorted(points, key=lambda p: dot(direction, p))
    along = Slab(direction, dot(direction, ordered[0]), dot(direction, ordered[-1]))
    return ConvexHull([*planes, along], [[ordered[0], ordered[-1]]])


def _polygon(points: Sequence[Vector], normal: Vector) -> ConvexHull:
    cycle = convex_cycle(points, normal)
    offset = dot(normal, cycle[0])
    return ConvexHull([Slab(normal, offset, offset), *edge_slabs(cycle, normal)], [cycle])


def edge_slabs(cycle: Sequence[Vector], normal: Vector) -> list[Slab]:
    """Return, for each edge of a counter-clockwise polygon, the half-space on the polygon's side of it."""
    outward = [(p, cross(subtract(q, p), normal)) for p, q in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    return [Slab(n, None, dot(n, p)) for p, n in outward]


def convex_cycle(points: Sequence[Vector], normal: Vector) -> list[Vector]:
    """Return the corners of coplanar points, counter-clockwise about the normal (Andrew's monotone chain)."""
    dropped = max(range(3), key=lambda axis: abs(normal[axis]))
    k, m = (dropped + 1) % 3, (dropped + 2) % 3
    ordered = sorted(set(points), key=lambda p: (p[k], p[m]))

    def chain(path: Sequence[Vector]) -> list[Vector]:
        kept: list[Vector] = []
        for p in path:
            while len(kept) > 1 and (
                (kept[-1][k] - kept[-2][k]) * (p[m] - kept[-2][m])
                <= (kept[-1][m] - kept[-2][m]) * (p[k] - kept[-2][k])
            ):
                kept.pop()
            kept.append(p)
        return kept[:-1]

    cycle = chain(ordered) + chain(ordered[::-1])
    return cycle if normal[dropped] > 0 else cycle[::-1]


def _solid(points: list[Vector]) -> ConvexHull:
    slabs: list[Slab] = []
    faces: list[list[Vector]] = []
    done: set[tuple[Vector, Vector]] = set()
    waiting: list[tuple[Vector, Vector]] = []

    def take(normal: Vector, offset: int) -> None:
        cycle = convex_cycle([p for p in points if dot(normal, p) == offset], normal)
        slabs.append(Slab(normal, None, offset))
        faces.append(cycle)
        edges = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        done.update(edges)
        waiting.extend((q, p) for p, q in edges)

    take(*_first_face(points))
    while waiting:
        p, q = waiting.pop()
        if (p, q) not in done:
            take(*_turned(points, p, subtract(q, p)))
    return ConvexHull(slabs, faces)


def _turned(points: list[Vector], pivot: Vector, axis: Vector) -> tuple[Vector, int]:
    """Return the plane (normal, offset) through a line with all points on it or behind it (gift wrapping).

    The line goes through `pivot` along `axis`.
    """
    normal: Vector | None = None
    for p in points:
        if normal is None or dot(normal, subtract(p, pivot)) > 0:
            turned = cross(axis, subtract(p, pivot))
            normal = turned if any(turned) else normal
    assert normal is not None, "a solid has points beside every line"
    return normal, dot(normal, pivot)


def _first_face(points: list[Vector]) -> tuple[Vector, int]:
    """Return the plane (normal, offset) of a face: of the wrapping about a vertical line through the least point.

    If that plane has only an edge of the hull, it is wrapped about the edge.
    """
    least = points[0]
    normal, offset = _turned(points, least, (0, 0, 1))
    met = [p for p in points if dot(normal, p) == offset]
    axis = next(subtract(p, least) for p in met if any(cross((0, 0, 1), subtract(p, least))))
    if any(any(cross(axis, subtract(p, least))) for p in met):
        return normal, offset
    return _turned(points, least, axis)
