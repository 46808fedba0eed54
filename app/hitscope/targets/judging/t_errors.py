"""How far the ts that a target answers are off, where the exact ones are known as well as it takes.

An error that no number says, of an infinite t or beyond float64, is infinite.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array
from hitscope.targets.cases import Reals
from hitscope.targets.judging.precisions import Precision, powers_of_two_in
from hitscope.targets.judging.rules import Rules

Mask = NDArray[np.bool_]


class TErrors(NamedTuple):
    """The errors of n ts; NaN where there is none to judge, or where the exact t is not known well enough."""

    told: Mask
    """Whether the exact t is known as well as it takes, or is not asked for."""
    wrong: Mask
    """Whether the error is beyond the tolerance."""
    units: Array
    """In scene units along the probe."""
    ulps: Array
    """In ulps of the exact t."""


class Question(NamedTuple):
    """The question that the errors depend on beside numbers."""

    rules: Rules
    is_endless: bool
    """Whether a probe is an origin and a direction, not two ends."""
    is_rough: bool
    """Whether it will do to know which ts are wrong, and errors within a factor of two or an ulp."""
    precision: Precision


@np.errstate(all="ignore")
def t_errors(
    question: Question, answered: Reals, asked: Mask, right: Array, bounds: Array, probes: Array
) -> TErrors:
    """Return the errors of those of n answered ts that are `asked` for, of linear probes (6, n).

    They enter at `right`, which is off by at most `bounds`: infinite where that is unknown, 0 where it is right
    within an ulp. A probe that enters at -inf has no t, so that any will do.
    """
    rules, is_endless, is_rough, precision = question
    ts, lengths = precision.clipped(answered.astype(np.float64)), lengths_of(probes, is_endless)

    def in_both(errors: Array, ts: Array) -> tuple[Array, Array]:
        stays = (errors == 0) | (lengths == 0)
        return _bounded(np.where(stays, 0.0, errors * lengths)), _bounded(errors / spacing(ts, precision))

    def are_wrong(units: Array, ulps: Array) -> Mask:
        wrong: Mask = (ulps > rules.t_ulps) & (units > rules.t_distance)
        return wrong

    def errors_of(right: Array) -> Array:
        errors = np.abs(ts - right)
        return np.where((np.abs(answered) > precision.largest) & (errors > bounds), np.inf, errors)

    told = bounds == 0
    if is_rough:
        error, size = errors_of(right), np.abs(right)
        least = in_both(np.fmax(0.0, error - bounds), precision.clipped(size + bounds))
        most = in_both(error + bounds, precision.clipped(size - bounds))
        is_close = most[1] <= np.fmax(1.0, 2 * least[1])
        in_range = (bounds <= size) & (size <= precision.largest)
        told = told | (are_wrong(*least) == are_wrong(*most)) & is_close & in_range
    known = precision.clipped(right)
    units, ulps = in_both(errors_of(known), known)
    is_judged = asked & told & (right > -np.inf)
    return TErrors(
        told | ~asked,
        is_judged & are_wrong(units, ulps),
        np.where(is_judged, units, np.nan),
        np.where(is_judged, ulps, np.nan),
    )


def lengths_of(probes: Array, is_endless: bool) -> Array:
    """Return the lengths of directions, or between the ends of segments."""
    vectors = probes[3:] if is_endless else probes[3:] - probes[:3]
    scale = np.clip(powers_of_two_in(np.abs(vectors).max(axis=0)), 2.0**-1022, 2.0**1022)
    x, y, z = vectors / scale
    lengths: Array = np.sqrt(x * x + y * y + z * z) * scale
    return lengths


def spacing(ts: Array, precision: Precision) -> Array:
    """Return the ulps of ts; that of zero is half the spacing of the numbers around 1."""
    return np.where(ts == 0, 2.0 ** (-precision.mantissa_bits - 1), precision.ulps(precision.rounded(ts)))


def _bounded(errors: Array) -> Array:
    return np.where(errors < np.inf, errors, np.inf)
