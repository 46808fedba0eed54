"""The shapes, as named tuples of numbers.

The same tuples hold float64 (as loaded) or `fractions.Fraction` (unrounded): nothing here rounds either.
Every shape is a closed set. A point or vector is a tuple of three numbers, in the scene's length unit.

A constructor checks, and takes any sequences of any real numbers; `_make` does not, for numbers checked before.

A new shape is a named tuple here, in `Shape` and in PROBES, PRIMITIVES or both; its exact set in `exact.sets`; a
struct for each in `scene.items` and `scene.model`; one entry in each of SHAPE_TABLES; and its methods, in modules
named after their pairs. A probe has an icon in PROBE_ICONS of `viewer.panels.outliner`. If items can give it in
several forms, they are in FIELD_FORMS of `scene.fields`. The commands that add it are in NEW_SHAPE_COMMANDS of
`viewer.interface.bindings`, and how the mouse draws it is in NEW_SHAPES of `viewer.tools.drags.new_shapes`.
tests/packaging/test_shape_tables.py lists what is missing.

An exact set is bounded by planes. A curved shape has none: `meet` and `relation` of `exact.relation`, `distance`
and `nearest` of `exact.distance`, `exact.separation` and `exact.features` need a branch for it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial, wraps
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypeGuard, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import ArgumentFault, Fault
from hitscope.geometry import checks

Vec3: TypeAlias = tuple[float, float, float]
Frame: TypeAlias = tuple[Vec3, Vec3, Vec3]
Number: TypeAlias = float | Fraction | Decimal | np.floating[Any] | np.integer[Any]
"""A number as the constructors take it."""
Vector: TypeAlias = Sequence[Number] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
"""Three numbers as the constructors take them, which keep a tuple of them."""
Vectors: TypeAlias = Sequence[Vector] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
"""Several vectors, or an array (n, 3)."""
Parts: TypeAlias = list[tuple[str, Callable[[Any], Any]]]
"""The fields of a named tuple, each with the check of its value."""
K = TypeVar("K", bound=type)


RULES: dict[type, Callable[[Any], None]] = {}
"""The rule that the numbers of each type of shape have to follow; raises Fault. `exact` sets that of polyhedra."""


def checked(rule: Callable[[Any], None] = lambda shape: None) -> Callable[[K], K]:
    """Let the constructor of a named tuple check its fields, by their types, and then the whole by a rule.

    It raises HitscopeError, e.g. `Aabb: lo[0]: expected a finite number, found nan`, and for missing and unknown
    fields, too. Vectors become tuples; numbers other than ints and Fractions become floats.
    """

    def record(kind: K) -> K:
        shape: Any = kind
        unchecked = shape.__new__
        parts = _parts_of(kind)
        RULES[kind] = rule

        @wraps(unchecked)
        def new(cls: Any, *values: Any, **named: Any) -> Any:
            try:
                given = unchecked(cls, *values, **named)
            except TypeError:
                raise ArgumentFault(cls.__name__, _fault_of_call(shape._fields, values, named)) from None
            try:
                return made(cls, given)
            except Fault as fault:
                raise ArgumentFault(cls.__name__, with_exchanged_fields(fault, cls, given)) from None

        def made(cls: Any, given: Sequence[Any]) -> Any:
            checked = tuple.__new__(cls, _checked_parts(parts, given))
            RULES[kind](checked)
            return checked

        def with_exchanged_fields(fault: Fault, cls: Any, given: Sequence[Any]) -> Fault:
            """Return the fault, with a hint where two fields that change places make a shape."""
            for i, j in combinations(range(len(given)), 2):
                exchanged = list(given)
                exchanged[i], exchanged[j] = given[j], given[i]
                with suppress(Fault):
                    made(cls, exchanged)
                    hint = f"{fault.found} (are {shape._fields[i]} and {shape._fields[j]} exchanged?)"
                    return Fault(fault.path, fault.expected, hint)
            return fault

        def replaced(self: Any, /, **named: Any) -> Any:
            """Return the shape with other values of some fields, checked."""
            return type(self)(**{**self._asdict(), **named})

        shape.__new__ = staticmethod(new)
        shape._replace = shape.__replace__ = replaced
        return kind

    return record


def _fault_of_call(fields: Sequence[str], values: Sequence[Any], named: Mapping[str, Any]) -> Fault:
    """Return what is wrong with a call of a constructor, whose fields are not all given once."""
    for name in named:
        if name not in fields:
            return Fault.unknown((name,), "a field", fields, name, at_key=True)
    if len(values) > len(fields):
        return Fault((), f"{', '.join(fields)}", f"{len(values)} values")
    twice = [name for name in fields[: len(values)] if name in named]
    missing = [name for name in fields[len(values) :] if name not in named]
    return Fault((twice[0],), "one value", "two") if twice else Fault((missing[0],), "a value", "none")


def _parts_of(kind: type) -> Parts:
    """Return the fields of a named tuple, each with the check that its type stands for."""
    return [(name, _check_of(annotation)) for name, annotation in get_type_hints(kind).items()]


def _check_of(annotation: Any) -> Callable[[Any], Any]:
    if hasattr(annotation, "_fields"):
        parts = _parts_of(annotation)
        return lambda values: annotation._make(_checked_parts(parts, checks.sequence(values, len(parts))))
    if get_args(annotation)[1:] == (...,):
        return partial(checks.each, _check_of(get_args(annotation)[0]))
    return {float: checks.number, Vec3: checks.vector, Frame: checks.frame}[annotation]


def _checked_parts(parts: Parts, values: Any) -> list[Any]:
    checked = []
    for (name, check), value in zip(parts, values, strict=True):
        try:
            checked.append(check(value))
        except Fault as fault:
            raise fault.below((name,)) from None
    return checked


def _check_box(box: Any) -> None:
    checks.check_half_extents(box.half_extents)
    checks.check_axes(box.axes)


@checked()
class Segment(NamedTuple("Segment", [("start", Vec3), ("end", Vec3)])):
    """The points start + t * (end - start), 0 <= t <= 1.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb, Segment, intersect
    >>> intersect(Segment((0, 0, 0), [4, 0, 0]), Aabb((1, -1, -1), (2, 1, 1))).t_enter
    0.25
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, start: Vector, end: Vector) -> Self: ...


