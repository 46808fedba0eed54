"""The user's own method in the window: edit it, save it, see it."""

import argparse
import json
from contextlib import ExitStack
from functools import partial

import numpy as np
import pytest

from hitscope import cli
from hitscope.cli.options import add_method_option, add_target_options
from hitscope.judge.campaign import Campaign
from hitscope.judge.fixing import search
from hitscope.scene import Scene, save
from hitscope.scene.items import AabbPrimitive, RayProbe, TrianglePrimitive
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.fixes import Fix, Fixes, Suspect
from hitscope.viewer.interface.recording import Recorder, Recording, recording_start
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.panels.pair_panel import PairPanel
from hitscope.viewer.panels.progress import own_code_words
from hitscope.viewer.panels.step_source import rows_of
from hitscope.viewer.state.inputs import HostEvent, JobDone
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.window.replay import replay, screenshot, state_of
from tests.viewer.samples import VIEW
from tests.viewer.user import SIZE
from tests.waiting import PATIENCE_S, wait_until

NEAR = AabbPrimitive(id="near", min=(-1.0, -1.0, -1.0), max=(1.0, 1.0, 1.0))
FAR = AabbPrimitive(id="far", min=(-1.0, 4.0, -1.0), max=(1.0, 5.0, 1.0))
RAY = RayProbe(id="ray", origin=(-4.0, 0.0, 0.0), direction=(1.0, 0.0, 0.0))
SCENE = Scene(version=1, primitives=(NEAR, FAR), probes=(RAY,), view=VIEW)
PYTHON = "def hit(ray, box):\n    return {}\n"
C = "int hit(const double *ray, const double *box, double *t)\n{{\n    return {};\n}}\n"
NEVER, ALWAYS, RIGHT = "False", "True", "abs(box.lo[1]) <= 1"


@pytest.fixture
def load(tmp_path, monkeypatch):
    """A function that loads the TARGETs of a command line, in the folder of the test."""
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:

        def loaded(*methods, options=()):
            parser = argparse.ArgumentParser()
            add_method_option(parser)
            add_target_options(parser, timeout=PATIENCE_S)
            given = parser.parse_args([*(part for one in methods for part in ("--method", one)), *options])
            return stack.enter_context(OwnCode(partial(DecidingTargets, given, compares_flags=True)))

        yield loaded


@pytest.fixture
def mine(tmp_path):
    """A function that writes the user's Python file."""
    return lambda answer: (tmp_path / "mine.py").write_text(PYTHON.format(answer))


@pytest.fixture
def open_selected(open_viewer, load, mine):
    """A function that opens a viewer by some options, as `user` has it."""

    def opened(*options):
        mine(NEVER)
        user = open_viewer(SCENE, own=load("ray_aabb=mine.py:hit", options=options))
        user.click_on("probe ray")
        user.click_on("primitive near", modifiers=("Shift",))
        return user

    return opened


@pytest.fixture
def user(open_selected):
    """A user whose own method misses everything, with the pair of the ray and the near box selected."""
    return open_selected()


def hits(user):
    """The names of the primitives that are shown as hits."""
    report = user.state.session.report
    return [element.id for element, hit in zip(report.elements, report.shown_hits, strict=True) if hit]


def wrong(user):
    """The pairs that are decided wrongly, by the names of probe and primitive."""
    found = user.state.session.differences.wrong
    return [(pair.probe, pair.primitive) for pair in found if pair.is_decided_wrongly]


def saved(user):
    """Let the window note that the file was saved."""
    user.take(HostEvent, "code")


def rows(user):
    """The rows of the pair's methods: verdict and mark, by name."""
    panel: PairPanel = user.interface._side_panels._pair
    methods = user.state.session.report.methods_of("ray_aabb")
    marks = {name: "".join(mark.words for mark in panel._own_mark(methods[name])) for name in panel._verdicts}
    return {name: (found.hit, marks[name]) for name, found in panel._verdicts.items()}


def test_it_decides_and_stands_beside_the_others_with_its_differences(user):
    assert hits(user) == []
    shown = rows(user)
    assert next(iter(shown)) == "mine.py:hit" and shown["mine.py:hit"] == (False, "yours")
    assert shown["exact"] == (True, "") and shown["slab_ericson"] == (True, "")
    assert wrong(user) == [("ray", "near")]
    assert [mark.pair.is_decided_wrongly for mark in user.interface._labels.wrong] == [True]
    panel: PairPanel = user.interface._side_panels._pair
    assert panel._wrong_words("mine.py:hit", "ray_aabb") == "1 of 2 wrong"
    user.click_on("filter wrong")
    assert user.sees("wrong ray near") and not user.sees("wrong ray far")


