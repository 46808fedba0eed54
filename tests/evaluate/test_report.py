"""`evaluate`: which pairs hit, whose answers are whose, and what an edit leaves undecided."""

import json
import re

import numpy as np
import pytest
from msgspec.structs import replace

import hitscope
from hitscope.errors import HitscopeError
from hitscope.geometry import exact, group
from hitscope.geometry.registry import choose, of_pair
from hitscope.scene import loads, replace_items

UNIT_BOX = {"id": "box", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}
THROUGH = {"id": "through", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}
PAST = {"id": "past", "type": "segment", "start": [-1, 5, 5], "end": [3, 5, 5]}


def scene_of(primitives, probes, **more):
    document = {"version": 1, "primitives": primitives, "probes": probes, **more}
    return loads(json.dumps(document).encode(), "test.scene.json")


def test_a_primitive_is_green_when_any_enabled_probe_hits_it():
    far = {"type": "aabb", "min": [7, 7, 7], "max": [8, 8, 8]}
    report = hitscope.evaluate(scene_of([UNIT_BOX, far], [THROUGH, PAST]))
    assert report.hits.tolist() == [[True, False], [False, False]]
    assert report.hit_elements.tolist() == [True, False]


def test_a_disabled_probe_is_not_evaluated():
    report = hitscope.evaluate(scene_of([UNIT_BOX], [{**THROUGH, "enabled": False}, PAST]))
    assert [probe.id for probe in report.probes] == ["past"]
    assert report.hit_elements.tolist() == [False]


@pytest.mark.parametrize(("primitives", "probes"), [([], [THROUGH]), ([UNIT_BOX], []), ([], [])])
def test_a_scene_without_pairs_has_a_report_without_verdicts(primitives, probes):
    report = hitscope.evaluate(scene_of(primitives, probes))
    assert list(report.verdicts()) == []
    assert report.hit_elements.tolist() == [False] * len(primitives)


def test_the_deciding_method_answers_and_exact_geometry_adds_state_side_and_distance():
    thin = {"type": "segment", "start": [0.5, 0.5, 3], "end": [0.5 + 1e-12, 0.5, -1]}
    scene = scene_of([{**UNIT_BOX, "max": [0.5, 1, 1]}], [thin], methods={"segment_aabb": "slab_ericson"})
    (verdict,) = hitscope.evaluate(scene).verdicts()
    assert (verdict.method, verdict.hit, verdict.t_enter, verdict.normal) == ("slab_ericson", True, 0.5, None)
    assert (verdict.state, verdict.distance) == ("apart", pytest.approx(5e-13, rel=1e-3))
    exact = hitscope.evaluate(replace(scene, methods={})).verdict(0, 0)
    assert (exact.method, exact.hit, exact.t_enter, exact.point) == ("exact", False, None, None)


def test_what_a_method_answers_of_a_miss_is_part_of_its_verdict():
    far = hitscope.Point((0.5, 0.5, 4.0))
    box = hitscope.Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    assert hitscope.intersect(far, box, "sd_box").answered == {"distance": 3.0}
    assert hitscope.intersect(hitscope.Point((0.5, 0.5, 0.75)), box, "sd_box").answered == {"distance": -0.25}
    assert hitscope.intersect(far, box, "bounds").answered == {"feature": "face +z"}
    assert hitscope.intersect(far, box).answered == {}
    slanted = hitscope.Triangle((3.0, 0.0, 0.5), (0.0, 3.0, 0.5), (3.0, 3.0, 0.5))
    verdict = hitscope.intersect(slanted, box, "sat13")
    across = 0.5**0.5
    assert tuple(map(abs, verdict.answered["axis"])) == pytest.approx((across, across, 0.0), abs=1e-15)
    assert verdict.answered["gap"] == pytest.approx(across, rel=1e-15)
    assert verdict.distance == pytest.approx(across, rel=1e-15)


def test_what_a_method_does_not_find_is_null():
    box = hitscope.Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    inside = hitscope.intersect(hitscope.Segment((0.5, 0.5, 0.5), (2.0, 0.5, 0.5)), box, "slab_halfspaces")
    assert inside.answered == {"t_enter": 0.0, "t_exit": 1 / 3, "normal": None, "feature": None}
    assert hitscope.intersect(box, box, "overlap").answered == {"axis": None, "gap": None}
    miss = hitscope.intersect(hitscope.Line((0.0, 0.0, 3.0), (1.0, 0.0, 0.0)), box, "slab_halfspaces")
    assert miss.answered == {"t_enter": None, "t_exit": None, "normal": None, "feature": "face +z"}
    assert (miss.t_enter, miss.t_exit, miss.normal, miss.point) == (None, None, None, None)
    assert miss.as_dict()["answered"] == miss.answered


