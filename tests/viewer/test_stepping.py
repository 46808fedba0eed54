"""Stepping through a method in the window: keys, scrubber, jumps, drags, helpers, exact, own functions."""

import argparse
from contextlib import ExitStack
from functools import partial

import pytest
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from hitscope.cli.options import add_method_option, add_target_options
from hitscope.draw.target import Target
from hitscope.explain import open_call, step_words, trace
from hitscope.explain.explanation import rounded_to_float32
from hitscope.geometry.registry import choose
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, SegmentProbe, TriangleProbe
from hitscope.targets.deciding import DecidingTargets
from hitscope.viewer.interface.bindings import COMMANDS
from hitscope.viewer.panels import status_line, step_charts
from hitscope.viewer.state.inputs import HostEvent, Resize
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.state.stepping import WrongLine
from tests.viewer.samples import BOX, RAY, VIEW
from tests.viewer.user import status_of

TRI = TriangleProbe(id="tri", vertices=((-2.0, 1.0, 0.5), (1.5, 0.5, 2.0), (0.5, 1.5, -1.5)))
SAT = Scene(version=1, primitives=(BOX,), probes=(TRI,), view=VIEW, methods={"triangle_aabb": "sat13"})
"""A triangle that passes all thirteen axes of a loop."""
SLAB = Scene(version=1, primitives=(BOX,), probes=(RAY,), view=VIEW, methods={"ray_aabb": "smits"})
"""A ray along an axis, whose slabs have infinite ends."""
CORNER = Scene(
    version=1,
    primitives=(AabbPrimitive(id="box", min=(0.1, 0.1, -1.0), max=(0.3, 0.7, 1.0)),),
    probes=(SegmentProbe(id="cut", start=(-0.6, 0.6, 0.0), end=(2.9, -1.9, 0.0)),),
    view=VIEW,
    methods={"segment_aabb": "slab_intervals"},
)
"""A segment through a box's corner, past which it goes but for rounding."""


@pytest.fixture
def step(open_viewer):
    """A function that opens a scene, steps through its pair, and returns the user and what is stepped through."""

    def opened(scene=SAT, **options):
        user = open_viewer(scene, **options)
        probe, primitive = scene.probe_ids[0], scene.primitive_ids[0]
        user.click_on(f"probe {probe}")
        user.click_on(f"primitive {primitive}", modifiers=("Ctrl",))
        user.keys("D")
        return user, user.state.display.stepping

    return opened


def lit(stepping):
    """The text of the next line."""
    return stepping.run.next.source.strip()


# Opening and closing


@pytest.mark.replayed
def test_a_key_steps_through_the_deciding_method_of_the_pair_and_closes_the_panel_again(step):
    user, stepping = step()
    assert stepping.pair == ("tri", "box") and stepping.explanation.chosen.method.name == "sat13"
    assert stepping.run.at == 0 and user.sees("scrubber") and user.sees("step_forward")
    user.keys("D")
    assert not stepping.is_open and stepping.run is None and not user.sees("scrubber")


@pytest.mark.replayed
def test_escape_closes_the_panel_before_it_deselects(step):
    user, stepping = step()
    user.keys("Escape")
    assert not stepping.is_open and user.selected == ["tri", "box"]
    user.keys("Escape")
    assert user.selected == []


def test_the_only_pair_of_a_scene_is_stepped_through_without_selecting_it(open_viewer):
    user = open_viewer(SAT)
    user.keys("D")
    stepping = user.state.display.stepping
    assert stepping.is_open and stepping.pair == ("tri", "box") and user.selected == []


def test_without_a_pair_the_key_says_what_to_select(open_viewer):
    user = open_viewer(replace(SAT, probes=(TRI, RAY)))
    user.keys("D")
    assert not user.state.display.stepping.is_open
    assert "Select a probe and a primitive" in status_of(user.state)


def test_a_button_beside_a_method_steps_through_that_one(step):
    user, stepping = step()
    user.keys("D")
    user.click_on("Step exact")
    assert stepping.is_open and stepping.explanation.chosen.method.name == "exact"
    assert user.state.session.report.scene.methods["triangle_aabb"] == "sat13", "it still decides"
    user.click_on("step_through")
    assert not stepping.is_open