@pytest.mark.parametrize("language", ["python", "c"])
def test_saving_the_file_shows_its_new_verdicts_with_camera_and_selection_as_they_are(
    language, open_viewer, load, tmp_path
):
    name, text = ("mine.py", PYTHON) if language == "python" else ("mine.c", C)
    never, always = (NEVER, ALWAYS) if language == "python" else ("0", "1")
    (tmp_path / name).write_text(text.format(never))
    user = open_viewer(SCENE, own=load(f"ray_aabb={name}:hit"))
    user.drag((640, 300), (700, 340))
    user.click_on("primitive far")
    before = user.camera, user.selected
    assert hits(user) == []
    (tmp_path / name).write_text(text.format(always))
    saved(user)
    assert hits(user) == ["near", "far"] and wrong(user) == [("ray", "far")]
    assert (user.camera, user.selected) == before
    assert own_code_words(user.state) == ("", "")


def test_a_file_that_cannot_be_loaded_keeps_the_old_verdicts_marked_until_the_next_good_save(user, mine):
    mine(RIGHT)
    saved(user)
    assert hits(user) == ["near"]
    mine("box.lo[")
    saved(user)
    problem, meanwhile = own_code_words(user.state)
    assert "mine.py, line 2" in problem and meanwhile.startswith("The verdicts are old")
    assert hits(user) == ["near"] and rows(user)["mine.py:hit"] == (True, "yours, old")
    mine(ALWAYS)
    saved(user)
    assert hits(user) == ["near", "far"] and rows(user)["mine.py:hit"] == (True, "yours")
    assert own_code_words(user.state) == ("", "")


def test_what_a_compiler_says_is_shown_with_its_line(open_viewer, load, tmp_path):
    (tmp_path / "mine.c").write_text(C.format("0"))
    user = open_viewer(SCENE, own=load("ray_aabb=mine.c:hit"))
    (tmp_path / "mine.c").write_text(C.format("missing"))
    saved(user)
    problem, _ = own_code_words(user.state)
    assert "mine.c:3:" in problem and "missing" in problem
    assert user.state.session.own.is_old(user.state.session.scene) and hits(user) == []


@pytest.mark.parametrize(
    ("answer", "said", "options"),
    [
        ("1 / 0", "mine.py:hit fails on ray and near: ZeroDivisionError: division by zero at mine.py:2", ()),
        ("__import__('os')._exit(3)", "mine.py:hit fails on ray and near: exit status 3", ()),
        (
            "exec('while True: pass')",
            "mine.py:hit hangs on ray and near: no case finished in 2 s",
            ("--timeout", "2"),
        ),
    ],
)
def test_a_crash_and_a_hang_are_told_and_leave_the_old_verdicts(open_selected, mine, answer, said, options):
    user = open_selected(*options)
    mine(ALWAYS)
    saved(user)
    mine(answer)
    saved(user)
    assert own_code_words(user.state) == (said, "The verdicts are old: its last answers.")
    assert hits(user) == ["near", "far"] and rows(user)["mine.py:hit"] == (True, "yours, old")
    mine(RIGHT)
    saved(user)
    assert hits(user) == ["near"] and wrong(user) == []


def test_a_method_that_never_answered_leaves_the_scene_to_its_own_methods(open_viewer, load, mine):
    mine("1 / 0")
    user = open_viewer(SCENE, own=load("ray_aabb=mine.py:hit"))
    assert hits(user) == ["near"]
    assert own_code_words(user.state)[1].startswith("The scene's own methods decide")


def test_while_its_answer_is_that_of_another_position_the_pair_has_the_exact_one(user):
    panel: PairPanel = user.interface._side_panels._pair
    assert panel._shown.is_wrong and not panel._shown.answer.hit
    user.wait_for_work = lambda: None
    start = user.pixel((-4.0, 0.0, 0.0))
    user.drag(start, (start[0], start[1] - 16.0))
    assert user.state.session.own.is_behind(user.state.session.scene)
    assert panel._shown.answer.hit and not panel._shown.is_wrong
    del user.wait_for_work
    user.wait_for_work()
    assert panel._shown.is_wrong and not panel._shown.answer.hit


