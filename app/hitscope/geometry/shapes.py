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

from collections.abc import Callable
from fractions import Fraction
from functools import partial, wraps
from math import inf
from typing import Any, NamedTuple, TypeAlias, TypeGuard, TypeVar, get_args, get_type_hints

from hitscope.errors import ArgumentFault, Fault
from hitscope.geometry import checks

Vec3: TypeAlias = tuple[float, float, float]
Frame: TypeAlias = tuple[Vec3, Vec3, Vec3]
Parts: TypeAlias = list[tuple[str, Callable[[Any], Any]]]
"""The fields of a named tuple, each with the check of its value."""
K = TypeVar("K", bound=type)


RULES: dict[type, Callable[[Any], None]] = {}
"""The rule that the numbers of each type of shape have to follow; raises Fault. `exact` sets that of polyhedra."""


def checked(rule: Callable[[Any], None] = lambda shape: None) -> Callable[[K], K]:
    """Let the constructor of a named tuple check its fields, by their types, and then the whole by a rule.

    It raises HitscopeError, e.g. `Aabb: lo[0]: expected a finite number, found nan`. Vectors become tuples;
    numbers other than ints and Fractions become floats.
    """

    def record(kind: K) -> K:
        shape: Any = kind
        unchecked = shape.__new__
        parts = _parts_of(kind)
        RULES[kind] = rule

        @wraps(unchecked)
        def new(cls: Any, *values: Any, **named: Any) -> Any:
            given = unchecked(cls, *values, **named)
            try:
                made = tuple.__new__(cls, _checked_parts(parts, given))
                RULES[kind](made)
            except Fault as fault:
                raise ArgumentFault(cls.__name__, fault) from None
            return made

        def replaced(self: Any, /, **named: Any) -> Any:
            """Return the shape with other values of some fields, checked."""
            return type(self)(**{**self._asdict(), **named})

        shape.__new__ = staticmethod(new)
        shape._replace = shape.__replace__ = replaced
        return kind

    return record


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
class Segment(NamedTuple):
    """The points start + t * (end - start), 0 <= t <= 1."""

    start: Vec3
    end: Vec3


@checked()
class Ray(NamedTuple):
    """The points origin + t * direction, t >= 0; the direction need not be unit."""

    origin: Vec3
    direction: Vec3


@checked()
class Line(NamedTuple):
    """The points origin + t * direction for every t."""

    origin: Vec3
    direction: Vec3


@checked()
class Point(NamedTuple):
    """One point."""

    position: Vec3


@checked()
class Triangle(NamedTuple):
    """The convex hull of three points; counter-clockwise is the front."""

    a: Vec3
    b: Vec3
    c: Vec3


@checked(lambda box: checks.check_corners(box.lo, box.hi, "lo", "hi"))
class Aabb(NamedTuple):
    """The axis-aligned box lo <= p <= hi."""

    lo: Vec3
    hi: Vec3


@checked(_check_box)
class Obb(NamedTuple):
    """The points center + sum s_i * half_extents_i * axes_i, |s_i| <= 1, with the axes as they are stored."""

    center: Vec3
    half_extents: Vec3
    axes: Frame


@checked()
class Parallelepiped(NamedTuple):
    """The points origin + sum s_i * edges_i, 0 <= s_i <= 1; the edges need not be orthogonal."""

    origin: Vec3
    edges: Frame


@checked(lambda plane: checks.check_normal(plane.normal))
class Plane(NamedTuple):
    """The points with dot(normal, p) = offset; the normal is not zero and need not be unit."""

    normal: Vec3
    offset: float


@checked()
class Polyhedron(NamedTuple):
    """A convex set: of `planes` the points with dot(normal, p) <= offset for each, else the hull of `vertices`."""

    planes: tuple[Plane, ...] = ()
    vertices: tuple[Vec3, ...] = ()


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
    "hitscope.check.judge.judged_shapes.JUDGED_SHAPES",
    "hitscope.check.judge.drawing.drawn_shapes.DRAWN_SHAPES",
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