def test_the_menu_of_a_selected_pair_and_the_search_step_through_it(step):
    user, stepping = step()
    user.keys("D", "Ctrl+Shift+P")
    user.type("step through")
    user.keys("Enter")
    assert stepping.is_open
    user.keys("D")
    user.drag(user.pixel(BOX.center), user.pixel(BOX.center), button="Right")
    assert user.sees("Step through the method")


def test_the_picture_makes_room_for_the_panel_and_takes_it_back(step):
    user, _ = step()
    layout = user.state.display.layout
    assert layout.picture.top + layout.picture.height <= layout.steps.top
    assert layout.picture.width == 1280 and layout.panel.width == layout.outliner.width == 0
    assert layout.steps.top + layout.steps.height == 800
    user.keys("D")
    layout = user.state.display.layout
    assert layout.steps.height == 0 and layout.panel.width > 0 and layout.outliner.width > 0


@pytest.mark.parametrize(("size", "ratio"), [((1280, 800), 1.0), ((1920, 1080), 2.0)])
def test_map_and_steps_leave_half_of_the_window_to_the_scene(step, size, ratio):
    user, stepping = step()
    user.keys("Shift+M")
    user.take(Resize, *size, ratio)
    picture = user.state.display.layout.picture
    assert picture.width * picture.height >= size[0] * size[1] / 2
    assert stepping.run is not None and user.state.session.map_view.found is not None
    square = user.find("map 0")
    assert square.top > picture.top + picture.height and square.right - square.left >= 96 * ratio


def test_each_panel_folds_by_its_button_while_stepping_and_else(step):
    user, _ = step()
    user.click_on("fold_outliner")
    assert user.state.display.layout.outliner.width > 0 == user.state.display.layout.panel.width
    user.keys("D")
    user.click_on("fold_panel")
    assert user.state.display.layout.outliner.width > 0 == user.state.display.layout.panel.width
    user.click_on("fold_panel")
    user.click_on("fold_outliner")
    assert user.state.display.layout.panel.width > 0 == user.state.display.layout.outliner.width


def test_the_upper_edge_resizes_the_panel(step):
    user, _ = step()
    _, top, width, height = user.state.display.layout.steps
    user.drag((width / 2, top + 2), (width / 2, top - 58))
    assert user.state.display.layout.steps.height == pytest.approx(height + 60, abs=3)


@pytest.mark.parametrize("size", [(1280, 800), (800, 600), (640, 480)])
def test_the_picture_stays_in_a_small_window(step, size):
    user, stepping = step()
    user.resize(*size)
    layout = user.state.display.layout
    assert layout.picture.height > 100 and layout.steps.height > 100
    assert user.sees("scrubber") and stepping.run is not None


# Steps


@pytest.mark.replayed
def test_so_many_steps_forward_and_back_are_none(step):
    user, stepping = step(SLAB)
    count = len(stepping.run.steps)
    there = []
    for _ in range(count):
        there.append((stepping.run.at, stepping.run.next, dict(stepping.run.values)))
        user.keys(".")
    assert stepping.run.at == count and stepping.run.next is None
    for before in reversed(there):
        user.keys(",")
        assert (stepping.run.at, stepping.run.next, dict(stepping.run.values)) == before
    user.keys(",")
    assert stepping.run.at == 0


def test_a_step_shows_the_values_that_the_traced_method_had(step):
    user, stepping = step()
    chosen = choose("triangle_aabb", "sat13")
    report = user.state.session.report
    expected = trace(chosen, report.probes[0].shape, report.elements[0].shape)
    user.keys(*["."] * 12)
    assert stepping.run.values == expected.steps[11].values
    assert stepping.run.next.line == expected.steps[12].line


