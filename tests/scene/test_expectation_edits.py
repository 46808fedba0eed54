"""A new id is followed by all that names it."""

import json

import pytest

from hitscope.errors import Fault
from hitscope.scene import loads
from hitscope.scene.edits import rename_item

SCENE = {
    "version": 1,
    "primitives": [
        {"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"id": "row", "type": "aabbs", "center": [[2, 0, 0], [3, 0, 0]], "half_extents": [[1, 1, 1], [1, 1, 1]]},
    ],
    "probes": [{"id": "row", "type": "point", "position": [0, 0, 0]}],
    "expect": [
        {"probe": "row", "primitive": "aabb-0", "hit": True},
        {"probe": "row", "primitive": "row[1]", "hit": False},
        {"probe": "row", "hits": ["aabb-0", "row[0]"]},
    ],
}


def named(scene):
    """The probe and the primitive or hits of each expectation."""
    return [(item.probe, item.primitive or item.hits) for item in scene.expect]


@pytest.fixture
def scene():
    return loads(json.dumps(SCENE).encode(), "test.scene.json")


def test_expectations_follow_a_new_id(scene):
    assert named(rename_item(scene, "primitive", 0, "box")) == [
        ("row", "box"), ("row", "row[1]"), ("row", ("box", "row[0]"))
    ]  # fmt: skip
    assert named(rename_item(scene, "primitive", 1, "rank")) == [
        ("row", "aabb-0"), ("row", "rank[1]"), ("row", ("aabb-0", "rank[0]"))
    ]  # fmt: skip
    assert [probe for probe, _ in named(rename_item(scene, "probe", 0, "p"))] == ["p", "p", "p"]


@pytest.mark.parametrize("name", ["", "a[0]", "row"])
def test_an_id_that_cannot_be_is_refused(scene, name):
    with pytest.raises(Fault):
        rename_item(scene, "primitive", 0, name)
