"""Shapes around others: all that is within a radius of a flat or solid core, and bodies that move.

Their types are made of those that they wrap: `Rounded` and `Cast` return one of them. Each has the fields of the
wrapped type, and a radius or a motion behind them, so that its numbers are in one row, as those of any shape.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, get_type_hints

import numpy as np

from hitscope.errors import ArgumentFault, Fault, shown
from hitscope.geometry import checks
from hitscope.geometry.kinds.boxes import AABB, OBB, PARALLELEPIPED, Aabb
from hitscope.geometry.kinds.flat import TRIANGLE
from hitscope.geometry.kinds.polyhedra import FRUSTUM, POLYHEDRON
from hitscope.geometry.kinds.record import RULES, Array, Kind, Mask, Number, Scale, Vec3, Vector, checked, grown
from hitscope.geometry.kinds.round import CAPSULE, SPHERE, Sphere

if TYPE_CHECKING:
    _Numbers = tuple[Any, ...]
else:
    _Numbers = object


class Wrapped(_Numbers):
    """A shape made of another one, the first fields of which are those of that."""

    __slots__ = ()
    if TYPE_CHECKING:
        wrapped: ClassVar[type[Any]]
        """The type of shape inside."""
        _fields: ClassVar[tuple[str, ...]]

    @property
    def inner(self) -> Any:
        """The shape inside."""
        return self.wrapped._make(self[:-1])


class Rounded(Wrapped):
    """All points within a radius of a triangle, a box or a bounded polyhedron.

    >>> from hitscope import Aabb, Point, Rounded, intersect
    >>> intersect(Point((2, 2, 0)), Rounded(Aabb((-1, -1, -1), (1, 1, 1)), radius=1.5)).state
    'inside'
    """

    __slots__ = ()

    def __new__(cls, shape: Any, radius: Number) -> Any:
        """Return the shape of the type for what is rounded."""
        return _around(cls, shape, radius)


class Cast(Wrapped):
    """A bounded shape that moves along a vector, without turning: it is at t * motion for t from 0 to 1.

    >>> from hitscope import Cast, Plane, Sphere, intersect
    >>> intersect(Cast(Sphere((0, 0, 3), 1), motion=(0, 0, -4)), Plane((0, 0, 1), 0)).t_enter
    0.5
    """

    __slots__ = ()

    def __new__(cls, shape: Any, motion: Vector) -> Any:
        """Return the shape of the type for what moves."""
        return _around(cls, shape, motion)


def _around(wrapper: type[Any], shape: Any, value: Any) -> Any:
    kinds = {kind.wrapped: kind for kind in WRAPPED if issubclass(kind, wrapper)}
    if type(shape) in kinds:
        return kinds[type(shape)](*shape, value)
    known = ", ".join(kind.__name__ for kind in kinds)
    found = repr(shape) if hasattr(shape, "_fields") else shown(shape)
    raise ArgumentFault(wrapper.__name__, Fault(("shape",), f"a shape of one of the types {known}", found))


def _made(wrapper: type[Wrapped], kind: type, field: str, hint: Any, rule: Callable[[Any], None]) -> type[Any]:
    """Return the type around another one, with one field more."""
    name = f"{wrapper.__name__}{kind.__name__}"
    fields: Any = NamedTuple(name, [*get_type_hints(kind).items(), (field, hint)])  # type: ignore[misc]

    def check(shape: Any) -> None:
        RULES[kind](shape.inner)
        RULES[Wrapped](shape.inner)
        rule(shape)

    text = {Rounded: "All points within `radius` of", Cast: "The shape that moves by t * `motion`, 0 <= t <= 1:"}
    body = {"__slots__": (), "__module__": __name__, "__doc__": f"{text[wrapper]} {kind.__doc__}", "wrapped": kind}
    made: type[Any] = checked(check)(type(name, (fields, wrapper), body))
    globals()[name] = made
    return made


def _faults(kind: Kind, numbers: int) -> tuple[tuple[str, Callable[[Array], Mask]], ...]:
    """Return the faults of the wrapped shapes in rows that have some numbers more."""
    return tuple((words, lambda rows, f=are_wrong: f(rows[:-numbers])) for words, are_wrong in kind.faults)


def _rounded(kind: Kind) -> Kind:
    shape = _made(Rounded, kind.shape, "radius", float, lambda shape: checks.check_radius(shape.radius))
    bounds, spans = kind.bounds, kind.spans
    return _around_kind(kind, shape, 0.5)._replace(
        bounds=bounds and (lambda rows: grown(*bounds(rows[:-1]), -rows[-1], rows[-1])),
        core=lambda shape: shape.inner,
        radius=lambda shape: shape.radius,
        spans=spans and (lambda rows: spans(rows[:-1])),
        faults=(*_faults(kind, 1), ("negative radii", lambda rows: rows[-1] < 0)),
    )


def _cast(kind: Kind) -> Kind:
    shape = _made(Cast, kind.shape, "motion", Vec3, lambda shape: None)
    bounds, core, radius = kind.bounds, kind.core, kind.radius

    def spans(rows: Array) -> tuple[Array, Array]:
        assert kind.spans is not None
        base, own = kind.spans(rows[:-3])
        return base, np.concatenate([own, rows[-3:].T[:, None]], axis=1)

    return _around_kind(kind, shape, (2.0, 1.0, 0.5))._replace(
        scales={**kind.scales, "motion": Scale.DIRECTION},
        bounds=bounds
        and (lambda rows: grown(*bounds(rows[:-3]), np.minimum(rows[-3:], 0), np.maximum(rows[-3:], 0))),
        core=core and (lambda shape: Cast(core(shape.inner), shape.motion)),
        radius=radius and (lambda shape: radius(shape.inner)),
        spans=kind.spans and spans,
        faults=_faults(kind, 3),
    )


def _around_kind(kind: Kind, shape: type[Any], value: Any) -> Kind:
    """Return what the record of a type has in common with that of the type that it wraps."""
    return kind._replace(
        shape=shape,
        dimension=3,
        example=shape._make((*kind.example, value)),
        points=lambda shape: kind.points(shape.inner),
        axes=lambda shape: kind.axes(shape.inner),
        in_hierarchy=False,
        forms={},
    )


_ROUNDED = [_rounded(kind) for kind in (TRIANGLE, AABB, OBB, PARALLELEPIPED, POLYHEDRON)]
_BODIES = [TRIANGLE, AABB, OBB, PARALLELEPIPED, POLYHEDRON, SPHERE, CAPSULE, FRUSTUM, *_ROUNDED]
WRAPPED_KINDS = [*_ROUNDED, *map(_cast, _BODIES)]
WRAPPED: list[Any] = [kind.shape for kind in WRAPPED_KINDS]
"""The types around others, those that round before those that move."""

if TYPE_CHECKING:

    class CastSphere(Sphere):
        """A ball that moves."""

        motion: Vec3

    class CastAabb(Aabb):
        """An axis-aligned box that moves."""

        motion: Vec3
