"""Tallies: how often and how badly a target differs from the truth, in sums that can be added up in any cut.

A row, one target on the cases of one generator, ends early after so many failures in the order of its seeds. So
that it ends at the same case however its seeds are cut into pieces, every part of a row ends at a failure.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, inf, isnan, nan

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.targets.cases import Cases, Reals
from hitscope.targets.judging.judged import CRASH, KINDS, WRONG_HIT, WRONG_MISS, WRONG_T, Judged, measured
from hitscope.targets.judging.truth import Truth
from hitscope.targets.target import MOST_CRASHES, MOST_HANGS, TargetSpec

MOST_MEASURED = 256
"""The wrong verdicts of a row whose distance is measured beyond the first blocks: the first ones by seed."""
LARGEST_SHARE = 0.99
"""The share of all errors of t that are at most the percentile of a report."""
TIMED_CALLS = 100_000
"""The calls from which on the time of one tells of the target's code."""
MOST_LEAKS = 4
"""The rays of a row that leak which are kept to be shown: the first ones by seed."""
VERDICTS = (WRONG_HIT, WRONG_MISS)
COUNTED = ("cases", "hits", "hangs", "left_out", "not_run", "ts_left_out", "seconds")
SUMS = (*COUNTED, "calls", "counts", "t_distances", "t_ulps")
WORST = ("worst_ulps", "worst_distance", "t_worst_ulps", "t_worst_distance")
"""The fields of a tally that add up, and those of which the larger one counts."""
NONE = np.empty(0)


@dataclass(frozen=True)
class Example:
    """A case of a kind: its seed and numbers, and how wrong it is."""

    seed: int
    numbers: Reals
    distance: float = 0.0
    """In scene units: of a wrong verdict from the other answer, NaN until it is measured; of a wrong t along the
    probe. Infinite where no number says it."""
    ulps: float = 0.0
    """The error in ulps: of a verdict in ulps of the pair, of a t in its own."""
    words: str = ""
    """The event of a crash, in one line."""
    t_enter: float = nan
    """The t that the target answered."""


@dataclass
class Tally:
    """The sums of some cases of a row; those of two tallies of different cases add up."""

    first_seed: int = 0
    cases: int = 0
    """The cases, or of a mesh the rays, that the target was called on."""
    calls: int = 0
    """One for each case, or for each triangle that a ray passes close to."""
    hits: int = 0
    """The number of those that meet, by `exact`."""
    counts: Counter[str] = field(default_factory=Counter)
    """The cases of each of KINDS and of MISSING_T, and the rays that leak."""
    hangs: int = 0
    left_out: int = 0
    not_run: int = 0
    worst_distance: float = 0.0
    """How far a wrong verdict is from the other answer at most, in scene units.

    All of the wrong verdicts in the first blocks (`judged.MEASURED_BLOCKS`) are measured, and of a row's others
    the first MOST_MEASURED, when the campaign ends; until then they are `unmeasured`.
    """
    worst_ulps: float = 0.0
    """The largest error in ulps of the pair."""
    t_worst_distance: float = 0.0
    t_worst_ulps: float = 0.0
    t_distances: Counter[float] = field(default_factory=Counter)
    """The number of errors of t by upper bound: 0, a power of two or inf; in scene units along the probe."""
    t_ulps: Counter[float] = field(default_factory=Counter)
    """The largest error in ulps of the exact t."""
    ts_left_out: int = 0
    """The hits whose t was not judged, because that takes fractions."""
    seconds: float = 0.0
    """The time spent in the target's code."""
    worst: dict[str, Example] = field(default_factory=dict)
    """The worst case of each kind that there is, in ulps as far as they were measured: of equal ones the first."""
    unmeasured: Reals | None = None
    """The numbers of the first wrong verdicts that are to be measured, a row each."""
    leaks: tuple[Example, ...] = ()
    """The first MOST_LEAKS rays that leak."""

    def __add__(self, later: "Tally") -> "Tally":
        """Return the tally of both, of which the other has later seeds."""
        sums = {name: getattr(self, name) + getattr(later, name) for name in SUMS}
        most = {name: max(getattr(self, name), getattr(later, name)) for name in WORST}
        rows = [part for part in (self.unmeasured, later.unmeasured) if part is not None]
        unmeasured = np.concatenate(rows)[:MOST_MEASURED] if rows else None
        both = {kind: (each, later.worst.get(kind, each)) for kind, each in self.worst.items()}
        worst = later.worst | {kind: max(examples, key=_depth) for kind, examples in both.items()}
        leaks = (self.leaks + later.leaks)[:MOST_LEAKS]
        return Tally(self.first_seed, **sums, **most, worst=worst, unmeasured=unmeasured, leaks=leaks)

    @property
    def wrong(self) -> dict[str, int]:
        """The number of findings of each of KINDS."""
        return {kind: self.counts[kind] for kind in KINDS}

    @property
    def examples(self) -> dict[str, Example]:
        """The worst case of each of KINDS."""
        return {kind: self.worst[kind] for kind in KINDS if kind in self.worst}

    @property
    def wrong_verdicts(self) -> int:
        """The number of wrong hits, wrong misses and crashes."""
        return sum(self.wrong[kind] for kind in (*VERDICTS, CRASH))

    def per_million(self, count: int) -> float:
        """Return how many of a million cases a count of them is."""
        return count * 1e6 / self.cases if self.cases else 0.0

    @property
    def ns_per_call(self) -> float | None:
        """The nanoseconds in the target's code a call; None if it was not called."""
        return self.seconds * 1e9 / self.calls if self.calls else None

    @property
    def timed_ns_per_call(self) -> float | None:
        """The nanoseconds a call; None of so few calls that it tells more of what calls the code."""
        return self.ns_per_call if self.calls >= TIMED_CALLS else None


