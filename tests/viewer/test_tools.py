"""The tools, by mouse and keys without a window: selection, handles, gizmos, snapping, nudging and other edits."""

import math

import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.scene.bulk import AabbsPrimitive, RaysProbe
from hitscope.scene.items import AabbProbe, ObbPrimitive, PlanePrimitive, PointProbe, SpherePrimitive
from hitscope.scene.model import Expectation
from hitscope.viewer.state.settings import Limits
from hitscope.viewer.state.tool import GizmoPart
from hitscope.viewer.tools.drags.drag_points import grid_step_of
from hitscope.viewer.tools.gizmo import SIZE, VIEW_RING, gizmo_of
from tests.viewer.samples import ABOVE, BEHIND, BOX, FRONT, RAY, SAIL
from tests.viewer.user import target_at

pytestmark = pytest.mark.without_panels


@pytest.fixture
def user(open_items):
    """A user of a box, a triangle, a segment that misses both and a ray."""
    return open_items(BOX, SAIL)


# Selection


def test_shift_and_a_click_adds_and_takes_away(user):
    user.click(user.pixel(FRONT))
    user.key_down("Shift")
    user.press(user.pixel((3.0, 0.0, 0.0)), modifiers=("Shift",))
    user.release()
    user.press(user.pixel((-1.0, 2.0, 0.0)), modifiers=("Shift",))
    user.release()
    assert user.selected == ["box", "sail", "above"]
    user.press(user.pixel(FRONT), modifiers=("Shift",))
    user.release()
    user.key_up("Shift")
    assert user.selected == ["sail", "above"]
    assert user.state.selection.last == Target("probe", "above")
    user.click(user.pixel(FRONT))
    assert user.selected == ["box"]


def test_clicking_again_selects_what_lies_behind(open_items):
    user = open_items(BOX, BEHIND)
    at = user.pixel(FRONT)
    seen = []
    for _ in range(3):
        user.click(at)
        seen += user.selected
    assert seen == ["box", "behind", "box"]
    user.click((at[0] + 20, at[1]))
    assert user.selected == ["box"], "elsewhere it begins with what is in front"


def test_a_box_selects_whole_items_of_which_something_is_in_it(open_items):
    cloud = AabbsPrimitive(
        id="cloud", min=[[5.0, 0.0, 0.0], [-5.0, 1.0, 0.0]], max=[[6.0, 1.0, 1.0], [-4.0, 2.0, 1.0]]
    )
    ball = SpherePrimitive(id="ball", center=(-3.0, 1.5, 0.0), radius=0.2)
    user = open_items(BOX, SAIL, cloud, ball)
    user.keys("B")
    left, top = user.pixel((-6.0, 2.5, 0.0))
    right, bottom = user.pixel((-2.0, 0.9, 0.0))
    user.drag((left, top), (right, bottom))
    assert user.selected == ["cloud", "ball", "above"]
    assert user.state.tool.armed is None
    user.keys("B")
    user.drag((right, 100), (right + 5, 105), release=False)
    user.keys("Escape")
    user.release()
    assert user.selected == ["cloud", "ball", "above"]


def test_all_is_selected_and_escape_takes_away_the_gizmo_and_then_the_selection(user):
    user.keys("Ctrl+A", "W")
    assert user.selected == ["box", "sail", "above", "ray"]
    user.keys("Escape")
    assert gizmo_of(user.state) is None and len(user.selected) == 4
    user.keys("Escape")
    assert user.selected == []


# Handles


def test_a_selected_box_is_made_larger_by_the_handle_of_its_face(user):
    face = user.pixel((1.0, 0.0, 0.0))
    assert target_at(user.state, *face) == Target("primitive", "box")
    user.click(user.pixel(FRONT))
    assert target_at(user.state, *face) == Target("primitive", "box", 2)
    user.drag(face, user.pixel((1.5, 0.0, 0.0)))
    box = user.item("box")
    assert box.shape.hi[0] == pytest.approx(1.5, abs=0.02) and box.shape.lo == (-1.0, -1.0, -1.0)
    assert (box.center[1:], box.half_extents[1:]) == ((0.0, 0.0), (1.0, 1.0))
    assert user.state.session.document.undo_name == "move box"


