"""What the constructors of shapes refuse, and what they make of the numbers that they take."""

import copy
import inspect
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hitscope import HitscopeError
from hitscope.geometry.shapes import (
    PRIMITIVES,
    PROBES,
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
    in_floats,
    rational,
)

ORIGIN, X, Y, Z = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
AXES = (X, Y, Z)
SHAPES: list[Any] = [
    Point(ORIGIN),
    Segment(ORIGIN, X),
    Ray(ORIGIN, X),
    Line(ORIGIN, X),
    Triangle(ORIGIN, X, Y),
    Aabb(ORIGIN, X),
    Obb(ORIGIN, X, AXES),
    Parallelepiped(ORIGIN, AXES),
    Plane(X, 1.0),
    Polyhedron(planes=(Plane(X, 1.0),)),
    Polyhedron(vertices=(ORIGIN, X)),
]
NAN = math.nan
BIG = 10**400
NO_NUMBER = "expected a number, found"
REFUSED: list[tuple[Any, tuple[Any, ...], str]] = [
    (Aabb, (ORIGIN, (1.0, -1.0, 1.0)), "Aabb: hi[1]: expected a number >= lo[1] = 0.0, found -1.0"),
    (Aabb, ((0.0, NAN, 0.0), X), "Aabb: lo[1]: expected a finite number, found nan"),
    (Aabb, (ORIGIN, (0.0, math.inf, 0.0)), "Aabb: hi[1]: expected a finite number, found inf"),
    (Aabb, (ORIGIN, (0.0, 1.0)), "Aabb: hi: expected an array of length 3, found [0.0, 1.0]"),
    (Segment, (ORIGIN, "abc"), 'Segment: end: expected an array, found "abc"'),
    (Segment, (ORIGIN, None), "Segment: end: expected an array, found null"),
    (Segment, (ORIGIN, {1, 2, 3}), "Segment: end: expected an array, found {1, 2, 3}"),
    (Segment, (ORIGIN, np.array(1.0)), "Segment: end: expected an array, found 1.0"),
    (Ray, (ORIGIN, (0.0, True, 0.0)), f"Ray: direction[1]: {NO_NUMBER} true"),
    (Ray, (ORIGIN, (0.0, np.True_, 0.0)), f"Ray: direction[1]: {NO_NUMBER} True"),
    (Line, (ORIGIN, (0.0, "1", 0.0)), f'Line: direction[1]: {NO_NUMBER} "1"'),
    (Point, ((1j, 0.0, 0.0),), f"Point: position[0]: {NO_NUMBER} 1j"),
    (Point, ((0.0, BIG, 0.0),), "Point: position[1]: expected a number within the range of float64"),
    (Point, ((0.0, Fraction(BIG, 3), 0.0),), "Point: position[1]: expected a number within the range of float64"),
    (
        Point,
        ((0.0, 10**9999, 0.0),),
        "Point: position[1]: expected a number within the range of float64",
    ),
    (Point, ((Decimal("1e999"), 0, 0),), "Point: position[0]: expected a number within the range of float64"),
    (Point, ((Decimal("sNaN"), 0, 0),), "Point: position[0]: expected a finite number, found sNaN"),
    (Point, (np.float32([0, 0, NAN]),), "Point: position[2]: expected a finite number, found nan"),
    (Triangle, (ORIGIN, X, np.zeros((3, 3))), "Triangle: c[0]: expected a number, found [0. 0. 0.]"),
    (Obb, (ORIGIN, (1.0, 1.0, -1.0), AXES), "Obb: half_extents[2]: expected a number >= 0, found -1.0"),
    (Obb, (ORIGIN, X, (X, Y, (0.0, 0.0, 1.1))), "Obb: axes: expected three unit rows at right angles"),
    (Obb, (ORIGIN, X, (X, Y, (0, 0, 10**300))), "Obb: axes: expected three unit rows at right angles"),
    (Obb, (ORIGIN, X, (X, Y)), "Obb: axes: expected an array of length 3"),
    (Parallelepiped, (ORIGIN, (X, Y, (0.0, 0.0, NAN))), "Parallelepiped: edges[2][2]: expected a finite number"),
    (Plane, (ORIGIN, 1.0), "Plane: normal: expected a vector other than zero, found [0, 0, 0]"),
    (Plane, (X, NAN), "Plane: offset: expected a finite number, found nan"),
    (Plane, (X, [1]), "Plane: offset: expected a number, found [1]"),
    (Polyhedron, (), "Polyhedron: expected either planes or vertices, found neither"),
    (Polyhedron, ([], []), "Polyhedron: expected either planes or vertices, found neither"),
    (
        Polyhedron,
        ([(X, 1.0)], [ORIGIN]),
        "Polyhedron: expected either planes or vertices, found planes and vertices",
    ),
    (
        Polyhedron,
        ([(X, -1.0), ((-1.0, 0.0, 0.0), -1.0)],),
        "Polyhedron: planes: expected half-spaces with",
    ),
    (Polyhedron, ([(ORIGIN, -1.0)],), "Polyhedron: planes[0].normal: expected a vector other than zero"),
    (Polyhedron, ([(X, NAN)],), "Polyhedron: planes[0].offset: expected a finite number, found nan"),
    (Polyhedron, ([(X,)],), "Polyhedron: planes[0]: expected an array of length 2"),
    (Polyhedron, ([3],), "Polyhedron: planes[0]: expected an array, found 3"),
    (Polyhedron, ((), [(0.0, 0.0, "z")]), 'Polyhedron: vertices[0][2]: expected a number, found "z"'),
]