def test_shift_steps_by_a_pass_of_the_loop(step):
    user, stepping = step()
    user.keys("Shift+.", "Shift+.")
    passes = stepping.run.next.iterations
    assert [one.number for one in passes] == [2]
    user.keys("Shift+.")
    assert [one.number for one in stepping.run.next.iterations] == [3]
    user.keys("Shift+,")
    assert stepping.run.next.iterations == passes


def test_the_keys_of_debuggers_step_while_the_panel_is_open_and_only_then(step):
    user, stepping = step()
    user.keys("F10", "F10", "F10", "Shift+F10")
    assert stepping.run.at == 2
    user.keys("F5")
    assert stepping.run.next is None
    user.keys("Shift+F5")
    assert stepping.run.at == 0
    user.keys("F11")
    assert not user.state.host.full_screen
    user.keys("D", "F11", ".", "F5")
    assert user.state.host.full_screen and not stepping.is_open


def test_into_helpers_and_back_out_of_them_is_no_step(step):
    user, stepping = step()
    seen = []
    for _ in range(40):
        seen.append([(run.name, run.at) for run in stepping.runs])
        user.keys("F11")
    assert {len(runs) for runs in seen} >= {1, 2}
    for before in reversed(seen):
        user.keys("Shift+F11")
        assert [(run.name, run.at) for run in stepping.runs] == before


def test_every_key_of_stepping_is_listed_and_free_while_it_is_closed():
    overriding = [command for command in COMMANDS if command.overrides]
    assert {command.group for command in overriding} == {"Review", "While stepping"}
    own = [command for command in overriding if command.group == "While stepping"]
    keys = [key for command in own for key in command.keys]
    assert len(set(keys)) == len(keys) and {".", ",", "Space", "F5", "F10", "F11"} <= set(keys)


def test_the_status_line_says_the_keys_of_stepping_while_the_panel_is_open(step):
    user, _ = step()
    assert status_line.key_hints(user.state.commands, stepping=True)[:2] == [
        (", .", "Step"),
        ("Shift+.", "Next pass"),
    ]
    assert ("D", "Step through the method") in status_line.key_hints(user.state.commands)


def test_space_plays_four_statements_a_second_and_pauses(step):
    user, stepping = step()
    user.keys("Space")
    began = user.at
    user.pass_time(1000, frames=9)
    assert stepping.playing is not None and stepping.run.at == 4
    user.keys("Space")
    at = stepping.run.at
    user.pass_time(1000, frames=3)
    assert stepping.playing is None and stepping.run.at == at and user.at > began
    user.keys("F5", "Space")
    assert stepping.run.at == 0, "at the end it begins again"
    user.pass_time(60_000)
    assert stepping.run.next is None and stepping.playing is None


# The scrubber and the source


@pytest.mark.replayed
def test_the_scrubber_is_dragged_over_the_whole_run(step):
    user, stepping = step()
    rectangle = user.find("scrubber")
    y = rectangle.middle[1]
    user.drag((rectangle.left + 8, y), rectangle.middle, release=False)
    count = len(stepping.run.steps)
    assert abs(stepping.run.at - count / 2) <= 1
    user.move((rectangle.right - 1, y))
    assert stepping.run.at == count
    user.move((rectangle.left, y))
    assert stepping.run.at == 0
    user.release()


def test_a_click_on_a_line_goes_to_its_next_time(step):
    user, stepping = step()
    user.keys("Shift+.", ".", ".")
    line, (passed,) = stepping.run.next.line, stepping.run.next.iterations
    for times in (1, 2):
        user.click_on(f"line {line}")
        assert stepping.run.next.line == line
        assert stepping.run.next.iterations == (passed._replace(number=passed.number + times),)


# Jumps


def test_a_jump_goes_to_the_comparison_that_decides(step):
    user, stepping = step()
    user.keys("J")
    assert stepping.run.at == stepping.run.trace.deciding_step and stepping.run.next.comparisons
    user.keys("Shift+F5")
    user.click_on("to_decision")
    assert stepping.run.next.comparisons


