"""Scenes that reach very far: what is looked at is drawn where it is, and what is far away is there, too."""

import numpy as np
import pytest

from hitscope.draw.builder import Builder
from hitscope.draw.extent import HORIZON
from hitscope.draw.items import Cue
from hitscope.evaluate import evaluate
from hitscope.render.camera import Camera
from hitscope.render.view import View
from hitscope.scene import Scene
from hitscope.scene.items import (
    AabbPrimitive,
    ObbPrimitive,
    PlanePrimitive,
    SegmentProbe,
    TrianglePrimitive,
    TriangleProbe,
)
from tests.draw.draw_lists import build
from tests.render.drawn import SIZE, WHOLE, shot

CAMERA = Camera((3.0, 2.5, 6.0), (0.0, 0.0, 0.0))
NEAR = AabbPrimitive(id="near", min=(-1, -1, -1), max=(1, 1, 1))
CORNERS = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T


def seen(camera, *items, least=20):
    """The pixels of the first item among others, and the draw list."""
    probes = tuple(item for item in items if isinstance(item, SegmentProbe | TriangleProbe))
    report = evaluate(Scene(version=1, primitives=tuple(i for i in items if i not in probes), probes=probes))
    kind = "probe" if items[0] in probes else "primitive"
    whole, without = (
        build(report, hidden=hidden, seen_from=(camera.eye, camera.target))
        for hidden in (frozenset(), frozenset({(kind, items[0].id)}))
    )
    return np.abs(shot(whole, camera) - shot(without, camera)).max(axis=2) > least, whole


def borders(mask):
    """The edges, in pixels, of the columns and rows in which something is seen."""
    rows, columns = np.nonzero(mask)
    return [columns.min(), columns.max() + 1, rows.min(), rows.max() + 1]


def borders_of(points, camera):
    """The edges of a shape with these corners, in pixels without rounding."""
    x, y, _ = View(camera, WHOLE).project(points).T
    return [x.min(), x.max(), y.min(), y.max()]


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("far", [3e7, 1e8, 1e15, 1e300])
def test_beside_a_box_far_away_a_near_one_is_drawn_where_it_is_to_a_pixel(far, orthographic):
    camera = Camera(CAMERA.eye, CAMERA.target, orthographic=orthographic)
    beyond = AabbPrimitive(id="far", min=(far, far, far), max=(1.1 * far, 1.1 * far, 1.1 * far))
    mask, _ = seen(camera, NEAR, beyond)
    # Its edges are 1.75 pixels wide, and smooth.
    np.testing.assert_allclose(borders(mask), borders_of(CORNERS, camera), atol=2)


@pytest.mark.parametrize("far", [1e8, 1e15, 1e300])
def test_what_is_far_away_is_seen_from_nearby_in_its_direction_and_size(far):
    way = -np.array(CAMERA.axes[2])
    middle = far * way
    beyond = ObbPrimitive(id="far", center=tuple(middle.tolist()), half_extents=(far / 20,) * 3)
    mask, _ = seen(CAMERA, beyond, NEAR)
    corners = middle + far / 20 * CORNERS
    np.testing.assert_allclose(borders(mask), borders_of(corners, CAMERA), atol=2)


def wall(kind, size):
    """A shape whose lower border is at y = 0.5, z = 0."""
    if kind == "triangle":
        return TrianglePrimitive(id="wall", vertices=((-size, 0.5, 0), (size, 0.5, 0), (0, size, 0)))
    if kind == "box":
        return AabbPrimitive(id="wall", min=(-size, 0.5, -1), max=(size, size, 0))
    return ObbPrimitive(
        id="wall", center=(0, 0.5 + size, -size), half_extents=(size,) * 3, quaternion_xyzw=(0, 0, 1, 0)
    )


@pytest.mark.parametrize(
    ("kind", "size"),
    [(kind, size) for kind in ("triangle", "box") for size in (1e6, 1e12, 1e300)]
    + [("oriented box", 1e6), ("oriented box", 1e12)],
)
def test_what_is_larger_than_all_in_sight_ends_where_it_ends(kind, size):
    camera = Camera((0.0, 0.6, 4.0), (0.0, 0.6, 0.0))
    mask, _ = seen(camera, wall(kind, size), NEAR, least=8 if kind == "triangle" else 20)
    for x in (-2.0, 1.6, 2.2):
        column, row, _ = View(camera, WHOLE).project([(x, 0.5, 0.0)])[0]
        assert mask[int(row) - 3, int(column)], "above the border"
        assert not mask[int(row) + 3, int(column)], "below it"


