"""The cases that tell right variants of a function from wrong ones, and what counts as right on each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array, width
from hitscope.geometry.kinds import KINDS, Scale
from hitscope.geometry.shapes import ENDLESS
from hitscope.judge.drawing import BLOCK, draw
from hitscope.targets.cases import Cases, Reals, kinds
from hitscope.targets.judging.judged import measured
from hitscope.targets.judging.rules import Rules, meeting
from hitscope.targets.judging.truth import Indices, Mask, Truth
from hitscope.targets.target import HIT, MISS, OUTSIDE

ROUNDING_ULPS = 32.0
"""The ulps of a pair up to which a verdict may be wrong by rounding alone."""
ROTATED_ULPS = 1024.0
"""These ulps where axes are at right angles but for rounding, by as much as functions allow."""
RIGHT_ANGLE_ULPS = 48
"""How many ulps of 1 the products of axes at right angles are off."""
GENERAL = ("uniform", "log_uniform", "engine")
"""The generators whose cases no function may leave out."""
T_TOLERANCE = {"float64": 1e-9, "float32": 1e-3}
"""How far a t may be off by rounding alone, as a part of its size or of 1, whichever is larger."""
MOST_FRACTIONS = 3000
"""The most ts that are computed in fractions, a thousand a second: of other cases the verdict alone is asked."""


@dataclass(frozen=True, eq=False)
class Sample:
    """n cases, and what a function has to answer to each."""

    cases: Cases
    generators: Indices
    """(n,): the place of each case's generator."""
    hit: Mask
    """By exact geometry."""
    may_hit: Mask
    """Whether a hit is right under the boundary of the rules."""
    may_miss: Mask
    t_enter: Array
    """The exact t of a hit; NaN where any will do."""
    is_special: Mask
    """Whether a function may leave out a case, which no search must find for all others."""

    def __len__(self) -> int:
        return len(self.cases)

    def __getitem__(self, places: Indices) -> "Sample":
        """Return some of the cases."""
        columns = {name: column[places] for name, column in vars(self).items() if name != "cases"}
        return Sample(Cases(self.cases.pair, np.ascontiguousarray(self.cases.numbers[places])), **columns)

    def wrong(self, hit: NDArray[np.int8], t_enter: Reals, with_t: bool) -> Mask:
        """Return which answers (..., n) are wrong, beyond what rounding does to a t."""
        right: Mask = ((hit == HIT) & self.may_hit) | ((hit == MISS) & self.may_miss)
        if with_t:
            right &= (hit != HIT) | self.is_near(t_enter, self.t_enter)
        wrong: Mask = ~(right | ((hit == OUTSIDE) & self.is_special))
        return wrong

    def is_near(self, t_enter: Reals, right: Array) -> Mask:
        """Return which ts (..., n) are others but for rounding, of which NaN stands for any."""
        tolerance = T_TOLERANCE[self.cases.numbers.dtype.name] * np.maximum(1.0, np.abs(right))
        with np.errstate(invalid="ignore"):
            near: Mask = (np.abs(t_enter - right) <= tolerance) | np.isnan(right)
        return near

    @property
    def is_moderate(self) -> Mask:
        """Which cases no product of three numbers takes out of range, and have right angles, as nearly all do."""
        largest = np.finfo(self.cases.numbers.dtype).max ** 0.25
        size = np.abs(self.cases.numbers)
        moderate: Mask = np.all((size == 0) | ((size < largest) & (size > 1 / largest)) | np.isnan(size), axis=1)
        probe, primitive = kinds(self.cases.pair)
        for kind, first in ((probe, 0), (primitive, width(probe))):
            if Scale.AXIS in KINDS[kind].scales.values():
                axes = self.cases.rows[first + 6 : first + 15].reshape(3, 3, -1)
                skew = np.abs(np.einsum("ikn,jkn->ijn", axes, axes) - np.eye(3)[..., None])
                moderate &= skew.max(axis=(0, 1)) <= RIGHT_ANGLE_ULPS * np.finfo(self.cases.numbers.dtype).eps
        return moderate

    def has_rough_t(self, ulps: float) -> Mask:
        """Return which cases have a t that so many ulps of the largest number take out of its tolerance."""
        rows, real = self.cases.rows, np.finfo(self.cases.numbers.dtype)
        is_endless = kinds(self.cases.pair)[0] in ENDLESS
        length = np.abs(rows[3:6] if is_endless else rows[3:6] - rows[:3]).max(axis=0)
        rough: Mask = ulps * real.eps * np.nanmax(np.abs(rows), axis=0) > T_TOLERANCE[real.dtype.name] * length
        return rough

    def depth(self, places: Indices) -> Array:
        """Return how many ulps some cases are from the other answer."""
        return measured(Truth(self[places].cases), np.arange(len(places)))[1]


def sample_of(
    cases: Cases,
    generators: Indices,
    is_special: Mask,
    rules: Rules,
    with_t: bool,
    most_fractions: int = MOST_FRACTIONS,
) -> Sample:
    """Return cases with what is right of them under some rules."""
    truth, real = Truth(cases), cases.numbers.dtype
    hit, may_miss = truth.hit, ~truth.hit
    if rules.boundary != "closed":
        meeting = np.flatnonzero(hit)
        touching = meeting[truth.only_touches(meeting)]
        may_miss[touching] = True
        hit = hit.copy()
        hit[touching] = rules.boundary == "either"
    t_enter = np.full(len(cases), np.nan)
    if with_t and truth.has_t:
        meeting = np.flatnonzero(truth.hit)
        ts, errors = (column[meeting].copy() for column in truth.entries)
        unknown = np.flatnonzero(~(errors <= T_TOLERANCE[real.name] * np.maximum(1, np.abs(ts)) / 4))
        ts[unknown] = np.nan
        exact = unknown[:: 1 + len(unknown) // most_fractions]
        ts[exact] = truth.exact_ts(meeting[exact])
        t_enter[meeting] = np.where(np.isfinite(ts) & (np.abs(ts) < np.finfo(real).max), ts, np.nan)
    return Sample(cases, generators, truth.hit, hit, may_miss, t_enter, is_special)


def drawn(
    names: Sequence[str], pair: str, real: str, seeds: range, own: Cases | None, require: Sequence[str] = ()
) -> tuple[Cases, Indices]:
    """Draw cases that meet preconditions, behind the user's own; the places of generators are -1 for these."""
    parts = [] if own is None else [own.numbers]
    for name in names:
        blocks = range(seeds.start // BLOCK, (seeds.stop - 1) // BLOCK + 1)
        found = (draw(name, pair, block, real, min(BLOCK, seeds.stop - block * BLOCK)) for block in blocks)
        numbers = np.concatenate([cases.numbers for cases in found])
        parts.append(numbers[seeds.start - blocks.start * BLOCK :])
    places = np.repeat(np.arange(len(parts)) - (own is not None), list(map(len, parts)))
    cases = Cases(pair, np.ascontiguousarray(np.concatenate(parts)))
    met = meeting(cases, require)
    return Cases(pair, np.ascontiguousarray(cases.numbers[met])), places[met]


def spread(sample: Sample, places: Indices, most: int, of_each: int) -> Indices:
    """Choose some cases among places, of each generator and verdict, the first ones."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for place in places.tolist():
        groups.setdefault((int(sample.generators[place]), bool(sample.hit[place])), []).append(place)
    chosen = [group[rank] for rank in range(of_each) for group in groups.values() if len(group) > rank]
    return np.array(sorted(chosen[:most]), np.intp)
