"""Logged calls against exact geometry: how many are wrong in which way, and the worst of each as a scene."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import isnan
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.judge.campaign import COMPILED_FROM
from hitscope.judge.finding_scenes import truth_of
from hitscope.judge.findings import Finding, difference
from hitscope.judge.log import Log, LoggedCalls, mistake
from hitscope.judge.own_cases import faults, first_of_each
from hitscope.judge.tallies import Example, example_of
from hitscope.outputs import folder_for
from hitscope.scene import ENDING, Scene, save
from hitscope.targets.cases import BLOCK, Cases, case_width
from hitscope.targets.judging.judged import KINDS, MEASURED_BLOCKS, MISSING_T, WRONG_T, Judged, judged
from hitscope.targets.judging.rules import Rules, meeting
from hitscope.targets.judging.truth import Truth
from hitscope.targets.target import HIT, MISS, OUTSIDE, Answers, TargetSpec

NO_ANSWER = "answers that are no number"
"""Why calls are not judged, beside the faults of their shapes."""
MOST_COMPARED = 1024
"""The calls of a kind, the first ones, of which the worst becomes a scene."""
VERDICTS_ALONE = range(MEASURED_BLOCKS * BLOCK, MEASURED_BLOCKS * BLOCK)
"""With seeds such as these the judge neither measures how wrong a verdict is, nor spends fractions on a t."""
MOST_SLOW_TS = 20_000
"""The hits of a pair whose t is judged although that takes fractions: some seconds."""
NOTHING = np.empty(0, np.intp)


class Call(NamedTuple):
    """Where a call is."""

    path: Path
    """Its log."""
    order: int
    """Its number in the log, from 1."""


class Source(NamedTuple):
    """The calls of one format in one log."""

    path: Path
    calls: LoggedCalls


@dataclass(frozen=True, eq=False)
class Wrong:
    """The calls that are wrong in one way."""

    finding: Finding
    """The worst of them, or what it was shrunk to."""
    call: Call
    """Where that is."""
    count: int
    """How many there are."""
    is_shrunk: bool = False


@dataclass
class CallTally:
    """The counts of the calls of a pair in one precision."""

    pair: str
    real: str
    calls: int = 0
    repeated: int = 0
    """The calls with the numbers and the answer of an earlier one."""
    hits: int = 0
    """The hits among the judged ones, by exact geometry."""
    left_out: int = 0
    """Outside the test's contract, on the boundary, or within the slack."""
    not_judged: Counter[str] = field(default_factory=Counter)
    """By the reason."""
    ts_left_out: int = 0
    """The hits whose t was not judged, because that takes fractions: those beyond the first MOST_SLOW_TS."""
    wrong: dict[str, Wrong] = field(default_factory=dict)
    """By the kind."""

    def count(self, kind: str) -> int:
        """Return how many calls are wrong in one way."""
        return self.wrong[kind].count if kind in self.wrong else 0

    def add(self, wrong: Wrong) -> None:
        both = [*filter(None, [self.wrong.get(wrong.finding.kind)]), wrong]
        worst = max(both, key=lambda each: each.finding.example.ulps)
        self.wrong[wrong.finding.kind] = replace(worst, count=sum(each.count for each in both))


def triaged(
    logs: Sequence[Log], rules: Rules, real: str | None = None, advance: Callable[[int], object] = lambda _: None
) -> list[CallTally]:
    """Judge the calls of all logs that can be understood; `advance` is called with the number of some done.

    They are of the precision that they were logged in, or of `real` if the numbers of the pair have it.
    """
    groups: dict[tuple[str, str, int], list[Source]] = {}
    for log in logs:
        for form, calls in log.calls.items():
            if not mistake(form):
                for precision, part in _in_precision(calls, form.pair, real):
                    groups.setdefault((form.pair, precision, form.width), []).append(Source(log.path, part))
    tallies: dict[tuple[str, str], CallTally] = {}
    for (pair, precision, _), sources in sorted(groups.items()):
        tally = tallies.setdefault((pair, precision), CallTally(pair, precision))
        _Group(tally, sources, rules).judge(advance)
    return list(tallies.values())


def _in_precision(calls: LoggedCalls, pair: str, real: str | None) -> Iterator[tuple[str, LoggedCalls]]:
    """Yield the calls with numbers of a precision in it, and the others as they are."""
    own = calls.numbers.dtype.name
    if real is None or real == own:
        yield own, calls
        return
    with np.errstate(over="ignore", invalid="ignore"):
        converted = calls.numbers.astype(real)
    same = (converted == calls.numbers) | np.isnan(calls.numbers)
    fits = same[:, : case_width(pair)].all(axis=1)
    for name, numbers, mask in ((real, converted, fits), (own, calls.numbers, ~fits)):
        if mask.any():
            yield name, LoggedCalls(np.ascontiguousarray(numbers[mask]), calls.order[mask])


