"""Handles by mouse without a window: those of small boxes, of elements and of thin lines; and local axes."""

import itertools

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.items import Cue
from hitscope.draw.target import Target
from hitscope.geometry.shapes import Aabb
from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View
from hitscope.scene.bulk import MeshPrimitive, RaysProbe, TrianglesPrimitive
from hitscope.scene.items import AabbPrimitive, AabbProbe, ObbPrimitive
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.picking.pick import handle_positions
from tests.viewer.samples import ABOVE, BOX, CLOUD, FRONT, WEDGE
from tests.viewer.user import target_at

pytestmark = pytest.mark.without_panels

TURN = (0.0, 0.0, 0.6, 0.8)
"""By the angle whose cosine is 0.28 about z."""


def a_box(size, flat=False):
    """A box in the middle of the picture."""
    return AabbPrimitive(
        id="box", center=(0.0, 0.0, 0.0), half_extents=(size, 0.0 if flat else 0.6 * size, 0.8 * size)
    )


def handles(user):
    """The pixels (n, 2) of the handles that are drawn of what is selected."""
    markers = draw_list(user.state).markers
    seen = user.state.display.view.project(markers.positions)
    return seen[(markers.cues & Cue.SELECTED) != 0, :2]


def select(user, name, kind="primitive"):
    """Select by name, and move the mouse away."""
    user.state.selection.select(Target(kind, name))
    user.move((400.0, 700.0))


# Boxes that are seen small


@pytest.mark.parametrize("keys", [(), ("5",)], ids=["perspective", "orthographic"])
@pytest.mark.parametrize("size", [1.5, 0.4, 0.1, 1e-3, 1e-9])
@pytest.mark.parametrize("flat", [False, True])
def test_every_face_of_a_selected_box_has_a_handle_that_can_be_grabbed_however_small_it_is_seen(
    open_items,
    keys,
    size,
    flat,
):
    user = open_items(a_box(size, flat), probes=())
    user.keys(*keys)
    user.wait()
    select(user, "box")
    seen = handles(user)
    assert len(seen) == 7
    assert min(np.linalg.norm(p - q) for p, q in itertools.combinations(seen, 2)) > 12
    grabbed = []
    for pixel in seen:
        user.move(pixel)
        grabbed.append(user.state.selection.hovered)
    assert grabbed == [Target("primitive", "box", handle) for handle in range(7)]


@pytest.mark.parametrize("size", [1.5, 0.1])
def test_faces_that_are_seen_end_on_have_no_handles_over_the_middle(open_items, size):
    user = open_items(a_box(size), probes=())
    user.keys("5", "1")
    user.wait()
    select(user, "box")
    assert len(handles(user)) == 5
    user.move(user.pixel((0.0, 0.0, 0.0)))
    assert user.state.selection.hovered == Target("primitive", "box", 0)


def test_of_a_large_box_the_handles_are_in_the_middles_of_its_faces():
    box = Aabb((-2.0, -2.0, -2.0), (2.0, 2.0, 2.0))
    view = View(Camera((6.0, 5.0, 9.0), (0.0, 0.0, 0.0)), Viewport(0, 0, 1280, 800))
    middles = [np.eye(3)[k] * sign * 2 for k in range(3) for sign in (-1, 1)]
    np.testing.assert_array_equal(handle_positions(box, view), [[0.0, 0.0, 0.0], *middles])


def test_a_handle_that_is_pushed_out_moves_its_face_by_the_way_of_the_mouse(open_items):
    box = AabbPrimitive(id="box", min=(-0.1, -0.1, -0.1), max=(0.1, 0.1, 0.1))
    user = open_items(box, probes=())
    user.keys("1", "5")
    user.wait()
    select(user, "box")
    user.move(user.pixel((0.0, 0.0, 0.0)))
    right = max(handles(user), key=lambda pixel: pixel[0])
    assert right[0] - user.mouse[0] > 15
    a, b = (np.array(user.pixel((x, 0.0, 0.0))) for x in (0.0, 1.0))
    user.drag(right, right + (b - a))
    lo, hi = user.item("box").shape
    assert lo == box.min and hi[1:] == box.max[1:]
    assert hi[0] == pytest.approx(1.1, abs=0.02)
    assert user.state.session.document.undo_name == "move box"


