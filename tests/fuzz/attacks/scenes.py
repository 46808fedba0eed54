"""Scene files, mutated as bytes and as JSON: each can be saved and evaluated, or is refused in one line."""

import json
import re
from functools import cache
from pathlib import Path
from random import Random

import msgspec
from jsonschema import Draft202012Validator

from hitscope.errors import SceneError
from hitscope.evaluate import evaluate
from hitscope.evaluate.report import Report
from hitscope.resources import SCENES
from hitscope.scene import Scene, dump, loads, schema
from hitscope.scene.model import PRIMITIVES, PROBES
from hitscope.scene.save import compact_pieces
from tests.fuzz import messages, mutations
from tests.fuzz.harness import Failure
from tests.scene import scene_files

CASES, ACCEPTED, KINDS = 400, 0.15, 30
SECONDS = 20
LIMIT_MEMORY = True
SHRINKS = True

NAME = "attack.scene.json"
FOLDER = SCENES / "bulk"
"""The folder of the mesh and the arrays that scenes of the gallery refer to."""
SMALL_SCENE, SMALL_TEXT = 100, 5_000
"""The numbers of pairs up to which a scene is evaluated, and of bytes up to which its schema is checked."""
_POINT_ZERO = re.compile(rb"(?<=[0-9])\.0(?=[,\]}])")
"""What a method's argument that is a whole number may lose."""
_LOCATION = re.compile(rf"{re.escape(NAME)}:(\d+):(\d+): \$")


@cache
def sources() -> list[bytes]:
    """Return the files that are mutated: the gallery, and one of each form."""
    gallery = [path.read_bytes() for path in sorted(SCENES.rglob("*.scene.json"))]
    return gallery + [text.encode() for text in scene_files.GOOD.values()]


@cache
def _words() -> list[str]:
    keys = {name for kind in (*PRIMITIVES.values(), *PROBES.values(), Scene) for name in kind.__struct_fields__}
    return [*sorted(keys), *PRIMITIVES, *PROBES]


def make(random: Random) -> bytes:
    """Return a scene file with one to four mutations."""
    data = random.choice(sources())
    if random.random() < 0.25:
        return mutations.spliced(data, random, sources())
    return mutations.document(data.decode("utf-8-sig"), random, _words())


def check(case: bytes, folder: Path) -> str:
    """Load the scene; check what was loaded, or the message."""
    try:
        scene = loads(case, NAME, FOLDER)
    except SceneError as error:
        return _check_error(case, str(error))
    _check_saved(scene)
    if len(case) <= SMALL_TEXT:
        _check_schema(decoded(case), "accepted file against the schema")
    if pairs_of(scene) <= SMALL_SCENE:
        answers(evaluate(scene))
    return "accepted"


def decoded(data: bytes):
    """Return a JSON document whose integers may have thousands of digits."""
    return json.loads(
        data.decode("utf-8-sig"), parse_int=lambda digits: int(digits) if len(digits) < 20 else 1e300
    )


def pairs_of(scene: Scene) -> int:
    """Return an upper bound of the number of pairs of a scene."""
    probes, primitives = (
        sum(len(getattr(item, "shapes", "1")) for item in items) for items in (scene.probes, scene.primitives)
    )
    return probes * primitives


def answers(report: Report) -> list[str]:
    """Return all verdicts of a report with their distances, and its mismatches, as text."""
    pairs = [(i, j) for i in range(len(report.probes)) for j in range(len(report.elements))]
    verdicts = (json.dumps(report.verdict(i, j).as_dict(), allow_nan=False, default=repr) for i, j in pairs)
    return [*verdicts, *(mismatch.words for mismatch in report.mismatches)]


def _check_error(case: bytes, message: str) -> str:
    kind = messages.check(message, NAME)
    location = _LOCATION.match(message)
    if not location:
        raise Failure("message without a location", ascii(message))
    line, column = map(int, location.groups())
    # As an editor counts them: lines end with "\n", and a byte order mark is no character.
    lines = case.decode("utf-8-sig", "replace").split("\n")
    if not (1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1):
        raise Failure("location outside of the file", ascii(message))
    return kind


def _check_saved(scene: Scene) -> None:
    """Check that a scene reads back as it is, to the sign of a zero, from both forms of its file."""
    compact = b"".join(compact_pieces(scene))
    numbers = _POINT_ZERO.sub(b"", compact)
    for text in (dump(scene).encode(), compact):
        try:
            again = loads(text, NAME, FOLDER)
        except SceneError as error:
            raise Failure("saved file is refused", error) from None
        if again != scene or _POINT_ZERO.sub(b"", b"".join(compact_pieces(again))) != numbers:
            raise Failure("saved file reads back as another scene", ascii(text[:500]))
    if len(compact) <= SMALL_TEXT:
        _check_schema(msgspec.json.decode(compact), "saved file against the schema")


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(schema())


def _check_schema(document: object, fault: str) -> None:
    if errors := list(_validator().iter_errors(document)):
        raise Failure(fault, errors[0].json_path + ": " + errors[0].message[:300])
