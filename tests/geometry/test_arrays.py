"""Shapes in arrays: what goes in comes out, number for number."""

import numpy as np
import pytest

from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.shapes import Aabb, Obb, Plane, Ray, Triangle

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
