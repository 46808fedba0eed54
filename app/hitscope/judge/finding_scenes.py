"""Findings as scene files: the pair, the truth, what a method of the catalogue answers, and the reason."""

import os
import re
from collections.abc import Container, Iterable, Sequence
from fractions import Fraction
from hashlib import sha256
from importlib.machinery import PathFinder
from math import inf
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from hitscope.errors import HitscopeError
from hitscope.geometry import exact
from hitscope.geometry.kinds import innermost, word_of
from hitscope.geometry.shapes import Shape
from hitscope.judge.findings import Finding, reason
from hitscope.maps.handles import handle_name
from hitscope.maps.plane import SIZE, telling_scale
from hitscope.outputs import folder_for, numbered
from hitscope.scene import ENDING, AnyPrimitive, AnyProbe, Expectation, MethodChoice, Scene, load, model, save
from hitscope.scene.items import Item
from hitscope.scene.model import FileJudging, FileMap, FileView
from hitscope.scene.shape_items import fields_of
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T
from hitscope.targets.judging.rules import Rules
from hitscope.targets.method_text import method_of_target
from hitscope.targets.target import TargetSpec, TargetText

ORIGIN = "From `hitscope judge`, "
"""The words in the description of a finding by which it is known for one."""
LONGEST_NAME = 40
"""The most characters of a target's name in the name of a file."""


def scene_of(finding: Finding, rules: Rules, known: Iterable[str] = ()) -> Scene:
    """Return a finding as a scene that passes `hitscope check`: a known deviation is an expectation, too.

    `known` are sentences about the target for its description, without full stops.
    """
    why = reason(finding, own_name(finding.target))
    place = f"{ORIGIN}generator {finding.generator}, seed {finding.example.seed}"
    about = ". ".join([why, place, *known])
    scene = truth_of(finding, rules, f"{own_name(finding.target)}: {finding.kind}", f"{about}.")
    chosen = method_of_target(finding.target)
    if chosen is None or finding.kind not in (WRONG_HIT, WRONG_MISS) or finding.target.real != "float64":
        return scene
    name = chosen.method.name
    choice: MethodChoice = {"name": name, **chosen.arguments} if chosen.arguments else name
    (truth,) = scene.expect
    deviation = replace(truth, hit=finding.kind == WRONG_HIT, method=choice, why=why)
    return replace(scene, expect=(truth, deviation))


def truth_of(finding: Finding, rules: Rules, name: str, description: str) -> Scene:
    """Return the pair of a finding as a scene that expects the right answer."""
    probe, primitive = finding.shapes
    items = item(model.PROBES, probe), item(model.PRIMITIVES, primitive)
    relation = exact.relation(probe, primitive)
    truth = Expectation(probe=f"{items[0].word}-0", primitive=f"{items[1].word}-0", hit=relation.hit)
    if finding.kind == WRONG_T and relation.t_enter not in (None, -inf):
        truth = replace(truth, t_enter=exact.rounded(Fraction(relation.t_enter or 0)))
    if finding.kind == WRONG_NORMAL and relation.normal is not None:
        truth = replace(truth, normal=exact.unit(relation.normal))
    shown = FileMap(handle=handle_name(truth.probe, probe), scale=telling_scale(probe, primitive, SIZE))
    return Scene(
        version=1,
        name=name,
        description=description,
        primitives=(cast(AnyPrimitive, items[1]),),
        probes=(cast(AnyProbe, items[0]),),
        expect=(truth,),
        judged=judging(finding.target, rules),
        view=FileView(map=shown),
    )


def item(kinds: dict[str, type[Item]], shape: Shape) -> Item:
    """Return a shape as a probe or a primitive of a scene; raises Fault for what the format does not allow."""
    return kinds[word_of(innermost(type(shape)))](**fields_of(shape))


