"""Adding a shape of every type by the mouse alone: a command of a menu, then a drag or a click in the picture."""

from fractions import Fraction

import numpy as np
import pytest

from hitscope.draw.target import Target
from hitscope.geometry import exact
from hitscope.scene.edits import items_of
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, SegmentProbe
from hitscope.viewer.interface import overlay
from hitscope.viewer.interface.bindings import NEW_SHAPE_COMMANDS
from hitscope.viewer.panels import status_line
from tests.viewer.samples import BOX

FLOOR = AabbPrimitive(id="floor", min=(-6.0, -1.0, -6.0), max=(6.0, 0.0, 6.0))
THROUGH = SegmentProbe(id="through", start=(-0.5, -0.5, 3.5), end=(1.0, 0.625, 2.75))
TILTED = ObbPrimitive(
    id="tilted", center=(0.0, 1.0, 0.0), half_extents=(1.0, 0.6, 1.0), euler_xyz_deg=(20.0, 30.0, 0.0)
)
PROJECTED = [
    pytest.param(shape, () if shape.role == "probe" else ("5",), id=name) for name, shape, *_ in NEW_SHAPE_COMMANDS
]
"""The shapes, each with the keys of a projection: perspective for the probes, orthographic for the primitives."""


@pytest.fixture
def user(open_items):
    """A user of a floor and a segment through it."""
    return open_items(FLOOR, probes=(THROUGH,))


def add(user, shape):
    """Choose a shape in the menu of the bar."""
    user.click_on("add")
    user.click_on(f"New {shape.title}")
    assert user.state.tool.armed == shape


def added(user, shape):
    """The shape that was added last, which is selected; its tool is put away and its hits are evaluated."""
    items = items_of(user.state.session.document.scene, shape.role)
    assert items[-1].element_word == shape.word and user.state.tool.armed is None
    assert user.state.selection.last == Target(shape.role, user.selected[0]) and items[-1].id == user.selected[0]
    assert user.state.session.document.undo_name == f"draw {shape.with_article}"
    return items[-1]


def hits(user, shape):
    """Whether the shape that was added last hits the other one there is, as the report has it."""
    report = user.state.session.report
    pair = (1, 0) if shape.role == "probe" else (0, 1)
    return report.verdict(*pair).hit


def numbers(item):
    """Every number of an item."""

    def of(value):
        return [n for part in value for n in of(part)] if isinstance(value, tuple) else [value]

    fields = [getattr(item, name) for name in item.__struct_fields__ if name not in ("id", "enabled")]
    return [n for value in fields if isinstance(value, tuple | float) for n in of(value)]


@pytest.mark.parametrize(
    "shape, keys",
    [
        pytest.param(*one.values, id=one.id, marks=[pytest.mark.replayed] * (k % 3 == 0))
        for k, one in enumerate(PROJECTED)
    ],
)
def test_a_drag_draws_a_shape_of_every_type_on_the_floor_and_a_click_places_one(user, shape, keys):
    user.keys(*keys)
    if shape.word != "point":
        add(user, shape)
        user.drag(user.pixel((0.0, 0.0, 3.5)), user.pixel((1.5, 0.0, 2.5)), release=False)
        assert any(
            words in user.state.tool.drag.hint for words in ("length ", "side ", "radius ", "normal (", " × ")
        )
        user.release()
        item = added(user, shape)
        assert hits(user, shape), "what is drawn over the segment or on the floor hits it"
        assert all(len(f"{abs(n):g}") <= 7 and round(n, 4) == n for n in numbers(item)), numbers(item)
        user.keys("Ctrl+Z")
        assert len(items_of(user.state.session.scene, shape.role)) == 1
    add(user, shape)
    user.click(user.pixel((0.5, 0.0, 3.0)))
    item = added(user, shape)
    assert hits(user, shape), "what is placed on the segment or on the floor hits it"
    assert all(round(n, 3) == n for n in numbers(item)), numbers(item)