def test_a_vertex_of_a_selected_triangle_is_dragged_to_a_typed_distance(user):
    user.click(user.pixel((3.0, 0.0, 0.0)))
    user.drag(user.pixel((4.0, -1.0, 0.0)), user.pixel((4.3, -1.2, 0.0)), release=False)
    user.keys("Y", "-", "1", ".", "5")
    assert user.state.tool.drag.hint.startswith("-1.5 typed")
    user.keys("Enter")
    assert user.state.tool.drag is None
    user.release()
    assert user.item("sail").vertices == (SAIL.vertices[0], (4.0, -2.5, 0.0), SAIL.vertices[2])
    user.keys("Ctrl+Z")
    assert user.item("sail") == SAIL
    assert not user.state.session.document.changed


def test_a_click_on_a_handle_selects_and_moves_nothing(user):
    before = user.state.session.scene
    x, y = user.pixel(ABOVE.end)
    user.click((x + 3, y - 2))
    assert user.selected == ["above"] and user.state.session.scene is before


@pytest.mark.parametrize("key, fixed", [("Shift+Y", 1), ("Shift+Z", 2)])
def test_a_plane_lock_keeps_one_coordinate_to_the_bit(user, key, fixed):
    x, y = user.pixel(ABOVE.end)
    user.drag((x, y), (x + 60, y + 40), release=False)
    user.keys(key)
    user.release()
    end = user.item("above").end
    assert end[fixed] == ABOVE.end[fixed]
    assert all(end[k] != ABOVE.end[k] for k in range(3) if k != fixed)
    np.testing.assert_allclose(user.pixel(end), (x + 60, y + 40), atol=1.5)


def test_an_axis_key_that_is_struck_locks_until_it_is_struck_again_and_one_that_is_held_while_it_is(user):
    x, y = user.pixel(ABOVE.end)
    user.drag((x, y), (x + 60, y + 40), release=False)
    free = user.item("above").end
    user.keys("X")
    assert user.item("above").end[1:] == ABOVE.end[1:]
    user.keys("X")
    assert user.item("above").end == free
    user.key_down("Y")
    user.move((x + 61, y + 40))
    assert user.item("above").end[0] == ABOVE.end[0]
    user.key_up("Y")
    assert user.item("above").end[0] != ABOVE.end[0]


# Gizmos


def test_the_gizmo_moves_everything_that_is_selected_by_a_typed_distance(user):
    user.keys("Ctrl+A", "W")
    x, y = user.arrow()
    user.drag((x, y), (x + 50, y), release=False)
    assert user.state.tool.drag.part == GizmoPart("axis", 0)
    user.keys("2", ".", "5")
    assert "by 2.5  0  0" in user.state.tool.drag.hint
    user.release()
    assert user.item("box").center == (2.5, 0.0, 0.0)
    assert user.item("sail").vertices[0] == (4.5, -1.0, 0.0)
    assert user.item("above") == replace(ABOVE, start=(-0.5, 2.0, 0.0), end=(5.5, 2.0, 0.0))
    assert user.item("ray") == replace(RAY, origin=(-0.5, -0.5, 0.5))
    assert user.state.session.document.undo_name == "move 4 items"
    user.keys("Ctrl+Z")
    assert user.state.session.scene.primitives == (BOX, SAIL) and user.state.session.document.undo_name is None


def test_a_lock_and_a_number_turn_what_is_selected_about_that_axis(user):
    user.click(user.pixel(FRONT))
    user.keys("E")
    center = user.pixel((0.0, 0.0, 0.0))
    x, y = center[0] + VIEW_RING * SIZE, center[1]
    user.drag((x, y), (x, y - 30), release=False)
    assert user.state.tool.drag.part == GizmoPart("view")
    user.keys("Y", "4", "5")
    assert "a rotated aabb becomes an obb   ·   by 45° about y" in user.state.tool.drag.hint
    user.release()
    assert user.item("box").euler_xyz_deg == (0.0, 45.0, 0.0)
    assert user.item("box").half_extents == (1.0, 1.0, 1.0)
    assert user.state.session.document.undo_name == "turn box"


def test_scaling_by_the_middle_is_even_and_by_an_axis_is_along_it(user):
    user.click(user.pixel(FRONT))
    user.keys("R")
    x, y = user.pixel((0.0, 0.0, 0.0))
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("2")
    user.release()
    assert user.item("box").half_extents == (2.0, 2.0, 2.0)
    at = user.arrow(1)
    user.drag(at, (at[0], at[1] - 20), release=False)
    user.keys("0", ".", "5", "Enter")
    user.release()
    assert user.item("box").half_extents == (2.0, 1.0, 2.0)


