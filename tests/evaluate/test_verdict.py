"""`intersect`, its arguments and its verdict."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hitscope import Aabb, HitscopeError, Obb, Plane, Point, Polyhedron, Segment, Triangle, intersect

BOX = Aabb((0, 0, 0), (1, 1, 1))
HIT, MISS = Segment((-1, 0.5, 0.5), (2, 0.5, 0.5)), Segment((-1, 5, 5), (2, 5, 5))
TRIANGLE = Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0))
ABOVE = Point((0.25, 0.25, 0.125))


def test_a_verdict_is_true_where_it_is_a_hit() -> None:
    assert intersect(HIT, BOX)
    assert not intersect(MISS, BOX)
    assert not intersect(ABOVE, TRIANGLE)


REFUSED: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("x", BOX), {}, "intersect: probe: expected a probe (Point, Segment, "),
    ((HIT, None), {}, "intersect: primitive: expected a primitive (Aabb, "),
    ((HIT, (BOX.lo, BOX.hi)), {}, "intersect: primitive: expected a primitive (Aabb, "),
    ((HIT, Aabb), {}, "intersect: primitive: expected a primitive (Aabb, "),
    ((BOX, HIT), {}, "intersect: primitive: expected a primitive (Aabb, "),
    ((Plane((0, 0, 1), 0), BOX), {}, "intersect: probe: expected a probe (Point, "),
    ((HIT, BOX, "slap"), {}, "intersect: method: expected a method of segment_aabb (exact, "),
    ((HIT, BOX, 3), {}, "intersect: method: expected the name of a method, found 3"),
    ((HIT, BOX), {"name": "exact"}, "intersect: name: expected an argument of exact (there is none)"),
    ((HIT, BOX), {"tolerance": 1}, "intersect: tolerance: expected an argument of exact (there is none)"),
    (
        (HIT, BOX, "slab_ericson"),
        {"epsilon": -1},
        "intersect: epsilon: expected a tolerance of at least 0, found -1",
    ),
    *(
        ((ABOVE, TRIANGLE, "barycentric_point"), {"thickness": value}, f"intersect: thickness: expected {words}")
        for value, words in (
            (math.nan, "a finite number, found nan"),
            (math.inf, "a finite number, found inf"),
            (np.float32("nan"), "a finite number, found nan"),
            (10**400, "a number within the range of float64"),
            ("1", 'a number, found "1"'),
            (True, "a number, found true"),
            (1j, "a number, found 1j"),
            ([1], "a number, found [1]"),
        )
    ),
]


@pytest.mark.parametrize(("shapes", "arguments", "message"), REFUSED, ids=str)
def test_what_intersect_cannot_take_is_refused_with_the_arguments_name(
    shapes: tuple[Any, ...], arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(HitscopeError) as caught:
        intersect(*shapes, **arguments)
    assert str(caught.value).startswith(message)
    assert "$" not in str(caught.value)


def test_a_named_argument_is_any_real_number() -> None:
    for value in (0.25, np.float32(0.25), Fraction(1, 4), 1):
        assert intersect(ABOVE, TRIANGLE, "barycentric_point", thickness=value).hit
    assert not intersect(ABOVE, TRIANGLE, "barycentric_point", thickness=np.float64(0.01))


def test_shapes_in_fractions_and_ints_are_judged_as_float64() -> None:
    third = Fraction(1, 3)
    found = intersect(Segment((-1, third, third), (2, third, third)), BOX)
    assert found.shapes[0] == Segment((-1.0, 1 / 3, 1 / 3), (2.0, 1 / 3, 1 / 3))
    assert isinstance(found.t_enter, float)
    with pytest.raises(HitscopeError, match=r"^Plane: normal: expected a vector other than zero"):
        intersect(HIT, Plane._make(((0, 0, Fraction(1, 10**400)), 0)))


def test_clip_faces_is_never_given_an_empty_polyhedron() -> None:
    for planes in ((), (((1, 0, 0), -1), ((-1, 0, 0), -1))):
        with pytest.raises(HitscopeError, match=r"^Polyhedron: "):
            intersect(BOX, Polyhedron(planes=planes), "clip_faces")


def test_a_box_of_arrays_is_judged() -> None:
    box = Obb(np.zeros(3), np.ones(3), np.eye(3))
    assert intersect(HIT, box).t_enter == 0.0
