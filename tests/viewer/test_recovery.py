"""Autosaves: a crash loses no edit, and a session that is closed leaves none."""

import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.scene import Scene, load, save
from hitscope.scene.bulk import AabbsPrimitive, ObbsPrimitive, SegmentsProbe, TrianglesPrimitive
from hitscope.scene.items import AabbPrimitive, PointProbe, RayProbe
from hitscope.scene.model import Expectation
from hitscope.viewer.files.autosave import WRITE_EVERY, Autosave, CrashedSessions, difference
from hitscope.viewer.state.documents import Document
from tests.waiting import wait_until

BOX = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
SCENE = Scene(version=1, name="a scene", primitives=(BOX,), probes=(PointProbe(id="p", position=(0.5, 0.5, 0.1)),))


class AtOnce(Executor):
    """Runs the work at once, in the caller's thread."""

    def submit(self, work, /, *given, **named):
        done = Future()
        done.set_result(work(*given, **named))
        return done


class Later(Executor):
    """Does the work in `go_on`."""

    def __init__(self):
        self.waiting = []

    def submit(self, work, /, *given, **named):
        done = Future()
        self.waiting.append((done, lambda: work(*given, **named)))
        return done

    def go_on(self):
        for done, work in self.waiting:
            done.set_result(work())
        self.waiting.clear()

    def shutdown(self, wait=True, **named):
        self.go_on()


@pytest.fixture
def folder(tmp_path):
    """The folder of the autosaves, which is not there yet."""
    return tmp_path / "state" / "recovery"


@pytest.fixture
def autosave(folder):
    """The autosaves of a session."""
    return Autosave(folder, AtOnce())


@pytest.fixture
def document(tmp_path):
    """A document that was loaded from its file."""
    path = tmp_path / "a.scene.json"
    save(SCENE, path)
    document = Document(path)
    document.begin(load(document.path))
    return document


def moved(scene, x):
    """Move the probe."""
    return replace(scene, probes=(PointProbe(id="p", position=(x, 0.0, 0.0)), *scene.probes[1:]))


def keep(document):
    """Save a document."""
    save(document.scene, document.path)
    document.mark_saved(document.scene, document.path)


def unsaved(*documents):
    """The unsaved scene of each document."""
    return {document: document.scene for document in documents if document.changed}


def crash(autosave):
    """Release the locks, as the system does for a process that is killed."""
    autosave._lock.release()


def texts(folder):
    """The texts of the autosaves."""
    return [path.read_text() for path in sorted(folder.glob("*.autosave"))]


def test_what_is_saved_has_no_autosave(folder, autosave, document):
    autosave.update(unsaved(document), now=0.0)
    assert not folder.exists()


def test_a_crash_leaves_the_last_edit_to_be_offered(folder, autosave, document, monkeypatch):
    monkeypatch.setattr("hitscope.viewer.files.autosave.time", SimpleNamespace(time=lambda: 1000.0))
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    crashed = CrashedSessions(folder)
    (leftover,) = crashed.autosaves
    assert leftover.scene == document.scene
    assert Path(leftover.leftover.path) == document.path
    assert leftover.leftover.difference == "1 probe changed"
    assert not leftover.leftover.example
    assert not leftover.leftover.outdated
    assert leftover.leftover.time == 1000.0
    assert crashed.problems == []


def test_a_session_that_lives_is_not_offered(folder, autosave, document):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    assert CrashedSessions(folder).autosaves == []
    assert len(texts(folder)) == 1


def test_while_it_is_changed_a_document_is_written_every_two_seconds(folder, autosave, document):
    document.edit(moved(SCENE, 1.0))
    autosave.update(unsaved(document), now=10.0)
    first = texts(folder)
    document.edit(moved(SCENE, 2.0))
    for now in (10.5, 9.99 + WRITE_EVERY):
        autosave.update(unsaved(document), now)
        assert texts(folder) == first
    autosave.update(unsaved(document), now=10.0 + WRITE_EVERY)
    second = texts(folder)
    assert second != first
    autosave.update(unsaved(document), now=20.0)
    assert texts(folder) == second


