"""Targets on the rays inside a closed mesh: what leaks, by aim, whatever the number of processes."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hitscope.geometry.exact.pairwise import decide
from hitscope.judge.campaign import (
    ALONE_SECONDS,
    WAITING,
    Place,
    blocks_of,
    targets_of_thread,
    worker_processes,
)
from hitscope.judge.tallies import TIMED_CALLS
from hitscope.judge.watertight.closed_mesh import read_closed_mesh
from hitscope.judge.watertight.rays_inside import AIMS, Close, RaysInside
from hitscope.targets.cases import BLOCK, Cases, Reals
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import (
    FAILED,
    HIT,
    MISS,
    MOST_CRASHES,
    MOST_HANGS,
    NOT_CALLED,
    OUTSIDE,
    Answers,
    TargetSpec,
)

PAIR = "ray_triangle"
LEAK, CRASH = "leak", "crash"
MOST_EXAMPLES = 4
"""The most leaks of an aim that are kept to be shown; of crashes the first one."""
TASK_BLOCKS = 4
"""The blocks of seeds that a process takes at a time."""


class Example(NamedTuple):
    """A ray that leaks, or on which a target crashes."""

    kind: str
    seed: int
    ray: tuple[float, ...]
    """Its six numbers."""
    triangles: tuple[int, ...]
    """The triangles that the target was given, in the order of the file; of a crash the one at fault."""
    words: str = ""
    """The event of a crash, in one line."""


@dataclass(frozen=True)
class LeakTally:
    """The sums of some rays of a target and an aim; those of two tallies of different rays add up."""

    rays: int = 0
    """The rays for whose triangles the target was called."""
    leaks: int = 0
    """The rays of which it says that they miss every triangle."""
    left_out: int = 0
    """The rays of which it says so, but that some triangles are outside its contract."""
    calls: int = 0
    wrong_hits: int = 0
    """The pairs of which it says that they meet, and exact geometry that they do not."""
    crashes: int = 0
    hangs: int = 0
    not_run: int = 0
    seconds: float = 0.0
    """The time spent in the target's code."""
    examples: tuple[Example, ...] = ()

    def __add__(self, later: "LeakTally") -> "LeakTally":
        """Return the tally of both, of which the other has later seeds: not run after many failures."""
        if self.failed_too_often:
            later = LeakTally(not_run=later.rays + later.not_run)
        names = ("rays", "leaks", "left_out", "calls", "wrong_hits", "crashes", "hangs", "not_run", "seconds")
        sums: dict[str, Any] = {name: getattr(self, name) + getattr(later, name) for name in names}
        return LeakTally(**sums, examples=_first([*self.examples, *later.examples]))

    @property
    def leaks_per_million(self) -> float:
        """The leaks in a million rays."""
        return self.leaks * 1e6 / self.rays if self.rays else 0.0

    @property
    def ns_per_call(self) -> float | None:
        """The nanoseconds in the target's code a call; None if it was not called."""
        return self.seconds * 1e9 / self.calls if self.calls else None

    @property
    def timed_ns_per_call(self) -> float | None:
        """The nanoseconds a call; None of so few calls that it tells more of what calls the code."""
        return self.ns_per_call if self.calls >= TIMED_CALLS else None

    @property
    def failed_too_often(self) -> bool:
        """Whether the rest of the rays is not run."""
        return self.crashes >= MOST_CRASHES or self.hangs >= MOST_HANGS


def _first(examples: Sequence[Example]) -> tuple[Example, ...]:
    leaks = [example for example in examples if example.kind == LEAK]
    crashes = [example for example in examples if example.kind == CRASH]
    return *leaks[:MOST_EXAMPLES], *crashes[:1]


Row: TypeAlias = tuple[TargetSpec, str]
"""A target and an aim."""
Tallies: TypeAlias = dict[Row, LeakTally]


class Task(NamedTuple):
    """Some rays of some rows."""

    file: Path
    rows: tuple[Row, ...]
    seeds: range