@pytest.mark.parametrize(("kind", "values", "message"), REFUSED, ids=[message for *_, message in REFUSED])
def test_a_shape_is_refused_with_its_name_and_field(kind: Any, values: tuple[Any, ...], message: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        kind(*values)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value) and "$" not in str(caught.value)
    with pytest.raises(HitscopeError) as named:
        kind(**dict(zip(kind._fields, values, strict=False)))
    assert str(named.value) == str(caught.value)


def test_numbers_of_any_real_type_and_any_sequences_are_taken() -> None:
    assert Aabb(np.zeros(3), np.ones(3, np.float32)) == Aabb([0, 0, 0], [1, 1, 1])
    assert repr(Point((np.float32(0.5), np.int8(2), Decimal("0.25")))) == "Point(position=(0.5, 2.0, 0.25))"
    assert repr(Triangle(*np.eye(3))) == repr(Triangle(*AXES))
    assert Obb(np.zeros(3), np.ones(3), np.eye(3)).axes == AXES
    assert Polyhedron(planes=[(np.array(X), 1)]).planes == (Plane(X, 1),)
    assert hash(Polyhedron(vertices=np.eye(3))) == hash(Polyhedron(vertices=AXES))


def test_ints_and_fractions_stay_what_they_are() -> None:
    third = Fraction(1, 3)
    assert repr(Point((third, 2, 0)).position) == repr((third, 2, 0))
    for shape in SHAPES:
        exact = rational(shape)
        assert type(exact) is type(shape)
        assert "Fraction" in repr(exact)
        assert repr(in_floats(exact)) == repr(shape)
        assert repr(type(exact)(*exact)) == repr(exact), "the constructor keeps fractions"


def test_degenerate_shapes_are_legal() -> None:
    Aabb(ORIGIN, ORIGIN)
    Obb(ORIGIN, ORIGIN, AXES)
    Obb(ORIGIN, ORIGIN, (X, Y, (0.0, 0.0, -1.0)))
    Segment(ORIGIN, ORIGIN)
    Ray(ORIGIN, ORIGIN)
    Line(ORIGIN, ORIGIN)
    Triangle(ORIGIN, ORIGIN, ORIGIN)
    Parallelepiped(ORIGIN, (ORIGIN, ORIGIN, ORIGIN))
    Polyhedron(vertices=(ORIGIN,))
    Polyhedron(planes=((X, 0.0), ((-1.0, 0.0, 0.0), 0.0)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_checked_shape_is_still_a_named_tuple(shape: Any) -> None:
    kind = type(shape)
    assert tuple(inspect.signature(kind).parameters) == kind._fields == kind.__match_args__
    assert kind in {*PROBES.values(), *PRIMITIVES.values()}
    for made in (
        kind._make(shape),
        kind(**shape._asdict()),
        shape._replace(),
        copy.copy(shape),
        copy.deepcopy(shape),
        *(pickle.loads(pickle.dumps(shape, protocol)) for protocol in range(2, 6)),
    ):
        assert type(made) is kind
        assert (repr(made), hash(made)) == (repr(shape), hash(shape))


def test_a_replaced_field_is_checked() -> None:
    assert Aabb(ORIGIN, X)._replace(hi=Z) == Aabb(ORIGIN, Z)
    with pytest.raises(HitscopeError, match=r"^Aabb: hi\[0\]: expected a number >= lo\[0\]"):
        Aabb(ORIGIN, X)._replace(hi=(-1, 0, 0))


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        ((ORIGIN,), {}, "Aabb: hi: expected a value, found none"),
        ((), {}, "Aabb: lo: expected a value, found none"),
        ((), {"hi": X}, "Aabb: lo: expected a value, found none"),
        ((ORIGIN, X, Y), {}, "Aabb: expected lo, hi, found 3 values"),
        ((ORIGIN,), {"lo": ORIGIN}, "Aabb: lo: expected one value, found two"),
        ((ORIGIN,), {"high": X}, 'Aabb: high: expected a field (lo, hi), found "high" (did you mean "hi"?)'),
    ],
)
def test_a_missing_or_unknown_field_is_named(values: Any, named: Any, message: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        Aabb(*values, **named)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("kind", "values", "hint"),
    [
        (Aabb, (X, ORIGIN), "(are lo and hi exchanged?)"),
        (Plane, (1.0, X), "(are normal and offset exchanged?)"),
        (Obb, (ORIGIN, AXES, X), "(are half_extents and axes exchanged?)"),
        (Parallelepiped, (AXES, ORIGIN), "(are origin and edges exchanged?)"),
        (Polyhedron, ([ORIGIN, X], [(X, 1.0)]), ""),
        (Aabb, ((0, 0, 0), (1, -1, 0)), ""),
        (Ray, (ORIGIN, "x"), ""),
    ],
)
def test_fields_in_each_others_places_are_recognised(kind: Any, values: Any, hint: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        kind(*values)
    assert str(caught.value).endswith(hint) and ("exchanged" in str(caught.value)) == bool(hint)
