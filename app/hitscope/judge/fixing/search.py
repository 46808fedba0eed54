"""The search for the edits of a wrong function that make it right, and their proof on new cases.

The function's wrong cases are parted first: those that rounding alone makes wrong tell nothing. Edits of what a
wrong case runs are tried on few cases, those that are right there on more, and those that are right there on the
whole campaign and on new cases. Where no edit is left, two are tried together, and lines are ranked by how much an
edit of them helps, and by how much more often wrong cases run them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import cache
from itertools import groupby
from math import inf, log, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import msgspec
import numpy as np

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.geometry import threads
from hitscope.judge.campaign import Campaign
from hitscope.judge.drawing import BLOCK, GENERATORS
from hitscope.judge.fixing.edits import DECLINES, NO_EDIT, Edit, Place, declining_of, edits_of, novelty, places_of
from hitscope.judge.fixing.sample import GENERAL, ROTATED_ULPS, ROUNDING_ULPS, Sample, drawn, sample_of, spread
from hitscope.judge.fixing.syntax import PYTHON, Source, source_of
from hitscope.judge.fixing.variant_texts import variants_of
from hitscope.targets.calls import OpenTarget
from hitscope.targets.cases import Cases, fields, kinds
from hitscope.targets.fixes import Fix, Fixes, Suspect, keep
from hitscope.targets.judging.truth import Indices, Mask
from hitscope.targets.process import open_target
from hitscope.targets.runners.variants import MOST_VARIANTS, variants_file
from hitscope.targets.target import FAILED, HIT, OUTSIDE, Answers, TargetSpec

PROOF_CASES = 200_000
"""The new cases, at least, that a fix is right on."""
PROOF_BLOCK = 1 << 16
"""The first block of new cases, beyond those of a campaign."""
SECONDS = 30.0
"""The time that a search may take, the proof not counted."""
MOST_WRONG, MOST_RIGHT = 48, 72
"""The cases that every edit is tried on: those that the function is wrong on, and those that it is right on."""
SOME = 4
"""Every so many-th of these, of few wrong ones each, tells which edits are tried on the others."""
OF_EACH = 6
"""The most of these of each generator and verdict."""
MOST_CANDIDATES = 48
"""The edits that are tried on more cases."""
MORE = 800
"""The most of these that the function is wrong on, and that it is right on."""
MOST_LEFT = 8
"""The most edits that are tried on all cases."""
MOST_PROVEN = 3
"""The fixes that are proven."""
FIRST_PROOF = 512
"""The new cases of each generator that a fix is tried on before all others."""
MOST_UNROUNDED = 300
"""The cases of a function or of an edit that are run without rounding."""
FIRST_COST = 2
"""The largest cost of the edits that are tried first, and alone if one of them makes a function right."""
WHOLE_COST = 4
"""The largest cost of the edits that are tried on all lines before those that cost more are on one."""
MOST_AT_ONCE = 3000
"""The most of the others that are tried before one that makes a function right ends the search."""
FIRST_EDITS = 8
"""The edits, each the best of its line, that are tried with a second one: they put only wrong cases right."""
VARIANT_SECONDS = 3.0
"""The time after which a call of a variant counts as one without an end."""
NEARER = 64
"""How many times nearer a t in a wider type is, at least, that is wrong by rounding alone."""
ALIKE = 1.5
"""Fixes whose wrong cases by rounding differ by less than this factor are as good: the smaller one is first."""
MOST_CALLS = 400_000
"""The most calls of variants at once."""
LEAST_CALLS, LEAST_CALLS_IN_C = 2000, 50_000
"""The calls from which another process is worth its start, in C with what it compiles."""
MOST_EVADED = 0.02
"""The share of general cases that a function may leave out, as they are degenerate by chance."""
MOST_SUSPECTS = 5
MOST_HANGS = 16


@dataclass(eq=False)
class _Candidate:
    """An edit of a source, which may have one already, and what it does on the cases that it was tried on."""

    source: Source
    edit: Edit
    first: tuple[Edit, ...] = ()
    """The edits that the source has already."""
    wrong: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))
    """The cases among the few that it is wrong on, where it was tried on all of them."""
    left: int = 0
    """The wrong cases that stay wrong."""
    left_out: int = 0
    """The cases that it leaves out."""
    is_evasive: bool = False
    """Whether it leaves out more cases of general generators than those that are degenerate by chance."""
    broken: int = 0
    """The right cases that become wrong."""
    rounded: int = 0
    """The cases that are wrong by rounding alone."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        return *self.first, self.edit

    @property
    def text(self) -> bytes:
        return self.edit.of(self.source.text)

    @property
    def order(self) -> tuple[float, int, int]:
        rounded = round(log(1 + self.rounded + self.left_out, ALIKE) / 2)
        cost = sum(edit.cost for edit in self.edits) + novelty(self.source.text, self.text)
        return rounded, cost, sum(len(part.text) for edit in self.edits for part in edit.parts)


