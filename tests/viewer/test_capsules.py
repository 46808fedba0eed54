"""A capsule in the window: wherever a sphere is, a capsule is."""

import math

import numpy as np
import pytest

from hitscope.draw.target import Target
from hitscope.evaluate.verdict_words import decider_of
from hitscope.geometry import exact
from hitscope.geometry.exact import meet
from hitscope.geometry.shapes import Capsule, Point
from hitscope.scene.items import AabbPrimitive, CapsulePrimitive, CapsuleProbe, SegmentProbe
from hitscope.viewer.state.inputs import Clipboard
from tests.viewer.user import status_of, target_at

LOG = CapsulePrimitive(id="log", start=(-1.0, 0.5, 0.0), end=(2.0, 1.0, -1.0), radius=0.75)
PROBE = CapsuleProbe(id="probe", start=(-4.0, 0.0, 0.0), end=(-3.0, 0.0, 0.0), radius=0.5)
CUT = SegmentProbe(id="cut", start=(-4.0, 0.5, 0.0), end=(4.0, 0.75, 0.5))
FLOOR = AabbPrimitive(id="floor", min=(-3.0, -1.0, -3.0), max=(3.0, 0.0, 3.0))


def silhouette(user, capsule, part, turn):
    """The pixel beside the middle of the axis, or beyond an end, at a part of the apparent radius."""
    eye = np.array(user.camera.eye)
    start, end = np.array(capsule.start), np.array(capsule.end)
    way = end - start
    along, center = {"side": (0.0, (start + end) / 2), "end": (1.0, end), "start": (-1.0, start)}[turn]
    out = np.cross(way, eye - center) if not along else along * way
    sight = (center - eye) / np.linalg.norm(center - eye)
    out -= out @ sight * sight
    # The tangent plane through the eye touches the sphere around the point of the axis at this sine.
    sine = capsule.radius / np.linalg.norm(center - eye)
    out *= capsule.radius * math.sqrt(1 - sine**2) / np.linalg.norm(out)
    return user.pixel(tuple((center - sine * capsule.radius * sight + part * out).tolist()))


def test_a_click_selects_a_capsule_at_its_side_and_its_caps_and_not_beyond(open_items):
    user = open_items(LOG, probes=(PROBE,))
    for capsule, kind in ((LOG, "primitive"), (PROBE, "probe")):
        for turn in ("side", "end", "start"):
            assert target_at(user.state, *silhouette(user, capsule, 0.95, turn))[:2] == (kind, capsule.id), turn
            assert target_at(user.state, *silhouette(user, capsule, 1.08, turn)) is None, turn
    user.click(silhouette(user, LOG, 0.7, "side"))
    assert user.state.selection.last == Target("primitive", "log")


def test_handles_move_the_ends_and_change_the_radius(open_items):
    user = open_items(LOG, probes=(PROBE,))
    user.drag(user.pixel((-3.0, 0.0, 0.0)), user.pixel((-2.0, 1.0, 0.0)))
    moved = user.item("probe")
    np.testing.assert_allclose(moved.end[:2], (-2.0, 1.0), atol=0.2)
    assert (moved.start, moved.radius) == (PROBE.start, 0.5)
    user.keys("Ctrl+Z")
    user.drag(user.pixel((-3.5, 0.5, 0.0)), user.pixel((-3.5, 1.0, 0.0)), release=False)
    assert "radius" in status_of(user.state) and "along y" in status_of(user.state)
    user.release()
    assert (user.item("probe").start, user.item("probe").end) == (PROBE.start, PROBE.end)
    assert user.item("probe").radius == pytest.approx(1.0, abs=0.02)
    user.drag(user.pixel((-3.5, user.item("probe").radius, 0.0)), user.pixel((-3.5, -2.0, 0.0)))
    assert user.item("probe").radius == 0.0, "it does not pass the axis"


@pytest.mark.replayed
def test_the_radius_of_a_slanted_capsule_is_dragged_across_its_axis(open_items):
    user = open_items(LOG, probes=(CUT,))
    user.click_on("primitive log")
    middle, side = (np.array(LOG.start) + LOG.end) / 2, exact_side(LOG.shape)
    user.drag(user.pixel(tuple(side)), user.pixel(tuple(middle + 2 * (side - middle))))
    assert (user.item("log").start, user.item("log").end) == (LOG.start, LOG.end)
    assert user.item("log").radius == pytest.approx(1.5, abs=0.05)


def exact_side(capsule):
    """The point of the side at right angles to the axis, near the axis of least extent, y or z."""
    way = np.subtract(capsule.end, capsule.start)
    unit = way / np.linalg.norm(way)
    axis = np.eye(3)[np.abs(unit).argmin()]
    across = axis - axis @ unit * unit
    return (np.array(capsule.start) + capsule.end) / 2 + capsule.radius * across / np.linalg.norm(across)