@pytest.mark.parametrize("role, keys", [("probe", ()), ("primitive", ("5",))])
def test_a_click_into_the_sky_places_a_shape_that_is_seen(user, role, keys):
    user.keys("1", *keys)
    user.wait()
    for _, shape, *_ in NEW_SHAPE_COMMANDS:
        if shape.role == role:
            add(user, shape)
            user.click((500.0, 200.0))
            assert_seen_in_the_sky(user, added(user, shape))
            user.keys("Ctrl+Z")


def assert_seen_in_the_sky(user, item):
    at = np.array([500.0, 200.0])
    if item.word == "plane":
        axis = [abs(n) for n in item.normal]
        assert sorted(axis) == [0.0, 0.0, 1.0] and axis[2] == 1.0, "it faces the camera"
        return
    corners = _points(item)
    pixels = user.state.display.view.project(corners)[:, :2]
    assert np.linalg.norm(pixels - at, axis=1).min() < 250, f"{item} is where the mouse was"
    if item.word != "point":
        assert np.ptp(pixels, axis=0).max() > 40, f"{item} is large enough to be seen"


def _points(item):
    if item.word in ("ray", "line"):
        return np.array([item.origin, np.add(item.origin, item.direction)])
    if item.word in ("point", "segment"):
        return np.array(item.shape)
    if item.word == "sphere":
        return np.add(item.center, item.radius * np.vstack([np.eye(3), -np.eye(3)]))
    return np.array([[float(Fraction(n, v[3])) for n in v[:3]] for v in exact.corners(item.shape)])


@pytest.mark.parametrize("shape", [pytest.param(s, id=n) for n, s, *_ in NEW_SHAPE_COMMANDS if s.role == "probe"])
def test_what_is_placed_on_an_oblique_face_is_there(open_items, shape):
    user = open_items(TILTED, probes=())
    add(user, shape)
    on_top = np.array(TILTED.center) + 0.6 * np.array(TILTED.shape.axes[1])
    user.click(user.pixel(on_top))
    item = added(user, shape)
    assert exact.distance(item.shape, TILTED.shape) < 0.05
    if shape.word in ("point", "segment", "ray", "line"):
        assert user.state.session.report.verdict(0, 0).hit, "its end is on the surface to the bit"


def test_a_plane_placed_on_a_face_has_its_normal_and_one_that_is_dragged_the_drag(open_items):
    user = open_items(TILTED, probes=())
    _, plane = next((name, shape) for name, shape, *_ in NEW_SHAPE_COMMANDS if shape.word == "plane")
    on_top = np.array(TILTED.center) + 0.6 * np.array(TILTED.shape.axes[1])
    add(user, plane)
    user.click(user.pixel(on_top))
    np.testing.assert_allclose(added(user, plane).normal, TILTED.shape.axes[1], atol=6e-4)
    assert abs(np.dot(user.item("plane-1").normal, on_top) - user.item("plane-1").offset) < 0.02
    assert user.state.tool.gizmo_mode == "move", "it has no handles to move it by"
    user.keys("Ctrl+Z")
    add(user, plane)
    user.drag(user.pixel((3.0, 1.0, 3.0)), user.pixel((4.0, 1.0, 3.0)))
    normal = added(user, plane).normal
    assert normal[1] == 0.0
    np.testing.assert_allclose(normal, (1.0, 0.0, 0.0), atol=0.03)


def test_a_wedge_is_half_of_the_box_that_was_drawn(open_items):
    user = open_items(FLOOR, probes=())
    (wedge,) = [shape for _, shape, *_ in NEW_SHAPE_COMMANDS if shape == ("primitive", "polyhedron")]
    add(user, wedge)
    user.key_down("Ctrl")
    user.drag(user.pixel((-1.0, 0.0, 4.0)), user.pixel((1.0, 0.0, 2.0)))
    user.key_up("Ctrl")
    vertices = set(added(user, wedge).vertices)
    assert vertices == {(x, y, z) for x in (-1, 1) for y in (0, 2) for z in (2, 4) if (y, z) != (2, 4)}


