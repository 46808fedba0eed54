"""Numbers that are not rounded, on which the source of any method runs as it is, and `math` for them."""

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

ROOT_BITS = 256
"""The least number of bits of a square root that is not rational."""


class RoundedError(ArithmeticError):
    """An unrounded number was asked for its float."""


class Unrounded(Fraction):
    """A fraction that stays one beside floats; beside infinities and NaN it does as IEEE 754 has it.

    A zero has no sign. Converting it to a float raises RoundedError, so that no run goes on rounded unseen.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    def __float__(self) -> float:
        if self:
            raise RoundedError("an unrounded number has no float")
        return 0.0

    def __neg__(self) -> "Unrounded":
        return Unrounded(super().__neg__())

    def __pos__(self) -> "Unrounded":
        return self

    def __abs__(self) -> "Unrounded":
        return Unrounded(super().__abs__())

    def __pow__(self, exponent: Any, modulus: Any = None) -> Any:
        if exponent == 0.5 and self >= 0:
            return self.sqrt()
        if exponent != int(exponent):
            raise RoundedError("a power with a fraction is not exact")
        return Unrounded(super().__pow__(int(exponent)))

    def sqrt(self) -> "Unrounded":
        """Return the square root: exact of a square, else a little too great: no unit vector is too long."""
        numerator, denominator = self.numerator, self.denominator
        exact = Unrounded(math.isqrt(numerator), math.isqrt(denominator))
        if Fraction.__eq__(exact * exact, self):
            return exact
        shift = max(0, ROOT_BITS + 1 - (numerator.bit_length() - denominator.bit_length()) // 2)
        return Unrounded(math.isqrt((numerator << 2 * shift) // denominator) + 1, 1 << shift)

    def arccos(self) -> float:
        """Return the arc cosine, rounded once."""
        sine = Unrounded(1 - self * self).sqrt()
        return math.atan2(Fraction(sine), Fraction(self))


def _overload(name: str, reflection: str) -> None:
    """Give Unrounded an operator, or with "r" its reflection, whose other operand may be a float."""
    exact: Callable[[Any, Any], Any] = getattr(Fraction, f"__{reflection}{name}__")
    rounded: Callable[[Any, Any], Any] = _refused if name == "mod" else getattr(operator, name)

    def operate(self: Unrounded, other: Any) -> Any:
        if not isinstance(other, float):
            found = exact(self, other)
            return found if found is NotImplemented else Unrounded(found)
        if math.isfinite(other):
            return Unrounded(exact(self, Fraction(other)))
        return rounded(other, _sign(self)) if reflection else rounded(_sign(self), other)

    setattr(Unrounded, f"__{reflection}{name}__", operate)


def _refused(a: Any, b: Any) -> Any:
    raise RoundedError("a remainder of an infinity is not exact")


def _sign(number: Fraction) -> float:
    return float((number > 0) - (number < 0))


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    _overload(_name, "")
    _overload(_name, "r")


def sqrt(x: Any) -> Any:
    return x.sqrt() if isinstance(x, Unrounded) else math.sqrt(x)


def hypot(*coordinates: Any) -> Any:
    if not any(isinstance(x, Unrounded) for x in coordinates):
        return math.hypot(*coordinates)
    return sqrt(sum((x * x for x in coordinates), Unrounded(0)))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": sqrt,
    "hypot": hypot,
    "acos": lambda x: x.arccos() if isinstance(x, Unrounded) and abs(x) <= 1 else math.acos(x),
    "fabs": lambda x: abs(x) if isinstance(x, Unrounded) else math.fabs(x),
    "isnan": lambda x: not isinstance(x, Unrounded) and math.isnan(x),
    "isinf": lambda x: not isinstance(x, Unrounded) and math.isinf(x),
    "isfinite": lambda x: isinstance(x, Unrounded) or math.isfinite(x),
}
"""The functions of `math` that methods call, for unrounded numbers, too."""
MODULE = SimpleNamespace(**{**vars(math), **FUNCTIONS})


@contextmanager
def exact_math(scope: dict[str, Any]) -> Iterator[None]:
    """Put these functions in the place of `math`'s in a module's globals; they take other threads' floats, too."""
    ours: dict[int, Any] = {id(math): MODULE, **{id(getattr(math, name)): FUNCTIONS[name] for name in FUNCTIONS}}
    found = {name: value for name, value in scope.items() if id(value) in ours}
    scope.update({name: ours[id(value)] for name, value in found.items()})
    try:
        yield
    finally:
        scope.update(found)
