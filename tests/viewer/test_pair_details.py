"""The lengths that methods answer."""

import pytest

from hitscope.evaluate import intersect
from hitscope.geometry.shapes import Aabb, Point, Segment, Triangle
from hitscope.viewer.panels.pair_panel import answered_length

UNIT = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
TRIANGLE = Triangle((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))
QUARTER = ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


@pytest.mark.parametrize(
    "probe, primitive, method, length",
    [
        (Point((3.0, 0.0, 0.0)), UNIT, "sd_box", ("distance", 2.0)),
        (Aabb((3.0, 0.0, 0.0), (4.0, 1.0, 1.0)), UNIT, "sat15", ("gap", 2.0)),
        (UNIT, UNIT, "sat15", None),
        (Point((3.0, 0.0, 0.0)), UNIT, "exact", None),
        (Segment((3.0, 0.0, 0.0), (4.0, 0.0, 0.0)), UNIT, "exact", None),
    ],
)
def test_a_method_without_a_t_shows_the_length_that_it_answers(probe, primitive, method, length):
    assert answered_length(intersect(probe, primitive, method)) == length