@pytest.mark.parametrize("end", ["save", "undo", "close the document", "close the window"])
def test_what_is_saved_undone_or_closed_leaves_nothing(folder, autosave, document, end):
    document.edit(moved(SCENE, 1.0))
    autosave.update(unsaved(document), now=0.0)
    assert len(texts(folder)) == 1
    match end:
        case "save":
            keep(document)
        case "undo":
            document.step(-1)
    if end == "close the window":
        autosave.close()
        assert list(folder.iterdir()) == []
    else:
        autosave.update({} if end == "close the document" else unsaved(document), now=0.1)
        assert texts(folder) == []


def test_what_is_saved_while_its_autosave_is_being_written_has_none_in_the_end(folder, document):
    executor = Later()
    autosave = Autosave(folder, executor)
    document.edit(moved(SCENE, 1.0))
    autosave.update(unsaved(document), now=0.0)
    keep(document)
    autosave.update(unsaved(document), now=0.1)
    executor.go_on()
    assert texts(folder) == []
    autosave.close()
    assert list(folder.iterdir()) == []


def test_what_is_saved_leaves_no_autosave_not_even_until_the_next_look(folder, autosave, document, tmp_path):
    other = Document(tmp_path / "b.scene.json")
    other.begin(moved(SCENE, 2.0), is_saved=False)
    document.edit(moved(SCENE, 1.0))
    autosave.update(unsaved(document, other), now=0.0)
    keep(document)
    autosave.saved(document.path)
    assert len(texts(folder)) == 1 and "b.scene.json" in texts(folder)[0]


def test_an_older_autosave_goes_at_once_while_the_next_is_being_written(folder, document):
    executor = Later()
    autosave = Autosave(folder, executor)
    document.edit(moved(SCENE, 1.0))
    autosave.update(unsaved(document), now=0.0)
    executor.go_on()
    document.edit(moved(SCENE, 2.0))
    autosave.update(unsaved(document), now=WRITE_EVERY)
    keep(document)
    autosave.saved(document.path)
    assert texts(folder) == []
    executor.go_on()
    assert texts(folder) == []


def test_what_was_saved_before_the_crash_is_not_offered(folder, autosave, document):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    keep(document)
    crashed = CrashedSessions(folder)
    assert (crashed.autosaves, crashed.problems, texts(folder)) == ([], [], [])


def test_the_next_is_not_begun_before_the_last_is_written(folder, document):
    executor = Later()
    autosave = Autosave(folder, executor)
    document.edit(moved(SCENE, 1.0))
    autosave.update(unsaved(document), now=0.0)
    document.edit(moved(SCENE, 2.0))
    autosave.update(unsaved(document), now=5.0)
    assert len(executor.waiting) == 1
    executor.go_on()
    autosave.update(unsaved(document), now=7.0)
    executor.go_on()
    crash(autosave)
    (leftover,) = CrashedSessions(folder).autosaves
    assert leftover.scene == document.scene


def test_each_document_has_its_own(folder, autosave, document, tmp_path):
    example = Document(Path("untitled.scene.json"), example=True)
    example.begin(Scene(version=1, primitives=(), probes=()))
    example.edit(moved(SCENE, 9.0))
    document.edit(moved(SCENE, 1.0))
    autosave.update(unsaved(document, example), now=0.0)
    crash(autosave)
    found = {Path(leftover.leftover.path).name: leftover for leftover in CrashedSessions(folder).autosaves}
    assert found.keys() == {"a.scene.json", "untitled.scene.json"}
    assert found["untitled.scene.json"].leftover.example
    assert Path(found["untitled.scene.json"].leftover.path).is_absolute()
    assert found["untitled.scene.json"].leftover.difference == "never saved"


def test_what_is_restored_is_unsaved_and_safe_from_the_next_crash(folder, autosave, document):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)

    crashed, second = CrashedSessions(folder), Autosave(folder, AtOnce())
    (leftover,) = crashed.autosaves
    again = Document(Path(leftover.leftover.path))
    again.begin(load(again.path))
    again.edit(leftover.scene)
    second.adopt(again, Path(leftover.leftover.autosave), leftover.scene, leftover.saved)
    crashed.close()
    assert again.changed
    second.update(unsaved(again), now=0.0)
    crash(second)
    (leftover,) = CrashedSessions(folder).autosaves
    assert leftover.scene == document.scene


