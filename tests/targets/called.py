"""Targets called on cases, as a campaign calls them."""

from hitscope.targets.cases import Cases
from hitscope.targets.options import target_specs
from hitscope.targets.process import open_target


def call(text, pair, numbers, **options):
    """Open a target and return its answers to cases `numbers` (n, k), in their precision."""
    (spec,) = target_specs(text, pair, real=numbers.dtype.name, **options)
    with open_target(spec) as target:
        return target.answer(Cases(pair, numbers))