class LeakTest:
    """Targets of one precision on as many rays of each aim as there are seeds.

    `tallies` is filled while it runs: after an interrupt it has what was judged until then.
    """

    def __init__(self, file: Path, targets: Sequence[TargetSpec], seeds: range) -> None:
        """Read the mesh; raises HitscopeError."""
        self.file = file
        self.targets = targets
        self.seeds = seeds
        self.rays = _rays_in(file, targets[0].real)
        self.tallies: Tallies = {(target, aim): LeakTally() for target in targets for aim in AIMS}

    @property
    def size(self) -> int:
        """The number of rays."""
        return len(self.tallies) * len(self.seeds)

    def run(
        self,
        opened: OpenTargets,
        workers: int,
        advance: Callable[[int], object] = lambda rays: None,
        alone_seconds: float = ALONE_SECONDS,
    ) -> None:
        """Judge every ray; `advance` is called with the number of rays of each task done.

        The first ones are judged here, and after `alone_seconds` the others in so many worker processes. Raises
        HitscopeError for a target that cannot be judged.
        """
        for target in self.targets:
            opened[target]
        tasks = self._tasks()
        started = perf_counter()
        while workers == 1 or perf_counter() - started < alone_seconds:
            if not (task := next(tasks, None)):
                return
            self._add(judge_rays(task, self.rays, opened), advance)
        with worker_processes(workers) as executor:
            self._run_in(executor, workers, tasks, advance)

    def _run_in(
        self, executor: Executor, workers: int, tasks: Iterator[Task], advance: Callable[[int], object]
    ) -> None:
        waiting: deque[Future[Tallies]] = deque()
        while True:
            while len(waiting) < WAITING * workers and (task := next(tasks, None)):
                waiting.append(executor.submit(judge_rays_in_worker, task))
            if not waiting:
                return
            self._add(waiting.popleft().result(), advance)

    def _tasks(self) -> Iterator[Task]:
        """Yield the tasks, without the rows that have ended early by then."""
        for seeds in blocks_of(self.seeds, TASK_BLOCKS):
            rows = tuple(row for row, tally in self.tallies.items() if not tally.failed_too_often)
            yield Task(self.file, rows, seeds)

    def _add(self, found: Tallies, advance: Callable[[int], object]) -> None:
        for row, tally in found.items():
            self.tallies[row] += tally
            advance(tally.rays + tally.not_run)

    def finish(self) -> None:
        """Add the rays that are missing at the end of a row as ones that are not run."""
        for row, tally in self.tallies.items():
            self.tallies[row] += LeakTally(not_run=len(self.seeds) - tally.rays - tally.not_run)


def judge_rays(task: Task, rays: RaysInside, opened: OpenTargets) -> Tallies:
    """Judge the rays of a task, block by block."""
    found = dict.fromkeys(task.rows, LeakTally())
    for seeds in blocks_of(task.seeds):
        block, start = divmod(seeds.start, BLOCK)
        origins = rays.origins(block)
        for aim in AIMS:
            numbers = rays.aimed(aim, origins, block)[start : start + len(seeds)]
            close = rays.close_to(numbers)
            cases = Cases(PAIR, np.concatenate([numbers[close.owners], rays.numbers[close.triangles]], axis=1))
            for row in task.rows:
                if row[1] == aim and not found[row].failed_too_often:
                    answers = opened[row[0]].answer(cases)
                    found[row] += tallied(rays, numbers, close, cases, answers, seeds)
    for row, tally in found.items():
        found[row] = tally + LeakTally(not_run=len(task.seeds) - tally.rays - tally.not_run)
    return found


PLACE = Place("", os.getcwd())
"""The campaign and folder of a worker process, which has no other."""


def judge_rays_in_worker(task: Task) -> Tallies:
    """Judge the rays of a task in a process of its own, whose mesh and targets stay until it ends."""
    return judge_rays(task, _rays_in(task.file, task.rows[0][0].real), targets_of_thread(PLACE))


@cache
def _rays_in(file: Path, real: str) -> RaysInside:
    return RaysInside(read_closed_mesh(file, real))


def tallied(
    rays: RaysInside, numbers: Reals, close: Close, cases: Cases, answers: Answers, seeds: Sequence[int]
) -> LeakTally:
    """Return the tally of a target's answers to the pairs of m rays (m, 6) and the triangles close to each."""
    starts, owners = close.first[:-1], close.owners
    run = np.logical_and.reduceat(answers.hit != NOT_CALLED, starts)
    leaks = np.logical_and.reduceat(answers.hit == MISS, starts)
    outside = np.logical_and.reduceat((answers.hit == MISS) | (answers.hit == OUTSIDE), starts) & ~leaks
    claimed = np.flatnonzero((answers.hit == HIT) & run[owners])
    met = decide(rays.rays(numbers[owners[claimed]]), rays.triangles(close.triangles[claimed])).hits
    examples = [
        Example(
            LEAK,
            seeds[i],
            tuple(numbers[i].tolist()),
            tuple(close.triangles[close.first[i] : close.first[i + 1]].tolist()),
        )
        for i in np.flatnonzero(leaks)[:MOST_EXAMPLES].tolist()
    ]
    examples += [
        Example(
            CRASH, seeds[owners[k]], tuple(numbers[owners[k]].tolist()), (int(close.triangles[k]),), failure.words
        )
        for k, failure in [*answers.failures.items()][:1]
    ]
    return LeakTally(
        rays=int(np.count_nonzero(run)),
        leaks=int(np.count_nonzero(leaks)),
        left_out=int(np.count_nonzero(outside)),
        calls=int(np.count_nonzero(answers.hit != NOT_CALLED)),
        wrong_hits=int(np.count_nonzero(~met)),
        crashes=int(np.count_nonzero(answers.hit == FAILED)),
        hangs=sum(failure.hung for failure in answers.failures.values()),
        not_run=int(np.count_nonzero(~run)),
        seconds=answers.seconds,
        examples=tuple(examples),
    )
