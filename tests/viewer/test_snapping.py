"""A dragged handle snaps to what is near the mouse, exactly or with a gap that the status line gives."""

import dataclasses
import itertools
import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.handle_targets import HandleTarget, handle_target, item_target
from hitscope.geometry.exact import meet
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Sphere,
    Triangle,
)
from hitscope.render.camera import Camera
from hitscope.render.view import View
from hitscope.scene.checked_shapes import axes_from_euler
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    LineProbe,
    ObbProbe,
    ParallelepipedProbe,
    PointProbe,
    RayProbe,
    SegmentProbe,
    SphereProbe,
    TriangleProbe,
)
from hitscope.viewer.state.settings import SNAP_KINDS
from hitscope.viewer.tools.snapping.search import SnapCandidates, SnapQuery
from hitscope.viewer.tools.snapping.snap import snap
from tests.viewer.snap_queries import BOX, CRATE, SEGMENT, SLANTED, TRIANGLE, VIEW, VIEWPORT, pixel, query


def only(*kinds):
    return frozenset(kinds)


def end_at(point, elements, beside=(0.0, 0.0), kinds=frozenset(SNAP_KINDS), previous=None, **options):
    """Drag the end of the segment."""
    return snap(
        query(handle_target(SEGMENT, 1), point, beside, **options),
        SnapCandidates(elements),
        kinds,
        previous=previous,
    )


def exactly(point):
    return tuple(map(Fraction, point))


# Corners


def test_a_corner_of_a_box_is_stored_as_it_is():
    found = end_at((1.0, 1.0, 1.0), CRATE, beside=(6.0, -5.0))
    assert found.item == replace(SEGMENT, end=(1.0, 1.0, 1.0))
    assert (found.words, found.gap, found.key[0]) == ("corner of crate", 0.0, "vertex")


def test_further_away_than_ten_points_nothing_is_snapped_to():
    assert end_at((1.0, 1.0, 1.0), CRATE, beside=(9.0, 0.0), kinds=only("vertex"))
    assert end_at((1.0, 1.0, 1.0), CRATE, beside=(11.0, 0.0), kinds=only("vertex")) is None
    fine = View(VIEW.camera, VIEWPORT, 2.0)
    assert end_at((1.0, 1.0, 1.0), CRATE, beside=(19.0, 0.0), kinds=only("vertex"), view=fine)


def test_what_is_snapped_to_is_let_go_later_than_it_was_taken():
    first = end_at((1.0, 1.0, 1.0), CRATE, kinds=only("vertex"))
    assert end_at((1.0, 1.0, 1.0), CRATE, beside=(14.0, 0.0), kinds=only("vertex"), previous=first) == first
    assert end_at((1.0, 1.0, 1.0), CRATE, beside=(16.0, 0.0), kinds=only("vertex"), previous=first) is None


def test_every_corner_of_200_random_boxes_is_hit_or_its_distance_shown():
    random = Random("boxes")
    inexact = 0
    for _ in range(200):
        center, extents, angles = (
            [random.uniform(*span) for _ in "xyz"] for span in ((-2, 2), (0.2, 1), (-180, 180))
        )
        box = Obb(tuple(center), tuple(extents), axes_from_euler(tuple(angles)))
        for x, y, z, w in convex_set(box).vertices:
            corner = Fraction(x, w), Fraction(y, w), Fraction(z, w)
            outward = tuple(float(3 * c) - 2 * m for c, m in zip(corner, center, strict=True))
            probe = SegmentProbe(start=outward, end=(9.0, 9.0, 9.0))
            found = snap(
                query(handle_target(probe, 1), tuple(map(float, corner))),
                SnapCandidates([("box", box)]),
                only("vertex"),
            )
            assert meet(found.item.shape, box)
            off = math.sqrt(
                sum((Fraction(p) - c) ** 2 for p, c in zip(found.point, _corner(box, found.key[2]), strict=True))
            )
            assert found.gap == pytest.approx(off, rel=1e-9) and found.gap < 1e-14
            assert (found.gap == 0) == (exactly(found.point) == _corner(box, found.key[2]))
            assert found.words.replace(", on its far side", "") == "corner of box" + (
                f", {found.gap:.2g} {_side(box, found.point)}" if found.gap else ""
            )
            inexact += found.gap > 0
    assert inexact > 1000


def _corner(box, k):
    x, y, z, w = convex_set(box).vertices[k]
    return Fraction(x, w), Fraction(y, w), Fraction(z, w)


def _side(box, point):
    return "inside" if meet(Point(point), box) else "off"


