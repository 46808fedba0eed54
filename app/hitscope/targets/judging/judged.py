"""A target's answers against the truth: what is wrong in each case, by how much, and what does not count.

What takes long is not done for all of the cases of a long campaign. Cases of the first MEASURED_BLOCKS blocks on
either side of seed 0 get everything. In those of later blocks the distance of a wrong verdict is not measured, the
error of a t may be known within a factor of two only, and a t or normal that takes fractions is judged if its seed
is a multiple of SAMPLED. This depends on seeds alone, so that no cut of a campaign changes its outcome.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.targets.cases import BLOCK, Reals
from hitscope.targets.judging.precisions import PRECISIONS, Precision
from hitscope.targets.judging.rules import Rules
from hitscope.targets.judging.truth import Indices, Mask, Truth
from hitscope.targets.target import FAILED, HIT, MISS, NOT_CALLED, OUTSIDE, Answers


class TErrors(NamedTuple):
    """The errors of n ts; NaN where there is none to judge, or where the exact t is not known well enough."""

    told: Mask
    """Whether the exact t is known as well as it takes, or is not asked for."""
    wrong: Mask
    units: Array
    """In scene units along the probe."""
    ulps: Array
    """In ulps of the exact t."""


@np.errstate(all="ignore")
def t_errors(
    rules: Rules,
    precision: Precision,
    answered: Reals,
    asked: Mask,
    right: Array,
    bounds: Array,
    lengths: Array,
    is_rough: bool = False,
) -> TErrors:
    """Return the errors of those of n answered ts that are `asked` for, of probes of some lengths.

    They enter at `right`, which is off by at most `bounds`: infinite where that is unknown, 0 where it is right
    within an ulp. A probe that enters at -inf has no t, so that any will do. Where it is rough, it will do to know
    which ts are wrong, and errors within a factor of two or an ulp.
    """
    ts = precision.clipped(answered.astype(np.float64))

    def in_both(errors: Array, ts: Array) -> tuple[Array, Array]:
        units = np.where((errors == 0) | (lengths == 0), 0.0, errors * lengths)
        return np.fmin(units, np.inf), np.fmin(errors / precision.spacing(ts), np.inf)  # also of NaN

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
    wrong = is_judged & are_wrong(units, ulps)
    return TErrors(told | ~asked, wrong, *(np.where(is_judged, errors, np.nan) for errors in (units, ulps)))


WRONG_HIT, WRONG_MISS, CRASH = "wrong hit", "wrong miss", "crash"
WRONG_T, WRONG_NORMAL = "wrong t", "wrong normal"
KINDS = (WRONG_HIT, WRONG_MISS, CRASH, WRONG_T, WRONG_NORMAL)
MISSING_T = "missing t"
"""A hit without a t, which may be left unsaid: it is counted, and no error."""
MEASURED_BLOCKS = 2
"""The blocks on either side of seed 0 in which everything is measured."""
SAMPLED = 256
"""In other blocks, what takes fractions beside the verdict is computed for one of so many seeds."""


@dataclass
class Judged:
    """The outcomes of a target in n cases; every array is (n,), and a number is NaN where there is none."""

    answers: Answers
    hit: Mask
    """By exact geometry, under the boundary of the rules."""
    called: Mask
    left_out: Mask
    """Neither right nor wrong: outside the target's contract, on the boundary, or within the slack."""
    wrong: dict[str, Mask] = field(default_factory=dict)
    """By kind, and by MISSING_T; a kind without a case may be left out."""
    distance: Array | None = None
    """How far a wrong verdict is from the other answer, in scene units; None if none was measured."""
    ulps: Array | None = None
    """The error in ulps of the pair."""
    t_distance: Array | None = None
    """The error of t along the probe, in scene units; None without any t."""
    t_ulps: Array | None = None
    """The error in ulps of the exact t."""
    ts_left_out: Mask | None = None
    """Whose t was not judged; None if none."""

    def mark(self, kind: str, indices: Indices) -> None:
        if len(indices):
            mask = self.wrong[kind] = np.zeros(len(self.hit), np.bool_)
            mask[indices] = True


