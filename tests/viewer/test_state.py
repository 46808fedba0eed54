"""The parts of the state, each by itself: what it holds, and what its own methods make of it."""

import ast
import inspect
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from hitscope.draw.builder import Builder
from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.render.palette import THEMES
from hitscope.scene.edits import remove_items
from hitscope.viewer.state.dialogs import Closing, Dialogs, Help
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.documents import DISK, EMPTY, Document, DocumentList
from hitscope.viewer.state.host import Host
from hitscope.viewer.state.jobs import Job, Jobs
from hitscope.viewer.state.messages import Introduction, Lessons, Messages, Review
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Evaluated, Session, size_of
from hitscope.viewer.state.settings import LIMITS, Settings
from hitscope.viewer.state.state import Commands, Do, State
from hitscope.viewer.state.tool import Tool
from tests.viewer.samples import box_and_two_probes

PARTS = (Session, Selection, Display, Tool, Jobs, Dialogs, Messages, Lessons, Host, Do)
"""The parts that are written; settings, commands and limits are given once."""
VIEWER = Path(inspect.getfile(State)).parents[1]
BOX, ABOVE, RAY = Target("primitive", "box"), Target("probe", "above"), Target("probe", "ray")
PLAIN = Settings()


def attributes(part):
    """The names that the methods of a part write to `self`."""
    tree = ast.parse(inspect.getsource(part))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if isinstance(node.value, ast.Name) and node.value.id == "self"
    }


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_small_and_says_who_writes_it(part):
    assert len(attributes(part)) <= 15
    assert "ritten by" in part.__doc__ or "are for tools and actions" in part.__doc__


def test_the_state_is_at_most_a_dozen_parts():
    assert len(State.__slots__) <= 12


@pytest.mark.parametrize("path", sorted((VIEWER / "actions").glob("*.py")), ids=lambda path: path.stem)
def test_what_actions_share_takes_the_state_instead_of_its_parts(path):
    parts = {part.__name__ for part in PARTS}
    taken = {
        (function.name, parameter.arg)
        for function in ast.parse(path.read_text()).body
        if isinstance(function, ast.FunctionDef)
        for parameter in function.args.args
        if parameter.annotation is not None and ast.unparse(parameter.annotation) in parts
    }
    assert not taken


# Session


@pytest.fixture
def session():
    """A session that shows a scene, from no file."""
    selection = Selection()
    session = Session(DocumentList([]), DISK, selection, LIMITS, OwnCode())
    document = Document(SimpleNamespace(name="a.scene.json"))
    scene = box_and_two_probes()
    document.begin(scene)
    session.show(document, Evaluated(evaluate(scene), Builder()))
    return session


def test_a_session_begins_with_an_empty_scene_that_has_a_report():
    session = Session(DocumentList([]), DISK, Selection(), LIMITS, OwnCode())
    assert session.is_empty and session.scene is EMPTY and session.report.scene is EMPTY
    assert session.documents == [session.stage] and session.position == ""


def test_a_preview_is_shown_until_it_is_reverted_or_committed(session):
    before, after = session.document.scene, remove_items(session.scene, "probe", {0})
    session.preview(after)
    assert session.scene is after and session.document.scene is before and session.has_preview
    session.revert()
    assert session.scene is before and not session.commit("nothing")
    session.preview(after)
    assert session.commit("delete above")
    assert session.document.scene is after and session.document.undo_name == "delete above"
    assert not session.has_preview


def test_an_edit_keeps_in_the_history_what_was_selected_before_it(session):
    selection = session._selection
    selection.select(ABOVE)
    session.preview(remove_items(session.scene, "probe", {1}))
    selection.select(BOX)
    session.commit()
    session.document.step(-1)
    assert session.document.selection == (ABOVE,), "what the drag itself selected was not there before"


def test_writing_a_session_evaluates_nothing(session):
    report = session.report
    session.preview(remove_items(session.scene, "probe", {0}))
    session.commit()
    assert session.report is report and report.scene is not session.scene


