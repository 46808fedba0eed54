"""Calls on batches of cases, and the search for the cases that they fail at."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.targets.case_arrays import MOST_CASES, UNWRITTEN, CaseArrays
from hitscope.targets.cases import Cases, Reals
from hitscope.targets.target import FAILED, HIT, MOST_CRASHES, MOST_HANGS, NOT_CALLED, OUTSIDE, Answers, Failure

PIECES = 32
"""The number of parts that a batch is called in after it failed as a whole."""

Indices = NDArray[np.intp]


class Outcome(NamedTuple):
    arrays: CaseArrays
    """The answers, out of the target's reach."""
    seconds: float = 0.0
    failures: Mapping[int, str] = {}
    """The failed calls in words, by their places in the batch."""
    failure: Failure | None = None
    """Why the call failed as a whole, if it did."""
    at: int | None = None
    """The place of the case that it failed at; None if that is not known."""


class Collection:
    """The answers to n cases, as they come in."""

    def __init__(self, cases: Cases, has_normals: bool, most: dict[bool, int], functions: Reals | None) -> None:
        n, real = len(cases), cases.numbers.dtype
        self.hit = np.full(n, NOT_CALLED, np.int8)
        self._parts: list[Reals] = [np.full(n, np.nan, real), *([np.full((n, 3), np.nan, real)] * has_normals)]
        """The ts and, where the target has any, the normals."""
        self.failures: dict[int, Failure] = {}
        self.seconds = 0.0
        self._most, self._functions = most, np.arange(n) if functions is None else functions
        """The most crashes, and the most hangs; and the function that each case is for."""

    def take(self, cases: Indices, memory: CaseArrays) -> None:
        """Take the answers of some cases from arrays of their length."""
        self.hit[cases] = memory.hit
        for part, answered in zip(self._parts, (memory.t_enter, memory.normal), strict=False):
            part[cases] = answered

    def fail(self, case: int, failure: Failure) -> None:
        self._clear(case, FAILED)
        self.failures[case] = failure

    def _clear(self, cases: int | slice, hit: int) -> None:
        self.hit[cases] = hit
        for part in self._parts:
            part[cases] = np.nan

    def hopeless(self, case: int, batch: Indices) -> NDArray[np.bool_]:
        """Return which cases of a batch are of the function that ended its process in a case: these fail, too."""
        found: NDArray[np.bool_] = self._functions[batch] == self._functions[case]
        self.hit[batch[found]] = FAILED
        return found

    def last(self, before: int) -> int | None:
        """Return the case before this one after which no other is called; None if all are."""
        left = dict(self._most)
        for case in sorted(case for case in self.failures if case < before):
            hung = self.failures[case].hung
            left[hung] -= 1
            if left[hung] <= 0:
                return case
        return None

    def answers(self) -> Answers:
        """Return the answers, without those that would not have been called in order."""
        last = self.last(len(self.hit))
        if last is not None:
            self._clear(slice(last + 1, None), NOT_CALLED)
            self.failures = {case: failure for case, failure in self.failures.items() if case <= last}
        t_enter, *normals = self._parts
        normal = normals[0] if normals else None
        return Answers(self.hit, t_enter, normal, dict(sorted(self.failures.items())), self.seconds)


class OpenTarget:
    """A user's test or a method of the catalogue, ready to be called; a subclass knows how to call a batch."""

    about = ""
    """The name that a report gives beside the target, e.g. the GL driver that it ran on; "" for nothing."""
    files: Sequence[str] = ()
    """The absolute paths of the files that it was made of, beside the one that its text names."""
    has_normals = False
    _size = MOST_CASES

    def run(self, numbers: Reals) -> Outcome:
        """Call the target on a batch of at most MOST_CASES cases; after a failure it can be called again."""
        raise NotImplementedError

    def answer(
        self,
        cases: Cases,
        *,
        most_crashes: int = MOST_CRASHES,
        most_hangs: int = MOST_HANGS,
        functions: Reals | None = None,
    ) -> Answers:
        """Call it on every case, in order; what follows so many failures is NOT_CALLED. Raises HitscopeError.

        `functions` (n,) tells which of its functions each case is for: one that ended or held up the process in a
        case is called no more, and has FAILED in its others.
        """
        collection = Collection(cases, self.has_normals, {False: most_crashes, True: most_hangs}, functions)
        stop = 0
        while stop < len(cases):
            start, stop = stop, min(len(cases), stop + self._size)
            self._call(cases.numbers, np.arange(start, stop), collection)
        return collection.answers()

    def _call(self, numbers: Reals, batch: Indices, collection: Collection) -> None:
        """Call the target on cases in ascending order, and again on those behind each failure."""
        while len(batch) and collection.last(int(batch[0])) is None:
            is_slice = batch[-1] - batch[0] == len(batch) - 1
            outcome = self.run(numbers[batch[0] : batch[-1] + 1] if is_slice else numbers[batch])
            arrays, failure, at = outcome.arrays, outcome.failure, outcome.at
            if failure is None:
                self._take(batch, outcome, collection)
                return
            if at is None and len(batch) > 1:
                self._search(numbers, batch, outcome, collection)
                return
            place = at or 0
            # What it answered before it failed stands, but for failed calls, whose words went with the process.
            answered = np.flatnonzero(_is_verdict(arrays.hit[:place]))
            collection.take(batch[answered], arrays.rows(answered))
            case = int(batch[place])
            collection.fail(case, failure)
            batch = np.delete(batch, [*answered, place])
            batch = batch[~collection.hopeless(case, batch)]

    def _search(self, numbers: Reals, batch: Indices, outcome: Outcome, collection: Collection) -> None:
        """Call the parts of a batch that failed as a whole, until the case at fault is alone."""
        assert outcome.failure
        written = outcome.arrays.hit != UNWRITTEN
        if written.any() and not written.all():
            # Code that answers one case after the other was at the first one without an answer.
            first = int(np.argmin(written))
            cuts = [first, first + 1]
        else:
            size = -(-len(batch) // PIECES)
            cuts = [*range(size, len(batch), size)]
        known = len(collection.failures)
        for part in np.split(batch, cuts):
            self._call(numbers, part, collection)
        if len(collection.failures) > known or collection.last(int(batch[0])) is not None:
            return
        if outcome.failure.hung:  # it is slow
            self._size = max(1, min(self._size, len(batch)) // PIECES)
        else:
            words = f"{outcome.failure.words}; in a call on {len(batch)} cases, not on each alone"
            collection.fail(int(batch[0]), Failure(False, words))

    @staticmethod
    def _take(batch: Indices, outcome: Outcome, collection: Collection) -> None:
        collection.take(batch, outcome.arrays)
        collection.seconds += outcome.seconds
        hit = outcome.arrays.hit
        words = {
            int(place): "it gave no answer" if hit[place] == UNWRITTEN else f"it answered {hit[place]}"
            for place in np.flatnonzero(~_is_verdict(hit))
        }
        for place, word in (words | dict(outcome.failures)).items():
            collection.fail(int(batch[place]), Failure(False, word))


def _is_verdict(hit: NDArray[np.int8]) -> NDArray[np.bool_]:
    is_verdict: NDArray[np.bool_] = (hit >= OUTSIDE) & (hit <= HIT)
    return is_verdict