def test_the_window_goes_on_while_the_method_hangs(user, mine):
    mine("exec('while True: pass')")
    user.wait_for_work = lambda: None
    saved(user)
    user.drag(user.pixel((-4.0, 0.0, 0.0)), (300, 200))
    moved = user.item("ray")
    assert moved is not RAY and user.state.jobs.calling is not None
    assert user.state.session.own.is_old(user.state.session.scene)
    user.pass_time(1000)
    assert own_code_words(user.state)[1].startswith("Calling your own code")
    mine(ALWAYS)
    hanging = user.state.jobs.calling
    saved(user)
    assert user.state.jobs.calling is not hanging
    del user.wait_for_work
    user.wait_for_work()
    assert hits(user) == ["near", "far"]


def test_a_drag_shows_the_verdicts_where_the_probe_is_and_calls_only_new_pairs(user, mine, tmp_path):
    (tmp_path / "mine.py").write_text(
        "def hit(ray, box):\n"
        "    print(file=open('calls', 'a'))\n"
        "    return box.lo[1] <= ray.origin[1] <= box.hi[1]\n"
    )
    saved(user)
    assert own_code_words(user.state) == ("", "")
    assert hits(user) == ["near"]
    calls = len((tmp_path / "calls").read_text())
    start, end = user.pixel((-4.0, 0.0, 0.0)), user.pixel((-4.0, 4.5, 0.0))
    user.drag(start, end, release=False)
    assert hits(user) == ["far"] and user.state.session.has_preview
    called = len((tmp_path / "calls").read_text())
    assert called > calls
    user.release()
    user.click_on("primitive far")
    user.keys("Ctrl+Z")
    assert hits(user) == ["near"]


def test_another_method_can_decide_for_a_look_and_the_scene_stays_as_it_is(user):
    scene = user.state.session.scene
    user.click_on("method exact")
    assert hits(user) == ["near"] and wrong(user) == []
    assert rows(user)["mine.py:hit"] == (False, "yours")
    assert user.state.session.differences.wrong[0].differences == {"mine.py:hit": "verdict"}
    user.click_on("method mine.py:hit")
    assert hits(user) == [] and wrong(user) == [("ray", "near")]
    assert user.state.session.scene is scene and not user.state.session.document.changed


def test_the_saved_scene_does_not_name_the_method(home, work, open_paths, load, tmp_path):
    (tmp_path / "mine.py").write_text(PYTHON.format(ALWAYS))
    save(SCENE, tmp_path / "own.scene.json")
    user = open_paths("own.scene.json", own=load("ray_aabb=mine.py:hit"))
    user.click_on("primitive near")
    user.keys("Left", "Ctrl+S")
    assert not user.state.session.document.changed
    text = (tmp_path / "own.scene.json").read_text()
    assert json.loads(text)["primitives"][0]["min"] != list(NEAR.min)
    assert "mine" not in text and "methods" not in json.loads(text)


def test_the_host_sees_a_saved_file_and_the_headers_of_c(home, open_paths, load, tmp_path):
    (tmp_path / "answer.h").write_text("#define ANSWER 0\n")
    (tmp_path / "mine.c").write_text('#include "answer.h"\n' + C.format("ANSWER"))
    save(SCENE, tmp_path / "own.scene.json")
    user = open_paths("own.scene.json", own=load("ray_aabb=mine.c:hit"))
    assert hits(user) == []
    (tmp_path / "answer.h").write_text("#define ANSWER 1 \n")
    user.wait_for(lambda: hits(user) == ["near", "far"], "the new verdicts")
    (tmp_path / "answer.h").unlink()
    user.wait_for(lambda: "answer.h" in own_code_words(user.state)[0], "the missing header")
    (tmp_path / "answer.h").write_text("#define ANSWER 0\n")
    user.wait_for(lambda: not hits(user), "the new verdicts")
    assert own_code_words(user.state) == ("", "")


def test_the_neighbours_that_a_python_file_imports_are_watched(load, tmp_path):
    (tmp_path / "beside.py").write_text("ANSWER = True\n")
    (tmp_path / "mine.py").write_text("from beside import ANSWER\n" + PYTHON.format("ANSWER"))
    own = load("ray_aabb=mine.py:hit")
    assert own.files == [tmp_path / "beside.py", tmp_path / "mine.py"]


