"""The compiled reading: one plain function as a loop over arrays of probes and primitives.

The loop's source text is written for a function and two types of shapes: it builds each shape from its column of
numbers and converts it to the type of the function's parameter, and the compiler removes both. A function without
branches becomes vector code. Parts of an answer that no array stores are not computed.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.float_mode import in_default_mode
from hitscope.geometry.registry import Argument, Method
from hitscope.geometry.shapes import COMMON_FORMS

Loop: TypeAlias = Callable[..., None]
"""Takes the contiguous rows of probes and primitives, the first probe and the one after the last (m of them), the
first primitive and the one after the last (n), a tuple of arguments, and an array (m, n) to fill with verdicts."""


class AnswerColumns(NamedTuple):
    """A method's answers for n pairs: the verdicts, and a column for each other part that is stored."""

    hit: NDArray[np.bool_]  # (n,)
    columns: dict[str, NDArray[Any]]  # numbers and indices (n,), vectors (n, 3)


def values(method: Method, arguments: Mapping[str, Argument]) -> tuple[Argument, ...]:
    """Return all arguments of a method in their order, defaults for those not given, as its loop takes them."""
    given = {**method.arguments, **arguments}
    return tuple(value if isinstance(value, bool) else float(value) for value in given.values())


@cache
def method_loop(method: Method, probe: type, primitive: type) -> Loop:
    """Return the loop over each probe and each primitive that stores a method's verdicts."""
    return _loop(_call_of(method, probe, primitive, (), False))


def _call_of(method: Method, probe: type, primitive: type, columns: tuple[str, ...], single: bool) -> "_Call":
    """Return a method's call, of whose answer these columns are needed beside the verdict."""
    from hitscope.geometry.rewritten import in_float32, verdict_alone

    kinds = method.parameter_types or (probe, primitive)
    probe_kind, primitive_kind = kinds[::-1] if method.swapped else kinds
    alone = bool(method.parts) and not columns and not single
    made = in_float32 if single else verdict_alone if alone else None

    def parameter(name: str, shape: type, kind: type) -> _Parameter:
        convert = COMMON_FORMS[kind][shape] if kind in COMMON_FORMS else None
        return _Parameter(name, shape, in_float32(convert) if convert and single else convert, kind)

    return _Call(
        made(method.function) if made else method.function,
        "primitive, probe, *arguments" if method.swapped else "probe, primitive, *arguments",
        parameter("probe", probe, probe_kind),
        parameter("primitive", primitive, primitive_kind),
        "answer.hit" if method.parts and not alone else "answer",
    )


@cache
def filter_loop(
    decide: Callable[..., Any],
    prepare: Callable[..., Any],
    prepared: type,
    probe: type,
    primitive: type,
    verdict: str,
) -> Loop:
    """Return the loop that stores `verdict`, an expression in `answer = decide(prepare(probe), primitive)`."""
    parameters = _Parameter("probe", probe, prepare, prepared, ", *arguments"), _Parameter("primitive", primitive)
    return _loop(_Call(decide, "probe, primitive", *parameters, verdict))


@in_default_mode
def pair_answers(
    method: Method,
    probes: NDArray[Any],
    primitives: NDArray[Any],
    kinds: tuple[type, type],
    arguments: Mapping[str, Argument],
    columns: tuple[str, ...] = (),
) -> AnswerColumns:
    """Run a method compiled on n pairs, in the precision of their numbers: probe i against primitive i.

    The rows are (k, n) of float32 or of float64, as those of `Shapes`. `columns` are the parts of the answers
    beside the verdict that are stored, in float64.
    """
    n = probes.shape[1]
    hit = np.empty(n, dtype=np.bool_)
    stored = {}
    for name in columns:
        kind = method.parts[name]
        stored[name] = np.empty(n if kind in (int, float) else (n, 3), np.int64 if kind is int else np.float64)
    loop = method_pair_loop(method, *kinds, columns, probes.dtype == np.float32)
    probes, primitives = (np.ascontiguousarray(rows, np.float64) for rows in (probes, primitives))
    loop(probes, primitives, values(method, arguments), hit, *stored.values())
    return AnswerColumns(hit, stored)


@cache
def method_pair_loop(
    method: Method, probe: type, primitive: type, columns: tuple[str, ...] = (), single: bool = False
) -> Loop:
    """Return the loop over pairs that stores these parts of a method's answers, with `single` those in float32."""
    call = _call_of(method, probe, primitive, columns, single)
    stored = {"hit[i]": call.verdict}
    for name in columns:
        if method.parts[name] in (int, float):
            stored[f"{name}[i]"] = f"answer.{name}"
        else:
            stored |= {f"{name}[i, {k}]": f"answer.{name}[{k}]" for k in range(3)}
    lines = [
        f"def loop(probes, primitives, arguments, {', '.join(('hit', *columns))}):",
        "    for i in range(probes.shape[1]):",
        *call.probe.lines("        ", "i"),
        *call.primitive.lines("        ", "i"),
        f"        answer = function({call.arguments})",
        *(f"        {place} = {value}" for place, value in stored.items()),
    ]
    return _compiled(lines, call)


class _Parameter(NamedTuple):
    """A parameter of the function in a loop: a type of shape, and the conversion to the parameter's type."""

    name: str
    kind: type
    convert: Callable[..., Any] | None = None
    converted: type = object
    more_arguments: str = ""

    def lines(self, indent: str, column: str) -> list[str]:
        """Return the statements that assign the parameter, from a column of the rows of its shapes."""
        shape = f"shape_at({self.name}s, {column}, {self.kind.__name__})"
        if self.convert is None:
            return [f"{indent}{self.name} = {shape}"]
        # A common form may have integers for numbers that are always the same.
        return [
            f"{indent}form = convert_{self.name}({shape}{self.more_arguments})",
            f"{indent}{self.name} = shape_of(form, primitives, {self.converted.__name__})",
        ]


class _Call(NamedTuple):
    """The call of a function in a loop."""

    function: Callable[..., Any]
    arguments: str
    """The source text of its arguments."""
    probe: _Parameter
    primitive: _Parameter
    verdict: str
    """The expression in `answer` of the verdict."""


def _loop(call: _Call) -> Loop:
    """Write the loop over each probe and each primitive, and compile it."""
    lines = [
        "def loop(probes, primitives, start, stop, first, last, arguments, hit):",
        "    for j in range(stop - start):",
        *call.probe.lines("        ", "start + j"),
        "        hit_j = hit[j]",
        "        for i in range(last - first):",
        *call.primitive.lines("            ", "first + i"),
        f"            answer = function({call.arguments})",
        f"            hit_j[i] = {call.verdict}",
    ]
    return _compiled(lines, call)


def _compiled(lines: list[str], call: _Call) -> Loop:
    from hitscope.geometry.compiled import compiled_loop
    from hitscope.geometry.lanes import shape_at, shape_of

    scope: dict[str, Any] = {
        "shape_at": shape_at,
        "shape_of": shape_of,
        "function": call.function,
        "convert_probe": call.probe.convert,
        "convert_primitive": call.primitive.convert,
    }
    for part in (call.probe, call.primitive):
        kinds = (part.kind,) if part.convert is None else (part.kind, part.converted)
        scope |= {kind.__name__: kind for kind in kinds}
    return compiled_loop("\n".join(lines), scope)
