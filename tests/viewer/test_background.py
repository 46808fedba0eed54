"""Large scenes: opened, evaluated, compiled and saved in the background, while the window goes on answering."""

import threading
from fractions import Fraction
from multiprocessing import active_children

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope import progress
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import compile_process as compiling
from hitscope.evaluate import evaluate, report
from hitscope.evaluate.compile_process import Compilation, compile_apart
from hitscope.geometry.shapes import Aabb
from hitscope.scene import Scene, load, mesh, save, tables
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from hitscope.scene.model import Expectation
from hitscope.scene.reference import Reference
from hitscope.viewer.actions import (
    cancel,
    clipboard,
    closing,
    disk_changes,
    opening,
    saving,
    scene_change,
    view,
)
from hitscope.viewer.actions.cancel import finish_job
from hitscope.viewer.actions.opening import title_of
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.user_interface import UserInterface, draw_list
from hitscope.viewer.panels.progress import progress_text
from hitscope.viewer.state.dialogs import Conflict, Help, SaveAs
from hitscope.viewer.state.documents import DISK, Document, DocumentList
from hitscope.viewer.state.host import RememberFile, ShowSaveDialog
from hitscope.viewer.state.jobs import Cancelled, Job
from hitscope.viewer.state.settings import Limits
from hitscope.viewer.tools import edit_commands
from hitscope.viewer.tools.pointer import apply_pointer
from tests.waiting import wait_until

SOON = 300.0
"""Seconds after which a wait fails: nothing here waits longer than it has to, however busy the machine is."""


def box_scene(name):
    box = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
    probe = SegmentProbe(id="seg", start=(-1.0, 0.5, 0.5), end=(2.0, 0.5, 0.5))
    return Scene(version=1, name=name, primitives=(box,), probes=(probe,))


class Gate:
    """A `load` that waits for the event of each file that is named here."""

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
        return open_state(
            DocumentList([Document(tmp_path / name) for name in names]),
            (800, 600),
            files=files,
            limits=Limits(patience_s=0.05),
        )

    return opened


def finish_jobs(state):
    """Wait for all background jobs and finish them."""
    for work in state.jobs.running:
        assert state.jobs.of(work).done(SOON)
        finish_job(state, work)


def test_the_scene_before_stays_and_answers_while_the_next_is_opened(gate, open_app):
    state = open_app("quick.json", "slow.json")
    finish_jobs(state)
    opening.show_listed(state, 1)
    assert gate.began["slow.json"].wait(SOON)
    assert state.jobs.of("opening") is not None and state.jobs.of("opening").status == "Opening slow.json: reading"
    assert state.jobs.running == ["opening"]
    assert state.session.document.title == "quick.json"
    (x, y, _), *_ = state.display.view.project([(0.5, 0.9, 0.9)])
    state.tool.point_at(x, y)
    apply_pointer(state)
    assert state.selection.hovered == ("primitive", "box", None)
    gate.held["slow.json"].set()
    finish_jobs(state)
    assert state.jobs.of("opening") is None
    assert state.session.document.title == "slow.json"
    assert state.session.report.hit_elements.tolist() == [True]


def test_the_window_has_an_empty_stage_until_the_first_scene_is_there(gate, open_app):
    state = open_app("slow.json")
    assert state.session.document.scene.primitives == ()
    assert len(draw_list(state).single.boxes.roles) == 0
    assert (state.session.is_empty, title_of(state)) == (True, "Opening slow.json")
    gate.held["slow.json"].set()
    finish_jobs(state)
    assert (state.session.is_empty, title_of(state)) == (False, "slow.json")


def test_before_anything_can_be_opened_the_window_is_called_by_the_file_until_something_is_drawn(gate, open_app):
    state = open_app("broken.json")
    gate.held["broken.json"].set()
    finish_jobs(state)
    assert title_of(state) == "broken.json: not opened"
    state.session.edit(box_scene("mine"))
    assert (state.session.is_empty, title_of(state)) == (False, "mine")


