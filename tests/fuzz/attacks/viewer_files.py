"""The viewer's own files - recordings, settings, autosaves - and names of any length: each is read, or refused."""

import json
from pathlib import Path
from random import Random

import msgspec

from hitscope.errors import HitscopeError
from hitscope.scene import loads
from hitscope.viewer.actions.saving import write
from hitscope.viewer.files.autosave import Autosave, CrashedSessions, RecoveryOffer
from hitscope.viewer.files.document_files import DocumentFiles, Watch
from hitscope.viewer.files.file_inputs import (
    list_recent,
    resolve_save_path,
    save_new,
    shown_in_survey,
    visit,
)
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.files.survey import survey
from hitscope.viewer.interface.recording import Recorder, Recording, recording_start
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import Input, RecordingStart
from hitscope.viewer.state.paths import openable, picture_path
from hitscope.viewer.state.settings import Settings
from tests.fuzz import messages, mutations
from tests.fuzz.attacks import scenes
from tests.fuzz.harness import TESTS, Failure

CASES, ACCEPTED, KINDS = 150, 0.1, 15
SECONDS = 20
LIMIT_MEMORY = True
SHRINKS = False

NAMES = (
    *("a", "a.scene.json", "a" * 300, "a" * 245, "é" * 130, "a" * 5000, "a/" * 3000 + "a", "b" * 300 + "/a"),
    *("a" * 300 + ".scene.json", "a" * 300 + ".obj", "a" * 250 + ".json", "con", "a.obj", "%s{}", "\U0001f600"),
    *("nul\0", "two\nlines", "\u2028", "\x1b[31m", "\udcff", "~", "~nobody/a", ".", "..", "", " ", "a/", "/", "["),
)
WORDS = [*Settings.__struct_fields__, "vertex", "dark", "Left", "Ctrl", "opening", "told", "y", "layout", "do"]
WRONG = (["vertex", 3], [[]], {}, {"a": []}, None, "x", 1e300, -1, {"": ""}, ["x"])
"""Values that are wrong in most settings."""
START = {"version": 1, "size": [640, 480], "scenes": [{"path": "a.scene.json", "text": "{}"}], "layout": 3}


def make(random: Random) -> bytes:
    """Return what is attacked, with a text or a name, as JSON."""
    kind = random.choice(("recording", "settings", "autosave", "names"))
    made = {"recording": _recording, "settings": _settings, "autosave": _autosave, "names": _names}[kind](random)
    return json.dumps({"kind": kind, **made}).encode()


def _mutated(document: object, random: Random) -> str:
    if random.random() < 0.5:
        return json.dumps(_with_wrong_value(document, random))
    text = json.dumps(document)
    if random.random() < 0.1:
        return mutations.spliced(text.encode(), random, [text.encode()]).decode("latin-1")
    return mutations.document(text, random, WORDS).decode("utf-8", "surrogateescape")


def _with_wrong_value(value: object, random: Random) -> object:
    """Return a document with another value in place of one of its innermost ones."""
    if isinstance(value, dict) and value:
        name = random.choice(sorted(value))
        return value | {name: _with_wrong_value(value[name], random)}
    if isinstance(value, list) and value:
        at = random.randrange(len(value))
        return [*value[:at], _with_wrong_value(value[at], random), *value[at + 1 :]]
    return random.choice((*WRONG, "x", 9, ""))


def _recording(random: Random) -> dict[str, object]:
    start = START | {"settings": _fields(random)}
    lines = random.sample(_lines(), k=4)
    at = random.choice((0, 0, 1, 2, 3, 4, 5))
    texts = [json.dumps(start), *lines]
    if at < len(texts):
        texts[at] = _mutated(json.loads(texts[at]), random).replace("\n", " ")
    return {"text": "\n".join(texts) + random.choice(("\n", "", '{"do":'))}


def _lines() -> list[str]:
    """Return an input of each kind, and those of a recording of the gallery."""
    if not _LINES:
        path = TESTS.parent / "assets" / "screenshot.recording"
        _LINES.extend(path.read_text(encoding="utf-8").splitlines()[1:200])
        for kind in msgspec.inspect.type_info(Input).types:
            made = {"do": kind.cls.__struct_config__.tag, "at": 10**9}
            _LINES.append(json.dumps(made | {field.encode_name: _value(field.type) for field in kind.fields[0:]}))
    return [json.dumps(json.loads(line) | {"at": 10**9}) for line in _LINES]


_LINES: list[str] = []


def _value(kind: object) -> object:
    """Return a right value of a type."""
    match kind:
        case msgspec.inspect.LiteralType():
            return kind.values[0]
        case msgspec.inspect.StructType():
            return {field.encode_name: _value(field.type) for field in kind.fields}
        case msgspec.inspect.TupleType():
            return [_value(part) for part in kind.item_types]
        case msgspec.inspect.VarTupleType():
            return [_value(kind.item_type)]
        case msgspec.inspect.UnionType():
            return _value(kind.types[0])
        case msgspec.inspect.DictType():
            return {"a": _value(kind.value_type)}
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.StrType():
            return "a"
    return 1 if isinstance(kind, msgspec.inspect.IntType) else 1.0


def _fields(random: Random) -> dict[str, object]:
    """Return some settings, of which some are right."""
    right = {field.encode_name: _value(field.type) for field in msgspec.inspect.type_info(Settings).fields}
    chosen = random.sample(sorted(right), k=random.choice((0, 1, 3, len(right))))
    return {name: right[name] for name in chosen}


