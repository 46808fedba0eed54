"""The vector operations that the methods share, on plain numbers and tuples of three of them."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from hitscope.geometry import ieee
from hitscope.geometry.answers import UNKNOWN_VECTOR
from hitscope.geometry.registry import compiled_as, kernel
from hitscope.geometry.shapes import Vec3

N = TypeVar("N", int, float, Fraction)
T = TypeVar("T")


def vec3(values: Iterable[T]) -> tuple[T, T, T]:
    """Return three numbers as a vector."""
    x, y, z = values
    return x, y, z


@kernel
def add(a: Sequence[N], b: Sequence[N]) -> tuple[N, N, N]:
    """Return a + b of the first three components."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def subtract(a: Sequence[N], b: Sequence[N]) -> tuple[N, N, N]:
    """Return a - b of the first three components."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def dot(a: Sequence[N], b: Sequence[N]) -> N:
    """Return the dot product of the first three components."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Sequence[N], b: Sequence[N]) -> tuple[N, N, N]:
    """Return the cross product a x b of the first three components, right-handed."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def unit_axis(axis: int) -> Vec3:
    """Return the unit vector along coordinate axis 0, 1 or 2; unknown of any other."""
    if axis == 0:
        return 1, 0, 0
    if axis == 1:
        return 0, 1, 0
    if axis == 2:
        return 0, 0, 1
    return UNKNOWN_VECTOR


@kernel
def halved(a: Vec3) -> Vec3:
    """Return a / 2."""
    return a[0] / 2, a[1] / 2, a[2] / 2


@kernel
def length(a: Vec3) -> float:
    """Return the Euclidean length."""
    return ieee.sqrt(dot(a, a))


@kernel
def normalized(a: Vec3) -> Vec3:
    """Return a over its length; NaN of the zero vector."""
    size = length(a)
    return ieee.divide(a[0], size), ieee.divide(a[1], size), ieee.divide(a[2], size)


@kernel
def whole_number(value: int, like: float) -> float:
    """Return a whole number in the type of another number: compiled a float64, otherwise as it is."""
    # The condition is always true; a compiled function returns a type that holds both values.
    return value if abs(value) >= 0 else like


def _chosen(condition: Any, a: Any, b: Any) -> Any:
    return a if condition else b


@compiled_as(_chosen)
def chosen(condition: Any, a: Any, b: Any) -> Any:
    """Return a where the condition holds, else b; of numbers, or elementwise of NumPy arrays."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, a, b)
    return a if condition else b


@kernel
def lesser(a: Any, b: Any) -> Any:
    """Return the lesser of two numbers, or b if one is NaN; one instruction of a processor, unlike min."""
    return chosen(a < b, a, b)


@kernel
def greater(a: Any, b: Any) -> Any:
    """Return the greater of two numbers, or b if one is NaN."""
    return chosen(a > b, a, b)