def test_escape_stops_opening_and_what_comes_late_is_dropped(gate, open_app):
    state = open_app("quick.json", "slow.json")
    finish_jobs(state)
    opening.show_listed(state, 1)
    job = state.jobs.of("opening")
    cancel.cancel_topmost(state)
    assert state.jobs.of("opening") is None
    gate.held["slow.json"].set()
    assert job.done(SOON)
    with pytest.raises(Cancelled):
        job.answer()
    assert state.jobs.running == []
    assert state.session.document.title == "quick.json"
    opening.show_listed(state, 1)
    finish_jobs(state)
    assert state.session.document.title == "slow.json"


def test_a_scene_that_cannot_be_opened_leaves_the_one_before_with_the_error(gate, open_app):
    state = open_app("quick.json", "broken.json")
    finish_jobs(state)
    opening.show_listed(state, 1)
    gate.held["broken.json"].set()
    finish_jobs(state)
    assert "broken.json:1:" in state.messages.problem
    assert state.session.document.title == "quick.json"


def test_the_first_scene_that_can_be_opened_is_shown_with_the_errors_before_it(gate, open_app):
    state = open_app("broken.json", "slow.json")
    gate.held["broken.json"].set()
    finish_jobs(state)
    gate.held["slow.json"].set()
    finish_jobs(state)
    assert state.session.document.title == "slow.json"
    assert "broken.json:1:" in state.messages.problem


class Waiting:
    """A group of pairs whose code is not ready before it was prepared."""

    kind, shapes = Aabb, ()

    def __init__(self):
        self.prepared = threading.Event()
        self.may_go = threading.Event()

    def ready(self, chosen, probe):
        return self.prepared.is_set()

    def prepare(self, chosen, probe):
        assert self.may_go.wait(SOON)
        self.prepared.set()


def test_what_decides_is_compiled_behind_the_window(gate, open_app, monkeypatch):
    state = open_app("quick.json")
    finish_jobs(state)
    group = Waiting()
    monkeypatch.setattr("hitscope.viewer.actions.method_jobs.compile_apart", lambda missing: None)
    work = next(state.session.report.methods_in_use())
    monkeypatch.setattr(
        type(state.session.report), "methods_in_use", lambda self: iter([work._replace(group=group)])
    )
    opening.show_listed(state, 1)
    if state.jobs.of("opening") is not None:
        finish_job(state, "opening")
    refresh(state)
    assert state.jobs.preparing is not None
    wait_until(
        lambda: state.jobs.preparing.status == "Preparing exact of aabb for quick.json",
        "the method to be prepared",
    )
    assert state.session.report.hit_elements.tolist() == [True]
    group.may_go.set()
    finish_jobs(state)
    assert state.jobs.preparing is None and group.prepared.is_set()


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
    """A function after which every evaluation waits in the background until its event is set."""
    may_go = threading.Event()
    decide = scene_change.evaluate

    def wait_and_decide(*given, **options):
        assert may_go.wait(SOON)
        return decide(*given, **options)

    def begin(state):
        finish_jobs(state)
        state.limits = Limits(patience_s=0.0, background_from=1)
        monkeypatch.setattr(scene_change, "evaluate", wait_and_decide)
        return may_go

    yield begin
    may_go.set()


def another_box(scene):
    """The scene with one more box."""
    return replace(scene, primitives=(*scene.primitives, AabbPrimitive(id="new", min=(0,) * 3, max=(2.0,) * 3)))


def test_the_last_good_scene_stays_usable_while_a_changed_file_is_evaluated(open_app, deciding):
    state = open_app("quick.json")
    may_go = deciding(state)
    before, after = state.session.scene, another_box(state.session.scene)
    disk_changes.reload(state, state.session.document, after)
    assert state.jobs.running == ["opening"]
    assert state.jobs.of("opening").status.startswith("Loading quick.json again")
    assert state.session.scene is before and state.session.report.hit_elements.tolist() == [True]
    may_go.set()
    finish_jobs(state)
    assert state.session.scene is after and state.session.report.hit_elements.tolist() == [True, True]
    assert not state.session.document.changed


