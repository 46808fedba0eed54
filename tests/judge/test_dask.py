"""Campaigns on the workers of a Dask scheduler: the same outcome as alone."""

import json
import os
import re

import pytest
from distributed import Client, LocalCluster

from hitscope.judge import WRONG_MISS, Rules, as_dict, examples, judge

pytestmark = pytest.mark.xdist_group("dask")  # one cluster for all of them
STRICT = """
import os, time
def f(point, box):
    open("callers", "a").write(f"{os.getppid()}\\n")
    time.sleep(SECONDS)
    return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))
"""
GENERATORS = ["uniform", "integer_grid"]


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes of two threads, in a folder that is not the judge's."""
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        yield cluster


def timeless(text):
    return re.sub(r'"(seconds|ns_per_call)": [^,}]*', "", text)


def test_the_outcome_is_that_of_one_process(cluster, target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = target(STRICT.replace("SECONDS", "0"), "point_aabb")

    def document(**options):
        rows = judge([spec], range(100), Rules(), GENERATORS, **options)
        return timeless(json.dumps(as_dict(rows, examples(rows, one_each=False), {}, Rules())))

    alone = document()
    with Client(cluster, set_as_default=False) as client:
        assert document(executor=client.get_executor(pure=False), workers=4, alone_seconds=0.0) == alone


def test_a_file_that_changed_after_a_campaign_is_loaded_again(cluster, target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Client(cluster, set_as_default=False) as client:

        def wrong_misses(code):
            spec = target(code, "point_aabb")
            executor = client.get_executor(pure=False)
            rows = judge([spec], range(50), Rules(), GENERATORS, 4, executor, alone_seconds=0.0)
            return sum(row.tally.wrong[WRONG_MISS] for row in rows)

        code = STRICT.replace("SECONDS", "0")
        assert wrong_misses(code) > 0
        assert wrong_misses(code.replace("<", "<=")) == 0


def test_the_command_finds_a_relative_target_on_the_workers(cluster, hitscope, tmp_path):
    (tmp_path / "mine.py").write_text(STRICT.replace("SECONDS", "0.01"), encoding="utf-8")
    command = ["judge", "mine.py:f", "--pair", "point_aabb", "--cases", "150", "--json", "-o", "found"]
    command += [f"--generator={name}" for name in GENERATORS]
    spread = hitscope(*command, "--dask", cluster.scheduler_address, cwd=tmp_path)
    callers = (tmp_path / "callers").read_text(encoding="utf-8").split()
    with Client(cluster, set_as_default=False) as client:
        workers = client.run(os.getpid)
    assert {*map(int, callers)} & {*workers.values()}
    alone = hitscope(*command, "-j", "1", cwd=tmp_path)
    assert (spread.returncode, spread.stderr, timeless(spread.stdout)) == (1, "", timeless(alone.stdout))
