"""The guide of the search for a boundary, and that the search finds what halving finds."""

import math
from random import Random

import numpy as np
import pytest

from hitscope.geometry.exact import meet
from hitscope.geometry.exact.float64_points import last_accepted
from hitscope.geometry.features.boundary_search import crossing, gap_to, hull_of, last_accepted_near
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
    Triangle,
)
from hitscope.scene.checked_shapes import axes_from_euler


def a_shape(random, kind):
    """A random shape of a type."""

    def vector(size=1.0):
        return tuple(random.uniform(-size, size) for _ in "xyz")

    center, extents = vector(), tuple(random.uniform(0, 1) for _ in "xyz")
    low = vector()
    made = {
        Aabb: Aabb(low, tuple(v + e for v, e in zip(low, extents, strict=True))),
        Obb: Obb(center, extents, axes_from_euler(vector(180))),
        Parallelepiped: Parallelepiped(center, (vector(), vector(), vector())),
        Triangle: Triangle(vector(), vector(), vector()),
        Polyhedron: Polyhedron(vertices=tuple(vector() for _ in range(7))),
        Plane: Plane(vector(), random.uniform(-1, 1)),
        Segment: Segment(vector(), vector()),
        Point: Point(vector()),
    }
    return made[kind]


PROBES = [Aabb, Obb, Parallelepiped, Triangle, Segment, Point]
TARGETS = [Aabb, Obb, Parallelepiped, Triangle, Polyhedron, Plane]


@pytest.mark.parametrize("probe", PROBES)
@pytest.mark.parametrize("target", TARGETS)
def test_shapes_with_a_gap_miss_and_those_with_an_overlap_meet(probe, target):
    random, compared = Random(f"{probe} {target}"), 0
    for _ in range(60):
        a, b = a_shape(random, probe), a_shape(random, target)
        gap_of = gap_to(b)
        assert gap_of
        gap = gap_of(hull_of(a))
        if abs(gap) > 1e-12:
            assert meet(a, b) == (gap < 0)
            compared += 1
    assert compared > 50


def test_what_is_unbounded_has_no_hull_and_but_for_a_plane_no_gap():
    ray, line = Ray((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), Line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    wedge = Polyhedron(planes=(Plane((1.0, 0.0, 0.0), 0.0),))
    assert [hull_of(shape) for shape in (ray, line, wedge)] == [None] * 3
    above = gap_to(Plane((0.0, 2.0, 0.0), 1.0))
    assert gap_to(wedge) is None and above and above(hull_of(Point((0.0, 3.0, 0.0)))) == 2.5


@pytest.mark.parametrize("limit", [0.0, 5e-324, 1e-17, 0.3, -2.5, 1.0, math.pi, -1e300])
@pytest.mark.parametrize("error", [0.0, 1e-16, -1e-12, 0.1, -7.0])
def test_the_last_that_is_accepted_is_found_from_any_guess(limit, error):
    for near, far in ((limit - 3.0 - abs(limit), limit + 5.0 + abs(limit)), (limit + 4.0 + abs(limit), -1e308)):
        tried = []

        def accept(value, near=near, tried=tried):
            tried.append(value)
            return value <= limit if near < limit else value >= limit

        found = last_accepted_near(limit + error, near, far, accept)
        assert found == last_accepted(near, far, accept) == limit
        if error == 0.0:
            assert tried.index(limit) < 3


def test_a_guess_that_is_near_saves_most_of_the_asking():
    tried = []
    limit = 1 / 3

    def accept(value):
        tried.append(value)
        return value <= limit

    assert last_accepted_near(limit + 1e-15, 0.0, 1.0, accept) == limit
    assert len(tried) < 14


def test_the_root_of_a_gap_is_found_in_a_few_steps():
    tried = []

    def gap(value):
        tried.append(value)
        return max(value - 0.7, 2 * (value - 0.65)) * 1e-3

    assert crossing(0.0, 1.0, gap) == pytest.approx(0.65, abs=1e-15) and len(tried) < 20
    assert crossing(1.0, 0.0, lambda value: np.cos(value) - 1e-3 - np.cos(0.2)) == pytest.approx(0.2, abs=0.01)
    assert crossing(0.0, 1.0, lambda _: math.nan) == 0.5
