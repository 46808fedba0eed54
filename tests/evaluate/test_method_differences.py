"""The pairs of a scene on which methods differ from exact."""

from dataclasses import replace

import pytest

from hitscope.evaluate import evaluate, intersect
from hitscope.evaluate.method_differences import compare_methods, difference_from_exact
from hitscope.geometry.shapes import Aabb, Ray
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.items import AabbPrimitive, PointProbe, RayProbe, SegmentProbe

RISING = AabbPrimitive(id="box", min=(-1.0, 0.5, -1.0), max=(1.0, 1.5, 1.0))
FAR = AabbPrimitive(id="far", min=(-1.0, 50.0, -1.0), max=(1.0, 51.0, 1.0))
SHORT = RayProbe(id="short", origin=(-6.0, 1.0, 0.0), direction=(2e-09, 5e-10, 0.0))
"""A ray that Ericson's slab test takes for one parallel to y: a wrong hit of the box."""
PLAIN = RayProbe(id="plain", origin=(-6.0, 1.0, 0.0), direction=(1.0, 0.0, 0.0))
SCENE = Scene(version=1, primitives=(RISING, FAR), probes=(PLAIN, SHORT))


def compared(scene=SCENE, **options):
    return compare_methods(evaluate(scene, compile=False), **options)


def test_a_pair_with_a_wrong_method_is_found_with_what_differs():
    (pair,) = compared().wrong
    assert (pair.probe, pair.primitive, pair.indices, pair.types) == ("short", "box", (1, 0), "ray_aabb")
    assert pair.differences["slab_ericson"] == "verdict" and "exact" not in pair.differences
    assert pair.decides == "exact" and not pair.is_decided_wrongly


def test_wrong_answers_are_counted_over_the_pairs_of_the_same_types():
    others = SegmentProbe(id="cut", start=(-9.0, 1.0, 0.0), end=(9.0, 1.0, 0.0))
    found = compared(Scene(version=1, primitives=(RISING, FAR), probes=(PLAIN, SHORT, others)))
    assert found.asked == {"ray_aabb": 4, "segment_aabb": 2}
    assert found.counts("ray_aabb")["slab_ericson"] == 1
    assert found.counts("ray_aabb")["slab_halfspaces"] == 0 and not found.counts("segment_aabb")


def test_the_deciding_method_is_asked_with_the_scenes_arguments():
    wrong = replace_methods({"ray_aabb": "slab_ericson"})
    assert [pair.is_decided_wrongly for pair in compared(wrong).wrong] == [True]
    exact = replace_methods({"ray_aabb": {"name": "slab_ericson", "epsilon": 1e-12}})
    assert not any(pair.is_decided_wrongly for pair in compared(exact).wrong)


def test_pairs_that_are_decided_wrongly_come_first():
    moved = RayProbe(id="first", origin=(-6.0, 1.0, 0.0), direction=(2e-09, 5e-10, 0.0))
    point = PointProbe(id="point", position=(0.0, 0.0, 0.0))
    scene = Scene(
        version=1, primitives=(RISING,), probes=(point, moved, SHORT), methods={"ray_aabb": "slab_ericson"}
    )
    assert [pair.is_decided_wrongly for pair in compared(scene).wrong] == [True, True]


def test_the_pairs_of_a_large_scene_are_sampled_evenly_and_said_to_be():
    boxes = AabbsPrimitive(
        id="many", center=[[float(i), 9.0, 0.0] for i in range(1000)], half_extents=[[0.2] * 3] * 1000
    )
    asked = []
    found = compared(
        Scene(version=1, primitives=(boxes,), probes=(PLAIN, SHORT)), most=100, after_pair=lambda: asked.append(1)
    )
    assert (len(asked), sum(found.asked.values()), found.pairs) == (100, 100, 2000)
    assert found.is_sample and not compared().is_sample


def test_the_mark_of_a_wrong_hit_is_between_the_two():
    (pair,) = compared().wrong
    assert pair.point is not None and -1.1 < pair.point[0] < -0.9 and 1.5 < pair.point[1] < 2.3


def test_a_scene_without_pairs_has_no_wrong_answers():
    found = compared(Scene(version=1, primitives=(), probes=(PLAIN,)))
    assert not found.wrong and not found.asked and not found.is_sample


@pytest.mark.parametrize(
    "given, differs",
    [
        ({}, None),
        ({"hit": False}, "verdict"),
        ({"t_enter": 6.0}, "t_enter"),
        ({"t_exit": 6.0}, "t_exit"),
        ({"t_enter": None, "t_exit": None}, None),
        ({"t_enter": 5.0 + 1e-11}, None),
    ],
)
def test_what_a_method_does_not_answer_is_not_wrong(given, differs):
    pair = Ray((-6.0, 1.0, 0.0), (1.0, 0.0, 0.0)), Aabb((-1.0, 0.5, -1.0), (1.0, 1.5, 1.0))
    assert difference_from_exact(replace(intersect(*pair, "smits"), **given), intersect(*pair)) == differs


def replace_methods(methods):
    return Scene(version=1, primitives=SCENE.primitives, probes=SCENE.probes, methods=methods)
