"""`hitscope.hits`: the verdicts on n pairs."""

import pytest

import hitscope
from hitscope import Aabb, HitscopeError, Plane, Point, Polyhedron, Ray, Segment, Triangle
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.group import THRESHOLDS

BOX = Aabb((0, 0, 0), (1, 1, 1))
SEGMENTS = [Segment((-1, y, 0.5), (2, y, 0.5)) for y in (0.5, 1.0, 1.5)]


def test_shapes_of_several_types_are_decided_in_their_order():
    cube = Polyhedron(vertices=tuple((x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)))
    probes = [SEGMENTS[0], Point((5, 5, 5)), SEGMENTS[2], Ray((0.25, 0.25, -1), (0, 0, 1))]
    primitives = [BOX, Plane((0, 0, 1), 5), cube, Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0))]
    assert hitscope.hits(probes, primitives).tolist() == [True, True, False, True]


@pytest.mark.parametrize("method", ["exact", "slab_intervals"])
@pytest.mark.parametrize(
    "times",
    [
        pytest.param(1, id="not compiled"),
        pytest.param(THRESHOLDS.compile_pairs // 3 + 1, id="compiled", marks=pytest.mark.thorough),
    ],
)
def test_lists_and_arrays_give_the_same(method, times):
    expected = [hitscope.intersect(segment, BOX, method).hit for segment in SEGMENTS] * times
    segments, boxes = SEGMENTS * times, [BOX] * 3 * times
    assert hitscope.hits(segments, boxes, method).tolist() == expected
    assert hitscope.hits(Shapes.of(segments), Shapes.of(boxes), method).tolist() == expected


def test_no_pairs_are_no_verdicts():
    assert hitscope.hits([], []).tolist() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SEGMENTS, [BOX]), "hits: primitives: expected as many as probes (3), found 1"),
        (([SEGMENTS[0], BOX, 7], [BOX] * 3), "hits: probes[2]: expected a probe (Point"),
        ((SEGMENTS[:1], [SEGMENTS[0]]), "hits: primitives[0]: expected a primitive (Aabb"),
        ((SEGMENTS[:1], [BOX], "slab"), "hits: method: expected a method of segment_aabb"),
    ],
)
def test_other_arguments_are_refused(arguments, message):
    with pytest.raises(HitscopeError) as caught:
        hitscope.hits(*arguments)
    assert str(caught.value).startswith(message)