def test_a_small_box_that_is_not_selected_is_grabbed_by_its_middle(open_items):
    box = AabbProbe(id="box", center=(0.0, 0.0, 0.0), half_extents=(0.03, 0.03, 0.03))
    user = open_items(probes=(box,))
    user.move(np.add(user.pixel((0.03, 0.0, 0.0)), (2.0, 0.0)))
    assert user.state.selection.hovered == Target("probe", "box", 0)


def test_a_clicked_handle_of_a_small_box_is_nudged(open_items):
    user = open_items(a_box(0.1), probes=())
    user.keys("1", "5")
    user.wait()
    select(user, "box")
    user.click(max(handles(user), key=lambda pixel: pixel[0]))
    assert user.state.selection.handle == Target("primitive", "box", 2)
    user.keys("Alt+Right")
    assert user.item("box").shape.hi[0] > 0.1


# Elements of items of many shapes


def test_the_face_of_an_element_is_dragged_alone_and_nudged(open_items):
    user = open_items(CLOUD)
    select(user, "cloud[1]")
    assert len(handles(user)) == 7
    a, b = (user.pixel((x, 0.5, 0.5)) for x in (4.0, 5.0))
    user.drag(a, b, release=False)
    user.keys("2")
    assert "face +x by 2" in user.state.tool.drag.hint
    user.release()
    assert user.item("cloud").max.array.tolist() == [[1.0, 1.0, 1.0], [6.0, 1.0, 1.0]]
    assert user.item("cloud").min.array.tolist() == CLOUD.min.array.tolist()
    assert user.state.session.document.undo_name == "move cloud[1]" and user.selected == ["cloud[1]"]
    user.click(user.pixel((6.0, 0.5, 0.5)))
    user.keys("Alt+Right")
    assert user.item("cloud").max.array[1, 0] == np.nextafter(6.0, 7.0)
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.item("cloud") == CLOUD


def test_a_vertex_of_one_of_many_triangles_is_dragged(open_items):
    sails = TrianglesPrimitive(id="sails", vertices=[[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]] * 2)
    user = open_items(sails, probes=())
    select(user, "sails[1]")
    user.drag(user.pixel((1.0, 0.0, 0.0)), user.pixel((2.0, 0.0, 0.0)), release=False)
    user.keys("X", "3")
    user.release()
    first, second = user.item("sails").vertices.array.tolist()
    assert first == sails.vertices.array[0].tolist()
    assert second == [[-1.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 2.0, 0.0]]