def test_a_report_is_taken_with_the_change_that_shows_its_scene(session):
    before, after = (session.report, session.builder), remove_items(session.scene, "probe", {0})
    evaluated = Evaluated(evaluate(after), Builder())
    session.take_evaluated(evaluated, lambda: None)
    assert (session.report, session.builder) == before, "the scene was not shown"
    session.take_evaluated(evaluated, lambda: session.edit(after, "delete above"))
    assert (session.report, session.builder) == (evaluated.report, evaluated.builder)


def test_a_crash_would_lose_edits_and_a_drag_of_a_scene_that_is_not_large(session):
    assert session.unsaved_scenes(9) == {}
    after = remove_items(session.scene, "probe", {0})
    session.preview(after)
    assert session.unsaved_scenes(size_of(after) + 1) == {session.document: after}
    assert session.unsaved_scenes(size_of(after)) == {}
    session.commit()
    assert session.unsaved_scenes(0) == {session.document: after}


def test_what_exists_is_what_the_report_or_the_scene_has(session):
    assert all(session.exists(target) for target in (BOX, ABOVE, RAY))
    assert not session.exists(None) and not session.exists(Target("primitive", "above"))


# Selection


def test_a_selection_has_each_target_once_and_no_handles():
    selection = Selection()
    selection.select(ABOVE._replace(handle=1), BOX, ABOVE)
    assert selection.targets == (ABOVE, BOX) and selection.last == BOX and selection.is_fresh
    selection.select(BOX, toggle=True)
    assert selection.targets == (ABOVE,)
    selection.select()
    assert selection.targets == () and not selection.is_fresh


def test_clicks_at_the_same_pixel_go_through_what_was_found_there():
    selection, found = Selection(), [BOX, ABOVE, RAY]
    seen = []
    for x in (10.0, 11.0, 9.0, 10.0, 30.0):
        selection.click(x, 5.0, found, None, toggle=False, reach=3.0)
        seen.append(selection.last)
    assert seen == [BOX, ABOVE, RAY, BOX, BOX]


def test_a_click_on_nothing_deselects_unless_it_adds():
    selection = Selection()
    selection.select(BOX)
    selection.click(0.0, 0.0, [], None, toggle=True, reach=3.0)
    assert selection.targets == (BOX,)
    selection.click(0.0, 0.0, [], None, toggle=False, reach=3.0)
    assert selection.targets == ()


def test_the_handle_that_was_clicked_is_known_as_long_as_it_is_there():
    selection, handle = Selection(), ABOVE._replace(handle=1)
    selection.click(0.0, 0.0, [ABOVE], handle, toggle=False, reach=3.0)
    assert selection.handle == handle
    selection.keep_existing(lambda target: target is not None, lambda handle: True)
    assert selection.handle == handle
    selection.keep_existing(lambda target: target is not None, lambda handle: False)
    assert selection.handle is None and selection.targets == (ABOVE,)


def test_what_is_no_longer_there_is_neither_selected_nor_hovered():
    selection = Selection()
    selection.select(ABOVE, BOX)
    selection.hovered = ABOVE
    selection.keep_existing(lambda target: target == BOX, lambda handle: True)
    assert (selection.targets, selection.hovered, selection.pairing.partner) == ((BOX,), None, None)


def test_two_of_different_kinds_that_are_selected_together_are_the_pair(session):
    selection = Selection()
    selection.select(RAY, BOX)
    assert selection.pair(session.picture) == (1, 0) and selection.partner(session.picture) == RAY
    selection.clear()
    assert selection.pair(session.picture) is None and selection.partner(session.picture) is None


# Display


def test_a_display_begins_as_the_settings_say():
    settings = replace(PLAIN, theme="light", grid=False, labels=True, closed_parts=("Probes",))
    display = Display((1280, 800), 2.0, settings)
    assert display.theme is THEMES["light"] and display.labels and display.closed_parts == {"Probes"}
    assert display.picture_theme.grid_major_opacity == 0.0


