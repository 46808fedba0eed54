"""What decides a pair, in words."""

import pytest

from hitscope.evaluate import intersect
from hitscope.geometry.shapes import Aabb, Line, Obb, Plane, Point, Ray, Segment, Triangle
from hitscope.viewer.panels.pair_details import Decider, answered_length, decider_of

UNIT = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
TRIANGLE = Triangle((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))
QUARTER = ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


@pytest.mark.parametrize(
    "probe, primitive, said",
    [
        (
            Ray((-1.0, 0.5, 0.5), (1.0, 0.0, 0.0)),
            UNIT,
            Decider("face −x", "ray enters aabb through its face −x"),
        ),
        (
            Ray((-1.0, -1.0, 0.5), (1.0, 1.0, 0.0)),
            UNIT,
            Decider("edge −x −y", "ray enters aabb through its edge −x −y"),
        ),
        (
            Ray((0.5, 0.5, 0.5), (1.0, 0.0, 0.0)),
            UNIT,
            Decider("interior", "ray starts in the interior of aabb"),
        ),
        (
            Ray((0.0, 0.5, 0.5), (1.0, 0.0, 0.0)),
            UNIT,
            Decider("face −x", "ray starts on the face −x of aabb"),
        ),
        (
            Segment((1.0, 1.0, 1.0), (1.0, 1.0, -1.0)),
            TRIANGLE,
            Decider("interior", "segment enters triangle through its interior"),
        ),
        (
            Point((1.0, 1.0, 1.0)),
            UNIT,
            Decider("vertex +x +y +z", "point lies on the vertex +x +y +z of aabb"),
        ),
        (
            Segment((3.0, 0.5, 0.5), (4.0, 0.5, 0.5)),
            UNIT,
            Decider("face +x of aabb", "separated along the normal of aabb's face +x", "gap", 2.0),
        ),
        (
            Line((3.0, 0.0, 0.5), (-1.0, -1.0, 0.0)),
            Obb((0.5, 0.5, 0.5), (0.5, 0.5, 0.5), QUARTER),
            Decider(
                "direction × edge z",
                "separated along the cross product of line's direction and obb's edge z",
                "gap",
                2**0.5,
            ),
        ),
        (
            Segment((4.0, 2.0, 0.0), (6.0, 2.0, 0.0)),
            TRIANGLE,
            Decider(
                "start ↔ edge 1-2",
                "separated along the line between the nearest points, segment's start and triangle's edge 1-2",
                "gap",
                2**0.5,
            ),
        ),
        (
            Aabb((0.75, 0.0, 0.0), (2.0, 1.0, 1.0)),
            UNIT,
            Decider("face +x of aabb", "overlapping least along the normal of aabb's face +x", "overlap", 0.25),
        ),
        (Line((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)), Plane((0.0, 1.0, 0.0), 1.0), None),
    ],
)
def test_the_feature_that_decides_a_pair_is_named(probe, primitive, said):
    assert decider_of(intersect(probe, primitive)) == said


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
