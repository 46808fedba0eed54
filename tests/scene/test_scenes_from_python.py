"""`scene`, `save` and `Scene.show`: scenes made of shapes and arrays, written, and opened in a viewer."""

import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hitscope
from hitscope import (
    Aabb,
    Capsule,
    Frustum,
    HitscopeError,
    Mesh,
    Obb,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Scene,
    Segment,
    Shapes,
    Sphere,
    Triangle,
)
from hitscope.geometry import shapes
from hitscope.geometry.kinds import KINDS, WRAPPED, word_of
from hitscope.scene import showing
from hitscope.scene.items import AabbPrimitive
from hitscope.scene.shape_items import SHAPE_ITEMS

BOX = Aabb((0, 0, 0), (1, 1, 1))
RAY = Ray([0, 0, 5], np.array([0, 0, -1]))
EDGES = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
SINGLE: dict[str, Any] = {
    "point": Point((0, 0, 0)),
    "segment": Segment((0, 0, 0), (1, 0, 0)),
    "ray": RAY,
    "line": hitscope.Line((0, 0, 0), (1, 0, 0)),
    "triangle": Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    "aabb": BOX,
    "obb": Obb((0, 0, 0), (1, 1, 1), EDGES),
    "parallelepiped": hitscope.Parallelepiped((0, 0, 0), EDGES),
    "plane": Plane((0, 0, 1), 2),
    "polyhedron": Polyhedron(vertices=EDGES),
    "sphere": Sphere((0, 0, 0), 1),
    "capsule": Capsule((0, 0, 0), (1, 0, 0), 1),
    "frustum": KINDS[Frustum].example,
    **{word_of(kind): KINDS[kind].example for kind in WRAPPED},
}


def test_every_shape_becomes_an_item_of_its_role() -> None:
    assert {type(shape) for shape in SINGLE.values()} == set(SHAPE_ITEMS)
    primitives = {word: shape for word, shape in SINGLE.items() if word in shapes.PRIMITIVES}
    probes = {word: shape for word, shape in SINGLE.items() if word in shapes.PROBES}
    made = hitscope.scene(primitives, probes)
    assert (made.primitive_ids, made.probe_ids) == (tuple(primitives), tuple(probes))
    assert [item.shape for item in made.primitives] == list(primitives.values())
    assert [item.shape for item in made.probes] == list(probes.values())
    unnamed = hitscope.scene(list(primitives.values()), tuple(probes.values()))
    words = (word.removeprefix("rounded_") for word in primitives)
    assert unnamed.primitive_ids == tuple(f"{word}-{i}" for i, word in enumerate(words))
    assert [item.element_word for item in made.probes] == list(probes)


def test_many_shapes_become_one_item() -> None:
    mesh = Mesh(np.eye(3), [(0, 1, 2)])
    boxes = [Obb((0, 0, float(k)), (1, 1, 1), EDGES) for k in range(3)]
    rays = Shapes.from_fields(Ray, np.zeros((4, 3), int), np.ones((4, 3), np.float32))
    balls = Shapes.from_fields(Sphere, np.zeros((2, 3)), [0, 2])
    pills = Shapes.from_fields(Capsule, np.zeros((2, 3)), np.ones((2, 3)), [0, 2])
    items = {"mesh": mesh, "boxes": boxes, "one": [BOX], "balls": balls, "pills": pills}
    made = hitscope.scene(items, [rays])
    words = [item.word for item in (*made.primitives, *made.probes)]
    assert words == ["triangles", "obbs", "aabbs", "spheres", "capsules", "rays"]
    assert list(made.primitives[3].shapes) == list(balls)
    assert list(made.primitives[4].shapes) == list(pills)
    assert list(made.primitives[1].shapes) == boxes
    assert list(made.primitives[0].shapes) == list(mesh.shapes)
    assert list(made.probes[0].shapes) == list(rays)


def test_items_of_a_scene_can_be_used_again() -> None:
    item = AabbPrimitive(id="a", center=(0, 0, 0), half_extents=(1, 1, 1))
    assert hitscope.scene([item]).primitives == (item,)
    assert hitscope.scene({"b": item}).primitive_ids == ("b",)


