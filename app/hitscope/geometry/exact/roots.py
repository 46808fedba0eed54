"""The numbers (a + b * sqrt(d)) / w with rational a, b, d: compared by signs of rationals, and rounded once."""

from fractions import Fraction
from math import frexp, inf, isqrt, sqrt
from sys import float_info

BITS = 1 << 10
"""The fewest bits of the square of a root's approximation."""


class Root:
    """The number (a + b * sqrt(d)) / w, surely from `low` to `high`; d is not negative, and w is 0 of infinities.

    Nothing is reduced: in integers a greatest common divisor takes longer than all that is done with a root.
    """

    __slots__ = ("a", "b", "d", "high", "low", "w")

    def __init__(self, a: Fraction | int, b: Fraction | int = 0, d: Fraction | int = 0, w: int = 1) -> None:
        self.a, self.b, self.d, self.w = a, b, d, w
        if not w:
            self.low = self.high = inf if a > 0 else -inf
            return
        try:
            # Quotients of integers are rounded once, however large both are.
            middle = float(a / w)
            root = sqrt(b * b * d / (w * w)) if b else 0.0
        except OverflowError:
            self.low, self.high = -inf, inf
            return
        # 8 roundings, and what underflows.
        error = (abs(middle) + root) * 2.0**-49 + 2.0**-500
        middle += root if b > 0 else -root
        self.low, self.high = middle - error, middle + error

    def approximated(self) -> Fraction | float:
        """Return the number itself where it is rational or infinite, else one that is right to 2 ** -500 of it.

        Both are rounded to the same float64.
        """
        if not self.w:
            return self.low
        square = self.b * self.b * self.d
        # The same number is (a + sqrt(d)) / w, or the difference, of integers.
        p, q = square.denominator, self.a.denominator
        a, d, w = self.a.numerator * p, square.numerator * p * q * q, self.w * p * q
        # In the middle of two of float64 is an m / 2 ** k, and (w * m - 2 ** k * a) ** 2 is another integer than
        # 4 ** k * d: so the root is farther from it than 2 ** -beside / w.
        least = min(abs(self.low), abs(self.high)) if self.low * self.high > 0 else float_info.min
        k = float_info.mant_dig + 1 - max(float_info.min_exp, frexp(least)[1])
        beside = 2 * max(0, k) + d.bit_length() // 2 + 4
        places = w.bit_length() + beside
        shift = max((BITS - d.bit_length()) // 2 + 1, beside)
        a, d, w = a << shift, d << 2 * shift, w << shift
        root = isqrt(d) * (-1 if self.b < 0 else 1)
        if root * root == d:
            return Fraction(a + root, w)
        # The difference of two numbers of one sign, without cancellation.
        numerator, denominator = (a + root, w) if a * root >= 0 else (a * a - d, (a - root) * w)
        # Over a power of two it has half as many bits, and so have the points that it is multiplied with.
        shift = max(places, BITS // 2 + denominator.bit_length() - numerator.bit_length())
        return Fraction((numerator << shift) // denominator, 1 << shift)


def compared(x: Root, y: Root) -> int:
    """Return the sign of x - y: of floats where these are surely apart, else of rational numbers."""
    if x.high < y.low:
        return -1
    if x.low > y.high:
        return 1
    # The sign of a + b * sqrt(d) - c * sqrt(e): of its roots, then of the squares of both parts.
    a, b, c, d, e = x.a * y.w - y.a * x.w, x.b * y.w, y.b * x.w, x.d, y.d
    if d == e or not b or not c:
        return sign_of(a, b - c, d if b else e)
    first, second = b * b * d, c * c * e
    roots = _sign(b) if b * c < 0 else _sign(b) * _sign(first - second)
    if _sign(a) * roots >= 0:
        return _sign(a) or roots
    return _sign(a) * sign_of(a * a - first - second, 2 * b * c, d * e)


def sign_of(a: Fraction | int, b: Fraction | int, d: Fraction | int) -> int:
    """Return the sign of a + b * sqrt(d)."""
    if not d or a * b >= 0:
        return _sign(a) or (_sign(b) if d else 0)
    return _sign(a) * _sign(a * a - b * b * d)


def _sign(number: Fraction | int) -> int:
    return (number > 0) - (number < 0)
