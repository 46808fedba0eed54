"""The expectations in the panel: one line for an example, a list for the user's own scenes, answers not given."""

import pytest
from msgspec.structs import replace

from hitscope.check import check
from hitscope.draw.items import Role
from hitscope.evaluate import evaluate
from hitscope.evaluate.expectation_words import mismatch, tally
from hitscope.resources import SCENES
from hitscope.scene import Scene, save
from hitscope.scene.model import Expectation
from hitscope.viewer.panels import expectations_panel, outliner, signs, style, widgets
from hitscope.viewer.panels.style import QUIET
from tests.viewer.samples import BOX, RAY, VIEW

EXAMPLE = SCENES / "triangle-aabb-szauer" / "both-intervals.scene.json"
LESSON = SCENES / "lessons" / "01-slabs.scene.json"
OWN = Scene(
    version=1,
    primitives=(BOX,),
    probes=(RAY,),
    methods={"ray_aabb": "slab_ericson"},
    expect=(Expectation(probe="ray", primitive="box", hit=True, normal=(-1.0, 0.0, 0.0)),),
    view=VIEW,
)
"""A scene that expects a normal, which the deciding method does not answer."""


@pytest.fixture
def headings(monkeypatch):
    """The words of the headings that were drawn, by their names."""
    drawn = {}
    heading = widgets.heading

    def note(key, closed, words, aside="", *rest, **options):
        drawn[key] = f"{words} | {aside}"
        return heading(key, closed, words, aside, *rest, **options)

    monkeypatch.setattr(widgets, "heading", note)
    return drawn


def drag_a_vertex(user):
    """Drag a vertex of the example's sail away from the boxes."""
    user.click_on("probe sail")
    start = user.pixel(user.item("sail").shape[0])
    user.drag(start, (start[0] - 60, start[1] - 120))
    user.leave()


def test_the_checks_of_an_example_are_one_line_that_unfolds(open_viewer, headings):
    user = open_viewer(EXAMPLE, example=True)
    assert not user.sees("expect 0")
    assert headings["Expectations"] == "28 checks hold | "
    user.click_on("part Expectations")
    assert user.sees("expect 0")
    user.click_on("part Expectations")
    assert not user.sees("expect 0") and user.state.display.closed_parts == {"Numbers"}


def test_a_dragged_example_differs_calmly_and_goes_back(open_viewer, headings):
    user = open_viewer(EXAMPLE, example=True)
    shipped = user.state.session.scene
    assert not user.sees("Go back")
    drag_a_vertex(user)
    assert user.sees("Go back")
    assert headings["Expectations"] == "5 of 28 checks differ from the saved test | "
    user.click_on("Go back")
    assert user.state.session.scene is shipped and not user.state.session.document.changed
    assert not user.sees("Go back")
    user.keys("Ctrl+Z")
    assert user.sees("Go back")


def test_a_lesson_that_is_being_solved_differs_calmly(open_viewer, headings, monkeypatch):
    icons = {}
    draw = outliner.row
    monkeypatch.setattr(
        outliner, "row", lambda key, *rest, **how: icons.update({key: rest[2]}) or draw(key, *rest, **how)
    )
    user = open_viewer(LESSON)
    user.keys("Enter", "Up", "Up")
    assert headings["Expectations"] == "2 of 2 checks differ from the saved test | "
    assert icons["primitive box"][0][:2] == (signs.FAILS, QUIET)
    user.keys("Ctrl+L")
    assert headings["Failing"] == "Expectations | 2 of 2 fail"
    assert icons["primitive box"][0][:2] == (signs.FAILS, style.role(Role.MISS))


def test_the_users_own_scenes_keep_their_list(open_viewer, headings):
    user = open_viewer(OWN)
    assert user.sees("expect 0") and not user.sees("Accept all")
    assert headings["Expectations"] == "Expectations | 0 pass, 1 not answered"


def test_an_answer_that_the_method_does_not_give_is_no_failed_test_in_the_window(open_viewer):
    user = open_viewer(OWN)
    (found,) = user.state.session.report.comparison
    assert mismatch(found) == "normal not answered by slab_ericson"
    assert not user.sees("filter wrong")
    user.click_on("probe ray")
    user.click_on("method exact")
    assert not user.state.session.report.mismatches


