"""The evaluation of a command's scenes: by the methods that they name, or by TARGETs of its options."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from hitscope.evaluate import Report
from hitscope.scene import Scene

ReportSource: TypeAlias = Callable[[Scene], Report]


@contextmanager
def report_source(options: argparse.Namespace) -> Iterator[ReportSource]:
    """Yield what evaluates a scene, by the TARGETs of the options where there are some."""
    from hitscope.evaluate import OwnMethods, evaluate

    if not options.method:
        yield evaluate
        return
    from hitscope.targets.deciding import DecidingTargets

    with DecidingTargets(options) as targets:
        yield lambda scene: evaluate(scene, own=OwnMethods(targets.methods(scene)))