def test_a_jump_goes_from_one_infinity_to_the_next_and_round(step):
    user, stepping = step(SLAB)
    found = []
    for _ in range(len(stepping.run.not_finite) + 1):
        user.keys("Ctrl+J")
        found.append(stepping.run.at)
    assert len(set(found)) > 2 and found[-1] == found[0] and found[:-1] == sorted(found[:-1])
    name = next(iter(stepping.run.changed & stepping.run.values.keys()), None)
    user.keys("Shift+F5", "Ctrl+J")
    assert name is None or stepping.run.at == found[0]


def test_without_a_wrong_answer_there_is_no_wrong_line(step):
    user, stepping = step()
    user.keys("Shift+J")
    assert stepping.wrong_line is None and stepping.run.at == 0
    assert "No line of this run is known to be wrong" in status_of(user.state)


def test_the_wrong_line_is_marked_and_jumped_to_with_both_values(step):
    user, stepping = step(CORNER)
    assert stepping.is_wrong and stepping.explanation.hit and stepping.explanation.cause == "rounding"
    user.keys("Shift+J")
    assert lit(stepping).startswith("if t_in > t_out") and stepping.wrong_line.line == stepping.run.next.line
    words = step_words.wrong_line_words(stepping.explanation)
    assert words.startswith("t_in > t_out: 0.19999999999999998 > 0.2 → false; without rounding ")
    assert "→ true, by " in words and "(off: " in words
    user.keys("Shift+F5")
    user.click_on("to_wrong_line")
    assert stepping.run.at == stepping.wrong_line.at


def test_the_values_have_their_errors_in_ulps_while_the_scene_rests(step):
    user, stepping = step(CORNER)
    user.keys("Shift+J")
    assert stepping.shown.ulps and all(0 < ulps < 10 for ulps in stepping.shown.ulps.values())
    expected = stepping.explanation.errors_in_ulps(stepping.run.at - 1)
    assert stepping.shown.ulps == expected
    start = user.pixel((-0.6, 0.6, 0.0))
    user.press(start)
    user.move((start[0] + 9, start[1] + 5))
    assert stepping.shown.ulps == {} and stepping.wrong_line is None
    user.release()
    assert stepping.shown.rests


def test_numbers_are_shown_in_hex_on_demand(step):
    user, stepping = step(CORNER)
    user.keys("F5", "Shift+D")
    assert stepping.in_hex and step_words.value_text(0.3, as_hex=True) == (0.3).hex()
    user.click_on("steps_in_hex")
    assert not stepping.in_hex


# Following the scene


@pytest.mark.replayed
def test_a_drag_keeps_the_step_and_traces_once_a_change(step, monkeypatch):
    user, stepping = step()
    user.keys("Shift+.", "Shift+.", "Shift+.", ".")
    at = stepping.run.next
    start = user.pixel(TRI.vertices[0])
    seen = [stepping.explanation]
    user.press(start)
    for k in range(1, 6):
        user.move((start[0] + 2 * k, start[1] - k))
        assert (stepping.run.next.line, stepping.run.next.iterations) == (at.line, at.iterations)
        assert stepping.explanation.probe == user.state.session.report.probes[0].shape
        if seen[-1] is not stepping.explanation:
            seen.append(stepping.explanation)
        explanation = stepping.explanation
        user.state.display.now = user.at / 1000
        user.interface.advance(user.at / 1000)
        assert stepping.explanation is explanation, "what has not changed is not traced again"
    user.release()
    assert len(seen) > 3 and stepping.run.next.line == at.line


def test_where_a_pass_is_gone_the_step_is_the_nearest_and_comes_back_with_it(step):
    user, stepping = step()
    user.keys("Shift+.", "Shift+.", "Shift+.", ".")
    before = stepping.run.next
    scene = user.state.session.document.scene
    apart = replace(TRI, vertices=tuple((x + 20.0, y, z) for x, y, z in TRI.vertices))
    user.state.session.edit(replace(scene, probes=(apart,)), "move tri")
    user.move((5.0, 5.0))
    assert stepping.run.next.line == before.line and stepping.run.next.iterations[0].number == 1
    user.keys("Ctrl+Z")
    assert stepping.run.next.iterations == before.iterations and before.iterations[0].number == 3


