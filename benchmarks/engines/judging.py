"""One function judged, under the rules of its documentation and strictly, with one found case as a scene."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Executor
from math import floor, log10
from pathlib import Path

import msgspec

from benchmarks.engines.functions import BOUNDARY, OWN_RANGE, OWN_SHARE, Counts, Function, Project, Result
from hitscope.draw.builder import Builder
from hitscope.evaluate import evaluate
from hitscope.geometry.shapes import Vec3
from hitscope.judge.campaign import Campaign
from hitscope.judge.finding_scenes import truth_of
from hitscope.judge.findings import Finding, difference, examples
from hitscope.judge.shrinking import shrunk_all
from hitscope.judge.tallies import Row, percentile
from hitscope.render.camera import Camera, Viewport
from hitscope.scene.model import Expectation, FileCamera, Scene
from hitscope.targets.judging.judged import CRASH, WRONG_HIT, WRONG_MISS
from hitscope.targets.judging.rules import Rules
from hitscope.targets.open_targets import OpenTargets

VERDICTS = (WRONG_HIT, WRONG_MISS, CRASH)
PICTURE = Viewport(0, 0, 1280, 800)


def judge(
    function: Function,
    project: Project,
    engines: Path,
    home: Path,
    cases: int,
    jobs: int,
    executor: Executor | None,
) -> tuple[Result, Scene | None]:
    """Judge a function; returns its result, and a scene of its worst case if it has any.

    Raises HitscopeError for an adapter that does not compile or run.
    """
    spec = function.target(project, engines, home)
    scene, counts = None, list[tuple[Counts, Counts]]()
    with OpenTargets() as opened:
        for rules in (function.documented, function.strict):
            rows = []
            for generators, share in ((OWN_RANGE, OWN_SHARE), (BOUNDARY, 1)):
                campaign = Campaign([spec], range(cases * share), rules, generators)
                campaign.run(opened, jobs, executor, alone_seconds=0.0 if executor else 1.0)
                rows.append(campaign.rows)
            counts.append((_counts(rows[0]), _counts(rows[1])))
            found = examples([*rows[0], *rows[1]], one_each=True)
            worst = [finding for finding in found if finding.kind in VERDICTS]
            if worst and scene is None:
                (finding,) = shrunk_all(worst[:1], opened, rules)
                scene = _scene(finding, function, project, rules)
        compiler = opened[spec].about
    fingerprint = function.fingerprint(project, engines, cases, home)
    documented, strict = counts
    return Result(fingerprint, documented, strict, compiler, has_scene=scene is not None), scene


def _counts(rows: Iterable[Row]) -> Counts:
    tallies = [row.tally for row in rows]
    wrong = {kind: sum(tally.wrong[kind] for tally in tallies) for kind in VERDICTS}
    return Counts(
        cases=sum(tally.cases for tally in tallies),
        left_out=sum(tally.left_out for tally in tallies),
        wrong_hits=wrong[WRONG_HIT],
        wrong_misses=wrong[WRONG_MISS],
        crashes=wrong[CRASH],
        worst_ulps=max(tally.worst_ulps for tally in tallies),
        worst_units=max(tally.worst_distance for tally in tallies),
        t_99_ulps=percentile(sum((tally.t_ulps for tally in tallies), Counter[float]())),
        t_worst_ulps=max(tally.t_worst_ulps for tally in tallies),
    )


def _scene(finding: Finding, function: Function, project: Project, rules: Rules) -> Scene:
    """Return a finding as a scene of the gallery: in words, with all its expectations, a camera and its map."""
    sentences = (
        f"{function.name} of {function.project}: {difference(finding)}.",
        f"Generator {finding.generator}, seed {finding.example.seed}, judged as {rules.words}.",
        f"Source: {project.source.replace('{}', function.source)}",
    )
    name = f"{function.project}: {function.name}"
    scene = truth_of(finding, rules, name, " ".join(sentences))
    (truth,) = scene.expect
    hits = Expectation(probe=truth.probe, hits=(truth.primitive,) if truth.hit else ())  # type: ignore[arg-type]
    camera = Camera.of_view(scene.view, Builder().corners(evaluate(scene)), PICTURE)
    digits = 3 - floor(log10(camera.distance))
    eye, target = (_rounded(point, digits) for point in (camera.eye, camera.target))
    view = msgspec.structs.replace(scene.view, camera=FileCamera(eye=eye, target=target))
    return msgspec.structs.replace(scene, schema="../scene.schema.json", expect=(truth, hits), view=view)


def _rounded(point: Vec3, digits: int) -> Vec3:
    x, y, z = (round(float(number), digits) for number in point)
    return x, y, z
