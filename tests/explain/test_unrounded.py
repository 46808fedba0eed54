"""Unrounded numbers do as floats do, but for rounding."""

import math
import operator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from hitscope.unrounded import MODULE, RoundedError, Unrounded, exact_math

NUMBERS = (Unrounded(3, 2), Unrounded(0), Unrounded(-2))
OTHERS = (0.5, 4, True, math.inf, -math.inf, math.nan, Fraction(1, 4), Unrounded(5), -2)
OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod)
COMPARISONS = (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)


def applied(operation, a, b):
    try:
        return operation(a, b)
    except ZeroDivisionError:
        return "division by zero"


def as_float(number):
    return float(Fraction(number)) if isinstance(number, Fraction) else number


@pytest.mark.parametrize("operation", [*OPERATORS, *COMPARISONS], ids=lambda operation: operation.__name__)
def test_operators_do_as_those_of_floats(operation):
    for a, b in product(NUMBERS, OTHERS):
        for x, y in ((a, b), (b, a)):
            if operation is operator.mod and not all(map(math.isfinite, (as_float(x), as_float(y)))):
                with pytest.raises(RoundedError):
                    operation(x, y)
                continue
            found = applied(operation, x, y)
            expected = applied(operation, as_float(x), as_float(y))
            # These quotients and products have few digits, so that floats are exact.
            same = found == expected or (found != found and expected != expected)  # noqa: PLR0124
            nearly = isinstance(found, Fraction) and abs(Fraction(found) - Fraction(expected)) < Fraction(
                1, 10**15
            )
            assert same or nearly, (operation, x, y, found, expected)
            if operation in OPERATORS and isinstance(found, int | Fraction):
                assert type(found) is Unrounded or operation is operator.floordiv


def test_a_float_literal_does_not_round():
    third = 1.0 / Unrounded(3)
    assert third == Fraction(1, 3) and third + third + third == 1.0
    assert 0.1 * Unrounded(3) == 3 * Fraction(0.1) != Fraction(0.1 * 3)
    assert max(0.0, third) is third and sum([third, third]) == Fraction(2, 3)
    assert type(-third) is type(abs(third)) is type(+third) is type(third**2) is Unrounded


@pytest.mark.parametrize(
    "square", [Fraction(0), Fraction(4, 9), Fraction(2), Fraction(2, 10**60), Fraction(10**61)]
)
def test_a_root_is_exact_or_a_little_too_great(square):
    root = Unrounded(square).sqrt()
    assert type(root) is Unrounded
    error = Fraction(root) ** 2 - square
    assert 0 <= error <= square * Fraction(2, 2**256)
    assert (error == 0) == (square in (0, Fraction(4, 9)))
    assert Unrounded(square) ** 0.5 == root == np.sqrt(np.array([Unrounded(square)]))[0]


def test_an_angle_is_rounded_once():
    for k in range(-10, 11):
        cosine = Fraction(k, 10)
        assert Unrounded(cosine).arccos() == pytest.approx(math.acos(k / 10), abs=1e-15)
    nearly_one = 1 - Fraction(1, 10**40)
    assert Unrounded(nearly_one).arccos() == pytest.approx(math.sqrt(2) * 1e-20, rel=1e-15)


@pytest.mark.parametrize("function", [float, math.sin, math.sqrt, lambda x: x**0.25, lambda x: math.hypot(x, x)])
def test_what_would_round_is_refused(function):
    with pytest.raises(RoundedError):
        function(Unrounded(1, 3))
    assert float(Unrounded(0)) == 0.0


def test_the_functions_of_math_take_both():
    x, y = Unrounded(9, 4), 2.25
    assert type(MODULE.sqrt(x)) is type(MODULE.hypot(x, 0)) is type(MODULE.fabs(-x)) is Unrounded
    assert MODULE.sqrt(x) == MODULE.sqrt(y) == 1.5 and type(MODULE.sqrt(y)) is float
    assert MODULE.hypot(x, 3) == MODULE.hypot(y, 3) == 3.75
    assert (MODULE.isnan(x), MODULE.isinf(x), MODULE.isfinite(x)) == (False, False, True)
    assert (MODULE.isnan(math.nan), MODULE.isinf(math.inf), MODULE.isfinite(y)) == (True, True, True)
    assert MODULE.pi == math.pi and MODULE.acos(Unrounded(1)) == 0.0


def test_a_module_has_its_own_math_again():
    scope: dict[str, Any] = {"math": math, "root": math.sqrt, "sin": math.sin, "other": 3}
    before = dict(scope)
    with pytest.raises(KeyError), exact_math(scope):
        assert scope["root"](Unrounded(4)) == 2 and scope["math"] is MODULE and scope["sin"] is math.sin
        raise KeyError
    assert scope == before
