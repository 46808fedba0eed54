"""A campaign: targets of the same pair get the same cases of each generator, cut into blocks of seeds.

A block is drawn, decided and judged as arrays. What comes out is the same however the blocks are spread over
processes and machines: their tallies add up in the order of the seeds.
"""

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from itertools import groupby, product
from pathlib import Path
from threading import local
from time import perf_counter
from typing import NamedTuple, TypeAlias
from uuid import uuid4

from hitscope.errors import HitscopeError
from hitscope.geometry.registry import EXACT, of_pair, pairs
from hitscope.judge.drawing import GENERATORS, draw
from hitscope.judge.own_cases import CASES
from hitscope.judge.tallies import Row, Tally, tallied
from hitscope.targets.calls import OpenTarget
from hitscope.targets.cases import BLOCK, Cases
from hitscope.targets.judging.judged import all_measured, judged
from hitscope.targets.judging.rules import DEFAULT_RULES, Rules, answers_of_met
from hitscope.targets.judging.truth import Truth
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import TargetSpec
from hitscope.worker_processes import worker_context

COMPILED_FROM = 300_000
"""The cases of a pair from which compiling takes less time than deciding them without."""
ALONE_SECONDS = 1.0
"""The time before more processes are started, which take about as long to start."""
TASK_SECONDS = 0.25
"""The time that a task should take another process."""
CHECK_SECONDS = 0.25
"""The seconds between two checks while a task is waited for."""
MOST_BLOCKS = 64
"""The most blocks of a task."""
WAITING = 3
"""The tasks of each worker that are handed out at a time."""


Tallies: TypeAlias = list[list[Tally]]
"""The parts of a row for each target of a task."""
TimedTallies: TypeAlias = tuple[Tallies, float]
"""Tallies, and the seconds that they took."""


class Task(NamedTuple):
    """Cases of one generator for some targets of one pair and precision."""

    targets: tuple[TargetSpec, ...]
    generator: str
    seeds: range
    compiled: bool = False
    """Whether there are so many cases that the time to compile what decides them is well spent."""
    own: Cases | None = None
    """The user's own cases with these seeds, in place of drawn ones."""
    mesh: Path | None = None
    """A closed mesh: the cases are rays inside it, and the generator is one of AIMS."""


class Campaign:
    """Targets, judged on some generators and seeds; after an interrupt `rows` has what was judged until then."""

    def __init__(
        self,
        targets: Sequence[TargetSpec],
        seeds: range,
        rules: Rules = DEFAULT_RULES,
        generators: Sequence[str] = tuple(GENERATORS),
        own: Cases | None = None,
        mesh: Path | None = None,
    ) -> None:
        """Prepare the rows, those of a target together; the user's `own` cases are one more generator, the first.

        Their seeds are their places, from 0; they are of the one pair and precision of all targets. With a closed
        `mesh` the generators are some of AIMS, their cases rays inside it, which are judged by whether they leak.
        """
        self.targets, self.seeds, self.rules = targets, seeds, rules
        self.own, self.mesh = own, mesh
        self.drawn = [name for name in generators if name != CASES]
        """The generators but for the user's own cases."""
        self.generators = self.drawn if own is None else [CASES, *self.drawn]
        self.rows = [Row(target, generator) for target in targets for generator in self.generators]
        self.row = {(row.target, row.generator): row for row in self.rows}
        self.groups: dict[tuple[str, str], list[TargetSpec]] = {}
        """The targets of each pair and precision, which get the same cases."""
        for target in targets:
            self.groups.setdefault((target.pair, target.real), []).append(target)

    @property
    def size(self) -> int:
        """The number of cases that are drawn."""
        return len(self.groups) * sum(len(self.seeds_of(generator)) for generator in self.generators)

    def seeds_of(self, generator: str) -> range:
        return range(len(self.own)) if generator == CASES and self.own is not None else self.seeds

    def run(
        self,
        opened: OpenTargets,
        workers: int = 1,
        executor: Executor | None = None,
        advance: Callable[[int], object] = lambda cases: None,
        alone_seconds: float = ALONE_SECONDS,
        check: Callable[[], object] | None = None,
    ) -> None:
        """Judge every case; `advance` is called with the number of cases of each task done.

        The first tasks are judged here, and after `alone_seconds` the others by so many workers: processes, or
        those of an executor. While they are waited for, `check` is called again and again, and may raise. Raises
        HitscopeError for a target that cannot be judged, and for workers that end.
        """
        tasks, self._blocks = self._tasks(), 1
        try:
            started = perf_counter()
            while (workers == 1 and executor is None) or perf_counter() - started < alone_seconds:
                if not (task := next(tasks, None)):
                    return
                self._add(task, judge_cases(task, self.rules, opened), advance)
            waiting: deque[tuple[Task, Future[TimedTallies]]] = deque()
            place = uuid4().hex, os.getcwd()
            with nullcontext(executor) if executor else worker_processes(workers) as pool:
                while True:
                    while len(waiting) < WAITING * workers and (task := next(tasks, None)):
                        waiting.append((task, pool.submit(judge_in_worker, task, self.rules, *place)))
                    if not waiting:
                        return
                    task, future = waiting.popleft()
                    if check is not None:
                        check()
                        while not wait([future], CHECK_SECONDS).done:
                            check()
                    found, seconds = future.result()
                    self._add(task, found, advance)
                    in_time = TASK_SECONDS / seconds * len(task.seeds) / BLOCK
                    self._blocks = min(MOST_BLOCKS, max(1, int(in_time)))
        except BrokenExecutor:
            words = "expected worker processes that finish their tasks, found one that ended"
            raise HitscopeError(words) from None
        finally:
            for row in self.rows:
                row.finish(self.seeds_of(row.generator))
                row.measure()

    def require_judged(self) -> None:
        """Raise HitscopeError where no case met the preconditions, so that nothing was judged."""
        tallies = [row.tally for row in self.rows]
        if self.rules.require and all(tally.cases == tally.left_out for tally in tallies):
            required, drawn = ", ".join(self.rules.require), sum(tally.cases for tally in tallies)
            raise HitscopeError(f"expected cases that meet {required}, found none of {drawn:,}")

    def _tasks(self) -> Iterator[Task]:
        """Yield the tasks, of all generators in turn, so that all of them have been tried early."""
        compiled = self.size >= COMPILED_FROM * len(self.groups)
        for is_own, names in groupby(self.generators, key=lambda name: name == CASES):
            generators = list(names)
            left = self.seeds_of(generators[0])
            while left:
                seeds = left[: self._blocks * BLOCK - left.start % BLOCK]
                left = left[len(seeds) :]
                own = self.own[seeds.start : seeds.stop] if is_own and self.own is not None else None
                for group, generator in product(self.groups.values(), generators):
                    targets = tuple(each for each in group if not self.row[each, generator].ended_early)
                    if targets:
                        yield Task(targets, generator, seeds, compiled, own, self.mesh)

    def _add(self, task: Task, found: Tallies, advance: Callable[[int], object]) -> None:
        for target, parts in zip(task.targets, found, strict=True):
            self.row[target, task.generator].add(parts)
        advance(len(task.seeds))


