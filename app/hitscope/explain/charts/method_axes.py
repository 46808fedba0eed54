"""The candidate axes of the catalogue's separating axis tests, in the order in which each takes them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, product, starmap
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
    bodies = (_BODIES.get(type(shape), _body_of_box)(shape) for shape in (first, second))
    return [_named(axis, method.swapped) for axis in in_order(*bodies)]


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


def _named(axis: MethodAxis, swapped: bool) -> Candidate:
    probe, primitive = (axis.second, axis.first) if swapped else (axis.first, axis.second)
    # Of two opposite faces it is the one that looks at the other body.
    ahead = probe and probe.behind, primitive and primitive.ahead
    behind = probe and probe.ahead, primitive and primitive.behind
    largest = Fraction(0)
    if axis.kind == "edge cross edge" and axis.first and axis.second:
        first, second = axis.first.vector, axis.second.vector
        largest = NEARLY_PARALLEL**2 * dot(first, first) * dot(second, second)
    return Candidate(axis.kind, axis.vector, ahead, behind, dot(axis.vector, axis.vector) <= largest)


class _Body(NamedTuple):
    """The normals and the edges of a shape, also of one without volume or area, in the order of its fields."""

    normals: Directions
    edges: Directions

    @property
    def turned(self) -> Directions:
        """The normals of a box in the order of the products of edges 0 and 1, 1 and 2, 2 and 0."""
        return [self.normals[2], self.normals[0], self.normals[1]]

    @property
    def beside(self) -> Directions:
        """The normals of a triangle's edges in its plane."""
        return [Direction.of(cross(self.normals[0].vector, side.vector), side.ahead) for side in self.edges]


def _body_of_segment(segment: Segment) -> _Body:
    return _Body((), [Direction.of(linear_probe(segment).direction, "direction")])


def _body_of_triangle(triangle: Triangle) -> _Body:
    (a, b, c), _ = over_power_of_two(triangle)
    sides = ("0-1", a, b), ("1-2", b, c), ("0-2", c, a)
    edges = [Direction.of(subtract(end, start), f"edge {name}") for name, start, end in sides]
    return _Body([Direction.of(cross(subtract(b, a), subtract(c, a)), "plane")], edges)


def _body_of_box(box: Any) -> _Body:
    kind = KINDS[type(box)]
    found, _ = over_power_of_two(box.edges if hasattr(box, "edges") else kind.axes(box))
    edges = [Direction.of(edge, f"edge {axis}") for edge, axis in zip(found, kind.axis_names, strict=True)]
    normals = []
    for i, axis in enumerate(kind.axis_names):
        normal = cross(edges[(i + 1) % 3].vector, edges[(i + 2) % 3].vector)
        sign = -1 if dot(normal, edges[i].vector) < 0 else 1
        normals.append(Direction.of(times(normal, sign), f"face +{axis}", f"face -{axis}"))
    return _Body(normals, edges)


_BODIES: dict[type, Callable[[Any], _Body]] = {Segment: _body_of_segment, Triangle: _body_of_triangle}
"""How the body of a shape other than a box is made."""


def _of_first(faces: Directions, kind: RowKind = "face normal") -> Iterator[MethodAxis]:
    return (MethodAxis(kind, face.vector, face, None) for face in faces)


def _of_second(faces: Directions, kind: RowKind = "face normal") -> Iterator[MethodAxis]:
    return (MethodAxis(kind, face.vector, None, face) for face in faces)


def _crossed(first: Direction, second: Direction) -> MethodAxis:
    return MethodAxis("edge cross edge", cross(first.vector, second.vector), first, second)


def _crosses(a: _Body, b: _Body, second_outside: bool = False) -> list[MethodAxis]:
    """Return the cross products of edges, those of the first body in the outer loop, or of the second one."""
    if second_outside:
        return [_crossed(own, theirs) for theirs, own in product(b.edges, a.edges)]
    return list(starmap(_crossed, product(a.edges, b.edges)))


def _sat13(a: _Body, b: _Body) -> Iterator[MethodAxis]:
    return chain(_of_second(b.normals), _crosses(a, b, second_outside=True), _of_first(a.normals))


def _sat17(a: _Body, b: _Body) -> Iterator[MethodAxis]:
    beside = _of_first(a.beside, "edge normal"), _of_second(b.beside, "edge normal")
    return chain(_of_first(a.normals), _of_second(b.normals), _crosses(a, b), *beside)


def _obb_tree(a: _Body, b: _Body) -> Iterator[MethodAxis]:
    for own, theirs in zip(a.normals, b.normals, strict=True):
        yield from (*_of_first([own]), *_of_second([theirs]))
    yield from _crosses(a, b)


def _overlap(a: _Body, b: _Body) -> Iterator[MethodAxis]:
    return (MethodAxis("face normal", n.vector, n, m) for n, m in zip(a.normals, b.normals, strict=True))


_ORDERS: dict[str, Callable[[_Body, _Body], Iterable[MethodAxis]]] = {
    "sat13": _sat13,
    "sat13_intervals": _sat13,
    # The axes that its loop is meant to have: the sixth is another one in the listing.
    "sat13_printed": lambda a, b: chain(_crosses(a, b, True), _of_first(a.normals), _of_second(b.normals)),
    "sat13_edges": lambda a, b: chain(_of_second(b.turned), _of_first(a.normals), _crosses(a, b, True)),
    "sat15": lambda a, b: chain(_of_first(a.turned), _of_second(b.turned), _crosses(a, b)),
    "sat17": _sat17,
    "obb_tree": _obb_tree,
    "overlap": _overlap,
    "sat_segment": lambda a, b: chain(_of_second(b.normals), _crosses(a, b)),
}