def test_escape_brings_back_what_a_gizmo_changed(user):
    before = user.state.session.scene
    user.click(user.pixel(FRONT))
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 80, y), release=False)
    assert user.state.session.scene is not before
    user.keys("Escape")
    assert user.state.session.scene is before
    user.release()
    assert user.state.session.scene is before and user.state.session.document.undo_name is None
    assert user.state.tool.gizmo_mode == "move" and user.selected == ["box"]


def test_local_axes_are_those_of_an_oriented_box(open_items):
    box = ObbPrimitive(
        id="box", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), euler_xyz_deg=(0.0, 0.0, 90.0)
    )
    user = open_items(box)
    user.click(user.pixel(FRONT))
    user.keys("W", "L")
    x, y = user.arrow(0)
    user.drag((x, y), (x, y - 40), release=False)
    user.keys("3")
    user.release()
    assert user.item("box").center == (0.0, 3.0, 0.0)


def test_an_item_that_cannot_be_scaled_is_reported_and_unchanged(open_items):
    user = open_items(PlanePrimitive(id="floor", normal=(0.0, 1.0, 0.0), offset=-1.0), probes=())
    user.keys("Ctrl+A", "R")
    x, y = user.pixel(gizmo_of(user.state).pivot)
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("0")
    assert "to scale a plane" in user.state.tool.drag.hint
    user.release()
    assert user.item("floor").normal == (0.0, 1.0, 0.0)


def test_a_bulk_item_is_moved_and_turned_as_a_whole_but_not_moved_by_an_ulp(open_items):
    lows, highs = [[-1.0, -1.0, -1.0], [0.1, 0.2, 0.3]], [[1.0, 1.0, 1.0], [0.3, 0.6, 0.7]]
    cloud = AabbsPrimitive(id="cloud", min=lows, max=highs)
    user = open_items(cloud)
    user.state.selection.select(Target("primitive", "cloud"))
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("0", ".", "2")
    user.release()
    assert user.item("cloud").min.array.tolist() == [[-0.8, -1.0, -1.0], [0.3, 0.2, 0.3]]
    assert user.item("cloud").max.array.tolist() == [[1.2, 1.0, 1.0], [0.5, 0.6, 0.7]]
    user.keys("E")
    user.drag(user.ring(), (x, y - 30), release=False)
    assert "rotated aabbs become obbs" in user.state.tool.drag.hint
    user.release()
    assert (user.item("cloud").word, user.state.session.document.undo_name) == ("obbs", "turn cloud")
    user.keys("Ctrl+Z", "Alt+Up")
    assert user.state.messages.notice == "Cannot nudge many shapes in one item by one ulp"
    assert user.state.session.document.undo_name == "move cloud"
    user.keys("Up")
    assert user.item("cloud").min.array.tolist() == [[-0.8, 0.0, -1.0], [0.3, 1.2, 0.3]]


# Snapping


def test_an_exact_touch_is_reached_by_dragging_the_end_of_a_segment_to_a_corner_with_ctrl(user):
    assert user.state.session.report.verdict(0, 0).state == "apart"
    user.press(user.pixel(ABOVE.end))
    user.key_down("Ctrl")
    x, y = user.pixel((1.0, 1.0, 1.0))
    user.move((x + 5, y - 4))
    assert "corner of box" in user.state.tool.drag.hint
    assert user.state.tool.drag.marks.point == (1.0, 1.0, 1.0)
    user.release()
    user.key_up("Ctrl")
    assert user.item("above") == replace(ABOVE, end=(1.0, 1.0, 1.0))
    assert user.state.session.report.verdict(0, 0).state == "touching"
    assert user.state.session.document.undo_name == "move above"


def test_ctrl_lets_go_where_snapping_is_on(user):
    user.keys("S")
    assert user.state.tool.snapping
    user.press(user.pixel(ABOVE.end))
    x, y = user.pixel((1.0, 1.0, 1.0))
    user.move((x + 5, y - 4))
    assert user.item("above").end == (1.0, 1.0, 1.0)
    user.key_down("Ctrl")
    assert user.item("above").end != (1.0, 1.0, 1.0) and user.state.tool.drag.marks is None
    user.key_up("Ctrl")
    assert user.item("above").end == (1.0, 1.0, 1.0)
    user.keys("Escape")
    assert user.item("above") == ABOVE


def test_a_box_moved_by_its_gizmo_snaps_until_its_boundary_touches(open_items):
    user = open_items(
        replace(BOX, min=(-4.0, 0.0, -0.25), max=(-3.0, 0.7, 0.25), center=UNSET, half_extents=UNSET, id="mine"),
        BOX,
    )
    user.state.selection.select(Target("primitive", "mine"))
    user.keys("W", "S")
    x, y = user.arrow()
    way = np.subtract(user.pixel((-1.0, 0.35, 0.0)), user.pixel((-3.0, 0.35, 0.0)))
    user.drag((x, y), (x + way[0], y + way[1]))
    assert user.state.session.document.undo_name == "move mine"
    lo, hi = user.item("mine").shape
    assert lo[1:] == (0.0, -0.25) and hi[1:] == (0.7, 0.25)


