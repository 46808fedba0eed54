"""Scenes, their reports, verdicts and errors, pickled and copied: each is equal to what it was made from."""

import copy
import pickle
from pathlib import Path
from random import Random

from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.scene import dump, loads
from tests.fuzz import messages
from tests.fuzz.attacks import scenes
from tests.fuzz.harness import Failure

CASES, ACCEPTED, KINDS = 100, 0.2, 10
SECONDS = 20
LIMIT_MEMORY = True

WAYS = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "pickle of protocol 2": lambda value: pickle.loads(pickle.dumps(value, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def make(random: Random) -> bytes:
    """Return a scene file as it is, or mutated."""
    return random.choice(scenes.sources()) if random.random() < 0.3 else scenes.make(random)


def check(case: bytes, folder: Path) -> str:
    """Copy what loading the file gives, in every way."""
    try:
        scene = loads(case, scenes.NAME, scenes.FOLDER)
    except HitscopeError as error:
        for way, copied in WAYS.items():
            again = _copied(error, way, copied)
            if (type(again), str(again), again.message) != (type(error), str(error), error.message):
                raise Failure(f"{way} of an error differs", f"{error!r}, {again!r}") from None
        return messages.kind(str(error))
    small = scenes.pairs_of(scene) <= 100
    report = evaluate(scene) if small else None
    for way, copied in WAYS.items():
        again = _copied(scene, way, copied)
        if again != scene or dump(again) != dump(scene) or again.primitive_ids != scene.primitive_ids:
            raise Failure(f"{way} of a scene differs")
        if report is None:
            continue
        answers = scenes.answers(report)
        if scenes.answers(evaluate(again)) != answers:
            raise Failure(f"{way} of a scene evaluates to other verdicts")
        if scenes.answers(_copied(report, way, copied)) != answers:
            raise Failure(f"{way} of a report differs")
        if len(report.probes) and len(report.elements):
            verdict = report.verdict(0, 0)
            if _copied(verdict, way, copied) != verdict:
                raise Failure(f"{way} of a verdict differs", verdict)
    return "accepted"


def _copied(value: object, way: str, copied):
    try:
        return copied(value)
    except Exception as error:
        kind = "an error" if isinstance(value, HitscopeError) else f"a {type(value).__name__}"
        raise Failure(f"{way} of {kind} fails", f"{type(error).__name__}: {error}") from None
