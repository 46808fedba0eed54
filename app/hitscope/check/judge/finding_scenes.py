"""Findings as scene files: the pair, the exact verdict, the method's verdict and the reason."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from msgspec import to_builtins

from hitscope.check.judge.shape_items import item
from hitscope.check.judge.tallies import Finding, GeneratorTally
from hitscope.check.judge.target import CRASH
from hitscope.errors import HitscopeError
from hitscope.geometry import exact
from hitscope.scene import AnyPrimitive, AnyProbe, Expectation, MethodChoice, Scene, model, save


def scene_of(finding: Finding) -> Scene:
    """Return a finding as a scene that passes `hitscope check`: a known deviation is an expectation, too."""
    target, (probe, primitive) = finding.target, finding.shapes
    items = item(model.PROBES, probe), item(model.PRIMITIVES, primitive)
    ids = f"{items[0].word}-0", f"{items[1].word}-0"
    hit = exact.meet(probe, primitive)
    why = reason(finding)
    expect = [Expectation(probe=ids[0], primitive=ids[1], hit=hit)]
    if target.method is not None and finding.kind != CRASH:
        choice: MethodChoice = target.method.name
        if target.arguments:
            choice = {"name": target.method.name, **target.arguments}
        expect.append(Expectation(probe=ids[0], primitive=ids[1], hit=not hit, method=choice, why=why))
    return Scene(
        version=1,
        name=f"{target.name}: {finding.kind}",
        description=f"{why}. From `hitscope judge`, generator {finding.generator}, seed {finding.seed}.",
        primitives=(cast(AnyPrimitive, items[1]),),
        probes=(cast(AnyProbe, items[0]),),
        expect=tuple(expect),
    )


def reason(finding: Finding) -> str:
    """Describe a difference in words, with its cause: rounding, a tolerance or the logic of the method."""
    if finding.kind == CRASH:
        return f"{finding.target.name} crashes: {finding.crash}"
    cause = finding.target.cause(*finding.shapes)
    return f"{finding.kind} of {finding.target.name}{f'; {cause}' if cause else ''}"


def save_findings(findings: Iterable[Finding], folder: Path) -> dict[Finding, Path]:
    """Write each finding as a scene file into a folder, and return the paths; raises HitscopeError."""
    paths = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for finding in findings:
            parts = (finding.target.name, finding.pair, finding.kind, finding.generator)
            stem = "-".join(re.sub(r"[^\w.]+", "_", part) for part in parts)
            paths[finding] = folder / f"{stem}.scene.json"
            save(scene_of(finding), paths[finding])
    except OSError as error:
        raise HitscopeError(f"{folder}: expected a folder to write scenes into, found: {error.strerror}") from None
    return paths


def as_dict(
    tallies: Iterable[GeneratorTally], findings: Iterable[Finding], paths: Mapping[Finding, Path]
) -> dict[str, Any]:
    """Return the document that `hitscope judge --json` prints."""
    return {
        "tallies": [tally.as_dict() for tally in tallies],
        "findings": [
            {
                "method": finding.target.name,
                "pair": finding.pair,
                "kind": finding.kind.replace(" ", "_"),
                "generator": finding.generator,
                "seed": finding.seed,
                "why": reason(finding),
                "file": str(paths[finding]) if finding in paths else None,
                "scene": to_builtins(scene_of(finding)),
            }
            for finding in findings
        ],
    }
