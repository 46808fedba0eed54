"""Items are moved, turned and scaled as the sets that they are, in the form of the file."""

import math
import sys
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from msgspec import UNSET

from hitscope.errors import HitscopeError
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Aabb, Obb, Parallelepiped, Triangle
from hitscope.geometry.vector import dot
from hitscope.scene import Fault
from hitscope.scene.bulk import AabbsPrimitive, RaysProbe, TrianglesPrimitive
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    HalfSpace,
    LineProbe,
    ObbPrimitive,
    ObbProbe,
    ParallelepipedPrimitive,
    PlanePrimitive,
    PointProbe,
    PolyhedronPrimitive,
    RayProbe,
    SegmentProbe,
    TrianglePrimitive,
)
from hitscope.scene.transforms import (
    nudge,
    rotate_all,
    scale_all,
    translate,
    translate_all,
    type_change,
)
from tests.scene.single_transforms import rotate, scale

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ORIGIN = (0.0, 0.0, 0.0)
PIVOT = (0.3, -0.7, 1.1)
CORNERS = AabbPrimitive(id="box", min=(0.1, 0.2, 0.3), max=(0.4, 0.6, 1.3))
CENTER = AabbPrimitive(id="box", center=(2.0, 4.0, -1.0), half_extents=(0.5, 1.0, 1.5))
PLAIN = ObbPrimitive(id="box", center=(1.0, 2.0, 3.0), half_extents=(1.0, 2.0, 0.5))
EULER = ObbPrimitive(
    id="box", center=(1.0, 2.0, 3.0), half_extents=(1.0, 2.0, 0.5), euler_xyz_deg=(10.0, 20.0, 30.0)
)
QUATERNION = ObbPrimitive(
    id="box", center=(1.0, 2.0, 3.0), half_extents=(1.0, 2.0, 0.5), quaternion_xyzw=(0.1, 0.2, 0.3, 0.9)
)
AXES = ObbPrimitive(
    id="box",
    center=(1.0, 2.0, 3.0),
    half_extents=(1.0, 2.0, 0.5),
    axes=((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0)),
)
SKEW = ParallelepipedPrimitive(
    id="box", origin=(0.1, 0.2, 0.3), edges=((1.0, 0.5, 0.0), (0.0, 2.0, 0.25), (0.5, 0.0, 3.0))
)
TRIANGLE = TrianglePrimitive(id="tri", vertices=((-1.0, 5.0, 0.0), (2.0, 2.0, -3.0), (5.0, 5.0, 0.5)))
HULL = PolyhedronPrimitive(
    id="hull", vertices=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
)
CUT = PolyhedronPrimitive(
    id="cut",
    planes=tuple(
        HalfSpace(normal=normal, offset=offset)
        for normal, offset in (
            ((1.0, 2.0, 3.0), 4.0),
            ((-1.0, 0.0, 0.0), 0.0),
            ((0.0, -1.0, 0.0), 1.0),
            ((0.0, 0.0, -2.0), 1.0),
        )
    ),
)
BOUNDED = [CORNERS, CENTER, PLAIN, EULER, QUATERNION, AXES, SKEW, TRIANGLE, HULL, CUT]
NAMES = ["corners", "center", "plain", "euler", "quaternion", "axes", "skew", "triangle", "hull", "cut"]


def points_of(item):
    """The corners of an item, in floats and in no order."""
    corners = {
        (float(Fraction(x, w)), float(Fraction(y, w)), float(Fraction(z, w)))
        for x, y, z, w in convex_set(item.shape).vertices
    }
    return np.array(sorted(corners))


def assert_mapped(item, made, function):
    """Assert that the corners of an item are mapped by a function, to rounding."""
    wanted = np.array([function(point) for point in points_of(item)])
    found = points_of(made)
    away = np.linalg.norm(wanted[:, None] - found, axis=2)
    assert len(wanted) == len(found)
    assert away.min(axis=0).max() < 1e-13 and away.min(axis=1).max() < 1e-13


def turning(axis, degrees):
    """The rotation of points by Rodrigues' formula, which shares nothing with the code under test."""
    u, angle = np.array(axis) / np.linalg.norm(axis), math.radians(degrees)

    def turn(point):
        p = np.subtract(point, PIVOT)
        turned = p * math.cos(angle) + np.cross(u, p) * math.sin(angle) + u * (u @ p) * (1 - math.cos(angle))
        return turned + PIVOT

    return turn