def _settings(random: Random) -> dict[str, object]:
    fields = _fields(random)
    return {"text": _mutated(fields, random)}


def _autosave(random: Random) -> dict[str, object]:
    header = {"path": f"/FOLDER/{random.choice(NAMES)}", "example": False, "time": 1.0, "pid": 1, "saved": None}
    line = json.dumps(header) if random.random() < 0.6 else _mutated(header, random).replace("\n", " ")
    scene = scenes.make(random) if random.random() < 0.3 else random.choice(scenes.sources())
    name = random.choice(("0", "0", "**", "[", "a" * 240, "\n"))
    return {"file": f"{name}-1.autosave", "text": f"{line}\n{scene.decode('latin-1')}"}


def _names(random: Random) -> dict[str, object]:
    return {"name": random.choice(NAMES) + random.choice(("", "", ".scene.json", "a" * 300))}


def check(case: bytes, folder: Path) -> str:
    """Read the file, or use the name, in every way in which the viewer does."""
    given = json.loads(case)
    checks = {"recording": _check_recording, "settings": _check_settings, "autosave": _check_autosave}
    return checks.get(given["kind"], _check_names)(given, folder)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _check_recording(given, folder: Path) -> str:
    path = folder / "x.recording"
    path.write_bytes(_bytes(given["text"]))
    try:
        found = Recording.read(path)
    except HitscopeError as error:
        return messages.check(str(error), str(path))
    if not isinstance(found.start, RecordingStart):
        raise Failure("a recording without a start")
    for scene in found.paths:
        _refused(lambda scene=scene: found.files.load(scene))
    return "accepted"


def _check_settings(given, folder: Path) -> str:
    path = folder / "settings.json"
    path.write_bytes(_bytes(given["text"]))
    file = SettingsFile(path)
    kinds = [messages.check(problem, str(path)) for problem in file.problems]
    if len(file.problem_text.splitlines()) != len(kinds) + (len(kinds) > 1):
        raise Failure("another number of lines than of problems", file.problem_text)
    file.change(grid=not file.settings.grid)
    file.remember_file(folder / "a.scene.json")
    again = SettingsFile(path)
    if again.settings.grid != file.settings.grid or again.settings.recent[0] != str(folder / "a.scene.json"):
        raise Failure("settings are not what was written", path.read_text(errors="replace"))
    return kinds[0] if kinds else "accepted"


def _check_autosave(given, folder: Path) -> str:
    saved = folder / "saved"
    saved.mkdir()
    (saved / given["file"]).write_bytes(_bytes(given["text"].replace("/FOLDER", str(folder))))
    crashed = CrashedSessions(saved)
    kinds = [messages.check(problem, longest=2_000) for problem in crashed.problems]
    autosave = Autosave(folder / "own")
    documents = DocumentFiles(lambda _: None)
    offer = RecoveryOffer(autosave, documents)
    offer._orphans = {orphan.leftover.autosave: orphan for orphan in crashed.autosaves}
    for orphan in crashed.autosaves:
        leftover = orphan.leftover
        _refused(lambda leftover=leftover: msgspec.json.encode(offer.read(leftover, 0)), (UnicodeEncodeError,))
        document = Document(Path(leftover.path), leftover.example)
        offer.adopt(document, leftover)
        path, scene = document.save_path, orphan.scene
        _refused(lambda path=path, scene=scene: write(documents.files.save, scene, path))
    crashed.close()
    autosave.close()
    if not kinds and not offer._orphans:
        raise Failure("an autosave is passed over", given["file"])
    return kinds[0] if kinds else "accepted"


def _check_names(given, folder: Path) -> str:
    name = given["name"]
    path = folder / name
    scene = loads(scenes.scene_files.EXAMPLE.encode(), "a", folder)
    list_recent([name, str(path)], 0)
    shown_in_survey([path])
    Watch(path).check(1.0)
    document = Document(path)
    autosave, documents = Autosave(folder / "own"), DocumentFiles(lambda _: None)
    autosave.update({document: scene}, 0.0)
    autosave.close()
    if autosave.problem:
        messages.check(autosave.problem, longest=12_000)
    SettingsFile(folder / "settings.json").remember_file(path)
    kinds = [_refused(lambda: resolve_save_path(name, folder / "a.scene.json"))]
    if "\0" in name or not path.name:
        return kinds[0]
    kinds += [
        _refused(lambda: resolve_save_path("a.scene.json", path)),
        _refused(lambda: save_new(picture_path(path, example=False), b"")),
        _refused(lambda: visit(path, (), 0), (OSError,)),
        _refused(lambda: openable(path)),
        _refused(lambda: documents.files.load(path)),
        _refused(lambda: write(documents.files.save, scene, path)),
        _refused(lambda: Recorder(path, recording_start([path], folder, (9, 9))).close()),
        _refused(lambda: Recording.read(path)),
        _refused(lambda: survey(path, "dark", folder.parent / "thumbnails", b"")),  # which draws a scene once
    ]
    return kinds[0]


def _refused(action, others: tuple[type[Exception], ...] = ()) -> str:
    """Return the kind of the message of what raises a HitscopeError; "accepted" of what does not."""
    try:
        action()
    except HitscopeError as error:
        return messages.check(str(error), longest=20_000)
    except others:
        return "refused"
    return "accepted"
