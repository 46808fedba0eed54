"""What the format refuses in a file is refused in the same words where an item is made in Python."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.errors import Fault, SceneError
from hitscope.scene import edits
from hitscope.scene.bulk import SegmentsProbe
from hitscope.scene.items import AabbPrimitive, HalfSpace, PolyhedronPrimitive, SegmentProbe
from hitscope.scene.load import loads
from hitscope.scene.model import PRIMITIVES, PROBES, Expectation, FileCamera, FileView, Scene

ORIGIN, X = [0, 0, 0], [1, 0, 0]
AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
GOOD_PRIMITIVES: dict[str, dict[str, Any]] = {
    "aabb": {"min": ORIGIN, "max": X},
    "obb": {"center": ORIGIN, "half_extents": X},
    "parallelepiped": {"origin": ORIGIN, "edges": AXES},
    "triangle": {"vertices": AXES},
    "plane": {"normal": X, "offset": 1},
    "polyhedron": {"vertices": AXES},
    "sphere": {"center": ORIGIN, "radius": 1},
    "capsule": {"start": ORIGIN, "end": X, "radius": 1},
    "aabbs": {"min": [ORIGIN], "max": [X]},
    "obbs": {"center": [ORIGIN], "half_extents": [X]},
    "spheres": {"center": [ORIGIN], "radius": [1]},
    "capsules": {"start": [ORIGIN], "end": [X], "radius": [1]},
}
GOOD_PROBES: dict[str, dict[str, Any]] = {
    "point": {"position": ORIGIN},
    "segment": {"start": ORIGIN, "end": X},
    "ray": {"origin": ORIGIN, "direction": X},
    "line": {"origin": ORIGIN, "direction": X},
    "triangle": {"vertices": AXES},
    "aabb": {"min": ORIGIN, "max": X},
    "obb": {"center": ORIGIN, "half_extents": X},
    "parallelepiped": {"origin": ORIGIN, "edges": AXES},
    "sphere": {"center": ORIGIN, "radius": 1},
    "capsule": {"start": ORIGIN, "end": X, "radius": 1},
    "segments": {"start": [ORIGIN], "end": [X]},
}
BAD_IDS: list[dict[str, Any]] = [{"id": ""}, {"id": "a[0]"}, {"id": 3}, {"id": None}]
BAD_PRIMITIVES: list[tuple[str, dict[str, Any]]] = [
    *(("aabb", bad) for bad in BAD_IDS),
    ("aabb", {"min": X, "max": ORIGIN}),
    ("aabb", {"min": [0, 0]}),
    ("aabb", {"min": [0, 0, 0, 0]}),
    ("aabb", {"min": [0, "1", 0]}),
    ("aabb", {"min": [0, True, 0]}),
    ("aabb", {"min": [0, None, 0]}),
    ("aabb", {"min": 3}),
    ("aabb", {"min": "abc"}),
    ("aabb", {"min": {"x": 1}}),
    ("aabb", {"center": ORIGIN}),
    ("obb", {"half_extents": [1, -1, 1]}),
    ("obb", {"axes": [[1, 0, 0], [0, 1, 0], [0, 0, 1.1]]}),
    ("obb", {"axes": AXES, "euler_xyz_deg": ORIGIN}),
    ("obb", {"quaternion_xyzw": [0, 0, 0, 0]}),
    ("obb", {"quaternion_xyzw": ORIGIN}),
    ("parallelepiped", {"edges": [X, X]}),
    ("triangle", {"vertices": [ORIGIN, X]}),
    ("triangle", {"vertices": [ORIGIN, X, [0, 0, "z"]]}),
    ("plane", {"normal": ORIGIN}),
    ("plane", {"offset": [1]}),
    ("polyhedron", {"vertices": []}),
    ("polyhedron", {"vertices": [ORIGIN, [0, 0]]}),
    ("polyhedron", {"planes": [{"normal": X, "offset": 1}]}),
    ("aabbs", {"min": [X], "max": [ORIGIN]}),
    ("aabbs", {"min": [X, X]}),
    ("aabbs", {"center": [ORIGIN]}),
    ("obbs", {"half_extents": [[0, 0, -1]]}),
    ("sphere", {"radius": -1}),
    ("sphere", {"radius": [1]}),
    ("sphere", {"center": [0, 0]}),
    ("spheres", {"radius": [-1]}),
    ("capsule", {"radius": -1}),
    ("capsule", {"end": [0, 0]}),
    ("capsules", {"end": [ORIGIN, X]}),
]
BAD_PROBES: list[tuple[str, dict[str, Any]]] = [
    *(("segment", bad) for bad in BAD_IDS),
    ("segment", {"enabled": 1}),
    ("segment", {"enabled": None}),
    ("segment", {"start": [0, 0]}),
    ("point", {"position": [[0], 0, 0]}),
    ("ray", {"direction": [0, 0, False]}),
    ("line", {"origin": None}),
    ("triangle", {"vertices": [ORIGIN]}),
    ("aabb", {"max": [-1, 0, 0]}),
    ("segments", {"end": [X, ORIGIN]}),
    ("segments", {"enabled": "no"}),
]
BAD_EXPECTATIONS: list[dict[str, Any]] = [
    {"tolerance": -1},
    {"tolerance": "1"},
    {"hit": 1},
    {"hit": None},
    {"state": "near"},
    {"side": "left"},
    {"t_enter": "0"},
    {"point": [0, 0]},
    {"hits": ["b"]},
    {"primitive": 3},
    {"method": 3},
    {"why": 3},
]
BAD_VIEWS: list[dict[str, Any]] = [
    {"up": "x"},
    {"up": 1},
    {"hierarchy": -1},
    {"hierarchy": 0.5},
    {"hierarchy": "0"},
    {"camera": 3},
]
BAD_CAMERAS: list[dict[str, Any]] = [
    {"fov_deg": 0},
    {"fov_deg": 180},
    {"fov_deg": None},
    {"eye": [0, 0]},
    {"eye": X},
]
BAD_SCENES: list[dict[str, Any]] = [
    {"version": 2},
    {"name": 3},
    {"description": None},
    {"methods": {"segment_aabb": 3}},
    {"methods": {"segment_aabb": "no_such"}},
    {"methods": {"segment_box": "exact"}},
    {"methods": {"point_triangle": {"name": "barycentric_point", "thickness": "1"}}},
    {"methods": ["exact"]},
    {"view": None},
    {"primitives": 3},
    {"probes": [3]},
    {"expect": [3]},
]


def refused_in_a_file(document: dict[str, Any], where: str) -> str:
    """Return the refusal of a scene file, its path relative to `where`."""
    with pytest.raises(SceneError) as caught:
        loads(json.dumps({"version": 1, "primitives": [], "probes": [], **document}).encode(), "f")
    message = str(caught.value).split(": ", 1)[1]
    assert message.startswith(where)
    return "$" + message.removeprefix(where)


def refused(make: Any, *values: Any, **fields: Any) -> str:
    """Return the refusal of a call."""
    with pytest.raises(Fault) as caught:
        make(*values, **fields)
    return str(caught.value)


@pytest.mark.parametrize(("word", "bad"), BAD_PRIMITIVES, ids=str)
def test_a_primitive_is_refused_where_it_is_made_as_in_a_file(word: str, bad: dict[str, Any]) -> None:
    good = PRIMITIVES[word](**GOOD_PRIMITIVES[word])
    fields = {**GOOD_PRIMITIVES[word], **bad}
    expected = refused_in_a_file({"primitives": [{"type": word, **fields}]}, "$.primitives[0]")
    assert refused(PRIMITIVES[word], **fields) == expected
    assert refused(replace, good, **bad) == expected


@pytest.mark.parametrize(("word", "bad"), BAD_PROBES, ids=str)
def test_a_probe_is_refused_where_it_is_made_as_in_a_file(word: str, bad: dict[str, Any]) -> None:
    fields = {**GOOD_PROBES[word], **bad}
    expected = refused_in_a_file({"probes": [{"type": word, **fields}]}, "$.probes[0]")
    assert refused(PROBES[word], **fields) == expected
    assert refused(replace, PROBES[word](**GOOD_PROBES[word]), **bad) == expected


@pytest.mark.parametrize("bad", BAD_EXPECTATIONS, ids=str)
def test_an_expectation_is_refused_where_it_is_made_as_in_a_file(bad: dict[str, Any]) -> None:
    good = {"probe": "a", "primitive": "b", "hit": True}
    items = {"primitives": [{"type": "aabb", "id": "b", **GOOD_PRIMITIVES["aabb"]}]}
    items |= {"probes": [{"type": "segment", "id": "a", **GOOD_PROBES["segment"]}]}
    expected = refused_in_a_file({**items, "expect": [good | bad]}, "$.expect[0]")
    assert refused(Expectation, **(good | bad)) == expected
    assert refused(replace, Expectation(**good), **bad) == expected


@pytest.mark.parametrize("bad", BAD_VIEWS, ids=str)
def test_a_view_is_refused_where_it_is_made_as_in_a_file(bad: dict[str, Any]) -> None:
    expected = refused_in_a_file({"view": bad}, "$.view")
    assert refused(FileView, **bad) == expected
    assert refused(replace, FileView(), **bad) == expected


@pytest.mark.parametrize("bad", BAD_CAMERAS, ids=str)
def test_a_camera_is_refused_where_it_is_made_as_in_a_file(bad: dict[str, Any]) -> None:
    good: dict[str, Any] = {"eye": ORIGIN, "target": X}
    expected = refused_in_a_file({"view": {"camera": good | bad}}, "$.view.camera")
    assert refused(FileCamera, **(good | bad)).split(", found")[0] == expected.split(", found")[0]
    assert refused(replace, FileCamera(**good), **bad).split(", found")[0] == expected.split(", found")[0]


@pytest.mark.parametrize("bad", BAD_SCENES, ids=str)
def test_a_scene_is_refused_where_it_is_made_as_in_a_file(bad: dict[str, Any]) -> None:
    good: dict[str, Any] = {"version": 1, "primitives": (), "probes": ()}
    expected = refused_in_a_file(bad, "$")
    assert refused(Scene, **(good | bad)) == expected
    assert refused(replace, Scene(**good), **bad) == expected


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1j, 10**400, "1", np.float64("nan")], ids=str)
def test_a_number_that_no_file_can_hold_is_refused_with_its_field(number: Any) -> None:
    for kinds, table in ((PRIMITIVES, GOOD_PRIMITIVES), (PROBES, GOOD_PROBES)):
        for word, fields in table.items():
            name = next(iter(fields))
            value: Any = np.array(fields[name], dtype=object)
            value[(0,) * value.ndim] = number
            with pytest.raises(Fault) as caught:
                kinds[word](**fields | {name: value.tolist()})
            assert caught.value.path[0] == name
    for make in (
        lambda: HalfSpace(normal=(0, 0, 1), offset=number),
        lambda: Expectation(probe="a", primitive="b", distance=number),
        lambda: FileCamera(eye=(0, 0, number), target=(1, 1, 1)),
    ):
        with pytest.raises(Fault):
            make()


def test_a_method_argument_that_is_no_number_is_refused_in_a_scene_made_in_python() -> None:
    choice = {"name": "barycentric_point", "thickness": math.nan}
    message = refused(Scene, version=1, primitives=(), probes=(), methods={"point_triangle": choice})
    assert message == "$.methods.point_triangle.thickness: expected a finite number, found nan"


def test_planes_beside_vertices_are_refused_and_so_is_a_text_that_no_file_can_hold() -> None:
    half_space = HalfSpace(normal=(1, 0, 0), offset=1)
    message = refused(PolyhedronPrimitive, planes=(half_space,), vertices=((0, 0, 0),))
    assert message == '$: expected either "planes" or "vertices", found "planes", "vertices"'
    assert refused(SegmentProbe, id="\ud800", start=ORIGIN, end=X).startswith("$.id: expected text that UTF-8 can")
    assert refused(SegmentsProbe, start=[[1, 2], [3]], end=[ORIGIN, X]).startswith(
        "$.start: expected an array of numb"
    )


def test_an_item_of_the_other_kind_is_refused() -> None:
    probe = SegmentProbe(start=(0, 0, 0), end=(1, 0, 0))
    good = Scene(version=1, primitives=(), probes=(probe,))
    for wrong in ((probe,), good.probes):
        assert refused(replace, good, primitives=wrong).startswith(
            "$.primitives[0]: expected an object, found Seg"
        )


def test_values_made_in_python_become_those_of_a_file() -> None:
    made = AabbPrimitive(min=np.zeros(3), max=[np.float32(1), 2, np.int64(3)])
    assert repr(made.min) == "(0.0, 0.0, 0.0)"
    assert repr(made.max) == "(1.0, 2.0, 3.0)"
    assert repr(SegmentProbe(start=(0, 0, 0), end=(1, 0, 0)).shape.start) == "(0.0, 0.0, 0.0)"


def test_edits_refuse_what_the_format_refuses() -> None:
    box = AabbPrimitive(min=(0, 0, 0), max=(1, 1, 1))
    scene = Scene(version=1, primitives=(box,), probes=(SegmentProbe(start=(0, 0, 0), end=(1, 0, 0)),))
    for edit in (
        lambda: edits.show_hierarchy(scene, -1),
        lambda: edits.show_hierarchy(scene, 0.5),
        lambda: edits.decide_by(scene, "segment_aabb", 3),
        lambda: edits.decide_by(scene, "segment_aabb", "no_such"),
        lambda: edits.rename_item(scene, "primitive", 0, "a["),
        lambda: edits.rename_item(scene, "primitive", 0, "\ud800"),
        lambda: edits.replace_items(scene, "primitive", {0: scene.probes[0]}),
        lambda: edits.add_items(scene, "probe", [box]),
        lambda: edits.expect(scene, Expectation(probe="none", primitive="aabb-0", hit=True)),
    ):
        with pytest.raises(Fault):
            edit()


def test_a_loaded_scene_is_not_checked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    from hitscope.scene import checked_fields as module

    checked: list[str] = []
    monkeypatch.setattr(module, "_converted", lambda field, value: checked.append(field.name) or value)
    items = {"primitives": [{"type": word, **fields} for word, fields in GOOD_PRIMITIVES.items()]}
    scene = loads(json.dumps({"version": 1, "probes": [], "view": {"up": "z"}, **items}).encode(), "f", Path())
    assert not checked
    replace(scene, name="other")
    assert "name" in checked
    assert "primitives" not in checked, "the items are those of a checked scene"
