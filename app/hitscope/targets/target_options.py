"""The options of a command line that go with a TARGET."""

import argparse

from hitscope.scene.model import FileJudging
from hitscope.targets.judging.rules import Rules
from hitscope.targets.options import target_specs
from hitscope.targets.target import REALS, TargetSpec


def rules_of(options: argparse.Namespace, judged: FileJudging) -> Rules:
    """Return the rules of a scene that was judged, but for what the command line says."""
    slack = judged.slack if options.slack is None else options.slack
    return Rules(options.boundary or judged.boundary, slack, *judged.t_tolerance)


def specs(text: str, pair: str, options: argparse.Namespace, precision: str | None) -> list[TargetSpec]:
    """Return a TARGET with the options of the command line, once for each of the flags; raises HitscopeError.

    `precision` is f32, f64, or None for the one that the kind of target has.
    """
    return target_specs(
        text,
        pair,
        real=REALS.get(precision or ""),
        flags=options.flags or (),
        batch=options.batch,
        timeout=options.timeout,
    )
