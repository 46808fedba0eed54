"""The catalogue of intersection methods: a method is one plain function and what is known about it.

A method takes a probe and a primitive (named tuples of `shapes`) and its named arguments, which have defaults.
It returns whether they meet, followed by what it answers, in the order of `answers`; a method that answers
nothing more returns the bool alone. What follows a miss is filler. A `normal` need not be unit.

The function's name is the registry key, the JSON word, the test id and the menu entry.
"""

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, TypeVar

from hitscope.errors import Fault, with_hint
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Line, Linear, Ray, Segment, Shape, linear, word

Argument: TypeAlias = float | bool
F = TypeVar("F", bound=Callable[..., Any])

READINGS = ("interpreted", "compiled", "unrounded", "stepped")

KERNELS: list[Callable[..., Any]] = []
"""Every function that a compiled method may call, in the order of definition."""


def kernel(function: F) -> F:
    """Record a function of plain numbers, so that it can be compiled when a batch is large enough."""
    KERNELS.append(function)
    return function


@dataclass(frozen=True, eq=False)
class Method:
    """One intersection method and what is known about it."""

    name: str
    function: Callable[..., Any]
    pairs: tuple[str, ...]
    source: str
    answers: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    readings: tuple[str, ...] = READINGS
    takes_linear: bool = False
    arguments: Mapping[str, Argument] = field(default_factory=dict)

    def __call__(self, probe: Shape, primitive: Shape, **arguments: Any) -> Any:
        """Run the function as it is written, on float64 or, unrounded, on Fractions."""
        return self.function(self.parameter(probe), primitive, **arguments)

    def parameter(self, probe: Shape) -> Shape | Linear:
        """Give the probe in the form that the function takes."""
        if self.takes_linear and isinstance(probe, Segment | Ray | Line):
            return linear(probe)
        return probe


class Chosen(NamedTuple):
    """A method with its arguments set."""

    method: Method
    arguments: dict[str, Argument]


_METHODS: dict[str, dict[str, Method]] = {
    f"{probe}_{primitive}": {} for probe in PROBES for primitive in PRIMITIVES
}


def method(
    *,
    source: str,
    answers: tuple[str, ...] = (),
    deviations: tuple[str, ...] = (),
    readings: tuple[str, ...] = READINGS,
) -> Callable[[F], F]:
    """Register a function for the pair of shapes that its first two parameters are annotated with.

    A `Linear` probe stands for the three pairs of segment, ray and line.
    """

    def record(function: F) -> F:
        probe, primitive, *named = inspect.signature(function).parameters.values()
        takes_linear = probe.annotation is Linear
        kinds = (Segment, Ray, Line) if takes_linear else (probe.annotation,)
        register(
            Method(
                name=function.__name__,
                function=function,
                pairs=tuple(f"{kind.__name__.lower()}_{primitive.annotation.__name__.lower()}" for kind in kinds),
                source=source,
                answers=answers,
                deviations=deviations,
                readings=readings,
                takes_linear=takes_linear,
                arguments={parameter.name: parameter.default for parameter in named},
            )
        )
        return kernel(function)

    return record


def register(entry: Method) -> None:
    """Add a method to the catalogue; a second one of the same pair and name is refused."""
    for pair in entry.pairs:
        if entry.name in _METHODS[pair]:
            raise ValueError(f"{pair} already has a method {entry.name}")
        _METHODS[pair][entry.name] = entry


def methods(pair: str | None = None) -> Iterator[Method]:
    """Give every method once, or those of one pair, in the order of registration."""
    if pair is not None:
        yield from of_pair(pair).values()
        return
    seen = set()
    for table in _METHODS.values():
        for entry in table.values():
            if id(entry) not in seen:
                seen.add(id(entry))
                yield entry


def pairs() -> list[str]:
    """Give the names of all pairs."""
    return list(_METHODS)


def pair_of(probe: Shape, primitive: Shape) -> str:
    """Give the pair's name, e.g. "segment_aabb"."""
    return f"{word(probe)}_{word(primitive)}"


def of_pair(pair: str) -> dict[str, Method]:
    """Give a pair's methods by name; an unknown pair is a Fault that lists the known ones."""
    if pair not in _METHODS:
        expected = (
            f"a pair PROBE_PRIMITIVE of a probe ({', '.join(PROBES)}) and a primitive ({', '.join(PRIMITIVES)})"
        )
        raise Fault((), expected, with_hint(pair, _METHODS), at_key=True)
    return _METHODS[pair]


def choose(pair: str, choice: str | Mapping[str, Any]) -> Chosen:
    """Give the method that a scene or a user names, with its arguments.

    `choice` is a name, or a mapping with `name` and the method's named arguments. Raises a Fault, its path
    relative to `choice`, for an unknown pair, method or argument, and for an argument of the wrong type.
    """
    table = of_pair(pair)
    given: dict[str, Any] = {"name": choice} if isinstance(choice, str) else dict(choice)
    name = given.pop("name", None)
    if not isinstance(name, str):
        raise Fault((), 'the key "name" with a method\'s name', json.dumps(choice, ensure_ascii=False))
    if name not in table:
        raise Fault.unknown(() if isinstance(choice, str) else ("name",), f"a method of {pair}", table, name)
    entry = table[name]
    for argument, value in given.items():
        if argument not in entry.arguments:
            raise Fault.unknown((argument,), f"an argument of {name}", entry.arguments, argument, at_key=True)
        flag = isinstance(entry.arguments[argument], bool)
        if flag != isinstance(value, bool) or not isinstance(value, int | float):
            raise Fault(
                (argument,), "true or false" if flag else "a number", json.dumps(value, ensure_ascii=False)
            )
    return Chosen(entry, given)
