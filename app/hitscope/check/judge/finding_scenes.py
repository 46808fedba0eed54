"""Findings as scene files: the pair, the exact verdict, the method's verdict and the reason."""

import os
import re
from collections.abc import Container, Iterable, Mapping
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Any, cast

from msgspec import to_builtins

from hitscope.check.judge.shape_items import item
from hitscope.check.judge.tallies import Finding, GeneratorTally, TargetsByPair
from hitscope.check.judge.target import CRASH, JudgeTarget
from hitscope.errors import HitscopeError
from hitscope.geometry import exact
from hitscope.scene import ENDING, AnyPrimitive, AnyProbe, Expectation, MethodChoice, Scene, load, model, save

ORIGIN = "From `hitscope judge`, "
"""What the description of a finding says, by which it is known for one."""
LONGEST_NAME = 40
"""The most characters of a target's name in the name of a file."""


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
        description=f"{why}. {ORIGIN}generator {finding.generator}, seed {finding.seed}.",
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


def save_findings(findings: Iterable[Finding], folder: Path, targets: TargetsByPair) -> dict[Finding, Path]:
    """Write each finding as a scene file into a folder, and return the paths; raises HitscopeError.

    Those of earlier runs of the targets are replaced. A file is one of them if its name begins like theirs, and
    its description says that it is a finding: every other file stays.
    """
    paths: dict[Finding, Path] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        old = {
            path
            for pair, judged in targets.items()
            for target in judged
            for path in folder.glob(f"{_beginning(target, pair, folder)}-*{ENDING}")
            if _is_finding(path)
        }
        for finding in findings:
            name = f"{_beginning(finding.target, finding.pair, folder)}-{finding.kind.replace(' ', '_')}"
            paths[finding] = _free(folder, f"{name}-{finding.generator}", old)
            save(scene_of(finding), paths[finding])
        for path in old.difference(paths.values()):
            path.unlink()
    except OSError as error:
        raise HitscopeError(f"{folder}: expected a folder to write scenes into, found: {error.strerror}") from None
    return paths


def _beginning(target: JudgeTarget, pair: str, folder: Path) -> str:
    """Return how the names of a target's files begin: its name and, if that is not all of it, a checksum.

    A function is the same from whatever folder and under whatever spelling of its path it is judged.
    """
    if target.method is not None:
        name, rest = target.method.name, repr(sorted(target.arguments.items())) if target.arguments else ""
    else:
        location, _, name = target.name.rpartition(":")
        rest = f"{_relative(Path(target.file), folder) if target.file else location}:{name}"
    checksum = f"-{sha256(os.fsencode(rest)).hexdigest()[:8]}" if rest else ""
    return f"{re.sub('[^A-Za-z0-9_]+', '_', name)[:LONGEST_NAME]}{checksum}-{pair}"


def _relative(file: Path, folder: Path) -> str:
    """Return a path relative to the folder of the findings, so that both can be moved together."""
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive of Windows
        return file.resolve().as_posix()


def _is_finding(path: Path) -> bool:
    try:
        return path.is_file() and ORIGIN in load(path).description
    except HitscopeError:
        return False


def _free(folder: Path, name: str, old: Container[Path]) -> Path:
    """Return the path of a finding, with a number where a file that is no finding has its name."""
    paths = (folder / f"{name}{number}{ENDING}" for number in chain([""], (f"-{n}" for n in count(2))))
    return next(path for path in paths if path in old or not os.path.lexists(path))


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