@dataclass
class _Lane:
    """A process that calls variants, and the folder that it reads them from."""

    folder: Path
    files: int = 0
    target: OpenTarget | None = None


def find_fixes(
    campaign: Campaign,
    seconds: float = SECONDS,
    proof_cases: int = PROOF_CASES,
    advance: Callable[[str], object] = lambda words: None,
    stops: Callable[[], bool] = lambda: False,
) -> Fixes:
    """Search for edits of the source of a campaign's first target that make it right on all cases, and prove them.

    A proof takes at least so many new cases. `advance` is called with what is done now. As soon as `stops` is true
    the search ends with what it has. Raises HitscopeError for a target that has no source to edit.
    """
    search = _Search(campaign, seconds, proof_cases, advance, stops)
    found = search.run()
    if not stops():
        keep(found, search.source.text, search.source.function, search.spec.pair)
    return found


def fixable(spec: TargetSpec) -> tuple[Path, Source]:
    """Return the file of a target, and its function; raises HitscopeError where there are no edits for it."""
    target = spec.code
    if target.kind not in ("c_source", "python_function"):
        raise HitscopeError(f"{spec.given}: expected a function in Python, C or C++ to fix, found another target")
    if spec.batch:
        raise HitscopeError(f"{spec.given}: expected a function of one pair to fix, found one with --batch")
    path = target.file.resolve()
    return path, source_of(path.read_bytes() if path.exists() else b"", str(path), target.function)


class _Stopped(Exception):  # noqa: N818 - the user's wish
    """Ends a search, in whatever process it waits for."""