def test_where_no_float64_near_a_corner_hits_the_gap_is_shown():
    flat = Obb((0.0, 0.0, 0.0), (1.0, 1.0, 0.0), axes_from_euler((20.0, 30.0, 40.0)))
    corner = tuple(map(float, _corner(flat, 0)))
    found = snap(
        query(handle_target(PointProbe(position=(5.0, 0.0, 0.0)), 0), corner),
        SnapCandidates([("flat", flat)]),
        only("vertex"),
    )
    assert found.words.endswith("off: no float64 near it hits") and not meet(found.item.shape, flat)


def test_the_tip_of_a_ray_goes_to_a_corner_so_that_the_ray_hits_it():
    ray = RayProbe(origin=(0.1, 5.0, 0.3), direction=(1.0, 0.0, 0.0))
    for k in range(8):
        corner = tuple(map(float, _corner(SLANTED, k)))
        found = snap(query(handle_target(ray, 1), corner), SnapCandidates([("box", SLANTED)]), only("vertex"))
        assert found.item.origin == ray.origin and meet(found.item.shape, SLANTED)
        assert math.dist(found.point, tuple(map(float, _corner(SLANTED, found.key[2])))) < 1e-14


def test_locked_to_an_axis_the_handle_goes_level_with_the_corner_under_the_mouse():
    drag = query(handle_target(SEGMENT, 1), (1.0, 1.0, 1.0), axis=0, free=(1.3, 2.5, 0.25))
    found = snap(drag, SnapCandidates(CRATE))
    assert found.item == replace(SEGMENT, end=(1.0, 2.5, 0.25))
    assert found.words == "level with corner of crate" and found.gap == 0


def test_a_corner_behind_the_eye_is_none():
    behind = Aabb((5.9, 7.9, 23.5), (6.1, 8.1, 24.0))
    for point in ((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)):
        assert end_at(point, [("behind", behind)], kinds=only("vertex", "edge", "face")) is None


# Edges


def test_the_middle_of_an_edge_and_any_other_point_of_it():
    found = end_at((1.0, 0.0, 1.0), CRATE, beside=(3.0, 3.0))
    assert (found.point, found.words) == ((1.0, 0.0, 1.0), "middle of an edge of crate")
    found = end_at((1.0, 0.503, 1.0), CRATE, beside=(3.0, 0.0))
    assert found.words == "edge of crate" and found.gap == 0
    x, y, z = found.point
    assert (x, z) == (1.0, 1.0) and y == pytest.approx(0.503, abs=0.02) and len(repr(y)) < 7


@pytest.mark.parametrize("shape", [SLANTED, TRIANGLE, Polyhedron(vertices=(*TRIANGLE, (0.1, 0.2, 2.0)))])
def test_points_of_slanted_edges_are_hit(shape):
    random = Random(str(shape))
    points = np.array([tuple(map(float, _corner(shape, k))) for k in range(3)])
    inexact = 0
    for part in [random.uniform(0.2, 0.4) for _ in range(20)]:
        on_edge = points[0] + part * (points[1] - points[0])
        near = View(Camera((1.0, 1.5, 4.0), (0.0, 0.0, 0.0)), VIEWPORT)
        found = snap(
            query(handle_target(SEGMENT, 1), tuple(on_edge), view=near),
            SnapCandidates([("it", shape)]),
            only("edge"),
        )
        assert found.words.startswith("edge of it") and meet(found.item.shape, shape)
        assert math.dist(found.point, on_edge) < 0.02
        inexact += found.gap > 0
    assert inexact


# Faces


def test_a_face_is_named_and_its_plane_is_exact():
    found = end_at((0.3, 1.0, 0.2), CRATE, kinds=only("face"))
    assert found.words == "face +y of crate" and found.point[1] == 1.0 and found.gap == 0
    assert meet(found.item.shape, BOX) and len(repr(found.point[0])) < 7


def test_beside_a_border_a_point_with_few_decimals_would_be_beyond_it():
    box = Aabb((-1.0, -1.0, -1.0), (0.99999, 1.0, 1.0))
    found = end_at((0.99998, 1.0, 0.3), [("crate", box)], kinds=only("face"))
    assert found.words == "face +y of crate" and meet(found.item.shape, box)


def test_of_the_faces_at_the_pixel_the_front_one_is_taken():
    behind = Aabb((-3.0, -3.0, -3.0), (3.0, 3.0, -2.0))
    found = end_at((0.3, 1.0, 0.2), [("behind", behind), *CRATE], kinds=only("face"))
    assert found.words == "face +y of crate"


