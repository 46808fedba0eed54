"""Scenes that take long: opened, decided and compiled behind the window, which goes on answering."""

import subprocess
import sys
import threading
from fractions import Fraction

import numpy as np
import pytest
from msgspec.structs import replace
from waiting import wait_until

from hitscope import progress
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.geometry.shapes import Aabb
from hitscope.scene import Scene, load, save, tables
from hitscope.scene.model import AabbPrimitive, AabbsPrimitive, SegmentProbe
from hitscope.scene.reference import Reference
from hitscope.viewer import app as viewer_app
from hitscope.viewer import commands, compiling
from hitscope.viewer.app import App, Opened
from hitscope.viewer.background import Cancelled, Job
from hitscope.viewer.compiling import Pair, compile_apart
from hitscope.viewer.documents import DISK, Document, Shelf
from hitscope.viewer.files import filing
from hitscope.viewer.panels.dialogs import Conflict, Help, SaveAs
from hitscope.viewer.requests import RememberFile, ShowSaveDialog
from hitscope.viewer.state.limits import Limits
from hitscope.viewer.tools import editing

SOON = 10.0
"""Seconds: nothing here waits longer than it has to."""


def box_scene(name):
    box = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
    probe = SegmentProbe(id="seg", start=(-1.0, 0.5, 0.5), end=(2.0, 0.5, 0.5))
    return Scene(version=1, name=name, primitives=(box,), probes=(probe,))


class Gate:
    """Stands before `load`: a file named here is held up until it is let through."""

    def __init__(self, *held):
        self.held = {name: threading.Event() for name in held}
        self.began = {name: threading.Event() for name in held}

    def load(self, path):
        if path.name in self.held:
            self.began[path.name].set()
            assert self.held[path.name].wait(SOON)
        return load(path)


@pytest.fixture
def gate():
    gate = Gate("slow.json", "broken.json")
    yield gate
    for event in gate.held.values():
        event.set()


@pytest.fixture
def open_app(tmp_path, gate):
    def opened(*names):
        for name in names:
            path = tmp_path / name
            path.write_text('{"version": 2}') if name == "broken.json" else save(box_scene(name), path)
        files = DISK._replace(load=gate.load)
        return App(
            Shelf([Document(tmp_path / name) for name in names]),
            (800, 600),
            files=files,
            limits=Limits(patience_s=0.05),
        )

    return opened


def settled(app):
    """Wait for what goes on in the background, and take it."""
    for work in app.works:
        assert app.job(work).done(SOON)
        app.finish(work)


def test_the_scene_before_stays_and_answers_while_the_next_is_opened(gate, open_app):
    app = open_app("quick.json", "slow.json")
    settled(app)
    commands.next_scene(app)
    assert gate.began["slow.json"].wait(SOON)
    assert app.opening is not None and app.opening.says == "opening slow.json: reading"
    assert app.works == ["opening"]
    assert app.document.title == "quick.json"
    (x, y, _), *_ = app.view.project([(0.5, 0.9, 0.9)])
    app.point_at(x, y)
    app.settle()
    assert app.hovered == ("primitive", "box", None)
    gate.held["slow.json"].set()
    settled(app)
    assert app.opening is None
    assert app.document.title == "slow.json"
    assert app.report.green.tolist() == [True]


def test_the_window_has_an_empty_stage_until_the_first_scene_is_there(gate, open_app):
    app = open_app("slow.json")
    assert app.document.scene.primitives == ()
    assert len(app.draw_list().boxes.roles) == 0
    assert (app.is_empty, app.title) == (True, "opening slow.json")
    gate.held["slow.json"].set()
    settled(app)
    assert (app.is_empty, app.title) == (False, "slow.json")


def test_before_anything_can_be_opened_the_window_is_called_by_the_file_until_something_is_drawn(gate, open_app):
    app = open_app("broken.json")
    gate.held["broken.json"].set()
    settled(app)
    assert app.title == "broken.json: not opened"
    app.edit(box_scene("mine"))
    assert (app.is_empty, app.title) == (False, "mine")