def test_a_scene_that_was_evaluated_in_the_background_is_not_evaluated_again(open_app, deciding, monkeypatch):
    state = open_app("quick.json")
    may_go = deciding(state)
    expect = (Expectation(probe="seg", primitive="new", hit=False),)
    disk_changes.reload(state, state.session.document, replace(another_box(state.session.scene), expect=expect))
    may_go.set()
    assert state.jobs.of("opening").done(SOON)
    monkeypatch.setattr("hitscope.viewer.state.session.evaluate", None)
    monkeypatch.setattr(report, "mismatches", None)
    finish_job(state, "opening")
    refresh(state)
    assert state.session.report.hit_elements.tolist() == [True, True]
    assert [mismatch.primitive for mismatch in state.session.report.mismatches] == ["new"]


def test_a_dropped_mesh_is_read_behind_the_window(open_app, tmp_path, monkeypatch):
    state = open_app("quick.json")
    finish_jobs(state)
    mesh, may_go = tmp_path / "tetra.obj", threading.Event()
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    read_once = Reference.read_once
    monkeypatch.setattr(Reference, "read_once", lambda *given: may_go.wait(SOON) and read_once(*given))
    state.limits = Limits(patience_s=0.0)
    opening.open_given(state, [mesh])
    assert state.jobs.running == ["opening"] and state.session.document.title == "quick.json"
    may_go.set()
    finish_jobs(state)
    assert (state.session.document.title, state.session.document.changed, len(state.session.report.elements)) == (
        "tetra",
        False,
        4,
    )


@pytest.fixture
def writing():
    """A function after which every save waits in the background until its event is set."""
    may_go = threading.Event()

    def wait_and_save(scene, path):
        assert may_go.wait(SOON)
        save(scene, path)

    def begin(state):
        finish_jobs(state)
        state.limits = Limits(patience_s=0.0, background_from=1)
        state.session.files = state.session.files._replace(save=wait_and_save)
        return may_go

    yield begin
    may_go.set()


def test_a_large_scene_is_saved_behind_the_window_as_it_was(open_app, writing):
    state = open_app("quick.json")
    may_go = writing(state)
    path, before = state.session.document.path, state.session.scene
    state.session.edit(replace(before, name="mine"))
    saving.save_shown(state)
    assert (state.jobs.running, load(path)) == (["saving"], before)
    state.session.edit(replace(before, name="later"))
    saving.save_shown(state)
    assert state.messages.notice == "The file is still being written"
    may_go.set()
    finish_jobs(state)
    assert (load(path).name, state.messages.notice) == ("mine", f"Saved {path}")
    assert state.session.document.changed
    scene_change.undo(state)
    assert not state.session.document.changed


def test_a_large_scene_is_saved_as_another_file_behind_the_window(open_app, writing, tmp_path):
    state = open_app("quick.json")
    may_go = writing(state)
    before, other = state.session.document.path, tmp_path / "other.scene.json"
    saving.save_as(state)
    saving.path_resolved(state, other, overwrites=False, problem="")
    assert (state.jobs.running, state.dialogs.dialog, state.session.document.path, other.exists()) == (
        ["saving"],
        None,
        before,
        False,
    )
    saving.save_as(state)
    assert (state.dialogs.dialog, state.messages.notice) == (None, "The file is still being written")
    may_go.set()
    finish_jobs(state)
    assert (state.session.document.path, state.host.requests) == (
        other,
        [ShowSaveDialog(before), RememberFile(other)],
    )
    assert load(other) == state.session.scene


@pytest.mark.parametrize("help_open", [False, True])
def test_why_save_as_failed_is_shown_in_its_dialog_or_beside_another_one(open_app, writing, tmp_path, help_open):
    state = open_app("quick.json")
    writing(state).set()
    before = state.session.document.path
    saving.save_as(state)
    saving.path_resolved(state, tmp_path / "nowhere" / "other.scene.json", overwrites=False, problem="")
    if help_open:
        state.dialogs.dialog = Help()
    finish_jobs(state)
    assert state.session.document.path == before and state.host.requests == [ShowSaveDialog(before)]
    if help_open:
        assert isinstance(state.dialogs.dialog, Help) and state.messages.problem.startswith("cannot save ")
    else:
        assert isinstance(state.dialogs.dialog, SaveAs) and state.dialogs.dialog.problem.startswith("cannot save ")
        assert state.messages.problem == ""


