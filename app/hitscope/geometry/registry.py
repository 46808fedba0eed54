"""The catalogue of intersection methods: a method is one plain function with its source and known deviations.

A method takes a probe and a primitive (named tuples of `shapes`) and its named arguments, which have defaults.
It returns whether they meet, or one of the named tuples of `answers`, which begin with that; what a method answers
is read from its return annotation.

The function's name is the registry key, the JSON word, the test id and the menu entry.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_type_hints

import numpy as np

from hitscope.errors import Fault, Path, faults_below, shown, with_hint
from hitscope.geometry import checks
from hitscope.geometry.kinds import listed, word_of
from hitscope.geometry.meanings import Meanings
from hitscope.geometry.shapes import COMMON_FORMS, PRIMITIVES, PROBES, Shape, replaced_numbers, word

Argument: TypeAlias = float | bool
F = TypeVar("F", bound=Callable[..., Any])

READINGS = ("interpreted", "compiled", "unrounded", "stepped", "float32")
WITH_ROOTS = ("interpreted", "compiled", "stepped", "float32")
"""The readings of a method that takes a square root."""

RANGE = "products beyond float64 over- or underflow (numbers beyond about 1e±100): a NaN may pass for a hit"
"""The last deviation of every method that has any: it multiplies or divides."""

TOLERANCES = ("epsilon", "thickness", "tolerance")
"""The ends of the names of arguments that are not negative: methods divide by what is beyond a tolerance."""

EXACT = "exact"
"""The default method of every pair."""

KERNELS: list[tuple[Callable[..., Any], Callable[..., Any]]] = []
"""The functions that compiled methods may call, each with the one that is compiled, in the order of definition."""


def kernel(function: F) -> F:
    """Register a function of plain numbers that compiled methods may call."""
    return compiled_as(function)(function)


def compiled_as(compiled: Callable[..., Any]) -> Callable[[F], F]:
    """Register a function likewise that is compiled from another one, of plain numbers."""

    def record(function: F) -> F:
        KERNELS.append((function, compiled))
        return function

    return record


@dataclass(frozen=True, eq=False)
class Method:
    """One intersection method: its function, pairs, source, known deviations, readings and arguments."""

    name: str
    function: Callable[..., Any]
    pairs: tuple[str, ...]
    source: str
    deviations: tuple[str, ...] = ()
    readings: tuple[str, ...] = READINGS
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    parameter_types: tuple[type, type] | None = None
    """The types of the function's first two parameters: shapes, or common forms of several shapes."""
    swapped: bool = False
    """The function takes the primitive first."""
    fault: str = ""
    """The part of a specimen's source that is wrong as printed."""
    meanings: Meanings = field(default_factory=dict)
    """The meanings of its variables in space, by name."""

    @cached_property
    def parts(self) -> dict[str, type]:
        """The types of the parts of an answer beside its verdict; raises TypeError of one that has no verdict."""
        kind = get_type_hints(self.function)["return"]
        types = {"hit": kind} if kind is bool else getattr(kind, "__annotations__", {"": kind})
        hit, *parts = types.items()
        if hit != ("hit", bool):
            raise TypeError(f"{self.name} returns {kind}, which does not begin with its verdict")
        return dict(parts)

    def __call__(self, probe: Shape, primitive: Shape, **arguments: Any) -> Any:
        """Run the function as it is written, on float64 or, unrounded, on Fractions."""
        return self.function(*self.parameters(probe, primitive), **arguments)

    def in_float32(self, probe: Shape, primitive: Shape, **arguments: Any) -> Any:
        """Run the function on float32 numbers, each result one, too; `batch.pair_answers` gives the same bits."""
        with np.errstate(all="ignore"):
            rounded = (replaced_numbers(shape, np.float32) for shape in (probe, primitive))
            return self.function(*self.parameters(*rounded), **arguments)

    def hit(self, probe: Shape, primitive: Shape, **arguments: Any) -> bool:
        """Run the function and return its verdict alone."""
        answer = self(probe, primitive, **arguments)
        return bool(answer[0] if isinstance(answer, tuple) else answer)

    def hits(self, probe: Shape, primitives: Sequence[Shape], **arguments: Any) -> Sequence[bool]:
        """Run the function on a probe and each of some primitives; return the verdicts alone."""
        return [self.hit(probe, primitive, **arguments) for primitive in primitives]

    def parameters(self, probe: Shape, primitive: Shape) -> tuple[Any, Any]:
        """Return the pair in the order of the function's parameters, and in their types."""
        first, second = (primitive, probe) if self.swapped else (probe, primitive)
        if self.parameter_types is None:
            return first, second
        kind, other = self.parameter_types
        return converted(first, kind), converted(second, other)


class Chosen(NamedTuple):
    """A method with its arguments set."""

    method: Method
    arguments: dict[str, Argument]


for _functions in COMMON_FORMS.values():
    for _function in _functions.values():
        kernel(_function)

KINDS_OF_PAIR: dict[str, tuple[type, type]] = {
    f"{probe}_{primitive}": (PROBES[probe], PRIMITIVES[primitive]) for probe in PROBES for primitive in PRIMITIVES
}
"""The types of the probe and the primitive of every pair, by its name."""
_METHODS: dict[str, dict[str, Method]] = {pair: {} for pair in KINDS_OF_PAIR}


