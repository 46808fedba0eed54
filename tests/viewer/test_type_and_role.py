"""The choices of an item's type and role in the inspector."""

import pytest

from hitscope.draw.target import Target
from hitscope.scene.items import ObbPrimitive, PlanePrimitive, PointProbe
from hitscope.scene.model import Expectation
from hitscope.viewer.state.inputs import Refresh
from tests.viewer.samples import ABOVE, BEHIND, BOX, FRONT, RAY, SAIL

TURNED = ObbPrimitive(
    id="turned", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), euler_xyz_deg=(0.0, 0.0, 45.0)
)
EXPECT = (
    Expectation(probe="ray", primitive="box", hit=True),
    Expectation(probe="above", primitive="box", hit=False),
)


def choose(user, kind, option):
    """Open the choice of the type or the role, and click on an option; no double click."""
    user.at += 400
    user.click_on(kind)
    user.click_on(f"{kind} {option}")


@pytest.mark.replayed
def test_a_box_becomes_every_type_of_solid_with_its_id_and_expectations(open_items):
    user = open_items(BOX, BEHIND, expect=EXPECT)
    user.click(user.pixel(FRONT))
    for word in ("obb", "parallelepiped", "polyhedron", "aabb"):
        choose(user, "type", word)
        assert user.item("box").word == word and user.selected == ["box"]
        assert user.state.messages.notice == f"box is of type {word} now"
        assert user.state.session.document.undo_name == f"make box a {word}"
        assert user.state.session.scene.expect == EXPECT
        assert user.state.session.report.verdict(1, 0).hit, "it is the same set"
    assert user.item("box").shape == BOX.shape
    user.keys(*["Ctrl+Z"] * 4)
    assert user.item("box") == BOX


@pytest.mark.replayed
def test_a_segment_becomes_a_ray_and_a_line_that_hit_more(open_items):
    user = open_items(SAIL, probes=(ABOVE, RAY))
    user.click_on("probe ray")
    choose(user, "type", "segment")
    assert user.item("ray").end == (-1.5, -0.5, 0.5)
    assert user.state.messages.notice == "ray is of type segment now: it ends where t = 1"
    choose(user, "type", "line")
    assert (user.item("ray").origin, user.item("ray").direction) == (RAY.origin, RAY.direction)
    assert user.state.selection.last == Target("probe", "ray")


def test_a_rotated_box_that_becomes_an_aabb_says_that_it_is_its_bounds(open_items):
    user = open_items(TURNED)
    user.click_on("primitive turned")
    choose(user, "type", "aabb")
    assert user.state.messages.notice == "turned is of type aabb now: its bounds along the axes"


@pytest.mark.replayed
def test_the_role_is_chosen_and_undone(open_items):
    user = open_items(BOX, BEHIND, expect=EXPECT)
    user.click(user.pixel(FRONT))
    choose(user, "role", "probe")
    assert user.state.selection.targets == (Target("probe", "box"),)
    assert user.state.session.scene.probe_ids == ("above", "ray", "box")
    assert user.state.session.scene.expect == () and user.state.messages.notice == "box is a probe now"
    choose(user, "role", "primitive")
    assert user.state.selection.targets == (Target("primitive", "box"),)
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.item("box") == BOX and user.state.session.scene.expect == EXPECT


def test_what_a_type_cannot_be_is_not_done(open_items):
    user = open_items(
        PlanePrimitive(id="wall", normal=(0.0, 1.0, 0.0), offset=0.0),
        probes=(PointProbe(id="dot", position=(0.0, 0.0, 0.0)),),
    )
    user.click_on("primitive wall")
    before = user.state.session.scene
    choose(user, "role", "probe")
    assert user.state.session.scene is before
    user.keys("Escape")
    assert user.selected == ["wall"], "Escape closed the choice alone"
    choose(user, "type", "polyhedron")
    choose(user, "type", "aabb")
    assert user.refusal == ("type", "expected a bounded polyhedron, found one without an end")
    assert user.sees("type"), "the choice is still there"
    user.state.selection.select(Target("probe", "dot"))
    user.take(Refresh)
    user.click_on("type")
    assert user.sees("type point") and not user.sees("type segment")