def test_the_gizmo_scales_the_radius_evenly_and_refuses_one_axis_in_words(open_items):
    user = open_items(LOG, probes=(PROBE,))
    user.click_on("primitive log")
    user.keys("R")
    scene = user.state.session.scene
    x, y = user.arrow()
    user.drag((x, y), (x + 60, y))
    assert "the same factor along every axis" in status_of(user.state)
    assert user.state.session.scene is scene
    middle = user.pixel((0.5, 0.75, -0.5))
    user.drag(middle, (middle[0] + 30, middle[1]), release=False)
    user.keys("2", "Enter")
    user.release()
    scaled = user.item("log")
    assert scaled == CapsulePrimitive(id="log", start=(-2.5, 0.25, 0.5), end=(3.5, 1.25, -1.5), radius=1.5)


def test_a_capsule_is_typed_pasted_and_changes_its_role(open_items):
    user = open_items(LOG, probes=(PROBE, CUT))
    user.click_on("primitive log")
    radius = "field primitive log $.radius"
    user.enter(radius, "-1")
    assert user.item("log") == LOG and user.refusal[0] == radius and ">= 0" in user.refusal[1]
    user.enter("field primitive log $.end[0]", "3")
    assert user.item("log").end == (3.0, 1.0, -1.0)
    user.keys("Ctrl+Z", "M")
    assert user.item("log") == CapsuleProbe(id="log", start=LOG.start, end=LOG.end, radius=LOG.radius)
    user.take(Clipboard, "Capsule((1, 2, 3), (4, 5, 6), 0.5)")
    user.keys("Ctrl+V", "Enter")
    scene = user.state.session.scene
    shapes = [item.shape for item in (*scene.primitives, *scene.probes)]
    assert Capsule((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), 0.5) in shapes


def test_the_panel_of_a_pair_expects_and_decides_by_side_and_caps(open_items):
    user = open_items(LOG, probes=(CUT,))
    user.click_on("primitive log")
    user.keys("Ctrl+E")
    (expected,) = user.state.session.scene.expect
    assert (expected.probe, expected.primitive, expected.hit) == ("cut", "log", True)
    verdict = user.state.session.report.verdict(0, 0)
    assert decider_of(verdict).whole == "cut enters log through its start cap"


@pytest.mark.replayed
def test_a_drag_is_the_axis_of_a_new_capsule_and_a_click_lays_one_on_the_ground(open_items):
    user = open_items(FLOOR, probes=(CUT,))
    user.keys("N", "U")
    user.drag(user.pixel((0.0, 0.0, 2.0)), user.pixel((2.0, 0.0, 2.0)))
    drawn = user.item(user.selected[0])
    np.testing.assert_allclose((drawn.start, drawn.end), ((0.0, 0.0, 2.0), (2.0, 0.0, 2.0)), atol=0.02)
    assert drawn.radius == pytest.approx(0.5, abs=0.01)
    user.keys("Ctrl+Z", "N", "U")
    user.click(user.pixel((0.0, 0.0, 2.0)))
    placed = user.item(user.selected[0])
    assert exact.relation(placed.shape, FLOOR.shape).state == "touching"


def test_a_point_is_put_on_the_side_of_a_capsule_and_a_segment_snaps_to_its_ends(open_items):
    user = open_items(LOG, probes=(CUT,))
    user.keys("N", "P")
    user.click(user.pixel((0.5, 1.4, -0.1)))
    point = user.item(user.selected[0])
    assert meet(point.shape, LOG.shape) and exact.distance(point.shape, LOG.shape) > -1e-14
    assert exact.witness(Point(point.position), LOG.shape).feature in ("side", "interior")
    for field, words in (("start", "start of log"), ("end", "end of log")):
        user.press(user.pixel(user.item("cut").start))
        user.key_down("Ctrl")
        user.move(user.pixel(getattr(LOG, field)))
        assert words in status_of(user.state)
        user.release()
        user.key_up("Ctrl")
        assert user.item("cut").start == getattr(LOG, field)


def test_a_map_around_an_end_and_the_radius(open_items):
    user = open_items(LOG, probes=(PROBE,))
    view = user.state.session.map_view
    view.size = 16
    user.click(user.pixel(PROBE.end))
    user.keys("Shift+M")
    assert view.problem == "" and view.found is not None and view.target.handle == 1
    user.click(user.pixel((-3.5, 0.5, 0.0)))
    user.wait()
    assert view.problem == "" and view.found is not None and view.target.handle == 2