def test_a_scene_is_given_all_that_its_file_has(tmp_path: Path) -> None:
    made = hitscope.scene(
        {"box": BOX},
        {"ray": RAY},
        methods={"ray_aabb": "slab_ericson"},
        expect=[{"probe": "ray", "primitive": "box", "hit": True, "t_enter": 4}],
        name="n",
        description="d",
        view={"up": "z"},
    )
    hitscope.save(made, tmp_path / "made.scene.json")
    assert hitscope.load(tmp_path / "made.scene.json") == made
    assert hitscope.evaluate(made).mismatches == ()
    assert (made.view.up, made.name, made.description) == ("z", "n", "d")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((BOX,), "primitives: expected a dictionary of primitives by id, or a list of them, found Aabb(lo="),
        (
            ("rock.obj",),
            'primitives: expected a dictionary of primitives by id, or a list of them, found "rock.obj"',
        ),
        (
            ([RAY],),
            "primitives[0]: expected a primitive (Aabb, Obb, Parallelepiped, Triangle, Plane, Polyhedron, Sphere, "
            "Capsule, Frustum, Rounded)",
        ),
        (
            ([BOX], [Plane((0, 0, 1), 0)]),
            "probes[0]: expected a probe (Point, Segment, Ray, Line, Triangle, Aabb,",
        ),
        (({"a": [BOX, 3]},), "primitives.a: expected a primitive"),
        (({"a": []},), "primitives.a: expected a primitive"),
        (({"a": [BOX, Plane((0, 0, 1), 0)]},), "primitives.a: expected shapes of one type"),
        (
            ({"a": [Plane((0, 0, 1), 0)]},),
            "primitives.a: expected a primitive each by itself, or Shapes of Aabb, Obb",
        ),
        (({"a[0]": BOX},), 'primitives["a[0]"].id: expected a string that is not empty and has no "["'),
        (({1: BOX},), "primitives[1].id: expected a string, found 1"),
    ],
)
def test_what_is_no_item_is_refused_in_words(arguments: Any, message: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        hitscope.scene(*arguments)
    assert str(caught.value).startswith(f"scene: {message}")


def test_what_scene_files_do_not_allow_is_refused_in_words() -> None:
    for more, message in (
        (
            {"expect": [{"probe": "r", "primitive": "b", "hit": True}]},
            "expect[0].probe: expected the id of a probe",
        ),
        ({"expect": [{"probe": "r", "hitt": True}]}, "expect[0]"),
        ({"view": {"up": "x"}}, "view.up: expected"),
        ({"methods": {"ray_aabb": "none"}}, "methods.ray_aabb: expected a method of ray_aabb"),
    ):
        with pytest.raises(HitscopeError) as caught:
            hitscope.scene([BOX], **more)
        assert str(caught.value).startswith(f"scene: {message}")
    with pytest.raises(HitscopeError, match="save: scene: expected a Scene, found 3"):
        hitscope.save(3, "x.json")
    with pytest.raises(HitscopeError, match=r"none/x\.json: expected a file that can be written"):
        hitscope.save(hitscope.scene([BOX]), "none/x.json")


@pytest.fixture
def with_files(tmp_path: Path) -> Scene:
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    np.savez(tmp_path / "boxes.npz", center=np.zeros((2, 3)), half_extents=np.ones((2, 3)))
    np.savez(tmp_path / "rays.npz", origin=np.zeros((2, 3)), direction=np.ones((2, 3)))
    (tmp_path / "s.scene.json").write_text(
        """{"version": 1, "primitives": [{"type": "mesh", "file": "m.obj", "scale": 2},
          {"type": "obbs", "file": "boxes.npz"}, {"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}],
          "probes": [{"type": "rays", "file": "rays.npz"}],
          "expect": [{"probe": "rays-0[0]", "primitive": "mesh-0[1]", "hit": true}]}"""
    )
    return hitscope.load(tmp_path / "s.scene.json")


def test_the_copy_that_is_shown_has_the_same_elements_in_its_own_files(with_files: Scene, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    hitscope.save(with_files.with_files_in(folder), folder / "s.scene.json")
    for file in tmp_path.glob("*.*"):
        file.unlink()
    copied = hitscope.load(folder / "s.scene.json")
    assert copied.primitive_ids == with_files.primitive_ids
    for before, after in zip(
        hitscope.evaluate(with_files).elements, hitscope.evaluate(copied).elements, strict=True
    ):
        assert (after.id, after.shape) == (before.id, before.shape)
    assert hitscope.evaluate(copied).mismatches == ()


SHOWN = """
import sys, pathlib
copy = pathlib.Path(sys.argv[1]) / "shown.scene.json"
sys.exit("hitscope: " + copy.read_text().replace(chr(10), "")[:12])
"""


def test_showing_waits_only_if_it_is_told_to(monkeypatch: Any, capfd: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setattr(showing, "_program", lambda: SHOWN)
    made = hitscope.scene([BOX])
    with pytest.raises(HitscopeError, match=r'^show: {  "version"$'):
        made.show(block=True)
    before = threading.enumerate()
    made.show()
    (waiting,) = set(threading.enumerate()) - set(before)
    waiting.join()  # what is written while `capfd` is read can be lost
    assert capfd.readouterr().err == 'hitscope: {  "version"\n'


def test_showing_says_what_is_missing(monkeypatch: Any) -> None:
    monkeypatch.setattr(showing, "find_spec", lambda name: None if name == "pyglet" else name)
    with pytest.raises(
        HitscopeError, match=r"show: expected the package pyglet .* pip install 'hitscope\[viewer\]'"
    ):
        hitscope.scene([BOX]).show()
    monkeypatch.undo()
    if sys.platform.startswith("linux"):
        monkeypatch.delenv("DISPLAY", raising=False)
        with pytest.raises(HitscopeError, match="show: expected a display to open a window on, found none"):
            hitscope.scene([BOX]).show()
