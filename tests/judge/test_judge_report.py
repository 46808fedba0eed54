"""The report of `hitscope judge`, as it is read on a terminal of 80 columns."""

import json
import re
from math import inf, isnan, nan

import numpy as np
import pytest

import hitscope
from hitscope import numerals
from hitscope.cli import judge as report
from hitscope.cli.options import joined_flags
from hitscope.geometry.shapes import Ray
from hitscope.judge import framework_tests
from hitscope.judge.findings import description, examples, numbers_text
from hitscope.judge.frameworks import FRAMEWORKS
from hitscope.judge.results import as_dict
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_T
from hitscope.targets.judging.rules import Rules
from hitscope.terminal import json_text
from tests.judge.campaigns import judge
from tests.judge.merging import merge

SHIFTED = """
def f(ray, box):
    from hitscope import intersect
    found = intersect(ray, box)
    return True, found.t_enter + 1 if found else 0.0
"""


@pytest.fixture
def rows(target):
    return judge([target(SHIFTED, "ray_aabb")], range(60))


def test_the_tables_fit_80_columns_and_one_example_of_each_kind_is_shown(rows, capsys):
    report.print_judged(rows, examples(rows, one_each=False), {})
    printed = capsys.readouterr().out
    tables, _, found = printed.partition("wrong hit: expected a miss, found a hit")
    assert max(map(len, tables.splitlines())) <= 80
    assert found.count("expected") == 1 and "wrong t: expected t_enter" in found
    assert re.search(r"\n    engine \(seed \d+\)\n    also: \w+ \(seed \d+, [\d.]+e\d+ ulps\), ", found)
    assert len(re.findall(r"also \(apart, degenerate aabb\): ", found)) == 1
    assert "ns a" not in tables, "of so few calls the time is that of the calls"


def test_an_example_says_what_was_expected_and_found(rows):
    by_kind = {finding.kind: description(finding) for finding in examples(rows, one_each=True)}
    assert by_kind[WRONG_HIT].startswith("expected a miss, found a hit (")
    assert re.match(
        r"expected t_enter [.\d]+, found [.\d]+ \(off by [.\d]+ units, [.\de]+ ulps\)$", by_kind[WRONG_T]
    )


def test_wrong_verdicts_per_million_are_told_apart_from_wrong_ts(rows):
    tally = next(row.tally for row in rows if row.generator == "uniform")
    assert tally.wrong[WRONG_T] > 0
    assert tally.wrong_verdicts == tally.wrong[WRONG_HIT]


def test_numbers_are_plain_while_they_are_short():
    texts = [numerals.short(number, 3) for number in (0, 61234.5, 0.0125, 2.42e7, 6.7e-4, -1.234e-9)]
    assert texts == ["0", "61200", "0.0125", "2.42e7", "0.00067", "-1.23e-9"]


def test_numbers_of_float32_have_the_digits_of_float32():
    ray = Ray((float(np.float32(0.1)), 0.0, 1.0), (0.0, 0.0, 1.0))
    assert numbers_text(ray, "float32") == "Ray(origin=(0.1, 0.0, 1.0), direction=(0.0, 0.0, 1.0))"
    assert "0.10000000149011612" in numbers_text(ray, "float64")


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("t", [None, nan, inf, -inf])
def test_no_number_of_a_finding_stops_a_report(t, precision, capsys):
    def odd(ray, box):
        """Answer so odd a t, and a hit too many to be shown beside it."""
        found = hitscope.intersect(ray, box)
        return (found.distance or 0) < 1, t if found and (found.t_enter or 0) > 1 else found.t_enter

    judged = hitscope.judge(odd, "ray_aabb", cases=60, float=precision, generator="engine")
    (row,) = judged.tallies
    report.print_judged(judged.tallies, judged.found, {})
    printed = capsys.readouterr().out
    (tally,), findings = (
        json.loads(json_text(as_dict(judged.tallies, judged.found, {}, judged.rules)))[name]
        for name in ("tallies", "findings")
    )
    written = [framework_tests.tests(judged.found, framework, judged.rules) for framework in FRAMEWORKS.values()]
    if t is None or isnan(t):
        assert {finding["kind"] for finding in findings} == {"wrong_hit"} and "no t" in printed
        assert (tally["wrong_ts"], tally["unmeasured"]) == (0, {}) and tally["missing_ts"] > 0
        return
    for text in (printed, repr(judged), judged._repr_html_(), *written):
        assert f", found {t}" in text and f", found {t} (off" not in text
    for finding in findings:
        if finding["kind"] == "wrong_t":
            why = {"distance": "t_is_infinite", "ulps": "t_is_infinite"}
            assert (finding["distance"], finding["ulps"], finding["unmeasured"]) == (None, None, why)
    assert tally["t_worst_ulps"] is None and tally["unmeasured"]["t_worst_ulps"] == "infinite"
    document = as_dict(judged.tallies, (), {}, judged.rules)
    assert merge(document, document | {"tallies": []}) == document
    assert row.tally.wrong[WRONG_T] == tally["wrong_ts"] > 0


def test_flags_may_begin_with_a_hyphen_without_an_equals_sign():
    given = ["judge", "mine.c:f", "--flags", "-ffast-math", "--flags", "-O3 -march=native", "--json"]
    assert joined_flags(given) == [
        *("judge", "mine.c:f", "--flags=-ffast-math", "--flags=-O3 -march=native", "--json")
    ]


def test_either_counts_two_flat_boxes_in_one_plane_for_neither_side(target):
    strict = "def f(a, b):\n    return all(p < s and r < q for p, q, r, s in zip(a.lo, a.hi, b.lo, b.hi))\n"
    (row,) = judge([target(strict, "aabb_aabb")], range(300), Rules(boundary="either"), ["degenerate"])
    assert row.tally.left_out > 50
    assert row.tally.wrong_verdicts == 0