def test_with_an_axis_lock_the_end_goes_level_with_what_it_snaps_to(user):
    user.press(user.pixel(ABOVE.end))
    user.key_down("Ctrl")
    user.move(user.pixel((2.0, 2.0, 0.0)))
    user.key_down("Ctrl+X")
    user.move(user.pixel((1.0, 2.0, 0.0)))
    assert user.item("above").end == (1.0, 2.0, 0.0)
    assert user.state.tool.drag.hint != "" and user.state.tool.drag.lock.axis == 0
    user.release()


def test_a_segment_is_drawn_from_corner_to_corner(user):
    user.keys("S", "N", "S")
    assert user.state.tool.snapping and user.state.tool.armed == ("probe", "segment")
    x, y = user.pixel((1.0, 1.0, 1.0))
    to = user.pixel((3.0, 1.0, 0.0))
    user.drag((x + 4, y), (to[0], to[1] + 4))
    drawn = user.state.session.scene.probes[-1]
    assert (drawn.start, drawn.end) == ((1.0, 1.0, 1.0), (3.0, 1.0, 0.0))
    assert [user.state.session.report.verdict(2, e).state for e in range(2)] == ["touching", "touching"]
    assert user.state.session.document.undo_name == "draw a segment"


def test_of_many_elements_those_near_the_mouse_are_snapped_to(open_items):
    grid = np.array([[x, 0.0, z] for x in range(-5, 6) for z in range(-5, 0)], float)
    user = open_items(AabbsPrimitive(id="many", min=grid, max=grid + 0.5), BOX, limits=Limits(snap_targets=20))
    user.press(user.pixel(ABOVE.end))
    user.key_down("Ctrl")
    user.move(user.pixel((3.0, 0.5, -1.0)))
    assert user.item("above").end == (3.0, 0.5, -1.0)
    user.move(user.pixel((-2.5, 0.5, -0.5)))
    assert user.item("above").end == (-2.5, 0.5, -0.5)
    assert "corner of many[" in user.state.tool.drag.hint
    user.release()


# Nudging


def test_arrows_nudge_what_is_selected_by_a_step_of_the_grid_and_with_alt_by_one_ulp(user):
    assert grid_step_of(user.state) == 1.0
    user.click(user.pixel(FRONT))
    user.keys("Right", "Up")
    assert user.item("box").center == (1.0, 1.0, 0.0)
    assert user.state.session.document.undo_name == "nudge box"
    user.keys("Alt+Left")
    assert user.item("box").center == (math.nextafter(1.0, 0.0), 1.0, 0.0)
    user.keys("Alt+Right", "Down", "Left")
    assert user.item("box") == BOX


def test_the_handle_that_was_clicked_is_nudged_alone_until_something_else_is_clicked(user):
    user.click(user.pixel(ABOVE.end))
    user.move((300, 600))
    user.keys("Down", "Alt+Up")
    assert user.item("above") == replace(ABOVE, end=(3.0, math.nextafter(1.0, 2.0), 0.0))
    user.click(user.pixel((-2.0, 1.8333, 0.0)))
    user.move(user.pixel(user.item("above").end))
    user.keys("Down")
    assert user.item("above").start == (-3.0, 1.0, 0.0)


# Other edits


def test_duplicates_are_selected_and_deleted_with_one_undo_each(user):
    user.keys("Ctrl+A", "Ctrl+D")
    scene = user.state.session.scene
    assert scene.primitive_ids == ("box", "sail", "box-2", "sail-2")
    assert scene.probe_ids == ("above", "ray", "above-2", "ray-2")
    assert user.selected == ["box-2", "sail-2", "above-2", "ray-2"]
    assert user.state.session.document.undo_name == "duplicate 4 items"
    user.keys("Delete")
    assert user.state.session.scene.primitive_ids == ("box", "sail") and user.selected == []
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.state.session.document.undo_name is None


def test_a_deleted_primitive_takes_its_expectations_along(open_items):
    user = open_items(BOX, SAIL, expect=(Expectation(probe="ray", hits=("box",)),))
    user.click(user.pixel(FRONT))
    user.keys("Delete")
    assert user.state.session.scene.primitive_ids == ("sail",)
    assert user.state.session.scene.expect[0].hits == ()


