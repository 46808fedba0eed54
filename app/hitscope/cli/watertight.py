"""The command `hitscope judge TARGET --pair ray_triangle --mesh FILE`."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from rich.text import Text

from hitscope import numerals, outputs
from hitscope.cli import tables
from hitscope.cli.tables import new_table, print_table
from hitscope.errors import HitscopeError
from hitscope.geometry import threads
from hitscope.judge.findings import numbers_text
from hitscope.judge.watertight.leak_scenes import Leak, leaks_of, save_leaks, scene_of
from hitscope.judge.watertight.leaks import PAIR, LeakTally, LeakTest, Row
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import carried_by, specs
from hitscope.targets.target import Carried
from hitscope.terminal import json_text, print_line

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
        print(json_text(as_dict(test, leaks, paths)))
    else:
        print_leaks(test, about, leaks, paths)
    return INTERRUPTED if interrupted else WRONG if leaks else FINE


SUMS = ("rays", "leaks", "left_out", "calls", "wrong_hits", "crashes", "hangs", "not_run", "seconds")


def print_leaks(test: LeakTest, about: Iterable[str], leaks: Sequence[Leak], paths: Mapping[int, Path]) -> None:
    """Print the tallies, and of each row the first leak and the first crash."""
    first, mesh = test.targets[0], test.rays.mesh
    print_line(
        f"{first.given} on {first.pair} in {first.precision}: {len(test.seeds)} rays of each aim from inside"
    )
    print_line(f"{test.file}: {len(mesh.triangles)} triangles, closed, oriented and manifold")
    for line in filter(None, dict.fromkeys(about)):
        print_line(line)
    _print_tallies(test)
    shown = set()
    for place, leak in enumerate(leaks):
        key = leak.row, leak.example.kind
        if key in shown:
            continue
        shown.add(key)
        flags = f", {leak.row[0].flags}" if len(test.targets) > 1 else ""
        print_line(f"{leak.words} (seed {leak.example.seed}{flags})")
        if place in paths:
            print_line(f"    {paths[place]}")
        else:
            for shape in (leak.ray, *(leak.around[k] for k in sorted(leak.met))):
                print_line(f"    {numbers_text(shape, leak.row[0].real)}")
    if not leaks:
        print("no leak")


def _print_tallies(test: LeakTest) -> None:
    tallies = test.tallies.values()
    others = {
        "left out": [tally.left_out for tally in tallies],
        "not run": [tally.not_run for tally in tallies],
    }
    others = {heading: counts for heading, counts in others.items() if any(counts)}
    with_flags = len(test.targets) > 1
    table = new_table("aim", *(["flags"] if with_flags else []))
    for heading in ("rays", "leaks", "per million", "crashes", "wrong hits", *others, "calls a ray", "ns a call"):
        table.add_column(heading, justify="right")
    for i, ((target, aim), tally) in enumerate(test.tallies.items()):
        table.add_row(
            aim,
            *([target.flags] if with_flags else []),
            str(tally.rays),
            _count(tally.leaks),
            f"{tally.leaks_per_million:.0f}" if tally.rays else "",
            _count(tally.crashes),
            str(tally.wrong_hits),
            *(str(counts[i]) for counts in others.values()),
            numerals.short(tally.calls / tally.rays, 3) if tally.rays else "",
            "" if tally.timed_ns_per_call is None else numerals.short(tally.timed_ns_per_call, 3),
        )
    print_table(table)


def _count(number: int) -> Text:
    return Text(str(number), style="red") if number else Text("0", style="dim")


def as_dict(test: LeakTest, leaks: Sequence[Leak], paths: Mapping[int, Path]) -> dict[str, Any]:
    """Return the document that `hitscope judge --mesh --json` prints."""
    mesh = test.rays.mesh
    return {
        "mesh": {"file": str(test.file), "triangles": len(mesh.triangles), "vertices": len(mesh.vertices)},
        "tallies": [_tally_as_dict(row, tally) for row, tally in test.tallies.items()],
        "findings": [
            {
                **_row_as_dict(leak.row),
                "kind": leak.example.kind,
                "seed": leak.example.seed,
                "why": leak.words,
                "triangles": sorted(leak.met),
                "file": str(paths[place]) if place in paths else None,
                "scene": to_builtins(scene_of(leak, test.file)),
            }
            for place, leak in enumerate(leaks)
        ],
    }


def _row_as_dict(row: Row) -> dict[str, str]:
    target, aim = row
    return {
        "method": target.given,
        "flags": target.flags,
        "float": target.precision,
        "pair": target.pair,
        "aim": aim,
    }


def _tally_as_dict(row: Row, tally: LeakTally) -> dict[str, Any]:
    return {
        **_row_as_dict(row),
        **{name: getattr(tally, name) for name in SUMS},
        "leaks_per_million": tally.leaks_per_million,
        "ns_per_call": tally.ns_per_call,
    }