@pytest.mark.parametrize("item", BOUNDED, ids=NAMES)
def test_translating_moves_every_corner(item):
    by = (0.1, -2.5, 1e3)
    moved = translate(item, by)
    assert moved.word == item.word and moved.id == item.id
    assert points_of(moved) == pytest.approx(points_of(item) + by, abs=1e-12)
    fields = [name for name in item.__struct_fields__ if getattr(item, name) is not UNSET]
    assert fields == [name for name in moved.__struct_fields__ if getattr(moved, name) is not UNSET]


def test_short_decimals_stay_short():
    assert translate(PointProbe(position=(0.1, 0.3, 1.0)), (0.2, -0.1, 1e-9)).position == (0.3, 0.2, 1.000000001)
    assert translate(CORNERS, (0.2, 0.1, 0.0)).max == (0.6, 0.7, 1.3)
    assert rotate(PointProbe(position=(0.3, 0.1, 0.0)), (0.1, 0.0, 0.0), Z, 90.0).position == (0.0, 0.2, 0.0)
    assert scale(CENTER, ORIGIN, (0.1, 0.1, 3.0)).half_extents == (0.05, 0.1, 4.5)
    assert rotate(PointProbe(position=X), ORIGIN, Z, 30.0).position == (0.866025403784439, 0.5, 0.0)


def test_a_coordinate_that_does_not_move_keeps_every_bit():
    odd = 0.1 + 3 * math.ulp(0.1), math.pi, -0.1 - math.ulp(0.1)
    for moved in (
        translate(PointProbe(position=odd), (0.0, 0.0, 0.0)),
        rotate(PointProbe(position=odd), PIVOT, (1.0, 1.0, 0.5), 0.0),
        rotate(PointProbe(position=odd), PIVOT, Y, 360.0),
        rotate(PointProbe(position=odd), odd, (1.0, 1.0, 0.5), 77.0),
        scale(PointProbe(position=odd), PIVOT, (1.0, 1.0, 1.0), AXES.axes),
    ):
        assert moved.position == odd
    assert rotate(PointProbe(position=odd), PIVOT, Z, 12.0).position[2] == odd[2]
    assert scale(PointProbe(position=odd), PIVOT, (2.0, 3.0, 1.0)).position[2] == odd[2]


def test_what_leaves_float64_ends_at_its_largest_number():
    far = translate(PointProbe(position=(1.7e308, 0.0, 0.0)), (1.7e308, 0.0, 0.0))
    assert far.position == (1.7976931348623157e308, 0.0, 0.0)


def test_a_box_that_would_leave_float64_is_refused():
    far = AabbPrimitive(center=(1.6e308, 0.0, 0.0), half_extents=(1e307, 1.0, 1.0))
    with pytest.raises(Fault, match="to be finite"):
        translate(far, (1.5e307, 0.0, 0.0))


def test_items_of_all_kinds_are_moved_together_as_each_alone_is():
    by = (0.1, -2.5, 1e3)
    items = [*BOUNDED, PLANE, TrianglesPrimitive(vertices=[TRIANGLE.vertices]), SegmentProbe(start=X, end=PIVOT)]
    assert translate_all(items, by) == [translate_all([item], by)[0] for item in items]
    assert rotate_all(items, PIVOT, Z, 30.0) == [rotate_all([item], PIVOT, Z, 30.0)[0] for item in items]
    assert scale_all(items, PIVOT, by) == [scale_all([item], PIVOT, by)[0] for item in items]
    assert CENTER.shape == Aabb((1.5, 3.0, -2.5), (2.5, 5.0, 0.5)), "what they were made of is as it was"


@pytest.mark.parametrize("item", BOUNDED, ids=NAMES)
@pytest.mark.parametrize(
    ("axis", "degrees"),
    [
        (X, 90.0),
        (Y, -180.0),
        ((0.0, 0.0, -2.0), 90.0),
        (X, 33.0),
        (Z, 450.0),
        ((1.0, -2.0, 0.5), 40.0),
        ((1.0, 1.0, 1.0), 120.0),
    ],
)
def test_turning_turns_every_corner(item, axis, degrees):
    assert_mapped(item, rotate(item, PIVOT, axis, degrees), turning(axis, degrees))


