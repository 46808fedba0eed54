"""Verdicts in words: the sentence and the decider of every pair of types, every state, and wrong methods."""

import re
from dataclasses import replace

import pytest

from hitscope.evaluate import evaluate, intersect
from hitscope.evaluate.method_differences import difference_from_exact
from hitscope.evaluate.verdict_words import Decider, decider_of, sentence_of, unbroken
from hitscope.geometry.registry import pair_of
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Sphere,
    Triangle,
)
from hitscope.numerals import typeset_name
from hitscope.resources import SCENES
from hitscope.scene import load
from tests.geometry.cases import PAIRS

UNIT = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
FLAT = Aabb((0.0, 0.0, 0.0), (1.0, 0.0, 1.0))
TRIANGLE = Triangle((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))
GROUND = Plane((0.0, 2.0, 0.0), 2.0)
QUARTER = ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
TURNED = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
QUADRANT = Polyhedron((Plane((-1.0, 0.0, 0.0), 0.0), Plane((0.0, -1.0, 0.0), 0.0)), ())
BALL = Sphere((0.0, 0.0, 0.0), 1.0)
GRAIN = Aabb((0.25, 0.25, 0.25), (0.5, 0.5, 0.5))

WORDS_OF_STATE = {
    "apart": r"miss: (passes|lies|ends before|starts past|separated by|nearest|in front of|behind) ",
    "inside": r"hit: (starts|lies) inside",
    "touching": r"hit: (touches|lies on) ",
    "coplanar": r"hit: (lies in (the|its) plane|lies on |overlaps, in the same plane)",
    "crossing": r"hit: (enters|crosses|starts on|overlaps|lies wholly inside|encloses|runs inside)",
}


