"""The outcomes of listed scenes, one by one: checked here, and in more processes where that saves time."""

import argparse
from collections.abc import Generator, Sequence
from time import perf_counter

from hitscope.check.runner import Checks, Listed, Outcome, check_listed

ALONE_SECONDS = 0.5
"""The time before more processes are started, which take about as long to start."""


def outcomes(
    listed: Sequence[Listed], checks: Checks, options: argparse.Namespace, jobs: int, alone_seconds: float
) -> Generator[Outcome, None, None]:
    """Yield the outcome of each scene listed, in this order, as soon as it is known.

    The first ones are checked here, for `alone_seconds` and until the first of `jobs` processes has started; where
    that is 0, all of them are checked in processes. Each opens the TARGETs of the options for itself. Raises
    HitscopeError where no process can be started.
    """
    began, k = perf_counter(), 0
    while k < len(listed) and (jobs == 1 or perf_counter() - began < alone_seconds):
        yield check_listed(listed[k], checks)
        k += 1
    if k == len(listed):
        return
    from hitscope.check.scene_processes import SceneProcesses, Task

    processes = SceneProcesses(min(jobs, len(listed) - k), Task.of(checks, options), listed)
    try:
        while alone_seconds and k < len(listed) and not processes.is_any_ready:
            yield check_listed(listed[k], checks)
            k += 1
        yield from processes.outcomes(k, checks)
        if options.method:
            processes.end()
    finally:  # after an interrupt, too, and when no more outcomes are wanted
        processes.kill()
