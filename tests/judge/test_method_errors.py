"""The counts of the page of methods."""

import json

import pytest

from hitscope.cli.catalogue import ERROR_CASES, ERRORS
from hitscope.geometry.registry import EXACT, of_pair, pairs
from hitscope.targets.target import TargetSpec
from tests.judge.campaigns import judge


@pytest.mark.parametrize(
    "target", [TargetSpec("smits", "ray_aabb", "float32"), TargetSpec("bounds", "point_aabb")]
)
def test_the_page_of_methods_counts_what_the_judge_counts(target):
    counted = json.loads(ERRORS.read_text(encoding="utf-8"))[target.pair][target.text][target.precision]
    rows = judge([target], range(ERROR_CASES))
    assert counted == {row.generator: wrong for row in rows if (wrong := row.tally.wrong_verdicts)}


def test_the_page_of_methods_counts_every_method():
    counted = json.loads(ERRORS.read_text(encoding="utf-8"))
    assert {pair: [*methods] for pair, methods in counted.items()} == {
        pair: names for pair in pairs() if (names := [name for name in of_pair(pair) if name != EXACT])
    }
