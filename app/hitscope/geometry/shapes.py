"""The shapes, as named tuples of numbers.

The same tuples hold float64 (as loaded) or `fractions.Fraction` (unrounded): nothing here rounds either.
Every shape is a closed set. A point or vector is a tuple of three numbers, in the scene's length unit.

A constructor checks, and takes any sequences of any real numbers; `_make` does not, for numbers checked before.
What a type of shape is, is said in its record: see `geometry.kinds`, and for a new shape, too.
"""

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, TypeAlias, TypeGuard, TypeVar

from hitscope.geometry.kinds import KINDS, WRAPPED, word_of
from hitscope.geometry.kinds.boxes import Aabb, Obb, Parallelepiped
from hitscope.geometry.kinds.flat import Plane, Triangle
from hitscope.geometry.kinds.points_and_lines import Line, Point, Ray, Segment
from hitscope.geometry.kinds.polyhedra import Frustum, Polyhedron
from hitscope.geometry.kinds.record import RULES, Box, Frame, Linear, Number, Vec3, Vector, Vectors
from hitscope.geometry.kinds.round import Capsule, Sphere
from hitscope.geometry.kinds.wrapped import Cast, Rounded

LinearShape: TypeAlias = Segment | Ray | Line
BoxShape: TypeAlias = Aabb | Obb | Parallelepiped
SolidShape: TypeAlias = Polyhedron | Sphere | Capsule | Frustum
Shape: TypeAlias = Point | LinearShape | Triangle | BoxShape | Plane | SolidShape | Rounded | Cast
S = TypeVar("S", bound=Shape)

_SOLIDS = Polyhedron, Sphere, Capsule, Frustum
PROBES: dict[str, type[Shape]] = {
    word_of(kind): kind
    for kind in (Point, Segment, Ray, Line, Triangle, Aabb, Obb, Parallelepiped, *_SOLIDS, *WRAPPED)
}
PRIMITIVES: dict[str, type[Shape]] = {
    word_of(kind): kind
    for kind in (Aabb, Obb, Parallelepiped, Triangle, Plane, *_SOLIDS, *WRAPPED)
    if not issubclass(kind, Cast)
}

T_RANGES: dict[type, tuple[float, float]] = {kind.shape: kind.t_range for kind in KINDS.values() if kind.t_range}
"""The linear probes, and the range of t of each."""
ENDLESS = frozenset(kind for kind, (_, t_max) in T_RANGES.items() if t_max == inf)
"""The linear probes by an origin and a direction: they have no end."""
COMMON_FORMS: dict[type, dict[type, Callable[[Any], Any]]] = {
    form: {shape: kind.forms[form] for shape, kind in KINDS.items() if form in kind.forms}
    for form in (Linear, Box)
}
"""The common forms, and the functions that convert shapes to them: a method of a form serves all its shapes."""


def is_linear(shape: Shape) -> TypeGuard[LinearShape]:
    return type(shape) in T_RANGES


def linear(probe: LinearShape) -> Linear:
    """Return the probe's origin, direction and t range; a segment's direction is end - start, rounded."""
    form: Linear = COMMON_FORMS[Linear][type(probe)](probe)
    return form


def rational(shape: S) -> S:
    """Return the same shape with every float64 replaced by the Fraction of exactly that value."""
    fractions: S = replaced_numbers(shape, Fraction)
    return fractions


def in_floats(shape: S) -> S:
    """Return the same shape in Python floats, checked."""
    kind: Any = type(shape)
    floats: S = kind(*replaced_numbers(shape, float))
    return floats


def replaced_numbers(value: Any, number: Callable[[Any], Any]) -> Any:
    """Return a shape, or any nested tuple of numbers, with every number replaced; nothing is checked."""
    if not isinstance(value, tuple):
        return number(value)
    parts = tuple([replaced_numbers(part, number) for part in value])
    return tuple.__new__(type(value), parts)


def word(shape: Shape) -> str:
    """Return the word of a shape's type in the names of pairs, e.g. "aabb"."""
    return word_of(type(shape))
