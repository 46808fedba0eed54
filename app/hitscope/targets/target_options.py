"""The options of a command line that go with a TARGET."""

import argparse
from pathlib import Path
from typing import cast

from msgspec import UNSET, UnsetType

from hitscope.scene.model import Boundary, FileJudging
from hitscope.targets.carried import carried
from hitscope.targets.judging.rules import Rules
from hitscope.targets.options import target_specs
from hitscope.targets.target import REALS, Carried, TargetSpec


def rules_of(options: argparse.Namespace, known: Carried, judged: FileJudging | UnsetType = UNSET) -> Rules:
    """Return the rules of the command line, else those of a judged scene, else those that a target carries."""
    boundary, slack = cast(Boundary, known.boundary) or "closed", known.slack or 0.0
    usual = judged or FileJudging(boundary=boundary, slack=slack, require=known.require)
    t_ulps, t_distance = getattr(options, "t_tolerance", None) or usual.t_tolerance
    return Rules(
        options.boundary or usual.boundary,
        usual.slack if options.slack is None else options.slack,
        t_ulps,
        t_distance,
        tuple(options.require or usual.require),
    )


def carried_by(text: str, pair: str | None, options: argparse.Namespace) -> Carried:
    """Return what a TARGET of a command line carries, a name of a `hitscope.toml` beside its scenes included."""
    named: list[str] = [str(getattr(options, "scene", "."))]
    for name in ("paths", "scenes", "logs"):
        named += map(str, getattr(options, name, None) or ())
    folders = [path if path.is_dir() else path.parent for path in map(Path, named)]
    return carried(text, pair, dict.fromkeys(folders))


def target_words(options: argparse.Namespace) -> list[str]:
    """Return what a command line says of TARGETs that decides their verdicts, as words of another one."""
    words = ["--float", options.float] if options.float else []
    words += [f"--flags={flags}" for flags in options.flags or ()]
    words += ["--batch"] if options.batch else []
    words += ["--boundary", options.boundary] if options.boundary else []
    words += [] if options.slack is None else ["--slack", f"{options.slack:g}"]
    return words + [word for text in options.require or () for word in ("--require", text)]


def method_words(spec: TargetSpec) -> list[str]:
    """Return the words of a command line that let a target decide scenes that say how it was judged."""
    flags = [f"--flags={spec.flags}"] if spec.flags and spec.flags not in spec.carried.flags else []
    return ["--method", f"{spec.pair}={spec.given}", *flags, *(["--batch"] if spec.batch else [])]


def specs(text: str | Carried, pair: str, options: argparse.Namespace, precision: str | None) -> list[TargetSpec]:
    """Return a TARGET with the options of the command line, once for each of the flags; raises HitscopeError.

    `precision` is f32, f64, or None for the one that it carries, or that the kind of target has.
    """
    return target_specs(
        carried_by(text, pair, options) if isinstance(text, str) else text,
        pair,
        real=REALS.get(precision or ""),
        flags=options.flags or (),
        batch=options.batch,
        timeout=options.timeout,
    )
