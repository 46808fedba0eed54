"""Scenes by the thousand, one after the other: little is left behind, however many there are."""

import gc
import json

import numpy as np
import pytest

from hitscope.evaluate import Report, evaluate
from hitscope.geometry.exact.sets import KEPT_SETS, convex_set
from hitscope.geometry.group import CompiledCode, Group, Thresholds
from hitscope.geometry.registry import choose
from hitscope.geometry.shapes import Aabb, Segment
from hitscope.scene.load import loads
from hitscope.scene.model import Scene


def scene_file(place: float, count: int) -> bytes:
    """A scene at a place of its own, of pairs that no filter decides."""
    planes = [{"type": "plane", "normal": [0, 0, 1], "offset": place + i} for i in range(count)]
    probe = {"id": "probe", "type": "segment", "start": [0, 0, place - 1], "end": [0, 0, place + 1]}
    expected = [{"probe": "probe", "hits": ["plane-0", "plane-1"]}]
    return json.dumps({"version": 1, "primitives": planes, "probes": [probe], "expect": expected}).encode()


def test_the_sets_of_scenes_that_are_done_with_are_not_kept():
    count, scenes = 600, 10
    for place in range(scenes):
        assert not evaluate(loads(scene_file(count * place, count), "x")).mismatches
        assert convex_set.cache_info().currsize <= KEPT_SETS + count + 1
    assert scenes * count > KEPT_SETS + count + 1


def test_a_scene_that_is_done_with_is_freed_at_once():
    def alive() -> int:
        return sum(type(each) in (Report, Scene) for each in gc.get_objects())

    data = scene_file(0, 20)
    gc.collect()
    gc.disable()  # what is freed without is in no circle either
    try:
        before = alive()
        for _ in range(3):
            assert not evaluate(loads(data, "x")).mismatches
        assert alive() == before
    finally:
        gc.enable()


@pytest.mark.parametrize("method", ["exact", "slab_ericson"])
def test_few_primitives_compile_nothing_however_often_they_are_decided(method: str):
    boxes = [Aabb((i, 0.0, 0.0), (i + 0.5, 1.0, 1.0)) for i in range(9)]
    code = CompiledCode()
    for _ in range(3):
        group = Group(boxes, Thresholds(compile_pairs=1, compile_exact_pairs=1), code)
        hits = group.hits(choose("segment_aabb", method), Segment((-1.0, 0.5, 0.5), (3.2, 0.5, 0.5)))
        np.testing.assert_array_equal(hits, np.arange(9) < 4)
    assert not code.ready
    assert not code.pairs_without
