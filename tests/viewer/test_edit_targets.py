"""Meshes, items of many shapes and their elements, moved and edited by mouse and keys without a window."""

import numpy as np
import pytest

from hitscope.draw.target import Target
from hitscope.scene.bulk import AabbsPrimitive, MeshPrimitive, ObbsPrimitive, TrianglesPrimitive
from hitscope.scene.items import AabbPrimitive
from hitscope.scene.model import Expectation
from hitscope.viewer.tools.gizmo import gizmo_of
from tests.viewer.samples import BEHIND, BOX, CLOUD, FRONT, WEDGE

pytestmark = pytest.mark.without_panels

TILES = ObbsPrimitive(id="tiles", center=[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]], half_extents=[[1.0, 1.0, 1.0]] * 2)


@pytest.fixture
def mesh_user(open_items, tmp_path, monkeypatch):
    """A user of a mesh."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wedge.obj").write_text(WEDGE)
    return open_items(MeshPrimitive(id="wedge", file="wedge.obj"))


def test_a_click_selects_an_element_the_next_one_all_of_them_and_then_what_is_behind(open_items):
    user = open_items(CLOUD, BEHIND)
    at, seen = user.pixel(FRONT), []
    user.click(at)
    assert user.state.messages.notice == "Selected one element of cloud; click again to select all of it"
    seen += user.selected
    for _ in range(3):
        user.click(at)
        seen += user.selected
    assert seen == ["cloud[0]", "cloud", "behind", "cloud[0]"]


def test_an_element_is_moved_by_itself_with_live_verdicts_and_one_entry(open_items):
    user = open_items(CLOUD, expect=(Expectation(probe="above", primitive="cloud[0]", hit=False),))
    user.click(user.pixel(FRONT))
    user.keys("W")
    x, y = user.arrow(1)
    user.drag((x, y), (x, y - 30), release=False)
    user.keys("1", ".", "5")
    assert user.state.session.report.verdict(0, 0).hit and not user.state.session.report.verdict(0, 1).hit
    assert [mismatch.primitive for mismatch in user.state.session.report.mismatches] == ["cloud[0]"]
    user.release()
    assert user.item("cloud").min.array.tolist() == [[-1.0, 0.5, -1.0], [3.0, 0.0, 0.0]]
    assert user.state.session.document.undo_name == "move cloud[0]" and user.selected == ["cloud[0]"]
    user.keys("Ctrl+Z")
    assert user.item("cloud") == CLOUD and not user.state.session.document.changed


def test_an_element_is_scaled_and_turned_where_its_item_can_hold_it(open_items):
    user = open_items(TILES)
    user.click(user.pixel(FRONT))
    user.keys("R")
    x, y = user.pixel(gizmo_of(user.state).pivot)
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("2")
    user.release()
    assert [shape.half_extents for shape in user.item("tiles").shapes] == [(2.0, 2.0, 2.0), (1.0, 1.0, 1.0)]
    user.keys("E")
    user.drag(user.ring(), (x, y - 30), release=False)
    user.keys("Z", "3", "0")
    user.release()
    tiles = user.item("tiles")
    assert tiles.shapes[0].axes[0] == pytest.approx((0.75**0.5, 0.5, 0.0))
    assert tiles.shapes[1] == TILES.shapes[1], "the other one keeps every bit"
    user = open_items(CLOUD)
    user.click(user.pixel(FRONT))
    user.keys("E")
    user.drag(user.ring(), (x, y - 30), release=False)
    refused = "Cannot turn one element of aabbs into an obb: duplicate it first"
    assert user.state.tool.drag.hint.startswith(refused)
    user.release()
    assert user.item("cloud") == CLOUD and not user.state.session.document.changed


def test_elements_are_nudged_duplicated_and_deleted(open_items):
    expect = Expectation(probe="above", primitive="cloud[1]", hit=False)
    user = open_items(CLOUD, expect=(expect,))
    user.click(user.pixel(FRONT))
    user.keys("Alt+Right")
    assert user.item("cloud").max.array[0, 0] == np.nextafter(1.0, 2.0)
    user.keys("Ctrl+Z", "Ctrl+D")
    assert user.selected == ["cloud-0"] and user.item("cloud-0") == AabbPrimitive(
        id="cloud-0", min=(-1.0, -1.0, -1.0), max=(1.0, 1.0, 1.0)
    )
    user.keys("Ctrl+Z")
    user.state.selection.select(Target("primitive", "cloud[0]"))
    user.keys("M")
    assert user.state.messages.notice.startswith("Cannot turn one element of aabbs into a probe: ")
    user.keys("Delete")
    assert list(user.item("cloud").shapes) == [CLOUD.shapes[1]] and user.selected == []
    assert (
        user.state.session.scene.expect[0].primitive == "cloud[0]"
        and user.state.session.document.undo_name == "delete cloud[0]"
    )
    user.keys("Ctrl+Z")
    assert user.item("cloud") == CLOUD and user.state.session.scene.expect == (expect,)


def test_of_an_item_and_its_element_the_item_is_moved_once(open_items):
    user = open_items(CLOUD, BOX)
    user.state.selection.select(*(Target("primitive", name) for name in ("cloud[1]", "box", "cloud")))
    user.keys("Right")
    assert user.item("cloud").min.array.tolist() == [[0.0, -1.0, -1.0], [4.0, 0.0, 0.0]]
    assert user.item("box").center == (1.0, 0.0, 0.0) and user.state.session.document.undo_name == "nudge 2 items"


def test_a_mesh_is_moved_turned_and_scaled_by_the_triangle_that_was_clicked(mesh_user):
    user = mesh_user
    user.click(user.pixel((0.6, 0.0, 1.0)))
    assert user.selected == ["wedge[0]"]
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("0", ".", "5")
    user.release()
    assert (
        user.item("wedge").translate == (0.5, 0.0, 0.0) and user.state.session.document.undo_name == "move wedge"
    )
    assert user.item("wedge").shapes[1].c == (-0.5, 1.0, -1.0)
    user.keys("E")
    user.drag(user.ring(), (x, y - 30), release=False)
    user.keys("Z", "9", "0")
    user.release()
    assert user.item("wedge").quaternion_xyzw == pytest.approx((0.0, 0.0, 0.5**0.5, 0.5**0.5))
    user.keys("R")
    x, y = user.pixel(gizmo_of(user.state).pivot)
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("2")
    user.release()
    assert user.item("wedge").scale == 2.0 and user.state.session.document.undo_name == "scale wedge"
    user.keys("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert not user.state.session.document.changed


def test_a_triangle_of_a_mesh_is_not_deleted_but_the_mesh_is(mesh_user):
    user = mesh_user
    user.click(user.pixel((0.6, 0.0, 1.0)))
    user.keys("Delete")
    (triangle,) = user.selected
    assert (
        user.state.messages.notice
        == f"{triangle}: Cannot change single triangles of a mesh: change the whole mesh"
    )
    user.click(user.pixel((0.6, 0.0, 1.0)))
    assert user.selected == ["wedge"]
    user.keys("Delete")
    assert user.state.session.scene.primitives == ()


@pytest.mark.parametrize("name", ["cloud", "cloud[0]"])
def test_a_small_file_of_numbers_is_taken_into_the_scene_with_a_notice(
    open_items,
    tmp_path,
    monkeypatch,
    name,
):
    monkeypatch.chdir(tmp_path)
    np.savez("cloud.npz", min=np.full((2, 3), -1.0), max=np.ones((2, 3)))
    user = open_items(AabbsPrimitive(id="cloud", file="cloud.npz"))
    user.state.selection.select(Target("primitive", name))
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 30, y), release=False)
    assert "Copied 2 rows of cloud.npz into the scene" in user.state.tool.drag.hint
    user.release()
    assert not user.item("cloud").file and len(user.item("cloud").min) == 2
    user.keys("Ctrl+Z")
    assert user.item("cloud").file.name == "cloud.npz"


@pytest.mark.parametrize("name", ["cloud", "cloud[0]"])
def test_a_large_file_of_numbers_stays_as_it_is_with_advice(
    open_items,
    tmp_path,
    monkeypatch,
    name,
):
    monkeypatch.chdir(tmp_path)
    np.savez("cloud.npz", vertices=np.random.default_rng(1).random((1001, 3, 3)))
    user = open_items(TrianglesPrimitive(id="cloud", file="cloud.npz"))
    user.state.selection.select(Target("primitive", name))
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 30, y), release=False)
    refused = "Cannot change cloud.npz here: it has 1,001 rows, more than 1,000; edit the file itself"
    assert refused in user.state.tool.drag.hint and "$" not in user.state.tool.drag.hint
    user.release()
    user.keys("Right")
    assert user.state.messages.notice.endswith(refused) and "$" not in user.state.messages.notice
    user.keys("Ctrl+D")
    assert user.state.session.document.changed == (name == "cloud"), "a copy needs no change"


# Nudges


def test_nudges_in_a_row_are_one_entry_and_a_pause_begins_another(open_items):
    user = open_items(BOX)
    user.click(user.pixel(FRONT))
    user.keys("Right", "Right", "Up")
    assert user.item("box").center == (2.0, 1.0, 0.0)
    user.at += 1200
    user.keys("Right")
    user.keys("Ctrl+Z")
    assert user.item("box").center == (2.0, 1.0, 0.0)
    user.keys("Ctrl+Z")
    assert user.item("box") == BOX and not user.state.session.document.changed
    user.keys("Ctrl+Y")
    assert user.item("box").center == (2.0, 1.0, 0.0)


def test_nudges_of_something_else_or_after_another_edit_or_a_save_are_entries_of_their_own(open_items):
    user = open_items(BOX, BEHIND)
    user.click(user.pixel(FRONT))
    user.keys("Right", "Alt+Up")
    assert user.state.session.document.undo_name == "nudge by ulps box"
    user.keys("Ctrl+Z")
    assert user.item("box").center == (1.0, 0.0, 0.0)
    user.state.selection.select(Target("primitive", "behind"))
    user.keys("Right", "Ctrl+Z")
    assert user.item("behind") == BEHIND and user.item("box").center == (1.0, 0.0, 0.0)
    user.keys("Right", "Ctrl+S", "Right", "Ctrl+Z")
    assert not user.state.session.document.changed, "what was saved can be had back"


def test_nudges_there_and_back_are_no_change(open_items):
    user = open_items(BOX)
    user.click(user.pixel(FRONT))
    user.keys("Right", "Left")
    assert user.item("box") == BOX and not user.state.session.document.changed
