"""The errors of answered ts: those that ts known exactly have."""

import numpy as np
import pytest

from hitscope.targets.judging.judged import t_errors
from hitscope.targets.judging.precisions import PRECISIONS
from hitscope.targets.judging.rules import Rules
from hitscope.targets.judging.truth import lengths_of

N = 4096


def answers(real):
    """Return answered ts, which are asked for, right ones, bounds of their errors, and lengths of probes."""
    rng = np.random.default_rng(2)
    right = rng.standard_normal(N) * 2.0 ** rng.integers(-60, 60, N)
    right[:4] = 0.0, -np.inf, np.nan, 1e300
    with np.errstate(over="ignore"):
        answered = (right * (1 + rng.choice([0.0, 1e-16, 1e-6, 1.0], N))).astype(real)
    bounds = np.abs(right) * rng.choice([0.0, 1e-20, 1e-7, np.inf], N)
    bounds = np.where(np.isnan(bounds), np.inf, bounds)
    lengths = lengths_of(rng.standard_normal((3, N)) * 2.0 ** rng.integers(-1020, 1000, N))
    return answered, rng.random(N) < 0.8, right, bounds, lengths


def test_what_is_told_within_bounds_is_what_exact_ts_tell():
    answered, asked, right, bounds, lengths = answers("float64")
    rough, exactly = (
        t_errors(Rules(), PRECISIONS["float64"], answered, asked, right, known, lengths, is_rough)
        for is_rough, known in ((True, bounds), (False, np.zeros(N)))
    )
    told = rough.told & asked
    assert (told & (bounds > 0)).any()
    assert np.array_equal(rough.wrong[told], exactly.wrong[told])


@pytest.mark.parametrize("real", PRECISIONS)
def test_lengths_and_spacings_hold_over_the_whole_range(real):
    vectors = np.array([[3e300, 3e-310, 0.0, 3.0], [4e300, 4e-310, 0.0, 4.0], np.zeros(4)])
    assert lengths_of(vectors) == pytest.approx([5e300, 5e-310, 0.0, 5.0])
    precision = PRECISIONS[real]
    ts = precision.rounded(np.array([1.0, 3.0, precision.largest, 1e-30]))
    found = precision.spacing(ts)
    assert np.array_equal(found[[0, 1, 3]], np.spacing(ts[[0, 1, 3]].astype(real)).astype(np.float64))
    assert found[2] == 2.0 ** (precision.highest - precision.mantissa_bits)
