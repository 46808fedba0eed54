"""Campaigns on the workers of a Dask scheduler: the same outcome as alone."""

import json
import os
import re
import socket
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from threading import Thread
from time import sleep
from unittest.mock import patch

import dask
import pytest
from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker

from hitscope import HitscopeError
from hitscope.judge.campaign import Campaign
from hitscope.judge.dask_workers import dask_workers
from hitscope.judge.findings import examples
from hitscope.judge.results import as_dict
from hitscope.targets.judging.judged import WRONG_MISS
from hitscope.targets.judging.rules import Rules
from hitscope.targets.open_targets import OpenTargets
from tests.judge.campaigns import judge

pytestmark = pytest.mark.xdist_group("dask")  # one cluster for all of them
STRICT = """
import itertools
import time
import psutil
callers = " ".join(str(process.pid) for process in psutil.Process().parents())
calls = itertools.count()
def f(point, box):
    open("callers", "a").write(f"{callers}\\n")
    time.sleep(SECONDS)
    return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))
"""
GENERATORS = ["uniform", "integer_grid"]


@contextmanager
def cluster_of(workers, threads=1):
    """Start a scheduler and its worker processes; those import Dask once, and leave the environment as it was."""
    with patch.dict(os.environ), dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        started = LocalCluster(n_workers=workers, threads_per_worker=threads, dashboard_address=":0")
    with started:
        yield started


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes of two threads, in a folder that is not the judge's."""
    with cluster_of(2, threads=2) as cluster:
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
    # The campaign takes longer than it is judged alone; its findings are shrunk without waiting.
    code = STRICT.replace("SECONDS", "0.01 if next(calls) < 150 else 0")
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    command = ["judge", "mine.py:f", "--pair", "point_aabb", "--cases", "150", "--json", "-o", "found"]
    command += [f"--generator={name}" for name in GENERATORS]
    spread = hitscope(*command, "--dask", cluster.scheduler_address, cwd=tmp_path)
    callers = (tmp_path / "callers").read_text(encoding="utf-8").split()
    with Client(cluster, set_as_default=False) as client:
        workers = client.run(os.getpid)
    assert {*map(int, callers)} & {*workers.values()}
    (tmp_path / "mine.py").write_text(STRICT.replace("SECONDS", "0"), encoding="utf-8")
    alone = hitscope(*command, "-j", "1", cwd=tmp_path)
    assert (spread.returncode, spread.stderr, timeless(spread.stdout)) == (1, "", timeless(alone.stdout))


@pytest.fixture
def judge_on(target, tmp_path, monkeypatch, capsys):
    """A function that judges on the workers of a scheduler; returns what it prints, and the error that ends it."""
    monkeypatch.chdir(tmp_path)
    spec = target(STRICT.replace("SECONDS", "0.01"), "point_aabb")

    def judge_on(address):
        with pytest.raises(HitscopeError) as caught, dask_workers(address, alone_seconds=0.5) as dask:
            Campaign([spec], range(100)).run(OpenTargets(), dask.threads, dask.executor, check=dask.check)
        return [*capsys.readouterr().err.splitlines(), str(caught.value)]

    return judge_on


def test_lost_workers_are_said_and_without_any_the_campaign_ends(judge_on, tmp_path):
    with cluster_of(2) as cluster:
        with Client(cluster, set_as_default=False) as client:
            workers = client.run(os.getpid)
        callers = tmp_path / "callers"

        def end_the_workers():
            while not callers.exists() or {*map(int, callers.read_text().split())}.isdisjoint(workers.values()):
                sleep(0.01)
            for worker in [*cluster.workers.values()]:
                cluster.sync(worker.close)

        ending = Thread(target=end_the_workers)
        ending.start()
        *lost, last = judge_on(cluster.scheduler_address)
        ending.join()
    name = f"--dask {cluster.scheduler_address}: "
    pattern = rf"{name}lost the worker (.*); (1 left|none left, waiting 0.5 s for another)"
    found = [re.fullmatch(pattern, line) for line in lost]
    assert sorted(", ".join(match[1] for match in found).split(", ")) == sorted(workers)
    assert last == f"{name}expected workers, found none for 0.5 s"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (CancelledError(), "expected a scheduler to the end, found none"),
        (
            KilledWorker("x", None, 3),
            "expected workers that finish their tasks, found a task that ended 4 of them",
        ),
    ],
)
def test_the_end_of_a_scheduler_or_task_is_one_line(cluster, error, words):
    with pytest.raises(HitscopeError) as caught, dask_workers(cluster.scheduler_address):
        raise error
    assert str(caught.value).startswith(f"--dask {cluster.scheduler_address}: {words}")


def test_a_scheduler_without_workers_is_not_waited_for(judge_on):
    with cluster_of(0) as cluster:
        found = judge_on(cluster.scheduler_address)
    assert found == [f"--dask {cluster.scheduler_address}: expected workers, found none for 0.5 s"]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nonsense", "missing port number in address 'nonsense'"),
        ("127.0.0.1:1", "Connection refused"),
        ("ftp://x:1", "unknown address scheme 'ftp'"),
        ("tls://127.0.0.1:{port}", "TLS expects a `ssl_context` argument"),
        ("127.0.0.1:{port}", "another server"),
    ],
)
def test_what_is_no_scheduler_is_one_line(judge_on, address, words):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet():
            with suppress(OSError), server.accept()[0] as connection:
                connection.sendall(b"220 mail.example.org ESMTP")

        greeting = Thread(target=greet, daemon=True)
        greeting.start()
        address = address.format(port=server.getsockname()[1])
        (line,) = judge_on(address)
    assert line.startswith(f"--dask {address}: expected a Dask scheduler, found {words}")