class _Group:
    """The calls of one pair and precision, all of them with a t or all without."""

    most_slow_ts = MOST_SLOW_TS

    def __init__(self, tally: CallTally, sources: Sequence[Source], rules: Rules) -> None:
        self.tally, self.sources, self.rules = tally, sources, rules
        self.numbers = np.concatenate([source.calls.numbers for source in sources])
        self.width = case_width(tally.pair)
        self.has_t = self.numbers.shape[1] > self.width + 1
        self.found: dict[str, list[NDArray[np.intp]]] = {}
        """The wrong calls of each kind."""

    def judge(self, advance: Callable[[int], object]) -> None:
        """Add what becomes of the calls to the tally."""
        tally, first = self.tally, first_of_each(self.numbers)
        repeated = len(self.numbers) - len(first)
        tally.calls += len(self.numbers)
        tally.repeated += repeated
        advance(repeated)
        judgeable = self._judgeable(first)
        advance(len(first) - len(judgeable))
        compiled = len(judgeable) >= COMPILED_FROM
        without_t = [NOTHING]
        for part in _blocks(judgeable):
            seen = judged(Truth(self._cases(part), compiled), self._answers(part), self.rules, VERDICTS_ALONE)
            tally.hits += int(np.count_nonzero(seen.hit))
            tally.left_out += int(np.count_nonzero(seen.left_out))
            self._note(part, seen)
            if self.has_t and seen.ts_left_out is not None:
                without_t.append(part[seen.ts_left_out])
            advance(len(part))
        slow = np.concatenate(without_t)
        tally.ts_left_out += len(slow[self.most_slow_ts :])
        for part in _blocks(slow[: self.most_slow_ts]):
            self._note(part, judged(Truth(self._cases(part)), self._answers(part), self.rules))
        for kind in KINDS:
            if kind in self.found:
                tally.add(self._worst(kind, np.concatenate(self.found[kind])))

    def _note(self, part: NDArray[np.intp], seen: Judged) -> None:
        for kind in KINDS:
            if len(wrong := np.flatnonzero(self._wrong(seen, kind))):
                self.found.setdefault(kind, []).append(part[wrong])

    def _judgeable(self, indices: NDArray[np.intp]) -> NDArray[np.intp]:
        """Count those of some calls that cannot be judged; return the others."""
        kept = [NOTHING]
        for part in _blocks(indices):
            left = ~np.isnan(self.numbers[part, self.width])
            self.tally.not_judged[NO_ANSWER] += int(np.count_nonzero(~left))
            for words, wrong in faults(self._cases(part)):
                self.tally.not_judged[words] += int(np.count_nonzero(wrong & left))
                left &= ~wrong
            kept.append(part[left])
        self.tally.not_judged = +self.tally.not_judged
        return np.concatenate(kept)

    def _cases(self, indices: NDArray[np.intp]) -> Cases:
        return Cases(self.tally.pair, np.ascontiguousarray(self.numbers[indices, : self.width]))

    def _answers(self, indices: NDArray[np.intp]) -> Answers:
        answered = self.numbers[indices, self.width]
        hit = np.select([answered > 0, answered < 0], [HIT, OUTSIDE], MISS).astype(np.int8)
        if self.rules.require:
            hit[~meeting(self._cases(indices), self.rules.require)] = OUTSIDE
        t_enter = self.numbers[indices, -1] if self.has_t else np.full(len(indices), np.nan, self.numbers.dtype)
        return Answers(hit, t_enter)

    def _wrong(self, seen: Judged, kind: str) -> NDArray[np.bool_]:
        """Whether each case is wrong in one way; a missing t is, where calls have one."""
        nothing = np.zeros(len(seen.hit), np.bool_)
        wrong = seen.wrong.get(kind, nothing)
        return wrong | seen.wrong.get(MISSING_T, nothing) if kind == WRONG_T and self.has_t else wrong

    def _worst(self, kind: str, indices: NDArray[np.intp]) -> Wrong:
        compared = indices[:MOST_COMPARED]
        cases = self._cases(compared)
        seen = judged(Truth(cases), self._answers(compared), self.rules)
        sizes = seen.t_ulps if kind == WRONG_T else seen.ulps
        worst = 0 if sizes is None else int(np.argmax(np.nan_to_num(sizes, nan=-1.0)))
        call = self._call(int(compared[worst]))
        example: Example = example_of(seen, kind, cases.numbers, [call.order] * len(compared), worst)
        if isnan(example.ulps):  # of a t that is missing
            example = replace(example, distance=0.0, ulps=0.0)
        target = TargetSpec(str(call.path), self.tally.pair, self.tally.real)
        return Wrong(Finding(target, kind, "", example), call, len(indices))

    def _call(self, index: int) -> Call:
        for path, calls in self.sources:
            if index < len(calls.order):
                return Call(path, int(calls.order[index]))
            index -= len(calls.order)
        raise IndexError(index)


def _blocks(indices: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    for start in range(0, len(indices), BLOCK):
        yield indices[start : start + BLOCK]


def scene_of(wrong: Wrong, rules: Rules) -> Scene:
    """Return the worst call of a kind as a scene that expects the right answer."""
    finding, call = wrong.finding, wrong.call
    size = f", the worst of {wrong.count}" if wrong.count > 1 else ""
    origin = f"From `hitscope collect`, {'shrunk from ' * wrong.is_shrunk}call {call.order}"
    words = f"{difference(finding)}. {origin} of {call.path.name}{size}."
    return truth_of(finding, rules, f"{finding.target.pair}: {finding.kind}", words)


def save_scenes(found: Iterable[Wrong], folder: Path, rules: Rules) -> dict[Wrong, Path]:
    """Write the worst call of each kind into a folder; return the paths. Raises HitscopeError.

    The numbers, the kind and the rules make the name of a file: one that exists is the same call, and stays as it
    is, and those of other calls stay, too. They are tests of what was mended since.
    """
    paths = {}
    with folder_for("scenes", folder):
        for wrong in found:
            finding, target = wrong.finding, wrong.finding.target
            pair = f"{target.pair}-f32" if target.real == "float32" else target.pair
            checksum = sha256(finding.example.numbers.tobytes() + repr(tuple(rules)).encode()).hexdigest()[:8]
            path = folder / f"{pair}-{finding.kind.replace(' ', '_')}-{checksum}{ENDING}"
            if not path.exists():
                save(scene_of(wrong, rules), path)
            paths[wrong] = path
    return paths
