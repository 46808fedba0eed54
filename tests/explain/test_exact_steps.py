"""`exact` explains itself by what decides: the entry and the exit, or the axis and the gap."""

from fractions import Fraction
from math import inf
from typing import Any

import pytest

from hitscope.explain import explain
from hitscope.geometry import exact
from hitscope.geometry.registry import choose, pair_of
from hitscope.geometry.shapes import Aabb, Line, Obb, Plane, Point, Polyhedron, Ray, Segment, Sphere, Triangle

BOX = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
BALL = Sphere((0.0, 0.0, 0.0), 1.0)
UNIT_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TRIANGLE = Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
PLANE = Plane((0.0, 0.0, 2.0), 1.0)
HALF_SPACE = Polyhedron((Plane((1.0, 0.0, 0.0), 0.25),))

CROSSING = "hit: crossing, their interiors meet"
TOUCHING = "hit: touching, they have common points, but their interiors do not meet"
COPLANAR, INSIDE = (
    "hit: coplanar, the primitive is flat and the probe lies wholly in its plane",
    "hit: inside, the probe is or starts in the open interior",
)
APART = "miss: apart, no common point"
THIRD = Fraction(1, 3)

CASES: dict[str, Any] = {
    "a segment through a box": (
        Segment((-1.0, 0.5, 0.5), (2.0, 0.5, 0.5)),
        BOX,
        ["the probe enters the primitive through its face -x", "the probe leaves", CROSSING],
        {"feature": "face -x", "t_enter": THIRD, "normal": (-1, 0, 0), "t_exit": 2 * THIRD, "state": "crossing"},
    ),
    "a segment along an edge": (
        Segment((-1.0, 1.0, 0.5), (2.0, 1.0, 0.5)),
        BOX,
        ["the probe enters the primitive through its edge -x +y", "the probe leaves", TOUCHING],
        {
            "feature": "edge -x +y",
            "t_enter": THIRD,
            "normal": (-1, 0, 0),
            "t_exit": 2 * THIRD,
            "state": "touching",
        },
    ),
    "a segment inside": (
        Segment((0.25, 0.5, 0.5), (0.75, 0.5, 0.5)),
        BOX,
        ["the probe starts in the interior of the primitive", "the probe ends inside", INSIDE],
        {"feature": "interior", "t_enter": 0, "t_exit": 1, "state": "inside"},
    ),
    "a segment beside a box": (
        Segment((-1.0, 2.0, 0.5), (2.0, 2.0, 0.5)),
        BOX,
        ["separated along the normal of the primitive's face +y", APART],
        {"axis": (0, 1, 0), "gap": 1.0, "state": "apart"},
    ),
    "a ray from a face": (
        Ray((1.0, 0.5, 0.5), (2.0, 0.0, 0.0)),
        BOX,
        ["the probe starts on the face +x of the primitive", "the probe leaves", TOUCHING],
        {"feature": "face +x", "t_enter": 0, "t_exit": 0, "state": "touching"},
    ),
    "a ray in a plane": (
        Ray((0.0, 0.0, 0.5), (1.0, 0.0, 0.0)),
        PLANE,
        ["the probe starts on the plane of the primitive", "the probe goes to infinity, inside", COPLANAR],
        {"feature": "plane", "t_enter": 0, "t_exit": inf, "state": "coplanar"},
    ),
    "a line in a plane": (
        Line((0.5, 0.5, 0.5), (1.0, 0.0, 0.0)),
        PLANE,
        ["the probe comes from infinity, inside", "the probe goes to infinity, inside", COPLANAR],
        {"t_enter": -inf, "t_exit": inf, "state": "coplanar"},
    ),
    "a line from infinity": (
        Line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        HALF_SPACE,
        ["the probe comes from infinity, inside", "the probe leaves", CROSSING],
        {"t_enter": -inf, "t_exit": Fraction(1, 4), "state": "crossing"},
    ),
    "a segment in a triangle's plane": (
        Segment((-1.0, 0.25, 0.0), (2.0, 0.25, 0.0)),
        TRIANGLE,
        ["the probe enters the primitive through its edge 0-2", "the probe leaves", COPLANAR],
        {"feature": "edge 0-2", "t_enter": THIRD, "t_exit": Fraction(7, 12), "state": "coplanar"},
    ),
    "a point inside": (
        Point((0.5, 0.5, 0.5)),
        BOX,
        ["the probe lies in the interior of the primitive", INSIDE],
        {"feature": "interior", "state": "inside"},
    ),
    "a point on a vertex": (
        Point((1.0, 1.0, 0.0)),
        BOX,
        ["the probe lies on the vertex +x +y -z of the primitive", TOUCHING],
        {"feature": "vertex +x +y -z", "state": "touching"},
    ),
    "a point beside a box": (
        Point((2.5, 0.5, 0.5)),
        BOX,
        ["separated along the normal of the primitive's face +x", APART],
        {"axis": (1, 0, 0), "gap": 1.5, "state": "apart"},
    ),
    "a triangle over a plane": (
        TRIANGLE,
        PLANE,
        ["separated along the normal of the primitive's plane", APART],
        {"axis": (0, 0, -1), "gap": 0.5, "state": "apart"},
    ),
    "boxes that touch": (
        BOX,
        Obb((1.5, 0.5, 0.5), (0.5, 0.5, 0.5), UNIT_AXES),
        ["touching along the normal of the primitive's face -x", TOUCHING],
        {"axis": (-1, 0, 0), "gap": 0.0, "state": "touching"},
    ),
    "a ray into a sphere": (
        Ray((-3.0, 0.0, 0.0), (2.0, 0.0, 0.0)),
        BALL,
        ["the probe enters the primitive through its surface", "the probe leaves", CROSSING],
        {
            "feature": "surface",
            "t_enter": 1,
            "normal": (-1, 0, 0),
            "t_exit": 2,
            "state": "crossing",
        },
    ),
    "a segment in a sphere": (
        Segment((0.0, 0.0, 0.5), (0.0, 0.0, -0.5)),
        BALL,
        ["the probe starts in the interior of the primitive", "the probe ends inside", INSIDE],
        {"feature": "interior", "t_enter": 0, "t_exit": 1, "state": "inside"},
    ),
    "spheres that touch": (
        Sphere((3.0, 4.0, 0.0), 4.0),
        BALL,
        [
            "touching along the line between the nearest points, the probe's surface and the primitive's surface",
            TOUCHING,
        ],
        {"axis": (3, 4, 0), "gap": 0.0, "state": "touching"},
    ),
    "a sphere beside a corner": (
        Sphere((1.75, 2.0, 1.0), 1.0),
        BOX,
        [
            "separated along the line between the nearest points, "
            "the probe's surface and the primitive's vertex +x +y +z",
            APART,
        ],
        {"axis": (3, 4, 0), "gap": 0.25, "state": "apart"},
    ),
    "boxes that overlap": (
        BOX,
        Obb((1.25, 0.5, 0.5), (0.5, 0.5, 0.5), UNIT_AXES),
        ["overlapping least along the normal of the primitive's face -x", CROSSING],
        {"axis": (-1, 0, 0), "gap": -0.25, "state": "crossing"},
    ),
}