def test_stepping_is_no_edit(step):
    user, _ = step()
    before = user.state.session.document.scene
    user.keys(".", "J", "Space", "Shift+D", "F11", "Ctrl+Z", "Escape")
    document = user.state.session.document
    assert document.scene is before and not document.changed


def test_another_selected_pair_is_stepped_through_and_a_hovered_one_is_not(open_viewer):
    other = AabbPrimitive(id="other", min=(2.0, -1.0, -1.0), max=(3.0, 1.0, 1.0))
    user = open_viewer(Scene(version=1, primitives=(BOX, other), probes=(TRI,), view=VIEW))
    user.click_on("probe tri")
    user.click_on("primitive box", modifiers=("Ctrl",))
    user.keys("D")
    stepping = user.state.display.stepping
    user.move(user.pixel((2.5, 0.0, 1.0)))
    assert user.state.selection.hovered == Target("primitive", "other") and stepping.pair == ("tri", "box")
    user.click_on("fold_outliner")
    user.click_on("primitive other")
    assert stepping.pair == ("tri", "other") and stepping.explanation.primitive.lo == other.min
    user.click_on("probe tri")
    user.keys("Delete")
    assert stepping.is_open and stepping.run is None and "Select a probe" in stepping.problem
    user.keys("Ctrl+Z")
    assert stepping.run is not None


def test_the_facts_of_exact_are_its_steps(step):
    user, stepping = step(CORNER)
    user.keys("D")
    user.click_on("Step exact")
    assert len(stepping.run.steps) == len(stepping.run.source.lines) > 1
    user.keys("J")
    assert stepping.run.values["state"] == "apart" and not stepping.is_wrong


# Charts


@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
def test_charts_have_a_place_beside_the_values_or_in_a_narrow_window_instead_of_them(step, monkeypatch, size):
    def show(state, explanation, index, width):
        shown.append((explanation, index))
        imgui.button("chart", ImVec2(width, 80))

    shown = []
    monkeypatch.setattr(step_charts, "show", show)
    user, stepping = step()
    user.resize(*size)
    if size[0] < 900:
        user.click_on("step tab chart")
    assert shown[-1] == (stepping.explanation, None)
    user.keys(".", ".")
    assert shown[-1] == (stepping.explanation, 1)
    chart, steps = user.find("chart"), user.state.display.layout.steps
    assert chart.bottom <= steps.top + steps.height and chart.right <= size[0]


# Helpers


def test_a_click_on_a_call_opens_the_helper_and_escape_leaves_it(step):
    user, stepping = step()
    name = stepping.run.next.calls[0].name
    user.click_on(f"call 0 {name}")
    assert [run.name for run in stepping.runs] == ["sat13", name]
    user.keys("F5")
    assert stepping.run.trace.answer == stepping.runs[0].next.calls[0].answer
    user.keys("Escape")
    assert stepping.is_open and [run.name for run in stepping.runs] == ["sat13"]
    user.click_on(f"call 0 {name}")
    user.click_on("run sat13")
    assert len(stepping.runs) == 1


def test_a_wrong_line_in_a_helper_is_jumped_to_in_the_helper(step):
    user, stepping = step()
    k, call = next((k, step.calls[-1]) for k, step in enumerate(stepping.run.steps) if len(step.calls) > 1)
    line = open_call(call).steps[0].line
    stepping.wrong_line = WrongLine(k, line, None, (call,))
    user.keys("Shift+J")
    assert [(run.name, run.call) for run in stepping.runs[1:]] == [
        (call.name, len(stepping.runs[0].next.calls) - 1)
    ]
    assert stepping.runs[0].at == k and stepping.run.next.line == line


# The user's own function

OWN = """def near(a, b):
    return abs(a - b) < 2


def hit(ray, box):
    inside = 0
    for k in range(3):
        if near(ray.origin[k], box.lo[k]):
            inside += 1
    return {}
"""