def test_a_window_closes_only_when_what_is_being_saved_is_there(open_app, writing):
    state = open_app("quick.json")
    may_go = writing(state)
    state.session.edit(replace(state.session.scene, name="mine"))
    saving.save_shown(state)
    closing.close(state)
    assert (state.jobs.running, state.host.closed, state.messages.notice) == (
        ["saving"],
        False,
        "The window closes when the file is written",
    )
    may_go.set()
    finish_jobs(state)
    assert state.host.closed and load(state.session.document.path).name == "mine"


def test_escape_keeps_a_window_open_that_waits_for_a_file_to_be_written(open_app, writing):
    state = open_app("quick.json")
    may_go = writing(state)
    state.session.edit(replace(state.session.scene, name="mine"))
    saving.save_shown(state)
    closing.close(state)
    cancel.cancel_topmost(state)
    assert (state.jobs.running, state.messages.notice) == (["saving"], "The window stays open")
    may_go.set()
    finish_jobs(state)
    assert not state.host.closed and load(state.session.document.path).name == "mine"


def test_changes_made_while_a_closing_window_saves_open_a_question(open_app, writing):
    state = open_app("quick.json")
    may_go = writing(state)
    state.session.edit(replace(state.session.scene, name="mine"))
    saving.save_shown(state)
    closing.close(state)
    state.session.edit(replace(state.session.scene, name="later"))
    may_go.set()
    finish_jobs(state)
    assert (state.host.closed, (state.dialogs.closing is not None)) == (False, True)


@pytest.fixture
def two_changed(open_app, writing):
    """A state with two changed documents, each of which is written when it may."""
    state = open_app("quick.json", "quick-2.json")
    finish_jobs(state)
    state.session.edit(replace(state.session.scene, name="first"))
    opening.show_listed(state, 1)
    finish_jobs(state)
    state.session.edit(replace(state.session.scene, name="second"))
    may_go = writing(state)
    closing.close(state)
    assert state.dialogs.closing is not None
    return state, may_go


def test_a_window_that_saves_before_it_closes_goes_on_until_all_is_written(two_changed):
    state, may_go = two_changed
    first, second = state.session.unsaved
    closing.save_and_close(state, state.dialogs.closing)
    closing.close(state)
    assert (state.jobs.running, state.dialogs.is_open, state.host.closed) == (["saving"], False, False)
    may_go.set()
    finish_jobs(state)
    assert (load(first.path).name, state.jobs.running, state.host.closed) == ("first", ["saving"], False)
    finish_jobs(state)
    assert (load(second.path).name, state.jobs.running, state.host.closed) == ("second", [], True)


def test_a_window_stays_open_with_the_error_where_what_it_saves_before_it_closes_cannot_be_written(two_changed):
    state, may_go = two_changed
    first, second = state.session.unsaved
    first.path = first.path / "nowhere.json"
    closing.save_and_close(state, state.dialogs.closing)
    may_go.set()
    finish_jobs(state)
    assert state.messages.problem.startswith("cannot save ")
    assert (state.jobs.running, state.host.closed, first.changed, second.changed) == ([], False, True, True)
    assert state.messages.notice == "", "the window does not close when a file is written any more"
    first.path = first.path.parent
    saving.save_shown(state)
    finish_jobs(state)
    assert not state.host.closed


def test_why_a_large_scene_cannot_be_saved_is_shown_and_it_counts_as_changed(open_app, writing):
    state = open_app("quick.json")
    writing(state).set()
    state.session.edit(replace(state.session.scene, name="mine"))
    state.session.document.path = state.session.document.path / "nowhere.json"
    saving.save_shown(state)
    finish_jobs(state)
    assert state.messages.problem.startswith("cannot save ") and state.session.document.changed


