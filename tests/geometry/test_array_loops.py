"""Functions of arrays compiled to one loop: bit by bit what NumPy gives, for any count and type."""

import numpy as np
import pytest

from hitscope.geometry.array_loops import ArrayLoop
from hitscope.geometry.precisions import PRECISIONS, exponents, greater, powers_of_two

SPECIAL = [0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 0.5, 1e300, -1e-310, np.inf, -np.inf, np.nan, 5e-324, 3.0, 1e9, -7.25]


def same(loop, *arrays):
    """Return whether a loop gives NumPy's bits, results and types."""
    with np.errstate(all="ignore"):
        expected = loop._function(*arrays)
    expected = expected if isinstance(expected, tuple) else (expected,)
    found = loop(*arrays)
    assert [part.dtype for part in found] == [part.dtype for part in expected]
    return all(
        np.array_equal(np.isnan(one), np.isnan(other))
        and np.where(np.isnan(one), 0, one).tobytes() == np.where(np.isnan(one), 0, other).tobytes()
        for one, other in zip(found, expected, strict=True)
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: (a + b, a - b, a * b, a / b, -a, np.abs(a), np.sqrt(np.abs(a))),
        lambda a, b: (np.floor(a), np.rint(a), greater(a, b), np.where(a < b, a, 2.0), np.isfinite(a)),
        lambda a, b: (a == b, a != b, a <= b, a >= b, (a < b) & (b < 1) | ~(a > b), np.isnan(b)),
        lambda a, b: (exponents(a), powers_of_two(np.where(np.isfinite(a), np.rint(a / 1e300), 0.0))),
        lambda a, b: np.stack([a, b]).reshape(2, -1)[::-1] + np.array([[1.0], [2.0]]),
        lambda a, b: np.choose(np.where(a > b, 2.0, 0.0).astype(np.intp), [a, b, 7.0]),
        lambda a, b: np.take_along_axis(np.stack([a, b]), np.stack([(a > b).astype(np.intp)]), axis=0),
        lambda a, b: np.argmax(np.where(np.stack([a, b, -a]) > 0, 1.0, 0.0), axis=0),
        lambda a, b: (np.stack([a, b]) > 0).any(axis=0) | (np.stack([a, b]) < 2).all(axis=0),
        lambda a, b: (np.where(a > 0, 4.0, -5.0).astype(np.intp) - np.arange(3)[:, None]) % 3,
    ],
)
def test_a_loop_gives_the_bits_of_numpy(function):
    a, b = (np.ascontiguousarray(part).ravel() for part in np.meshgrid(SPECIAL, SPECIAL))
    assert same(ArrayLoop(function), a, b)


@pytest.mark.parametrize("real", PRECISIONS)
def test_numbers_are_rounded_and_their_ulps_are_those_of_numpy(real):
    numbers = np.array([number for number in SPECIAL if np.isfinite(number)] * 4)
    precision = PRECISIONS[real]
    assert same(ArrayLoop(lambda numbers: precision.rounded(precision.clipped(numbers))), numbers)
    rounded = precision.rounded(precision.clipped(numbers))
    assert same(ArrayLoop(precision.ulps), rounded)
    inner = rounded[np.abs(rounded) < precision.largest]
    assert np.array_equal(precision.ulps(inner), np.abs(np.spacing(inner.astype(real))).astype(np.float64))


@pytest.mark.parametrize("n", [0, 1, 7, 8, 24, 29])
def test_any_count_of_any_types_has_its_results(n):
    def function(whole, flags, single, words):
        return np.where(flags & (whole == -1), single.astype(np.float64), 3.0), words >> np.uint64(60), ~flags

    rng = np.random.default_rng(1)
    whole, flags = rng.integers(-2, 2, n).astype(np.int8), rng.random(n) < 0.5
    single, words = rng.random(n, np.float32), rng.integers(0, 2**63, n, np.uint64)
    found, expected = ArrayLoop(function)(whole, flags, single, words), function(whole, flags, single, words)
    assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))


def test_parts_of_arrays_can_be_assigned_as_those_of_numpy():
    def function(rows):
        changed = rows.copy()
        changed[1:] += rows[0]
        changed[0] = changed[1] * 2.0
        return changed

    assert same(ArrayLoop(function), np.arange(24.0).reshape(3, 8))