def test_escape_stops_opening_and_what_comes_late_is_dropped(gate, open_app):
    app = open_app("quick.json", "slow.json")
    settled(app)
    commands.next_scene(app)
    job = app.opening
    commands.peel(app)
    assert app.opening is None
    gate.held["slow.json"].set()
    assert job.done(SOON)
    with pytest.raises(Cancelled):
        job.answer()
    assert app.works == []
    assert app.document.title == "quick.json"
    commands.next_scene(app)
    settled(app)
    assert app.document.title == "slow.json"


def test_a_scene_that_cannot_be_opened_leaves_the_one_before_with_the_error(gate, open_app):
    app = open_app("quick.json", "broken.json")
    settled(app)
    commands.next_scene(app)
    gate.held["broken.json"].set()
    settled(app)
    assert "broken.json:1:" in app.problem
    assert app.document.title == "quick.json"


def test_the_first_scene_that_can_be_opened_is_shown_with_the_errors_before_it(gate, open_app):
    app = open_app("broken.json", "slow.json")
    gate.held["broken.json"].set()
    settled(app)
    gate.held["slow.json"].set()
    settled(app)
    assert app.document.title == "slow.json"
    assert "broken.json:1:" in app.problem


class Waiting:
    """A group whose code is not ready before it was prepared."""

    kind = Aabb

    def __init__(self):
        self.prepared = threading.Event()
        self.may_go = threading.Event()

    def ready(self, chosen, probe):
        return self.prepared.is_set()

    def prepare(self, chosen, probe):
        assert self.may_go.wait(SOON)
        self.prepared.set()


def test_what_decides_is_compiled_behind_the_window(gate, open_app, monkeypatch):
    app = open_app("quick.json")
    settled(app)
    group = Waiting()
    monkeypatch.setattr("hitscope.viewer.app.compile_apart", lambda missing: None)
    work = next(app.report.work())
    monkeypatch.setattr(type(app.report), "work", lambda self: iter([work._replace(group=group)]))
    commands.next_scene(app)
    if app.opening is not None:
        app.finish("opening")
    assert app.preparing is not None
    assert app.preparing.says == "preparing exact of aabb"
    assert app.report.green.tolist() == [True]
    group.may_go.set()
    settled(app)
    assert app.preparing is None and group.prepared.is_set()


def test_a_job_gives_what_it_found_or_raises_what_it_raised():
    job = Job("counting", lambda job: 42)
    assert job.done(SOON) and job.answer() == 42

    def fail(job):
        raise HitscopeError("no")

    job = Job("failing", fail)
    assert job.done(SOON)
    with pytest.raises(HitscopeError, match="no"):
        job.answer()


# What was opened is changed at large


@pytest.fixture
def deciding(monkeypatch):
    """Hold up what decides every large scene, which here any scene is; the window waits for none of it."""
    may_go = threading.Event()
    decide = Opened.of

    def wait_and_decide(*given):
        assert may_go.wait(SOON)
        return decide(*given)

    def begin(app):
        settled(app)
        app.limits = Limits(patience_s=0.0, background_from=1)
        monkeypatch.setattr(Opened, "of", wait_and_decide)
        return may_go

    yield begin
    may_go.set()


def another_box(scene):
    """Give the scene with one more box."""
    return replace(scene, primitives=(*scene.primitives, AabbPrimitive(id="new", min=(0,) * 3, max=(2.0,) * 3)))


def test_the_last_good_scene_stays_and_answers_while_a_changed_file_is_decided(open_app, deciding):
    app = open_app("quick.json")
    may_go = deciding(app)
    before, after = app.scene, another_box(app.scene)
    filing.reload(app, app.document, after)
    assert app.works == ["opening"]
    assert app.opening.says.startswith("loading quick.json again")
    assert app.scene is before and app.report.green.tolist() == [True]
    may_go.set()
    settled(app)
    assert app.scene is after and app.report.green.tolist() == [True, True]
    assert not app.document.changed


