"""Edits keep ids unique and expectations at their subject."""

import pytest
from msgspec.structs import replace

from hitscope.scene import (
    Fault,
    Scene,
    add_items,
    decide_by,
    dump,
    loads,
    remove_items,
    replace_items,
)
from hitscope.scene.bulk import SegmentsProbe, TrianglesPrimitive
from hitscope.scene.edits import ids_of, items_of, rename_item, with_ids
from hitscope.scene.items import AabbPrimitive, AabbProbe, RayProbe, SegmentProbe, TrianglePrimitive, TriangleProbe
from hitscope.scene.model import Expectation
from tests.scene.scene_files import BOX as BOX_TEXT
from tests.scene.scene_files import SEGMENT as SEGMENT_TEXT
from tests.scene.scene_files import scene as scene_text
from tests.scene.single_transforms import rotate

BOX = AabbPrimitive(min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
FLAT = TrianglePrimitive(vertices=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
SEGMENT = SegmentProbe(start=(0.0, 0.0, 0.0), end=(1.0, 1.0, 1.0))
AREA = TriangleProbe(vertices=FLAT.vertices)
TURNED = rotate(BOX, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 10.0)


@pytest.fixture
def scene() -> Scene:
    """Three primitives, two of them by their default ids, and expectations of all."""
    return Scene(
        version=1,
        primitives=(BOX, replace(BOX, id="crate"), FLAT),
        probes=(SEGMENT, replace(AREA, id="area")),
        expect=(
            Expectation(probe="segment-0", primitive="aabb-0", hit=True),
            Expectation(probe="segment-0", primitive="crate", hit=True),
            Expectation(probe="area", primitive="aabb-0", hit=True, method="sat13"),
            Expectation(probe="area", hits=("aabb-0", "crate", "triangle-2")),
        ),
    )


def test_items_of_both_lists_are_replaced(scene: Scene) -> None:
    moved = replace(BOX, max=(2.0, 2.0, 2.0))
    edited = replace_items(scene, "primitive", {0: moved, 1: moved})
    assert edited.primitives == (moved, replace(moved, id="crate"), FLAT)
    assert edited.expect == scene.expect and edited.probes is scene.probes
    edited = replace_items(scene, "probe", {0: replace(SEGMENT, enabled=False)})
    assert edited.probes[0].enabled is False and edited.primitives is scene.primitives


def test_a_new_type_keeps_the_id_and_what_can_still_be_expected(scene: Scene) -> None:
    edited = replace_items(scene, "primitive", {0: TURNED})
    assert [item.id or None for item in edited.primitives] == ["aabb-0", "crate", None]
    assert edited.primitives[0].word == "obb"
    # sat13 judges aabbs only.
    assert edited.expect == (*scene.expect[:2], scene.expect[3])
    assert loads(dump(edited).encode(), "f") == edited


def test_an_expectations_method_is_removed_when_one_primitive_no_longer_has_it(scene: Scene) -> None:
    only = replace(scene, primitives=scene.primitives[:2], expect=())
    asked = replace(only, expect=(Expectation(probe="area", hits=(), method="sat13"),))
    assert replace_items(asked, "primitive", {1: BOX}).expect == asked.expect
    assert replace_items(asked, "primitive", {1: TURNED}).expect == ()


@pytest.mark.parametrize(
    ("indices", "left"), [({0}, [1, 2]), ({1}, [0, 2]), ({0, 2}, [1]), ({0, 1, 2}, []), (set(), [0, 1, 2])]
)
def test_removing_leaves_all_others_their_ids(scene: Scene, indices: set[int], left: list[int]) -> None:
    edited = remove_items(scene, "primitive", indices)
    assert edited.primitive_ids == tuple(scene.primitive_ids[i] for i in left)
    assert [item.shape for item in edited.primitives] == [scene.primitives[i].shape for i in left]
    assert edited.expect[-1].hits == edited.primitive_ids
    assert {item.primitive for item in edited.expect if item.primitive} <= set(edited.primitive_ids)
    assert edited.probes is scene.probes


def test_only_ids_that_would_change_are_written(scene: Scene) -> None:
    assert [item.id or None for item in remove_items(scene, "primitive", {1}).primitives] == [None, "triangle-2"]
    assert with_ids(scene, "primitive", [0, 1]).primitives[0].id == "aabb-0"
    assert with_ids(scene, "primitive", []) == scene


def test_removing_a_probe_removes_what_was_expected_of_it(scene: Scene) -> None:
    edited = remove_items(scene, "probe", {0})
    assert edited.probe_ids == ("area",) and edited.expect == scene.expect[2:]


def test_what_is_expected_of_the_elements_of_a_bulk_item_goes_with_it() -> None:
    many = TrianglesPrimitive(id="many", vertices=[FLAT.vertices] * 2)
    bundle = SegmentsProbe(id="bundle", start=[SEGMENT.start] * 2, end=[SEGMENT.end] * 2)
    scene = Scene(
        version=1,
        primitives=(many, BOX),
        probes=(bundle, SEGMENT),
        expect=(
            Expectation(probe="segment-1", primitive="many[1]", hit=True),
            Expectation(probe="bundle[0]", primitive="aabb-1", hit=True),
            Expectation(probe="segment-1", hits=("many[0]", "aabb-1")),
        ),
    )
    assert remove_items(scene, "primitive", {0}).expect == (
        scene.expect[1],
        replace(scene.expect[2], hits=("aabb-1",)),
    )
    assert remove_items(scene, "probe", {0}).expect == (scene.expect[0], scene.expect[2])


def test_copies_count_on_from_the_id_and_have_that_of_what_is_new_where_the_item_had_none(scene: Scene) -> None:
    once = add_items(scene, "primitive", scene.primitives[:2])
    twice = add_items(once, "primitive", [once.primitives[1], once.primitives[4]])
    assert twice.primitive_ids == ("aabb-0", "crate", "triangle-2", "aabb-1", "crate-2", "crate-3", "crate-4")
    assert twice.expect == scene.expect
    assert add_items(scene, "probe", scene.probes[1:2]).probe_ids == ("segment-0", "area", "area-2")


def test_what_is_added_never_takes_an_id(scene: Scene) -> None:
    named = replace(BOX, id="aabb-5")
    more = add_items(scene, "primitive", [named, named, BOX, BOX, replace(BOX, id="mine")])
    assert more.primitive_ids[3:] == ("aabb-5", "aabb-6", "aabb-1", "aabb-2", "mine")
    assert [item.id or None for item in more.primitives[3:]] == ["aabb-5", "aabb-6", "aabb-1", "aabb-2", "mine"]


def test_what_is_expected_of_all_hits_by_a_method_goes_with_the_first_primitive_that_it_does_not_know(
    scene: Scene,
) -> None:
    # sat13 judges triangles against aabbs only.
    asked = Expectation(probe="area", hits=(), method="sat13")
    with_box = replace(scene, primitives=scene.primitives[:2], expect=(*scene.expect[:3], asked))
    assert add_items(with_box, "primitive", [BOX]).expect == with_box.expect
    assert add_items(with_box, "primitive", [FLAT]).expect == with_box.expect[:3]


@pytest.mark.parametrize("kind", ["primitive", "probe"])
def test_either_list_is_given_with_its_ids(scene: Scene, kind: str) -> None:
    assert len(items_of(scene, kind)) == len(ids_of(scene, kind))
    assert items_of(scene, kind) is getattr(scene, f"{kind}s")


# Probes, from a file's text

RAY_TEXT = '{"type": "ray", "origin": [0, 0, 0], "direction": [1, 0, 0]}'
EXPECT = ", ".join(f'{{"probe": "{probe}", "hits": []}}' for probe in ("segment-0", "ray-1", "segment-2", "last"))


@pytest.fixture
def four() -> Scene:
    """Three probes with default ids and one with its own, and an expectation of each."""
    probes = f'{SEGMENT_TEXT}, {RAY_TEXT}, {SEGMENT_TEXT}, {{"id": "last", {RAY_TEXT[1:]}'
    return loads(scene_text(BOX_TEXT, probes, f'"expect": [{EXPECT}]').encode(), "f")


def test_a_probe_is_replaced_and_nothing_else(four: Scene) -> None:
    moved = replace_items(four, "probe", {2: replace(four.probes[2], end=(7.0, 8.0, 9.0))})
    assert moved.probes[2] == SegmentProbe(start=(0, 0, 0), end=(7, 8, 9))
    assert replace_items(moved, "probe", {2: four.probes[2]}) == four
    assert moved.primitives is four.primitives


def test_replacing_a_probe_cannot_orphan_an_expectation(four: Scene) -> None:
    edited = replace_items(four, "probe", {2: four.probes[1]})
    assert edited.probe_ids == four.probe_ids and edited.expect == four.expect
    assert edited.probes[2] == replace(four.probes[1], id="segment-2")


@pytest.mark.parametrize("index", range(4))
def test_removing_a_probe_leaves_all_others_their_names(four: Scene, index: int) -> None:
    left = remove_items(four, "probe", {index})
    assert left.probe_ids == tuple(name for i, name in enumerate(four.probe_ids) if i != index)
    assert [item.probe for item in left.expect] == list(left.probe_ids)
    assert [probe.shape for probe in left.probes] == [p.shape for i, p in enumerate(four.probes) if i != index]
    assert loads(dump(left).encode(), "f") == left


def test_only_affected_ids_are_written(four: Scene) -> None:
    assert [bool(probe.id) for probe in remove_items(four, "probe", {1}).probes] == [False, True, True]
    assert [bool(probe.id) for probe in remove_items(four, "probe", {3}).probes] == [False, False, False]


def test_all_probes_can_be_removed(four: Scene) -> None:
    for _ in range(4):
        four = remove_items(four, "probe", {0})
    assert four.probes == four.expect == ()


def test_what_is_added_without_an_id_is_numbered_by_its_type_from_1_on(four: Scene) -> None:
    ray, box = RayProbe(origin=(0, 0, 0), direction=(0, 1, 0)), AabbProbe(min=(0, 0, 0), max=(1, 1, 1))
    named = replace(four, primitives=(replace(BOX, id="aabb-1"),))
    more = add_items(named, "probe", [box, ray, box])
    assert four.probe_ids[1] == "ray-1"
    assert more.probe_ids == (*four.probe_ids, "aabb-2", "ray-2", "aabb-3"), "aabb-1 is a primitive"


def test_an_added_probe_never_takes_an_id(four: Scene) -> None:
    new = SegmentProbe(start=(0, 0, 0), end=(0, 1, 0))
    left = remove_items(remove_items(four, "probe", {3}), "probe", {0})
    assert left.probe_ids == ("ray-1", "segment-2")
    more = add_items(left, "probe", [new, new])
    assert more.probe_ids == ("ray-1", "segment-2", "segment-1", "segment-3")
    assert [probe.id or None for probe in more.probes] == ["ray-1", "segment-2", "segment-1", "segment-3"]
    assert add_items(four, "probe", [replace(new, id="last")]).probe_ids[-1] == "last-2"
    assert add_items(four, "probe", [replace(new, id="mine")]).probe_ids[-1] == "mine"


def test_exact_decides_without_a_mention_and_another_method_by_one(four: Scene) -> None:
    named = decide_by(four, "segment_aabb", "slab_ericson")
    assert named.methods == {"segment_aabb": "slab_ericson"}
    assert decide_by(named, "segment_aabb", "exact") == four
    with pytest.raises(Fault, match=r"^\$\.methods\.segment_aabb: expected a method of segment_aabb"):
        decide_by(four, "segment_aabb", "sat13")


def test_an_id_that_ends_in_more_digits_than_int_reads_is_copied():
    name = f"box-{'9' * 5000}"
    scene = add_items(Scene(version=1, primitives=(), probes=()), "primitive", [replace(BOX, id=name)])
    assert add_items(scene, "primitive", scene.primitives).primitive_ids == (name, f"{name}-2")


def test_the_map_of_the_view_follows_its_item_and_goes_with_it():
    text = scene_text(more='"view": {"map": {"handle": "segment-0.end", "scale": 0.5}}')
    made = loads(text.encode(), "x")
    named = rename_item(made, "probe", 0, "cut")
    assert named.view.map.handle == "cut.end" and named.view.map.scale == 0.5
    assert rename_item(made, "primitive", 0, "box").view == made.view
    assert remove_items(named, "probe", [0]).view.map is None
    assert remove_items(named, "primitive", [0]).view == named.view