def _depth(example: Example) -> float:
    """How wrong an example is in ulps; less than any where that is not measured yet."""
    return -1.0 if isnan(example.ulps) else example.ulps


def percentile(errors: Counter[float]) -> float | None:
    """Return an upper bound of 99 of 100 errors, the least that the histogram has; None without any."""
    left = ceil(LARGEST_SHARE * errors.total())
    for bound in sorted(errors):
        left -= errors[bound]
        if left <= 0:
            return bound
    return None


@dataclass
class Row:
    """One target on the cases of one generator: its parts in the order of their seeds.

    Each part but the last ends at a failure. What follows too many failures is not run.
    """

    target: TargetSpec
    generator: str
    parts: list[Tally] = field(default_factory=list)

    def add(self, later: Iterable[Tally]) -> None:
        for part in later:
            is_run = not self.ended_early
            counted = part if is_run else Tally(part.first_seed, not_run=part.cases + part.not_run)
            if self.parts and not self.parts[-1].counts[CRASH]:
                self.parts[-1] += counted
            else:
                self.parts.append(counted)

    def finish(self, seeds: range) -> None:
        """Add those of its seeds that are missing at the end as cases that are not run."""
        found = sum(part.cases + part.not_run for part in self.parts)
        if found < len(seeds):
            self.add([Tally(seeds[found], not_run=len(seeds) - found)])

    def measure(self) -> None:
        """Measure what is unmeasured, and the examples."""
        left = MOST_MEASURED
        for part in self.parts:
            if part.unmeasured is not None:
                numbers, part.unmeasured = part.unmeasured[:left], None
                left -= len(numbers)
                self._measure(part, numbers)
            for kind, example in part.worst.items():
                if kind in VERDICTS and isnan(example.distance):
                    distance, ulps = self._measure(part, example.numbers[None])
                    part.worst[kind] = replace(example, distance=distance, ulps=ulps)

    def _measure(self, part: Tally, numbers: Reals) -> tuple[float, float]:
        """Add wrong verdicts to the worst ones of a part; returns how far the worst of them is off."""
        distances, ulps = measured(Truth(Cases(self.target.pair, numbers)), np.arange(len(numbers)))
        worst = _largest(distances), _largest(ulps)
        part.worst_distance, part.worst_ulps = map(max, (part.worst_distance, part.worst_ulps), worst)
        return worst

    @property
    def ended_early(self) -> bool:
        """Whether what follows is not run."""
        crashes, hangs = sum(part.counts[CRASH] for part in self.parts), sum(part.hangs for part in self.parts)
        return crashes >= MOST_CRASHES or hangs >= MOST_HANGS

    @property
    def tally(self) -> Tally:
        return sum(self.parts[1:], self.parts[0]) if self.parts else Tally()


