"""The compiled reading: one plain function as a loop over arrays of probes and primitives.

The loop is written for a function and two types of shapes: it puts each shape together from its column of numbers
and into the form that the function takes, all of which the compiler takes apart again. Of a function without
branches it makes vector code, and what an answer has beyond its verdict is not computed if nobody stores it.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from textwrap import dedent
from typing import Any, NamedTuple, TypeAlias, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Shapes, builder, width
from hitscope.geometry.registry import Argument, Method, kernel
from hitscope.geometry.shapes import FORMS, Shape

Loop: TypeAlias = Callable[..., None]
"""Takes the rows of the probes and of the primitives, from which to which probe (m) and from which to which
primitive (n) is asked about, a tuple of arguments, and for each answer an array (m, n), the verdict's first."""


class Answers(NamedTuple):
    """What a method says of one probe against n primitives; columns it does not answer are absent."""

    hit: NDArray[np.bool_]  # (n,)
    columns: dict[str, NDArray[Any]]  # numbers and indices (n,), vectors (n, 3)


def answers(method: Method, probe: Shape, primitives: Shapes, arguments: Mapping[str, Argument]) -> Answers:
    """Ask a method all that it answers about one probe and every primitive, in compiled code."""
    n = len(primitives)
    hit = np.empty((1, n), dtype=np.bool_)
    columns = {name: _column(kind, n) for name, kind in method.parts.items()}
    kind: type = type(probe)
    loop = method_loop(method, kind, primitives.kind, method.answers)
    loop(Shapes.of([probe]).rows, primitives.rows, 0, 1, 0, n, values(method, arguments), hit, *columns.values())
    return Answers(hit[0], {name: column[0] for name, column in columns.items()})


def _column(kind: Any, n: int) -> NDArray[Any]:
    """An array for one probe's answers: numbers or indices (1, n), or vectors (1, n, 3)."""
    if kind is int:
        return np.empty((1, n), dtype=np.int64)
    return np.empty((1, n) if kind is float else (1, n, 3))


def values(method: Method, arguments: Mapping[str, Argument]) -> tuple[Argument, ...]:
    """Give a method's arguments, those not given by their defaults, as its loop takes them."""
    given = {**method.arguments, **arguments}
    return tuple(value if isinstance(value, bool) else float(value) for value in given.values())


@cache
def method_loop(method: Method, probe: type, primitive: type, columns: tuple[str, ...] = ()) -> Loop:
    """Give the loop that asks a method for its verdict and for these parts of its answer."""
    forms = method.forms or (probe, primitive)
    held_form, item_form = forms[::-1] if method.swapped else forms
    stored = {"hit": "answer.hit" if columns else "answer"}
    stored |= {name: f"answer.{name}" for name in columns}
    return _loop(
        verdict_alone(method.function) if method.parts and not columns else method.function,
        "item, held, *arguments" if method.swapped else "held, item, *arguments",
        _Part("probe", probe, FORMS[held_form][probe] if held_form in FORMS else None, held_form),
        _Part("primitive", primitive, FORMS[item_form][primitive] if item_form in FORMS else None, item_form),
        stored,
    )


def verdict_alone(function: Callable[..., Any]) -> Callable[..., bool]:
    """The same function, returning the `hit` of what it returned: the rest of its answer is not computed."""
    (definition,) = ast.parse(dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    for node in ast.walk(definition):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = ast.Attribute(node.value, "hit", ast.Load())
    source = ast.fix_missing_locations(ast.Module([definition], []))
    names = dict(function.__globals__)
    exec(compile(source, inspect.getfile(function), "exec"), names)
    verdict: Callable[..., bool] = kernel(names[function.__name__])
    return verdict


@cache
def filter_loop(
    decide: Callable[..., Any], prepare: Callable[..., Any], held: type, probe: type, primitive: type, verdict: str
) -> Loop:
    """Give the loop that asks `decide` of each primitive and of what `prepare` makes of a probe and the arguments.

    `verdict` is the expression that is stored of its `answer`; `held` is the type of what is prepared.
    """
    parts = _Part("probe", probe, prepare, held, "*arguments"), _Part("primitive", primitive)
    return _loop(decide, "held, item", *parts, {"hit": verdict})


class _Part(NamedTuple):
    """A shape, and what it is turned into for the function that is asked."""

    name: str
    kind: type
    convert: Callable[..., Any] | None = None
    form: type = object
    arguments: str = ""

    def lines(self, target: str, element: str) -> list[str]:
        """Write the statements that make the `target` from the `element` of each row."""
        shape = _expression(self.kind, (element.format(k) for k in range(width(self.kind))))
        if self.convert is None:
            return [f"{target} = {shape}"]
        # A form may have integers for numbers that are always the same.
        numbers = (f"float({self.name}{path})" for path in _paths(self.form))
        rest = f", {self.arguments}" if self.arguments else ""
        return [f"{self.name} = as_{target}({shape}{rest})", f"{target} = {_expression(self.form, numbers)}"]


def _loop(function: Callable[..., Any], call: str, probe: _Part, primitive: _Part, stored: dict[str, str]) -> Loop:
    """Write the loop and compile it."""
    from hitscope.geometry.compiled import compiled_source

    indent = "\n    "
    rows = [f"row_{k} = primitives[{k}, first:last]" for k in range(width(primitive.kind))]
    outer = [*probe.lines("held", "probes[{}, start + j]"), *(f"{name}_j = {name}[j]" for name in stored)]
    inner = [*primitive.lines("item", "row_{}[i]"), f"answer = function({call})"]
    inner += [f"{name}_j[i] = {value}" for name, value in stored.items()]
    source = (
        f"def loop(probes, primitives, start, stop, first, last, arguments, {', '.join(stored)}):"
        f"{''.join(indent + line for line in rows)}"
        f"{indent}for j in range(stop - start):"
        f"{''.join(indent + '    ' + line for line in outer)}"
        f"{indent}    for i in range(last - first):"
        f"{''.join(indent + '        ' + line for line in inner)}\n"
    )
    scope: dict[str, Any] = {"function": function, "as_held": probe.convert, "as_item": primitive.convert}
    scope |= {kind.__name__: kind for part in (probe, primitive) for kind in (part.kind, part.form)}
    name = "-".join((probe.kind.__name__, primitive.kind.__name__, function.__name__, *stored)).lower()
    loop: Loop = compiled_source(source, scope, "loop", name)
    return loop


class _Word(str):
    """A piece of source text, which stands for itself."""

    __repr__ = str.__str__


def _expression(kind: type, numbers: Iterable[str]) -> str:
    """Write the expression that builds a shape of these numbers."""
    return repr(builder(kind)(map(_Word, numbers)))


def _paths(kind: type) -> Iterator[str]:
    """Give the subscript of each number of a shape, e.g. [0][2]."""

    def below(annotations: Iterable[Any], path: str) -> Iterator[str]:
        for k, annotation in enumerate(annotations):
            parts = get_args(annotation)
            yield from below(parts, f"{path}[{k}]") if parts else (f"{path}[{k}]",)

    return below(get_type_hints(kind).values(), "")
