"""Shapes in arrays: what goes in comes out, number for number."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hitscope import HitscopeError
from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.shapes import Aabb, Obb, Plane, Point, Polyhedron, Ray, Triangle

AXES = ((0.0, 1.0, 0.0), (-1.0, 0.0, -0.0), (0.0, 0.0, 1.0))
SHAPES = [
    [Aabb((0.0, 1.0, 2.0), (3.0, 4.0, 5.0)), Aabb((-0.0, 1e-300, 2.0), (3.0, 1e300, 5.0))],
    [Obb((0.1, 0.2, 0.3), (1.0, 2.0, 3.0), AXES)],
    [Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))] * 3,
    [Plane((0.0, 1.0, 0.0), 4.0)],
    [Ray((0.0, 1.0, 0.0), (4.0, 5.0, 6.0))],
]


@pytest.mark.parametrize("shapes", SHAPES, ids=lambda shapes: type(shapes[0]).__name__)
def test_shapes_come_back_as_they_were(shapes):
    array = Shapes.of(shapes)
    assert repr(list(array)) == repr([array[i] for i in range(len(array))]) == repr(shapes)
    assert array.rows.shape == (width(type(shapes[0])), len(shapes))


def test_fields_are_laid_out_row_by_row():
    corners = np.arange(12.0).reshape(2, 2, 3)
    boxes = Shapes.from_fields(Aabb, corners[:, 0], corners[:, 1])
    assert list(boxes) == [Aabb((0, 1, 2), (3, 4, 5)), Aabb((6, 7, 8), (9, 10, 11))]
    assert list(boxes[1:]) == [boxes[1]]


def test_what_scenes_share_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        Shapes.of(SHAPES[0]).rows[0, 0] = 7


NAN = float("nan")
X, ZERO = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)
NO_SHAPES: list[tuple[tuple[Any, ...], str]] = [
    ((Ray, [(0, 0, 0)]), "(Ray): expected 2 fields (origin, direction), found 1"),
    ((Ray, [(0, 0, 0)], [(0, 0, NAN)]), "(Ray): direction[0][2]: expected a finite number, found nan"),
    ((Ray, [(0, 0, 0)], [(0, 0, "1")]), "(Ray): direction: expected an array of numbers, (n, 3), found one of"),
    ((Ray, [(0, 0, 0)], [(0, 0)]), "(Ray): direction: expected an array of numbers, (n, 3), found one of"),
    ((Ray, (0, 0, 0), (0, 0, 1)), "(Ray): origin: expected an array of numbers, (n, 3), found one of shape (3,)"),
    (
        (Ray, [(0, 0, 0), (1, 1)], [(0, 0, 1)]),
        "(Ray): origin: expected an array of numbers, (n, 3), found [[0, 0, 0]",
    ),
    (
        (Ray, np.zeros((2, 3)), np.zeros((3, 3))),
        "(Ray): direction: expected as many rows as origin has (2), found 3",
    ),
    (
        (Ray, np.zeros((1, 3), bool), np.zeros((1, 3))),
        "(Ray): origin: expected an array of numbers, (n, 3), found one",
    ),
    (
        (Aabb, np.zeros((2, 3)), [(1, 1, 1), (1, -1, 1)]),
        "(Aabb): hi[1][1]: expected a number >= lo[1] = 0.0, found",
    ),
    (
        (Obb, [(0, 0, 0)], [(1, -1, 1)], [np.eye(3)]),
        "(Obb): half_extents[0][1]: expected a number >= 0, found -1.0",
    ),
    (
        (Obb, [(0, 0, 0)], [(1, 1, 1)], [np.eye(3) * 1e300]),
        "(Obb): axes[0]: expected three unit rows at right angles",
    ),
    ((Plane, [X, ZERO], [1, 2]), "(Plane): normal[1]: expected a vector other than zero, found [0, 0, 0]"),
    (
        (Polyhedron, [X]),
        "(Polyhedron): kind: expected a type of shapes (Point, Segment, Ray, Line, Triangle, Aabb,",
    ),
    (("ray", [X], [X]), "(ray): kind: expected a type of shapes (Point, Segment, Ray, Line, Triangle, Aabb, Obb,"),
]


@pytest.mark.parametrize(("arguments", "message"), NO_SHAPES, ids=[message for _, message in NO_SHAPES])
def test_fields_that_are_no_shapes_are_refused_in_words(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        Shapes.from_fields(*arguments)
    assert str(caught.value).startswith(f"Shapes.from_fields{message}")


def test_arrays_of_any_layout_and_type_are_taken() -> None:
    wide = np.arange(24).reshape(4, 6)
    rays = Shapes.from_fields(
        Ray, np.asfortranarray(wide[:, ::2], dtype=np.float32), wide[::-1, :3].astype(np.int16)
    )
    assert rays[0] == Ray((0, 2, 4), (18, 19, 20))
    assert Shapes.from_fields(Point, [(Fraction(1, 3), Decimal("0.5"), 2)])[0] == Point((1 / 3, 0.5, 2))
    assert len(Shapes.from_fields(Triangle, *np.zeros((3, 0, 3)))) == 0
    assert len(Shapes.from_fields(Obb, np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3, 3)))) == 0


def test_what_is_no_array_of_shapes_is_refused_in_words() -> None:
    for call, message in (
        (lambda: Shapes.of([]), "Shapes.of: shapes: expected shapes of one type (Point, Segment, Ray, Line,"),
        (lambda: Shapes.of([Point(X), Ray(X, X)]), "Shapes.of: shapes: expected shapes of one type (Point,"),
        (lambda: Shapes.of([3]), "Shapes.of: shapes: expected shapes of one type (Point,"),
        (
            lambda: Shapes(Ray, np.zeros((3, 6))),
            "Shapes: rows: expected a C-contiguous array of float64, (6, n), found",
        ),
        (
            lambda: Shapes(Ray, np.zeros((6, 3), np.float32)),
            "Shapes: rows: expected a C-contiguous array of float64",
        ),
        (
            lambda: Shapes(Ray, [[0.0]]),
            "Shapes: rows: expected an array, as `from_fields` makes one, found [[0.0]]",
        ),
    ):
        with pytest.raises(HitscopeError) as caught:
            call()
        assert str(caught.value).startswith(message)