@pytest.mark.parametrize(
    "probe, primitive, sentence",
    [
        (Ray((-1.0, 0.5, 0.5), (4.0, 0.0, 0.0)), UNIT, "hit: enters face −x at t = 0.25"),
        (Ray((-1.0, -1.0, 0.5), (1.0, 1.0, 0.0)), UNIT, "hit: enters edge −x −y at t = 1"),
        (Ray((0.5, 0.5, 0.5), (1.0, 0.0, 0.0)), UNIT, "hit: starts inside"),
        (Ray((0.0, 0.5, 0.5), (1.0, 0.0, 0.0)), UNIT, "hit: starts on face −x"),
        (Ray((0.0, 0.5, 0.5), (-1.0, 0.0, 0.0)), UNIT, "hit: touches face −x at its start"),
        (Segment((-1.0, 0.5, 0.5), (0.0, 0.5, 0.5)), UNIT, "hit: touches face −x at t = 1"),
        (Line((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)), UNIT, "hit: touches edge −y −z, from t = 1 to t = 2"),
        (Segment((1.0, 1.0, 1.0), (1.0, 1.0, -1.0)), TRIANGLE, "hit: crosses the triangle at t = 0.5"),
        (
            Segment((-1.0, 1.0, 0.0), (1.0, 1.0, 0.0)),
            TRIANGLE,
            "hit: lies in its plane, enters edge 0-2 at t = 0.5",
        ),
        (Segment((1.0, 1.0, 0.0), (2.0, 1.0, 0.0)), TRIANGLE, "hit: lies in its plane, starts on the triangle"),
        (Segment((0.5, 1.0, 0.5), (0.5, -1.0, 0.5)), FLAT, "hit: crosses face y at t = 0.5"),
        (Segment((0.0, 3.0, 0.0), (0.0, 0.0, 0.0)), GROUND, "hit: crosses the plane at t = 0.6667"),
        (Line((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)), GROUND, "hit: lies in the plane all along"),
        (Line((1.0, 1.0, 0.0), (0.0, 0.0, 1.0)), QUADRANT, "hit: runs inside it all along"),
        (Line((3.0, 1.0, 0.0), (-1.0, 0.0, 0.0)), QUADRANT, "hit: runs inside it until t = 3"),
        (
            Segment((-2.0, 0.5, 0.5), (-1.0, 0.5, 0.5)),
            UNIT,
            "miss: ends before face −x, reached at t = 2, distance 1",
        ),
        (Ray((3.0, 0.5, 0.5), (4.0, 0.0, 0.0)), UNIT, "miss: starts past face +x, left at t = −0.5, distance 2"),
        (Line((0.5, 3.0, 0.5), (1.0, 0.0, 0.0)), UNIT, "miss: passes above, nearest face +y, distance 2"),
        (Line((0.5, 0.5, 5.0), (1.0, 0.0, 0.0)), UNIT, "miss: passes beside it, nearest face +z, distance 4"),
        (Segment((0.5, -1.0, 0.5), (0.5, -1.0, 0.5)), UNIT, "miss: lies below, nearest face −y, distance 1"),
        (Ray((0.0, 3.0, 0.0), (0.0, 1.0, 0.0)), GROUND, "miss: in front of the plane, distance 2"),
        (Point((0.0, 0.5, 0.0)), GROUND, "miss: behind the plane, distance 0.5"),
        (Point((1.0, 1.0, 1.0)), UNIT, "hit: lies on vertex +x +y +z"),
        (Point((0.5, 0.5, 0.125)), UNIT, "hit: lies inside, 0.125 deep"),
        (Point((1.0, 1.0, 0.0)), TRIANGLE, "hit: lies on the triangle"),
        (Point((0.5, 3.0, 0.5)), UNIT, "miss: lies above, nearest face +y, distance 2"),
        (GRAIN, UNIT, "hit: lies wholly inside"),
        (UNIT, GRAIN, "hit: encloses all of it"),
        (Aabb((0.75, 0.0, 0.0), (2.0, 1.0, 1.0)), UNIT, "hit: overlaps by 0.25, least along face +x of aabb"),
        (Aabb((1.0, 0.0, 0.0), (2.0, 1.0, 1.0)), UNIT, "hit: touches face +x of aabb"),
        (Aabb((3.0, 0.0, 0.0), (4.0, 1.0, 1.0)), UNIT, "miss: separated by face +x of aabb, gap 2"),
        (UNIT, GROUND, "hit: touches the plane"),
        (Aabb((0.0, 0.5, 0.0), (1.0, 2.0, 1.0)), GROUND, "hit: crosses the plane, 0.5 deep"),
        (Triangle((0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 1.0)), GROUND, "hit: lies in the plane"),
        (
            Triangle((1.0, 1.0, 0.0), (2.0, 1.0, 0.0), (1.0, 2.0, 0.0)),
            TRIANGLE,
            "hit: overlaps, in the same plane",
        ),
        (
            Obb((3.0, 3.0, 0.0), (0.5, 0.5, 0.5), TURNED),
            TRIANGLE,
            "miss: separated by face −x of obb, gap 0.5",
        ),
        (
            Triangle((5.0, 5.0, 0.0), (6.0, 5.0, 0.0), (5.0, 6.0, 0.0)),
            TRIANGLE,
            "miss: nearest vertex 0 and edge 1-2, distance 4.243",
        ),
        (Segment((-2.0, 0.6, 0.3), (2.0, 0.7, 0.0)), BALL, "hit: enters the surface at t = 0.3131"),
        (Segment((-2.0, 1.0, 0.0), (2.0, 1.0, 0.0)), BALL, "hit: touches the surface at t = 0.5"),
        (Ray((0.5, 0.0, 0.0), (1.0, 0.0, 0.0)), BALL, "hit: starts inside"),
        (Ray((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)), BALL, "hit: starts on the surface"),
        (
            Ray((3.0, 0.3, 0.0), (1.0, 0.0, 0.0)),
            BALL,
            "miss: starts past the surface, left at t = −2.046, distance 2.015",
        ),
        (
            Segment((-5.0, 0.3, 0.1), (-3.0, 0.4, 0.1)),
            BALL,
            "miss: ends before the surface, reached at t = 2.072, distance 2.028",
        ),
        (Line((0.0, 3.0, 0.0), (1.0, 0.0, 0.0)), BALL, "miss: passes above, nearest the surface, distance 2"),
        (Point((0.6, 0.8, 0.0)), BALL, "miss: lies above, nearest the surface, distance 2.22e−17"),
        (Point((0.25, 0.0, 0.0)), BALL, "hit: lies inside, 0.75 deep"),
        (Sphere((3.0, 0.0, 0.0), 1.0), BALL, "miss: nearest surface to surface, distance 1"),
        (Sphere((2.0, 0.0, 0.0), 1.0), BALL, "hit: touches surface to surface"),
        (Sphere((1.75, 0.0, 0.0), 1.0), BALL, "hit: overlaps by 0.25, least from surface to surface"),
        (Sphere((0.25, 0.0, 0.0), 0.5), BALL, "hit: lies wholly inside"),
        (Sphere((0.0, 0.0, 0.0), 0.5), BALL, "hit: lies wholly inside"),
        (Sphere((0.0, 0.0, 0.0), 1.5), BALL, "hit: encloses all of it"),
        (Sphere((0.0, 1.75, 0.0), 1.0), GROUND, "hit: crosses the plane, 0.25 deep"),
        (Sphere((0.5, 2.0, 0.5), 1.0), UNIT, "hit: touches face +y of aabb"),
        (UNIT, Sphere((1.5, 1.5, 1.5), 1.0), "hit: overlaps by 0.134, least from vertex +x +y +z to surface"),
    ],
)
def test_the_sentence_says_how_a_pair_meets(probe, primitive, sentence):
    referee = intersect(probe, primitive)
    assert sentence_of(referee, referee, None) == sentence


