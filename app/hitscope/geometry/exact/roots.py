"""The numbers a + b * sqrt(d) with rational a, b, d: compared by signs of rationals, and rounded once."""

from fractions import Fraction
from math import isqrt, sqrt
from typing import NamedTuple

from hitscope.geometry.exact.rounding import square_root

BITS = 1 << 10
"""The bits of the square of a root's approximation, far more than any rounding of it can tell from exact ones."""


class Root(NamedTuple):
    """The number a + b * sqrt(d); d is not negative, and b is 0 where the root is rational."""

    a: Fraction
    b: Fraction = Fraction(0)
    d: Fraction = Fraction(0)

    @classmethod
    def of(cls, a: Fraction | int, b: Fraction | int, d: Fraction | int) -> "Root":
        """Return a + b * sqrt(d), without a root where d is the square of a rational number."""
        a, b, d = Fraction(a), Fraction(b), Fraction(d)
        if not b:
            return cls(a)
        p, q = isqrt(d.numerator), isqrt(d.denominator)
        if p * p == d.numerator and q * q == d.denominator:
            return cls(a + b * Fraction(p, q))
        return cls(a, b, d)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        a, b = _sign(self.a), _sign(self.b)
        if a * b >= 0:
            return a or b
        return a * _sign(self.a**2 - self.b**2 * self.d)

    def times_plus(self, factor: Fraction | int, summand: Fraction | int) -> "Root":
        """Return the number times a rational one, plus another."""
        return Root.of(self.a * factor + summand, self.b * factor, self.d)

    def approximated(self) -> Fraction:
        """Return the number itself where it is rational, else one with a relative error below 2 ** -500."""
        if not self.b:
            return self.a
        root = self.b * square_root(self.d, BITS)
        if self.a * self.b >= 0:
            return self.a + root
        # The difference of two numbers of one sign, without cancellation.
        return (self.a**2 - self.b**2 * self.d) / (self.a - root)


def compared(x: Root, y: Root) -> int:
    """Return the sign of x - y: of floats where these are surely apart, else of rational numbers."""
    try:
        (first, error), (second, other) = _in_floats(x), _in_floats(y)
    except OverflowError:
        first, error, second, other = 0.0, 0.0, 0.0, 0.0
    if abs(first - second) > error + other:
        return 1 if first > second else -1
    a = x.a - y.a
    if x.d == y.d or not x.b or not y.b:
        return Root(a, x.b - y.b, x.d if x.b else y.d).sign
    # The sign of a + b * sqrt(d) - c * sqrt(e): of its roots, then of the squares of both parts.
    squares = x.b**2 * x.d + y.b**2 * y.d
    roots = _sign(x.b) if x.b * y.b < 0 else _sign(x.b) * _sign(x.b**2 * x.d - y.b**2 * y.d)
    if _sign(a) * roots >= 0:
        return _sign(a) or roots
    return _sign(a) * Root(a**2 - squares, 2 * x.b * y.b, x.d * y.d).sign


def _in_floats(root: Root) -> tuple[float, float]:
    """Return a root in float64, and a bound of its error: 8 roundings, and what underflows."""
    # What float() does, in half the time.
    a = root.a.numerator / root.a.denominator
    if not root.b:
        return a, abs(a) * 2.0**-49 + 2.0**-500
    b, d = root.b.numerator / root.b.denominator, sqrt(root.d.numerator / root.d.denominator)
    return a + b * d, (abs(a) + abs(b) * d) * 2.0**-49 + (1 + abs(b) + d) * 2.0**-500


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)