@pytest.mark.parametrize(("probe", "primitive", "words", "values"), CASES.values(), ids=list(CASES))
def test_exact_says_what_decides(probe, primitive, words, values):
    chosen = choose(pair_of(probe, primitive), "exact")
    explanation = explain(chosen, probe, primitive)
    steps = explanation.trace.steps
    assert [step.source for step in steps] == words
    assert dict(steps[-1].values) == values
    assert repr(explanation.trace.answer) == repr(chosen.method(probe, primitive))
    assert explanation.hit == exact.meet(probe, primitive) == ("hit" in words[-1])
    assert not explanation.is_wrong and explanation.cause == "" and explanation.wrong_line is None


def test_the_values_of_each_fact_come_up_with_it():
    probe, primitive, _, values = CASES["a segment through a box"]
    steps = explain(choose("segment_aabb", "exact"), probe, primitive).trace.steps
    names = list(values)
    assert [list(step.values) for step in steps] == [names[:3], names[:4], names]
    assert all(isinstance(steps[-1].values[name], Fraction) for name in ("t_enter", "t_exit"))


def test_a_t_is_exact_where_it_is_no_float():
    probe = Segment((0.1, 0.5, 0.5), (3.3, 0.5, 0.5))
    box = Aabb((1.0, 0.0, 0.0), (2.0, 1.0, 1.0))
    t = explain(choose("segment_aabb", "exact"), probe, box).trace.steps[-1].values["t_enter"]
    start, end = Fraction(0.1), Fraction(3.3)
    assert start + t * (end - start) == 1 and Fraction(float(t)) != t


def test_exact_is_explained_alike_in_float32():
    probe, primitive, words, _ = CASES["a segment through a box"]
    explanation = explain(choose("segment_aabb", "exact"), probe, primitive, "float32")
    assert explanation.reading == "interpreted" and [s.source for s in explanation.trace.steps] == words