def test_above_and_below_follow_the_scenes_up_axis():
    referee = intersect(Point((0.5, 0.5, 3.0)), UNIT)
    assert sentence_of(referee, referee, None, up="z") == "miss: lies above, nearest face +z, distance 2"
    assert sentence_of(referee, referee, None, up="y") == "miss: lies beside it, nearest face +z, distance 2"


def test_two_edges_separate_as_in_the_separating_axis_test():
    report = evaluate(load(SCENES / "triangle-aabb-szauer" / "both-intervals.scene.json"), compile=False)
    pair = report.probes.index_of("sail"), report.elements.index_of("a4")
    referee = report.verdict(*pair, "exact")
    assert sentence_of(referee, referee, None) == "miss: separated by edge 0-2 × edge y, gap 0.2493"


def test_each_pair_of_types_and_each_state_has_a_sentence():
    found = set()
    for path in (*SCENES.glob("matrix/*.json"), *SCENES.glob("spheres/*.json")):
        of_scene = {(pair_of(*referee.shapes), referee.hit) for referee, _ in _sentences(path)}
        assert {hit for _, hit in of_scene} == {False, True}, path
        found |= of_scene
    assert {pair for pair, _ in found} == set(PAIRS)


@pytest.mark.parametrize(
    "path", sorted(SCENES.glob("degenerate/*.json")), ids=lambda path: path.name.split(".")[0]
)
def test_degenerate_shapes_have_a_sentence_too(path):
    assert _sentences(path)


def test_the_sentence_of_a_wrong_method_names_its_answer_first_and_then_the_truth():
    ray, box = Ray((-6.0, 1.0, 0.0), (2e-09, 5e-10, 0.0)), Aabb((-1.0, 0.5, -1.0), (1.0, 1.5, 1.0))
    referee = intersect(ray, box)
    wrong = intersect(ray, box, "slab_ericson")
    assert (wrong.hit, referee.hit) == (True, False)
    assert sentence_of(wrong, referee, difference_from_exact(wrong, referee)) == (
        "hit, says slab_ericson; exact disagrees: miss, passes above, nearest edge −x +y, distance 0.7276"
    )


@pytest.mark.parametrize(
    "given, said",
    [
        ({"t_enter": 0.5}, "hit at t = 0.5, says slab_halfspaces; exact disagrees: enters face −x at t = 0.25"),
        (
            {"t_enter": 0.25001},
            "hit at t = 0.25001, says slab_halfspaces; exact disagrees: enters face −x at t = 0.25",
        ),
        (
            {"t_exit": 3.0},
            "hit until t = 3, says slab_halfspaces; exact disagrees: until t = 0.5, enters face −x at t = 0.25",
        ),
        ({"t_enter": None, "t_exit": None}, "hit: enters face −x at t = 0.25"),
        ({"t_enter": 0.25 + 1e-12}, "hit: enters face −x at t = 0.25"),
    ],
)
def test_a_wrong_t_is_said_and_one_that_is_not_answered_is_not_wrong(given, said):
    ray = Ray((-1.0, 0.5, 0.5), (4.0, 0.0, 0.0))
    wrong, referee = replace(intersect(ray, UNIT, "slab_halfspaces"), **given), intersect(ray, UNIT)
    assert sentence_of(wrong, referee, difference_from_exact(wrong, referee)) == said


def test_a_line_breaks_inside_no_feature_and_no_equation():
    said = unbroken("miss: starts past edge −x +y, left at t = −0.5, distance 2")
    assert said[:4] == ["miss:", "starts", "past", "edge −x +y,"]
    assert said[4:] == ["left", "at", "t = −0.5,", "distance", "2"]
    assert "edge 0-1" in unbroken("miss: separated by edge 0-1 × edge y, gap 0.1")


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
    assert decider_of(intersect(probe, primitive), typeset_name) == said


def _sentences(path):
    """The verdicts of exact on every pair of a scene with their sentences, which fit the state."""
    report = evaluate(load(path), compile=False)
    found = []
    for i in range(len(report.probes)):
        for j in range(len(report.elements)):
            referee = report.find_verdict(i, j, "exact")
            sentence = sentence_of(referee, referee, None, report.scene.view.up)
            assert re.match(WORDS_OF_STATE[referee.state], sentence), (referee.state, sentence)
            assert not re.search(r"None|interior|  | -|nan", sentence), sentence
            found.append((referee, sentence))
    return found