def test_each_document_has_its_own_viewpoint(session):
    display, first, second = Display((1280, 800), 1.0, PLAIN), session.document, session.stage
    display.show(first, session.scene.view, session.corners)
    own = display.viewpoint
    display.show(second, None, session.corners)
    assert display.viewpoint is not own
    display.show(first, None, session.corners)
    assert display.viewpoint is own


def test_the_picture_has_the_room_that_the_panels_leave(session):
    display = Display((1280, 800), 1.0, PLAIN)
    display.show(session.document, session.scene.view, session.corners)
    picture, drawn = display.layout.picture, display.view.viewport
    assert drawn.left + drawn.width / 2 == picture.left + picture.width / 2
    assert drawn.left + drawn.width == 1280 > picture.left + picture.width, "beside a short panel"
    display.folding.is_panel_high = True
    assert display.view.viewport == display.layout.picture == picture != display.full
    display.panels = False
    assert display.view.viewport == display.full


# Tool


def test_ctrl_turns_snapping_round():
    tool = Tool(replace(PLAIN, snapping=True))
    assert tool.snaps
    tool.set_modifiers(frozenset(["Ctrl"]))
    assert not tool.snaps


def test_modifiers_and_axes_let_the_latest_pixel_be_applied_again():
    tool = Tool(PLAIN)
    tool.set_held_axis(1)
    assert not tool.pointer_pending, "the mouse was nowhere yet"
    tool.point_at(3.0, 4.0)
    tool.pointer_pending = False
    tool.set_modifiers(frozenset(["Shift"]))
    assert tool.pointer_pending
    tool.pointer_pending = False
    tool.set_modifiers(frozenset(["Shift"]))
    assert not tool.pointer_pending
    tool.set_held_axis(None)
    assert tool.pointer_pending and tool.held_axis is None


def test_a_drag_is_cancelled_once():
    tool, cancelled = Tool(PLAIN), []
    tool.drag = SimpleNamespace(cancel=lambda: cancelled.append(True))
    assert tool.cancel_drag() and tool.drag is None
    assert not tool.cancel_drag() and cancelled == [True]


# Jobs


def test_a_job_is_known_by_its_kind_while_it_runs():
    jobs = Jobs([])
    assert jobs.running == [] and jobs.done(dragging=False) is None and not jobs.wait("saving")
    jobs.saving = Job("saving", lambda job: None)
    jobs.opening = Job("opening", lambda job: None)
    assert jobs.running == ["opening", "saving"]
    assert jobs.wait("opening") and jobs.wait("saving")
    assert jobs.done(dragging=False) == "opening"
    assert jobs.done(dragging=True) == "saving", "a scene is not exchanged under a drag"


# Dialogs, messages, host, deferred actions


def test_a_dialog_or_the_question_before_closing_is_in_the_way_of_all_else():
    dialogs = Dialogs()
    assert not dialogs.is_open
    dialogs.dialog = Help()
    assert dialogs.is_open
    dialogs.dialog, dialogs.closing = None, Closing((), window=True)
    assert dialogs.is_open


def test_problems_are_listed_one_a_line():
    messages = Messages(Introduction(seen=True, offers=True), Lessons(()), Review())
    messages.add_problem("one")
    messages.add_problem("two")
    assert messages.problem == "one\ntwo"


def test_a_host_has_no_requests_at_first():
    host = Host()
    assert (host.requests, host.clipboard, host.closed, host.settings_path) == ([], "", False, None)


def test_deferred_actions_are_done_once_in_their_order_and_may_ask_for_more():
    do, done = Do(), []
    do(lambda state, name: done.append((state, name)), "first")
    do(lambda state: do(lambda state: done.append((state, "later"))))
    assert done == []
    assert do.run("state") and done == [("state", "first")]
    assert do.run("state") and done[1:] == [("state", "later")]
    assert not do.run("state")


def test_commands_without_keys_are_left_out_of_what_is_pressed():
    assert Commands().pressed("save", "open") == ""
