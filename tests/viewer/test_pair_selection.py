"""Which pair is looked at: what is selected, hovered, hit, and what was so before."""

import numpy as np
import pytest

from hitscope.draw.builder import Builder
from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive, ObbsPrimitive
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    PlanePrimitive,
    PointProbe,
    PolyhedronPrimitive,
    RayProbe,
    SegmentProbe,
    TrianglePrimitive,
)
from hitscope.viewer.actions import expectation_edits
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.interface.user_interface import draw_list
from tests.viewer.samples import ABOVE, BEHIND, BOX

pytestmark = pytest.mark.without_panels

LEFT = AabbPrimitive(id="left", min=(-5.0, 0.0, 0.0), max=(-4.0, 1.0, 1.0))
RIGHT = AabbPrimitive(id="right", min=(4.0, 0.0, 0.0), max=(5.0, 1.0, 1.0))
FAR = AabbPrimitive(id="far", min=(40.0, 0.0, 0.0), max=(41.0, 1.0, 1.0))
CUT = SegmentProbe(id="cut", start=(-4.5, -1.0, 0.5), end=(-4.5, 2.0, 0.5))
EMPTY_PLACE = (0.0, 4.0, 0.0)


@pytest.fixture
def user(open_items):
    """A user of three boxes far from each other, and a probe in the left one."""
    return open_items(LEFT, RIGHT, FAR, probes=(CUT,))


def pair(user):
    """The ids of the pair that is looked at."""
    p, e = user.state.selection.pair(user.state.session.picture)
    return user.state.session.report.probes[p].id, user.state.session.report.elements[e].id


def test_a_probe_and_a_primitive_selected_by_a_box_are_the_pair(open_items):
    outside = SegmentProbe(id="outside", start=(4.2, 2.0, 0.5), end=(4.8, 2.0, 0.5))
    user = open_items(LEFT, RIGHT, FAR, probes=(CUT, outside))
    corners = [user.pixel(point) for point in ((3.0, 3.0, 0.5), (6.0, -1.0, 0.5))]
    user.keys("B")
    user.drag(*corners)
    assert set(user.state.selection.targets) == {Target("primitive", "right"), Target("probe", "outside")}
    assert pair(user) == ("outside", "right")
    assert user.state.selection.partner(user.state.session.picture) == Target("primitive", "right")


def test_of_several_selected_together_the_last_of_each_kind_are_the_pair(user):
    user.state.selection.select(*(Target("primitive", name) for name in ("left", "right")), Target("probe", "cut"))
    assert pair(user) == ("cut", "right")
    user.state.selection.select(Target("probe", "cut"), *(Target("primitive", name) for name in ("far", "left")))
    assert pair(user) == ("cut", "left")


def test_what_is_pasted_is_the_pair_whatever_the_mouse_is_over(user):
    user.state.selection.select(Target("primitive", "right"), Target("probe", "cut"))
    user.keys("Ctrl+C")
    user.move(user.pixel((4.5, 0.5, 1.0)))
    assert user.state.selection.hovered[:2] == ("primitive", "right")
    user.keys("Ctrl+V")
    assert {target.id for target in user.state.selection.targets} == {"cut-2", "right-2"}
    assert pair(user) == ("cut-2", "right-2")


def test_a_probe_that_stops_hitting_stays_with_what_it_hit(user):
    user.state.selection.select(Target("probe", "cut"))
    assert pair(user) == ("cut", "left")
    assert user.state.selection.partner(user.state.session.picture) is None
    # Farther from the left box than from the right one.
    moved = SegmentProbe(id="cut", start=(3.0, -1.0, 0.5), end=(3.0, 2.0, 0.5))
    user.state.session.preview(Scene(version=1, primitives=user.state.session.scene.primitives, probes=(moved,)))
    refresh(user.state)
    assert not user.state.session.report.hitting_probes[0]
    assert pair(user) == ("cut", "left")
    assert user.state.selection.partner(user.state.session.picture) == Target("primitive", "left")
    assert len(draw_list(user.state).gap) == 1
    user.state.session.commit("move")
    refresh(user.state)
    user.state.selection.select(Target("probe", "cut"))
    assert pair(user) == ("cut", "right"), "selected anew, it is with what is nearest"


def test_a_nudge_out_of_a_box_keeps_the_pair(open_items):
    grazing = SegmentProbe(id="grazing", start=(-6.0, 1.0, 0.5), end=(-3.0, 1.0, 0.5))
    user = open_items(LEFT, RIGHT, FAR, probes=(grazing,))
    user.state.selection.select(Target("probe", "grazing"))
    user.keys("Alt+Up")
    assert not user.state.session.report.hitting_probes[0]
    assert pair(user) == ("grazing", "left")
    assert (
        0
        < user.state.session.report.verdict(*user.state.selection.pair(user.state.session.picture)).distance
        < 1e-15
    )


def test_a_primitive_that_is_moved_off_a_probe_stays_with_it(open_items):
    nearer = PointProbe(id="nearer", position=(0.0, 0.5, 0.5))
    user = open_items(LEFT, RIGHT, FAR, probes=(CUT, nearer))
    user.state.selection.select(Target("primitive", "left"))
    moved = AabbPrimitive(id="left", min=(-1.5, 0.0, 0.0), max=(-0.5, 1.0, 1.0))
    user.state.session.preview(
        Scene(version=1, primitives=(moved, RIGHT, FAR), probes=user.state.session.scene.probes)
    )
    assert pair(user) == ("cut", "left")