def common_form(kind: type, *shapes: type) -> Callable[[F], F]:
    """Register a conversion to a common form of varying size, the methods of which have no compiled reading."""

    def record(function: F) -> F:
        COMMON_FORMS[kind] = dict.fromkeys(shapes, function)
        return function

    return record


def converted(shape: Shape, kind: type) -> Any:
    """Return a shape in a common form, or as it is where `kind` is none."""
    return COMMON_FORMS[kind][type(shape)](shape) if kind in COMMON_FORMS else shape


def method(
    *,
    source: str,
    deviations: tuple[str, ...] = (),
    readings: tuple[str, ...] = READINGS,
    both_orders: bool = False,
    fault: str = "",
    meanings: Meanings | None = None,
) -> Callable[[F], F]:
    """Register a function for the pairs of shapes that its first two parameters are annotated with.

    A common form stands for each of its shapes; with `both_orders` the function also serves the reversed pairs.
    `fault` is the part of a specimen's source that is wrong as printed; `meanings` say what its variables stand
    for in space. `RANGE` follows the deviations.
    """

    def record(function: F) -> F:
        first, second, *named = inspect.signature(function).parameters.values()
        kinds = first.annotation, second.annotation
        a, b = ([word_of(shape) for shape in COMMON_FORMS.get(kind, (kind,))] for kind in kinds)
        entry = Method(
            name=function.__name__,
            function=function,
            pairs=tuple(f"{probe}_{primitive}" for probe in a for primitive in b),
            source=source,
            deviations=(*deviations, RANGE) if deviations else (),
            readings=readings,
            arguments={parameter.name: parameter.default for parameter in named},
            parameter_types=kinds,
            fault=fault,
            meanings={name: meaning for names, meaning in (meanings or {}).items() for name in names.split("; ")},
        )
        register(entry)
        if both_orders:
            turned = tuple(f"{probe}_{primitive}" for probe in b for primitive in a)
            register(replace(entry, pairs=turned, swapped=True))
        return kernel(function)

    return record


def register(entry: Method) -> None:
    """Add a method to the catalogue; a second one of the same pair and name is refused."""
    for pair in entry.pairs:
        old, new = _METHODS[pair], {entry.name: entry}
        if entry.name in old:
            raise ValueError(f"{pair} already has a method {entry.name}")
        # `exact` stands first in every list, whichever module is imported first.
        _METHODS[pair] = new | old if entry.name == EXACT else old | new


def methods() -> Iterator[Method]:
    """Yield every method once, in the order of the pairs."""
    yield from dict.fromkeys(entry for table in _METHODS.values() for entry in table.values())


def pairs() -> list[str]:
    """Return the names of all pairs."""
    return list(_METHODS)


def pair_of(probe: Shape, primitive: Shape) -> str:
    """Return the name of a pair of shapes, e.g. "segment_aabb"."""
    return f"{word(probe)}_{word(primitive)}"


def pair_words(pair: str) -> list[str]:
    """Return both types of a pair in words, e.g. "cast sphere" and "aabb"."""
    return [word_of(kind).replace("_", " ") for kind in KINDS_OF_PAIR[pair]]


def of_pair(pair: str) -> dict[str, Method]:
    """Return a pair's methods by name; an unknown pair is a Fault that lists the known ones."""
    if pair not in _METHODS:
        known = listed({**PROBES, **PRIMITIVES}.values(), word_of)
        raise Fault((), f"a pair PROBE_PRIMITIVE of {known}", with_hint(pair, _METHODS), at_key=True)
    return _METHODS[pair]


def choose(pair: str, choice: str | Mapping[str, Any]) -> Chosen:
    """Return the method that a scene or a user names, with its arguments.

    `choice` is a name, or a mapping with `name` and the method's named arguments. Raises a Fault, its path
    relative to `choice`, for an unknown pair, method or argument, and for an argument of the wrong type.
    """
    given: dict[str, Any] = {"name": choice} if isinstance(choice, str) else dict(choice)
    name = given.pop("name", None)
    if not isinstance(name, str):
        raise Fault((), 'the key "name" with a method\'s name', shown(choice))
    entry = method_of(pair, name, () if isinstance(choice, str) else ("name",))
    return Chosen(entry, checked_arguments(entry, given))


def method_of(pair: str, name: str, path: Path = ()) -> Method:
    """Return a pair's method by its name; an unknown name is a Fault at `path`."""
    table = of_pair(pair)
    if name not in table:
        raise Fault.unknown(path, f"a method of {pair}", table, name)
    return table[name]


def checked_arguments(entry: Method, given: Mapping[str, Any]) -> dict[str, Argument]:
    """Return named arguments of a method as numbers and booleans; raises Fault for one that it cannot take."""
    checked: dict[str, Argument] = {}
    for name, value in given.items():
        if name not in entry.arguments:
            raise Fault.unknown((name,), f"an argument of {entry.name}", entry.arguments, name, at_key=True)
        check = checks.flag if isinstance(entry.arguments[name], bool) else checks.number
        with faults_below((name,)):
            found = check(value)
        if name.endswith(TOLERANCES) and found < 0:
            raise Fault((name,), "a tolerance of at least 0", shown(value))
        checked[name] = float(found) if isinstance(found, Fraction) else found
    return checked