def test_a_segment_through_all_numbers_is_straight_and_its_inside_is_where_it_crosses():
    across = SegmentProbe(id="s", start=(-1.7e308, 0.5, 0), end=(1.7e308, 0.5, 0))
    _, drawn = seen(CAMERA, NEAR, across)
    inside = drawn.strokes.inside
    np.testing.assert_allclose(
        (drawn.strokes.starts[inside][0], drawn.strokes.ends[inside][-1]), [(-1, 0.5, 0), (1, 0.5, 0)], atol=1e-12
    )
    stage = drawn.stage
    starts, ends = (stage.to_scene(points) for points in stage.lines(drawn.strokes.starts, drawn.strokes.ends))
    np.testing.assert_allclose(np.r_[starts, ends][:, 1:], [(0.5, 0)] * 2 * len(starts), atol=1e-9)
    assert np.abs(np.r_[starts, ends]).max() < 3 * HORIZON * drawn.stage.scale


def test_a_triangle_probe_of_any_size_has_its_side_where_it_is():
    sail = TriangleProbe(id="sail", vertices=((-1e300, 0.5, 0), (1e300, 0.5, 0), (0, 1e300, 0)))
    camera = Camera((0.0, 0.4, 4.0), (0.0, 0.4, 0.0))
    mask, _ = seen(camera, sail, NEAR)
    for x in (-2.0, 1.6, 2.2):
        column, row, _ = View(camera, WHOLE).project([(x, 0.5, 0.0)])[0]
        assert mask[int(row) - 1 : int(row) + 2, int(column)].all()
        assert not mask[int(row) + 5, int(column)]


def test_a_plane_of_a_scene_that_reaches_far_is_seen_up_to_the_horizon():
    floor = PlanePrimitive(id="floor", normal=(0, 1, 0), offset=-1)
    beyond = AabbPrimitive(id="far", min=(1e15, 0, 1e15), max=(1.1e15, 1, 1.1e15))
    camera = Camera((0.0, 2.0, 6.0), (0.0, 2.0, 0.0))
    above = SegmentProbe(id="above", start=(0, 9, 0), end=(1, 9, 0))
    mask, _ = seen(camera, floor, NEAR, beyond, above)
    horizon = SIZE[1] // 2
    assert mask[horizon + 8 :, :60:20].mean() > 0.9
    assert not mask[: horizon - 3, :60:20].any()


def test_what_is_smaller_than_a_pixel_is_a_mark_beside_what_is_not():
    mote = AabbPrimitive(id="mote", min=(2, 1, 0), max=(2.0 + 1e-15, 1 + 1e-15, 1e-15))
    mask, _ = seen(CAMERA, mote, NEAR)
    rows, columns = np.nonzero(mask)
    x, y, _ = View(CAMERA, WHOLE).project([(2, 1, 0)])[0]
    assert 9 <= mask.sum() <= 36
    np.testing.assert_allclose([columns.mean() + 0.5, rows.mean() + 0.5], [x, y], atol=1)


def orbit(builder, report, camera, steps=12):
    """The draw lists of a camera that moves around a target."""
    drawn = []
    for _ in range(steps):
        camera = camera.orbit(100, 20)
        builder.set_camera(camera.eye, camera.target)
        drawn.append(builder.build(report))
    return drawn


@pytest.mark.parametrize("far", [5.0, 1e8, 1e300])
def test_orbiting_uploads_nothing_again(far):
    beyond = AabbPrimitive(id="far", min=(far, far, far), max=(1.1 * far, 1.1 * far, 1.1 * far))
    report = evaluate(Scene(version=1, primitives=(NEAR, beyond), probes=()))
    first, *others = orbit(Builder(), report, CAMERA)
    assert all(drawn is first for drawn in others)


def test_no_view_of_an_ordinary_scene_uploads_anything_again():
    builder = Builder()
    other = AabbPrimitive(id="other", min=(4, 0, 0), max=(5, 1, 1))
    probe = SegmentProbe(id="s", start=(-3, 0, 0), end=(7, 1, 1))
    report = evaluate(Scene(version=1, primitives=(NEAR, other), probes=(probe,)))
    first = builder.build(report)
    for steps in (0, 20, 40, -40):
        camera = CAMERA.zoom(steps, (0.5, 0.5, 0.5)).pan(300, 40, WHOLE)
        assert all(drawn is first for drawn in orbit(builder, report, camera))
    assert not ((first.single.boxes.cues & Cue.HIDDEN) != 0).any()