def test_a_box_probe_becomes_a_primitive_and_a_primitive_a_probe(open_items):
    mine = AabbProbe(id="mine", center=(0.0, 3.0, 0.0), half_extents=(0.5, 0.5, 0.5))
    user = open_items(SAIL, probes=(mine,))
    user.state.selection.select(Target("probe", "mine"), Target("primitive", "sail"))
    user.keys("M")
    assert (user.state.session.scene.primitive_ids, user.state.session.scene.probe_ids) == (("mine",), ("sail",))
    assert user.item("mine").shape == mine.shape and user.item("sail").shape == SAIL.shape
    assert set(user.state.selection.targets) == {Target("primitive", "mine"), Target("probe", "sail")}
    user.keys("Ctrl+Z")
    assert (user.state.session.scene.primitive_ids, user.state.session.scene.probe_ids) == (("sail",), ("mine",))


def test_a_segment_cannot_be_a_primitive(user):
    user.click(user.pixel((-1.0, 2.0, 0.0)))
    user.keys("M")
    assert (
        user.state.messages.notice == "A segment cannot be a primitive" and not user.state.session.document.changed
    )


def test_a_disabled_probe_hits_nothing_and_can_be_enabled_again(user):
    user.click(user.pixel((-1.0, -0.5, 0.5)))
    user.keys("Shift+E")
    assert user.item("ray").enabled is False and not user.state.session.report.hit_elements.any()
    assert user.state.session.document.undo_name == "disable ray" and user.selected == ["ray"]
    user.keys("W", "L")
    assert gizmo_of(user.state).pivot == RAY.origin, "it can be edited as before"
    user.keys("Shift+E")
    assert user.item("ray") == RAY


def test_what_is_hidden_is_neither_picked_nor_snapped_to(open_items):
    user = open_items(BOX, BEHIND)
    at = user.pixel(FRONT)
    user.click(at)
    user.keys("Shift+H")
    assert user.state.selection.hidden == {("primitive", "box")} and user.selected == []
    assert target_at(user.state, *at) == Target("primitive", "behind")
    user.press(user.pixel(ABOVE.end))
    user.key_down("Ctrl")
    user.move(user.pixel((1.0, 1.0, 1.0)))
    assert "box" not in user.state.tool.drag.hint
    user.key_up("Ctrl")
    user.keys("Escape")
    user.release()
    user.keys("Alt+H")
    assert target_at(user.state, *at) == Target("primitive", "box")
    assert not user.state.session.document.changed


def test_isolating_shows_only_what_is_selected_until_it_is_done_again(user):
    user.click(user.pixel(FRONT))
    user.keys("/")
    assert user.state.selection.hidden == {("primitive", "sail"), ("probe", "above"), ("probe", "ray")}
    assert user.selected == ["box"]
    user.keys("/")
    assert user.state.selection.hidden == frozenset()


def test_without_a_selection_commands_say_so(user):
    for key in ("Delete", "Ctrl+D", "M", "Right", "Alt+Up", "Shift+H", "/"):
        user.keys(key)
        assert user.state.messages.notice == "Nothing is selected"
    user.keys("W")
    assert user.state.messages.notice == "Select what you want to move"
    assert not user.state.session.document.changed


def test_a_bundle_is_hidden_duplicated_and_deleted_as_one(open_items):
    rays = RaysProbe(id="rays", origin=[[-3.0, 0.0, 0.0], [-3.0, 0.5, 0.0]], direction=[[1.0, 0.0, 0.0]] * 2)
    user = open_items(BOX, probes=(rays, PointProbe(position=(3.0, 3.0, 0.0))))
    user.state.selection.select(Target("probe", "rays"))
    user.keys("Ctrl+D")
    assert user.state.session.scene.probe_ids == ("rays", "point-1", "rays-2")
    user.keys("Shift+H")
    assert user.state.selection.hidden == {("probe", "rays-2")}


def test_a_new_box_is_a_probe_until_m_makes_it_a_primitive(user):
    user.keys("N", "B")
    x, y = user.pixel((-2.0, 0.0, 3.0))
    user.drag((x, y), (x + 60, y))
    assert user.state.messages.notice == "aabb-1 is a probe   ·   M makes it a primitive"
    user.keys("M")
    assert user.state.session.scene.primitives[-1].shape == user.state.session.report.elements[2].shape
    assert user.state.selection.last == Target("primitive", user.state.session.scene.primitive_ids[-1])
