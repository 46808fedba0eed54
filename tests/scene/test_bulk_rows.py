"""Elements of bulk items as items of their own, and many shapes that are moved, turned and scaled at once."""

import math

import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import HitscopeError
from hitscope.scene import Fault, Scene, load, loads, save
from hitscope.scene.bulk import (
    AabbsPrimitive,
    MeshPrimitive,
    ObbsPrimitive,
    PointsProbe,
    RaysProbe,
    SpheresPrimitive,
    TrianglesPrimitive,
)
from hitscope.scene.bulk_rows import FEW, element, inline, with_elements, without_elements
from hitscope.scene.edits import remove_elements, replace_items
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, PointProbe
from hitscope.scene.model import Expectation
from hitscope.scene.save import dump
from hitscope.scene.transforms import rotate_all, scale_all, translate, translate_all
from tests.scene.single_transforms import rotate, scale

X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
PIVOT = (0.3, -0.7, 1.1)
CORNERS = AabbsPrimitive(id="many", min=[[0.1, 0.2, 0.3], [1, 1, 1]], max=[[0.4, 0.6, 1.3], [2, 3, 4]])
CENTERS = AabbsPrimitive(id="many", center=[[2.0, 4.0, -1.0]] * 2, half_extents=[[0.5, 1.0, 1.5]] * 2)
PLAIN = ObbsPrimitive(center=[[1, 2, 3], [0, 0, 0]], half_extents=[[1, 2, 0.5], [1, 1, 1]])
EULER = replace(PLAIN, euler_xyz_deg=[[10, 20, 30], [0, 45, 0]])
QUATERNION = replace(PLAIN, quaternion_xyzw=[[0.1, 0.2, 0.3, 0.9], [0, 0, 0, 1]])
TRIANGLES = TrianglesPrimitive(vertices=[[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[3, 3, 3], [4, 3, 3], [3, 4, 3.5]]])
SPHERES = SpheresPrimitive(id="balls", center=[[0.1, 0.2, 0.3], [1, 2, 3]], radius=[0.7, 0])
RAYS = RaysProbe(origin=[[0, 1, 2], [3, 4, 5]], direction=[[1, 0, 0], [0.5, 0.25, 0]])


@pytest.mark.parametrize("item", [CORNERS, CENTERS, PLAIN, EULER, QUATERNION, TRIANGLES, SPHERES, RAYS])
def test_an_element_is_an_item_of_the_same_numbers_and_back_it_changes_nothing(item):
    alone = [element(item, row) for row in range(2)]
    assert [made.word for made in alone] == [item.element_word] * 2
    assert [made.shape for made in alone] == list(item.shapes)
    assert with_elements(item, dict(enumerate(alone))) == item


def test_of_many_boxes_one_is_moved_and_the_others_keep_every_bit():
    moved = with_elements(CORNERS, {1: translate(element(CORNERS, 1), (0.5, 0.0, 0.0))})
    assert moved.shapes[0] == CORNERS.shapes[0] and moved.id == "many"
    assert moved.min.array.tolist()[1] == [1.5, 1.0, 1.0]


def test_a_turned_element_gives_all_boxes_the_axes_that_they_have():
    turned = rotate(element(PLAIN, 0), PIVOT, Z, 30.0)
    made = with_elements(PLAIN, {0: turned})
    assert made.shapes[0] == turned.shape and made.shapes[1] == PLAIN.shapes[1]
    assert made.axes is not UNSET and made.euler_xyz_deg is UNSET
    again = with_elements(EULER, {1: rotate(element(EULER, 1), PIVOT, Z, 15.0)})
    assert again.shapes[0] == EULER.shapes[0]


def test_an_element_that_becomes_another_type_is_refused_in_words():
    turned = rotate(element(CORNERS, 0), PIVOT, Z, 30.0)
    with pytest.raises(HitscopeError, match=r"^Cannot turn one element of aabbs into an obb: duplicate it first$"):
        with_elements(CORNERS, {0: turned})


