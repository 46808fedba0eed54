"""The compiled reading: a method's one source, compiled by Numba into a loop over arrays of primitives.

Numba is imported by the first batch and not before: on small scenes it costs more than it gives.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.registry import KERNELS, Argument, Method
from hitscope.geometry.shapes import Shape


class Answers(NamedTuple):
    """What a method says of one probe against n primitives; columns it does not answer are absent."""

    hit: NDArray[np.bool_]  # (n,)
    columns: dict[str, NDArray[np.float64]]  # t_enter, t_exit: (n,); normal: (n, 3)


class Batch:
    """Many primitives of one type, as one method takes them; only the probe changes from run to run."""

    def __init__(self, method: Method, probe: Shape, primitives: Sequence[Shape]) -> None:
        """Put n primitives into an array; `probe` tells the type of the probes that will be asked about."""
        self.method = method
        pairs = [method.parameters(probe, primitive) for primitive in primitives]
        # What varies is the function's second parameter, or its first where it takes the primitive first.
        varying = [pair[not method.swapped] for pair in pairs]
        self.size = len(primitives)
        self._primitive = primitives[0]
        self._varying = np.ascontiguousarray(np.array([_flatten(item) for item in varying], dtype=np.float64).T)
        held: type = type(pairs[0][method.swapped])
        item: type = type(varying[0])
        self._loop = _loop(method, held, item)

    def run(self, probe: Shape, arguments: Mapping[str, Argument]) -> Answers:
        """Ask the method about one probe and every primitive, in compiled code."""
        held = self.method.parameters(probe, self._primitive)[self.method.swapped]
        hit = np.empty(self.size, dtype=np.bool_)
        shapes = {name: (self.size, 3) if name == "normal" else (self.size,) for name in self.method.answers}
        answers = {name: np.empty(shape) for name, shape in shapes.items()}
        given = {**self.method.arguments, **arguments}
        self._loop(
            np.array(_flatten(held), dtype=np.float64),
            self._varying,
            tuple(value if isinstance(value, bool) else float(value) for value in given.values()),
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
def _loop(method: Method, fixed: type, varying: type) -> Callable[..., None]:
    """Write the loop for one method and pair of types, and compile it with IEEE division."""
    from numba import njit

    _register_kernels()
    arrays = "".join(f", {name}" for name in method.answers)
    stores = "".join(f"        {name}[i] = answer[{k}]\n" for k, name in enumerate(method.answers, start=1))
    parameters = ("item", "held") if method.swapped else ("held", "item")
    source = (
        f"def loop(fixed, varying, arguments, hit{arrays}):\n"
        f"    held = {_constructor(fixed, 'fixed[{}]')}\n"
        f"    for i in range(varying.shape[1]):\n"
        f"        item = {_constructor(varying, 'varying[{}, i]')}\n"
        f"        answer = method({', '.join(parameters)}, *arguments)\n"
        f"        hit[i] = answer{'[0]' if method.answers else ''}\n"
        f"{stores}"
    )
    scope: dict[str, Any] = {"method": method.function, fixed.__name__: fixed, varying.__name__: varying}
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