def test_points_of_slanted_faces_are_hit_from_inside():
    found = snap(
        query(handle_target(SEGMENT, 1), (0.4, 0.5, 0.9)), SnapCandidates([("it", SLANTED)]), only("face")
    )
    assert found.words.startswith("face +") and " of it, " in found.words
    assert meet(found.item.shape, SLANTED) and 0 < found.gap < 1e-15


def test_a_plane_is_a_face_without_end():
    ground = Plane((0.0, 2.0, 0.0), -3.0)
    found = end_at((7.0, -1.5, -4.0), [("ground", ground)], kinds=only("face"))
    assert found.point[1] == -1.5 and found.words == "ground"


def test_locked_to_an_axis_the_handle_meets_the_plane_of_a_face():
    drag = query(handle_target(SEGMENT, 1), (1.05, 0.5, 0.25), axis=0, free=(1.05, 0.5, 0.25))
    low = handle_target(replace(SEGMENT, end=(4.0, 0.5, 0.25)), 1)
    found = snap(drag.__class__(VIEW, low, drag.pixel, drag.free, 0), SnapCandidates(CRATE), only("face"))
    assert found.point == (1.0, 0.5, 0.25) and found.words == "face +x of crate"


def test_a_slanted_face_on_a_locked_axis_is_stored_on_the_side_that_hits():
    probe = PointProbe(position=(4.0, 0.25, 0.125))
    crossing = exact_exit(probe.position, SLANTED)
    free = (float(crossing) + 0.01, 0.25, 0.125)
    found = snap(
        query(handle_target(probe, 0), free, axis=0, free=free), SnapCandidates([("it", SLANTED)]), only("face")
    )
    assert found.point[1:] == (0.25, 0.125) and meet(found.item.shape, SLANTED)
    assert not meet(Point((math.nextafter(found.point[0], 9.0), 0.25, 0.125)), SLANTED)
    assert found.gap == float(crossing - Fraction(found.point[0])) and found.words.endswith("inside")


def exact_exit(start, shape):
    """The x at which a point that moves along -x enters a shape."""
    from hitscope.geometry.exact import relation

    t = relation(Ray(start, (-1.0, 0.0, 0.0)), shape).t_enter
    return Fraction(start[0]) - Fraction(t)


# The boundary


@pytest.mark.parametrize("shape", [BOX, SLANTED, TRIANGLE, Polyhedron(vertices=(*TRIANGLE, (0.1, 0.2, 2.0)))])
def test_on_the_boundary_the_stored_position_hits_and_the_next_one_misses(shape):
    probe = SegmentProbe(start=(-4.0, 0.1, -0.3), end=(4.0, 0.2, 0.1))
    height = last_height(probe, shape)
    free = (4.0, height + 0.02, 0.1)
    found = snap(
        query(handle_target(probe, 1), free, axis=1, free=free),
        SnapCandidates([("it", shape)]),
        only("boundary"),
    )
    assert found.words == "on the boundary of it: one ulp further misses" and found.gap == 0
    assert meet(found.item.shape, shape) and found.point[::2] == (4.0, 0.1)
    further = (4.0, math.nextafter(found.point[1], math.inf), 0.1)
    assert not meet(replace(probe, end=further).shape, shape)


def last_height(probe, shape):
    """The largest y, in steps of 0.001, to which the end can be moved while the probe still hits."""
    return max(y / 1000 for y in range(8000) if meet(replace(probe, end=(4.0, y / 1000, 0.1)).shape, shape))


def test_on_a_free_way_the_next_float64_of_the_main_coordinate_misses():
    start, way = (0.2, 0.1, 0.3), np.array([0.9, 0.4, -0.1])
    target = handle_target(PointProbe(position=start), 0)
    on_the_way = [tuple((start + part * way).tolist()) for part in np.linspace(0, 3, 600)]
    crossing = next(point for point in on_the_way if not meet(Point(point), SLANTED))
    found = snap(query(target, crossing), SnapCandidates([("it", SLANTED)]), only("boundary"))
    assert meet(found.item.shape, SLANTED) and math.dist(found.point, crossing) < 0.05
    # Beyond, each coordinate is the same float64 or the next one, and the main one is the next one.
    x, y, z = found.point
    beyond = [(math.nextafter(x, 9), v, w) for v in (y, math.nextafter(y, 9)) for w in (z, math.nextafter(z, -9))]
    assert not all(meet(Point(point), SLANTED) for point in beyond)


def test_no_boundary_is_near_where_the_verdict_does_not_change():
    probe = SegmentProbe(start=(-4.0, 0.1, 0.3), end=(4.0, 0.2, 0.1))
    free = (4.0, 0.3, 0.1)
    assert (
        snap(query(handle_target(probe, 1), free, axis=1, free=free), SnapCandidates(CRATE), only("boundary"))
        is None
    )


