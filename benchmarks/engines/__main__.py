"""Judge functions of engines, whose checkouts are folders of ENGINES, and write the page and the scenes.

python -m benchmarks.engines ENGINES [-j N] [--dask ADDRESS] [--only TEXT] [--again]
"""

import argparse
import sys
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

from benchmarks.engines.functions import (
    FOLDER,
    RESULTS,
    Function,
    Result,
    read_results,
    read_table,
    write_results,
)
from benchmarks.engines.judging import judge
from benchmarks.engines.page import PAGE, SCENES, page
from hitscope.errors import HitscopeError
from hitscope.geometry import threads
from hitscope.judge.campaign import worker_processes
from hitscope.outputs import write_file
from hitscope.scene import save

CHECKOUT = FOLDER.parents[1]
CASES = 2048
"""The cases of each generator of the boundary."""
JUDGED = Path("build/engines.json")
"""The results of a run that may go on after it was stopped; of the checkout they are those of the page."""


def main() -> None:
    """Judge the functions that are there, and write the page; exits with 1 where one could not be judged."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("engines", type=Path, metavar="ENGINES", help="the folder of the checkouts")
    parser.add_argument("-j", "--jobs", type=int, default=threads.count(), help="number of processes (the cores)")
    parser.add_argument("--dask", metavar="ADDRESS", help="judge on the workers of this Dask scheduler")
    parser.add_argument("--only", default="", metavar="TEXT", help="judge only adapters with this in their names")
    parser.add_argument("--again", action="store_true", help="judge what was judged by an earlier run, too")
    options = parser.parse_args()
    with ExitStack() as stack:
        executor, workers = None, options.jobs
        if options.dask:
            from hitscope.judge.dask_workers import dask_workers

            dask = stack.enter_context(dask_workers(options.dask))
            executor, workers = dask.executor, dask.threads
        elif workers > 1:
            executor = stack.enter_context(worker_processes(workers))
        sys.exit(update(options.engines, workers, executor, options.only, options.again))


def update(
    engines: Path,
    jobs: int = 1,
    executor: Executor | None = None,
    only: str = "",
    again: bool = False,
    home: Path = CHECKOUT,
    cases: int = CASES,
) -> int:
    """Judge the functions whose source is there, write page and scenes; returns how many could not be judged.

    A function that was judged as it is by a run before keeps its result, one without a checkout that of the page.
    """
    folder = home / FOLDER.relative_to(CHECKOUT)
    table = read_table(folder)
    of_page, judged = read_results(folder / RESULTS), read_results(home / JUDGED)
    broken = 0
    for function in table.functions:
        if only in function.key and function.file(engines).is_file():
            project = table.projects[function.project]
            fingerprint = function.fingerprint(project, engines, cases, folder)
            if not again and function.key in judged and judged[function.key].fingerprint == fingerprint:
                continue
            started = perf_counter()
            try:
                found, scene = judge(function, project, engines, folder, cases, jobs, executor)
            except HitscopeError as error:
                broken += 1
                print(f"{function.key}: {error}", file=sys.stderr)
                continue
            path = home / SCENES / f"{function.key}.scene.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            if scene is not None:
                save(scene, path)
            judged[function.key] = found
            write_results(home / JUDGED, judged)
            _say(function, found, perf_counter() - started)
    results = {function.key: (of_page | judged).get(function.key) for function in table.functions}
    known = {key: result for key, result in results.items() if result is not None}
    write_results(folder / RESULTS, known)
    write_file(home / PAGE, [page(table, known).encode()])
    return broken


def _say(function: Function, found: Result, seconds: float) -> None:
    rates = ", ".join(f"{rate:,.0f}" for rate in found.rank)
    print(f"{function.key} on {function.pair}: {rates} wrong per million, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
