"""The targets of a map."""

from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.process import InThisProcess
from hitscope.targets.runners import catalogue_method
from hitscope.targets.target import Target, TargetSpec
from hitscope.targets.target_text import TargetText


def catalogue_target(text: str, pair: str) -> Target:
    """Return a method of the catalogue, compiled; raises HitscopeError for any other text."""
    return InThisProcess(catalogue_method.load(TargetSpec(text, pair), compiled_from=0))


def map_target(spec: TargetSpec, opened: OpenTargets, positions: int) -> Target:
    """Return a target for so many positions: a method of the catalogue is compiled at once if that pays."""
    if TargetText.of(spec.text).kind == "catalogue_method" and positions >= catalogue_method.COMPILED_FROM:
        return InThisProcess(catalogue_method.load(spec, compiled_from=0))
    return opened[spec]