@checked()
class Ray(NamedTuple("Ray", [("origin", Vec3), ("direction", Vec3)])):
    """The points origin + t * direction, t >= 0; the direction need not be unit.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Plane, Ray, intersect
    >>> intersect(Ray(origin=(0, 0, 5), direction=[0, 0, -2]), Plane((0, 0, 1), 1)).point
    (0.0, 0.0, 1.0)
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, origin: Vector, direction: Vector) -> Self: ...


@checked()
class Line(NamedTuple("Line", [("origin", Vec3), ("direction", Vec3)])):
    """The points origin + t * direction for every t.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb, Line, intersect
    >>> intersect(Line((0, 0, 0), (1, 0, 0)), Aabb((-2, -1, -1), (-1, 1, 1))).t_enter
    -2.0
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, origin: Vector, direction: Vector) -> Self: ...


@checked()
class Point(NamedTuple("Point", [("position", Vec3)])):
    """One point.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb, Point, intersect
    >>> intersect(Point((0, 0, 3)), Aabb((0, 0, 0), (1, 1, 1))).distance
    2.0
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, position: Vector) -> Self: ...


@checked()
class Triangle(NamedTuple("Triangle", [("a", Vec3), ("b", Vec3), ("c", Vec3)])):
    """The convex hull of three points; counter-clockwise is the front.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Triangle, Segment, intersect
    >>> corners = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    >>> intersect(Segment((1, 1, 1), (1, 1, -1)), Triangle(*corners)).normal
    (0.0, 0.0, 1.0)
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, a: Vector, b: Vector, c: Vector) -> Self: ...