def test_what_is_discarded_is_not_offered_again(folder, autosave, document):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    crashed = CrashedSessions(folder)
    Path(crashed.autosaves[0].leftover.autosave).unlink()
    crashed.close()
    assert list(folder.iterdir()) == []


def test_what_is_neither_restored_nor_discarded_is_offered_to_one_window_at_a_time(folder, autosave, document):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    first = CrashedSessions(folder)
    assert len(first.autosaves) == 1
    assert CrashedSessions(folder).autosaves == []
    first.close()
    assert len(CrashedSessions(folder).autosaves) == 1


def test_an_autosave_of_a_file_that_has_changed_since_is_marked(folder, autosave, document):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    save(replace(SCENE, primitives=()), document.path)
    crashed = CrashedSessions(folder)
    assert crashed.autosaves[0].leftover.outdated
    assert crashed.autosaves[0].leftover.difference == "1 probe changed, 1 primitive added"
    crashed.close()
    document.path.write_text("{")
    crashed = CrashedSessions(folder)
    assert crashed.autosaves[0].leftover.difference == "the file itself cannot be read"
    crashed.close()
    document.path.unlink()
    assert CrashedSessions(folder).autosaves[0].leftover.difference == "never saved"


@pytest.mark.parametrize(
    "breaking, says",
    [
        (lambda text: text[:-3], ":2:"),
        (lambda text: "", "expected a header line"),
        (lambda text: "{}\n" + text, "expected a header line"),
        (lambda text: text.replace('"pid"', '"p'), "expected a header line"),
        (lambda text: text.replace('"box"', '"p[0]"'), "$.primitives[0].id"),
        (lambda text: text.replace('"path": "', '"path": "\\ud83d'), "expected the absolute path of a file"),
        (lambda text: text.replace('"path": "', '"path": "/\\u0000'), "expected the absolute path of a file"),
        (lambda text: re.sub('"path": "[^"]*"', '"path": "."', text), "expected the absolute path of a file"),
    ],
)
def test_a_broken_autosave_is_reported_and_kept_aside(folder, autosave, document, breaking, says):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    (file,) = folder.glob("*.autosave")
    text = breaking(file.read_text())
    file.write_text(text)
    crashed = CrashedSessions(folder)
    assert crashed.autosaves == []
    (problem,) = crashed.problems
    assert says in problem
    assert "\n" not in problem
    kept = re.search(r"kept as (\S+):", problem)[1]
    assert Path(kept).read_text() == text
    crashed.close()
    assert CrashedSessions(folder).problems == []


@pytest.mark.parametrize("session", ["**", "[", "a" * 240])
def test_an_autosave_of_any_name_is_found(folder, autosave, document, session):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    (file,) = folder.glob("*.autosave")
    file.rename(folder / f"{session}-1.autosave")
    crashed = CrashedSessions(folder)
    assert crashed.problems == [] and len(crashed.autosaves) == 1
    crashed.close()


def test_a_problem_is_one_plain_line_whatever_a_file_is_called(folder):
    folder.mkdir(parents=True)
    (folder / "two\nlines-1.autosave").write_text("")
    (problem,) = CrashedSessions(folder).problems
    assert problem.isprintable()


def test_an_unusable_folder_is_reported_and_stops_nothing_else(tmp_path, document):
    (tmp_path / "file").write_text("")
    autosave = Autosave(tmp_path / "file" / "recovery", AtOnce())
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    assert autosave.problem.startswith(f"no autosave in {tmp_path / 'file' / 'recovery'}: ")
    autosave.close()
    assert CrashedSessions(tmp_path / "file" / "recovery").autosaves == []


