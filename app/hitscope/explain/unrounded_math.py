"""The functions of `math` that users' methods call, for numbers that are not rounded."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from hitscope.explain.unrounded import Unrounded


def sqrt(x: Any) -> Any:
    """Return the square root."""
    return x.sqrt() if isinstance(x, Unrounded) else math.sqrt(x)


def hypot(*coordinates: Any) -> Any:
    """Return the length of a vector."""
    if not any(isinstance(x, Unrounded) for x in coordinates):
        return math.hypot(*coordinates)
    return sqrt(sum((x * x for x in coordinates), Unrounded(0)))


def acos(x: Any) -> float:
    """Return the arc cosine, rounded once."""
    return x.arccos() if isinstance(x, Unrounded) and abs(x) <= 1 else math.acos(x)


def fabs(x: Any) -> Any:
    """Return the absolute value."""
    return abs(x) if isinstance(x, Unrounded) else math.fabs(x)


def isnan(x: Any) -> bool:
    """Return whether a number is NaN."""
    return not isinstance(x, Unrounded) and math.isnan(x)


def isinf(x: Any) -> bool:
    """Return whether a number is infinite."""
    return not isinstance(x, Unrounded) and math.isinf(x)


def isfinite(x: Any) -> bool:
    """Return whether a number is neither infinite nor NaN."""
    return isinstance(x, Unrounded) or math.isfinite(x)


FUNCTIONS = {function.__name__: function for function in (sqrt, hypot, acos, fabs, isnan, isinf, isfinite)}
MODULE = SimpleNamespace(**{**vars(math), **FUNCTIONS})


@contextmanager
def exact_math(scope: dict[str, Any]) -> Iterator[None]:
    """Put these functions in the place of those of `math` among the globals of a module.

    They take floats too, so that another thread that runs the module meanwhile finds what it expects.
    """
    ours: dict[int, Any] = {id(math): MODULE, **{id(getattr(math, name)): FUNCTIONS[name] for name in FUNCTIONS}}
    found = {name: value for name, value in scope.items() if id(value) in ours}
    scope.update({name: ours[id(value)] for name, value in found.items()})
    try:
        yield
    finally:
        scope.update(found)
