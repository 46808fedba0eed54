"""The points that a camera boxes a scene by: corners of what is in it, not of the box around all."""

import numpy as np
import pytest

from hitscope.draw.builder import Builder
from hitscope.evaluate import evaluate
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.items import (
    AabbPrimitive,
    ObbPrimitive,
    PlanePrimitive,
    RayProbe,
    SegmentProbe,
    SpherePrimitive,
    TrianglePrimitive,
)

BOX = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(2.0, 1.0, 1.0))
TURNED = ObbPrimitive(
    id="turned", center=(5.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), euler_xyz_deg=(0.0, 45.0, 0.0)
)
SAIL = TrianglePrimitive(id="sail", vertices=((0.0, 4.0, 0.0), (1.0, 4.0, 0.0), (0.0, 4.0, 3.0)))
SEGMENT = SegmentProbe(id="s", start=(-3.0, 0.0, 0.0), end=(9.0, 0.5, 0.0))


def report_of(*items):
    probes = tuple(item for item in items if isinstance(item, SegmentProbe | RayProbe))
    return evaluate(Scene(version=1, primitives=tuple(i for i in items if i not in probes), probes=probes))


def rows(points):
    return {tuple(row) for row in (points.round(9) + 0.0).tolist()}


def test_they_are_the_corners_of_boxes_and_triangles_and_the_ends_of_segments():
    found = rows(Builder().corners(report_of(BOX, TURNED, SAIL, SEGMENT)))
    side = round(2**0.5, 9)
    turned = {
        (5.0 + x, y, z) for x, z in ((side, 0.0), (-side, 0.0), (0.0, side), (0.0, -side)) for y in (-1.0, 1.0)
    }
    box = {(x, y, z) for x in (0.0, 2.0) for y in (0.0, 1.0) for z in (0.0, 1.0)}
    assert found == rows(np.array(sorted(turned | box | {*SAIL.vertices, SEGMENT.start, SEGMENT.end})))


def test_of_a_sphere_they_are_points_around_it_with_its_bounds():
    center, radius = np.array([5.0, -2.0, 3.0]), 0.5
    ball = SpherePrimitive(id="ball", center=tuple(center.tolist()), radius=radius)
    found = Builder().corners(report_of(BOX, ball))[8:]
    np.testing.assert_array_equal([found.min(axis=0), found.max(axis=0)], [center - radius, center + radius])
    ways = np.random.default_rng(0).normal(size=(1000, 3))
    reach = ((found - center) @ ways.T).max(axis=0) / np.linalg.norm(ways, axis=1)
    assert radius * (1 - 1e-9) <= reach.min() and reach.max() < 1.2 * radius


def test_of_a_ray_it_is_the_origin_alone():
    ray = RayProbe(id="r", origin=(-1.0, 0.0, 0.0), direction=(1e9, 0.0, 0.0))
    assert (-1.0, 0.0, 0.0) in rows(Builder().corners(report_of(BOX, ray))) and Builder().corners(
        report_of(BOX, ray)
    ).max() == 2.0


@pytest.mark.parametrize(
    "items", [(), (BOX,), (BOX, PlanePrimitive(id="floor", normal=(0.0, 1.0, 0.0), offset=-1.5))]
)
def test_where_the_bounds_are_more_than_those_of_all_corners_they_are_framed(items):
    report = report_of(*items)
    lo, hi = Builder().extent(report)
    assert rows(Builder().corners(report)) == {
        (x, y, z) for x in (lo[0], hi[0]) for y in (lo[1], hi[1]) for z in (lo[2], hi[2])
    }


def test_of_many_shapes_they_are_those_of_their_bounds():
    lows = np.array([(0.0, 0.0, 0.0), (2.0, 5.0, 1.0), (4.0, 1.0, 7.0)] * 700)
    found = Builder().corners(report_of(AabbsPrimitive(id="many", min=lows, max=lows + 1), SEGMENT))
    assert len(found) == 8 + 2
    assert {(0.0, 0.0, 8.0), (5.0, 6.0, 0.0), SEGMENT.end} <= rows(found)