def test_a_probe_that_hits_nothing_is_with_what_was_selected_before_else_with_what_is_nearest(open_items):
    user = open_items(
        LEFT, RIGHT, FAR, probes=(SegmentProbe(id="up", start=(1.0, 0.0, 0.5), end=(1.0, 2.0, 0.5)),)
    )
    user.state.selection.select(Target("probe", "up"))
    refresh(user.state)
    assert pair(user) == ("up", "right")
    user.state.selection.select(Target("primitive", "far"))
    user.state.selection.select(Target("probe", "up"))
    assert pair(user) == ("up", "far")
    assert user.state.selection.partner(user.state.session.picture) == Target("primitive", "far")


def test_a_new_probe_on_a_box_is_with_that_box_not_with_what_was_selected_before(open_items):
    probe = AabbProbe(id="made", min=(4.0, 0.0, 0.0), max=(5.0, 1.0, 1.0))
    user = open_items(LEFT, FAR, probes=(probe,))
    user.state.selection.select(Target("probe", "made"))
    user.keys("M", "N", "P")
    user.click(user.pixel((-4.4, 0.4, 1.0)))
    assert pair(user) == (user.state.selection.last.id, "left")
    assert (
        user.state.session.report.verdict(*user.state.selection.pair(user.state.session.picture)).state
        == "touching"
    )
    assert user.state.selection.partner(user.state.session.picture) is None


def test_a_probe_that_is_clicked_is_with_what_it_hits_unless_shift_chose_another(user):
    user.click(user.pixel((4.5, 0.5, 1.0)))
    user.click(user.pixel((-4.5, 1.7, 0.5)))
    assert user.state.selection.targets == (Target("probe", "cut"),)
    assert pair(user) == ("cut", "left")
    user.click(user.pixel((4.5, 0.5, 1.0)))
    user.press(user.pixel((-4.5, 1.7, 0.5)), modifiers=("Shift",))
    user.release()
    user.key_up("Shift")
    user.move(user.pixel(EMPTY_PLACE))
    assert pair(user) == ("cut", "right")


def test_a_mismatch_selects_its_pair_whatever_the_probe_hits(user):
    expectation_edits.select_pair(user.state, "cut", "far")
    assert user.state.selection.targets == (Target("probe", "cut"),)
    assert pair(user) == ("cut", "far")


def test_what_a_second_click_selects_behind_is_looked_at_until_something_else_is_hovered(open_items):
    user = open_items(BOX, BEHIND, LEFT, probes=(ABOVE,))
    x, y = user.pixel((0.1, 0.4, 1.0))
    user.click((x, y))
    assert pair(user) == ("above", "box")
    user.click((x, y))
    assert user.state.selection.last == Target("primitive", "behind")
    assert user.state.selection.hovered == Target("primitive", "box")
    assert pair(user) == ("above", "behind")
    user.move((x + 3, y))
    assert pair(user) == ("above", "behind"), "still over the same"
    user.move(user.pixel(EMPTY_PLACE))
    user.move((x, y))
    assert pair(user) == ("above", "box")


CROWD = np.random.default_rng(7).uniform(-50, 50, (3000, 3))
CROWDS = [
    (primitive(id="many", center=CROWD, half_extents=[half_extents] * len(CROWD)), np.linalg.norm(half_extents))
    for primitive, half_extents in ((AabbsPrimitive, [0.5, 0.5, 0.5]), (ObbsPrimitive, [0.5, 0.1, 0.5]))
]
"""Boxes around the points of CROWD, and how far they reach from those."""


@pytest.mark.parametrize(
    ("primitives", "centers", "reach"),
    [
        *(((primitive,), CROWD, reach) for primitive, reach in CROWDS),
        (
            (
                TrianglePrimitive(id="sail", vertices=((9.0, 0.0, 0.0), (9.0, 1.0, 0.0), (9.0, 0.0, 1.0))),
                PlanePrimitive(id="ground", normal=(0.0, 1.0, 0.0), offset=-8.0),
                PolyhedronPrimitive(
                    id="tent", vertices=((0.0, 7.5, 0.0), (1.0, 9.0, 0.0), (0.0, 9.0, 1.0), (0.0, 9.0, 0.0))
                ),
                LEFT,
            ),
            np.zeros((4, 3)),
            np.inf,
        ),
    ],
)
@pytest.mark.parametrize(
    ("probe", "start", "way", "size"),
    [
        (PointProbe(id="p", position=(0.5, 0.25, 0.125)), (0.5, 0.25, 0.125), (0, 0, 0), 0),
        (SegmentProbe(id="p", start=(-1.0, 2.0, 0.25), end=(1.0, 2.5, 0.75)), (-1, 2, 0.25), (2, 0.5, 0.5), 0),
        (RayProbe(id="p", origin=(60.0, 3.0, -60.0), direction=(1.0, 0.5, 0.0)), (60, 3, -60), (1000, 500, 0), 0),
        (AabbProbe(id="p", min=(2.0, 2.0, 2.0), max=(2.5, 2.25, 2.125)), (2, 2, 2), (0, 0, 0), 0.75),
    ],
)
def test_the_nearest_primitive_is_that_of_the_least_distance(primitives, centers, reach, probe, start, way, size):
    report = evaluate(Scene(version=1, primitives=primitives, probes=(probe,)))
    assert not report.hitting_probes[0]
    pair = Builder().picture(report).pairs.find((Target("probe", "p"),))
    assert pair
    least = report.verdict(0, pair[1]).distance
    # The others are farther by the points around which they and the probe lie.
    along = np.clip((centers - start) @ way / max(np.dot(way, way), 1), 0, 1)
    apart = np.linalg.norm(centers - start - along[:, None] * way, axis=1) - reach - size
    near = np.flatnonzero(apart < least + 1e-6).tolist()
    assert pair[1] in near
    assert least == min(report.verdict(0, e).distance for e in near)
