"""The command `hitscope judge TARGET --pair ray_triangle --mesh FILE`."""

import argparse

from hitscope import outputs
from hitscope.cli import tables
from hitscope.cli import watertight_report as report
from hitscope.errors import HitscopeError
from hitscope.geometry import threads
from hitscope.judge.watertight.leak_scenes import leaks_of, save_leaks
from hitscope.judge.watertight.leaks import PAIR, LeakTest
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import Carried
from hitscope.targets.target_options import carried_by, specs
from hitscope.terminal import json_text

FINE, WRONG, INTERRUPTED = 0, 1, 130
RAYS = 250_000
"""The rays of each aim, if --cases does not say it: a million in all."""
OF_PAIRS_ALONE = {
    "builtin": "--builtin",
    "generator": "--generator",
    "cases_from": "--cases-from",
    "baseline": "--baseline",
    "require": "--require",
    "dask": "--dask",
    "boundary": "--boundary",
    "slack": "--slack",
    "t_tolerance": "--t-tolerance",
    "framework": "--as",
}
"""The options of how pairs are drawn, judged and written: of a ray it counts only whether anything stops it."""


def run(options: argparse.Namespace) -> int:
    """Shoot rays from inside a mesh; returns the exit status: 0 nothing leaks, 1 something does, or crashes.

    130 after Ctrl+C, which ends it early: what was judged until then is printed. Raises HitscopeError.
    """
    for name, option in OF_PAIRS_ALONE.items():
        given = getattr(options, name)
        if given is not None and given is not False:
            raise HitscopeError(f"expected --mesh without {option}, found both")
    known = carried_by(options.target, options.pair, options) if options.target is not None else Carried()
    if options.target is None or (options.pair or known.pair) != PAIR:
        found = f"--pair {options.pair}" if options.pair else "no pair"
        found = "no TARGET" if options.target is None else found
        raise HitscopeError(f"expected TARGET and --pair {PAIR} with --mesh, found {found}")
    if options.output:
        outputs.require_folder(options.output)
    targets = specs(known, PAIR, options, options.float)
    test = LeakTest(options.mesh, targets, range(options.seed, options.seed + (options.cases or RAYS)))
    interrupted = False
    with OpenTargets() as opened:
        try:
            with tables.progress("rays", test.size) as advance:
                test.run(opened, options.jobs or threads.count(), advance)
        except KeyboardInterrupt:
            interrupted = True
        test.finish()
        about = [opened[target].about for target in targets] if not interrupted else []
    leaks = leaks_of(test)
    paths = save_leaks(leaks, options.output, test) if options.output and not interrupted else {}
    if options.json:
        print(json_text(report.as_dict(test, leaks, paths)))
    else:
        report.print_leaks(test, about, leaks, paths)
    return INTERRUPTED if interrupted else WRONG if leaks else FINE
