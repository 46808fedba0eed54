"""Eight threads that load, evaluate and intersect at once, from the first call on, and answer as one does."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

from hitscope.evaluate import evaluate, intersect
from hitscope.geometry.registry import of_pair
from hitscope.scene import loads
from tests.fuzz.attacks import scenes
from tests.fuzz.harness import TESTS, Failure
from tests.geometry import cases

CASES, ACCEPTED, KINDS = 2, 1.0, 1
SECONDS = 120
LIMIT_MEMORY = False

THREADS = 8
PROGRAM = f"""
import json, sys
sys.path += [{str(TESTS.parent)!r}]
from tests.fuzz.attacks import threads
sys.setswitchinterval(1e-6)
print(json.dumps(threads.at_once(json.load(sys.stdin))))
"""


def make(random: Random) -> bytes:
    """Return the jobs: scenes of the gallery by their index, and pairs by name, seed and method."""
    jobs: list[object] = random.sample(range(len(scenes.sources())), 8)
    for _ in range(20):
        pair = random.choice(cases.PAIRS)
        jobs.append([pair, random.randrange(10**6), random.choice([*of_pair(pair)])])
    random.shuffle(jobs)
    return json.dumps(jobs).encode()


def check(case: bytes, folder: Path) -> str:
    """Compare the answers of the threads of a new process with those of this one."""
    jobs = json.loads(case)
    expected = [answer(job) for job in jobs]
    try:
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM], input=case, capture_output=True, check=False, timeout=SECONDS / 2
        )
    except subprocess.TimeoutExpired:
        raise Failure("hang of threads") from None
    if run.returncode:
        raise Failure(
            f"process with threads ends with {run.returncode}", run.stderr.decode(errors="replace")[-2000:]
        )
    for answers in json.loads(run.stdout):
        for job, found, wanted in zip(jobs, answers, expected, strict=True):
            if found != wanted:
                raise Failure("other answer in threads", f"{job}: {found!r:.500}, not {wanted!r:.500}")
    return "accepted"


def answer(job) -> object:
    """Return the verdicts of a scene, or the verdict of a pair, as JSON; an error as its text."""
    if isinstance(job, int):
        scene = loads(scenes.sources()[job], scenes.NAME, scenes.FOLDER)
        return scenes.answers(evaluate(scene)) if scenes.pairs_of(scene) <= scenes.SMALL_SCENE else []
    pair, seed, method = job
    probe, primitive = cases.pair(pair, seed)
    return json.dumps(intersect(probe, primitive, method).as_dict(), default=repr)


def at_once(jobs: list[object]) -> list[list[object]]:
    """Return the answers of each thread to all jobs; each begins with another."""
    start = threading.Barrier(THREADS)
    answers: list[list[object]] = [[None] * len(jobs) for _ in range(THREADS)]

    def run(k: int) -> None:
        start.wait()
        for n in range(len(jobs)):
            at = (n + k * len(jobs) // THREADS) % len(jobs)
            try:
                answers[k][at] = answer(jobs[at])
            except Exception as error:
                answers[k][at] = f"{type(error).__name__}: {error}"

    threads = [threading.Thread(target=run, args=(k,)) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