@pytest.mark.parametrize(
    ("probe", "handle", "axis"),
    [
        (RayProbe(origin=(-4.0, 0.1, 0.3), direction=(4.0, 0.0, 0.0)), 1, 1),
        (LineProbe(origin=(-4.0, 0.1, 0.3), direction=(4.0, 0.0, 0.0)), 0, 1),
        (TriangleProbe(vertices=((-3.0, 0.5, 0.3), (3.0, 0.5, 0.3), (0.0, 0.5, -4.0))), 0, 0),
        (AabbProbe(center=(0.0, 0.5, 0.0), half_extents=(0.25, 0.5, 0.25)), 0, 1),
        (ObbProbe(center=(0.0, 0.5, 0.0), half_extents=(0.25, 0.5, 0.25), euler_xyz_deg=(10.0, 20.0, 30.0)), 0, 1),
        (
            ParallelepipedProbe(origin=(0.0, 0.5, 0.0), edges=((0.5, 0.1, 0.0), (0.0, 0.5, 0.1), (0.1, 0.0, 0.5))),
            0,
            2,
        ),
    ],
)
@pytest.mark.parametrize("shape", [BOX, SLANTED], ids=["aabb", "obb"])
def test_any_probe_is_brought_to_touch(probe, handle, axis, shape):
    target = handle_target(probe, handle)
    assert meet(probe.shape, shape)

    def at(value):
        moved = tuple(value if k == axis else c for k, c in enumerate(target.point))
        vector = tuple(
            p - b if k == axis else v
            for k, (p, b, v) in enumerate(zip(moved, target.base, target.vector, strict=True))
        )
        return moved, target.store(vector).shape

    steps = [target.point[axis] + k / 20 for k in range(300)]
    border = next(
        (b for a, b in itertools.pairwise(steps) if meet(at(a)[1], shape) and not meet(at(b)[1], shape)),
        None,
    )
    if border is None:
        pytest.fail("the probe leaves the box nowhere on its way")
    free = at(border)[0]
    found = snap(
        query(target, free, axis=axis, free=free, view=View(Camera((3.0, 4.0, 40.0), (0.0, 0.0, 0.0)), VIEWPORT)),
        SnapCandidates([("it", shape)]),
        only("boundary"),
    )
    assert meet(found.item.shape, shape)
    vector = handle_target(found.item, handle).vector
    beyond = tuple(math.nextafter(v, math.inf) if k == axis else v for k, v in enumerate(vector))
    assert not meet(target.store(beyond).shape, shape)


# Parallel


def cross(a, b):
    a, b = exactly(a), exactly(b)
    return tuple(a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3))


def way_of(item):
    return tuple(Fraction(b) - Fraction(a) for a, b in zip(item.start, item.end, strict=True))


def test_parallel_to_an_axis_within_three_degrees():
    found = end_at((4.0, 2.05, 0.45), [])
    assert found.words == "parallel to the x axis" and found.gap == 0
    assert found.item.end[1:] == SEGMENT.start[1:]
    assert end_at((4.0, 2.5, 0.25), [], kinds=only("parallel")) is None


def test_a_ray_is_exactly_parallel_to_an_edge_of_a_triangle():
    edge = tuple(b - a for a, b in zip(TRIANGLE.a, TRIANGLE.b, strict=True))
    ray = RayProbe(origin=(-3.0, 0.5, 0.7), direction=(1.0, 1.0, 1.0))
    tip = tuple(o + 0.9 * e + d for o, e, d in zip(ray.origin, edge, (0.0, 0.03, 0.02), strict=True))
    found = snap(query(handle_target(ray, 1), tip), SnapCandidates([("tri", TRIANGLE)]), only("parallel"))
    assert found.words == "parallel to an edge of tri" and found.gap == 0
    assert cross(found.item.direction, edge) == (0, 0, 0)


