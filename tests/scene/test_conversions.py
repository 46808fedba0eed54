"""Items made ones of another type or role: which sets stay the same, and what is said of those that do not."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitscope.errors import HitscopeError
from hitscope.geometry import exact
from hitscope.geometry.exact import contains
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Aabb, Sphere
from hitscope.scene import Scene
from hitscope.scene.conversions import CONVERSIONS, as_type, exchange_roles, has_role, loss, types_of
from hitscope.scene.edits import replace_items
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    CapsuleProbe,
    FrustumPrimitive,
    FrustumProbe,
    HalfSpace,
    LineProbe,
    ObbPrimitive,
    ParallelepipedPrimitive,
    PlanePrimitive,
    PointProbe,
    PolyhedronPrimitive,
    RayProbe,
    SegmentProbe,
    SpherePrimitive,
    SphereProbe,
    TrianglePrimitive,
)
from hitscope.scene.model import Expectation

BOX = AabbPrimitive(id="box", min=(-1.0, 0.0, 2.0), max=(2.0, 0.5, 5.0))
CENTRED = AabbPrimitive(id="centred", center=(1.0, 2.0, 3.0), half_extents=(0.5, 1.5, 0.0))
SKEW = ParallelepipedPrimitive(
    id="skew", origin=(1.0, 0.0, 0.0), edges=((2.0, 0.0, 0.0), (0.5, 1.0, 0.0), (0.0, 0.25, 4.0))
)
TURNED = ObbPrimitive(
    id="turned", center=(1.0, 0.0, 0.5), half_extents=(1.0, 2.0, 3.0), euler_xyz_deg=(0.0, 90.0, 0.0)
)
OBLIQUE = ObbPrimitive(
    id="oblique", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), euler_xyz_deg=(0.0, 0.0, 45.0)
)
SAIL = TrianglePrimitive(id="sail", vertices=((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 1.0, 0.5)))
PILL = CapsuleProbe(id="pill", start=(1.0, 2.0, -4.0), end=(3.0, 2.0, 0.0), radius=0.5)
BALL = SpherePrimitive(id="ball", center=(0.1, -0.2, 3.0), radius=0.7)
NUMBERS = st.one_of(
    st.floats(-1e6, 1e6).map(lambda value: round(value, 3)), st.integers(-(2**20), 2**20).map(lambda n: n / 1024)
)
CORNERS = st.tuples(NUMBERS, NUMBERS, NUMBERS)


def vertices(shape):
    """The exact corners of a shape."""
    return set(exact.corners(shape))


@given(CORNERS, CORNERS)
def test_an_aabb_made_a_polyhedron_is_the_same_set_to_the_bit(p, q):
    box = AabbPrimitive(min=tuple(map(min, p, q)), max=tuple(map(max, p, q)))
    made = as_type(box, "polyhedron")
    assert vertices(made.shape) == vertices(box.shape) and loss(box, made) == ""


@pytest.mark.parametrize("word", ["obb", "parallelepiped", "polyhedron"])
@given(st.tuples(*[st.integers(-(2**30), 2**30)] * 3), st.tuples(*[st.integers(0, 2**30)] * 3))
def test_an_aabb_whose_sides_float64_holds_is_the_same_set_in_every_type_and_back(word, corner, sides):
    lo = tuple(n / 1024 for n in corner)
    box = AabbPrimitive(min=lo, max=tuple(a + n / 1024 for a, n in zip(lo, sides, strict=True)))
    made = as_type(box, word)
    assert vertices(made.shape) == vertices(box.shape) and loss(box, made) == ""
    back = as_type(made, "aabb")
    assert back.shape == box.shape and loss(made, back) == ""


def test_the_decimals_of_a_file_stay_short_where_the_set_cannot_be_held():
    box = AabbPrimitive(min=(0.1, 0.1, 0.1), max=(0.3, 0.3, 0.3))
    made = as_type(box, "parallelepiped")
    same = vertices(made.shape) == vertices(box.shape)
    assert loss(box, made) == ("" if same else "rounded")
    wide = AabbPrimitive(min=(0.1, 0.1, 0.1), max=(1e8, 1e8, 1e8))
    made = as_type(wide, "obb")
    assert made.half_extents == (49999999.95,) * 3
    assert loss(wide, made) == "rounded"


@pytest.mark.parametrize(
    ("item", "word"),
    [
        (CENTRED, "obb"),
        (CENTRED, "polyhedron"),
        (TURNED, "aabb"),
        (TURNED, "parallelepiped"),
        (TURNED, "polyhedron"),
        (SKEW, "polyhedron"),
        (SAIL, "polyhedron"),
    ],
    ids=lambda value: getattr(value, "id", value),
)
def test_a_type_that_can_hold_the_set_holds_it(item, word):
    made = as_type(item, word)
    assert made.word == word and made.id == item.id
    assert vertices(made.shape) == vertices(item.shape) and loss(item, made) == ""


def test_a_rotated_box_made_an_aabb_becomes_its_bounds():
    made = as_type(OBLIQUE, "aabb")
    assert made.max[:2] == pytest.approx((math.sqrt(2),) * 2, abs=1e-15) and made.max[2] == 1.0
    assert loss(OBLIQUE, made) == "its bounds along the axes"
    for corner in vertices(OBLIQUE.shape):
        x, y, z = (n / corner[3] for n in corner[:3])
        assert all(a <= n <= b for a, n, b in zip(made.min, (x, y, z), made.max, strict=True))


def test_a_rotated_box_comes_back_from_a_parallelepiped_and_a_polyhedron_but_for_rounding():
    for word in ("parallelepiped", "polyhedron"):
        back = as_type(as_type(OBLIQUE, word), "obb")
        assert loss(as_type(OBLIQUE, word), back) in ("", "rounded")
        assert sorted(back.half_extents) == pytest.approx([1.0, 1.0, 1.0], abs=1e-12)


def test_a_skew_box_made_an_obb_becomes_the_bounds_along_its_edges():
    made = as_type(SKEW, "obb")
    assert loss(SKEW, made) == "its bounds along its edges"
    for corner in vertices(SKEW.shape):
        x, y, z = (n / corner[3] for n in corner[:3])
        away = [v - c for v, c in zip((x, y, z), made.center, strict=True)]
        for axis, extent in zip(made.shape.axes, made.half_extents, strict=True):
            assert abs(sum(a * b for a, b in zip(axis, away, strict=True))) <= extent + 1e-12


def test_a_polyhedron_with_the_corners_of_a_skew_box_becomes_that_box():
    hull = as_type(SKEW, "polyhedron")
    made = as_type(hull, "parallelepiped")
    assert vertices(made.shape) == vertices(SKEW.shape) and loss(hull, made) == ""
    wedge = PolyhedronPrimitive(vertices=hull.vertices[:6])
    assert loss(wedge, as_type(wedge, "parallelepiped")) == "its bounds along the axes"


def test_flat_boxes_become_flat_ones():
    flat = AabbPrimitive(min=(0.0, 1.0, 0.0), max=(2.0, 1.0, 3.0))
    point = AabbPrimitive(min=(1.0, 1.0, 1.0), max=(1.0, 1.0, 1.0))
    for box, word in product((flat, point), ("obb", "parallelepiped", "polyhedron")):
        made = as_type(box, word)
        assert vertices(made.shape) == vertices(box.shape)
        assert as_type(made, "aabb").shape == box.shape
        assert vertices(as_type(made, "obb").shape) == vertices(box.shape) if word != "obb" else True


def test_a_triangle_becomes_the_plane_that_it_lies_in():
    made = as_type(SAIL, "plane")
    assert made.normal == (0.0, -1.0, 2.0) and made.offset == 0.0
    assert all(exact.meet(PointProbe(position=vertex).shape, made.shape) for vertex in SAIL.vertices)
    assert loss(SAIL, made) == "the plane that it lies in"
    needle = TrianglePrimitive(vertices=((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (2.0, 2.0, 2.0)))
    with pytest.raises(HitscopeError, match="a vector other than zero"):
        as_type(needle, "plane")


def test_a_plane_becomes_the_half_space_behind_it_and_back():
    plane = PlanePrimitive(id="wall", normal=(0.0, 2.0, 0.0), offset=3.0)
    made = as_type(plane, "polyhedron")
    assert made.planes == (HalfSpace(normal=(0.0, 2.0, 0.0), offset=3.0),)
    assert loss(plane, made) == "the half-space behind it"
    assert as_type(made, "plane") == plane
    with pytest.raises(HitscopeError, match="expected a bounded polyhedron, found one without an end"):
        as_type(made, "aabb")
    with pytest.raises(HitscopeError, match="expected a polyhedron of one half-space, found 8 vertices"):
        as_type(as_type(BOX, "polyhedron"), "plane")
    with pytest.raises(HitscopeError, match="expected a polyhedron of 3 vertices, found 1 half-space"):
        as_type(made, "triangle")


def test_a_segment_a_ray_and_a_line_have_the_same_start_and_tip():
    segment = SegmentProbe(id="a", start=(0.1, 0.0, 0.0), end=(0.3, 1.0, -2.0), enabled=False)
    ray = as_type(segment, "ray")
    assert ray == RayProbe(id="a", origin=(0.1, 0.0, 0.0), direction=(0.2, 1.0, -2.0), enabled=False)
    line = as_type(ray, "line")
    assert line == LineProbe(id="a", origin=(0.1, 0.0, 0.0), direction=(0.2, 1.0, -2.0), enabled=False)
    assert as_type(line, "segment") == segment and as_type(ray, "segment") == segment
    assert as_type(line, "ray") == ray and as_type(segment, "line") == line
    assert [loss(segment, ray), loss(ray, line), loss(line, segment)] == [
        "it goes on beyond its end",
        "it goes on before its origin",
        "it is from t = 0 to t = 1",
    ]


@given(st.lists(CORNERS, min_size=1, max_size=5))
def test_the_sphere_around_a_polyhedron_holds_all_its_corners_and_hardly_more(corners):
    hull = PolyhedronPrimitive(vertices=tuple(corners))
    made = as_type(hull, "sphere")
    center, squares = [Fraction(c) for c in made.center], []
    for corner in corners:
        squares.append(sum((Fraction(p) - c) ** 2 for p, c in zip(corner, center, strict=True)))
    assert max(squares) <= Fraction(made.radius) ** 2
    assert Fraction(math.nextafter(made.radius, 0.0)) ** 2 <= max(squares)
    assert loss(hull, made) in (("",) if made.radius == 0 else ("a sphere around it", "rounded"))


def test_a_sphere_is_no_point_and_no_box_but_with_the_radius_zero():
    assert loss(BALL, as_type(BALL, "aabb")) == "its bounds along the axes"
    assert as_type(BALL, "aabb").shape == Aabb(
        (0.1 - 0.7, -0.2 - 0.7, 3.0 - 0.7), (0.1 + 0.7, -0.2 + 0.7, 3.0 + 0.7)
    )
    assert loss(BALL, as_type(BALL, "obb")) == "a box around it"
    probe = SphereProbe(id="p", center=(1.0, 2.0, 3.0), radius=1.0, enabled=False)
    point = as_type(probe, "point")
    assert point == PointProbe(id="p", position=(1.0, 2.0, 3.0), enabled=False)
    assert loss(probe, point) == "its center"
    back = as_type(point, "sphere")
    assert back.radius == 0.0 and loss(point, back) == loss(back, as_type(back, "point")) == ""


def test_a_sphere_can_have_both_roles():
    made = exchange_roles(scene(primitives=(BOX, BALL), expect=()), {"primitive": [1]})
    assert made.probes[-1] == SphereProbe(id="ball", center=BALL.center, radius=BALL.radius)
    assert exchange_roles(made, {"probe": [1]}).primitives[-1] == BALL


@pytest.mark.parametrize("kind", CONVERSIONS, ids=lambda kind: kind.__name__)
def test_every_conversion_is_to_a_known_type_that_is_offered_in_one_of_its_roles(kind):
    known = {**PROBES, **PRIMITIVES}
    assert {*CONVERSIONS[kind]} <= {*known}
    assert kind not in [known[word] for word in CONVERSIONS[kind]]


def test_only_types_of_the_same_role_are_offered():
    box = AabbProbe(min=(0.0,) * 3, max=(1.0,) * 3)
    assert types_of(box, "probe") == ("aabb", "obb", "parallelepiped", "polyhedron", "sphere")
    assert types_of(BOX, "primitive") == ("aabb", "obb", "parallelepiped", "polyhedron", "sphere")
    assert types_of(PointProbe(position=(0.0,) * 3), "probe") == ("point", "sphere")
    assert types_of(SAIL, "primitive") == ("aabb", "triangle", "plane", "polyhedron", "sphere")
    assert types_of(BALL, "primitive") == ("aabb", "obb", "sphere", "capsule")
    assert types_of(PILL, "probe") == ("segment", "aabb", "sphere", "capsule")


def test_a_capsule_becomes_its_axis_its_bounds_and_a_sphere_around_it():
    made = {word: as_type(PILL, word) for word in ("segment", "aabb", "sphere")}
    assert (made["segment"].start, made["segment"].end) == (PILL.start, PILL.end)
    assert made["aabb"].shape == ((0.5, 1.5, -4.5), (3.5, 2.5, 0.5))
    assert made["sphere"].shape.center == (2.0, 2.0, -2.0)
    assert contains(made["sphere"].shape, PILL.shape)
    less = Sphere(made["sphere"].shape.center, math.nextafter(made["sphere"].radius, 0.0))
    assert not contains(less, PILL.shape)
    losses = "its axis", "its bounds along the axes", "a sphere around it"
    assert tuple(loss(PILL, made[word]) for word in made) == losses
    assert loss(BALL, as_type(BALL, "capsule")) == ""
    segment = as_type(CapsuleProbe(start=PILL.start, end=PILL.end, radius=0.0), "segment")
    assert loss(as_type(segment, "capsule"), segment) == ""


LENS = {"eye": (1.0, 2.0, 3.0), "target": (0.0, 0.0, -9.0), "up": (0.0, 1.0, 0.0), "fov_deg": 60.0, "aspect": 1.5}


@pytest.mark.parametrize("far", [{"far": 9.0}, {}])
def test_a_frustum_becomes_the_polyhedron_of_its_planes(far):
    frustum = FrustumPrimitive(**LENS, near=0.5, **far)
    made = as_type(frustum, "polyhedron")
    planes = list(zip(frustum.shape.normals, frustum.shape.offsets, strict=True))
    assert [(plane.normal, plane.offset) for plane in made.planes] == (planes if far else planes[:5])
    assert loss(frustum, made) == ""
    assert not far or vertices(made.shape) == vertices(frustum.shape)


def test_a_frustum_without_an_end_has_no_bounds_and_one_with_an_end_is_in_them():
    frustum = FrustumProbe(**LENS, near=0.5, far=9.0, motion=(1.0, 0.0, 0.0))
    made = as_type(frustum, "aabb")
    assert contains(as_type(frustum, "sphere").plain, frustum.plain)
    corners = [[Fraction(number, w) for number in xyz] for *xyz, w in vertices(frustum.plain)]
    ends = [(float(min(numbers)), float(max(numbers))) for numbers in zip(*corners, strict=True)]
    assert made.plain == tuple(zip(*ends, strict=True))
    assert made.motion == (1.0, 0.0, 0.0) and loss(frustum, made) == "its bounds along the axes"
    with pytest.raises(HitscopeError, match="without an end"):
        as_type(FrustumProbe(**LENS, near=0.5), "aabb")


def test_what_is_rounded_keeps_its_radius_where_the_type_can_have_one():
    box = ObbPrimitive(center=(1.0, 0.0, 0.0), half_extents=(1.0, 2.0, 3.0), radius=0.25)
    made = {word: as_type(box, word) for word in ("aabb", "polyhedron", "sphere")}
    assert made["aabb"].radius == made["polyhedron"].radius == 0.25
    assert made["aabb"].plain == ((0.0, -2.0, -3.0), (2.0, 2.0, 3.0))
    assert loss(box, made["aabb"]) == loss(box, made["polyhedron"]) == ""
    assert made["sphere"].radius == pytest.approx(math.sqrt(14) + 0.25)
    assert types_of(box, "primitive") == types_of(OBLIQUE, "primitive")
    thick = TrianglePrimitive(vertices=SAIL.vertices, radius=0.5)
    assert as_type(thick, "plane").shape == as_type(SAIL, "plane").shape
    assert loss(thick, as_type(thick, "plane")) == "the plane that it lies in"


def test_what_moves_keeps_its_motion_where_the_type_can_have_one():
    ball = SphereProbe(center=(1.0, 2.0, 3.0), radius=0.0, motion=(0.0, 4.0, 0.0))
    assert "capsule" in types_of(ball, "probe")
    capsule, point = as_type(ball, "capsule"), as_type(ball, "point")
    assert capsule.motion == ball.motion and loss(ball, capsule) == ""
    assert point.shape == (ball.center,) and loss(ball, point) == "its motion is gone"
    pill = CapsuleProbe(start=PILL.start, end=PILL.end, radius=0.5, motion=(1.0, 0.0, 0.0))
    assert loss(pill, as_type(pill, "segment")) == "its axis, its motion is gone"


# Roles and expectations


def scene(**fields):
    parts = {
        "primitives": (BOX, OBLIQUE),
        "probes": (SegmentProbe(id="cut", start=(0.0, 0.25, 0.0), end=(0.0, 0.25, 9.0)),),
        "expect": (
            Expectation(probe="cut", primitive="box", hit=True),
            Expectation(probe="cut", primitive="box", hit=True, method="slab_halfspaces"),
            Expectation(probe="cut", primitive="oblique", hit=True),
        ),
    }
    return Scene(version=1, **(parts | fields))


def test_expectations_stay_but_for_those_by_a_method_that_the_new_type_does_not_have():
    after = replace_items(scene(), "primitive", {0: as_type(BOX, "polyhedron")})
    assert after.primitive_ids == ("box", "oblique")
    assert after.expect == (scene().expect[0], scene().expect[2])


def test_an_item_that_exchanges_its_role_keeps_its_id_and_loses_its_expectations():
    after = exchange_roles(scene(), {"primitive": [0]})
    assert (after.primitive_ids, after.probe_ids) == (("oblique",), ("cut", "box"))
    assert after.probes[1].shape == BOX.shape and after.expect == (scene().expect[2],)
    back = exchange_roles(after, {"probe": [1]})
    assert back.primitives == (OBLIQUE, BOX)


def test_a_default_id_is_kept_when_the_role_is_exchanged():
    before = Scene(version=1, primitives=(AabbPrimitive(min=(0.0,) * 3, max=(1.0,) * 3),), probes=())
    (name,) = before.primitive_ids
    assert exchange_roles(before, {"primitive": [0]}).probe_ids == (name,)


def test_two_items_of_one_id_exchange_their_roles():
    probe = AabbProbe(id="box", min=(0.0,) * 3, max=(1.0,) * 3)
    after = exchange_roles(scene(probes=(probe,), expect=()), {"probe": [0], "primitive": [0]})
    assert (after.primitive_ids, after.probe_ids) == (("oblique", "box"), ("box",))
    assert after.primitives[1].shape == probe.shape and after.probes[0].shape == BOX.shape


def test_a_type_of_one_role_cannot_exchange_it():
    assert not has_role(PlanePrimitive(normal=(0.0, 1.0, 0.0), offset=0.0), "probe")
    with pytest.raises(HitscopeError, match="A segment cannot be a primitive"):
        exchange_roles(scene(), {"probe": [0]})


# Any numbers

FINITE = st.floats(allow_nan=False, allow_infinity=False)
VECTORS = st.tuples(FINITE, FINITE, FINITE)
EXTENTS = st.tuples(*[st.floats(0.0, allow_infinity=False, allow_nan=False)] * 3)
ANY = st.one_of(
    st.builds(ParallelepipedPrimitive, origin=VECTORS, edges=st.tuples(VECTORS, VECTORS, VECTORS)),
    st.builds(ObbPrimitive, center=VECTORS, half_extents=EXTENTS, euler_xyz_deg=VECTORS),
    st.builds(lambda p, q: AabbPrimitive(min=tuple(map(min, p, q)), max=tuple(map(max, p, q))), VECTORS, VECTORS),
    st.builds(TrianglePrimitive, vertices=st.tuples(VECTORS, VECTORS, VECTORS)),
    st.builds(PolyhedronPrimitive, vertices=st.lists(VECTORS, min_size=1, max_size=9).map(tuple)),
    st.builds(SegmentProbe, start=VECTORS, end=VECTORS),
    st.builds(RayProbe, origin=VECTORS, direction=VECTORS),
)


@given(ANY, st.data())
def test_items_of_any_numbers_are_converted_or_refused_in_words(item, data):
    word = data.draw(st.sampled_from(sorted(CONVERSIONS[type(item.shape)])))
    try:
        made = as_type(item, word)
    except HitscopeError as error:
        assert error.message.startswith("expected ")
        return
    assert made.word == word
    assert loss(item, made) or vertices(made.shape) == vertices(item.shape)