def test_intersect_takes_lists_arrays_and_integers():
    box = hitscope.Aabb(np.zeros(3), [1, 1, 1])
    assert hitscope.intersect(hitscope.Segment([-1, 0, 0], np.array([1, 0.5, 0.5])), box).t_enter == 0.5
    half_space = hitscope.Polyhedron(planes=[([0, 0, 1], 0)])
    assert hitscope.intersect(hitscope.Point([3, 3, -1]), half_space, "behind_planes").state == "inside"


def test_intersect_refuses_what_is_not_finite():
    with pytest.raises(HitscopeError, match="expected a finite number, found nan"):
        hitscope.intersect(hitscope.Point((0.0, float("nan"), 0.0)), hitscope.Plane((0.0, 0.0, 1.0), 0.0))


def test_point_is_rounded_once_and_not_origin_plus_rounded_t():
    ray = hitscope.Ray((0.0, 0.0, 0.0), (3.0, 1.0, 0.0))
    verdict = hitscope.intersect(ray, hitscope.Aabb((1.0, 0.0, 0.0), (2.0, 1.0, 1.0)))
    assert verdict.t_enter == 1 / 3
    assert verdict.point == (1.0, 1 / 3, 0.0)


def test_a_t_beyond_float64_is_the_largest_finite_number_and_no_bound_is_none():
    line = hitscope.Line((0.0, 0.0, 0.0), (5e-324, 0.0, 0.0))
    wide = hitscope.Aabb((1e300, 0.0, 0.0), (1.5e308, 1.0, 1.0))
    assert hitscope.intersect(line, wide).t_enter == 1.7976931348623157e308
    still = hitscope.Line((0.5, 0.5, 0.5), (0.0, 0.0, 0.0))
    verdict = hitscope.intersect(still, hitscope.Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)))
    assert (verdict.hit, verdict.t_enter, verdict.t_exit, verdict.point) == (True, None, None, None)


def test_after_an_edit_only_the_edited_probe_is_decided_again(monkeypatch):
    asked = []
    monkeypatch.setattr(group, "meet", lambda *pair: asked.append(pair[0]) or exact.meet(*pair))
    scene = scene_of([UNIT_BOX], [THROUGH, PAST])
    first = hitscope.evaluate(scene)
    asked.clear()
    edited = replace_items(scene, "probe", {1: replace(scene.probes[1], end=(0.5, 0.5, 0.5))})
    second = hitscope.evaluate(edited, first)
    assert asked == [edited.probes[1].shape]
    assert second.hits.tolist() == hitscope.evaluate(edited).hits.tolist()


def test_another_method_decides_every_pair_again():
    report = hitscope.evaluate(scene_of([UNIT_BOX], [THROUGH]))
    # With such an epsilon every direction counts as parallel, and the start is outside.
    ericson = replace(report.scene, methods={"segment_aabb": {"name": "slab_ericson", "epsilon": 5}})
    assert (report.hits.tolist(), hitscope.evaluate(ericson, report).hits.tolist()) == ([[True]], [[False]])


@pytest.mark.thorough
@pytest.mark.parametrize("count", [999, 1_000])
def test_a_large_scene_is_compiled_and_its_verdicts_are_the_same(count):
    boxes = [{"type": "aabb", "min": [k, 0, 0], "max": [k + 0.5, 1, 1]} for k in range(count)]
    probes = {"type": "segments", "start": [[3.25, -1, 0.5]] * 100, "end": [[10, 2, 0.5]] * 100}
    assert count * 100 - group.THRESHOLDS.compile_pairs in (-100, 0)
    report = hitscope.evaluate(scene_of(boxes, [probes], methods={"segment_aabb": "slab_halfspaces"}))
    exact = hitscope.evaluate(replace(report.scene, methods={}))
    assert report.hits.tolist() == exact.hits.tolist()
    assert report.hits.sum() == 300


@pytest.mark.parametrize(
    ("pair", "choice", "said"),
    [
        ("segment_box", "exact", 'found "segment_box" (did you mean "segment_obb"?)'),
        (
            "triangle_aabb",
            "sat",
            f'method of triangle_aabb ({", ".join(of_pair("triangle_aabb"))}), found "sat"',
        ),
        ("ray_aabb", {"name": "slab_ericson", "eps": 1}, 'an argument of slab_ericson (epsilon), found "eps"'),
        ("ray_aabb", {"name": "slab_ericson", "epsilon": True}, "$.epsilon: expected a number, found true"),
        ("ray_aabb", {"epsilon": 1}, 'expected the key "name" with a method\'s name, found {"epsilon": 1}'),
    ],
)
def test_choosing_what_does_not_exist_says_what_does(pair, choice, said):
    with pytest.raises(HitscopeError, match=re.escape(said)):
        choose(pair, choice)
