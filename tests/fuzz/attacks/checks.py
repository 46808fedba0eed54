"""Scenes that expect anything of anything: `check` compares, reports and updates them, or refuses them."""

import json
from copy import deepcopy
from pathlib import Path
from random import Random

from hitscope.check.failures import Failure as CheckFailure
from hitscope.check.github import annotation
from hitscope.check.junit import cases_of
from hitscope.check.outcome_outputs import as_dict, outcome_lines
from hitscope.check.report.details import SceneDetails
from hitscope.check.runner import Checks, Outcome, check_file
from hitscope.check.updating import update_file
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.evaluate.expected_report import expected_report
from hitscope.evaluate.lesson import unmet
from hitscope.scene import loads
from tests.fuzz import messages, mutations
from tests.fuzz.attacks import scenes
from tests.fuzz.harness import Failure
from tests.fuzz.mutations import Object, Token

CASES, ACCEPTED, KINDS = 150, 0.3, 10
SECONDS = 60
LIMIT_MEMORY = True
SHRINKS = True
BULK = ("aabbs", "obbs", "triangles", "segments", "rays", "points")
ANSWERS = ("t_enter", "t_exit", "point", "normal", "distance", "state", "side")
STATES = ("apart", "touching", "crossing", "inside", "coplanar", "front", "back", "on", "both")


def make(random: Random) -> bytes:
    """Return a scene whose probes may be disabled, with other expectations, and perhaps mutated."""
    root = mutations.parsed(random.choice(scenes.sources()).decode("utf-8-sig"))
    fields = {key: value for key, value in root}
    names = {key: _names(fields.get(key), key, random) for key in ("probes", "primitives")}
    if names["probes"] and names["primitives"]:
        expect = [_expectation(names, random) for _ in range(random.choice((1, 2, 5, 20)))]
        root[:] = [[key, value] for key, value in root if key != "expect"] + [["expect", expect]]
    text = mutations.written(root, ascii_only=False)
    return mutations.document(text, random, []) if random.random() < 0.4 else text.encode()


def _names(items: object, key: str, random: Random) -> list[str]:
    """Return the names that items have, of elements, too, and change what may move ids and disable probes."""
    names: list[str] = []
    if not isinstance(items, list):
        return names
    if items and random.random() < 0.2:
        items.insert(0, deepcopy(random.choice(items)))
        items[0][:] = [[name, value] for name, value in items[0] if name != "id"]
    for k, item in enumerate(items):
        changed = {name: value for name, value in item}
        if random.random() < 0.3:
            changed.pop("id", None)
        if key == "probes" and random.random() < 0.3:
            changed["enabled"] = False
        name, size = str(changed.get("id", f"{changed.get('type')}-{k}")), 0
        if changed.get("type") in BULK:
            arrays = {name: value for name, value in changed.items() if isinstance(value, list)}
            if random.random() < 0.2:
                changed |= {name: [] for name in arrays}
            elif arrays:
                size = len(next(iter(arrays.values())))
        item[:] = [[name, value] for name, value in changed.items()]
        names += [name, name, *([f"{name}[{random.randrange(size)}]"] * 2 if size else ())]
    return names


def _expectation(names: dict[str, list[str]], random: Random) -> Object:
    made = Object([["probe", random.choice(names["probes"])]])
    if random.random() < 0.2:
        made.append(["hits", random.sample(names["primitives"], k=min(3, len(names["primitives"])))])
        return made
    made.append(["primitive", random.choice(names["primitives"])])
    if random.random() < 0.7:
        made.append(["hit", random.random() < 0.5])
    if len(made) == 2 or random.random() < 0.4:
        for name in random.sample(ANSWERS, k=random.choice((1, 2, 3))):
            made.append([name, _answer(name, random)])
    return made


def _answer(name: str, random: Random) -> object:
    if random.random() < 0.1:
        return None
    if name in ("state", "side"):
        return random.choice(STATES[:5] if name == "state" else STATES[5:])
    near = [Token(repr(random.randint(-2, 2) / 2)) for _ in "xyz"]
    numbers = near if random.random() < 0.5 else [mutations.number(random) for _ in "xyz"]
    return numbers if name in ("point", "normal") else numbers[0]


def check(case: bytes, folder: Path) -> str:
    """Check the scene, and everything that is written about it."""
    path = scenes.FOLDER.joinpath(scenes.NAME)
    try:
        scene = loads(case, str(path), path.parent)
    except HitscopeError as error:
        return messages.check(str(error), str(path))
    if scenes.pairs_of(scene) > scenes.SMALL_SCENE:
        return "large"
    for is_strict in (False, True):
        checks = Checks(read=lambda _: case, with_lines=True, is_strict=is_strict)
        outcome = check_file(path, checks)
        if outcome.error is not None:
            raise Failure(f"{outcome.error.partition(': ')[2][:60]} of check", outcome.traceback or outcome.error)
        _check_outputs(outcome, is_strict)
        details = SceneDetails(str(path), checks)
        for failure in outcome.failures:
            _check_details(details, failure)
    report = evaluate(scene)
    expected = expected_report(report)
    for step in scene.lesson:
        unmet(step, report, (), ())
    if len(expected.hit_elements) != len(report.elements):
        raise Failure("another number of elements is expected")
    target = folder / scenes.NAME
    if not any("file" in item.__struct_fields__ for item in (*scene.primitives, *scene.probes)):
        target.write_bytes(case)
        for updated in (update_file(target), update_file(target)):
            if updated.error is not None:
                raise Failure("update fails", updated.traceback or updated.error)
        if updated.changes:
            raise Failure("an update changes what it has written", target.read_text(errors="replace"))
    return "accepted"


def _check_outputs(outcome: Outcome, is_strict: bool) -> None:
    json.dumps(as_dict(outcome), allow_nan=False)
    for line in outcome_lines(outcome):
        messages.check(line, longest=1_100 + len(outcome.path))
    if len(list(cases_of(outcome, is_strict))) != max(1, len(outcome.names)):
        raise Failure("another number of test cases than of expectations")
    if outcome.status == "failed":
        annotation(outcome)


def _check_details(details: SceneDetails, failure: CheckFailure) -> None:
    details.pair_words(failure)
    details.answers(failure)
    details.explanation(failure)