@pytest.fixture
def own(open_viewer, tmp_path, monkeypatch):
    """A function that opens a window with the user's own method, and steps through it."""
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:

        def opened(answer, target="mine.py:hit", timeout=60.0, options=()):
            (tmp_path / "mine.py").write_text(OWN.format(answer))
            (tmp_path / "mine.c").write_text("int hit(const double *r, const double *b, double *t) { return 1; }")
            parser = argparse.ArgumentParser()
            add_method_option(parser)
            add_target_options(parser, timeout=timeout)
            given = parser.parse_args(["--method", f"ray_aabb={target}", *options])
            methods = stack.enter_context(OwnCode(partial(DecidingTargets, given)))
            user = open_viewer(SLAB, own=methods)
            user.click_on("probe ray")
            user.click_on("primitive box", modifiers=("Ctrl",))
            user.keys("D")
            return user, user.state.display.stepping

        yield opened


def test_the_users_own_python_function_is_stepped_through(own):
    user, stepping = own("inside > 2")
    assert stepping.explanation.chosen.method.name == "mine.py:hit"
    user.keys("Shift+.", "Shift+.", ".")
    assert stepping.run.values["k"] == 1 and "near" in lit(stepping)
    user.keys("F11")
    assert stepping.run.name == "near" and stepping.run.values.keys() == {"a", "b"}


def test_a_function_judged_in_float32_is_stepped_through_on_the_numbers_that_it_is_judged_on(own):
    user, stepping = own("type(ray.origin[0]) is float", options=("--float", "f32"))
    (pair,) = user.state.session.report.verdicts()
    assert stepping.explanation.hit is pair.hit is True
    assert stepping.explanation.probe == rounded_to_float32(SLAB.probes[0].shape)


def test_an_answer_of_none_is_no_verdict_in_the_steps(own):
    _, stepping = own("None")
    assert stepping.explanation.trace.error == "the pair is outside its contract"


def test_a_saved_function_is_stepped_through_as_it_is_now(own, tmp_path):
    user, stepping = own("inside > 2")
    before = stepping.explanation.hit
    (tmp_path / "mine.py").write_text(OWN.format("not inside > 2"))
    user.take(HostEvent, "code")
    assert stepping.explanation.hit is not before
    assert stepping.run.source.lines[-1].strip() == "return not inside > 2"


def test_a_function_that_cannot_be_loaded_says_why_and_is_stepped_through_when_it_is_mended(own, tmp_path):
    user, stepping = own("inside > 2")
    (tmp_path / "mine.py").write_text("def hit(ray, box:\n")
    start = user.pixel(RAY.origin)
    user.drag(start, (start[0] + 9, start[1] + 4))
    user.take(HostEvent, "code")
    assert stepping.run is None and "mine.py" in stepping.problem
    (tmp_path / "mine.py").write_text(OWN.format("inside > 1"))
    user.take(HostEvent, "code")
    assert stepping.run.source.lines[-1].strip() == "return inside > 1"


def test_a_function_that_never_ends_is_stepped_through_as_far_as_it_came(own, tmp_path):
    user, stepping = own("inside > 2", timeout=1.0)
    endless = "def hit(ray, box):\n    k = 0\n    while True:\n        k += 1\n"
    (tmp_path / "mine.py").write_text(endless)
    user.take(HostEvent, "code")
    assert "stopped after" in stepping.explanation.trace.error and stepping.is_wrong
    user.keys("F5", ",")
    assert len(stepping.run.steps) > 60_000 and user.sees("scrubber")
    before, start = stepping.explanation, user.pixel(RAY.origin)
    user.press(start)
    user.move((start[0] + 9, start[1] + 4))
    assert stepping.explanation is before, "it takes too long for a drag"
    user.keys("Escape")


def test_code_that_is_not_python_says_so_and_offers_the_methods_that_can_be_stepped(own):
    user, stepping = own("True", target="mine.c:hit")
    assert stepping.is_open and stepping.run is None
    assert "Python" in stepping.problem and "mine.c:hit" in stepping.problem
    user.click_on("step slab_ericson")
    assert stepping.run.name == "slab_ericson" and not stepping.others