def test_a_row_goes_and_what_is_expected_of_the_others_keeps_its_subject():
    many = AabbsPrimitive(id="many", min=[[i, 0, 0] for i in range(4)], max=[[i, 1, 1] for i in range(4)])
    expect = (
        Expectation(probe="p", primitive="many[0]", hit=True),
        Expectation(probe="p", primitive="many[1]", hit=False),
        Expectation(probe="p", primitive="many[3]", hit=False),
        Expectation(probe="p", primitive="many", hit=True),
        Expectation(probe="p", hits=("many[0]", "many[1]", "many[2]")),
    )
    probe = PointProbe(id="p", position=(0.0, 0.0, 0.0))
    scene = Scene(version=1, primitives=(many,), probes=(probe,), expect=expect)
    after = remove_elements(scene, "primitive", 0, [1])
    assert after.primitives[0].shapes[1] == many.shapes[2] and len(after.primitives[0].shapes) == 3
    assert [item.primitive for item in after.expect] == ["many[0]", "many[2]", "many", UNSET]
    assert after.expect[-1].hits == ("many[0]", "many[1]")
    empty = remove_elements(scene, "primitive", 0, range(4))
    assert len(empty.primitives[0].shapes) == 0
    assert [item.hits for item in empty.expect] == [()], "of no shape nothing else can be expected"


def test_a_file_of_few_rows_is_taken_in_with_the_very_numbers_and_one_of_many_is_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(7)
    center, half_extents = random.normal(size=(FEW, 3)), random.random((FEW, 3))
    np.savez("few.npz", center=center, half_extents=half_extents)
    few = AabbsPrimitive(id="few", file="few.npz")
    assert list(inline(few).shapes) == list(few.shapes) and inline(few).file is UNSET
    np.savez("many.npz", center=np.repeat(center, 2, 0), half_extents=np.repeat(half_extents, 2, 0))
    many = AabbsPrimitive(file="many.npz")
    for change in (
        lambda: inline(many),
        lambda: element(many, 0),
        lambda: without_elements(many, [0]),
        lambda: translate_all([many], PIVOT),
    ):
        with pytest.raises(
            HitscopeError, match=r"^Cannot change many\.npz here: it has 2,000 rows, .*; edit the file itself$"
        ):
            change()


# Many at once


@pytest.mark.parametrize(
    "item", [CORNERS, CENTERS, TRIANGLES, RAYS, PointsProbe(position=[[1, 2, 3], [0.1, 0, 0]])]
)
@pytest.mark.parametrize(
    ("many", "one"),
    [
        (lambda items: translate_all(items, PIVOT), lambda item: translate(item, PIVOT)),
        (lambda items: rotate_all(items, PIVOT, Z, 90.0), lambda item: rotate(item, PIVOT, Z, 90.0)),
        (lambda items: scale_all(items, PIVOT, (2, 3, -1)), lambda item: scale(item, PIVOT, (2.0, 3.0, -1.0))),
    ],
    ids=["translate", "rotate", "scale"],
)
def test_many_shapes_become_what_each_alone_becomes(item, many, one):
    (made,) = many([item])
    assert made.word == item.word and made.id == item.id
    assert list(made.shapes) == [one(element(item, row)).shape for row in range(2)]


@pytest.mark.parametrize(
    ("many", "one"),
    [
        (lambda items: translate_all(items, PIVOT), lambda item: translate(item, PIVOT)),
        (lambda items: rotate_all(items, PIVOT, X, 33.0), lambda item: rotate(item, PIVOT, X, 33.0)),
        (lambda items: scale_all(items, PIVOT, (0.1,) * 3), lambda item: scale(item, PIVOT, (0.1,) * 3)),
        (lambda items: scale_all(items, PIVOT, (3, -3, 3)), lambda item: scale(item, PIVOT, (3.0, -3.0, 3.0))),
    ],
    ids=["translate", "rotate", "scale", "mirror"],
)
def test_many_spheres_become_what_each_alone_becomes(many, one):
    (made,) = many([SPHERES])
    assert list(made.shapes) == [one(element(SPHERES, row)).shape for row in range(2)]