def test_a_name_that_is_no_unicode_comes_back(folder, autosave, tmp_path):
    document = Document(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.scene.json")))
    document.begin(SCENE)
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    assert CrashedSessions(folder).autosaves[0].leftover.path == str(document.path)


def test_bulk_items_come_back_to_the_bit_and_those_of_a_file_are_only_named(folder, autosave, tmp_path):
    random = np.random.default_rng(5)
    inline = random.normal(size=(1500, 3)) * 10.0 ** random.integers(-300, 300, size=(1500, 3))
    np.savez(tmp_path / "cloud.npz", vertices=random.normal(size=(5, 3, 3)))
    path = tmp_path / "bulk.scene.json"
    path.write_text('{"version": 1, "primitives": [{"type": "triangles", "file": "cloud.npz"}], "probes": []}')
    document = Document(path)
    document.begin(load(document.path))
    scene = replace(
        document.scene,
        name="bulk «–»",
        methods={"segment_aabb": {"name": "slab_ericson", "epsilon": 1e-7}},
        primitives=(
            *document.scene.primitives,
            AabbsPrimitive(id="boxes", min=inline, max=inline),
            BOX,
            ObbsPrimitive(center=inline[:3], half_extents=abs(inline[:3]), axes=[np.eye(3)] * 3),
            TrianglesPrimitive(vertices=np.zeros((0, 3, 3))),
        ),
        probes=(
            SegmentsProbe(start=inline[:2], end=-inline[:2], enabled=False),
            RayProbe(origin=(-0.0, 5e-324, 1.0), direction=(0.1, 0.2, 0.3)),
        ),
        expect=(Expectation(probe="ray-1", hits=("box",), why="because"),),
    )
    document.edit(scene)
    autosave.update(unsaved(document), now=0.0)
    crash(autosave)
    assert "cloud.npz" in texts(folder)[0]
    (leftover,) = CrashedSessions(folder).autosaves
    assert leftover.scene == scene
    boxes = leftover.scene.primitives[1].shapes.rows
    assert boxes.tobytes() == scene.primitives[1].shapes.rows.tobytes()
    assert str(leftover.scene.probes[1].origin) == "(-0.0, 5e-324, 1.0)"


def test_killed_in_the_middle_of_a_write_the_previous_autosave_is_there(folder, tmp_path):
    """A scene is written again and again, until the process is killed while a draft is there."""
    code = """
import sys
from pathlib import Path
from msgspec.structs import replace
import numpy as np
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.viewer.state.documents import Document
from hitscope.viewer.files.autosave import Autosave

rows = np.ones((20_000, 3))
document = Document(Path(sys.argv[2]))
document.begin(Scene(version=1, primitives=(), probes=()))
autosave = Autosave(Path(sys.argv[1]))
now = 0.0
while True:
    boxes = AabbsPrimitive(min=rows * 0, max=rows * (1 + now))
    document.edit(Scene(version=1, name=str(now), primitives=(boxes,), probes=()))
    now += 10.0
    autosave.update({document: document.scene}, now)
    while autosave._slots[document].is_being_written():
        pass
    if now == 30.0:
        print("written", flush=True)
"""
    command = [sys.executable, "-c", code, folder, tmp_path / "a.scene.json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as session:
        assert session.stdout.readline() == b"written\n"
        wait_until(lambda: any(draft.stat().st_size > 1 << 16 for draft in folder.glob("*.draft")), "a draft")
        os.kill(session.pid, signal.SIGKILL)
    crashed = CrashedSessions(folder)
    (leftover,) = crashed.autosaves
    assert len(leftover.scene.primitives[0].shapes) == 20_000
    assert leftover.scene.primitives[0].shapes[0].hi[0] == 1 + float(leftover.scene.name)
    assert list(folder.glob("*.draft")) == []
    assert crashed.problems == []


@pytest.mark.parametrize(
    "after, words",
    [
        (SCENE, "only the order changed"),
        (replace(SCENE, probes=()), "1 probe removed"),
        (
            replace(SCENE, probes=(*SCENE.probes, *[PointProbe(position=(0.0, 0.0, 0.0))] * 2)),
            "2 probes added",
        ),
        (
            replace(moved(SCENE, 2.0), name="other", primitives=(replace(BOX, id="other"),)),
            "1 probe changed, 1 primitive added, 1 primitive removed, name changed",
        ),
    ],
)
def test_a_difference_of_scenes_is_described(after, words):
    assert difference(SCENE, after) == words


def test_the_first_line_says_what_the_autosave_is_of(folder, autosave, document):
    document.edit(moved(SCENE, 3.0))
    autosave.update(unsaved(document), now=0.0)
    line, text = texts(folder)[0].split("\n", 1)
    header = json.loads(line)
    assert header["pid"] == os.getpid()
    assert header["path"] == str(document.path)
    json.loads(text)