@checked(lambda box: checks.check_corners(box.lo, box.hi, "lo", "hi"))
class Aabb(NamedTuple("Aabb", [("lo", Vec3), ("hi", Vec3)])):
    """The axis-aligned box lo <= p <= hi.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb
    >>> Aabb([0, 0, 0], hi=[1, 2, 3])
    Aabb(lo=(0, 0, 0), hi=(1, 2, 3))
    >>> Aabb((0, 0, 0), (1, 1, float("nan")))
    Traceback (most recent call last):
    hitscope.errors.ArgumentFault: Aabb: hi[2]: expected a finite number, found nan
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, lo: Vector, hi: Vector) -> Self: ...


@checked(_check_box)
class Obb(NamedTuple("Obb", [("center", Vec3), ("half_extents", Vec3), ("axes", Frame)])):
    """The points center + sum s_i * half_extents_i * axes_i, |s_i| <= 1, with the axes as they are stored.

    The axes are three unit rows at right angles: of a rotation matrix R its columns, `R.T`. Vectors are any
    sequences or arrays of three numbers, and are kept as tuples.

    >>> import numpy as np
    >>> from hitscope import Obb, Point, intersect
    >>> bool(intersect(Point((1, 0, 0)), Obb((0, 0, 0), (1, 2, 3), np.eye(3))))
    True
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, center: Vector, half_extents: Vector, axes: Vectors) -> Self: ...


@checked()
class Parallelepiped(NamedTuple("Parallelepiped", [("origin", Vec3), ("edges", Frame)])):
    """The points origin + sum s_i * edges_i, 0 <= s_i <= 1; the edges need not be orthogonal.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Parallelepiped, Point, intersect
    >>> skew = Parallelepiped((0, 0, 0), edges=[(1, 0, 0), (0, 1, 0), (1, 0, 1)])
    >>> bool(intersect(Point((1.5, 0.5, 1)), skew))
    True
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, origin: Vector, edges: Vectors) -> Self: ...


@checked(lambda plane: checks.check_normal(plane.normal))
class Plane(NamedTuple("Plane", [("normal", Vec3), ("offset", float)])):
    """The points with dot(normal, p) = offset; the normal is not zero and need not be unit.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Plane, Point, intersect
    >>> intersect(Point((0, 0, -3)), Plane((0, 0, 1), offset=1)).distance
    -4.0
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, normal: Vector, offset: Number) -> Self: ...


class _PolyhedronFields(NamedTuple):
    planes: tuple[Plane, ...] = ()
    vertices: tuple[Vec3, ...] = ()


