"""Sums and multiples of arrays are those of the decimals that are written, rounded once, however long they are."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from hitscope.geometry.exact import rounded
from hitscope.scene.decimals import decimal, linear, tidy


def numbers(random):
    """Numbers of all kinds: short decimals, all digits, tiny and huge ones."""
    short = [round(random.uniform(-1, 1) * 10 ** random.randrange(6), random.randrange(12)) for _ in range(300)]
    long = [random.uniform(-1, 1) * 10.0 ** random.randrange(-30, 30) for _ in range(300)]
    return np.array(
        [*short, *long, 0.0, -0.0, 5e-324, 1.7e308, -1.7e308, 1e15, 999999999999999.0, 1e16, 0.1 + 0.2]
    )


@pytest.mark.parametrize("factor", ["1", "-1", "0.1", "-2.5", "1/3", "1e-25", "123456789012345.678"])
@pytest.mark.parametrize("summand", ["0", "0.1", "-2.37", "1e-9", "1/7", "1e300", "123456789012345.678"])
def test_a_result_is_the_exact_decimal_rounded_once(factor, summand):
    values, f, s = numbers(Random(f"{factor} {summand}")), Fraction(factor), Fraction(summand)
    wanted = [rounded(f * decimal(value) + s) for value in values.tolist()]
    assert linear(values, f, s).tolist() == wanted


def test_what_does_not_change_keeps_every_bit():
    values = numbers(Random("same"))
    assert linear(values, Fraction(1), Fraction(0)).tobytes() == values.tobytes()


def test_the_last_digits_of_a_sum_are_left_off():
    sums, largest = np.array([0.1 + 0.2, 1e-30, 1e300, 0.49999999999999994]), np.array([0.2, 1e-30, 1e300, 0.5])
    assert tidy(sums, largest).tolist() == [0.3, 1e-30, 1e300, 0.5]