def test_what_is_pasted_or_deleted_at_large_is_decided_behind_the_window(open_app, deciding):
    state = open_app("quick.json")
    may_go = deciding(state)
    before = state.session.scene
    state.selection.select(Target("primitive", "box"))
    clipboard.copy(state)
    clipboard.paste(state)
    assert state.jobs.running == ["opening"] and state.session.scene is before
    may_go.set()
    finish_jobs(state)
    assert state.session.report.hit_elements.tolist() == [True, True]
    assert state.selection.targets == (Target("primitive", "box-2"),) and state.messages.notice == "Pasted box-2"
    may_go.clear()
    edit_commands.delete(state)
    assert state.jobs.running == ["opening"] and len(state.session.scene.primitives) == 2
    state.session.edit(replace(state.session.scene, name="mine"))
    may_go.set()
    finish_jobs(state)
    assert state.session.scene.name == "mine" and len(state.session.scene.primitives) == 2
    assert state.messages.notice == "Cancelled: delete box-2, because the scene changed meanwhile"


def test_an_edit_made_while_a_changed_file_is_evaluated_opens_a_question(open_app, deciding):
    state = open_app("quick.json")
    may_go = deciding(state)
    after = another_box(state.session.scene)
    disk_changes.reload(state, state.session.document, after)
    mine = replace(state.session.scene, name="mine")
    state.session.edit(mine)
    may_go.set()
    finish_jobs(state)
    assert state.session.scene is mine
    assert isinstance(state.dialogs.dialog, Conflict)
    assert state.session.report.hit_elements.tolist() == [True]


def test_a_reload_that_is_stopped_leaves_a_scene_that_counts_as_not_saved_and_says_so(open_app, deciding):
    state = open_app("quick.json")
    deciding(state)
    before = state.session.scene
    disk_changes.reload(state, state.session.document, another_box(before))
    cancel.cancel_topmost(state)
    assert state.jobs.running == [] and state.session.scene is before
    assert state.session.document.changed
    assert state.messages.notice == "Kept this scene; saving overwrites quick.json"


def test_undo_of_a_large_change_is_done_once_when_it_is_evaluated(open_app, deciding):
    state = open_app("quick.json")
    before, after = state.session.scene, another_box(state.session.scene)
    state.session.edit(replace(state.session.scene, name="first"), "rename")
    state.session.edit(after, "add")
    may_go = deciding(state)
    scene_change.undo(state)
    job = state.jobs.of("opening")
    scene_change.undo(state)
    assert state.jobs.of("opening") is job
    assert state.session.scene is after
    may_go.set()
    finish_jobs(state)
    assert state.session.scene.primitives == before.primitives
    assert state.messages.notice == "Undone: add"


def test_undo_of_a_large_change_is_given_up_where_the_scene_is_changed_meanwhile(open_app, deciding):
    state = open_app("quick.json")
    state.session.edit(another_box(state.session.scene), "add")
    may_go = deciding(state)
    scene_change.undo(state)
    newer = replace(state.session.scene, name="newer")
    state.session.edit(newer, "rename")
    may_go.set()
    finish_jobs(state)
    assert state.session.scene is newer
    assert state.messages.notice.startswith("Cancelled: undo ")


def test_what_is_decided_during_a_drag_comes_after_it(open_app, deciding):
    state = open_app("quick.json")
    may_go = deciding(state)
    disk_changes.reload(state, state.session.document, another_box(state.session.scene))
    may_go.set()
    assert state.jobs.of("opening").done(SOON)
    state.tool.drag = object()
    assert state.jobs.done(state.tool.drag is not None) is None
    state.tool.drag = None
    assert state.jobs.done(state.tool.drag is not None) == "opening"


# How far it is, and stopping it


def numbers_scene(rows):
    """A scene of one bulk item."""
    low = np.arange(3.0 * rows).reshape(-1, 3)
    probe = SegmentProbe(id="seg", start=(-1.0, 0.5, 0.5), end=(2.0, 0.5, 0.5))
    return Scene(version=1, primitives=(AabbsPrimitive(id="boxes", min=low, max=low + 1),), probes=(probe,))


def fractions_of(work):
    """The fractions of the work that it reports, in order."""
    fractions = []
    with progress.reporting_to(fractions.append):
        work()
    return [fraction for fraction in fractions if fraction is not None]


def test_reading_numbers_reports_how_much_of_the_file_is_read(tmp_path):
    save(numbers_scene(20_000), tmp_path / "a.json")
    fractions = fractions_of(lambda: load(tmp_path / "a.json"))
    assert len(fractions) > 2
    assert fractions == sorted(fractions)
    assert 0.9 < fractions[-1] <= 1.0