def judge_cases(task: Task, rules: Rules, opened: OpenTargets) -> Tallies:
    """Judge the cases of a task, block by block; returns the tallies of each of its targets."""
    rows = [Row(target, task.generator) for target in task.targets]
    for block in range(task.seeds.start // BLOCK, -(-task.seeds.stop // BLOCK)):
        seeds = range(max(task.seeds.start, block * BLOCK), min(task.seeds.stop, (block + 1) * BLOCK))
        if task.mesh is None:
            tallies_of = _judging_cases(task, rules, seeds)
        else:
            from hitscope.judge.leaks import judging_rays  # which takes trees, and with them Numba

            tallies_of = judging_rays(task.mesh, task.targets[0].real, task.generator, seeds)
        for row in rows:
            if not row.ended_early:
                row.add(tallies_of(opened[row.target]))
    for row in rows:
        row.finish(task.seeds)
    return [row.parts for row in rows]


def _judging_cases(task: Task, rules: Rules, seeds: range) -> Callable[[OpenTarget], list[Tally]]:
    """Return what judges targets on the cases of a task with some seeds of one block."""
    pair, real = task.targets[0].pair, task.targets[0].real
    if task.own is not None:
        cases = task.own[seeds.start - task.seeds.start : seeds.stop - task.seeds.start]
    else:
        block, start = divmod(seeds.start, BLOCK)
        cases = draw(task.generator, pair, block, real, start + len(seeds))[start:]
    truth = Truth(cases, task.compiled or not all_measured(seeds))

    def tallies_of(target: OpenTarget) -> list[Tally]:
        answers = answers_of_met(target, cases, rules.require)
        return tallied(judged(truth, answers, rules, seeds), cases.numbers, seeds)

    return tallies_of


_OF_THREAD = local()


def judge_in_worker(task: Task, rules: Rules, campaign: str, folder: str) -> TimedTallies:
    """Judge the cases of a task in another process, which keeps its targets open for more of the campaign.

    Those of another one, whose code may be older, are closed. Relative paths of targets are from the folder.
    """
    started = perf_counter()
    before, opened = getattr(_OF_THREAD, "targets", ("", OpenTargets()))
    if before != campaign:
        opened.close()
        opened = OpenTargets(folder=folder)
        _OF_THREAD.targets = campaign, opened
    return judge_cases(task, rules, opened), perf_counter() - started


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor]:
    """Start processes that leave Ctrl+C to this one, which then ends them."""
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, worker_context()) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
            raise


def catalogue(only: str | None = None) -> list[TargetSpec]:
    """Return every method but `exact` as a target of each of its pairs, or of one; raises Fault."""
    chosen = pairs() if only is None else [only]
    return [TargetSpec(name, pair) for pair in chosen for name in of_pair(pair) if name != EXACT]
