"""Arrays of numbers that a user gives, as float64: any array or nested sequence, checked."""

from typing import Any

import numpy as np

from hitscope.errors import Fault, Path, shown
from hitscope.geometry import checks


def numbers_at(path: Path, value: Any, expected: str) -> Any:
    """Return an array or a nested sequence as an array of float64; raises Fault at `path` or at a number below it.

    Numbers are of any real type; texts and booleans are none, and neither are those that are not finite.
    """
    expected = f"an array of numbers, {expected}"
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise Fault(path, expected, shown(value)) from None
    if array.dtype.kind == "O" and array.ndim:  # of fractions, say
        array = _converted(path, array)
    if array.dtype.kind not in "fiu":
        kind = "text" if array.dtype.kind in "US" else str(array.dtype)
        raise Fault(path, expected, shown(value) if array.ndim == 0 else f"{_shape(array)} of {kind}")
    with np.errstate(over="ignore"):  # of a long double
        found = array.astype(np.float64, copy=False)
    if not np.isfinite(found).all():
        first = np.argwhere(~np.isfinite(found))[0].tolist()
        raise Fault((*path, *first), "a finite number", str(array[tuple(first)]))
    return found


def rows_of(path: Path, value: Any, row: tuple[int, ...]) -> Any:
    """Return n rows of numbers of a shape, (n, *row), as float64; raises Fault as `numbers_at` does."""
    expected = _text(("n", *row))
    array = numbers_at(path, value, expected)
    if array.ndim != 1 + len(row) or array.shape[1:] != row:
        raise Fault(path, f"an array of numbers, {expected}", _shape(array))
    return array


def vectors_of(path: Path, value: Any) -> Any:
    """Return one vector or an array of them, (..., 3), as float64; raises Fault as `numbers_at` does."""
    array = numbers_at(path, value, "(3,) or (..., 3)")
    if array.shape[-1:] != (3,):
        raise Fault(path, "an array of numbers, (3,) or (..., 3)", _shape(array))
    return array


def _converted(path: Path, array: Any) -> Any:
    numbers = np.empty(array.shape)
    for index in np.ndindex(array.shape):
        try:
            numbers[index] = checks.number(array[index])
        except Fault as fault:
            raise fault.below((*path, *index)) from None
    return numbers


def _shape(array: Any) -> str:
    return f"one of shape {_text(array.shape)}" if array.ndim else str(array)


def _text(shape: tuple[int | str, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