def test_an_obb_lies_along_the_drag(open_items):
    user = open_items(FLOOR, probes=())
    (obb,) = [shape for _, shape, *_ in NEW_SHAPE_COMMANDS if shape == ("probe", "obb")]
    add(user, obb)
    user.drag(user.pixel((-1.0, 0.0, 4.0)), user.pixel((1.0, 0.0, 2.0)))
    box = added(user, obb)
    assert box.euler_xyz_deg[0] == box.euler_xyz_deg[2] == 0.0 and abs(box.euler_xyz_deg[1]) == pytest.approx(
        45, abs=1
    )
    assert sorted(box.half_extents)[2] == pytest.approx(2**0.5, abs=0.02)
    assert box.center[1] == box.half_extents[1], "its bottom is on the floor to the bit"


@pytest.mark.replayed
def test_with_shift_the_tool_places_several(user):
    user.keys("N", "B")
    for x in (-2.0, 0.0, 2.0):
        user.drag(user.pixel((x, 0.0, 3.0)), user.pixel((x, 0.0, 3.0)), modifiers=("Shift",))
    assert len(user.state.session.scene.probes) == 4 and user.state.tool.armed == ("probe", "aabb")
    user.keys("Escape")
    assert user.state.tool.armed is None and len(user.state.session.scene.probes) == 4


def test_the_status_line_says_how_to_add_it_and_escape_adds_nothing(user):
    before = user.state.session.scene
    for _, shape, *_ in NEW_SHAPE_COMMANDS:
        add(user, shape)
        first, *others, cancels = status_line.status_text(user.state).split("   ·   ")
        assert first.endswith(shape.with_article) and cancels == "Esc cancels"
        assert ("Click to place one" in others) == (shape.word != "point"), shape
        user.drag(user.pixel((0.0, 0.0, 3.5)), user.pixel((1.5, 0.0, 2.5)), release=False)
        user.keys("Escape")
        user.release()
        user.keys("Escape")
        assert user.state.session.scene is before and user.state.tool.armed is None, shape


@pytest.mark.parametrize(
    "heading, listed, other", [("Probes", "New line", "New plane"), ("Primitives", "New plane", "New line")]
)
def test_the_plus_beside_a_heading_adds_what_is_listed_there(user, heading, listed, other):
    user.click_on(f"add {heading}")
    assert user.sees(listed) and not user.sees(other)
    assert heading not in user.state.display.closed_parts, "the section is still open"
    user.click_on(listed)
    assert f"New {user.state.tool.armed.title}" == listed


def test_a_shape_begins_as_high_as_the_middle_of_the_nearest_one_that_does_not_reach_the_grid(open_items):
    high, standing = ((-3.0, 1.0, -1.0), (-1.0, 2.0, 1.0)), ((2.0, 0.0, -1.0), (4.0, 0.5, 1.0))
    user = open_items(*(AabbPrimitive(min=lo, max=hi) for lo, hi in (high, standing)))
    for x, height in ((-2.0, 1.5), (3.0, 0.0)):
        user.keys("N", "S")
        user.drag(user.pixel((x, height, 3.0)), user.pixel((x, height, -5.0)))
        start = user.state.session.scene.probes[-1].start
        assert start[1] == height and start == pytest.approx((x, height, 3.0), abs=0.1)
    assert user.state.session.report.verdict(2, 0).hit, "it goes through the box that it was drawn beside"


@pytest.mark.parametrize("keys", ["N S", "N P"])
def test_before_the_press_a_ghost_shows_where_the_shape_will_begin(open_items, monkeypatch, keys):
    shown = []
    draw = overlay._draw_ghost
    monkeypatch.setattr(overlay, "_draw_ghost", lambda display, start: shown.append(start) or draw(display, start))
    user = open_items(BOX)
    before = user.state.session.scene
    user.keys(*keys.split())
    user.move((420.0, 520.0))
    start = shown[-1]
    assert user.state.session.scene is before and user.pixel(start) == pytest.approx((420, 520), abs=2)
    user.drag((420.0, 520.0), (420.0, 520.0) if keys == "N P" else (480.0, 520.0))
    drawn = user.state.session.scene.probes[-1]
    assert (drawn.position if keys == "N P" else drawn.start) == pytest.approx(start)
    shown.clear()
    user.move((430.0, 530.0))
    assert shown == []