@pytest.mark.parametrize("item", [CORNERS, CENTER], ids=["corners", "center"])
@pytest.mark.parametrize("axis", [X, Y, Z])
@pytest.mark.parametrize("quarters", range(-5, 6))
def test_a_box_turned_by_quarters_stays_axis_aligned_and_comes_back_exactly(item, axis, quarters):
    pivot = (0.5, 0.25, -1.0)
    turned = rotate(item, pivot, axis, 90.0 * quarters)
    assert turned.word == "aabb" and (turned.min is UNSET) == (item.min is UNSET)
    assert rotate(turned, pivot, axis, -90.0 * quarters) == item
    i = axis.index(1.0)
    a, b = {0, 1, 2} - {i}
    sides = [np.subtract(box.shape.hi, box.shape.lo) for box in (item, turned)]
    assert sides[1][i] == pytest.approx(sides[0][i], rel=1e-15)
    assert sides[1][a] == pytest.approx(sides[0][b if quarters % 2 else a], rel=1e-15)


def test_a_box_turned_otherwise_is_an_obb_with_a_readable_rotation():
    turned = rotate(CORNERS, ORIGIN, Y, 30.0)
    assert isinstance(turned, ObbPrimitive) and turned.id == "box"
    assert turned.euler_xyz_deg == (0.0, 30.0, 0.0)
    assert turned.half_extents == (0.15, 0.2, 0.5)
    assert type_change(CORNERS, turned) == "a rotated aabb becomes an obb"
    assert type_change(CORNERS, CORNERS) == ""
    assert rotate(CENTER, ORIGIN, (1.0, 1.0, 0.0), 90.0).quaternion_xyzw == pytest.approx(
        (0.5, 0.5, 0.0, 0.5**0.5)
    )


def test_a_probe_stays_a_probe_and_disabled():
    turned = rotate(AabbProbe(id="p", enabled=False, min=ORIGIN, max=PIVOT[:1] * 3), ORIGIN, Z, 5.0)
    assert isinstance(turned, ObbProbe) and turned.id == "p" and not turned.enabled


@pytest.mark.parametrize(
    ("item", "form"), [(EULER, "euler_xyz_deg"), (QUATERNION, "quaternion_xyzw"), (AXES, "axes")]
)
@pytest.mark.parametrize(("axis", "degrees"), [(Z, 45.0), (X, 90.0), ((1.0, 2.0, 3.0), 10.0)])
def test_an_oriented_box_keeps_its_form_of_rotation(item, form, axis, degrees):
    turned = rotate(item, PIVOT, axis, degrees)
    assert [name for name in ObbPrimitive.at_most_one if getattr(turned, name) is not UNSET] == [form]
    assert turned.half_extents == item.half_extents


def test_euler_angles_add_where_they_can():
    assert rotate(EULER, PIVOT, Z, 15.0).euler_xyz_deg == (10.0, 20.0, 45.0)
    assert rotate(EULER, PIVOT, Z, 200.0).euler_xyz_deg == (10.0, 20.0, -130.0)
    assert rotate(EULER, PIVOT, (0.0, 0.0, -1.0), 0.1).euler_xyz_deg == (10.0, 20.0, 29.9)
    flat = ObbPrimitive(center=ORIGIN, half_extents=X, euler_xyz_deg=(0.1, 0.0, 0.0))
    assert rotate(flat, ORIGIN, X, 0.2).euler_xyz_deg == (0.3, 0.0, 0.0)
    assert rotate(flat, ORIGIN, Y, 15.0).euler_xyz_deg == (0.1, 15.0, 0.0)


def test_at_the_pole_of_euler_angles_the_axes_are_right_all_the_same():
    item = ObbPrimitive(center=ORIGIN, half_extents=(1.0, 2.0, 3.0), euler_xyz_deg=(25.0, 0.0, 35.0))
    turned = rotate(item, ORIGIN, Y, 90.0 - 1e-7)
    assert_mapped(item, turned, lambda p: turning(Y, 90.0 - 1e-7)(np.add(p, PIVOT)) - PIVOT)


def test_a_quaternion_turned_four_times_by_a_quarter_comes_back():
    item = ObbPrimitive(center=ORIGIN, half_extents=X, quaternion_xyzw=(0.0, 0.0, 0.0, 1.0))
    quarter = rotate(item, ORIGIN, Z, 90.0)
    assert quarter.shape.axes == ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert rotate(quarter, ORIGIN, Z, 270.0).shape.axes == item.shape.axes


