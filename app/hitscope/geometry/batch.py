"""The compiled reading: a method's one source, compiled by Numba into a loop over arrays of primitives.

Numba is imported by the first batch and not before: on small scenes it costs more than it gives.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.registry import KERNELS, Chosen, Method
from hitscope.geometry.shapes import Shape


class Answers(NamedTuple):
    """What a method says of one probe against n primitives; columns it does not answer are absent."""

    hit: NDArray[np.bool_]  # (n,)
    columns: dict[str, NDArray[np.float64]]  # t_enter, t_exit: (n,); normal: (n, 3)


def columns(primitives: Sequence[Shape]) -> NDArray[np.float64]:
    """Give the numbers of n primitives of one type as an array (numbers per primitive, n)."""
    flat = np.array([_flatten(primitive) for primitive in primitives], dtype=np.float64)
    return np.ascontiguousarray(flat.T)


def run(chosen: Chosen, probe: Shape, kind: type, primitives: NDArray[np.float64]) -> Answers:
    """Ask a method about one probe and every primitive of `columns`, all of type `kind`, in compiled code."""
    method = chosen.method
    size = primitives.shape[1]
    hit = np.empty(size, dtype=np.bool_)
    answers = {name: np.empty((size, 3) if name == "normal" else size) for name in method.answers}
    parameter = method.parameter(probe)
    arguments = {**method.arguments, **chosen.arguments}
    probe_kind: type = type(parameter)
    loop = _loop(method, probe_kind, kind)
    loop(
        np.array(_flatten(parameter), dtype=np.float64),
        primitives,
        tuple(value if isinstance(value, bool) else float(value) for value in arguments.values()),
        hit,
        *answers.values(),
    )
    return Answers(hit, answers)


def _flatten(value: Any) -> list[float]:
    return [number for part in value for number in _flatten(part)] if isinstance(value, tuple) else [value]


@cache
def _register_kernels() -> None:
    from numba.extending import register_jitable

    for function in KERNELS:
        register_jitable(function)


@cache
def _loop(method: Method, probe: type, primitive: type) -> Callable[..., None]:
    """Write the loop for one method and pair of types, and compile it with IEEE division."""
    from numba import njit

    _register_kernels()
    arrays = "".join(f", {name}" for name in method.answers)
    stores = "".join(f"        {name}[i] = answer[{k}]\n" for k, name in enumerate(method.answers, start=1))
    source = (
        f"def loop(probe, primitives, arguments, hit{arrays}):\n"
        f"    fixed = {_constructor(probe, 'probe[{}]')}\n"
        f"    for i in range(primitives.shape[1]):\n"
        f"        answer = method(fixed, {_constructor(primitive, 'primitives[{}, i]')}, *arguments)\n"
        f"        hit[i] = answer{'[0]' if method.answers else ''}\n"
        f"{stores}"
    )
    scope: dict[str, Any] = {"method": method.function, probe.__name__: probe, primitive.__name__: primitive}
    exec(source, scope)
    loop: Callable[..., None] = njit(scope["loop"], error_model="numpy")
    return loop


def _constructor(kind: type, element: str) -> str:
    """Write the expression that builds a shape from numbers in a row, e.g. Aabb((p[0], p[1], p[2]), ...)."""
    numbers = count()

    def expression(annotation: Any) -> str:
        if annotation is float:
            return element.format(next(numbers))
        return f"({', '.join(expression(part) for part in get_args(annotation))})"

    return f"{kind.__name__}({', '.join(expression(part) for part in get_type_hints(kind).values())})"