def test_a_recording_replays_with_the_same_method(open_viewer, load, mine, tmp_path):
    mine("ray.origin[1] > 1")
    path = tmp_path / "own.scene.json"
    save(SCENE, path)
    recorder = Recorder(tmp_path / "recording", recording_start([path], tmp_path, SIZE))
    user = open_viewer(path, own=load("ray_aabb=mine.py:hit"))
    user.recorder = recorder
    user.take(JobDone, "opening")
    user.drag(user.pixel((-4.0, 0.0, 0.0)), user.pixel((-4.0, 3.0, 0.0)))
    recorder.close()
    user.recorder = None
    recording = Recording.read(tmp_path / "recording")
    own = load("ray_aabb=mine.py:hit")
    with UserInterface(state_of(recording, own=own)) as interface:
        replay(recording, interface)
        report, scene = interface.state.session.report, interface.state.session.scene
        assert scene == user.state.session.scene
        assert report.hits.tolist() == [[True, True]] and not own.is_old(scene)


def test_pairs_of_other_types_are_decided_as_ever(open_viewer, load, mine):
    mine(NEVER)
    flat = TrianglePrimitive(id="flat", vertices=((2.0, -1.0, -1.0), (2.0, 1.0, -1.0), (2.0, 0.0, 1.0)))
    scene = Scene(version=1, primitives=(NEAR, flat), probes=(RAY,), view=VIEW)
    user = open_viewer(scene, own=load("ray_aabb=mine.py:hit"))
    assert hits(user) == ["flat"]


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("ray_aabb=mine.py:hit", "mine.py, line 2"),
        ("ray_aabb=none.py:hit", "none.py: expected a file, found none"),
        ("ray_box=mine.py:hit", 'found "ray_box"'),
    ],
)
def test_what_cannot_be_loaded_at_the_start_is_one_line_before_any_window(
    method, said, tmp_path, mine, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hitscope.viewer.run", lambda *_: pytest.fail("a window was opened"))
    mine("(")
    assert cli.main(["open", "--method", method]) == cli.BAD_INPUT
    error = capsys.readouterr().err
    assert said in error and len(error.splitlines()) == 1


def test_the_map_begins_with_the_users_own_function_and_follows_its_file(user, mine):
    view = user.state.session.map_view
    user.keys("Shift+M")
    first, second = view.found.methods[:2]
    assert (first.name, first.hit.any()) == ("mine.py:hit", False)
    assert first.wrong_misses > 0 == first.wrong_hits and second.wrong == 0
    mine(ALWAYS)
    saved(user)
    assert view.found.methods[0].hit.all() and view.found.methods[0].wrong_hits > 0


def test_the_map_compares_the_flags_of_a_compiler(open_viewer, load, tmp_path):
    (tmp_path / "mine.c").write_text(C.format("SAID"))
    user = open_viewer(SCENE, own=load("ray_aabb=mine.c:hit", options=("--flags=-DSAID=1", "--flags=-DSAID=0")))
    user.keys("Shift+M")
    found = user.state.session.map_view.found.methods
    assert [method.name for method in found[:2]] == ["mine.c:hit -DSAID=1", "mine.c:hit -DSAID=0"]
    assert [method.hit.all() for method in found[:2]] == [True, False]
    assert hits(user) == ["near", "far"]


DIFF_IN_C = "--- a/mine.c\n+++ b/mine.c\n@@ -2,3 +2,3 @@\n {\n-    return 0;\n+    return 1;\n }\n"
SLABS = """\
# hitscope: generators=integer_grid
def hit(ray, box):
    near, far = 0.0, float("inf")
    for k in range(3):
        if ray.direction[k] == 0:
            if not box.lo[k] <= ray.origin[k] <= box.hi[k]:
                return False
            continue
        a, b = ((side[k] - ray.origin[k]) / ray.direction[k] for side in (box.lo, box.hi))
        near, far = max(near, min(a, b)), min(far, max(a, b))
    return near < far
"""
WRONG_LINE, RIGHT_LINE = "    return near < far", "    return near <= far"
TOUCHING = RayProbe(id="touching", origin=(-4.0, 1.0, 0.0), direction=(1.0, 0.0, 1.0))
CORNER = AabbPrimitive(id="corner", min=(-1.0, -1.0, 5.0), max=(1.0, 1.0, 7.0))


@pytest.fixture
def wrong_slabs(open_viewer, load, tmp_path, monkeypatch):
    """A user at a pair that touches, which slabs miss; their wrong line takes few cases to find."""
    find_fixes = search.find_fixes

    def found_in_few(campaign, **named):
        few = Campaign(campaign.targets, campaign.seeds[:100], campaign.rules, campaign.drawn)
        return find_fixes(few, **named | {"proof_cases": 8192})

    monkeypatch.setattr(search, "find_fixes", found_in_few)
    (tmp_path / "mine.py").write_text(f"{SLABS}# {tmp_path}")  # of which no search before this one knows
    scene = Scene(version=1, primitives=(CORNER,), probes=(TOUCHING,), view=VIEW)
    user = open_viewer(scene, own=load("ray_aabb=mine.py:hit"))
    user.click_on("probe touching")
    user.click_on("primitive corner", modifiers=("Shift",))
    return user


@pytest.mark.thorough
def test_a_click_finds_the_wrong_line_and_shows_the_fix_in_the_source(wrong_slabs, tmp_path):
    user, stepping = wrong_slabs, wrong_slabs.state.display.stepping
    assert not user.sees("find_wrong_line")
    user.keys("D")
    assert stepping.is_wrong and not user.sees("copy_fix")
    user.click_on("find_wrong_line")
    assert stepping.search.summary("hit").startswith(
        "Line 11 is wrong: with `near <= far` instead of `near < far` all"
    )
    assert stepping.wrong_line.line == 11
    rows = rows_of(stepping.run.source, stepping.search.fixes[0])
    changed = [(row.sign, row.line, row.words) for row in rows if row.sign]
    assert changed == [("−", 11, WRONG_LINE), ("+", 11, RIGHT_LINE)]
    assert not user.sees("find_wrong_line")
    user.click_on("copy_fix")
    assert f"-{WRONG_LINE}\n+{RIGHT_LINE}\n" in user.state.host.clipboard
    assert (tmp_path / "mine.py").read_text().startswith(SLABS)
    (tmp_path / "mine.py").write_text(SLABS.replace(WRONG_LINE, RIGHT_LINE))
    saved(user)
    assert stepping.search is None and not stepping.is_wrong
    assert not user.sees("find_wrong_line") and not user.sees("copy_fix")


def test_escape_ends_a_search_with_what_it_has(wrong_slabs, monkeypatch):
    user, stepping = wrong_slabs, wrong_slabs.state.display.stepping

    def until_stopped(*_, advance, stops):
        advance("trying 285 edits")
        assert wait_until(stops, "the key") is True
        return Fixes(
            wrong=3, edits=285, suspects=(Suspect(10, "", 0.5, 1.0, 0.25), Suspect(4, "", 0.25)), ended_early=True
        )

    monkeypatch.setattr(search, "find_fixes", until_stopped)
    user.wait_for_work = lambda: None
    user.keys("Ctrl+Shift+J")
    assert stepping.is_open and user.state.jobs.searching is not None
    user.keys("Escape")
    del user.wait_for_work
    user.wait_for_work()
    assert stepping.is_open and stepping.search.suspects[0].line == 10
    marks = user.interface._step_panel._source._marks(stepping.run)
    assert marks[10][2] == "100% of the wrong cases run it, 25% of the right ones" and 4 in marks
    assert user.sees("find_wrong_line")


def test_what_no_search_reads_is_said_in_words(open_viewer, load, tmp_path):
    (tmp_path / "mine.py").write_text("from other import hit\n")
    (tmp_path / "other.py").write_text(PYTHON.format(NEVER))
    user = open_viewer(SCENE, own=load("ray_aabb=mine.py:hit"))
    user.click_on("probe ray")
    user.click_on("primitive near", modifiers=("Shift",))
    user.keys("Ctrl+Shift+J")
    assert "expected a function hit that is defined in the file itself" in user.state.messages.problem


def test_code_that_cannot_be_stepped_has_the_button_and_its_fix_too(open_viewer, load, tmp_path, monkeypatch):
    (tmp_path / "mine.c").write_text(f"{C.format('0')}// {tmp_path}")  # of which no search before this one knows
    fix = Fix(3, "return 0;", "return 1;", DIFF_IN_C, "", 3, 0, 300, 200, 0, b"")
    monkeypatch.setattr(search, "find_fixes", lambda *_, **__: Fixes(wrong=3, fixes=(fix,)))
    user = open_viewer(SCENE, own=load("ray_aabb=mine.c:hit"))
    user.click_on("probe ray")
    user.click_on("primitive near", modifiers=("Shift",))
    user.keys("D")
    assert user.state.display.stepping.run is None and user.state.display.stepping.is_wrong
    before = screenshot(user.interface)
    user.click_on("find_wrong_line")
    drawn = screenshot(user.interface).astype(int) - before
    put = [np.flatnonzero((drawn[:, 900, k] - drawn[:, 900, other]) > 8) for k, other in ((0, 1), (1, 0))]
    assert len(put[0]) == len(put[1]) > 10 and put[1][0] - put[0][-1] == 1, "a red line, and a green one below it"
    user.click_on("copy_fix")
    assert user.state.host.clipboard == DIFF_IN_C
