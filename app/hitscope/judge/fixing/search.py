"""The search for the edits of a wrong function that make it right, and their proof on new cases.

The function's wrong cases are parted first: those that rounding alone makes wrong tell nothing. On few cases all
edits are tried, on all cases those that are right on the few, and on new ones those that are right on all. Where
no edit is left, two are tried together, and lines are ranked by how much an edit of them helps.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from itertools import groupby
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import msgspec
import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.geometry import threads
from hitscope.judge.drawing import BLOCK, GENERATORS
from hitscope.judge.fixing.edits import Edit, edits_of
from hitscope.judge.fixing.sample import GENERAL, ROUNDING_ULPS, Mask, Sample, drawn, is_whole, sample_of, spread
from hitscope.judge.fixing.syntax import PYTHON, source_of
from hitscope.judge.fixing.variant_texts import variants_of
from hitscope.judge.own_cases import CASES
from hitscope.targets.cases import Cases, fields, kinds
from hitscope.targets.fixes import Fix, Fixes, Suspect, keep
from hitscope.targets.judging.rules import DEFAULT_RULES, Rules
from hitscope.targets.process import open_target
from hitscope.targets.target import FAILED, HIT, OUTSIDE, Answers, TargetSpec
from hitscope.targets.target_text import TargetText

PROOF_CASES = 200_000
"""The new cases, at least, that a fix is right on."""
PROOF_BLOCK = 1 << 16
"""The first block of new cases, beyond those of a campaign."""
SECONDS = 30.0
"""The time that a search may take, the proof not counted."""
MOST_WRONG, MOST_RIGHT = 48, 72
"""The cases that every edit is tried on: those that the function is wrong on, and those that it is right on."""
SOME = 4
"""Every so many-th of these tells which edits are tried on the others."""
OF_EACH = 6
"""The most of these of each generator and verdict."""
MOST_CANDIDATES = 48
"""The edits that are tried on all cases."""
MOST_PROVEN = 3
"""The fixes that are proven."""
MOST_UNROUNDED = 300
"""The cases of a function or of an edit that are run without rounding."""
FIRST_COST = 2
"""The largest cost of the edits that are tried first, and alone if one of them makes a function right."""
FIRST_EDITS = 8
"""The edits that are tried with a second one."""
VARIANT_SECONDS = 1.0
"""The time after which a call of a variant counts as one without an end."""
ALIKE = 1.5
"""Fixes whose wrong cases by rounding differ by less than this factor are as good: the smaller one is first."""
MOST_VARIANTS = 1000
"""The most variants at once, after which there may be no time for more."""
MOST_CALLS = 400_000
"""The most calls of variants at once."""
LEAST_CALLS = 2000
"""The calls from which another process is worth its start."""
MOST_SUSPECTS = 5
MOST_HANGS = 16


@dataclass(eq=False)
class _Candidate:
    """An edit, or two together, and what it does on the cases that it was tried on."""

    text: bytes
    edits: tuple[Edit, ...]
    left: int = 0
    """The wrong cases that stay wrong."""
    broken: int = 0
    """The right cases that become wrong."""
    rounded: int = 0
    """The cases that are wrong by rounding alone."""

    @property
    def cost(self) -> int:
        return sum(edit.cost for edit in self.edits)

    @property
    def order(self) -> tuple[float, int, int]:
        written = sum(len(part.text) for edit in self.edits for part in edit.parts)
        return round(log(1 + self.rounded, ALIKE) / 2), self.cost, written


def find_fixes(
    spec: TargetSpec,
    seeds: range,
    rules: Rules = DEFAULT_RULES,
    generators: Sequence[str] = tuple(GENERATORS),
    own: Cases | None = None,
    seconds: float = SECONDS,
    proof_cases: int = PROOF_CASES,
    advance: Callable[[str], object] = lambda words: None,
    stops: Callable[[], bool] = lambda: False,
) -> Fixes:
    """Search for edits of a target's source that make it right on the cases of a campaign, and prove them.

    A proof takes at least so many new cases. `advance` is called with what is done now. As soon as `stops` is true
    the search ends with what it has. Raises HitscopeError for a target that has no source to edit.
    """
    drawing = [name for name in generators if name != CASES]
    search = _Search(spec, seeds, rules, drawing, own, seconds, proof_cases, advance, stops)
    found = search.run()
    if not stops():
        keep(found, search.source.text, search.source.function, spec.pair)
    return found


class _Stopped(Exception):  # noqa: N818 - the user's wish
    """Ends a search, in whatever process it waits for."""


class _Search:
    def __init__(
        self,
        spec: TargetSpec,
        seeds: range,
        rules: Rules,
        generators: Sequence[str],
        own: Cases | None,
        seconds: float,
        proof_cases: int,
        advance: Callable[[str], object],
        stops: Callable[[], bool],
    ) -> None:
        _, location, function = TargetText.of(spec.text)
        self.path = Path(location).resolve()
        self.source = source_of(self.path.read_bytes() if self.path.exists() else b"", location, function)
        self.spec, self.seeds, self.rules, self.own = spec, seeds, rules, own
        self.generators, self.proof_cases, self.advance = list(generators), proof_cases, advance
        self.deadline, self.stops = monotonic() + seconds, stops
        self.tried, self.total = list[_Candidate](), 0
        self.members = [field.name for kind in kinds(spec.pair) for field in fields(kind)]
        self.with_t = True

    def run(self) -> Fixes:
        try:
            return self._found()
        except _Stopped:
            return Fixes(ended_early=True)

    def _found(self) -> Fixes:
        self.advance("judging it")
        sample, answers = self._judged()
        self.with_t = bool((~np.isnan(answers.t_enter[answers.hit == HIT])).any())
        wrong = np.flatnonzero(sample.wrong(answers.hit, answers.t_enter, self.with_t))
        (by_logic,) = self._by_logic([_Candidate(self.source.text, ())], sample, [wrong])
        logic, rounding = wrong[by_logic], int(np.count_nonzero(~by_logic))
        if not len(logic):
            return Fixes(0, rounding)
        right = np.setdiff1d(np.arange(len(sample)), wrong)
        bad, good = spread(sample, logic, MOST_WRONG, OF_EACH), spread(sample, right, MOST_RIGHT, OF_EACH)
        few = sample[np.concatenate([bad, good])]
        proven, cases = list[_Candidate](), 0
        with suppress(_Stopped):
            whole = self._one_a_line(self._right_ones(sample, few, len(bad)))[:MOST_PROVEN]
            self.advance(f"proving {len(whole)} of them on new cases")
            proven, cases = self._proven(whole)
        fixes = [self._fix(candidate, len(logic), len(sample), cases) for candidate in proven]
        suspects = () if fixes else tuple(self._suspects(self.tried, len(bad), len(good)))
        return Fixes(len(logic), rounding, self.total, tuple(fixes), suspects, self.is_over)

    @property
    def is_over(self) -> bool:
        """Whether there is no more time to try edits."""
        return monotonic() > self.deadline or self.stops()

    def _right_ones(self, sample: Sample, few: Sample, wrong: int) -> list[_Candidate]:
        """Return the edits, or two together, that are right on all cases, the best first.

        Of the `few` cases, the function is wrong on the first ones.
        """
        for _, alike in groupby(edits_of(self.source, self.members), key=lambda edit: max(FIRST_COST, edit.cost)):
            candidates = [_Candidate(edit.of(self.source.text), (edit,)) for edit in alike]
            self.advance(f"trying {len(candidates):,} edits")
            found = self._tried(candidates, few, wrong)
            self.tried, self.total = [*self.tried, *found], self.total + len(found)
            if whole := self._whole(found, few, sample):
                return whole
        for first in self._first_edits(self.tried, wrong):
            if self.is_over:
                break
            source = source_of(first.text, str(self.path), self.source.function)
            second = edits_of(source, self.members)
            self.total += len(second)
            self.advance(f"trying {len(second):,} edits beside another")
            more = [_Candidate(edit.of(first.text), (*first.edits, edit)) for edit in second]
            if whole := self._whole(self._tried(more, few, wrong), few, sample):
                return whole
        return []

    def _judged(self) -> tuple[Sample, Answers]:
        """Return the cases of the campaign, and what the function answers to them."""
        cases, places = self._drawn(self.generators, self.seeds, self.own)
        with progress.reporting_to(self._go_on), open_target(self.spec) as target:
            answers = target.answer(cases, most_crashes=len(cases), most_hangs=3)
        called = np.flatnonzero(answers.hit != OUTSIDE)
        sample = sample_of(cases, places, self._is_special(places), self.rules, with_t=True)[called]
        return sample, Answers(answers.hit[called], answers.t_enter[called])

    def _drawn(
        self, names: Sequence[str], seeds: range, own: Cases | None = None
    ) -> tuple[Cases, NDArray[np.intp]]:
        return drawn(names, self.spec.pair, self.spec.real, seeds, own, self.rules.require)

    def _is_special(self, places: NDArray[np.intp]) -> Mask:
        """Return which cases, by the places of their generators, a function may leave out."""
        special = np.array([name not in GENERAL for name in self.generators] + [False])
        found: Mask = special[places]
        return found

    def _tried(self, candidates: list[_Candidate], few: Sample, wrong: int) -> list[_Candidate]:
        """Return the candidates with what each does on cases, of which the function is wrong on the first ones."""
        found, hopeful = [], []
        some = np.arange(0, len(few), SOME)
        for candidate, is_wrong in zip(candidates, self._wrong_of(candidates, few[some]), strict=False):
            candidate.left = SOME * int(np.count_nonzero(is_wrong[some < wrong]))
            candidate.broken = SOME * int(np.count_nonzero(is_wrong[some >= wrong]))
            if SOME * np.count_nonzero(is_wrong) <= wrong:
                hopeful.append(candidate)
            found.append(candidate)
        for candidate, is_wrong in zip(hopeful, self._wrong_of(hopeful, few), strict=False):
            candidate.left = int(np.count_nonzero(is_wrong[:wrong]))
            candidate.broken = int(np.count_nonzero(is_wrong[wrong:]))
        return found

    def _whole(self, tried: Iterable[_Candidate], few: Sample, sample: Sample) -> list[_Candidate]:
        """Return the candidates that are right on all cases but for rounding, the best first."""
        hopeful = sorted(tried, key=lambda found: (found.left + found.broken, found.cost))
        hopeful = [found for found in hopeful if found.left + found.broken <= len(few) // 8][: 4 * MOST_CANDIDATES]
        near = self._without_logic(hopeful, few)
        near.sort(key=lambda found: (found.rounded, found.cost))
        whole = self._without_logic(near[:MOST_CANDIDATES], sample)
        return sorted(whole, key=lambda found: found.order)

    def _without_logic(self, candidates: list[_Candidate], sample: Sample) -> list[_Candidate]:
        """Return the candidates that are right but for rounding, with the cases that this makes wrong."""
        wrong = [np.flatnonzero(is_wrong) for is_wrong in self._wrong_of(candidates, sample)]
        by_logic = self._by_logic(candidates, sample, wrong)
        for candidate, places in zip(candidates, wrong, strict=False):
            candidate.rounded = len(places)
        return [found for found, mask in zip(candidates, by_logic, strict=False) if not mask.any()]

    def _by_logic(
        self, candidates: Sequence[_Candidate], sample: Sample, wrong: Sequence[NDArray[np.intp]]
    ) -> list[Mask]:
        """Return on which of its wrong cases each is wrong without rounding, too; of many, some stand for all."""
        steps = [max(1, len(places) // MOST_UNROUNDED) for places in wrong]
        asked = [places[::step] for places, step in zip(wrong, steps, strict=True)]
        places = np.concatenate([*asked, np.empty(0, np.intp)])
        part = sample[places]
        if not len(places):
            is_wrong = np.zeros(0, np.bool_)
        elif self.source.language is PYTHON:
            variants = np.repeat(np.arange(len(asked)), list(map(len, asked)))
            answers = self._called([each.text for each in candidates], variants, places, sample, unrounded=True)
            is_wrong = part.wrong(answers.hit, answers.t_enter, self.with_t)
            unknown = np.flatnonzero(answers.hit == FAILED)
            is_wrong[unknown] = ~(part.depth(unknown) <= ROUNDING_ULPS)
        else:
            is_wrong = ~(part.depth(np.arange(len(part))) <= ROUNDING_ULPS) | is_whole(part.cases)
        ends = np.cumsum(list(map(len, asked)))[:-1]
        found = zip(np.split(is_wrong, ends), steps, wrong, strict=True) if asked else []
        return [np.repeat(mask, step)[: len(places)] for mask, step, places in found]

    def _wrong_of(self, candidates: Sequence[_Candidate], sample: Sample) -> Iterator[Mask]:
        """Yield which cases each candidate is wrong on, until the time is over."""
        n, m = len(candidates), len(sample)
        at_once = max(1, min(MOST_VARIANTS, MOST_CALLS // max(1, m)))
        for first in range(0, n, at_once):
            part = candidates[first : first + at_once]
            if n > MOST_CANDIDATES and self.is_over:
                return
            variants = np.repeat(np.arange(len(part)), m)
            places = np.tile(np.arange(m), len(part))
            answers = self._called([each.text for each in part], variants, places, sample)
            for k in range(0, len(places), m):
                of_one = slice(k, k + m)
                yield sample.wrong(answers.hit[of_one], answers.t_enter[of_one], self.with_t)

    def _called(
        self,
        texts: Sequence[bytes],
        variants: NDArray[np.intp],
        places: NDArray[np.intp],
        sample: Sample,
        unrounded: bool = False,
    ) -> Answers:
        """Call the functions of texts, by their numbers, each on the case of a place; in several processes."""
        cuts = np.linspace(0, len(places), 1 + min(threads.count(), -(-len(places) // LEAST_CALLS))).astype(int)

        def called(part: slice, file: Path) -> Answers:
            used, numbers = np.unique(variants[part], return_inverse=True)
            written = variants_of(self.source, [texts[k] for k in used.tolist()], unrounded)
            file.write_bytes(msgspec.json.encode(written))
            spec = self.spec._replace(variants=str(file), timeout=VARIANT_SECONDS)
            rows = np.empty((part.stop - part.start, spec.width), sample.cases.numbers.dtype)
            rows[:, :-1] = sample.cases.numbers[places[part], : spec.width - 1]
            rows[:, -1] = numbers
            with progress.reporting_to(self._go_on), open_target(spec, printed=lambda text: None) as target:
                return target.answer(Cases(spec.pair, rows), most_crashes=len(rows), most_hangs=MOST_HANGS)

        with TemporaryDirectory(ignore_cleanup_errors=True) as folder, ThreadPoolExecutor(len(cuts)) as pool:
            files = (Path(folder) / f"{k}.json" for k in range(len(cuts)))
            found = list(pool.map(called, map(slice, cuts.tolist(), cuts[1:].tolist()), files))
        hit, t_enter = zip(*((each.hit, each.t_enter) for each in found), strict=True)
        return Answers(np.concatenate(hit), np.concatenate(t_enter))

    def _go_on(self, _: float | None) -> None:
        if self.stops():
            raise _Stopped

    def _proven(self, candidates: list[_Candidate]) -> tuple[list[_Candidate], int]:
        """Return the candidates that are right on new cases, but for rounding, and how many these are."""
        names = self.generators or list(GENERATORS)
        size = -(-self.proof_cases // (len(names) * BLOCK)) * BLOCK
        first = PROOF_BLOCK * BLOCK + self.seeds.start // BLOCK * BLOCK
        cases, places = self._drawn(names, range(first, first + size))
        sample = sample_of(cases, places, np.ones(len(cases), np.bool_), self.rules, self.with_t)
        return self._without_logic(candidates, sample), len(cases)

    def _one_a_line(self, whole: Iterable[_Candidate]) -> list[_Candidate]:
        """Return the best candidate of each line that one begins in."""
        found: dict[int, _Candidate] = {}
        for candidate in whole:
            found.setdefault(self._line(candidate), candidate)
        return list(found.values())

    def _line(self, candidate: _Candidate) -> int:
        return _changed_lines(self.source.text, candidate.text)[0]

    def _fix(self, candidate: _Candidate, wrong: int, known: int, fresh: int) -> Fix:
        line, old, new = _changed_lines(self.source.text, candidate.text)
        before, after = (
            text.decode(errors="replace").splitlines(keepends=True) for text in (self.source.text, candidate.text)
        )
        diff = "".join(unified_diff(before, after, f"a/{self.path.name}", f"b/{self.path.name}"))
        kind = " and ".join(edit.kind for edit in candidate.edits)
        source = old or self.source.line(line)
        return Fix(
            line, source, new, diff, kind, wrong, 0, known + fresh, fresh, candidate.rounded, candidate.text
        )

    def _first_edits(self, tried: Sequence[_Candidate], wrong: int) -> list[_Candidate]:
        """Return the edits that put some wrong cases right and no right ones wrong, the best of each line."""
        helpful = [found for found in tried if found.left < wrong and not found.broken]
        return self._one_a_line(sorted(helpful, key=lambda found: (found.left, found.cost)))[:FIRST_EDITS]

    def _suspects(self, tried: Iterable[_Candidate], wrong: int, right: int) -> Iterator[Suspect]:
        """Yield the lines of which an edit puts wrong cases right, in order."""
        most: dict[int, float] = {}
        for found in tried:
            share = (1 - found.left / wrong) * (1 - found.broken / max(1, right))
            line = self._line(found)
            most[line] = max(most.get(line, 0.0), share)
        for line, share in sorted(most.items(), key=lambda entry: -entry[1])[:MOST_SUSPECTS]:
            if share > 0:
                yield Suspect(line, self.source.line(line), round(share, 3))


def _changed_lines(old: bytes, new: bytes) -> tuple[int, str, str]:
    """Return the number of the first line that differs, that line, and what stands in its place."""
    before, after = old.decode(errors="replace").splitlines(), new.decode(errors="replace").splitlines()
    first = next(
        (k for k, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    tail = 0
    while tail < min(len(before), len(after)) - first and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    lines, put = before[first : len(before) - tail], after[first : len(after) - tail]
    return first + 1, lines[0].strip() if lines else "", "\n".join(line.strip() for line in put)