def test_a_segment_is_parallel_to_a_slanted_edge_or_its_gap_is_shown():
    box = Aabb((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    a, b = _corner(SLANTED, 0), _corner(SLANTED, 1)
    way = tuple(float(q - p) for p, q in zip(a, b, strict=True))
    start = (-1.5, 0.5, 0.25)
    end = tuple(s + 1.1 * w for s, w in zip(start, way, strict=True))
    drag = query(handle_target(SegmentProbe(start=start, end=(9.0, 9.0, 9.0)), 1), end)
    found = snap(drag, SnapCandidates([("it", SLANTED), ("crate", box)]), only("parallel"))
    assert found.words.startswith("parallel to an edge of it, ") and found.words.endswith(" off")
    turned = cross(way_of(found.item), tuple(q - p for p, q in zip(a, b, strict=True)))
    assert max(map(abs, turned)) < 1e-15 and 0 < found.gap < 1e-15


def test_perpendicular_to_a_face():
    slope = Parallelepiped((-1.0, -1.0, -1.0), ((2.0, 0.0, 1.0), (0.0, 2.0, 0.0), (-1.0, 0.0, 2.0)))
    start = (-3.0, 0.5, 0.25)
    end = (-3.0 + 2.0, 0.5 + 0.02, 0.25 + 1.0)
    drag = query(handle_target(SegmentProbe(start=start, end=(9.0, 9.0, 9.0)), 1), end)
    kinds = only("parallel")
    found = snap(drag, SnapCandidates([("slope", slope)]), kinds)
    assert found.words in ("parallel to an edge of slope", "perpendicular to face +x of slope")
    assert cross(way_of(found.item), (2, 0, 1)) == (0, 0, 0)
    flat = Triangle((-2.0, 0.0, 0.0), (2.0, 0.0, 2.0), (2.0, 3.0, 2.0))
    upright = (start[0] + 1.0, start[1], start[2] - 2.0)
    drag = query(handle_target(SegmentProbe(start=start, end=(9.0, 9.0, 9.0)), 1), upright)
    found = snap(drag, SnapCandidates([("flat", Triangle(*((x - 1.0, y, z - 2.0) for x, y, z in flat)))]), kinds)
    assert found.words == "perpendicular to flat" and cross(way_of(found.item), (1, 0, -2)) == (0, 0, 0)


def test_parallel_to_a_face():
    normal = convex_set(TRIANGLE).planes[0].normal
    start = (-3.0, 0.5, 0.7)
    inside = np.array(TRIANGLE.c) - TRIANGLE.a + 0.3 * (np.array(TRIANGLE.b) - TRIANGLE.a)
    end = tuple(
        (np.array(start) + inside + 0.01 * np.array(normal) / np.linalg.norm(np.array(normal, float))).tolist()
    )
    drag = query(handle_target(SegmentProbe(start=start, end=(9.0, 9.0, 9.0)), 1), end)
    found = snap(drag, SnapCandidates([("tri", TRIANGLE)]), only("parallel"))
    assert found.words.startswith("parallel to tri")
    height = sum(n * w for n, w in zip(normal, way_of(found.item), strict=True))
    assert (height == 0) == (found.gap == 0) and abs(float(height)) < 1e-12 * max(map(abs, normal))


# The grid


def test_the_ground_grid_and_its_multiples_as_they_are_written():
    found = snap(
        query(handle_target(SEGMENT, 1), (0.3, 0.0, -1.2), (1.5, 1.0)),
        SnapCandidates([]),
        only("grid"),
        step=0.1,
    )
    assert found.point == (0.3, 0.0, -1.2) and found.words == "grid 0.1"
    assert (
        snap(query(handle_target(SEGMENT, 1), (0.5, 0.0, 0.5)), SnapCandidates([]), only("grid"), step=1.0) is None
    )
    tall = View(Camera((3.0, -12.0, 4.0), (0.0, 0.0, 0.0), "z"), VIEWPORT)
    found = snap(
        query(handle_target(SEGMENT, 1), (0.5, -1.0, 0.0), view=tall),
        SnapCandidates([]),
        only("grid"),
        step=0.5,
    )
    assert found.point == (0.5, -1.0, 0.0)


@pytest.mark.parametrize("orthographic", [False, True])
def test_straight_along_an_axis_the_grid_is_upright(orthographic):
    front = View(Camera((0.0, 1.0, 9.0), (0.0, 1.0, 2.0), orthographic=orthographic), VIEWPORT)
    drag = query(handle_target(SEGMENT, 1), (-0.3, 1.2, 0.0), (1.0, -1.0), view=front)
    found = snap(drag, SnapCandidates([]), only("grid"), step=0.1)
    assert found.point == (-0.3, 1.2, 0.0) and found.words == "grid 0.1 at z = 0"
    left = View(Camera((-9.0, 0.0, 1.0), (0.0, 0.0, 1.0), "z", orthographic=orthographic), VIEWPORT)
    found = snap(
        query(handle_target(SEGMENT, 1), (0.0, -2.0, 3.0), view=left),
        SnapCandidates([]),
        only("grid"),
        step=0.5,
    )
    assert found.point == (0.0, -2.0, 3.0) and found.words == "grid 0.5 at x = 0"


def test_multiples_of_the_step_along_a_locked_axis():
    free = (4.0, 2.31, 0.25)
    found = snap(
        query(handle_target(SEGMENT, 1), free, axis=1, free=free), SnapCandidates([]), only("grid"), step=0.1
    )
    assert found.item.end == (4.0, 2.3, 0.25)


def test_looking_at_the_sky_no_grid_is_found():
    up = View(Camera((0.0, 1.0, 0.0), (0.0, 5.0, 1.0)), VIEWPORT)
    assert (
        snap(
            SnapQuery(up, handle_target(SEGMENT, 1), (640.0, 400.0), (0.0, 5.0, 1.0)),
            SnapCandidates([]),
            only("grid"),
        )
        is None
    )


# What is hidden


WALL = ("wall", Aabb((-3.0, -3.0, 2.0), (3.0, 3.0, 2.5)))
FLAT_VIEW = View(Camera((0.0, 0.0, 12.0), (0.0, 0.0, 0.0), orthographic=True), VIEWPORT)
FRONT_VIEW = View(Camera((0.0, 0.0, 12.0), (0.0, 0.0, 0.0)), VIEWPORT)


@pytest.mark.parametrize("view", [FRONT_VIEW, FLAT_VIEW], ids=["perspective", "orthographic"])
@pytest.mark.parametrize("kinds", [frozenset(SNAP_KINDS), only("vertex", "edge"), only("vertex")])
def test_a_visible_feature_comes_before_a_hidden_corner_at_the_same_pixel(view, kinds):
    crate = ("crate", Aabb((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)))
    x, y = pixel((1.0, 1.0, 1.0), view)
    origin, sight = view.ray_through(x + 4, y - 3)
    corner = origin + (4.0 - origin[2]) / sight[2] * sight
    tile = ("tile", Aabb(tuple((corner - (2.0, 0.5, 0.1)).tolist()), tuple(corner.tolist())))
    found = end_at((1.0, 1.0, 1.0), [crate, tile], kinds=kinds, view=view)
    assert found.words.startswith("corner of tile") and "behind" not in found.words
    alone = end_at((1.0, 1.0, 1.0), [crate, WALL], kinds=kinds, view=view)
    assert alone.words == "corner of crate, behind wall" and alone.point == (1.0, 1.0, 1.0)


def test_an_edge_that_is_seen_comes_before_a_corner_that_is_hidden():
    front, back = (
        ("front", Aabb((-2.0, -2.0, 1.0), (2.0, 0.0, 3.0))),
        ("back", Aabb((-1.0,) * 3, (0.3, -0.1, 0.0))),
    )
    view = FLAT_VIEW
    found = end_at((0.3, -0.1, 0.0), [front, back], view=view)
    assert found.words.startswith("edge of front")
    only_corners = end_at((0.3, -0.1, 0.0), [front, back], kinds=only("vertex", "face"), view=view)
    assert only_corners.words == "corner of back, behind front"


def test_the_far_side_of_a_box_is_snapped_to_where_nothing_in_front_is_near():
    corner = end_at((-1.0, -1.0, -1.0), CRATE)
    assert (corner.words, corner.point) == ("corner of crate, on its far side", (-1.0, -1.0, -1.0))
    edge = end_at((0.4, -1.0, -1.0), CRATE)
    assert edge.words == "edge of crate, on its far side"
    assert end_at((1.0, -1.0, 1.0), CRATE).words == "corner of crate", "it is in front"
    assert end_at((-1.0, 1.0, -1.0), CRATE).words == "corner of crate", "it is on the outline"


def test_far_from_the_origin_the_far_side_is_distinguished_from_the_near_one():
    away = np.array([1e9, -3e9, 2e9])
    crate = [("crate", Aabb(tuple((away - 1).tolist()), tuple((away + 1).tolist())))]
    view = View(Camera(tuple(np.add(away, (3.0, 4.0, 12.0)).tolist()), tuple(away.tolist())), VIEWPORT)
    for signs in itertools.product((-1.0, 1.0), repeat=3):
        found = end_at(tuple((away + signs).tolist()), crate, kinds=only("vertex"), view=view)
        assert found.words == "corner of crate" + (", on its far side" if signs == (-1.0, -1.0, -1.0) else "")


def test_through_the_hollow_of_what_the_eye_is_in_everything_is_seen():
    room = ("room", Aabb((-20.0,) * 3, (20.0,) * 3))
    assert end_at((1.0, 1.0, 1.0), [*CRATE, room]).words == "corner of crate"


@pytest.mark.parametrize(
    "sheet",
    [
        Triangle((-9.0, -9.0, 4.0), (9.0, -9.0, 4.0), (0.0, 9.0, 4.0)),
        Aabb((-5.0, -5.0, 4.0), (5.0, 5.0, 4.0)),
        Parallelepiped((-5.0, -5.0, 4.0), ((10.0, 0.0, 0.0), (1.0, 10.0, 0.0), (0.0, 0.0, 0.0))),
        Polyhedron((), tuple((x, y, z) for x in (-5.0, 5.0) for y in (-5.0, 5.0) for z in (3.0, 4.0))),
        Obb((0.0, 0.0, 4.0), (5.0, 5.0, 0.5), axes_from_euler((5.0, 0.0, 30.0))),
    ],
)
def test_shapes_with_faces_hide_what_is_behind_them_and_nothing_beside_or_before_them(sheet):
    before = [("crate", BOX), ("sheet", sheet)]
    assert end_at((1.0, 1.0, 1.0), before, kinds=only("vertex")).words == "corner of crate, behind sheet"
    behind = View(Camera((-3.0, 4.0, -12.0), (0.0, 0.0, 0.0)), VIEWPORT)
    assert end_at((1.0, 1.0, -1.0), before, kinds=only("vertex"), view=behind).words == "corner of crate"
    aside = ("aside", Aabb((12.0, 0.0, 0.0), (13.0, 1.0, 1.0)))
    assert end_at((13.0, 1.0, 1.0), [aside, ("sheet", sheet)], kinds=only("vertex")).words == "corner of aside"


# What is looked for, and where


def test_corners_come_before_edges_and_edges_before_faces():
    assert end_at((1.0, 1.0, 1.0), CRATE).key[0] == "vertex"
    assert end_at((1.0, 1.0, 1.0), CRATE, kinds=frozenset(SNAP_KINDS) - {"vertex"}).key[0] == "edge"
    assert end_at((1.0, 1.0, 1.0), CRATE, (-20.0, 14.0)).key[0] == "face"
    assert end_at((9.0, 3.0, -5.0), CRATE, kinds=frozenset(SNAP_KINDS) - {"grid"}) is None


@pytest.mark.parametrize(
    "shape, words",
    [
        (Point((0.5, 0.25, 0.0)), "other"),
        (Segment((0.5, 0.25, 0.0), (1.0, 1.0, 0.0)), "start of other"),
        (Segment((1.0, 1.0, 0.0), (0.5, 0.25, 0.0)), "end of other"),
        (Ray((0.5, 0.25, 0.0), (1.0, 1.0, 0.0)), "origin of other"),
        (Line((0.5, 0.25, 0.0), (1.0, 1.0, 0.0)), "origin of other"),
    ],
)
def test_ends_of_other_probes_can_be_snapped_to(shape, words):
    found = end_at((0.5, 0.25, 0.0), [("other", shape)])
    assert found.item.end == (0.5, 0.25, 0.0) and found.words == words


@pytest.mark.parametrize(
    "shape",
    [
        Aabb((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        Aabb((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        Triangle((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        Parallelepiped((0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
        Polyhedron(vertices=((0.0, 0.0, 0.0),)),
        Polyhedron(planes=(Plane((0.0, 1.0, 0.0), 0.0),)),
    ],
)
@pytest.mark.parametrize("kind", SNAP_KINDS)
def test_degenerate_and_unbounded_shapes_are_snapped_to_without_errors(shape, kind):
    for point in ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (3.0, 2.0, 1.0)):
        end_at(point, [("it", shape)], kinds=only(kind))
        end_at(point, [("it", shape)], kinds=only(kind), axis=0, free=point)


def test_faces_of_box_probes_and_whole_items_snap_too():
    probe = AabbProbe(min=(-3.0, -3.0, -3.0), max=(-2.0, 3.0, 3.0))
    found = snap(
        query(handle_target(probe, 2), (1.0, 1.0, 1.0), free=(0.9, 0.0, 0.0)),
        SnapCandidates(CRATE),
        only("vertex"),
    )
    assert found.item == replace(probe, max=(1.0, 3.0, 3.0)) and found.words == "level with corner of crate"
    tilted = ObbProbe(
        center=(-3.0, 0.0, 0.0),
        half_extents=(0.5, 0.5, 0.5),
        axes=((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0)),
    )
    found = snap(
        query(handle_target(tilted, 2), (1.0, 1.0, 1.0), free=(-2.0, 1.0, 0.0)),
        SnapCandidates(CRATE),
        only("vertex"),
    )
    top = np.array(found.item.center) + found.item.half_extents[0] * np.array(found.item.axes[0])
    assert top @ np.array(found.item.axes[0]) == pytest.approx(1.4) and found.words.startswith("level with")
    box = AabbPrimitive(min=(0.1, 0.2, 0.3), max=(1.1, 1.2, 1.3))
    found = snap(query(item_target(box, (0.1, 0.2, 0.3)), (1.0, 1.0, 1.0)), SnapCandidates(CRATE), only("vertex"))
    assert found.item == AabbPrimitive(min=(1.0, 1.0, 1.0), max=(2.0, 2.0, 2.0))


def test_among_many_shapes_the_same_snap_is_found_as_alone():
    random = Random(7)
    many = []
    for k in range(1000):
        lo = tuple(random.uniform(-6, 6) for _ in "xyz")
        many.append((f"box {k}", Aabb(lo, tuple(c + 0.2 for c in lo))))
    around = SnapCandidates(many)
    for k in range(0, 1000, 40):
        _name, box = many[k]
        found = snap(query(handle_target(SEGMENT, 1), box.hi), around, only("vertex"))
        assert math.dist(pixel(found.point), pixel(box.hi)) < 10


# Spheres

BALL = Sphere((0.3, 0.2, 0.1), 1.5)


def off_surface(point):
    """How far a point is from the surface of the ball, outward."""
    squared = sum((Fraction(p) - Fraction(c)) ** 2 for p, c in zip(point, BALL.center, strict=True))
    return float((squared - Fraction(BALL.radius) ** 2) / (2 * Fraction(BALL.radius)))


def test_a_handle_lies_on_the_surface_of_a_sphere_with_two_short_coordinates():
    found = end_at((1.0, 0.9, 1.2), [("ball", BALL)], kinds=only("face"))
    assert found.words.startswith("surface of ball, ") and found.words.endswith(" inside") and len(found.lines)
    assert -2e-15 < off_surface(found.point) <= 0 and meet(Point(found.point), BALL)
    assert found.point[2] > BALL.center[2], "on the side that is seen"
    assert [len(f"{value:g}") <= 5 and round(value, 2) == value for value in found.point].count(True) == 2


def test_the_center_of_a_sphere_is_exact_and_hides_behind_nothing_of_its_own():
    found = end_at((0.3, 0.2, 0.1), [("ball", BALL)], beside=(3.0, 3.0))
    assert (found.words, found.point, found.gap) == ("center of ball", BALL.center, 0.0)


def test_a_sphere_hides_what_is_behind_it():
    eye = np.array(VIEW.camera.eye)
    behind = tuple((np.array(BALL.center) - 3 * (eye - BALL.center) / np.linalg.norm(eye - BALL.center)).tolist())
    found = end_at(behind, [("ball", BALL), ("grain", Triangle(behind, (9.0, 9.0, 9.0), (9.0, 8.0, 9.0)))])
    assert found.words == "center of ball", "what is in front comes first"
    hidden = end_at(behind, [("ball", Sphere(BALL.center, 1.0)), ("grain", Point(behind))], kinds=only("vertex"))
    assert hidden.words in ("center of ball", "grain, behind ball")


def test_a_handle_that_moves_along_an_axis_stops_at_the_surface_of_a_sphere():
    segment = replace(SEGMENT, end=(3.0, 0.5, 0.4))
    found = snap(
        query(handle_target(segment, 1), (1.7, 0.5, 0.4), axis=0, free=(1.7, 0.5, 0.4)),
        SnapCandidates([("ball", BALL)]),
        only("face"),
    )
    assert found.point[1:] == (0.5, 0.4) and -1e-15 < off_surface(found.point) <= 0


def test_a_handle_that_moves_in_a_plane_stops_at_the_circle_that_it_cuts_out_of_a_sphere():
    asked = query(handle_target(replace(SEGMENT, end=(3.0, 0.5, 0.25)), 1), (1.43, 1.14, 0.25))
    found = snap(dataclasses.replace(asked, level=2), SnapCandidates([("ball", BALL)]), only("face"))
    assert found.point[2] == 0.25 and abs(off_surface(found.point)) < 1e-15 and meet(found.item.shape, BALL)


def test_a_sphere_stops_where_it_touches_another():
    moved = SphereProbe(center=(-3.0, 0.0, 0.0), radius=0.7)
    target = HandleTarget(moved.center, lambda to: replace(moved, center=to))
    found = snap(query(target, (-1.9, 0.2, 0.1)), SnapCandidates([("ball", BALL)]), only("boundary"))
    assert found.words == "on the boundary of ball: one ulp further misses"
    assert meet(found.item.shape, BALL)
    further = replace(moved, center=(math.nextafter(found.point[0], -math.inf), *found.point[1:]))
    assert not meet(further.shape, BALL)