@pytest.mark.parametrize("item", BOUNDED, ids=NAMES)
@pytest.mark.parametrize("factors", [(2.0, 2.0, 2.0), (0.5, 3.0, 1.0), (-1.0, 1.0, 2.0), (2.0, 2.0, 5.0)])
@pytest.mark.parametrize("frame", [(X, Y, Z), AXES.axes], ids=["world", "local"])
def test_scaling_scales_every_corner(item, factors, frame):
    F = np.array(frame)
    assert_mapped(
        item, scale(item, PIVOT, factors, frame), lambda p: PIVOT + F.T @ (factors * (F @ np.subtract(p, PIVOT)))
    )


def test_a_box_scaled_along_its_own_axes_stays_one():
    for factors, frame in (
        ((2.0, 3.0, 4.0), AXES.axes),
        ((2.0, 2.0, 4.0), (X, Y, Z)),
        ((-3.0, -3.0, -3.0), (X, Y, Z)),
    ):
        scaled = scale(AXES, AXES.center, factors, frame)
        assert scaled.axes == AXES.axes and scaled.center == AXES.center
        assert scaled.half_extents == tuple(e * abs(f) for e, f in zip(AXES.half_extents, factors, strict=True))


def test_a_box_scaled_across_its_axes_is_a_parallelepiped_and_says_so():
    scaled = scale(AXES, ORIGIN, (2.0, 1.0, 1.0))
    assert isinstance(scaled, ParallelepipedPrimitive)
    assert type_change(AXES, scaled) == "an obb scaled across its axes becomes a parallelepiped"
    assert type_change(CENTER, scale(CENTER, ORIGIN, (2.0, 1.0, 1.0), AXES.axes)).startswith(
        "an aabb scaled across"
    )


def test_a_factor_of_zero_makes_things_flat_but_not_planes():
    assert scale(CENTER, ORIGIN, (1.0, 0.0, 1.0)).shape == Aabb((1.5, 0.0, -2.5), (2.5, 0.0, 0.5))
    assert isinstance(scale(AXES, ORIGIN, (0.0, 1.0, 1.0)).shape, Parallelepiped)
    assert scale(AXES, ORIGIN, (0.0, 0.0, 0.0)).shape == Obb(ORIGIN, ORIGIN, AXES.axes)
    with pytest.raises(Fault, match="factors other than zero"):
        scale(PlanePrimitive(normal=X, offset=1.0), ORIGIN, (1.0, 0.0, 1.0))


PLANE = PlanePrimitive(id="p", normal=(1.0, 2.0, -2.0), offset=3.0)
ON_PLANE = [(3.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 0.0, -1.5)]


@pytest.mark.parametrize(
    "change",
    [
        lambda item: translate(item, (0.1, 0.2, 0.3)),
        lambda item: rotate(item, PIVOT, Y, 90.0),
        lambda item: rotate(item, PIVOT, (1.0, 1.0, 3.0), 25.0),
        lambda item: scale(item, PIVOT, (2.0, 0.5, -3.0)),
        lambda item: scale(item, PIVOT, (2.0, 0.5, 1.0), AXES.axes),
    ],
)
def test_a_planes_points_and_its_inside_go_with_it(change):
    plane = change(PLANE)
    for x, y, z in ON_PLANE:
        above = (x + 1.0, y + 2.0, z - 2.0)
        on, over = (change(PointProbe(position=point)).position for point in ((x, y, z), above))
        assert np.dot(plane.normal, on) == pytest.approx(plane.offset, abs=1e-13)
        assert np.dot(plane.normal, over) > plane.offset + 0.1


def test_a_planes_normal_stays_as_long_as_it_can():
    assert translate(PLANE, (1.0, 0.0, 0.5)) == PlanePrimitive(id="p", normal=(1.0, 2.0, -2.0), offset=3.0)
    assert scale(PLANE, ORIGIN, (2.0, 2.0, 2.0)) == PlanePrimitive(id="p", normal=(1.0, 2.0, -2.0), offset=6.0)
    assert rotate(PLANE, ORIGIN, Z, 90.0) == PlanePrimitive(id="p", normal=(-2.0, 1.0, -2.0), offset=3.0)


