"""The candidate axes of the catalogue's separating axis tests, in the order in which each takes them."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, product
from typing import Any, Literal, NamedTuple, TypeAlias

from hitscope.geometry.exact import AxisKind, Direction, edges, linear_probe, normals
from hitscope.geometry.exact.integers import Vector, over_power_of_two, times
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.registry import Method
from hitscope.geometry.shapes import Segment, Shape, Triangle
from hitscope.geometry.vector import cross, dot, subtract

RowKind: TypeAlias = AxisKind | Literal["edge normal"]
Directions: TypeAlias = Sequence[Direction]
NEARLY_PARALLEL = Fraction(1, 10**6)
"""The sine of an angle between edges below which their cross product, in a method, is mostly rounding."""


class MethodAxis(NamedTuple):
    """An axis by the features of a method's first and second parameter that it comes from."""

    kind: RowKind
    vector: Vector
    first: Direction | None
    second: Direction | None


class Candidate(NamedTuple):
    """An axis, and its features (probe's, primitive's) if the probe lies `ahead` along it, else `behind`."""

    kind: RowKind
    vector: Vector
    ahead: tuple[str | None, str | None]
    behind: tuple[str | None, str | None]
    degenerate: bool
    """Whether it is the cross product of edges that are parallel, or nearly so."""


def axes_of_method(method: Method, probe: Shape, primitive: Shape) -> list[Candidate] | None:
    """Return all axes that a method tries, in its order, degenerate ones too; None where it has no such order."""
    in_order = _ORDERS.get(method.name)
    if in_order is None:
        return None
    first, second = (primitive, probe) if method.swapped else (probe, primitive)
    return [_named(axis, method.swapped) for axis in in_order(first, second)]


def general_axes(probe: Shape, primitive: Shape) -> Iterator[Candidate]:
    """Yield the normals of all faces, then the cross products of all edges, as the exact witness takes them."""
    axes = chain(
        _of_second(normals(primitive)),
        _of_first(normals(probe)),
        (_crossed(own, theirs) for theirs, own in product(edges(primitive), edges(probe))),
    )
    return (_named(axis, swapped=False) for axis in axes)


def general_count(probe: Shape, primitive: Shape) -> int:
    """Return how many axes `general_axes` yields."""
    return len(normals(primitive)) + len(normals(probe)) + len(edges(primitive)) * len(edges(probe))


def _is_degenerate(axis: MethodAxis) -> bool:
    size = dot(axis.vector, axis.vector)
    if axis.kind != "edge cross edge" or axis.first is None or axis.second is None:
        return size == 0
    first, second = axis.first.vector, axis.second.vector
    return size <= NEARLY_PARALLEL**2 * dot(first, first) * dot(second, second)


def _named(axis: MethodAxis, swapped: bool) -> Candidate:
    probe, primitive = (axis.second, axis.first) if swapped else (axis.first, axis.second)
    # Of two opposite faces it is the one that looks at the other body.
    ahead = probe and probe.behind, primitive and primitive.ahead
    behind = probe and probe.ahead, primitive and primitive.behind
    return Candidate(axis.kind, axis.vector, ahead, behind, _is_degenerate(axis))


def _triangle_edges(triangle: Triangle) -> Directions:
    (a, b, c), _ = over_power_of_two(triangle)
    sides = ("0-1", a, b), ("1-2", b, c), ("0-2", c, a)
    return [Direction.of(subtract(end, start), f"edge {name}") for name, start, end in sides]


def _triangle_normal(triangle: Triangle) -> Direction:
    (a, b, c), _ = over_power_of_two(triangle)
    return Direction.of(cross(subtract(b, a), subtract(c, a)), "plane")


def _box_edges(box: Any) -> Directions:
    kind = KINDS[type(box)]
    found, _ = over_power_of_two(box.edges if hasattr(box, "edges") else kind.axes(box))
    return [Direction.of(edge, f"edge {axis}") for edge, axis in zip(found, kind.axis_names, strict=True)]


def _box_normals(box: Any) -> Directions:
    sides = _box_edges(box)
    found = []
    for i, axis in enumerate(KINDS[type(box)].axis_names):
        normal = cross(sides[(i + 1) % 3].vector, sides[(i + 2) % 3].vector)
        sign = -1 if dot(normal, sides[i].vector) < 0 else 1
        found.append(Direction.of(times(normal, sign), f"face +{axis}", f"face -{axis}"))
    return found


