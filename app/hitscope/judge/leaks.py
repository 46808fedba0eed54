"""A ray-triangle test on a closed mesh: rays from inside that leak, which no triangle of the mesh stops.

In exact arithmetic there is none: a ray that starts inside a closed surface meets it. Rays that pass close to an
edge or a vertex are the ones that a test with rounding may let through between two triangles.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from msgspec import to_builtins
from msgspec.structs import replace
from numpy.typing import NDArray

from hitscope.geometry import exact
from hitscope.geometry.arrays import builder
from hitscope.geometry.shapes import Ray, Triangle
from hitscope.judge.drawing.rays_inside import RaysInside, rays_inside
from hitscope.judge.finding_scenes import LONGEST_NAME, beginning, item, judging, own_name, save_scenes
from hitscope.judge.findings import Finding
from hitscope.judge.results import target_as_dict
from hitscope.judge.tallies import MOST_LEAKS, Example, Row, Tally
from hitscope.scene import AnyPrimitive, AnyProbe, Expectation, Scene, model
from hitscope.targets.calls import OpenTarget
from hitscope.targets.cases import BLOCK, Cases
from hitscope.targets.judging.judged import CRASH, WRONG_HIT
from hitscope.targets.judging.rules import DEFAULT_RULES
from hitscope.targets.target import FAILED, HIT, MISS, NOT_CALLED, OUTSIDE, TargetSpec

LEAK = "leak"
"""A kind of finding, of rays alone."""
PAIR = "ray_triangle"
ORIGIN = "From `hitscope judge --mesh`, "
"""The words in the description of a leak by which it is known for one."""
AIMED_AT = {"random": "nothing", "faces": "a face", "edges": "an edge", "vertices": "a vertex"}
"""The part of a triangle that a ray of each aim is aimed at."""


def judging_rays(file: Path, real: str, aim: str, seeds: range) -> Callable[[OpenTarget], list[Tally]]:
    """Return what judges targets on the rays inside a mesh with some seeds of one block."""
    rays = rays_inside(file, real)
    block, start = divmod(seeds.start, BLOCK)
    numbers = rays.aimed(aim, block)[start : start + len(seeds)]
    owners, triangles = rays.close_to(numbers)
    cases = Cases(PAIR, np.concatenate([numbers[owners], rays.numbers[triangles]], axis=1))

    def tallies_of(target: OpenTarget) -> list[Tally]:
        answers = target.answer(cases)

        def all_are(*outcomes: int) -> NDArray[np.bool_]:
            others = owners[~np.isin(answers.hit, outcomes)]
            return ~np.isin(np.arange(len(seeds)), others)

        run, leaks, unstopped = all_are(HIT, MISS, OUTSIDE, FAILED), all_are(MISS), all_are(MISS, OUTSIDE)
        claimed = np.flatnonzero((answers.hit == HIT) & run[owners])
        met = rays.met(numbers[owners[claimed]], triangles[claimed]).hits
        counts = {LEAK: leaks, WRONG_HIT: ~met, CRASH: answers.hit == FAILED}
        failures = answers.failures.items()
        crashes = [Example(seeds[owners[k]], cases.numbers[k], words=failure.words) for k, failure in failures]
        return [
            Tally(
                first_seed=seeds.start,
                cases=int(np.count_nonzero(run)),
                calls=int(np.count_nonzero(answers.hit != NOT_CALLED)),
                counts=+Counter({kind: int(np.count_nonzero(mask)) for kind, mask in counts.items()}),
                hangs=sum(failure.hung for failure in answers.failures.values()),
                left_out=int(np.count_nonzero(unstopped & ~leaks)),
                not_run=int(np.count_nonzero(~run)),
                seconds=answers.seconds,
                worst={CRASH: crashes[0]} if crashes else {},
                leaks=tuple(Example(seeds[i], numbers[i]) for i in np.flatnonzero(leaks)[:MOST_LEAKS].tolist()),
            )
        ]

    return tallies_of


@dataclass(frozen=True, eq=False)
class RayFinding(Finding):
    """A ray that leaks, or on which a target crashes."""

    ray: Ray
    around: Mapping[int, Triangle]
    """The triangles that the ray meets, and those with a vertex in common with one of them, by their number; of a
    crash the one at fault."""
    met: frozenset[int]

    @property
    def words(self) -> str:
        """The target's fault, in one line."""
        if self.kind == CRASH:
            return f"{own_name(self.target)} crashes on triangle {next(iter(self.around))}: {self.example.words}"
        where = f"triangle{'s' * (len(self.met) > 1)} {', '.join(map(str, sorted(self.met)))}"
        return f"a ray aimed at {AIMED_AT[self.generator]} leaks through {where}"


