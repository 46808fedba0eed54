"""The candidate axes of the catalogue's separating axis tests, in the order in which each takes them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product, starmap
from typing import Any, NamedTuple, TypeAlias

from hitscope.geometry.exact import AxisKind, Candidate, Direction, linear_probe
from hitscope.geometry.exact.integers import over_power_of_two, times
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.registry import Method
from hitscope.geometry.shapes import Segment, Shape, Triangle
from hitscope.geometry.vector import cross, dot, subtract

Directions: TypeAlias = Sequence[Direction]


def axes_of_method(method: Method, probe: Shape, primitive: Shape) -> list[Candidate] | None:
    """Return all axes that a method tries, in its order, degenerate ones too; None where it has no such order."""
    if (in_order := _ORDERS.get(method.name)) is None:
        return None
    first, second = (primitive, probe) if method.swapped else (probe, primitive)
    axes = in_order(*(_BODIES.get(type(shape), _body_of_box)(shape) for shape in (first, second)))
    return [axis._replace(probe=axis.primitive, primitive=axis.probe) if method.swapped else axis for axis in axes]


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


_BODIES: dict[type, Callable[[Any], _Body]] = {
    Segment: lambda segment: _Body((), [Direction.of(linear_probe(segment).direction, "direction")]),
    Triangle: _body_of_triangle,
}
"""How the body of a shape other than a box is made."""


def _of_first(faces: Directions, kind: AxisKind = "face normal") -> Iterator[Candidate]:
    return (Candidate(kind, face.vector, face, None) for face in faces)


def _of_second(faces: Directions, kind: AxisKind = "face normal") -> Iterator[Candidate]:
    return (Candidate(kind, face.vector, None, face) for face in faces)


def _crossed(first: Direction, second: Direction) -> Candidate:
    return Candidate("edge cross edge", cross(first.vector, second.vector), first, second)


def _crosses(a: _Body, b: _Body, second_outside: bool = False) -> list[Candidate]:
    """Return the cross products of edges, those of the first body in the outer loop, or of the second one."""
    if second_outside:
        return [_crossed(own, theirs) for theirs, own in product(b.edges, a.edges)]
    return list(starmap(_crossed, product(a.edges, b.edges)))


def _sat13(a: _Body, b: _Body) -> Iterator[Candidate]:
    return chain(_of_second(b.normals), _crosses(a, b, second_outside=True), _of_first(a.normals))


def _sat17(a: _Body, b: _Body) -> Iterator[Candidate]:
    beside = _of_first(a.beside, "edge normal"), _of_second(b.beside, "edge normal")
    return chain(_of_first(a.normals), _of_second(b.normals), _crosses(a, b), *beside)


def _obb_tree(a: _Body, b: _Body) -> Iterator[Candidate]:
    for own, theirs in zip(a.normals, b.normals, strict=True):
        yield from (*_of_first([own]), *_of_second([theirs]))
    yield from _crosses(a, b)


def _overlap(a: _Body, b: _Body) -> Iterator[Candidate]:
    return (Candidate("face normal", n.vector, n, m) for n, m in zip(a.normals, b.normals, strict=True))


_ORDERS: dict[str, Callable[[_Body, _Body], Iterable[Candidate]]] = {
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
