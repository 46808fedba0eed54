"""Drawing new probes by mouse and keys without a window: on the ground, on surfaces, boxes, and typed sizes."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hitscope.draw.target import Target
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, TrianglePrimitive
from hitscope.scene.model import FileCamera, FileView

pytestmark = pytest.mark.without_panels

CRATE = AabbPrimitive(id="crate", center=(0.0, 0.9, 0.0), half_extents=(0.9, 0.9, 0.9))
SAIL = TrianglePrimitive(id="sail", vertices=((2.0, 0.0, 0.0), (4.0, 0.0, 0.0), (3.0, 2.0, 0.0)))
TILTED = ObbPrimitive(
    id="tilted", center=(0.0, 1.0, 0.0), half_extents=(1.0, 0.6, 1.0), euler_xyz_deg=(20.0, 30.0, 0.0)
)
KEYS = {"segment": "S", "ray": "R", "line": "L", "point": "P", "triangle": "T", "box": "B"}


@pytest.fixture
def user(open_items):
    """A user of a crate on the ground and a triangle beside it."""
    return open_items(CRATE, SAIL, probes=())


def begin(user, kind, start, end):
    """Drag out a probe of a kind between two points of the scene, and keep the button down."""
    user.keys("N", KEYS[kind])
    user.drag(user.pixel(start), user.pixel(end), release=False)


def draw(user, kind, start, end):
    """Draw a probe of a kind and return it."""
    begin(user, kind, start, end)
    user.release()
    return user.state.session.document.scene.probes[-1]


def crouch(user):
    """Look along the ground."""
    camera = user.state.display.viewpoint.camera
    user.state.display.viewpoint.set(replace(camera, eye=(3.0, 0.5, 12.0), target=(0.0, 0.5, 0.0)))


def points(probe):
    """The points (n, 3) that a probe is stored by."""
    shape = probe.shape
    if probe.word in ("ray", "line"):
        return np.array([shape[0], np.add(*shape)])
    return np.array(shape)


# On the ground


@pytest.mark.parametrize("kind", ["segment", "ray", "line", "triangle"])
def test_what_is_drawn_on_the_ground_lies_in_it_to_the_bit(user, kind):
    drawn = points(draw(user, kind, (1.0, 0.0, 5.0), (2.0, 0.0, 6.0)))
    assert (drawn[:, 1] == 0.0).all()
    np.testing.assert_allclose(drawn[:2], [(1.0, 0.0, 5.0), (2.0, 0.0, 6.0)], atol=0.03)


def test_a_point_dragged_over_the_ground_stays_on_it(user):
    (drawn,) = points(draw(user, "point", (1.0, 0.0, 5.0), (2.0, 0.0, 6.0)))
    assert drawn[1] == 0.0
    np.testing.assert_allclose(drawn, (2.0, 0.0, 6.0), atol=0.03)


def test_with_z_up_the_ground_is_where_z_is_0(open_items):
    user = open_items(CRATE, probes=())
    user.keys("U")
    assert user.state.display.view.camera.up == "z"
    drawn = points(draw(user, "segment", (-2.0, -3.0, 0.0), (1.0, -2.5, 0.0)))
    assert (drawn[:, 2] == 0.0).all()
    np.testing.assert_allclose(drawn, [(-2.0, -3.0, 0.0), (1.0, -2.5, 0.0)], atol=0.03)


def test_in_an_orthographic_picture_the_ground_is_drawn_on_too(user):
    user.keys("5")
    user.wait()
    drawn = points(draw(user, "segment", (1.0, 0.0, 5.0), (2.0, 0.0, 4.0)))
    np.testing.assert_allclose(drawn, [(1.0, 0.0, 5.0), (2.0, 0.0, 4.0)], atol=0.03)
    assert (drawn[:, 1] == 0.0).all()


@pytest.mark.parametrize("more", [(), ("5",)], ids=["perspective", "orthographic"])
@pytest.mark.parametrize(
    ("side", "across", "ends"),
    [
        ("1", 2, ((-2.0, -1.5, 0.0), (-3.0, 2.0, 0.0))),
        ("3", 0, ((0.0, -1.5, 3.0), (0.0, 2.0, 4.0))),
    ],
)
def test_straight_along_an_axis_it_is_drawn_in_the_upright_plane_through_the_origin(
    user, side, across, ends, more
):
    user.state.display.viewpoint.set(replace(user.state.display.viewpoint.camera, target=(0.5, 0.0, 1.5)))
    user.keys(side, *more)
    user.wait()
    drawn = points(draw(user, "segment", *ends))
    assert (drawn[:, across] == 0.0).all()
    np.testing.assert_allclose(drawn, ends, atol=0.03)


def test_what_is_drawn_in_front_view_snaps_to_the_points_of_the_upright_grid_and_says_so(user):
    user.state.tool.snap_to = frozenset({"grid"})
    user.state.tool.snapping = True
    user.keys("1", "5")
    user.wait()
    begin(user, "segment", (-2.04, -1.03, 0.0), (-3.02, -2.04, 0.0))
    assert "grid 1 at z = 0" in user.state.tool.drag.note
    user.release()
    assert points(user.state.session.document.scene.probes[-1]).tolist() == [[-2.0, -1.0, 0.0], [-3.0, -2.0, 0.0]]


def test_a_box_drawn_in_front_view_stands_on_the_upright_grid(user):
    user.keys("1", "5")
    user.wait()
    lo, hi = points(draw(user, "box", (-3.0, -2.0, 0.0), (-2.0, 0.0, 0.0)))
    np.testing.assert_allclose((lo, hi), [(-3.0, -2.0, 0.0), (-2.0, 0.0, 1.0)], atol=0.03)
    assert lo[2] == 0.0


def test_beyond_the_horizon_the_end_stays_where_it_was(user):
    crouch(user)
    begin(user, "segment", (1.0, 0.0, 5.0), (2.0, 0.0, 4.0))
    before = user.state.session.scene.probes[-1]
    user.move((user.mouse[0], 20.0))
    assert user.state.session.scene.probes[-1] == before


@pytest.mark.parametrize("kind", KEYS)
def test_in_the_sky_it_is_drawn_at_the_depth_of_the_target_facing_the_eye(user, kind):
    crouch(user)
    user.keys("N", KEYS[kind])
    user.drag((500, 60), (700, 90))
    drawn = points(user.state.session.scene.probes[-1])
    back = user.state.display.view.camera.axes[2]
    assert (drawn[:, 1] > 1.0).all()
    if kind == "box":
        lo, hi = drawn
        assert lo[2] == pytest.approx(0.0, abs=3.0) and (hi > lo).all()
    else:
        np.testing.assert_allclose(drawn @ back, 0.0, atol=0.05)


# On a surface


@pytest.mark.parametrize("kind", ["segment", "ray", "line"])
def test_what_is_drawn_within_a_face_stays_in_it(user, kind):
    drawn = points(draw(user, kind, (-0.4, 1.8, 0.2), (0.4, 1.8, 0.5)))
    assert (drawn[:, 1] == 1.8).all()
    np.testing.assert_allclose(drawn, [(-0.4, 1.8, 0.2), (0.4, 1.8, 0.5)], atol=0.03)
    assert user.state.session.report.verdict(0, 0).hit


def test_past_the_edge_of_a_face_its_plane_goes_on(user):
    drawn = points(draw(user, "segment", (-0.4, 1.8, 0.2), (-3.0, 1.8, 0.5)))
    assert (drawn[:, 1] == 1.8).all() and drawn[1, 0] == pytest.approx(-3.0, abs=0.03)


@pytest.mark.parametrize("release", [(2.9, 0.8, 0.0), (0.5, 0.5, 0.9), (-0.5, 1.8, -0.5)])
def test_a_point_is_on_the_surface_where_the_mouse_is(user, release):
    (drawn,) = points(draw(user, "point", (0.3, 1.2, 0.9), release))
    np.testing.assert_allclose(drawn, release, atol=0.03)
    assert user.state.session.report.hit_elements.any(), "it touches what it was put on"


@pytest.mark.parametrize("kind", ["point", "segment", "ray", "line"])
def test_what_is_drawn_onto_an_oblique_face_hits_it(open_items, kind):
    user = open_items(TILTED, probes=())
    axes = np.array(TILTED.shape.axes)
    on_top = np.array(TILTED.center) + 0.6 * axes[1] + 0.3 * axes[0]
    drawn = points(draw(user, kind, (-2.0, 0.0, 3.0), on_top))
    np.testing.assert_allclose(drawn[-1], on_top, atol=0.03)
    assert user.state.session.report.verdict(0, 0).hit


def test_a_triangle_drawn_on_a_face_lies_in_it(user):
    drawn = points(draw(user, "triangle", (-0.4, 1.8, 0.4), (0.4, 1.8, 0.4)))
    assert (drawn[:, 1] == 1.8).all() and drawn[2, 2] < 0.4, "its third corner is above the others in the picture"
    ways = np.diff(drawn[[0, 1, 2]], axis=0)
    assert np.linalg.norm(np.cross(*ways)) > 0.3


# Boxes


def test_a_box_stands_on_the_ground_and_is_as_high_as_the_shorter_side_of_its_base(user):
    box = draw(user, "box", (-1.0, 0.0, 5.0), (1.0, 0.0, 4.0))
    (lo, hi), sides = box.shape, np.subtract(box.max, box.min)
    np.testing.assert_allclose(lo, (-1.0, 0.0, 4.0), atol=0.03)
    assert lo[1] == 0.0 and hi[1] == pytest.approx(sides[2]) and sides[0] > sides[2]
    np.testing.assert_allclose((hi[0], hi[2]), (1.0, 5.0), atol=0.03)


def test_the_handle_on_top_of_a_new_box_sets_its_height(user):
    draw(user, "box", (-1.0, 0.0, 5.0), (1.0, 0.0, 4.0))
    box = user.state.session.scene.probes[-1]
    middle = np.add(box.min, box.max) / 2
    top = (middle[0], box.max[1], middle[2])
    user.drag(user.pixel(top), user.pixel((middle[0], 2.5, middle[2])))
    after = user.state.session.scene.probes[-1]
    assert after.max[1] == pytest.approx(2.5, abs=0.05)
    assert (after.min, after.max[0], after.max[2]) == (box.min, box.max[0], box.max[2])


def test_a_base_that_goes_along_one_axis_is_a_square_away_from_the_eye(user):
    user.key_down("Ctrl")
    box = draw(user, "box", (-1.0, 0.0, 4.0), (1.0, 0.0, 4.0))
    user.key_up("Ctrl")
    assert (box.min, box.max) == ((-1.0, 0.0, 2.0), (1.0, 2.0, 4.0))


def test_a_base_that_hardly_leaves_an_axis_is_a_square_and_no_sliver(user):
    x, y = user.pixel((-1.0, 0.0, 4.0))
    user.keys("N", "B")
    to = user.pixel((1.0, 0.0, 4.0))
    user.drag((x, y), (to[0], to[1] + 2))
    box = user.state.session.scene.probes[-1]
    (side,) = {round(float(side), 9) for side in np.subtract(box.max, box.min)}
    assert side == pytest.approx(2.0, abs=0.05)


def test_a_box_drawn_on_a_face_stands_on_it(user):
    box = draw(user, "box", (-0.4, 1.8, 0.4), (0.4, 1.8, -0.1))
    assert box.min[1] == 1.8 and box.max[1] == pytest.approx(2.3, abs=0.05)
    assert user.state.session.report.verdict(0, 0).state == "touching"
    side = draw(user, "box", (-0.5, 0.5, 0.9), (0.5, 1.0, 0.9))
    assert side.min[2] == 0.9 and side.max[2] > 1.2


def test_the_box_after_a_gizmo_has_its_handles(user):
    user.click(user.pixel((0.5, 0.5, 0.9)))
    user.keys("W")
    draw(user, "box", (-1.0, 0.0, 5.0), (1.0, 0.0, 4.0))
    assert user.state.tool.gizmo_mode is None


# Typed sizes


def test_a_number_typed_is_the_side_of_a_box(user):
    begin(user, "box", (-1.0, 0.0, 5.0), (1.0, 0.0, 4.5))
    user.keys("2")
    box = user.state.session.scene.probes[-1]
    assert np.subtract(box.max, box.min) == pytest.approx((2.0, 2.0, 2.0), abs=1e-15)
    assert box.min[1] == 0.0
    user.keys("Enter")
    user.release()
    assert user.state.session.document.scene.probes[-1] == box


def test_a_number_and_an_axis_are_the_length_to_the_bit(user):
    user.key_down("Ctrl")
    user.keys("N", "S")
    user.press(user.pixel((1.0, 0.0, 5.0)))
    user.key_up("Ctrl")
    user.keys("X", "2", ".", "5")
    user.release()
    drawn = user.state.session.document.scene.probes[-1]
    assert (drawn.start, drawn.end) == ((1.0, 0.0, 5.0), (3.5, 0.0, 5.0))


def test_a_number_is_the_length_along_the_way_of_the_mouse(user):
    begin(user, "segment", (1.0, 0.0, 5.0), (2.0, 0.0, 6.0))
    user.keys("3")
    start, end = user.state.session.scene.probes[-1].shape
    assert math.dist(start, end) == pytest.approx(3.0, abs=1e-12)
    assert end[1] == 0.0


# The status line


def test_a_probe_is_selected_and_described_while_it_is_drawn(user):
    begin(user, "segment", (1.0, 0.0, 5.0), (2.0, 0.0, 6.0))
    assert user.state.selection.last == Target("probe", "segment-1")
    (a, _, c), (d, _, f) = user.state.session.scene.probes[-1].shape
    parts = user.state.tool.drag.hint.split("   ·   ")
    assert parts[0] == f"length {math.dist((a, c), (d, f)):g}"
    assert parts[-1] == f"from ({a:g}, 0, {c:g}) to ({d:g}, 0, {f:g})"
    user.keys("X")
    assert "along x" in user.state.tool.drag.hint
    user.keys("2")
    assert user.state.tool.drag.hint.startswith("2 typed   ·   along x   ·   length 2   ·   from")
    user.release()
    assert user.selected == ["segment-1"]


def test_a_drawing_that_is_cancelled_leaves_the_selection_as_it_was(user):
    user.click(user.pixel((0.5, 0.5, 0.9)))
    begin(user, "box", (-1.0, 0.0, 5.0), (1.0, 0.0, 4.0))
    assert user.selected == ["aabb-1"]
    assert "×" in user.state.tool.drag.hint
    user.keys("Escape")
    user.release()
    assert user.selected == ["crate"] and user.state.session.scene.probes == ()


def test_a_point_is_drawn_on_the_ground(user):
    draw(user, "point", (1.0, 0.0, 5.0), (1.0, 0.0, 5.0))
    assert user.selected == ["point-1"] and user.state.session.scene.probes[0].position[1] == 0.0


def test_a_view_of_huge_numbers_is_drawn_in(open_items):
    far = AabbPrimitive(id="far", center=(0.0, 9e15, 0.0), half_extents=(9e15, 9e15, 9e15))
    view = FileView(camera=FileCamera(eye=(3e16, 6e16, 14e16), target=(0.0, 0.0, 0.0)))
    user = open_items(far, probes=())
    user.state.display.viewpoint.set(
        user.state.display.viewpoint.camera.of_view(view, [(0, 0, 0), (1, 1, 1)], user.state.display.full)
    )
    drawn = points(draw(user, "segment", (0.0, 1.8e16, 0.0), (5e15, 1.8e16, 5e15)))
    assert (drawn[:, 1] == 1.8e16).all()