def ray_findings(rows: Iterable[Row], rays: RaysInside) -> list[RayFinding]:
    """Return the leaks of all rows that are kept to be shown, and the first crash of each."""
    return [
        _finding(row, kind, example, rays)
        for row in rows
        for kind, examples in ((LEAK, row.tally.leaks), (CRASH, row.tally.examples.values()))
        for example in examples
    ]


def _finding(row: Row, kind: str, example: Example, rays: RaysInside) -> RayFinding:
    numbers = example.numbers[:6]
    _, close = rays.close_to(numbers[None])
    if kind == CRASH:
        close = close[(rays.numbers[close] == example.numbers[6:]).all(axis=1)]
    ray: Ray = builder(Ray)(numbers.tolist())
    around = {k: builder(Triangle)(rays.numbers[k].tolist()) for k in close.tolist()}
    met = frozenset(k for k, triangle in around.items() if exact.meet(ray, triangle))
    if kind == LEAK:
        corners = rays.mesh.triangles[sorted(met)]
        around = {k: shape for k, shape in around.items() if np.isin(rays.mesh.triangles[k], corners).any()}
    return RayFinding(row.target, kind, row.generator, example, ray, around, met)


def scene_of(finding: RayFinding, file: Path) -> Scene:
    """Return a finding as a scene: `hitscope check` fails it by the target, and passes it by exact geometry."""
    ids = {k: f"triangle-{k}" for k in finding.around}
    primitives = [replace(item(model.PRIMITIVES, finding.around[k]), id=name) for k, name in ids.items()]
    place = f"{ORIGIN}{file.name}, aim {finding.generator}, seed {finding.example.seed}."
    return Scene(
        version=1,
        name=f"{own_name(finding.target)}: {finding.kind}",
        description=f"{finding.words}. {place}",
        primitives=tuple(cast(list[AnyPrimitive], primitives)),
        probes=(cast(AnyProbe, item(model.PROBES, finding.ray)),),
        expect=tuple(Expectation(probe="ray-0", primitive=name, hit=k in finding.met) for k, name in ids.items()),
        judged=judging(finding.target, DEFAULT_RULES),
    )


def save_ray_findings(
    findings: Sequence[RayFinding], folder: Path, targets: Iterable[TargetSpec], file: Path
) -> dict[RayFinding, Path]:
    """Write findings as scene files into a folder; returns the path of each. Raises HitscopeError.

    Those of earlier runs of the targets on a mesh of the same name are replaced.
    """
    mesh = re.sub("[^A-Za-z0-9_]+", "_", file.stem)[:LONGEST_NAME]
    starts = {target: f"{beginning(target, folder)}-{mesh}" for target in targets}
    named = [(f"{starts[each.target]}-{each.kind}-{each.generator}", scene_of(each, file)) for each in findings]
    return dict(zip(findings, save_scenes(named, folder, starts.values(), ORIGIN), strict=True))


def as_dict(
    rows: Iterable[Row],
    findings: Iterable[RayFinding],
    paths: Mapping[RayFinding, Path],
    file: Path,
    rays: RaysInside,
) -> dict[str, Any]:
    """Return the document that `hitscope judge --mesh --json` prints."""
    mesh = rays.mesh
    return {
        "mesh": {"file": str(file), "triangles": len(mesh.triangles), "vertices": len(mesh.vertices)},
        "tallies": [_row_as_dict(row, row.tally) for row in rows],
        "findings": [
            {
                **target_as_dict(finding.target),
                "aim": finding.generator,
                "kind": finding.kind,
                "seed": finding.example.seed,
                "why": finding.words,
                "triangles": sorted(finding.met),
                "file": str(paths[finding]) if finding in paths else None,
                "scene": to_builtins(scene_of(finding, file)),
            }
            for finding in findings
        ],
    }


def _row_as_dict(row: Row, tally: Tally) -> dict[str, Any]:
    return {
        **target_as_dict(row.target),
        "aim": row.generator,
        "rays": tally.cases,
        "leaks": tally.counts[LEAK],
        "left_out": tally.left_out,
        "calls": tally.calls,
        "wrong_hits": tally.counts[WRONG_HIT],
        "crashes": tally.counts[CRASH],
        "hangs": tally.hangs,
        "not_run": tally.not_run,
        "seconds": tally.seconds,
        "leaks_per_million": tally.per_million(tally.counts[LEAK]),
        "ns_per_call": tally.ns_per_call,
    }