def test_what_was_decided_in_the_background_is_not_decided_again_in_the_window(open_app, deciding, monkeypatch):
    app = open_app("quick.json")
    may_go = deciding(app)
    filing.reload(app, app.document, another_box(app.scene))
    may_go.set()
    assert app.opening.done(SOON)
    monkeypatch.setattr(viewer_app, "evaluate", None)
    app.finish("opening")
    assert app.report.green.tolist() == [True, True]


def test_a_dropped_mesh_is_read_behind_the_window(open_app, tmp_path, monkeypatch):
    app = open_app("quick.json")
    settled(app)
    mesh, may_go = tmp_path / "tetra.obj", threading.Event()
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    read_once = Reference.read_once
    monkeypatch.setattr(Reference, "read_once", lambda *given: may_go.wait(SOON) and read_once(*given))
    app.limits = Limits(patience_s=0.0)
    filing.open_given(app, [mesh])
    assert app.works == ["opening"] and app.document.title == "quick.json"
    may_go.set()
    settled(app)
    assert (app.document.title, app.document.changed, len(app.report.elements)) == ("tetra", True, 4)


@pytest.fixture
def writing():
    """Hold up the writing of every large scene, which here any scene is; the window waits for none of it."""
    may_go = threading.Event()

    def wait_and_save(scene, path):
        assert may_go.wait(SOON)
        save(scene, path)

    def begin(app):
        settled(app)
        app.limits = Limits(patience_s=0.0, background_from=1)
        app.files = app.files._replace(save=wait_and_save)
        return may_go

    yield begin
    may_go.set()


def test_a_large_scene_is_saved_behind_the_window_as_it_was(open_app, writing):
    app = open_app("quick.json")
    may_go = writing(app)
    path, before = app.document.path, app.scene
    app.edit(replace(before, name="mine"))
    filing.save_scene(app)
    assert (app.works, load(path)) == (["saving"], before)
    app.edit(replace(before, name="later"))
    filing.save_scene(app)
    assert app.message == "the file is still being written"
    may_go.set()
    settled(app)
    assert (load(path).name, app.message) == ("mine", f"saved {path}")
    assert app.document.changed
    commands.undo(app)
    assert not app.document.changed


def test_a_large_scene_is_saved_as_another_file_behind_the_window(open_app, writing, tmp_path):
    app = open_app("quick.json")
    may_go = writing(app)
    before, other = app.document.path, tmp_path / "other.scene.json"
    filing.save_as(app)
    filing.placed(app, other, overwrites=False, problem="")
    assert (app.works, app.dialog, app.document.path, other.exists()) == (["saving"], None, before, False)
    filing.save_as(app)
    assert (app.dialog, app.message) == (None, "the file is still being written")
    may_go.set()
    settled(app)
    assert (app.document.path, app.requests) == (other, [ShowSaveDialog(before), RememberFile(other)])
    assert load(other) == app.scene


@pytest.mark.parametrize("asked", [False, True])
def test_why_it_cannot_be_saved_as_another_file_is_told_in_the_dialog_or_where_something_else_is_asked_beside_it(
    open_app, writing, tmp_path, asked
):
    app = open_app("quick.json")
    writing(app).set()
    before = app.document.path
    filing.save_as(app)
    filing.placed(app, tmp_path / "nowhere" / "other.scene.json", overwrites=False, problem="")
    if asked:
        app.dialog = Help()
    settled(app)
    assert app.document.path == before and app.requests == [ShowSaveDialog(before)]
    if asked:
        assert isinstance(app.dialog, Help) and app.problem.startswith("cannot save ")
    else:
        assert isinstance(app.dialog, SaveAs) and app.dialog.problem.startswith("cannot save ")
        assert app.problem == ""