def tallied(judged: Judged, numbers: Reals, seeds: range) -> list[Tally]:
    """Return the tallies of cases, a row of numbers a seed, in their order: all but the last end at a failure."""
    bounds = sorted({0, *(i + 1 for i in judged.answers.failures), len(seeds)})
    return [_tally(judged, numbers, seeds, slice(a, b)) for a, b in pairwise(bounds)]


def _tally(judged: Judged, numbers: Reals, seeds: range, part: slice) -> Tally:
    called = judged.called[part]
    cases = int(np.count_nonzero(called))
    t_distance, t_ulps = _known(part, judged.t_distance, judged.t_ulps)
    distance, ulps = _known(part, judged.distance, judged.ulps)
    tally = Tally(
        first_seed=seeds[part.start],
        cases=cases,
        calls=cases,
        hits=int(np.count_nonzero(judged.hit[part] & called)),
        hangs=sum(failure.hung for i, failure in judged.answers.failures.items() if part.start <= i < part.stop),
        left_out=int(np.count_nonzero(judged.left_out[part])),
        not_run=len(called) - cases,
        worst_distance=_largest(distance),
        worst_ulps=_largest(ulps),
        t_worst_distance=_largest(t_distance),
        t_worst_ulps=_largest(t_ulps),
        t_distances=_histogram(t_distance),
        t_ulps=_histogram(t_ulps),
        ts_left_out=0 if judged.ts_left_out is None else int(np.count_nonzero(judged.ts_left_out[part])),
        seconds=judged.answers.seconds * cases / max(1, int(np.count_nonzero(judged.called))),
    )
    for kind, mask in judged.wrong.items():
        if count := int(np.count_nonzero(mask[part])):
            tally.counts[kind] = count
            _, sizes = sizes_of(judged, kind)
            found = np.flatnonzero(mask[part]) + part.start
            i = 0 if sizes is None else int(np.argmax(np.nan_to_num(sizes[found], posinf=inf)))
            tally.worst[kind] = example_of(judged, kind, numbers, seeds, int(found[i]))
    verdicts = [judged.wrong[kind][part] for kind in VERDICTS if kind in judged.wrong]
    if judged.distance is None and verdicts:
        unmeasured = np.flatnonzero(np.logical_or.reduce(verdicts))[:MOST_MEASURED]
        tally.unmeasured = numbers[part][unmeasured] if len(unmeasured) else None
    return tally


def sizes_of(judged: Judged, kind: str) -> tuple[Array | None, Array | None]:
    """Return how wrong cases of a kind are, in units and in ulps; None of what was not measured."""
    if kind == WRONG_T:
        return judged.t_distance, judged.t_ulps
    return (judged.distance, judged.ulps) if kind in VERDICTS else (None, None)


def example_of(judged: Judged, kind: str, numbers: Reals, seeds: Sequence[int], i: int) -> Example:
    """Return the i-th case as an example of a kind."""
    distance = ulps = 0.0
    if kind in (*VERDICTS, WRONG_T):
        distance, ulps = (nan if size is None else float(size[i]) for size in sizes_of(judged, kind))
    words = judged.answers.failures[i].words if kind == CRASH else ""
    t_enter = float(judged.answers.t_enter[i])
    return Example(seeds[i], numbers[i].copy(), distance, ulps, words, t_enter)


def _known(part: slice, *columns: Array | None) -> list[Array]:
    """Return the numbers of a part of columns where these, which are NaN together or missing, have any."""
    present = [column[part] for column in columns if column is not None]
    if not present:
        return [NONE for _ in columns]
    known = np.flatnonzero(present[0] == present[0])
    return [column[known] for column in present]


def _largest(values: Array) -> float:
    return float(values.max(initial=0.0))


def _histogram(values: Array) -> Counter[float]:
    """Count values by the power of two that is their upper bound."""
    if not len(values):
        return Counter()
    # The exponents as float64 has them in its bits, rounded up: 0 is that of zero alone, 2047 that of infinity.
    exponents = (values.view(np.int64) + (2**52 - 1)) >> 52
    counts = np.bincount(exponents)
    found = np.flatnonzero(counts)
    bounds = (0.0 if e == 0 else inf if e == 2047 else 2.0 ** (e - 1023) for e in found.tolist())
    return Counter(dict(zip(bounds, counts[found].tolist(), strict=True)))
