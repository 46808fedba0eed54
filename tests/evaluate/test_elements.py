"""Reports of scenes with bulk items: element by element what the same shapes say as items of their own."""

import json
import re

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate, report
from hitscope.evaluate.report import ReportLimits
from hitscope.scene import Scene, SceneError, loads, replace_items
from hitscope.scene.bulk import AabbsPrimitive, PointsProbe, RaysProbe

BOXES = {"id": "crates", "type": "aabbs", "min": [[0, 0, 0], [4, 0, 0], [8, 0, 0]]}
BOXES["max"] = [[1, 1, 1], [5, 1, 1], [9, 1, 1]]
SINGLE = {"id": "floor", "type": "aabb", "min": [0, -1, 0], "max": [9, -0.5, 1]}
OBBS = {"id": "turned", "type": "obbs", "center": [[4.5, 3, 0.5]], "half_extents": [[1, 1, 1]]}
OBBS["euler_xyz_deg"] = [[0, 0, 45]]
NONE = {"id": "none", "type": "triangles", "vertices": []}
DOWN = {"id": "rain", "type": "rays", "origin": [[0.5, 9, 0.5], [4.5, 9, 0.5], [6, 9, 0.5], [20, 9, 0]]}
DOWN["direction"] = [[0, -1, 0]] * 4
ALONG = {"id": "along", "type": "segment", "start": [-1, 0.5, 0.5], "end": [6, 0.5, 0.5]}


def scene_of(primitives, probes, **more) -> Scene:
    document = {"version": 1, "primitives": primitives, "probes": probes, **more}
    return loads(json.dumps(document).encode(), "test.scene.json")


@pytest.fixture
def town():
    """A report of single and bulk items, mixed: seven elements, one of them of no item's own, five probes."""
    return evaluate(scene_of([SINGLE, NONE, BOXES, SINGLE | {"id": "roof"}, OBBS], [DOWN, ALONG]))


NAMES = ["floor", "crates[0]", "crates[1]", "crates[2]", "roof", "turned[0]"]
HITS = [[1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 1], [1, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0]]


def test_elements_are_the_items_shapes_in_their_order(town) -> None:
    elements = town.elements
    assert [element.id for element in elements] == NAMES
    assert [elements[j].id for j in range(len(elements))] == NAMES
    assert [element.id for element in elements[1:-1:2]] == [NAMES[1], NAMES[3]]
    assert list(elements)[2] == elements[2] == elements[-4]
    with pytest.raises(IndexError):
        elements[6]


def test_names_lead_to_indices_and_parts_are_the_items(town) -> None:
    elements = town.elements
    assert [elements.index_of(name) for name in NAMES] == list(range(6))
    assert [elements.indices_of(name) for name in ("floor", "none", "crates", "crates[1]", "turned")] == [
        *(range(0, 1), range(1, 1), range(1, 4), range(2, 3), range(5, 6))
    ]
    for name in ("crates", "crates[3]", "crates[01]", "floor[0]", "none[0]", "nobody", "crates[-1]"):
        with pytest.raises(KeyError):
            elements.index_of(name)
    assert [(part.id, part.first, part.size) for part in elements.parts] == [
        *(("floor", 0, 1), ("none", 1, 0), ("crates", 1, 3), ("roof", 4, 1), ("turned", 5, 1))
    ]
    assert [part.shapes is None for part in elements.parts] == [part.shape is not None for part in elements.parts]


def test_every_reading_of_the_hits_is_the_same(town) -> None:
    assert town.hits.astype(int).tolist() == HITS
    assert [town.row(i).astype(int).tolist() for i in range(5)] == HITS
    assert [town.count(i) for i in range(5)] == [sum(row) for row in HITS]
    assert np.unpackbits(town.bits, axis=1, count=6, bitorder="little").tolist() == HITS
    assert town.hit_elements.tolist() == [True, True, True, False, True, True]
    assert town.hitting_probes.tolist() == [True, True, True, False, True]
    assert town.tally(0).primitives.tolist() == [True, True, True, False, True, True]
    assert [verdict.hit for verdict in town.verdicts()] == [bool(hit) for row in HITS for hit in row]
    assert town.verdict(1, 2).primitive == "crates[1]"


def test_many_elements_say_what_they_say_one_by_one() -> None:
    rng = np.random.default_rng(4)
    low = rng.integers(0, 9, (70, 3)).astype(float)
    rays = RaysProbe(origin=rng.integers(-9, 18, (40, 3)), direction=rng.integers(-2, 3, (40, 3)))
    marks = PointsProbe(position=rng.integers(0, 9, (9, 3)))
    scene = Scene(version=1, primitives=(AabbsPrimitive(min=low, max=low + 2),), probes=(rays, marks))
    found = evaluate(scene)
    assert 0 < found.hits.sum() < found.hits.size
    assert found.hits.tolist() == [
        [found.find_verdict(i, j, "exact").hit for j in range(70)] for i in range(len(found.probes))
    ]
    assert found.hit_elements.tolist() == found.hits.any(axis=0).tolist()
    assert found.hitting_probes.tolist() == found.hits.any(axis=1).tolist()


@pytest.mark.parametrize("blocks", [1, 12, 1 << 24])
def test_bits_are_the_same_in_blocks_of_any_size(blocks, town) -> None:
    town.limits = ReportLimits(block=blocks)
    assert town.hits.astype(int).tolist() == HITS


def test_more_pairs_than_memory_should_hold_are_refused(town) -> None:
    town.limits = ReportLimits(hits=29, bits=29)
    with pytest.raises(HitscopeError, match=re.escape("expected hits of at most 29 pairs; use bits")):
        _ = town.hits
    with pytest.raises(HitscopeError, match="found 5 probes and 6 elements"):
        _ = town.bits