def test_an_expectation_of_a_disabled_probe_is_no_failed_test_in_the_window(open_viewer, headings):
    (probe,) = OWN.probes
    user = open_viewer(replace(OWN, probes=(replace(probe, enabled=False),)))
    assert user.sees("expect 0") and not user.sees("Accept all")
    assert headings["Expectations"] == "Expectations | 0 pass, 1 not evaluated"


def test_check_counts_an_answer_that_the_method_does_not_give_as_the_window_does(tmp_path):
    save(OWN, tmp_path / "a.scene.json")
    (outcome,) = check([tmp_path / "a.scene.json"])
    assert (outcome.status, outcome.failures) == ("passed", ())
    assert outcome.count == "1 expectation, 1 answer not given"


@pytest.mark.parametrize(
    "counts, changed, words",
    [
        ((26, 0, {}), False, "26 checks hold"),
        ((1, 0, {}), False, "1 check holds"),
        ((0, 0, {}), True, "No checks"),
        ((24, 0, {"not answered": 2}), False, "24 checks hold, 2 not answered"),
        ((23, 3, {}), True, "3 of 26 checks differ from the saved test"),
        ((25, 1, {}), True, "1 of 26 checks differs from the saved test"),
        ((22, 3, {"not evaluated": 1}), False, "3 of 26 checks fail, 1 not evaluated"),
    ],
)
def test_the_line_counts_the_checks(counts, changed, words):
    assert tally(*counts, changed=changed) == words


def test_each_sign_has_one_meaning():
    of = {name: sign for name, sign in vars(signs).items() if name.isupper()}
    assert len(set(of.values())) == len(of)
    assert signs.icons.ICON_FA_TRIANGLE_EXCLAMATION not in of.values()


def test_a_probe_with_the_name_of_an_answer_keeps_its_name():
    scene = replace(
        OWN,
        probes=(replace(RAY, id="t_enter"),),
        methods={},
        expect=(Expectation(probe="t_enter", primitive="box", t_enter=7.0),),
    )
    (found,) = evaluate(scene).comparison
    assert mismatch(found).startswith("expected t enter 7.0 of t_enter on box, found ")
    assert found.words.startswith("expected t_enter 7.0 of t_enter on box, found ")


def test_what_fails_stands_above_the_methods_and_is_mended_or_removed_there(open_viewer):
    wrong = Expectation(probe="ray", primitive="box", hit=False)
    user = open_viewer(replace(OWN, expect=(wrong, replace(wrong, hit=True))))
    user.click_on("expect 0")
    assert user.selected == ["ray"]
    assert user.find("expect 0").bottom < user.find("part Methods").top < user.find("part Expectations").top
    assert not user.sees("accept 1")
    user.click_on("accept 0")
    assert user.state.session.scene.expect == (replace(wrong, hit=True),) * 2
    assert not user.sees("part Failing")
    user.keys("Ctrl+Z")
    user.click_on("remove 0")
    assert user.state.session.scene.expect == (replace(wrong, hit=True),)


def test_of_many_that_fail_the_first_stand_above_and_the_others_at_their_place(open_viewer, headings):
    probes = tuple(replace(RAY, id=f"ray{k}") for k in range(6))
    expect = tuple(Expectation(probe=probe.id, primitive="box", hit=False) for probe in probes)
    user = open_viewer(replace(OWN, probes=probes, methods={}, expect=expect))
    bottom = user.find("part Expectations").top
    assert [user.find(f"expect {k}").top < bottom for k in range(6)] == [*[True] * 4, False, False]
    assert headings["Failing"] == "Expectations | 6 of 6 fail"
    assert headings["Expectations"] == "Other expectations | 2 fail, 0 pass"


def test_two_methods_of_a_pair_that_are_expected_to_differ_are_told_apart(open_viewer, monkeypatch):
    kinds = {}

    def note(key, *arguments, kind="", **options):
        kinds[key] = kind
        return widgets.row(key, *arguments, kind=kind, **options)

    monkeypatch.setattr(expectations_panel, "row", note)
    wrong = Expectation(probe="ray", primitive="box", hit=False)
    open_viewer(replace(OWN, methods={}, expect=(wrong, replace(wrong, method="slab_ericson"))))
    assert kinds == {"expect 0": "expected: miss", "expect 1": "expected: miss by slab_ericson"}