def _of_first(faces: Directions, kind: RowKind = "face normal") -> Iterator[MethodAxis]:
    return (MethodAxis(kind, face.vector, face, None) for face in faces)


def _of_second(faces: Directions, kind: RowKind = "face normal") -> Iterator[MethodAxis]:
    return (MethodAxis(kind, face.vector, None, face) for face in faces)


def _crosses(first: Directions, second: Directions) -> Iterator[MethodAxis]:
    """Yield the cross products of edges, those of the first body in the outer loop."""
    for a, b in product(first, second):
        yield _crossed(a, b)


def _crossed(first: Direction, second: Direction) -> MethodAxis:
    return MethodAxis("edge cross edge", cross(first.vector, second.vector), first, second)


def _box_crosses(triangle: Triangle, box: Any) -> Iterator[MethodAxis]:
    """Yield the cross products of the edges of a triangle and a box, those of the box in the outer loop."""
    for theirs, own in product(_box_edges(box), _triangle_edges(triangle)):
        yield _crossed(own, theirs)


def _sat13(triangle: Triangle, box: Any) -> Iterator[MethodAxis]:
    yield from _of_second(_box_normals(box))
    yield from _box_crosses(triangle, box)
    yield from _of_first([_triangle_normal(triangle)])


def _sat13_printed(triangle: Triangle, box: Any) -> Iterator[MethodAxis]:
    # The axes that its loop is meant to have: the sixth is another one in the listing.
    yield from _box_crosses(triangle, box)
    yield from _of_first([_triangle_normal(triangle)])
    yield from _of_second(_box_normals(box))


def _sat13_edges(triangle: Triangle, box: Any) -> Iterator[MethodAxis]:
    yield from _of_second(_turned(_box_normals(box)))
    yield from _of_first([_triangle_normal(triangle)])
    yield from _box_crosses(triangle, box)


def _sat15(a: Any, b: Any) -> Iterator[MethodAxis]:
    yield from _of_first(_turned(_box_normals(a)))
    yield from _of_second(_turned(_box_normals(b)))
    yield from _crosses(_box_edges(a), _box_edges(b))


def _turned(axes: Directions) -> Directions:
    """Return the normals of a box in the order of the products of edges 0 and 1, 1 and 2, 2 and 0."""
    return [axes[2], axes[0], axes[1]]


def _obb_tree(a: Any, b: Any) -> Iterator[MethodAxis]:
    for own, theirs in zip(_box_normals(a), _box_normals(b), strict=True):
        yield from _of_first([own])
        yield from _of_second([theirs])
    yield from _crosses(_box_edges(a), _box_edges(b))


def _overlap(a: Any, b: Any) -> Iterator[MethodAxis]:
    for own, theirs in zip(_box_normals(a), _box_normals(b), strict=True):
        yield MethodAxis("face normal", own.vector, own, theirs)


def _sat17(a: Triangle, b: Triangle) -> Iterator[MethodAxis]:
    own, theirs = _triangle_normal(a), _triangle_normal(b)
    yield from _of_first([own])
    yield from _of_second([theirs])
    yield from _crosses(_triangle_edges(a), _triangle_edges(b))
    yield from _of_first(_within(own, _triangle_edges(a)), "edge normal")
    yield from _of_second(_within(theirs, _triangle_edges(b)), "edge normal")


def _within(normal: Direction, sides: Directions) -> Directions:
    """Return the normals of a triangle's edges in its plane."""
    return [Direction.of(cross(normal.vector, side.vector), side.ahead) for side in sides]


def _sat_segment(segment: Segment, box: Any) -> Iterator[MethodAxis]:
    yield from _of_second(_box_normals(box))
    direction = Direction.of(linear_probe(segment).direction, "direction")
    yield from _crosses([direction], _box_edges(box))


_ORDERS: dict[str, Callable[[Any, Any], Iterator[MethodAxis]]] = {
    "sat13": _sat13,
    "sat13_intervals": _sat13,
    "sat13_printed": _sat13_printed,
    "sat13_edges": _sat13_edges,
    "sat15": _sat15,
    "sat17": _sat17,
    "obb_tree": _obb_tree,
    "overlap": _overlap,
    "sat_segment": _sat_segment,
}
