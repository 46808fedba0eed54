"""Campaigns from their beginning to their end, as tests run them."""

from collections.abc import Sequence
from concurrent.futures import Executor

from hitscope.judge.campaign import ALONE_SECONDS, Campaign
from hitscope.judge.drawing import GENERATORS
from hitscope.judge.tallies import Row
from hitscope.targets.judging.rules import DEFAULT_RULES, Rules
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import TargetSpec


def judge(
    targets: Sequence[TargetSpec],
    seeds: range,
    rules: Rules = DEFAULT_RULES,
    generators: Sequence[str] = tuple(GENERATORS),
    workers: int = 1,
    executor: Executor | None = None,
    alone_seconds: float = ALONE_SECONDS,
) -> list[Row]:
    """Judge targets on the cases of some generators and seeds; returns the rows, those of a target together.

    It takes so many processes, or any executor, to which targets and tallies can be sent. Raises HitscopeError for
    a target that cannot be judged.
    """
    campaign = Campaign(targets, seeds, rules, generators)
    with OpenTargets() as opened:
        campaign.run(opened, workers, executor, alone_seconds=alone_seconds)
    return campaign.rows
