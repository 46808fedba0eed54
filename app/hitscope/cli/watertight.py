"""The command `hitscope judge TARGET --pair ray_triangle --mesh FILE`."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from hitscope import numerals, outputs
from hitscope.cli.judge import is_judged_whole, print_header
from hitscope.cli.tables import count, new_table, print_table
from hitscope.errors import HitscopeError
from hitscope.judge.campaign import Campaign
from hitscope.judge.drawing.rays_inside import AIMS, rays_inside
from hitscope.judge.findings import numbers_text
from hitscope.judge.leaks import LEAK, PAIR, RayFinding, as_dict, ray_findings, save_ray_findings
from hitscope.judge.tallies import Row
from hitscope.targets.judging.judged import CRASH, WRONG_HIT
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import carried_by, specs
from hitscope.targets.target import Carried, TargetSpec
from hitscope.terminal import FINE, INTERRUPTED, WRONG, json_text, print_line

RAYS = 250_000
"""The rays of each aim, if --cases does not say it: a million in all."""
OF_PAIRS_ALONE = (
    *("builtin", "generator", "cases-from", "baseline", "require"),
    *("dask", "boundary", "slack", "t-tolerance", "as"),
)
"""The options of how pairs are drawn, judged and written: of a ray it counts only whether anything stops it."""


def run(options: argparse.Namespace) -> int:
    """Shoot rays from inside a mesh; returns the exit status: 0 nothing leaks, 1 something does, 130 Ctrl+C."""
    for name in OF_PAIRS_ALONE:
        given = getattr(options, "framework" if name == "as" else name.replace("-", "_"))
        if given is not None and given is not False:
            raise HitscopeError(f"expected --mesh without --{name}, found both")
    known = carried_by(options.target, options.pair, options) if options.target is not None else Carried()
    if options.target is None or (options.pair or known.pair) != PAIR:
        pair = f"--pair {options.pair}" if options.pair else "no pair"
        found = "no TARGET" if options.target is None else pair
        raise HitscopeError(f"expected TARGET and --pair {PAIR} with --mesh, found {found}")
    if options.output:
        outputs.require_folder(options.output)
    targets = specs(known, PAIR, options, options.float)
    rays = rays_inside(options.mesh, targets[0].real)
    seeds = range(options.seed, options.seed + (options.cases or RAYS))
    campaign = Campaign(targets, seeds, generators=AIMS, mesh=options.mesh)
    with OpenTargets() as opened:
        is_whole = is_judged_whole(campaign, opened, options)
        about = [opened[target].about for target in targets] if is_whole else []
    findings, paths = ray_findings(campaign.rows, rays), {}
    if options.output and is_whole:
        paths = save_ray_findings(findings, options.output, targets, options.mesh)
    if options.json:
        print(json_text(as_dict(campaign.rows, findings, paths, options.mesh, rays)))
    else:
        of_mesh = f"{options.mesh}: {len(rays.mesh.triangles)} triangles, closed, oriented and manifold"
        print_header(campaign, f"{len(seeds)} rays of each aim from inside", [of_mesh, *about])
        print_rays(campaign.rows)
        print_ray_findings(findings, paths, with_flags=len(targets) > 1)
    return INTERRUPTED if not is_whole else WRONG if findings else FINE


def print_rays(rows: Sequence[Row]) -> None:
    tallies = [row.tally for row in rows]
    others = {"left out": [tally.left_out for tally in tallies], "not run": [tally.not_run for tally in tallies]}
    others = {heading: counts for heading, counts in others.items() if any(counts)}
    with_flags = any(row.target != rows[0].target for row in rows)
    numbers = "rays", "leaks", "per million", "crashes", "wrong hits", *others, "calls a ray", "ns a call"
    table = new_table("aim", *(["flags"] if with_flags else []), right=numbers)
    for i, (row, tally) in enumerate(zip(rows, tallies, strict=True)):
        leaks = tally.counts[LEAK]
        table.add_row(
            row.generator,
            *([row.target.flags] if with_flags else []),
            str(tally.cases),
            count(leaks),
            f"{tally.per_million(leaks):.0f}" if tally.cases else "",
            count(tally.counts[CRASH]),
            str(tally.counts[WRONG_HIT]),
            *(str(counts[i]) for counts in others.values()),
            numerals.short(tally.calls / tally.cases, 3) if tally.cases else "",
            "" if tally.timed_ns_per_call is None else numerals.short(tally.timed_ns_per_call, 3),
        )
    print_table(table)


def print_ray_findings(findings: Sequence[RayFinding], paths: Mapping[RayFinding, Path], with_flags: bool) -> None:
    """Print of each row the first leak and the first crash."""
    first: dict[tuple[TargetSpec, str, str], RayFinding] = {}
    for finding in findings:
        first.setdefault((finding.target, finding.generator, finding.kind), finding)
    for finding in first.values():
        flags = f", {finding.target.flags}" if with_flags else ""
        print_line(f"{finding.words} (seed {finding.example.seed}{flags})")
        if finding in paths:
            print_line(f"    {paths[finding]}")
        else:
            for shape in (finding.ray, *(finding.around[k] for k in sorted(finding.met))):
                print_line(f"    {numbers_text(shape, finding.target.real)}")
    if not findings:
        print("no leak")