def test_spheres_that_would_be_none_are_refused_in_words():
    (made,) = scale_all([SPHERES], PIVOT, (0.1,) * 3)
    assert made.shapes[0].radius == 0.07, "the decimals of the file stay short"
    for items in ([SPHERES], [element(SPHERES, 0)]):
        with pytest.raises(Fault, match="expected the same factor along every axis, to scale what is round"):
            scale_all(items, PIVOT, (2.0, 1.0, 1.0))


@pytest.mark.parametrize("item", [CORNERS, CENTERS, PLAIN, EULER, QUATERNION])
def test_many_boxes_turned_are_oriented_boxes(item):
    (made,) = rotate_all([item], PIVOT, (1.0, -2.0, 0.5), 40.0)
    assert made.word == "obbs" and made.id == item.id
    for row, shape in enumerate(made.shapes):
        alone = rotate(element(item, row), PIVOT, (1.0, -2.0, 0.5), 40.0).shape
        assert np.allclose(
            np.concatenate([np.ravel(part) for part in shape]),
            np.concatenate(list(map(np.ravel, alone))),
            atol=1e-14,
        )


def test_many_boxes_that_would_be_none_are_refused_in_words():
    (even,) = scale_all([EULER], PIVOT, (2.0, 2.0, 2.0))
    assert even.shapes[0].half_extents == (2.0, 4.0, 1.0)
    with pytest.raises(Fault, match="no box of obbs stays a box"):
        scale_all([EULER], PIVOT, (2.0, 1.0, 1.0))


MESH = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\nf 1 2 4\n"


@pytest.fixture
def mesh(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "it.obj").write_text(MESH)
    return MeshPrimitive(
        id="it",
        file="it.obj",
        scale=2.0,
        quaternion_xyzw=(0, 0, math.sin(0.3), math.cos(0.3)),
        translate=(1.0, 0.1, 0.0),
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda items: translate_all(items, (0.2, 0.2, -3.0)),
        lambda items: rotate_all(items, PIVOT, (1.0, 2.0, 3.0), 77.0),
        lambda items: scale_all(items, PIVOT, (1.5, 1.5, 1.5)),
        lambda items: scale_all(items, PIVOT, (1.0, 1.0, -2.0)),
    ],
    ids=["translate", "rotate", "scale", "mirror"],
)
def test_a_mesh_goes_where_each_of_its_triangles_goes_by_its_fields(mesh, change):
    triangles = TrianglesPrimitive(vertices=mesh.shapes.rows.T.reshape(-1, 3, 3))
    (made,), (wanted,) = change([mesh]), change([triangles])
    assert made.file is mesh.file and made.id == "it"
    assert np.allclose(made.shapes.rows, wanted.shapes.rows, atol=1e-14)


def test_a_mesh_that_is_changed_is_not_read_again(mesh, tmp_path):
    (tmp_path / "it.obj").unlink()
    (moved,) = translate_all([mesh], (0.2, 0.2, 0.0))
    assert moved.translate == (1.2, 0.3, 0.0) and len(moved.shapes) == 2


def test_scaling_a_rotated_mesh_across_its_axes_is_refused(mesh):
    with pytest.raises(Fault, match="scaled along its own axes only"):
        scale_all([mesh], PIVOT, (2.0, 1.0, 1.0))


def test_a_changed_mesh_is_saved_by_its_fields(mesh, tmp_path):
    scene = Scene(version=1, primitives=(mesh,), probes=())
    (moved,) = rotate_all([mesh], PIVOT, Z, 90.0)
    save(replace_items(scene, "primitive", {0: moved}), tmp_path / "x.scene.json")
    again = load(tmp_path / "x.scene.json")
    assert np.array_equal(again.primitives[0].shapes.rows, moved.shapes.rows)
    assert loads(dump(again).encode(), "x", tmp_path) == again


def test_boxes_of_one_item_stay_what_they_are():
    assert isinstance(element(CORNERS, 0), AabbPrimitive) and isinstance(element(EULER, 0), ObbPrimitive)