def judging(target: TargetSpec, rules: Rules) -> FileJudging:
    """Return how a target was judged, for its scenes; what is as usual is left to the format."""
    usual = FileJudging()
    given: dict[str, Any] = {
        "float": target.precision,
        "boundary": rules.boundary,
        "slack": rules.slack,
        "t_tolerance": (rules.t_ulps, rules.t_distance),
        "require": rules.require,
    }
    return FileJudging(**{name: value for name, value in given.items() if value != getattr(usual, name)})


def save_findings(
    findings: Sequence[Finding],
    folder: Path,
    targets: Iterable[TargetSpec],
    rules: Rules,
    known: Sequence[str] = (),
) -> dict[Finding, Path]:
    """Write each finding as a scene file into a folder, in place of those of earlier runs of the targets.

    `known` are sentences about the targets, as for `scene_of`. Returns the paths; raises HitscopeError.
    """
    named = []
    for finding in findings:
        start, kind = beginning(finding.target, folder), finding.kind.replace(" ", "_")
        named.append((f"{start}-{kind}-{finding.generator}", scene_of(finding, rules, known)))
    paths = save_scenes(named, folder, [beginning(target, folder) for target in targets], ORIGIN)
    return dict(zip(findings, paths, strict=True))


def save_scenes(
    named: Iterable[tuple[str, Scene]], folder: Path, beginnings: Iterable[str], origin: str
) -> list[Path]:
    """Write scenes under these names into a folder, in place of those of earlier runs; raises HitscopeError.

    A file is one of them if its name has one of the beginnings, and its description says where it is from: every
    other file stays.
    """
    paths: list[Path] = []
    with folder_for("scenes", folder):
        named_so = (path for start in beginnings for path in folder.glob(f"{start}-*{ENDING}"))
        old = {path for path in named_so if _is_from(path, origin)}
        for name, scene in named:
            paths.append(_free(folder, name, old.difference(paths)))
            save(scene, paths[-1])
        for path in old.difference(paths):
            path.unlink()
    return paths


def beginning(target: TargetSpec, folder: Path) -> str:
    """Return how the names of a target's files begin: its name and, if that is not all of it, a checksum.

    A function is the same from whatever folder and under whatever spelling of its path it is judged.
    """
    chosen = method_of_target(target)
    parts = [source(target.code, folder)] if chosen is None else []
    parts += [repr(sorted(chosen.arguments.items()))] if chosen and chosen.arguments else []
    parts += [part for part in (target.flags, target.precision if target.real == "float32" else "") if part]
    checksum = f"-{sha256(os.fsencode(' '.join(parts))).hexdigest()[:8]}" if parts else ""
    return f"{re.sub('[^A-Za-z0-9_]+', '_', own_name(target))[:LONGEST_NAME]}{checksum}-{target.pair}"


def own_name(target: TargetSpec) -> str:
    """Return the name of a target without the path to it: of its function, its method or its program."""
    text = target.code
    return text.function or text.location.split(",")[0].split()[0].rpartition("/")[2]


def source(text: TargetText, folder: Path) -> str:
    """Return where a target's code is, relative to the folder of the findings, so that both can be moved."""
    if text.kind == "command":
        return text.location
    file = Path(text.location)
    if text.kind == "python_function" and file.suffix != ".py":
        found = PathFinder.find_spec(text.location, [os.getcwd()])
        if found is None or not found.origin:
            return f"{text.location}:{text.function}"
        file = Path(found.origin)
    return f"{relative(file, folder)}:{text.function}"


def relative(file: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive of Windows
        return file.resolve().as_posix()


def _is_from(path: Path, origin: str) -> bool:
    try:
        return path.is_file() and origin in load(path).description
    except HitscopeError:
        return False


def _free(folder: Path, name: str, old: Container[Path]) -> Path:
    """Return the path of a new file, with a number where one that is not to be replaced has its name."""
    paths = numbered(folder / f"{name}{ENDING}")
    return next(path for path in paths if path in old or not os.path.lexists(path))