@checked()
class Polyhedron(_PolyhedronFields):
    """A convex set: of `planes` the points with dot(normal, p) <= offset for each, else the hull of `vertices`.

    Planes are pairs of a normal and an offset. Vectors are any sequences or arrays of three numbers, and are
    kept as tuples.

    >>> from hitscope import Point, Polyhedron, intersect
    >>> tetrahedron = Polyhedron(vertices=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> intersect(Point((0.25, 0.25, 0.25)), tetrahedron).state
    'inside'
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, planes: Sequence[Plane | tuple[Vector, Number]] = (), vertices: Vectors = ()) -> Self: ...


class Linear(NamedTuple):
    """The common form of segments, rays and lines: origin + t * direction, t_min <= t <= t_max."""

    origin: Vec3
    direction: Vec3
    t_min: float
    t_max: float


class Box(NamedTuple):
    """The common form of all boxes, skew ones too: center + sum s_i * half_edges_i, |s_i| <= 1."""

    center: Vec3
    half_edges: Frame


Shape: TypeAlias = Point | Segment | Ray | Line | Triangle | Aabb | Obb | Parallelepiped | Plane | Polyhedron
S = TypeVar("S", bound=Shape)

PROBES: dict[str, type[Shape]] = {
    "point": Point,
    "segment": Segment,
    "ray": Ray,
    "line": Line,
    "triangle": Triangle,
    "aabb": Aabb,
    "obb": Obb,
    "parallelepiped": Parallelepiped,
}
PRIMITIVES: dict[str, type[Shape]] = {
    "aabb": Aabb,
    "obb": Obb,
    "parallelepiped": Parallelepiped,
    "triangle": Triangle,
    "plane": Plane,
    "polyhedron": Polyhedron,
}
SHAPE_TABLES = (
    "hitscope.geometry.traits.TRAITS",
    "hitscope.scene.shape_items.SHAPE_ITEMS",
    "hitscope.draw.shape_drawings.SHAPE_DRAWINGS",
    "hitscope.viewer.panels.shape_labels.SHAPE_LABELS",
    "hitscope.geometry.features.shape_features.SHAPE_FEATURES",
    "hitscope.geometry.features.hulls.HULLS",
    "hitscope.draw.handle_targets.HANDLES",
    "hitscope.judge.judged_shapes.JUDGED_SHAPES",
    "hitscope.judge.drawing.drawn_shapes.DRAWN_SHAPES",
)
"""The names of the tables with one entry for each type of shape, which modules above this one define."""

T_RANGES: dict[type, tuple[float, float]] = {Segment: (0, 1), Ray: (0, inf), Line: (-inf, inf)}
"""The linear probes, and the range of t of each."""
ENDLESS = frozenset(kind for kind, (_, t_max) in T_RANGES.items() if t_max == inf)
"""The linear probes by an origin and a direction: they have no end."""


def is_linear(shape: Shape) -> TypeGuard[Segment | Ray | Line]:
    """Whether a shape is a segment, a ray or a line."""
    return type(shape) in T_RANGES


def linear_of_segment(segment: Segment) -> Linear:
    """The segment from its start, with the direction end - start, rounded."""
    (sx, sy, sz), (ex, ey, ez) = segment
    return Linear(segment.start, (ex - sx, ey - sy, ez - sz), 0, 1)


def linear_of_ray(ray: Ray) -> Linear:
    """The ray, 0 <= t."""
    return Linear(ray.origin, ray.direction, 0, inf)


def linear_of_line(line: Line) -> Linear:
    """The line, every t."""
    return Linear(line.origin, line.direction, -inf, inf)


def box_of_aabb(box: Aabb) -> Box:
    """The box by its center and half edges, rounded."""
    (ax, ay, az), (bx, by, bz) = box
    x, y, z = (bx - ax) / 2, (by - ay) / 2, (bz - az) / 2
    return Box((ax + x, ay + y, az + z), ((x, 0, 0), (0, y, 0), (0, 0, z)))


def box_of_obb(box: Obb) -> Box:
    """The box by its center and half edges, which are rounded but for unit axes."""
    (a, b, c), (u, v, w) = box.half_extents, box.axes
    edges = ((a * u[0], a * u[1], a * u[2]), (b * v[0], b * v[1], b * v[2]), (c * w[0], c * w[1], c * w[2]))
    return Box(box.center, edges)


def box_of_parallelepiped(body: Parallelepiped) -> Box:
    """The parallelepiped by its center and half edges, rounded."""
    o, (u, v, w) = body.origin, body.edges
    a, b, c = (
        (u[0] / 2, u[1] / 2, u[2] / 2),
        (v[0] / 2, v[1] / 2, v[2] / 2),
        (w[0] / 2, w[1] / 2, w[2] / 2),
    )
    center = (o[0] + a[0] + b[0] + c[0], o[1] + a[1] + b[1] + c[1], o[2] + a[2] + b[2] + c[2])
    return Box(center, (a, b, c))


COMMON_FORMS: dict[type, dict[type, Callable[[Any], Any]]] = {
    Linear: {Segment: linear_of_segment, Ray: linear_of_ray, Line: linear_of_line},
    Box: {Aabb: box_of_aabb, Obb: box_of_obb, Parallelepiped: box_of_parallelepiped},
}
"""The common forms, and the functions that convert shapes to them: a method of a form serves all its shapes."""


def linear(probe: Segment | Ray | Line) -> Linear:
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
    """Return the scene file's type word of a shape, e.g. "aabb"."""
    return type(shape).__name__.lower()