def test_a_bundle_and_its_primitives_may_be_empty() -> None:
    nothing = {"type": "points", "position": []}
    found = evaluate(scene_of([NONE], [nothing]))
    assert (found.hits.shape, found.bits.shape, found.hit_elements.tolist(), found.hitting_probes.tolist()) == (
        *((0, 0), (0, 0)),
        *([], []),
    )
    found = evaluate(scene_of([BOXES], [nothing, ALONG]))
    assert found.hits.tolist() == [[True, True, False]]
    assert evaluate(scene_of([NONE], [ALONG, DOWN])).hitting_probes.tolist() == [False] * 5


def test_after_an_edit_bundles_and_groups_that_stay_are_not_decided_again(town, monkeypatch) -> None:
    decided = []
    decide = report.Report._decide
    monkeypatch.setattr(
        report.Report, "_decide", lambda self, item, *more: decided.append(item) or decide(self, item, *more)
    )
    edited = replace_items(town.scene, "probe", {1: replace(town.scene.probes[1], end=(1.0, 0.5, 0.5))})
    second = evaluate(edited, town)
    assert decided == [edited.probes[1]]
    assert second.elements is town.elements
    assert second.hits.tolist() == evaluate(edited).hits.tolist()


def test_where_one_primitive_changes_the_groups_of_the_others_stay(town) -> None:
    changed = replace(
        town.scene, primitives=(*town.scene.primitives[:-1], replace(town.scene.primitives[-1], id="x"))
    )
    groups = {id(work.group) for work in town.methods_in_use()}
    assert len(groups & {id(work.group) for work in evaluate(changed, town).methods_in_use()}) == len(groups) - 1


def test_a_disabled_bundle_is_not_evaluated() -> None:
    found = evaluate(scene_of([BOXES], [DOWN | {"enabled": False}, ALONG]))
    assert [probe.id for probe in found.probes] == ["along"]


def words(*expect, primitives=(BOXES, SINGLE), probes=(DOWN, ALONG)) -> list[str]:
    return [mismatch.words for mismatch in evaluate(scene_of(primitives, probes, expect=expect)).mismatches]


@pytest.mark.parametrize(
    "expectation",
    [
        {"probe": "rain", "primitive": "crates", "hit": True},
        {"probe": "rain[3]", "primitive": "crates", "hit": False},
        {"probe": "rain", "primitive": "crates[2]", "hit": False},
        {"probe": "rain[1]", "primitive": "crates[1]", "hit": True, "t_enter": 8, "normal": [0, 1, 0]},
        {"probe": "along", "primitive": "crates[0]", "point": [0, 0.5, 0.5]},
        {"probe": "along", "hits": ["crates"]},
        {"probe": "along", "hits": ["crates[0]", "crates[1]"]},
        {"probe": "rain", "hits": ["crates", "floor"]},
        {"probe": "rain[3]", "hits": []},
        {"probe": "rain", "primitive": "crates", "hit": True, "method": "kay_kajiya"},
        {"probe": "rain[0]", "hits": ["floor", "crates[0]"], "method": "slab_halfspaces"},
    ],
)
def test_expectations_of_elements_and_of_any_of_them_hold(expectation) -> None:
    assert words(expectation) == []


@pytest.mark.parametrize(
    ("expectation", "said"),
    [
        ({"probe": "rain", "primitive": "crates", "hit": False}, ["expected crates to be missed by rain"]),
        ({"probe": "rain[2]", "primitive": "crates", "hit": True}, ["expected crates to be hit by rain[2]"]),
        ({"probe": "along", "hits": ["crates[0]"]}, ["expected crates[1] to be missed by along"]),
        (
            {"probe": "rain[3]", "hits": ["crates", "floor"]},
            ["expected crates to be hit by rain[3]", "expected floor to be hit by rain[3]"],
        ),
        (
            {"probe": "along", "primitive": "crates[0]", "t_exit": 1},
            ["expected t_exit 1.0 of along on crates[0], found 0.2857142857142857"],
        ),
    ],
)
def test_a_mismatch_has_the_name_that_the_file_gives(expectation, said) -> None:
    assert words(expectation) == said


def test_a_method_decides_only_the_type_of_the_named_primitive() -> None:
    expectation = {"probe": "along", "primitive": "crates", "hit": True, "method": "slab_division_free"}
    assert words(expectation, primitives=(BOXES, OBBS)) == []


def test_only_some_of_very_many_differences_are_listed() -> None:
    many = {"id": "many", "type": "aabbs", "min": [[0, 0, 0]] * 1500, "max": [[1, 1, 1]] * 1500}
    said = words({"probe": "along", "hits": ["floor"]}, primitives=(many, SINGLE))
    assert len(said) == 11
    assert said[0] == "expected many[0] to be missed by along"
    assert said[-1] == "and 1,491 more differences in the hits of along"


@pytest.mark.parametrize(
    ("expectation", "said"),
    [
        (
            {"probe": "rain", "primitive": "floor", "state": "apart"},
            '.probe: expected one element, e.g. "rain[0]"',
        ),
        ({"probe": "along", "primitive": "crates[3]", "hit": True}, "an element from crates[0] to crates[2]"),
        ({"probe": "along", "hits": ["floor[0]"]}, 'of "floor" there are no elements'),
    ],
)
def test_an_expectation_that_needs_one_element_is_refused_for_several(expectation, said) -> None:
    with pytest.raises(SceneError, match=re.escape(said)):
        words(expectation)
