"""The float64 point for an exact one is the same point, or the nearest that is accepted."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from hitscope.geometry.exact import meet
from hitscope.geometry.exact.float64_points import (
    float64_point,
    last_accepted,
    of_ordinal,
    ordinal,
    rounding_error,
)
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Obb, Point, Segment
from hitscope.scene.checked_shapes import axes_from_euler

THIRD = Fraction(1, 3)


def squared(point, exact):
    return sum((Fraction(value) - coordinate) ** 2 for value, coordinate in zip(point, exact, strict=True))


def accept_all(point):
    return True


def random_obbs(count):
    random = Random("obbs")
    for _ in range(count):
        center, extents, angles = (
            [random.uniform(a, b) for _ in "xyz"] for a, b in ((-9, 9), (0.1, 3), (-180, 180))
        )
        yield Obb(tuple(center), tuple(extents), axes_from_euler(tuple(angles)))


def test_a_point_that_float64_has_is_returned_as_it_is():
    exact = (Fraction(1, 2), Fraction(0.1), Fraction(0))
    assert float64_point(exact, accept_all) == ((0.5, 0.1, 0.0), 0.0, True)


def test_another_is_rounded_and_its_error_returned():
    point, distance, accepted = float64_point((THIRD, Fraction(0), Fraction(2)), accept_all)
    assert point == (1 / 3, 0.0, 2.0) and accepted
    assert distance == float(abs(Fraction(1 / 3) - THIRD)) > 0


def test_a_distance_too_small_for_float64_is_not_zero():
    assert rounding_error((0.0, 0.0, 0.0), (Fraction(1, 2**3000), Fraction(0), Fraction(0))) == 5e-324


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_accepted_is_taken(seed):
    random = Random(seed)
    exact = tuple(
        Fraction(random.uniform(0.5, 0.99)) + Fraction(random.randrange(1, 99), 100 * 2**60) for _ in "xyz"
    )
    taken = {tuple(random.choice((0, 1)) for _ in "xyz") for _ in range(3)}
    sides = [
        (f, math.nextafter(f, math.inf)) if f < c else (math.nextafter(f, -math.inf), f)
        for c in exact
        for f in [float(c)]
    ]
    corners = {tuple(side[bit] for side, bit in zip(sides, bits, strict=True)) for bits in taken}
    found = float64_point(exact, lambda point: point in corners)
    assert found.accepted
    assert squared(found.point, exact) == min(squared(corner, exact) for corner in corners)


def test_farther_points_follow_where_the_nearest_are_not_accepted():
    wanted = 1 / 3 + 3 * math.ulp(1 / 3)
    found = float64_point((THIRD, Fraction(0), Fraction(0)), lambda point: point == (wanted, 0.0, 0.0))
    assert found.point == (wanted, 0.0, 0.0) and found.accepted
    assert found.error == rounding_error(found.point, (THIRD, Fraction(0), Fraction(0)))


def test_where_nothing_is_accepted_the_nearest_is_returned_as_not_accepted():
    tried = []
    found = float64_point((THIRD, Fraction(0), Fraction(0)), lambda point: tried.append(point) or False)
    assert found.point == (1 / 3, 0.0, 0.0) and not found.accepted
    assert len(tried) == len(set(tried)), "no point is tried twice"


def test_a_coordinate_that_is_not_free_is_only_rounded():
    found = float64_point((THIRD, THIRD, Fraction(0)), lambda point: point[0] != 1 / 3, free=(False, True, True))
    assert not found.accepted
    found = float64_point((THIRD, THIRD, Fraction(0)), lambda point: point[0] != 1 / 3, free=(True, False, False))
    assert found.accepted and found.point[1:] == (1 / 3, 0.0)


def test_a_point_beyond_float64_is_rounded_to_the_largest_number():
    found = float64_point((Fraction(2) ** 1100, Fraction(0), Fraction(0)), accept_all)
    assert found.point == (1.7976931348623157e308, 0.0, 0.0)


def test_a_segment_that_ends_at_any_corner_of_200_boxes_hits_it_from_the_nearest_float64_point():
    rounding_would_miss = evenly_spaced = 0
    for box in random_obbs(200):
        for x, y, z, w in convex_set(box).vertices:
            exact = Fraction(x, w), Fraction(y, w), Fraction(z, w)
            far = tuple(float(3 * c - 2 * m) for c, m in zip(exact, map(Fraction, box.center), strict=True))

            def hits(point, far=far, box=box):
                return meet(Segment(far, point), box)

            found = float64_point(exact, hits)
            assert found.accepted and hits(found.point)
            assert found.error == rounding_error(found.point, exact)
            nearest = tuple(map(float, exact))
            rounding_would_miss += not hits(nearest)
            assert found.error <= 6 * max(map(math.ulp, nearest))
            if len(set(map(math.ulp, nearest))) == 1:
                evenly_spaced += 1
                around = [(f, math.nextafter(f, math.inf), math.nextafter(f, -math.inf)) for f in nearest]
                nearer = (p for p in product(*around) if squared(p, exact) < squared(found.point, exact))
                assert not any(map(hits, nearer)), "none of the neighbours that are nearer hits"
    assert rounding_would_miss > 100, "without the choice of neighbours many corners are missed"
    assert evenly_spaced > 50


def test_fine_coordinates_are_brought_nearer_than_the_steps_of_the_coarse_one():
    exact = (THIRD, Fraction(1, 3 * 2**40), Fraction(1, 3 * 2**60))
    found = float64_point(exact, lambda point: Fraction(point[0]) > THIRD)
    assert found.point == (math.nextafter(1 / 3, 1), *map(float, exact[1:]))


@pytest.mark.parametrize(("near", "far"), [(-3.0, 5.0), (5.0, -3.0), (-0.0, 1.0), (0.0, -1e300), (1.0, 1.5)])
def test_bisection_ends_at_the_last_before_one_that_is_not_accepted(near, far):
    border = near + (far - near) / 3
    inside = (lambda value: value <= border) if near < far else (lambda value: value >= border)
    last = last_accepted(near, far, inside)
    assert last == border and inside(last) and not inside(math.nextafter(last, far))


@pytest.mark.parametrize("value", [0.0, 5e-324, -5e-324, 1.0, -1.5, 1.7976931348623157e308])
def test_ordinals_count_the_float64(value):
    assert of_ordinal(ordinal(value)) == value
    assert ordinal(math.nextafter(value, -math.inf)) == ordinal(value) - 1
    assert ordinal(-0.0) == ordinal(0.0) == 0


def test_no_float64_point_near_a_slanted_triangle_corner_may_be_in_it():
    box = Obb((0.0, 0.0, 0.0), (1.0, 1.0, 0.0), axes_from_euler((20.0, 30.0, 40.0)))
    x, y, z, w = convex_set(box).vertices[0]
    exact = Fraction(x, w), Fraction(y, w), Fraction(z, w)
    assert not float64_point(exact, lambda point: meet(Point(point), box)).accepted