def test_a_window_closes_only_when_what_is_being_saved_is_there(open_app, writing):
    app = open_app("quick.json")
    may_go = writing(app)
    app.edit(replace(app.scene, name="mine"))
    filing.save_scene(app)
    commands.close(app)
    assert (app.works, app.done, app.message) == (["saving"], False, "the window closes when the file is written")
    may_go.set()
    settled(app)
    assert app.done and load(app.document.path).name == "mine"


def test_escape_keeps_a_window_open_that_waits_for_a_file_to_be_written(open_app, writing):
    app = open_app("quick.json")
    may_go = writing(app)
    app.edit(replace(app.scene, name="mine"))
    filing.save_scene(app)
    commands.close(app)
    commands.peel(app)
    assert (app.works, app.message) == (["saving"], "the window stays open")
    may_go.set()
    settled(app)
    assert not app.done and load(app.document.path).name == "mine"


def test_what_is_changed_while_a_closing_window_saves_is_asked_about(open_app, writing):
    app = open_app("quick.json")
    may_go = writing(app)
    app.edit(replace(app.scene, name="mine"))
    filing.save_scene(app)
    commands.close(app)
    app.edit(replace(app.scene, name="later"))
    may_go.set()
    settled(app)
    assert (app.done, app.asks_to_close) == (False, True)


@pytest.fixture
def two_changed(open_app, writing):
    """Give an app with two changed documents, each of which is written when it may."""
    app = open_app("quick.json", "quick-2.json")
    settled(app)
    app.edit(replace(app.scene, name="first"))
    commands.next_scene(app)
    settled(app)
    app.edit(replace(app.scene, name="second"))
    may_go = writing(app)
    commands.close(app)
    assert app.asks_to_close
    return app, may_go


def test_a_window_that_saves_before_it_closes_goes_on_until_all_is_written(two_changed):
    app, may_go = two_changed
    first, second = app.unsaved
    commands.save_all_and_close(app)
    commands.close(app)
    assert (app.works, app.asks, app.done) == (["saving"], False, False)
    may_go.set()
    settled(app)
    assert (load(first.path).name, app.works, app.done) == ("first", ["saving"], False)
    settled(app)
    assert (load(second.path).name, app.works, app.done) == ("second", [], True)


def test_a_window_stays_open_with_the_error_where_what_it_saves_before_it_closes_cannot_be_written(two_changed):
    app, may_go = two_changed
    first, second = app.unsaved
    first.path = first.path / "nowhere.json"
    commands.save_all_and_close(app)
    may_go.set()
    settled(app)
    assert app.problem.startswith("cannot save ")
    assert (app.works, app.done, first.changed, second.changed) == ([], False, True, True)
    assert app.message == "", "the window does not close when a file is written any more"
    first.path = first.path.parent
    filing.save_scene(app)
    settled(app)
    assert not app.done


def test_why_a_large_scene_cannot_be_saved_is_told_and_it_counts_as_changed(open_app, writing):
    app = open_app("quick.json")
    writing(app).set()
    app.edit(replace(app.scene, name="mine"))
    app.document.path = app.document.path / "nowhere.json"
    filing.save_scene(app)
    settled(app)
    assert app.problem.startswith("cannot save ") and app.document.changed


def test_what_is_pasted_or_deleted_at_large_is_decided_behind_the_window(open_app, deciding):
    app = open_app("quick.json")
    may_go = deciding(app)
    before = app.scene
    app.select(Target("primitive", "box"))
    filing.copy(app)
    filing.paste(app)
    assert app.works == ["opening"] and app.scene is before
    may_go.set()
    settled(app)
    assert app.report.green.tolist() == [True, True]
    assert app.selection == (Target("primitive", "box-2"),) and app.message == "pasted box-2"
    may_go.clear()
    editing.delete(app)
    assert app.works == ["opening"] and len(app.scene.primitives) == 2
    app.edit(replace(app.scene, name="mine"))
    may_go.set()
    settled(app)
    assert app.scene.name == "mine" and len(app.scene.primitives) == 2
    assert app.message == "not done, because the scene was changed meanwhile: delete box-2"


