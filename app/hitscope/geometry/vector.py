"""The few vector operations that the tests share, on plain numbers and tuples of three of them."""

from hitscope.geometry import ieee
from hitscope.geometry.answers import UNKNOWN_VECTOR
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
def unit(axis: int) -> Vec3:
    """The unit vector along coordinate axis 0, 1 or 2; unknown of any other."""
    if axis == 0:
        return 1, 0, 0
    if axis == 1:
        return 0, 1, 0
    if axis == 2:
        return 0, 0, 1
    return UNKNOWN_VECTOR


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
def whole(value: int, like: float) -> float:
    """The whole number in the type of another number: compiled a float64, otherwise as it is."""
    # Always the first; compiled, what is returned has a type that holds both.
    return value if abs(value) >= 0 else like


@kernel
def lesser(a: float, b: float) -> float:
    """Give the lesser of two numbers, or b if one is NaN; processors have this as one instruction, unlike min."""
    return a if a < b else b


@kernel
def greater(a: float, b: float) -> float:
    """Give the greater of two numbers, or b if one is NaN."""
    return a if a > b else b