def test_the_triangles_of_a_mesh_have_no_handles(open_items, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wedge.obj").write_text(WEDGE)
    user = open_items(MeshPrimitive(id="wedge", file="wedge.obj"), probes=())
    select(user, "wedge[0]")
    assert len(handles(user)) == 0


# ThinLines


def bundle(count):
    """Rays along x, which stand beside one another."""
    origins = [[-3.0, y, 0.0] for y in np.linspace(-2.0, 2.0, count).tolist()]
    return RaysProbe(id="rays", origin=origins, direction=[[1.0, 0.0, 0.0]] * count)


def test_one_of_more_rays_than_are_drawn_one_by_one_is_clicked_and_then_all_of_them(open_items):
    behind = AabbPrimitive(id="behind", min=(-9.0, -9.0, -4.0), max=(9.0, 9.0, -3.0))
    many = replace(bundle(300), id="many", origin=np.array([[90.0, y, 0.0] for y in range(300)], float))
    user = open_items(behind, probes=(bundle(21), many))
    assert len(user.state.session.picture.layouts.thin_lines.starts) == 321
    at, seen = user.pixel((1.0, -1.8, 0.0)), []
    for _ in range(3):
        user.click(at)
        seen += user.selected
    assert seen == ["rays[1]", "rays", "behind"]
    user.click(user.pixel((1.0, -1.9, 0.0)))
    assert user.selected == ["behind"], "a thin line is thin"


def test_where_thin_lines_cannot_be_distinguished_none_is_clicked(open_items):
    user = open_items(probes=(bundle(4000),))
    user.click(user.pixel((1.0, 0.0, 0.0)))
    assert user.selected == []


def test_an_end_of_a_selected_thin_line_is_dragged(open_items):
    user = open_items(probes=(bundle(300),))
    select(user, "rays[7]", kind="probe")
    assert len(handles(user)) == 2
    before = user.item("rays")
    start = before.origin.array[7]
    user.drag(user.pixel(start), np.add(user.pixel(start), (30.0, 0.0)), release=False)
    user.keys("Y", "1")
    user.release()
    after = user.item("rays").origin.array
    assert after[7].tolist() == pytest.approx([start[0], start[1] + 1, start[2]], abs=1e-12)
    np.testing.assert_array_equal(np.delete(after, 7, 0), np.delete(before.origin.array, 7, 0))


# Local axes


def test_local_axes_are_those_of_a_turned_mesh_which_can_be_scaled_along_them(
    open_items,
    tmp_path,
    monkeypatch,
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wedge.obj").write_text(WEDGE)
    user = open_items(MeshPrimitive(id="wedge", file="wedge.obj", quaternion_xyzw=TURN), probes=(ABOVE,))
    select(user, "wedge")
    user.keys("R", "L")
    np.testing.assert_allclose(
        gizmo_of(user.state).frame,
        [[0.28, 0.96, 0], [-0.96, 0.28, 0], [0, 0, 1]],
        atol=1e-15,
    )
    x, y = user.arrow(0)
    user.drag((x, y), (x + 10, y - 30), release=False)
    user.keys("2")
    user.release()
    assert user.item("wedge").scale == (2.0, 1.0, 1.0)
    assert user.item("wedge").quaternion_xyzw == TURN
    select(user, "wedge[1]")
    assert gizmo_of(user.state).frame[0] == pytest.approx((0.28, 0.96, 0.0)), "it moves the whole mesh"
    user.keys("L")
    assert gizmo_of(user.state).frame == (
        (1.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 1.0),
    )


def test_local_axes_of_what_is_not_turned_are_the_worlds(open_items):
    box = ObbPrimitive(id="box", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), quaternion_xyzw=TURN)
    user = open_items(box, CLOUD)
    user.keys("W", "L")
    select(user, "cloud[0]")
    assert gizmo_of(user.state).frame == (
        (1.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 1.0),
    )
    select(user, "box")
    assert gizmo_of(user.state).frame == box.shape.axes


def test_handles_of_what_is_selected_are_faint_until_the_mouse_is_near(open_items):
    boxes = [AabbPrimitive(id=f"b{i}", min=(2 * i, 0, 0), max=(2 * i + 1, 1, 1)) for i in range(-2, 3)]
    user = open_items(*boxes)
    user.keys("Ctrl+A")
    user.leave()

    def drawn():
        markers = user.interface.draw_list.markers
        return markers.faint, markers.main, user.state.display.view.project(markers.positions)[:, :2]

    faint, main, pixels = drawn()
    assert faint.sum() > 20
    assert not (faint & main).any(), "and they have no lines down to the ground"
    assert main.sum() >= 4, "the ends of the probes are drawn in full"
    x, y = pixels[faint][0]
    user.move((x + 20, y))
    near, _, pixels = drawn()
    away = np.linalg.norm(pixels - user.mouse, axis=1)
    assert near.sum() < faint.sum()
    assert not near[away < 50].any()


def test_a_faint_handle_is_grabbed_like_any_other(open_items):
    user = open_items(BOX)
    user.click(user.pixel(FRONT))
    user.leave()
    markers = user.interface.draw_list.markers
    (x, y) = user.state.display.view.project(markers.positions[markers.faint])[-1, :2]
    assert target_at(user.state, x, y).handle is not None
    user.move((x, y))
    assert user.state.selection.hovered.handle is not None
    assert not (
        user.interface.draw_list.markers.faint & (user.interface.draw_list.markers.cues == Cue.HOVERED)
    ).any()