def test_reading_an_npz_file_reports_how_much_of_it_is_read(tmp_path):
    rows = np.zeros((200_000, 3))
    np.savez(tmp_path / "a.npz", min=rows, max=rows + 1)
    text = '{"version": 1, "primitives": [{"type": "aabbs", "file": "a.npz"}], "probes": []}'
    (tmp_path / "a.json").write_text(text)
    fractions = fractions_of(lambda: load(tmp_path / "a.json"))
    assert len(fractions) > 4
    assert fractions == sorted(fractions)
    assert 0.99 < fractions[-1] <= 1.0


def test_evaluating_reports_how_many_of_the_pairs_are_done():
    scene = numbers_scene(1000)
    probes = tuple(replace(scene.probes[0], id=f"seg{i}") for i in range(4))
    fractions = fractions_of(lambda: evaluate(replace(scene, probes=probes), compile=False))
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


def test_a_job_reports_the_progress_of_each_step_where_it_is_known():
    seen = []

    def work(job):
        for words, units in (("some", 4), ("more", 0)):
            job.set_status(words, units)
            seen.append((job.status, job.fraction))
            progress.advance(1)
            seen.append((job.status, job.fraction))

    assert Job("", work).done(SOON)
    assert seen == [("some", None), ("some", 0.25), ("more", None), ("more", None)]


# Compiling