def test_an_edit_made_meanwhile_is_asked_about_when_the_file_is_decided(open_app, deciding):
    app = open_app("quick.json")
    may_go = deciding(app)
    after = another_box(app.scene)
    filing.reload(app, app.document, after)
    mine = replace(app.scene, name="mine")
    app.edit(mine)
    may_go.set()
    settled(app)
    assert app.scene is mine
    assert isinstance(app.dialog, Conflict)
    assert app.report.green.tolist() == [True]


def test_a_reload_that_is_stopped_leaves_a_scene_that_counts_as_not_saved_and_says_so(open_app, deciding):
    app = open_app("quick.json")
    deciding(app)
    before = app.scene
    filing.reload(app, app.document, another_box(before))
    commands.peel(app)
    assert app.works == [] and app.scene is before
    assert app.document.changed
    assert app.message == "this scene stays; saving overwrites what quick.json says now"


def test_undo_of_a_large_change_is_done_when_it_is_decided_however_often_it_is_asked_for(open_app, deciding):
    app = open_app("quick.json")
    before, after = app.scene, another_box(app.scene)
    app.edit(replace(app.scene, name="first"), "rename")
    app.edit(after, "add")
    may_go = deciding(app)
    commands.undo(app)
    job = app.opening
    commands.undo(app)
    assert app.opening is job
    assert app.scene is after
    may_go.set()
    settled(app)
    assert app.scene.primitives == before.primitives
    assert app.message == "undone: add"


def test_undo_of_a_large_change_is_given_up_where_the_scene_is_changed_meanwhile(open_app, deciding):
    app = open_app("quick.json")
    app.edit(another_box(app.scene), "add")
    may_go = deciding(app)
    commands.undo(app)
    newer = replace(app.scene, name="newer")
    app.edit(newer, "rename")
    may_go.set()
    settled(app)
    assert app.scene is newer
    assert app.message.startswith("not undone")


def test_what_is_decided_during_a_drag_comes_after_it(open_app, deciding):
    app = open_app("quick.json")
    may_go = deciding(app)
    filing.reload(app, app.document, another_box(app.scene))
    may_go.set()
    assert app.opening.done(SOON)
    app.drag = object()
    assert app.done_work is None
    app.drag = None
    assert app.done_work == "opening"


# How far it is, and stopping it


def numbers_scene(rows):
    """Give a scene of one bulk item."""
    low = np.arange(3.0 * rows).reshape(-1, 3)
    probe = SegmentProbe(id="seg", start=(-1.0, 0.5, 0.5), end=(2.0, 0.5, 0.5))
    return Scene(version=1, primitives=(AabbsPrimitive(id="boxes", min=low, max=low + 1),), probes=(probe,))


def told(work):
    """Give what is told of the work."""
    fractions = []
    with progress.reporting_to(fractions.append):
        work()
    return [fraction for fraction in fractions if fraction is not None]


def test_reading_numbers_tells_how_much_of_the_file_is_read(tmp_path):
    save(numbers_scene(20_000), tmp_path / "a.json")
    fractions = told(lambda: load(tmp_path / "a.json"))
    assert len(fractions) > 2
    assert fractions == sorted(fractions)
    assert 0.9 < fractions[-1] <= 1.0


def test_reading_an_npz_file_tells_how_much_of_it_is_read(tmp_path):
    rows = np.zeros((200_000, 3))
    np.savez(tmp_path / "a.npz", min=rows, max=rows + 1)
    text = '{"version": 1, "primitives": [{"type": "aabbs", "file": "a.npz"}], "probes": []}'
    (tmp_path / "a.json").write_text(text)
    fractions = told(lambda: load(tmp_path / "a.json"))
    assert len(fractions) > 4
    assert fractions == sorted(fractions)
    assert 0.99 < fractions[-1] <= 1.0


