"""The traits of each type of shape: bounds that hold the shape, and what is degenerate."""

from fractions import Fraction
from math import inf

import pytest

from hitscope.geometry import exact
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.geometry.shapes import (
    COMMON_FORMS,
    T_RANGES,
    Aabb,
    Capsule,
    Frustum,
    Line,
    Linear,
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
from hitscope.geometry.traits import bounds_of, is_degenerate
from hitscope.scene.checked_shapes import axes_from_euler

ORIGIN, X, Y, Z = (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.3)
HALF_SPACES = (Plane((1.0, 2.0, 3.0), 1.0), Plane((-1.0, 0.0, 0.0), 0.1), Plane((0.0, -1.0, 0.0), 0.1))
BOUNDED = [
    Point(X),
    Segment(X, Y),
    Triangle(X, Y, Z),
    Aabb((-0.1, -0.2, -0.3), (0.1, 0.7, 0.3)),
    Obb((0.1, 0.2, 0.3), (1.0, 2.0, 3.0), axes_from_euler((10.0, 20.0, 30.0))),
    Parallelepiped((0.1, 0.2, 0.3), ((1.0, 0.1, 0.0), (-1.0, 0.7, 0.0), (0.0, 0.1, -3.0))),
    Polyhedron(vertices=(ORIGIN, X, Y, Z)),
    Sphere((0.1, 0.2, 0.3), 0.7),
    Capsule((0.1, 0.2, 0.3), (-1.3, 2.0, 0.1), 0.7),
    Polyhedron(planes=(*HALF_SPACES, Plane((0.0, 0.0, -1.0), 0.1))),
    KINDS[Frustum].example,
    *(kind.example for shape, kind in KINDS.items() if issubclass(shape, Wrapped)),
]


@pytest.mark.parametrize("shape", BOUNDED, ids=str)
def test_bounds_hold_every_corner_and_little_more(shape):
    corners = [[Fraction(n, w) for n in p] for *p, w in exact.corners(shape)]
    radius = Fraction(getattr(shape, "radius", 0))
    lo, hi = bounds_of(shape)
    for column, low, high in zip(zip(*corners, strict=True), lo, hi, strict=True):
        least, greatest = min(column) - radius, max(column) + radius
        assert low <= least and greatest <= high
        assert [low, high] == pytest.approx([float(least), float(greatest)], abs=1e-12)


@pytest.mark.parametrize(
    "shape", [Ray(ORIGIN, X), Line(ORIGIN, X), Plane(X, 1.0), Polyhedron(planes=HALF_SPACES)], ids=str
)
def test_bounds_of_what_is_unbounded_are_infinite(shape):
    assert [side.tolist() for side in bounds_of(shape)] == [[-inf] * 3, [inf] * 3]


@pytest.mark.parametrize(
    "shape",
    [
        Segment(X, X),
        Ray(X, ORIGIN),
        Line(X, ORIGIN),
        Triangle(ORIGIN, X, (0.2, 0.0, 0.0)),
        Aabb(ORIGIN, (1.0, 0.0, 1.0)),
        Obb(ORIGIN, (1.0, 0.0, 1.0), axes_from_euler((10.0, 20.0, 30.0))),
        Parallelepiped(ORIGIN, (X, Y, (0.1, 0.2, 0.0))),
        Polyhedron(vertices=(ORIGIN, X, Y)),
        Sphere(X, 0.0),
        Capsule(X, X, 0.0),
        Capsule(X, (2.0, 0.0, 0.0), 0.0),
    ],
    ids=str,
)
def test_shapes_without_length_area_or_volume_are_degenerate(shape):
    assert is_degenerate(shape)


@pytest.mark.parametrize("shape", [*BOUNDED, Ray(ORIGIN, X), Line(ORIGIN, X), Plane(X, 1.0)], ids=str)
def test_other_shapes_are_not_degenerate(shape):
    assert not is_degenerate(shape)


def test_ranges_of_t_are_those_of_the_linear_form():
    assert set(T_RANGES) == set(COMMON_FORMS[Linear])
    for kind, t_range in T_RANGES.items():
        assert COMMON_FORMS[Linear][kind](kind(X, Y))[2:] == t_range


def test_every_type_has_its_traits():
    tested = {type(shape) for shape in BOUNDED} | {Ray, Line, Plane}
    assert tested == set(KINDS), "a bounded shape belongs in BOUNDED, an unbounded one in the lists of the tests"