def test_directions_are_turned_and_scaled_and_never_moved():
    ray = RayProbe(origin=(1.0, 0.0, 0.0), direction=(0.5, 0.0, 2.0))
    assert translate(ray, PIVOT).direction == ray.direction
    assert rotate(ray, ORIGIN, Z, 90.0) == RayProbe(origin=(0.0, 1.0, 0.0), direction=(0.0, 0.5, 2.0))
    line = LineProbe(origin=(1.0, 2.0, 3.0), direction=(1.0, 1.0, 1.0))
    assert scale(line, ORIGIN, (2.0, 1.0, -1.0)) == LineProbe(origin=(2.0, 2.0, -3.0), direction=(2.0, 1.0, -1.0))
    assert scale(SegmentProbe(start=X, end=Y), X, (3.0, 3.0, 3.0)) == SegmentProbe(start=X, end=(-2.0, 3.0, 0.0))


def test_turning_keeps_the_front_of_a_triangle_and_mirroring_turns_it_over():
    front = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    item = TrianglePrimitive(vertices=front)
    assert rotate(item, ORIGIN, Z, 90.0).shape == Triangle((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    mirrored = convex_set(scale(item, ORIGIN, (-1.0, 1.0, 1.0)).shape).planes[0]
    assert dot(mirrored.normal, (0, 0, 1)) < 0


@pytest.mark.parametrize(
    "item", [*BOUNDED, PLANE, SegmentProbe(start=X, end=PIVOT)], ids=[*NAMES, "plane", "segment"]
)
@pytest.mark.parametrize("axis", range(3))
def test_nudging_goes_to_the_next_float64_and_back(item, axis):
    nudged = nudge(item, axis, up=True)
    assert nudged != item and nudge(nudged, axis, up=False) == item


def test_nudging_moves_only_along_its_axis():
    assert nudge(PointProbe(position=X), 0, up=True).position == (math.nextafter(1.0, 2.0), 0.0, 0.0)
    assert nudge(PointProbe(position=X), 1, up=False).position == (1.0, -5e-324, 0.0)
    assert nudge(PlanePrimitive(normal=(0.0, 0.0, -2.0), offset=1.0), 2, up=True).offset < 1.0


# Many shapes


def test_many_shapes_are_moved_as_each_alone_is():
    random = Random("many")
    lows = [[round(random.uniform(-9, 9), random.randrange(6)) for _ in "xyz"] for _ in range(500)]
    highs = [[round(low + 1.0, 6) for low in row] for row in lows]
    by = (0.1, 0.0, -2.37)
    (moved,) = translate_all([AabbsPrimitive(id="many", min=lows, max=highs)], by)
    alone = [
        translate(AabbPrimitive(min=tuple(lo), max=tuple(hi)), by).shape
        for lo, hi in zip(lows, highs, strict=True)
    ]
    assert list(moved.shapes) == alone and moved.id == "many"


@pytest.mark.parametrize("value", [1e-300, 5e-324, 1e300, 1.7e308, -0.0, 0.0])
def test_many_shapes_of_any_size_stay_finite(value):
    rays = RaysProbe(origin=[[value] * 3], direction=[[1.0, 2.0, 3.0]])
    (moved,) = translate_all([rays], (value, 0.0, 1.0))
    assert np.isfinite(moved.shapes.rows).all()
    assert moved.shapes[0].origin[1] == value and moved.shapes[0].direction == (1.0, 2.0, 3.0)
    assert moved.shapes[0].origin[0] == (2 * value if abs(value) < 1e308 else sys.float_info.max)


def test_the_vertices_of_many_triangles_are_moved():
    (moved,) = translate_all([TrianglesPrimitive(vertices=[TRIANGLE.vertices])], (0.5, 1.0, 0.0))
    assert moved.shapes[0] == translate(TRIANGLE, (0.5, 1.0, 0.0)).shape


@pytest.mark.parametrize("rough", [False, True])
def test_a_turned_aabb_keeps_its_radius_and_its_motion_turned(rough):
    box = AabbProbe(min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0), radius=0.5, motion=(1.0, 0.0, 0.0))
    origin, tilted = (0.0, 0.0, 0.0), ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
    (turned,) = rotate_all([box], origin, (0.0, 0.0, 1.0), 30.0, rough)
    assert turned.shape.radius == 0.5
    assert turned.shape.motion == pytest.approx((math.sqrt(0.75), 0.5, 0.0))
    (scaled,) = scale_all([box], origin, (2.0, 2.0, 2.0), tilted, rough)
    assert (scaled.shape.radius, scaled.shape.motion) == (1.0, (2.0, 0.0, 0.0))
    with pytest.raises(HitscopeError, match="the same factor along every axis, to scale what is round"):
        scale_all([box], origin, (1.0, 2.0, 1.0), tilted, rough)