def test_escape_stops_compiling_until_another_scene_is_opened(open_app, monkeypatch):
    state = open_app("quick.json")
    finish_jobs(state)
    group = Waiting()
    work = next(state.session.report.methods_in_use())
    monkeypatch.setattr("hitscope.viewer.actions.method_jobs.compile_apart", lambda missing: None)
    monkeypatch.setattr(
        type(state.session.report), "methods_in_use", lambda self: iter([work._replace(group=group)])
    )
    opening.show_listed(state, 1)
    settled_opening = state.jobs.of("opening") is None or finish_job(state, "opening") is None
    refresh(state)
    refresh(state)
    assert settled_opening and state.jobs.preparing is not None
    job = state.jobs.preparing
    cancel.cancel_topmost(state)
    assert state.jobs.preparing is None and state.messages.notice.startswith("Compiling stopped")
    group.may_go.set()
    assert job.done(SOON)
    state.session.edit(replace(state.session.scene, probes=()))
    refresh(state)
    assert state.session.report.hitting_probes.tolist() == []
    assert state.jobs.preparing is None
    opening.show_listed(state, 1)
    if state.jobs.of("opening") is not None:
        finish_job(state, "opening")
    refresh(state)
    assert state.jobs.preparing is not None or group.prepared.is_set()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder for compiled code with nothing in it."""
    monkeypatch.setattr(compiling, "code_folder", lambda: tmp_path)
    return tmp_path


def test_what_is_compiled_already_needs_no_process(cache, monkeypatch):
    work = [Compilation.of(use) for use in evaluate(numbers_scene(10)).methods_in_use()]
    for some in work:
        (cache / some.mark).touch()
    begun = []
    monkeypatch.setattr(compiling.worker_processes, "Background", lambda *work: begun.append(work))
    compile_apart(work)
    assert begun == []


def test_what_is_compiled_for_the_first_time_is_in_a_process_that_ends_when_it_is_stopped(cache):
    work = [Compilation.of(use) for use in evaluate(numbers_scene(10)).methods_in_use()]
    before = set(active_children())
    job = Job("compiling", lambda job: compile_apart(work))
    wait_until(lambda: set(active_children()) - before, "the process")
    (process,) = set(active_children()) - before
    job.cancel()
    assert job.done(SOON)
    assert not process.is_alive()
    assert not any((cache / some.mark).exists() for some in work)


def test_what_builds_a_hierarchy_is_compiled_in_the_process_too(cache, open_app, monkeypatch):
    asked = []
    monkeypatch.setattr("hitscope.viewer.actions.method_jobs.compile_apart", asked.extend)
    state = open_app("quick.json")
    finish_jobs(state)
    view.show_level(state, 0)
    refresh(state)
    assert state.jobs.preparing is not None
    finish_jobs(state)
    assert Compilation.of_hierarchy(Aabb) in asked
    assert len(state.session.report.hierarchies()) == 1


def test_what_is_compiled_for_a_scene_names_it_and_stops_when_another_one_is_shown(open_app, monkeypatch):
    may_go = threading.Event()
    monkeypatch.setattr("hitscope.viewer.actions.method_jobs.compile_apart", lambda _: may_go.wait(SOON))
    state = open_app("quick.json", "other.json")
    finish_jobs(state)
    view.show_level(state, 0)
    refresh(state)
    job = state.jobs.preparing
    wait_until(lambda: job.status.endswith("for quick.json"), "the status")
    opening.show_listed(state, 1)
    if state.jobs.opening is not None:
        finish_job(state, "opening")
    refresh(state)
    assert state.session.document.title == "other.json"
    assert state.jobs.preparing is None
    may_go.set()
    assert job.done(SOON)
    with pytest.raises(Cancelled):
        job.answer()


@pytest.mark.parametrize("name", ["mesh.obj", "mesh.ply"])
def test_reading_a_mesh_reports_how_much_of_it_is_read_and_can_be_cancelled(tmp_path, name):
    count = 10_000
    corners = "\n".join(f"{'v ' * name.endswith('obj')}{i} 0 {i % 7}" for i in range(count))
    faces = "\n".join(f"{'f' if name.endswith('obj') else '3'} {i} {i + 1} {i + 2}" for i in range(1, count - 2))
    header = (
        f"ply\nformat ascii 1.0\nelement vertex {count}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {count - 3}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    (tmp_path / name).write_text(f"{header * name.endswith('ply')}{corners}\n{faces}\n")
    fractions = fractions_of(lambda: mesh.read(tmp_path / name))
    assert len(fractions) >= 4 and 0.5 < max(fractions) <= 1.0

    def cancel_at_once(fraction):
        raise Cancelled

    with pytest.raises(Cancelled), progress.reporting_to(cancel_at_once):
        mesh.read(tmp_path / name)


@pytest.mark.parametrize("leave", ["Escape", "another file", "another scene"])
def test_a_file_whose_opening_is_left_leaves_no_empty_document(gate, open_app, tmp_path, leave):
    state = open_app("quick.json", "other.json")
    finish_jobs(state)
    before = list(state.session.listed.documents)
    save(box_scene("slow.json"), tmp_path / "slow.json")
    save(box_scene("third.json"), tmp_path / "third.json")
    opening.open_given(state, [tmp_path / "slow.json"])
    assert gate.began["slow.json"].wait(SOON)
    match leave:
        case "Escape":
            cancel.cancel_topmost(state)
        case "another file":
            opening.open_given(state, [tmp_path / "third.json"])
        case "another scene":
            opening.show_open(state, -1)
    gate.held["slow.json"].set()
    finish_jobs(state)
    names = [document.path.name for document in state.session.listed.documents]
    assert "slow.json" not in names
    assert all(document in state.session.listed.documents for document in before)


def test_the_only_file_is_opened_again_by_retry(gate, open_viewer, tmp_path):
    path = tmp_path / "a.scene.json"
    save(box_scene("a"), path)
    text = path.read_text()
    path.write_text("{}")
    user = open_viewer(path)
    assert user.state.session.is_empty
    path.write_text(text)
    user.click_on("Retry")
    assert user.state.session.document.title == "a"
    assert not user.sees("Retry")


def test_a_picture_is_dimmed_with_a_bar_that_names_the_file_while_it_is_opened(gate, open_app, tmp_path):
    state = open_app("quick.json")
    finish_jobs(state)
    save(box_scene("slow.json"), tmp_path / "slow.json")
    with UserInterface(state) as interface:

        def drawn():
            return interface.gui.drawn.total_vtx_count

        before = drawn()
        opening.open_given(state, [tmp_path / "slow.json"])
        interface.advance(0.11)
        assert drawn() > before
        assert progress_text(state.jobs.opening) == "Opening slow.json: reading"
        gate.held["slow.json"].set()