@dataclass(eq=False)
class _Search:
    campaign: Campaign
    seconds: float
    proof_cases: int
    advance: Callable[[str], object]
    stops: Callable[[], bool]

    def __post_init__(self) -> None:
        self.spec, self.rules = self.campaign.targets[0], self.campaign.rules
        self.path, self.source = fixable(self.spec)
        self.deadline = monotonic() + self.seconds
        self.tried, self.total = list[_Candidate](), 0
        self.places, self.runs = list[Place](), np.zeros((0, 0), np.bool_)
        self.lanes, self.opened = list[_Lane](), ExitStack()
        self.whole_share: float | None = None
        self.is_special = np.array([name not in GENERAL for name in self.campaign.drawn] + [False])
        """Whether a function may leave out the cases of each generator; not of the user's own, the last ones."""
        self.members = [field.name for kind in kinds(self.spec.pair) for field in fields(kind)]
        self.with_t = True
        self.is_rotated = "axes" in self.members
        """Whether a shape has axes that are at right angles but for rounding, which no run without it helps."""
        self.rounding_ulps = ROTATED_ULPS if self.is_rotated else ROUNDING_ULPS

    def run(self) -> Fixes:
        try:
            with self.opened:
                folder = Path(self.opened.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
                self.lanes = [_Lane(folder / str(k)) for k in range(threads.count())]
                for lane in self.lanes:
                    lane.folder.mkdir()
                return self._found()
        except _Stopped:
            return Fixes(ended_early=True)

    def _found(self) -> Fixes:
        self.advance("judging it")
        sample, answers = self._judged()
        self.with_t = bool((~np.isnan(answers.t_enter[answers.hit == HIT])).any())
        wrong = np.flatnonzero(sample.wrong(answers.hit, answers.t_enter, self.with_t))
        logic = wrong
        for _ in range(2):  # where some stand for all, most that these stand for may be wrong by rounding
            logic = logic[self._by_logic([_Candidate(self.source, NO_EDIT)], sample, [logic])[0]]
            if len(wrong) < 2 * MOST_UNROUNDED:
                break
        rounding = len(wrong) - len(logic)
        if not len(logic):
            return Fixes(0, rounding)
        right = np.setdiff1d(np.arange(len(sample)), wrong)
        bad = self._telling(sample, answers, logic, MOST_WRONG)
        good = self._telling(sample, answers, right, MOST_RIGHT)
        few = sample[np.concatenate([bad, good])]
        more = sample[np.concatenate([part[:: 1 + len(part) // MORE] for part in (wrong, right)])]
        fixes, last = list[Fix](), list[_Candidate]()
        with suppress(_Stopped):
            for candidates in self._choices(few, len(bad)):
                whole = self._whole(candidates, few, more)
                doubtful = [found for found in whole if self._is_doubtful(found)]
                last += doubtful
                best = [found for found in whole if found not in doubtful] if candidates else last
                proven, fresh = self._proven(best, sample)
                fixes += [self._fix(found, len(logic), len(sample), fresh) for found in proven]
                if fixes:
                    break
        suspects = () if fixes else tuple(self._suspected(len(bad))[:MOST_SUSPECTS])
        return Fixes(len(logic), rounding, self.total, tuple(fixes), suspects, self.is_over)

    @property
    def is_over(self) -> bool:
        """Whether there is no more time to try edits."""
        return monotonic() > self.deadline or self.stops()

    def _is_doubtful(self, found: _Candidate) -> bool:
        """Whether an edit may be right only since it leaves out more cases: it changes which these are."""
        return found.left_out > 0 and any(
            DECLINES.search(part.text)
            or any(start <= part.end and part.start <= end for start, end in declining_of(found.source))
            for part in found.edit.parts
        )

    def _choices(self, few: Sample, wrong: int) -> Iterator[list[_Candidate]]:
        """Yield edits, then none, then two together, as they are on few cases, the first of which are wrong."""
        self._run_places(few)
        edits = _run(edits_of(self.source, self.members), self.places, np.any(self.runs[:, :wrong], axis=1))
        for alike in self._in_order(edits, wrong):
            candidates = [_Candidate(self.source, edit) for edit in alike]
            self.advance(f"trying {len(candidates):,} edits")
            found = self._tried(candidates, few, wrong)
            self.tried += found
            yield found
        yield []  # no edit is left that answers all that the function answers
        helpful = [found for found in self.tried if len(found.wrong) and not found.broken]
        helpful.sort(key=lambda found: (found.left, found.edit.cost))
        for first in self._one_a_line(found for found in helpful if found.left < wrong)[:FIRST_EDITS]:
            if self.is_over:
                return
            source = source_of(first.text, str(self.path), self.source.function)
            candidates = [_Candidate(source, edit, first.edits) for edit in edits_of(source, self.members)]
            self.advance(f"trying {len(candidates):,} edits beside another")
            yield self._tried(candidates, few, wrong)

    def _in_order(self, edits: Sequence[Edit], wrong: int) -> Iterator[Sequence[Edit]]:
        """Yield the edits of small cost, then parts of the others, those of the lines first that are suspected."""
        costly = list[Edit]()
        for cost, alike in groupby(edits, key=lambda edit: max(FIRST_COST, edit.cost)):
            if cost <= WHOLE_COST:
                yield list(alike)
            else:
                costly += alike
        suspicion = {suspect.line: suspect.suspicion for suspect in self._suspected(wrong)}
        costly.sort(key=lambda edit: (edit.cost, -suspicion.get(self._line_at(edit), 0.0)))
        for first in range(0, len(costly), MOST_AT_ONCE):
            yield costly[first : first + MOST_AT_ONCE]

    def _line_at(self, edit: Edit) -> int:
        """Return the line of the statement that an edit changes, or that it puts something behind."""
        return self.source.text.count(b"\n", 0, edit.first) + 1

    def _run_places(self, few: Sample) -> None:
        """Find the statements of the source, and which of few cases run each (statements, cases)."""
        self.places, m = places_of(self.source), len(few)
        candidates, n = [_Candidate(self.source, place.stop) for place in self.places], len(self.places)
        answers = self._called(candidates, np.repeat(np.arange(n), m), np.tile(np.arange(m), n), few)
        self.runs = (answers.hit == FAILED).reshape(n, m)

    def _telling(self, sample: Sample, answers: Answers, places: Indices, most: int) -> Indices:
        """Choose some cases among places on which an edit is hardly wrong because of rounding.

        They are far from the other answer, and a wider type changes nothing of what the function says of them.
        """
        chosen = spread(sample, places, 4 * most, 4 * OF_EACH)
        wide = self._called([_Candidate(self.source, NO_EDIT)], np.zeros_like(chosen), chosen, sample, "wide")
        part, hit, t_enter = sample[chosen], answers.hit[chosen], answers.t_enter[chosen]
        is_alike = (wide.hit == hit) & part.is_near(wide.t_enter, t_enter)
        is_far = part.depth(np.arange(len(part))) > self.rounding_ulps
        telling = chosen[(is_alike | (wide.hit == FAILED)) & is_far]
        return spread(sample, telling if len(telling) >= most // 4 else chosen, most, OF_EACH)

    def _judged(self) -> tuple[Sample, Answers]:
        """Return the cases of the campaign, and what the function answers to them."""
        names, seeds, own = self.campaign.drawn, self.campaign.seeds, self.campaign.own
        cases, places = drawn(names, self.spec.pair, self.spec.real, seeds, own, self.rules.require)
        with progress.reporting_to(self._go_on), open_target(self.spec) as target:
            answers = target.answer(cases, most_crashes=len(cases), most_hangs=3)
        called = np.flatnonzero(answers.hit != OUTSIDE)
        sample = sample_of(cases, places, self.is_special[places], self.rules, with_t=True)[called]
        return sample, Answers(answers.hit[called], answers.t_enter[called])

    def _tried(self, candidates: list[_Candidate], few: Sample, wrong: int) -> list[_Candidate]:
        """Return the candidates with what each does on cases, of which the function is wrong on the first ones."""
        found, hopeful = list[_Candidate](), candidates
        if self.source.language is PYTHON:  # where calls take longer than compiling
            hopeful = []
            step = max(1, min(SOME, wrong // SOME))
            bad, good = np.arange(0, wrong, step), np.arange(wrong, len(few), SOME)
            some = few[np.concatenate([bad, good])]
            for candidate, (is_wrong, _) in zip(candidates, self._wrong_of(candidates, some), strict=False):
                candidate.left = min(wrong, step * int(is_wrong[: len(bad)].sum()))
                candidate.broken = SOME * int(is_wrong[len(bad) :].sum())
                (hopeful if np.count_nonzero(is_wrong) <= len(bad) else found).append(candidate)
        for candidate, (is_wrong, _) in zip(hopeful, self._wrong_of(hopeful, few), strict=False):
            candidate.wrong = is_wrong
            candidate.left, candidate.broken = int(is_wrong[:wrong].sum()), int(is_wrong[wrong:].sum())
            found.append(candidate)
        self.total += len(found)
        return found

    def _whole(self, tried: Iterable[_Candidate], few: Sample, more: Sample) -> list[_Candidate]:
        """Return the candidates that are right on more cases but for rounding, the best first."""
        most = len(few) // 4
        hopeful = [found for found in tried if len(found.wrong) and found.left + found.broken <= most]
        hopeful.sort(key=lambda found: (found.left + found.broken, found.edit.cost))
        wrong = [np.flatnonzero(found.wrong) for found in hopeful[: 4 * MOST_CANDIDATES]]
        by_logic = self._by_logic(hopeful[: len(wrong)], few, wrong)
        near = [found for found, mask in zip(hopeful, by_logic, strict=False) if not mask.any()]
        return sorted(self._without_logic(near[:MOST_CANDIDATES], more), key=lambda found: found.order)

    def _without_logic(self, candidates: list[_Candidate], sample: Sample) -> list[_Candidate]:
        """Return the candidates that are right but for rounding, with the cases that this makes wrong."""
        wrong = []
        for candidate, (is_wrong, left_out) in zip(candidates, self._wrong_of(candidates, sample), strict=False):
            wrong.append(np.flatnonzero(is_wrong))
            candidate.rounded, candidate.left_out = len(wrong[-1]), left_out
        by_logic = self._by_logic(candidates[: len(wrong)], sample, wrong)
        return [found for found, mask in zip(candidates, by_logic, strict=False) if not mask.any()]

    def _by_logic(self, candidates: Sequence[_Candidate], sample: Sample, wrong: Sequence[Indices]) -> list[Mask]:
        """Return on which of its wrong cases each is wrong without rounding, too; of many, some stand for all.

        Where a function cannot be called so, these are the cases that are far from the other answer, and on which
        it is not right in a wider type. If it is wrong on none of them, they are those of whole numbers, on which
        an edit has to be right twice as often.
        """
        steps = [max(1, len(places) // MOST_UNROUNDED) for places in wrong]
        asked = [places[::step] for places, step in zip(wrong, steps, strict=True)]
        places = np.concatenate([*asked, np.empty(0, np.intp)])
        if not len(places):
            return [np.zeros(0, np.bool_) for _ in wrong]
        variants = np.repeat(np.arange(len(asked)), list(map(len, asked)))
        part, unknown, is_wrong = sample[places], np.arange(len(places)), np.zeros(len(places), np.bool_)
        is_evasive = np.array([candidate.is_evasive for candidate in candidates])[variants]
        if self.source.language is PYTHON and not self.is_rotated:
            answers = self._called(candidates, variants, places, sample, "unrounded")
            is_wrong = part.wrong(answers.hit, answers.t_enter, self.with_t)
            is_wrong &= is_evasive | (answers.hit != OUTSIDE)
            unknown = np.flatnonzero(answers.hit == FAILED)
        whole_numbers = np.zeros(len(places), np.bool_)
        is_wrong[unknown] = part.is_moderate[unknown] & ~(part.depth(unknown) <= self.rounding_ulps)
        whole_numbers[unknown] = part.cases.are_whole[unknown]
        doubtful = unknown[is_wrong[unknown] | whole_numbers[unknown]]
        wide = self._called(candidates, variants[doubtful], places[doubtful], sample, "wide")
        asked_wide = part[doubtful]
        is_right = ~asked_wide.wrong(wide.hit, wide.t_enter, self.with_t)
        if self.source.language is PYTHON:  # whose floats raise where a wider type divides by zero
            raised = np.flatnonzero(is_right)
            own = self._called(candidates, variants[doubtful[raised]], places[doubtful[raised]], sample)
            is_right[raised] = own.hit != FAILED
        if self.with_t:
            is_rough = asked_wide.has_rough_t(self.rounding_ulps)
            is_right |= is_rough & ~asked_wide.wrong(wide.hit, wide.t_enter, with_t=False)
            off = np.flatnonzero(~is_right & asked_wide.hit & (wide.hit == HIT))
            own = self._called(candidates, variants[doubtful[off]], places[doubtful[off]], sample)
            error, wide_error = (np.abs(t - asked_wide.t_enter[off]) for t in (own.t_enter, wide.t_enter[off]))
            is_right[off] = (own.hit == HIT) & (error > NEARER * wide_error)
        is_right |= ~is_evasive[doubtful] & (wide.hit == OUTSIDE)
        is_wrong[doubtful[is_right]] = whole_numbers[doubtful[is_right]] = False
        ends = np.cumsum(list(map(len, asked)))[:-1]
        masks = []
        split = np.split(is_wrong, ends), np.split(whole_numbers, ends)
        for far, whole, step, of_one in zip(*split, steps, wrong, strict=True):
            share = step * np.count_nonzero(whole) / len(sample)
            if self.whole_share is None:
                self.whole_share = inf if far.any() else share / 2
            masks.append(np.repeat(far | whole if share > self.whole_share else far, step)[: len(of_one)])
        return masks

    def _wrong_of(self, candidates: Sequence[_Candidate], sample: Sample) -> Iterator[tuple[Mask, int]]:
        """Yield which cases each candidate is wrong on, and how many it leaves out, until the time is over."""
        n, m = len(candidates), len(sample)
        at_once = max(1, min(MOST_VARIANTS, MOST_CALLS // max(1, m)))
        for first in range(0, n, at_once):
            part = candidates[first : first + at_once]
            if n > MOST_CANDIDATES and self.is_over:
                return
            variants, places = np.repeat(np.arange(len(part)), m), np.tile(np.arange(m), len(part))
            answers = self._called(part, variants, places, sample)
            for k in range(0, len(part) * m, m):
                hit, t_enter = answers.hit[k : k + m], answers.t_enter[k : k + m]
                is_wrong, is_outside = sample.wrong(hit, t_enter, self.with_t), hit == OUTSIDE
                evaded = np.count_nonzero(is_wrong & is_outside)
                part[k // m].is_evasive |= bool(evaded > 2 + MOST_EVADED * np.count_nonzero(~sample.is_special))
                yield is_wrong, int(np.count_nonzero(is_outside))

    def _called(
        self,
        candidates: Sequence[_Candidate],
        variants: Indices,
        places: Indices,
        sample: Sample,
        reading: str = "",
    ) -> Answers:
        """Call candidates of one source, by their numbers, each on the case of a place; in several processes."""
        if not len(places):
            return Answers(np.empty(0, np.int8), np.empty(0))
        least = LEAST_CALLS if candidates[0].source.language is PYTHON else LEAST_CALLS_IN_C
        count = min(len(self.lanes), -(-len(places) // least))
        cuts = np.linspace(0, len(places), 1 + count).astype(int).tolist()
        source = candidates[0].source

        def called(part: slice, lane: _Lane) -> Answers:
            used, numbers = np.unique(variants[part], return_inverse=True)
            written = variants_of(source, [candidates[k].edit for k in used.tolist()], reading)
            file = variants_file(lane.folder, lane.files)
            file.write_bytes(msgspec.json.encode(written))
            is_wide = reading == "wide" and source.language is not PYTHON
            spec = self.spec._replace(variants=str(file), timeout=VARIANT_SECONDS, is_wide=is_wide)
            rows = np.empty((part.stop - part.start, spec.width), sample.cases.numbers.dtype)
            rows[:, :-1] = sample.cases.numbers[places[part], : spec.width - 1]
            rows[:, -1] = lane.files * MOST_VARIANTS + numbers
            lane.files += 1
            cases = Cases(spec.pair, rows)
            with progress.reporting_to(self._go_on), ExitStack() as stack:
                if (target := lane.target) is None:
                    kept_in = self.opened if source.language is PYTHON else stack  # in C a library for each file
                    target = kept_in.enter_context(open_target(spec, printed=lambda text: None))
                    lane.target = target if source.language is PYTHON else None
                return target.answer(cases, most_crashes=len(rows), most_hangs=MOST_HANGS, functions=rows[:, -1])

        with ThreadPoolExecutor(count) as pool:
            found = list(pool.map(called, map(slice, cuts, cuts[1:]), self.lanes))
        hit, t_enter = zip(*((each.hit, each.t_enter) for each in found), strict=True)
        return Answers(np.concatenate(hit), np.concatenate(t_enter))

    def _go_on(self, _: float | None) -> None:
        if self.stops():
            raise _Stopped

    def _proven(self, whole: list[_Candidate], sample: Sample) -> tuple[list[_Candidate], int]:
        """Return the candidates that are right on a campaign and on new cases, and the count of new cases."""
        left = self._without_logic(self._one_a_line(whole)[:MOST_LEFT], sample)[:MOST_PROVEN]
        if left:
            self.advance(f"proving {len(left)} of them on new cases")
        n, names = 0, self.campaign.drawn or list(GENERATORS)
        first = PROOF_BLOCK * BLOCK + self.campaign.seeds.start // BLOCK * BLOCK
        last = first + -(-self.proof_cases // len(names))
        for seeds in (range(first, min(last, first + FIRST_PROOF)), range(min(last, first + FIRST_PROOF), last)):
            if left and seeds:
                cases, places = drawn(names, self.spec.pair, self.spec.real, seeds, None, self.rules.require)
                new = sample_of(cases, places, np.ones(len(cases), np.bool_), self.rules, self.with_t)
                left, n = self._without_logic(left, new), n + len(new)
        return left, n

    def _one_a_line(self, whole: Iterable[_Candidate]) -> list[_Candidate]:
        """Return the best candidate of each line that one begins in."""
        found: dict[int, _Candidate] = {}
        for candidate in whole:
            line, _, _ = _changed_lines(self.source.text, candidate.text)
            found.setdefault(line, candidate)
        return list(found.values())

    def _fix(self, candidate: _Candidate, wrong: int, known: int, fresh: int) -> Fix:
        line, old, new = _changed_lines(self.source.text, candidate.text)
        texts = self.source.text, candidate.text
        before, after = (text.decode(errors="replace").splitlines(keepends=True) for text in texts)
        diff = "".join(unified_diff(before, after, f"a/{self.path.name}", f"b/{self.path.name}"))
        kind, source = " and ".join(edit.kind for edit in candidate.edits), old or self.source.line(line)
        counts = wrong, 0, known + fresh, fresh, candidate.rounded
        return Fix(line, source, new, diff, kind, *counts, candidate.text)

    def _suspected(self, wrong: int) -> list[Suspect]:
        """Return the lines that wrong cases run more often, or of which an edit puts them right, in order."""
        helped = dict[int, float]()
        right = max(1, self.runs.shape[1] - wrong)
        for found in self.tried:
            share = (1 - found.left / wrong) * (1 - min(1, found.broken / right))
            line = self._line_at(found.edit)
            helped[line] = max(helped.get(line, 0.0), share)
        suspects = dict[int, Suspect]()
        for place, runs in zip(self.places, self.runs, strict=True):
            of_wrong, of_right = int(np.count_nonzero(runs[:wrong])), int(np.count_nonzero(runs[wrong:]))
            ochiai = of_wrong / sqrt(wrong * max(1, of_wrong + of_right))
            suspicion = round(ochiai * (1 + helped.get(place.line, 0.0)) / 2, 3)
            if place.line not in suspects or suspicion > suspects[place.line].suspicion:
                shares = of_wrong / wrong, of_right / right
                suspects[place.line] = Suspect(place.line, self.source.line(place.line), suspicion, *shares)
        ranked = sorted(suspects.values(), key=lambda suspect: -suspect.suspicion)
        return [suspect for suspect in ranked if suspect.suspicion]


def _run(edits: Sequence[Edit], places: Sequence[Place], is_run: Mask) -> list[Edit]:
    """Return the edits of statements that are run; and of what is in none, as a constant."""

    @cache
    def is_of_run(first: int) -> bool:
        around = [k for k, place in enumerate(places) if place.start <= first <= place.end]
        return not around or bool(is_run[max(around, key=lambda k: places[k].start)])

    return [edit for edit in edits if is_of_run(edit.first)]


def _changed_lines(old: bytes, new: bytes) -> tuple[int, str, str]:
    """Return the number of the first line that differs, that line, and what stands in its place."""
    before, after = old.decode(errors="replace").splitlines(), new.decode(errors="replace").splitlines()
    shorter = min(len(before), len(after))
    first = next((k for k in range(shorter) if before[k] != after[k]), shorter)
    tail = next((k for k in range(shorter - first) if before[-1 - k] != after[-1 - k]), shorter - first)
    lines, put = before[first : len(before) - tail], after[first : len(after) - tail]
    return first + 1, lines[0].strip() if lines else "", "\n".join(line.strip() for line in put)
