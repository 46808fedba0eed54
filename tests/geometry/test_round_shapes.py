"""Round shapes against fractions and decimals: verdict, t, normal, distance and nearest points of spheres.

The oracle says how far cores are apart; a t is right if the probe is outside just before and inside just after it.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from hitscope.errors import HitscopeError
from hitscope.evaluate import intersect
from hitscope.geometry import exact
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.exact.roots import Root, compared
from hitscope.geometry.kinds import KINDS, Kind
from hitscope.geometry.kinds.polyhedra import Polyhedron
from hitscope.geometry.registry import of_pair
from hitscope.geometry.shapes import (
    Aabb,
    Plane,
    Point,
    Ray,
    Segment,
    Sphere,
    Triangle,
    is_linear,
    linear,
)
from hitscope.geometry.traits import bounds_of, feature_name, is_degenerate
from tests.geometry import cases, oracle
from tests.geometry.round_pairs import assert_range_is_right, assert_right
from tests.judge.seeded_cases import generate

SEEDS = {"aabb": 12, "obb": 12, "parallelepiped": 12, "polyhedron": 25, "triangle": 40}
UNIT = Sphere((0.0, 0.0, 0.0), 1.0)
FIVE = Sphere((0.0, 0.0, 0.0), 5.0)
ROOTS = ("quadratic", "stable_roots", "haines", "geometric")
"""The methods of linear probes that give t."""


class Rounded(NamedTuple):
    """All points within a radius of another shape."""

    core: object
    radius: float


@pytest.fixture
def rounded_kind(monkeypatch):
    monkeypatch.setitem(
        KINDS,
        Rounded,
        Kind(Rounded, 3, None, core=lambda shape: shape.core, radius=lambda shape: shape.radius),
    )


def decimal(value):
    return Decimal(value.numerator) / value.denominator


@pytest.mark.parametrize("pair", sorted(set(cases.PAIRS) - set(cases.WITHOUT_RADIUS)))
def test_verdict_state_and_distance_of_pairs_with_a_round_shape(pair):
    for seed in range(min(SEEDS.get(kind, 80) for kind in pair.split("_"))):
        assert_right(*cases.round_pair(pair, seed))


@pytest.mark.parametrize("kind", ["segment", "ray", "line"])
def test_t_and_normal_against_a_sphere_are_correctly_rounded(kind):
    hits = entered = 0
    for seed in range(200):
        random = Random(f"t {kind} {seed}")
        point = cases.points(random)
        probe, center = cases.shape(kind, random, point), point()
        direction = exact.linear_probe(probe).direction
        sphere = Sphere(center, cases.radius(random, oracle.squared_distance(Point(center), probe)))
        if not any(direction) or not sphere.radius or not exact.meet(probe, sphere):
            continue
        hits += 1
        found = assert_range_is_right(probe, sphere)
        starts = found.t_enter == (-math.inf if kind == "line" else 0)
        assert (found.normal is None) == starts
        assert exact.witness(probe, sphere) == (
            "interior" if found.state == "inside" else "surface",
            starts,
            None,
        )
        if starts or max(map(abs, (*probe[0], *probe[1], *center))) > 1e7:
            continue
        entered += 1
        with localcontext(prec=4000):
            o, d, c = ([decimal(Fraction(n)) for n in v] for v in (probe[0], probe[1], center))
            d = [e - s for e, s in zip(d, o, strict=True)] if kind == "segment" else d
            m = [s - e for s, e in zip(o, c, strict=True)]
            r = decimal(Fraction(sphere.radius))
            qa, qb = sum(n * n for n in d), sum(n * k for n, k in zip(m, d, strict=True))
            t = (-qb - (qb * qb - qa * (sum(n * n for n in m) - r * r)).sqrt()) / qa
            normal = tuple(float((n + t * k) / r) for n, k in zip(m, d, strict=True))
        assert exact.unit(found.normal) == pytest.approx(normal, rel=1e-15, abs=1e-300)
    assert hits > 30 and entered > 10


@pytest.mark.parametrize("kind", ["triangle", "aabb", "polyhedron"])
def test_a_linear_probe_enters_a_rounded_body_by_faces_edges_and_vertices(kind, rounded_kind):
    features = set()
    for seed in range(60):
        random = Random(f"rounded {kind} {seed}")
        numbers = random.choice((lambda r=random: float(r.randint(-3, 3)), lambda r=random: r.uniform(-3, 3)))
        point = lambda numbers=numbers: (numbers(), numbers(), numbers())  # noqa: E731
        core = cases.shape(kind, random, point)
        if not exact.is_bounded(core):
            continue
        body = Rounded(core, random.choice((0.25, 0.5, 1.0, 2.0)))
        probe = cases.shape(random.choice(("segment", "ray", "line")), random, point)
        if not any(exact.linear_probe(probe).direction):
            continue
        squared = oracle.squared_distance(probe, core)
        assert exact.meet(probe, body) == (squared <= Fraction(body.radius) ** 2)
        if exact.meet(probe, body):
            assert_range_is_right(probe, body)
            features.add(exact.witness(probe, body).feature.split()[0])
    assert len(features) > 2


@pytest.mark.parametrize(
    ("probe", "primitive", "state", "distance"),
    [
        (Point((3.0, 4.0, 0.0)), FIVE, "touching", 0.0),
        (Point((3.0, 4.0, 5e-324)), FIVE, "apart", 5e-324),
        (Point((3.0, math.nextafter(4.0, 0.0), 0.0)), FIVE, "inside", None),
        (Point((0.0, 0.0, 0.0)), FIVE, "inside", -5.0),
        (Ray((-4000.0, 1.05, 0.0), (1.0, 0.0, 0.0)), UNIT, "apart", 1.05 - 1),
        (Ray((-10.0, 3.0, 4.0), (1.0, 0.0, 0.0)), FIVE, "touching", 0.0),
        (Ray((-10.0, 3.0, math.nextafter(4.0, 5.0)), (1.0, 0.0, 0.0)), FIVE, "apart", None),
        (Segment((-5.0, 0.0, 0.0), (-9.0, 0.0, 0.0)), FIVE, "touching", 0.0),
        (Segment((-4.0, 0.0, 0.0), (4.0, 0.0, 0.0)), FIVE, "inside", 0.0),
        (Segment((5.0, 0.0, 0.0), (0.0, 0.0, 0.0)), FIVE, "crossing", 0.0),
        (FIVE, Sphere((8.0, 15.0, 0.0), 12.0), "touching", 0.0),
        (FIVE, Sphere((8.0, 15.0, 5e-324), 12.0), "apart", None),
        (FIVE, Sphere((8.0, 15.0, 0.0), math.nextafter(12.0, 13.0)), "crossing", 0.0),
        (FIVE, FIVE, "crossing", 0.0),
        (Sphere((3.0, 4.0, 0.0), 0.0), FIVE, "touching", 0.0),
        (Sphere((3.0, 4.0, 0.0), 0.0), Sphere((3.0, 4.0, 0.0), 0.0), "crossing", 0.0),
        (FIVE, Aabb((3.0, 4.0, 0.0), (9.0, 9.0, 9.0)), "touching", 0.0),
        (FIVE, Plane((0.0, 3.0, 4.0), 25.0), "touching", 0.0),
        (FIVE, Plane((0.0, 3.0, 4.0), 50.0), "apart", 5.0),
        (Sphere((1e300, 0.0, 0.0), 1e300), Sphere((-1e300, 0.0, 0.0), 1e300), "touching", 0.0),
        (Sphere((1e300, 5e-324, 0.0), 1e300), Sphere((-1e300, 0.0, 0.0), 1e300), "apart", None),
        (Sphere((0.0, 0.0, 0.0), 5e-324), Sphere((1e-323, 0.0, 0.0), 5e-324), "touching", 0.0),
    ],
)
def test_hand_made_case(probe, primitive, state, distance):
    assert exact.relation(probe, primitive).state == state
    if distance is not None:
        assert exact.distance(probe, primitive) == pytest.approx(distance, rel=1e-12, abs=0.0)
    elif state == "apart":
        assert exact.distance(probe, primitive) > 0


def test_a_sphere_is_in_front_of_a_plane_behind_it_or_on_both_sides():
    sides = [exact.relation(FIVE, Plane((0.0, 0.0, 2.0), offset)).side for offset in (-20.0, -10.0, 0.0, 10.0)]
    assert sides == ["front", "front", "both", "back"]


def test_a_probe_against_a_sphere_without_radius_is_one_against_its_point():
    point = Polyhedron(vertices=[(3.0, 4.0, 0.0)])
    for probe in (Ray((0.0, 0.0, 0.0), (3.0, 4.0, 0.0)), Point((3.0, 4.0, 0.0)), UNIT):
        assert exact.relation(probe, Sphere((3.0, 4.0, 0.0), 0.0)) == exact.relation(probe, point)


def test_a_sphere_without_radius_has_a_surface_and_no_vertex():
    dot, through = Sphere((0.0, 0.0, 0.0), 0.0), Segment((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    for probe in (Point(dot.center), through, Ray(dot.center, (1.0, 0.0, 0.0))):
        assert exact.witness(probe, dot).feature == "surface"
    assert exact.witness(Point((0.0, 2.0, 0.0)), dot).primitive == "surface"
    apart = exact.witness(dot, Sphere((3.0, 0.0, 0.0), 1.0))
    assert (apart.probe, apart.primitive) == ("surface", "surface")


@pytest.mark.parametrize("kind", ["aabb", "capsule", "obb", "parallelepiped", "plane", "polyhedron", "triangle"])
def test_nearest_points_of_a_sphere_and_a_primitive(kind):
    for seed in range(SEEDS.get(kind, 80)):
        sphere, primitive = cases.round_pair(f"sphere_{kind}", seed)
        found = exact.nearest(sphere, primitive)
        assert (found is None) == exact.meet(sphere, primitive)
        if found is not None and max(map(abs, (*found[0], *found[1]))) < 1e150:
            on_sphere, on_primitive = found
            size = max(map(abs, (*on_sphere, *on_primitive, *sphere.center)))
            assert math.dist(*found) == pytest.approx(
                exact.distance(sphere, primitive), rel=1e-9, abs=1e-14 * size
            )
            assert math.dist(on_sphere, sphere.center) == pytest.approx(sphere.radius, rel=1e-9, abs=1e-14 * size)


def test_the_witness_of_two_spheres_is_the_line_of_their_centers():
    apart = exact.witness(FIVE, Sphere((20.0, 0.0, 0.0), 5.0))
    assert (apart.kind, apart.probe, apart.primitive, apart.gap) == ("nearest points", "surface", "surface", 10.0)
    overlapping = Sphere((6.0, 0.0, 0.0), 2.0)
    assert exact.witness(FIVE, overlapping).gap == -1.0
    assert exact.way_out(FIVE, overlapping)[0] == 1.0
    assert exact.witness(FIVE, FIVE) is None and exact.way_out(FIVE, FIVE)[0] == 10.0
    box = Aabb((4.0, -1.0, -1.0), (9.0, 1.0, 1.0))
    assert exact.witness(FIVE, box).primitive == "face -x" and exact.way_out(FIVE, box)[0] == 1.0
    within = Aabb((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    assert exact.way_out(FIVE, within)[0] == 6.0
    shadows = exact.shadows(FIVE, Aabb((9.0, 0.0, 0.0), (10.0, 1.0, 1.0)), (-2, 0, 0))
    assert shadows == (False, (-5.0, 5.0), (-10.0, -9.0), 4.0)


def test_a_sphere_contains_what_is_within_its_radius_and_lies_in_what_holds_it():
    inside, corner = Aabb((-3.0, -4.0, 0.0), (3.0, 4.0, 0.0)), Aabb((-3.0, -4.0, 0.0), (3.0, 4.0, 5e-324))
    assert exact.contains(FIVE, inside) and not exact.contains(FIVE, corner)
    assert exact.contains(Aabb((-5.0,) * 3, (5.0,) * 3), FIVE) and not exact.contains(inside, FIVE)
    assert exact.contains(FIVE, Sphere((1.0, 0.0, 0.0), 4.0)) and not exact.contains(
        Sphere((1.0, 0.0, 0.0), 4.0), FIVE
    )
    assert exact.contains_point(FIVE, (Fraction(3), Fraction(4), Fraction(0)))
    assert not exact.contains_point(FIVE, (Fraction(3), Fraction(4), Fraction(1, 10**50)))


def test_what_a_sphere_is():
    lo, hi = bounds_of(Sphere((1.0, 2.0, 3.0), 2.0))
    assert (lo == pytest.approx((-1.0, 0.0, 1.0))) and (hi == pytest.approx((3.0, 4.0, 5.0)))
    assert is_degenerate(Sphere((1.0, 2.0, 3.0), 0.0)) and not is_degenerate(UNIT)
    assert feature_name(UNIT, 0) == "surface"
    with pytest.raises(HitscopeError, match=r"^Sphere: radius: expected a number >= 0, found -1.0$"):
        Sphere((0, 0, 0), -1.0)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((kind, name) for kind in ("segment", "ray", "line") for name in of_pair(f"{kind}_sphere")),
        *(("point", name) for name in of_pair("point_sphere")),
    ],
)
def test_methods_are_right_but_within_rounding_of_the_surface(kind, name):
    method, verdicts = of_pair(f"{kind}_sphere")[name], []
    for generator, seed in product(("uniform", "integer_grid", "engine"), range(30)):
        probe, sphere = generate(generator, f"{kind}_sphere", seed)
        if kind != "point" and not any(exact.linear_probe(probe).direction):
            continue
        squared = oracle.squared_distance(Point(sphere.center), probe)
        size = max(map(abs, numbers_of(probe) + numbers_of(sphere)))
        difference = abs(squared - Fraction(sphere.radius) ** 2)
        if difference <= Fraction(size) ** 2 / 10**9:
            continue
        hit = squared < Fraction(sphere.radius) ** 2
        assert method.hit(probe, sphere) == hit, (probe, sphere)
        verdicts.append(hit)
        if hit and "t_enter" in method.parts and name != "exact":
            found, truth = method(probe, sphere), exact.relation(probe, sphere)
            ends = (found.t_enter, truth.t_enter), (found.t_exit, truth.t_exit)
            reach = size / math.hypot(*linear(probe).direction)
            assert all(a == exact.rounded(b) or abs(a - exact.rounded(b)) < 1e-4 * reach for a, b in ends)
    assert sum(verdicts) > 5 and len(verdicts) - sum(verdicts) > 5


FAR = Ray((-4000.0, 1.05, 0.0), (1.0, 0.0, 0.0))
PASSING_BY = Ray(
    (-621627410.6998149, 544321902.3825705, -177946427.02019218),
    (0.7354751008967337, -0.6440115065380442, 0.21053635174842839),
)
PASSING_THROUGH = Ray(
    (108822367.70823872, -11550122.684434548, 96680782.76161623),
    (-0.7452383068149556, 0.07909764949017065, -0.6620901961973974),
)


@pytest.mark.parametrize("name", [name for name in of_pair("ray_sphere") if name != "exact"])
def test_a_sphere_far_from_the_origin_is_hit_and_missed_wrongly_by_the_methods_that_say_so(name):
    method = of_pair("ray_sphere")[name]
    says_so = any("far from a small sphere" in words for words in method.deviations)
    assert says_so == (name in ("quadratic", "stable_roots", "geometric"))
    assert method.in_float32(FAR, UNIT)[0] == says_so if method.parts else not method.in_float32(FAR, UNIT)
    assert not method.hit(FAR, UNIT)
    assert [exact.meet(ray, UNIT) for ray in (PASSING_BY, PASSING_THROUGH)] == [False, True]
    assert [method.hit(ray, UNIT) for ray in (PASSING_BY, PASSING_THROUGH)] == [says_so, not says_so]


def test_stable_roots_keep_the_digits_of_a_t_that_the_quadratic_loses():
    probe = Ray((-1.0 - 2.0**-20, 0.0, 0.0), (3.0, 1.0, 0.0))
    t = exact.rounded(exact.relation(probe, UNIT).t_enter)
    errors = {name: abs(of_pair("ray_sphere")[name](probe, UNIT).t_enter / t - 1) for name in ROOTS}
    assert errors["stable_roots"] < 1e-15 and errors["haines"] < 1e-15
    assert errors["quadratic"] > 1e-11


def test_t_near_the_surface_has_few_right_digits_by_every_method():
    random, worst = Random(1), dict.fromkeys(ROOTS, 0.0)
    for _ in range(200):
        outward = [random.gauss(0, 1) for _ in range(3)]
        origin = tuple(x / math.hypot(*outward) * (1 + 1e-9) for x in outward)
        probe = Ray(origin, tuple(-x + random.gauss(0, 0.5) for x in origin))
        t = exact.relation(probe, UNIT).t_enter
        for name in ROOTS if t else ():
            found = of_pair("ray_sphere")[name](probe, UNIT)
            if found.hit:
                worst[name] = max(worst[name], abs(found.t_enter / exact.rounded(t) - 1))
    assert all(1e-8 < error < 1e-5 for error in worst.values()), worst


def test_roots_are_compared_without_rounding():
    random = Random(5)
    for _ in range(2000):
        numbers = [Fraction(random.randint(-4, 4), random.randint(1, 3)) for _ in range(4)]
        x = Root(numbers[0], numbers[1], random.randint(0, 9))
        y = Root(numbers[2], numbers[3], random.choice((random.randint(0, 9), x.d)))
        with localcontext(prec=60):
            a, b = (decimal(each.a) + decimal(each.b) * decimal(Fraction(each.d)).sqrt() for each in (x, y))
            difference = a - b
        expected = 0 if abs(difference) < Decimal("1e-50") else 1 if difference > 0 else -1
        assert compared(x, y) == expected and compared(y, x) == -expected
        assert abs(decimal(x.approximated()) - a) < Decimal("1e-20")


@pytest.mark.parametrize("scale", [1, Fraction(1, 1 << 520), Fraction(1, 1 << 1100), 1 << 900, 1 << 2200])
def test_roots_that_floats_cannot_tell_apart(scale):
    """Roots and rational numbers beside them, from 2 ** -44 of them to 2 ** -300."""
    random = Random(7)
    for _ in range(200):
        a, b, d = (Fraction(random.uniform(0.5, 2)) for _ in range(3))
        sign, way, near = (random.choice((-1, 1)) for _ in range(3))
        root = Root(way * a * scale, sign * b * scale, d)
        with localcontext(prec=400):
            value = way * a + sign * b * Fraction((Decimal(d.numerator) / d.denominator).sqrt())
        beside = Root(value * scale * (1 + near * Fraction(1, 1 << random.randint(44, 300))))
        expected = -near if value > 0 else near
        assert compared(root, beside) == expected and compared(beside, root) == -expected


@pytest.mark.parametrize("exponent", [-1080, -1030, -500, -3, 0, 60, 1000])
def test_a_root_beside_the_middle_of_two_floats_is_rounded_to_the_nearer_one(exponent):
    random = Random(exponent)
    for n in range(40, 3200, 160):
        low = random.randint(1 << 52, 1 << 53) * 2.0 ** (exponent - 52)
        high = math.nextafter(low, math.inf)
        middle, more = (Fraction(low) + Fraction(high)) / 2, Fraction(random.randint(1, 1 << 20), 3)
        least = Fraction(1, 1 << 54 - min(exponent, 0)) / (1 << n)
        for sign, nearest in ((-1, low), (1, high)):
            for root in (
                Root(middle, sign, 2 * least**2),
                Root(-more, 1, (more + middle) ** 2 + sign * least),
                Root(more + 2 * middle, -1, (more + middle) ** 2 - sign * least),
            ):
                assert exact.rounded(root.approximated()) == nearest, (n, sign)


def test_a_tiny_sphere_in_the_middle_of_two_floats_is_entered_before_and_left_after_it():
    ray, center = Ray((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)), (2.0**-53, 5e-324, 0.0)
    found = exact.relation(ray, Sphere(center, 1e-320))
    assert [exact.rounded(t) for t in (found.t_enter, found.t_exit)] == [1.0, 1.0 + 2.0**-52]
    assert intersect(ray, Sphere((0.0, 2e-310, 1e-310), 5e-310)).point == (-(20**0.5) * 1e-310, 0.0, 0.0)


def test_no_linear_shape_is_round():
    assert all(not is_linear(kind.example) for kind in KINDS.values() if kind.core)
    assert exact.is_bounded(UNIT) and not exact.is_plane(UNIT)
    assert not exact.are_in_a_plane(UNIT, Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