def judged(truth: Truth, answers: Answers, rules: Rules, seeds: range | None = None) -> Judged:
    """Compare answers with the truth under some rules; everything is measured, or what those `seeds` call for."""
    hit = truth.hit
    if rules.boundary == "open":
        meeting = np.flatnonzero(hit)
        hit = hit.copy()
        hit[meeting] = ~truth.only_touches(meeting)
    said = answers.hit == HIT
    left_out = answers.hit == OUTSIDE
    found = Judged(answers, hit, answers.hit != NOT_CALLED, left_out)
    if (failed := answers.hit == FAILED).any():
        found.wrong[CRASH] = failed
    differs = np.flatnonzero((said != hit) & (said | (answers.hit == MISS)))
    if len(differs):
        _judge_verdicts(found, truth, rules, differs, is_measured=seeds is None or all_measured(seeds))
    if truth.has_t:
        _judge_ts(found, truth, rules, seeds)
    return found


def all_measured(seeds: range) -> bool:
    """Whether everything is measured on cases of a block: those with these seeds."""
    return abs(seeds.start // BLOCK) < MEASURED_BLOCKS


def _judge_verdicts(found: Judged, truth: Truth, rules: Rules, differs: Indices, is_measured: bool) -> None:
    excused = np.zeros(len(differs), np.bool_)
    distance = ulps = np.full(len(differs), np.nan)
    if is_measured or rules.slack:
        distance, ulps = measured(truth, differs)
    if rules.slack:
        excused |= ulps <= rules.slack
    if rules.boundary == "either":
        closed = np.flatnonzero(truth.hit[differs] & ~excused)
        excused[closed] = truth.only_touches(differs[closed])
    found.left_out[differs[excused]] = True
    counted = differs[~excused]
    claims = found.answers.hit[counted] == HIT
    found.mark(WRONG_HIT, counted[claims])
    found.mark(WRONG_MISS, counted[~claims])
    if is_measured or rules.slack:
        found.distance, found.ulps = np.full((2, len(found.hit)), np.nan)
        found.distance[counted], found.ulps[counted] = distance[~excused], ulps[~excused]


def measured(truth: Truth, indices: Indices) -> tuple[Array, Array]:
    """Return how far some pairs are from the other answer, in units and in ulps: inf where no number says it."""
    distance = truth.distance(indices)
    with np.errstate(over="ignore"):
        return distance, distance / truth.ulps(indices)


def _judge_ts(found: Judged, truth: Truth, rules: Rules, seeds: range | None) -> None:
    """Judge the ts of hits; without fractions in blocks where not everything is measured, but for some seeds."""
    answers = found.answers
    is_rough = not (seeds is None or all_measured(seeds))

    def chosen(indices: Indices) -> Indices:
        """Return those of some cases on which fractions are spent."""
        first = seeds.start % SAMPLED if seeds is not None else 0
        return indices[(first + indices) % SAMPLED == 0] if is_rough else indices

    both = (answers.hit == HIT) & truth.hit
    has_t = ~np.isnan(answers.t_enter)
    missing = np.flatnonzero(both & ~has_t)
    found.mark(MISSING_T, missing[truth.enters(missing, chosen)])
    precision = PRECISIONS[answers.t_enter.dtype.name]
    lengths, asked = truth.lengths, both & has_t
    errors = t_errors(rules, precision, answers.t_enter, asked, *truth.entries, lengths, is_rough)
    if not errors.told.all():
        known = chosen(np.flatnonzero(~errors.told))
        exactly = truth.exact_ts(known), np.zeros(len(known))
        of_known = t_errors(rules, precision, answers.t_enter[known], asked[known], *exactly, lengths[known])
        for values, right in zip(errors, of_known, strict=True):
            values[known] = right
        found.ts_left_out = None if errors.told.all() else ~errors.told
    if asked.any():
        found.t_distance, found.t_ulps = errors.units, errors.ulps
    if errors.wrong.any():
        found.wrong[WRONG_T] = errors.wrong
    if answers.normal is not None:
        with_normal = both & ~np.isnan(answers.normal).all(axis=1)
        indices = chosen(np.flatnonzero(with_normal))
        is_wrong = [not truth.is_entry_normal(i, answers.normal[i].astype(np.float64)) for i in indices.tolist()]
        found.mark(WRONG_NORMAL, indices[np.array(is_wrong, np.bool_)])
