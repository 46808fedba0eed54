"""The few vector operations that the tests share, on plain numbers and tuples of three of them."""

from hitscope.geometry import ieee
from hitscope.geometry.registry import kernel
from hitscope.geometry.shapes import Vec3


@kernel
def add(a: Vec3, b: Vec3) -> Vec3:
    """Give a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def subtract(a: Vec3, b: Vec3) -> Vec3:
    """Give a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def dot(a: Vec3, b: Vec3) -> float:
    """Give the dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec3, b: Vec3) -> Vec3:
    """Give the cross product a x b, right-handed."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def halved(a: Vec3) -> Vec3:
    """Give a / 2."""
    return a[0] / 2, a[1] / 2, a[2] / 2


@kernel
def length(a: Vec3) -> float:
    """Give the Euclidean length."""
    return ieee.sqrt(dot(a, a))


@kernel
def normalized(a: Vec3) -> Vec3:
    """Give a over its length; of the zero vector NaN."""
    size = length(a)
    return ieee.divide(a[0], size), ieee.divide(a[1], size), ieee.divide(a[2], size)


@kernel
def lesser(a: float, b: float) -> float:
    """Give the lesser of two numbers, or b if one is NaN; processors have this as one instruction, unlike min."""
    return a if a < b else b


@kernel
def greater(a: float, b: float) -> float:
    """Give the greater of two numbers, or b if one is NaN."""
    return a if a > b else b