def test_deciding_tells_how_many_of_the_pairs_are_decided():
    scene = numbers_scene(1000)
    probes = tuple(replace(scene.probes[0], id=f"seg{i}") for i in range(4))
    fractions = told(lambda: evaluate(replace(scene, probes=probes), compile=False))
    assert [Fraction(fraction) for fraction in fractions if fraction in (0.25, 0.5, 0.75, 1.0)] == [
        Fraction(i, 4) for i in (1, 2, 3, 4)
    ]
    assert fractions == sorted(fractions)


def test_reading_that_is_cancelled_ends_before_the_next_piece(tmp_path, monkeypatch):
    save(numbers_scene(20_000), tmp_path / "a.json")
    pieces = []
    fill = tables.fill

    def fill_and_cancel(*given):
        pieces.append(given)
        job.cancel()
        fill(*given)

    monkeypatch.setattr(tables, "fill", fill_and_cancel)
    begun = threading.Event()
    job = Job("reading", lambda job: begun.wait(SOON) and load(tmp_path / "a.json"))
    begun.set()
    assert job.done(SOON)
    assert len(pieces) == 1
    with pytest.raises(Cancelled):
        job.answer()


def test_a_job_tells_of_each_thing_it_says_how_much_is_done_where_that_is_known():
    seen = []

    def work(job):
        for words, units in (("some", 4), ("more", 0)):
            job.say(words, units)
            seen.append((job.says, job.fraction))
            progress.advance(1)
            seen.append((job.says, job.fraction))

    assert Job("", work).done(SOON)
    assert seen == [("some", None), ("some", 0.25), ("more", None), ("more", None)]


# Compiling


def test_escape_stops_compiling_until_another_scene_is_opened(open_app, monkeypatch):
    app = open_app("quick.json")
    settled(app)
    group = Waiting()
    work = next(app.report.work())
    monkeypatch.setattr("hitscope.viewer.app.compile_apart", lambda missing: None)
    monkeypatch.setattr(type(app.report), "work", lambda self: iter([work._replace(group=group)]))
    commands.next_scene(app)
    settled_opening = app.opening is None or app.finish("opening") is None
    assert settled_opening and app.preparing is not None
    job = app.preparing
    commands.peel(app)
    assert app.preparing is None and app.message.startswith("stopped compiling")
    group.may_go.set()
    assert job.done(SOON)
    app.edit(replace(app.scene, probes=()))
    assert app.report.hitting.tolist() == []
    assert app.preparing is None
    commands.next_scene(app)
    if app.opening is not None:
        app.finish("opening")
    assert app.preparing is not None or group.prepared.is_set()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Give a cache in which nothing is compiled, and the work of a scene."""
    monkeypatch.setattr(compiling, "code_folder", lambda: tmp_path)
    return tmp_path


def begun(monkeypatch, code):
    """Let a process be another one; give those that are begun."""
    processes, popen = [], subprocess.Popen

    def begin(command, **options):
        processes.append((command, popen([sys.executable, "-c", code], **options)))
        return processes[-1][1]

    monkeypatch.setattr(compiling.subprocess, "Popen", begin)
    return processes


def test_what_is_compiled_already_needs_no_process(cache, monkeypatch):
    work = list(evaluate(numbers_scene(10)).work())
    for some in work:
        (cache / Pair.of(some).mark).touch()
    processes = begun(monkeypatch, "")
    compile_apart(work)
    assert processes == []


def test_what_is_compiled_for_the_first_time_is_in_a_process_that_ends_when_it_is_stopped(cache, monkeypatch):
    work = list(evaluate(numbers_scene(10)).work())
    processes = begun(monkeypatch, "import signal; signal.pause()")
    job = Job("compiling", lambda job: compile_apart(work))
    wait_until(lambda: processes, "the process")
    ((command, process),) = processes
    assert command[1:] == ["-m", "hitscope.viewer.compiling", *command[3:]] and len(command) == 3 + len(work)
    job.cancel()
    assert job.done(SOON)
    assert process.poll() is not None
