"""The pairs on which methods differ from exact, as a user sees them: in a list, in the picture, at the methods."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.evaluate import method_differences
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, RayProbe, SegmentProbe
from hitscope.viewer.actions import clipboard
from hitscope.viewer.actions.expectation_edits import ONLY_METHOD_WRONG
from hitscope.viewer.panels.pair_panel import PairPanel
from tests.viewer.samples import VIEW

RISING = AabbPrimitive(id="crate", min=(-1.0, 0.5, -1.0), max=(1.0, 1.5, 1.0))
FAR = AabbPrimitive(id="far", min=(2.0, -2.0, -1.0), max=(3.0, -1.0, 1.0))
SHORT = RayProbe(id="short", origin=(-6.0, 1.0, 0.0), direction=(2e-09, 5e-10, 0.0))
"""A ray that Ericson's slab test takes for one parallel to y: a wrong hit of the crate."""
CUT = SegmentProbe(id="cut", start=(-3.0, 1.0, 0.0), end=(3.0, 1.0, 0.0))
SCENE = Scene(version=1, primitives=(RISING, FAR), probes=(CUT, SHORT), view=VIEW)


@pytest.fixture
def user(open_viewer):
    """A user of the viewer on a ray that some methods judge wrongly."""
    return open_viewer(SCENE)


def shown_methods(user):
    """The captions of the method rows of the current pair, by the name of the method."""
    panel: PairPanel = user.interface._side_panels._pair
    verdicts = panel._verdicts
    return {
        name: [
            caption.words
            for caption in panel._captions(
                verdict, method_differences.difference_from_exact(verdict, verdicts["exact"]), "ray_aabb", 0.0
            )
        ]
        for name, verdict in verdicts.items()
    }


@pytest.mark.replayed
def test_the_filter_wrong_lists_the_pairs_and_a_click_selects_one(user):
    user.click_on("filter wrong")
    assert user.sees("wrong short crate") and not user.sees("wrong cut") and not user.sees("probe cut")
    user.click_on("wrong short crate")
    assert set(user.selected) == {"short", "crate"}
    assert user.state.selection.pair(user.state.session.picture) == (1, 0)
    user.enter("search", "cut")
    assert not user.sees("wrong short crate")
    user.click_on("filter all")
    assert user.sees("probe cut") and not user.sees("wrong short crate")


@pytest.mark.parametrize("selected", [None, "probe short", "probe cut", "primitive crate"])
def test_the_mark_of_a_wrong_pair_stays_and_a_click_on_it_selects_the_pair(user, selected):
    if selected is not None:
        user.click_on(selected)
        user.leave()
    (mark,) = user.interface._labels.wrong
    assert (mark.pair.probe, mark.pair.primitive) == ("short", "crate")
    user.move(mark[:2])
    assert user.interface.pointer == "hand" and user.state.selection.hovered is None
    user.click(mark[:2])
    assert set(user.selected) == {"short", "crate"}
    assert user.state.selection.pair(user.state.session.picture) == (1, 0)


def test_what_a_wrong_method_answers_is_expected_and_copied_as_the_exact_answer(open_viewer):
    user = open_viewer(replace(SCENE, methods={"ray_aabb": "slab_ericson"}))
    session, messages, host = user.state.session, user.state.messages, user.state.host
    user.click_on("probe short")
    user.click_on("primitive crate", modifiers=("Shift",))
    user.click_on("Expect the exact answer: miss")
    (expected,) = session.scene.expect
    assert (expected.hit, expected.state) == (False, "apart")
    words = "the exact answer, a miss of short on crate; slab_ericson is wrong"
    assert messages.notice == f"Expected from now on: {words}"
    assert len(session.report.mismatches) == 1, "the wrong method fails it"
    user.click_on("Accept all")
    assert session.scene.expect == (expected,) and messages.notice == ONLY_METHOD_WRONG
    user.keys("Ctrl+Shift+C")
    assert "assert verdict.hit is False" in host.clipboard
    assert messages.notice == "Copied 2 Python tests, with the exact answer: slab_ericson is wrong"
    for label, false in (("C++", "= false;"), ("C#", "= false;"), ("Rust", "= false;"), ("Python", "= False")):
        clipboard.copy_as(user.state, label)
        assert host.clipboard.strip().rstrip("}").rstrip().endswith(false)
        assert "by the method exact: no hit" in host.clipboard
    user.click_on("Expect slab_ericson: hit")
    assert [item.method for item in session.scene.expect] == [UNSET, "slab_ericson"]
    assert len(session.report.mismatches) == 1, "a known deviation is an expected fact"


def test_a_method_says_on_how_many_pairs_it_is_wrong(user):
    user.click_on("probe short")
    user.click_on("primitive crate", modifiers=("Shift",))
    captions = shown_methods(user)
    (wrong, verdict) = captions["slab_ericson"]
    assert wrong.endswith(" 1 of 2 wrong") and verdict.endswith("hit")
    assert [len(captions["exact"]), len(captions["slab_halfspaces"])] == [1, 1]
    user.click_on("primitive far")
    user.click_on("probe short", modifiers=("Shift",))
    assert shown_methods(user)["slab_ericson"][0].endswith(" 1 of 2 wrong")


def test_the_wrong_pairs_are_marked_in_the_picture_filled_where_they_are_decided_wrongly(user):
    assert [mark.pair.is_decided_wrongly for mark in user.interface._labels.wrong] == [False]
    user.click_on("probe short")
    user.click_on("method slab_ericson")
    assert [mark.pair.is_decided_wrongly for mark in user.interface._labels.wrong] == [True]
    user.click_eye("primitive crate")
    assert not user.interface._labels.wrong


def test_methods_are_compared_when_the_scene_rests_and_not_during_a_drag(user, monkeypatch):
    compared = []
    compare = method_differences.compare_methods
    monkeypatch.setattr(
        "hitscope.viewer.actions.method_jobs.compare_methods",
        lambda report, **options: compared.append(report.scene) or compare(report, **options),
    )
    end = user.pixel(CUT.end)
    user.drag(end, (end[0] - 40, end[1]), release=False)
    user.move((end[0] - 80, end[1]))
    assert user.state.session.has_preview and user.state.session.differences is None
    assert not compared and user.state.jobs.comparing is None
    assert not user.interface._labels.wrong
    user.release()
    assert compared == [user.state.session.scene]
    assert [pair.probe for pair in user.state.session.differences.wrong] == ["short"]
    user.move((end[0] - 200, end[1]))
    assert len(compared) == 1


def test_a_comparison_is_given_up_when_a_drag_begins(open_viewer, monkeypatch):
    user = open_viewer(SCENE)
    monkeypatch.setattr(user, "wait_for_work", lambda: None)
    user.keys("Ctrl+A")
    user.click_on("probe short")
    user.click_on("method smits")
    comparing = user.state.jobs.comparing
    assert comparing is not None and comparing.about.scene is user.state.session.scene
    end = user.pixel(CUT.end)
    user.press(end)
    assert user.state.jobs.comparing is None
    user.release()
    assert user.state.jobs.comparing is not None


def test_a_frame_compares_nothing(user, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("compared")

    monkeypatch.setattr("hitscope.viewer.actions.method_jobs.compare_methods", refuse)
    user.click_on("filter wrong")
    user.click_on("wrong short crate")
    user.pass_time(200, frames=5)
    assert user.state.jobs.comparing is None
