"""Campaigns: the same outcome however they are cut, spread, ended by failures or put together again."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor

import pytest

from hitscope.judge.campaign import Campaign
from hitscope.judge.drawing import draw
from hitscope.judge.findings import examples
from hitscope.judge.results import as_dict
from hitscope.judge.tallies import MOST_MEASURED
from hitscope.targets.cases import BLOCK
from hitscope.targets.judging import truth
from hitscope.targets.judging.judged import CRASH, MEASURED_BLOCKS, SAMPLED, WRONG_HIT, WRONG_MISS, WRONG_T, judged
from hitscope.targets.judging.rules import Rules
from hitscope.targets.judging.truth import Truth
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import MOST_CRASHES, TargetSpec
from tests.judge.campaigns import judge
from tests.judge.merging import merge

SOMETIMES = """
def f(point, box):
    if point.position[0] > LIMIT:
        raise ValueError("beyond")
    return all(a < x <= b for a, x, b in zip(box.lo, point.position, box.hi))
"""
GENERATORS = ["uniform", "integer_grid"]


class Backwards(Executor):
    """An executor that does the tasks it holds in reverse, as soon as one result is wanted."""

    def __init__(self):
        self.held = []

    def submit(self, function, /, *given, **_named):
        future = Future()
        self.held.append((future, function, given))
        future.result = lambda timeout=None: (self.work(), Future.result(future))[1]
        return future

    def work(self):
        while self.held:
            future, function, given = self.held.pop()
            future.set_result(function(*given))


def document(specs, seeds, **options):
    """Return what `--json` prints of a campaign, without its times."""
    rows = judge(specs, seeds, Rules(), GENERATORS, **options)
    return timeless(as_dict(rows, examples(rows, one_each=False), {}, Rules()))


def timeless(value):
    value = json.loads(json.dumps(value))
    for entry in value["tallies"]:
        for part in (entry, *entry.get("parts", ())):
            part.pop("seconds"), part.pop("ns_per_call")
    return value


@pytest.mark.parametrize("limit", ["2", "0"])
def test_the_outcome_is_the_same_in_any_executor(target, limit):
    spec = target(SOMETIMES.replace("LIMIT", limit), "point_aabb")
    seeds = range(BLOCK - 150, BLOCK + 150)
    alone = document([spec], seeds)
    assert document([spec], seeds, executor=Backwards(), workers=3, alone_seconds=0.0) == alone
    assert document([spec], seeds, workers=2, alone_seconds=0.0) == alone


def test_a_row_ends_at_the_same_case_however_its_seeds_are_cut(target):
    spec = target(SOMETIMES.replace("LIMIT", "0.9"), "point_aabb")
    seeds = range(2 * BLOCK - 1000, 2 * BLOCK + 2000)
    (row, _) = judge([spec], seeds, Rules(), GENERATORS)
    assert row.tally.wrong[CRASH] == MOST_CRASHES
    assert row.tally.not_run == len(seeds) - row.tally.cases > 0
    last = seeds[row.tally.cases - 1]
    (again, _) = judge([spec], range(seeds.start, last + 1), Rules(), GENERATORS)
    assert again.tally.wrong[CRASH] == MOST_CRASHES and again.tally.not_run == 0
    (before, _) = judge([spec], range(seeds.start, last), Rules(), GENERATORS)
    assert before.tally.wrong[CRASH] == MOST_CRASHES - 1


@pytest.mark.parametrize("limit", ["2", "0.9"])
def test_the_documents_of_two_campaigns_merge_into_that_of_both(target, limit):
    spec = target(SOMETIMES.replace("LIMIT", limit), "point_aabb")
    first, second, both = (document([spec], range(*ends)) for ends in ((0, 900), (900, 2500), (0, 2500)))
    assert timeless_merge(first, second) == both


def timeless_merge(first, second):
    for value in (first, second):
        for entry in value["tallies"]:
            for part in (entry, *entry.get("parts", ())):
                part["seconds"] = 0.0
    return timeless(merge(first, second))


def test_three_hangs_end_a_row(target):
    code = "int f(const double *p, const double *b, double *t) { if (p[0] > 0) for (;;) ; return 0; }"
    spec = target(code, "point_aabb", "mine.c", timeout=0.5)
    (row,) = judge([spec], range(100), Rules(), ["uniform"])
    assert row.tally.hangs == row.tally.wrong[CRASH] == 3
    assert row.tally.not_run == 100 - row.tally.cases > 50


def test_ctrl_c_prints_what_was_judged_until_then(tmp_path):
    code = "import time\ncalls = open('calls', 'ab', 0)\n"
    code += "def f(p, b):\n    calls.write(b'x')\n    time.sleep(0.01)\n    return True\n"
    (tmp_path / "mine.py").write_text(code)
    command = [sys.executable, "-m", "hitscope", "judge", "mine.py:f", "--pair", "point_aabb", "--cases", "100"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run = subprocess.Popen(
            [*command, "-j", "1", "--json"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    calls = tmp_path / "calls"
    while not calls.exists() or calls.stat().st_size < 150:  # a generator has 100 cases
        with pytest.raises(subprocess.TimeoutExpired):
            run.wait(0.05)
    os.killpg(run.pid, signal.SIGINT)
    out, _ = run.communicate(timeout=300)
    assert run.returncode == 130
    tallies = json.loads(out)["tallies"]
    assert all(entry["cases"] + entry["not_run"] == 100 for entry in tallies)
    assert 0 < sum(entry["cases"] for entry in tallies) < 100 * len(tallies)


def test_a_target_is_opened_when_it_is_its_turn():
    campaign = Campaign([TargetSpec("bounds", "point_aabb"), TargetSpec("smits", "ray_aabb")], range(10))
    open_targets = []
    with OpenTargets() as opened:
        campaign.run(opened, advance=lambda _: open_targets.append(len(opened.targets)))
    generators = len(campaign.generators)
    assert open_targets == [1] * generators + [2] * generators


def test_a_few_cases_start_no_other_process(monkeypatch):
    def refused(*given):
        raise AssertionError("a pool for a campaign of milliseconds")

    monkeypatch.setattr(ProcessPoolExecutor, "__init__", refused)
    (row,) = judge([TargetSpec("smits", "ray_aabb")], range(20), Rules(), ["uniform"], workers=8)
    assert row.tally.cases == 20


NEVER = "int f(const double *p, const double *b, double *t) { return 0; }"
LATER = range(MEASURED_BLOCKS * BLOCK, (MEASURED_BLOCKS + 1) * BLOCK)


def wrongs(row):
    return row.tally.wrong[WRONG_HIT] + row.tally.wrong[WRONG_MISS]


def test_beyond_the_first_blocks_the_distances_of_the_first_wrong_verdicts_alone_are_measured(target, monkeypatch):
    sizes = []
    distance = Truth.distance
    monkeypatch.setattr(Truth, "distance", lambda self, which: sizes.append(len(which)) or distance(self, which))
    spec = target(NEVER, "point_aabb", "mine.c")
    (row,) = judge([spec], range(BLOCK), Rules(), ["uniform"])
    assert sum(sizes) == wrongs(row) > MOST_MEASURED
    sizes.clear()
    (row,) = judge([spec], LATER, Rules(), ["uniform"])
    assert wrongs(row) > MOST_MEASURED and sum(sizes) <= MOST_MEASURED + 1
    (finding,) = examples([row], one_each=False)
    assert 0 < finding.example.distance <= row.tally.worst_distance
    assert 0 < finding.example.ulps <= row.tally.worst_ulps


def test_the_measured_distances_are_the_same_in_any_executor(target):
    spec = target(NEVER, "point_aabb", "mine.c")
    seeds = range(LATER.start - 20, LATER.start + 2 * BLOCK + 5)
    assert document([spec], seeds, executor=Backwards(), workers=2, alone_seconds=0.0) == document([spec], seeds)


def test_beyond_the_first_blocks_few_ts_take_fractions_and_the_others_are_counted(target, monkeypatch):
    taken = []
    t_enter = truth.t_enter
    monkeypatch.setattr(truth, "t_enter", lambda *pair: taken.append(pair) or t_enter(*pair))
    code = "int f(const double *p, const double *b, double *t) { *t = 0.5; return 1; }"
    spec = target(code, "segment_triangle", "mine.c")
    rows = judge([spec], LATER, Rules(), ["in_plane"])
    (tally,) = (row.tally for row in rows)
    assert tally.ts_left_out > BLOCK // 4
    assert tally.t_ulps.total() + tally.ts_left_out == tally.hits
    assert len(taken) <= BLOCK // SAMPLED


def test_ts_known_within_bounds_are_judged_as_exact_ones(target):
    """Rays that leave a contact have a t of nearly zero, which float64 in pairs has with few digits."""
    slab = """
        int f(const double *p, const double *b, double *t) {
            double lo = 0;
            for (int i = 0; i < 3; i++) {
                double s = ((p[3 + i] > 0 ? b[i] : b[3 + i]) - p[i]) / p[3 + i];
                if (s > lo) lo = s;
            }
            *t = lo * (1 + (p[0] > 0) * 1e-14);
            return 1;
        }"""
    spec = target(slab, "ray_aabb", "mine.c")
    for generator in ("faces", "vertices"):
        seeds = range(LATER.start, LATER.start + 1000)
        (row,) = judge([spec], seeds, Rules(), [generator])
        with OpenTargets() as opened:
            cases = draw(generator, spec.pair, seeds.start // BLOCK, count=len(seeds))
            exactly = judged(Truth(cases, compiled=True), opened[spec].answer(cases), Rules())
        assert row.tally.ts_left_out == 0
        assert row.tally.wrong[WRONG_T] == exactly.wrong[WRONG_T].sum() > 0
