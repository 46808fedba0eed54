"""Edits keep ids unique and expectations at their subject."""

import pytest
from msgspec.structs import replace
from scene_files import BOX, SEGMENT, scene

from hitscope.scene import Fault, Scene, add_probe, decide_by, dump, loads, remove_probe, replace_probe
from hitscope.scene.model import RayProbe, SegmentProbe

RAY = '{"type": "ray", "origin": [0, 0, 0], "direction": [1, 0, 0]}'
EXPECT = ", ".join(f'{{"probe": "{probe}", "hits": []}}' for probe in ("segment-0", "ray-1", "segment-2", "last"))


@pytest.fixture
def four() -> Scene:
    """Three probes with default ids and one with its own, and an expectation of each."""
    probes = f'{SEGMENT}, {RAY}, {SEGMENT}, {{"id": "last", {RAY[1:]}'
    return loads(scene(BOX, probes, f'"expect": [{EXPECT}]').encode(), "f")


def test_a_probe_is_replaced_and_nothing_else(four: Scene) -> None:
    moved = replace_probe(four, 2, replace(four.probes[2], end=(7.0, 8.0, 9.0)))
    assert moved.probes[2] == SegmentProbe(start=(0, 0, 0), end=(7, 8, 9))
    assert replace_probe(moved, 2, four.probes[2]) == four
    assert moved.primitives is four.primitives


def test_replacing_a_probe_cannot_orphan_an_expectation(four: Scene) -> None:
    with pytest.raises(Fault, match=r"^\$\.expect\[2\]\.probe: expected the id of a probe"):
        replace_probe(four, 2, four.probes[1])


@pytest.mark.parametrize("index", range(4))
def test_removing_a_probe_leaves_all_others_their_names(four: Scene, index: int) -> None:
    left = remove_probe(four, index)
    assert left.probe_ids == tuple(name for i, name in enumerate(four.probe_ids) if i != index)
    assert [item.probe for item in left.expect] == list(left.probe_ids)
    assert [probe.shape for probe in left.probes] == [p.shape for i, p in enumerate(four.probes) if i != index]
    assert loads(dump(left).encode(), "f") == left


def test_only_affected_ids_are_written(four: Scene) -> None:
    assert [bool(probe.id) for probe in remove_probe(four, 1).probes] == [False, True, True]
    assert [bool(probe.id) for probe in remove_probe(four, 3).probes] == [False, False, False]


def test_all_probes_can_be_removed(four: Scene) -> None:
    for _ in range(4):
        four = remove_probe(four, 0)
    assert four.probes == four.expect == ()


def test_an_added_probe_has_its_default_id_where_that_is_free(four: Scene) -> None:
    more = add_probe(four, RayProbe(origin=(0, 0, 0), direction=(0, 1, 0)))
    assert more.probe_ids == (*four.probe_ids, "ray-4")
    assert not more.probes[-1].id


def test_an_added_probe_never_takes_an_id(four: Scene) -> None:
    new = SegmentProbe(start=(0, 0, 0), end=(0, 1, 0))
    left = remove_probe(remove_probe(four, 3), 0)
    assert left.probe_ids == ("ray-1", "segment-2")
    more = add_probe(add_probe(left, new), new)
    assert more.probe_ids == ("ray-1", "segment-2", "segment-3", "segment-4")
    assert [probe.id or None for probe in more.probes] == ["ray-1", "segment-2", "segment-3", "segment-4"]
    assert add_probe(four, replace(new, id="last")).probe_ids[-1] == "segment-4"
    assert add_probe(four, replace(new, id="mine")).probe_ids[-1] == "mine"


def test_exact_decides_without_a_mention_and_another_method_by_one(four: Scene) -> None:
    named = decide_by(four, "segment_aabb", "slab_ericson")
    assert named.methods == {"segment_aabb": "slab_ericson"}
    assert decide_by(named, "segment_aabb", "exact") == four
    with pytest.raises(Fault, match=r"^\$\.methods\.segment_aabb: expected a method of segment_aabb"):
        decide_by(four, "segment_aabb", "sat13")
