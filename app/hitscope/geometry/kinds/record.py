"""The record of a type of shape, and the constructors that check."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial, wraps
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import ArgumentFault, Fault
from hitscope.geometry import checks

Vec3: TypeAlias = tuple[float, float, float]
Frame: TypeAlias = tuple[Vec3, Vec3, Vec3]
Vectors6: TypeAlias = tuple[Vec3, Vec3, Vec3, Vec3, Vec3, Vec3]
Numbers6: TypeAlias = tuple[float, float, float, float, float, float]
Number: TypeAlias = float | Fraction | Decimal | np.floating[Any] | np.integer[Any]
"""A number as the constructors take it."""
Vector: TypeAlias = Sequence[Number] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
"""Three numbers as the constructors take them, which keep a tuple of them."""
Vectors: TypeAlias = Sequence[Vector] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
"""Several vectors, or an array (n, 3)."""
Parts: TypeAlias = list[tuple[str, Callable[[Any], Any]]]
"""The fields of a named tuple, each with the check of its value."""
Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
K = TypeVar("K", bound=type)

COORDINATE_AXES: Frame = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
RULES: dict[type, Callable[[Any], None]] = {}
"""The rule that the numbers of each type of shape have to follow; raises Fault. `exact` sets that of polyhedra."""


class Scale(Enum):
    """The meaning of a shape's number, and the power of the unit that it scales with; normals count as lengths."""

    LENGTH = "length", 1
    DIRECTION = "direction", 1
    AXIS = "axis", 0
    NORMAL = "normal", 1
    OFFSET = "offset", 2

    @property
    def degree(self) -> int:
        return self.value[1]


class Cell(Enum):
    """The coefficients s of the points base + sum s_i * spans_i of a shape."""

    SIMPLEX = "0 <= s_i, sum s_i <= 1"
    CUBE = "0 <= s_i <= 1"
    CENTERED = "|s_i| <= 1"
    LINE = "the shape's own range of t"


class Kind(NamedTuple):
    """All that there is to know about one type of shape.

    Arrays of n shapes are rows (k, n), the numbers of a shape in the order of its fields. What other rooms add is
    an entry in a `ShapeTable` of theirs.
    """

    shape: type[Any]
    dimension: int
    """0 of a point, 1 of what lies on a line, 2 of what lies in a plane, 3 of solids, which may have less."""
    example: Any
    scales: Mapping[str, Scale] = {}
    """The meaning of the numbers of each field that are no lengths."""
    t_range: tuple[float, float] | None = None
    points: Callable[[Any], Sequence[Vec3]] = lambda shape: ()
    """The points whose hull it or its core is, as they are numbered; none of a shape that is given otherwise."""
    bounds: Callable[[Array], tuple[Array, Array]] | None = None
    """The bounds (3, n) of rows, widened where rounded; None where corners give them, or they are infinite."""
    core: Callable[[Any], Any] | None = None
    """The shape without a radius that this one is all points within its radius of; None of the shape itself."""
    radius: Callable[[Any], float] | None = None
    core_features: Mapping[str, str] = {}
    """The name of the surface around each feature of the core, by the feature's name."""
    spans: Callable[[Array], tuple[Array, Array]] | None = None
    """The base points (n, 3) and spans (n, m, 3) of rows or their cores, a motion last; None if there are none."""
    cell: Cell = Cell.SIMPLEX
    axis_names: str = ""
    """The names of a box's three axes."""
    axes: Callable[[Any], Frame] = lambda shape: COORDINATE_AXES
    """The axes that a shape stores, else the coordinate axes."""
    feature_names: tuple[str, ...] | None = ()
    """The names of the features that methods answer with, by index; None: those of its planes and slabs."""
    corner_names: tuple[str, ...] = ()
    """The names of the corners, if they have names; a corner with the name "" has that of the shape."""
    faults: tuple[tuple[str, Callable[[Array], Mask]], ...] = ()
    """The ways in which n shapes (k, n) of finite numbers break the rule, in words, and which (n,) do."""
    in_hierarchy: bool = False
    """Whether a `bvh.Tree` can be built over many such shapes."""
    forms: Mapping[type, Callable[[Any], Any]] = {}
    """The functions that convert a shape to a common form of several types."""


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


class _ShapeType(type):
    """The type of shapes, of which `help` and `dir` show the fields, and not all that a tuple has."""

    _fields: tuple[str, ...]

    def __dir__(cls) -> list[str]:
        return list(cls._fields)


def checked(rule: Callable[[Any], None] = lambda shape: None) -> Callable[[K], K]:
    """Let the constructor of a named tuple check its fields, by their types, and then the whole by a rule.

    It raises HitscopeError, e.g. `Aabb: lo[0]: expected a finite number, found nan`, and for missing and unknown
    fields, too. Vectors become tuples; numbers other than ints and Fractions become floats.
    """

    def record(declared: K) -> K:
        body = {name: part for name, part in vars(declared).items() if name not in ("__dict__", "__weakref__")}
        shape: Any = _ShapeType(declared.__name__, declared.__bases__, body | {"__slots__": ()})
        kind: K = shape
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
            checked = tuple.__new__(cls, checks.each_by_key(parts, given))
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
        return Fault((), ", ".join(fields), f"{len(values)} values")
    if twice := [name for name in fields[: len(values)] if name in named]:
        return Fault((twice[0],), "one value", "two")
    return Fault((next(name for name in fields[len(values) :] if name not in named),), "a value", "none")


def _parts_of(kind: type) -> Parts:
    return [(name, _check_of(annotation)) for name, annotation in get_type_hints(kind).items()]


def _check_of(annotation: Any) -> Callable[[Any], Any]:
    if hasattr(annotation, "_fields"):
        parts = _parts_of(annotation)
        return lambda values: annotation._make(checks.each_by_key(parts, checks.sequence(values, len(parts))))
    if annotation is Vec3:
        return checks.vector
    if arguments := get_args(annotation):
        count = None if arguments[1:] == (...,) else len(arguments)
        return partial(checks.each, _check_of(arguments[0]), count=count)
    return checks.number


def of_points(rows: Array) -> tuple[Array, Array]:
    """Return the bounds of shapes whose rows are points."""
    points = rows.reshape(-1, 3, rows.shape[1])
    return points.min(axis=0), points.max(axis=0)


def spans_of(rows: Array) -> tuple[Array, Array]:
    """Return the first of the points in rows (3 m, n) as bases, and the vectors to the others as spans."""
    base = rows[:3].T
    return base, rows[3:].T.reshape(len(base), len(rows) // 3 - 1, 3) - base[:, None]


def grown(lo: Array, hi: Array, least: Any, greatest: Any) -> tuple[Array, Array]:
    """Return the bounds of a Minkowski sum, from those of both sets; the second one contains the origin."""
    return widened(lo + least, hi + greatest, np.maximum(np.abs(lo), np.abs(hi)) + np.maximum(-least, greatest))


def widened(lo: Array, hi: Array, size: Array) -> tuple[Array, Array]:
    """Move bounds apart by more than rounding errs in sums of numbers of this size."""
    lost = size * 2.0**-48
    return lo - lost, hi + lost
