"""Bulk items: the numbers are those of single items, kept once, and shared by the scenes that an edit makes."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from hitscope.geometry.shapes import Aabb, Obb, Point, Ray, Segment, Triangle
from hitscope.scene import Fault, Scene, bulk, loads, remove_items, replace_items
from hitscope.scene.bulk import (
    AabbsPrimitive,
    ObbsPrimitive,
    PointsProbe,
    RaysProbe,
    SegmentsProbe,
    TrianglesPrimitive,
)
from hitscope.scene.items import AabbPrimitive, ObbPrimitive
from hitscope.scene.tables import ReadLimits, source_of
from tests.scene.scene_files import BOX, SEGMENT, scene

numbers = st.floats(-1e300, 1e300)
points = st.tuples(numbers, numbers, numbers)
extents = st.tuples(*[st.floats(0, 1e300)] * 3)
angles = numbers | st.sampled_from(
    [0.0, -0.0, 45.0, -45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 360.0, -630.0, 5e-324]
)
components = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 0.5, 1.0, -1.0])
quaternions = st.tuples(components, components, components, components).filter(any)


def bits(shape: Obb) -> str:
    """The text of a shape, in which the signs of zeros differ, too."""
    return repr(shape)


@given(st.lists(st.tuples(points, extents), max_size=5))
def test_boxes_by_their_centres_are_those_of_single_items(rows) -> None:
    item = AabbsPrimitive(
        center=np.reshape([c for c, _ in rows], (-1, 3)), half_extents=np.reshape([h for _, h in rows], (-1, 3))
    )
    single = [AabbPrimitive(center=c, half_extents=h).shape for c, h in rows]
    assert list(map(bits, item.shapes)) == list(map(bits, single))


@given(st.lists(st.tuples(points, extents, st.tuples(angles, angles, angles)), min_size=1, max_size=5))
def test_boxes_by_euler_angles_are_those_of_single_items_bit_by_bit(rows) -> None:
    center, half_extents, euler = (np.array(column) for column in zip(*rows, strict=True))
    item = ObbsPrimitive(center=center, half_extents=half_extents, euler_xyz_deg=euler)
    single = [ObbPrimitive(center=c, half_extents=h, euler_xyz_deg=e).shape for c, h, e in rows]
    assert list(map(bits, item.shapes)) == list(map(bits, single))


@given(st.lists(quaternions, min_size=1, max_size=5))
def test_boxes_by_quaternions_are_those_of_single_items_bit_by_bit(rows) -> None:
    origin, unit = np.zeros((len(rows), 3)), np.ones((len(rows), 3))
    item = ObbsPrimitive(center=origin, half_extents=unit, quaternion_xyzw=np.array(rows))
    single = [ObbPrimitive(center=(0, 0, 0), half_extents=(1, 1, 1), quaternion_xyzw=row).shape for row in rows]
    assert [bits(shape.axes) for shape in item.shapes] == [bits(shape.axes) for shape in single]


def test_many_random_quaternions_give_the_bits_of_single_items() -> None:
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(3000, 4))
    rows[::3] = np.round(rows[::3])
    rows[1::5, 2:] = 0
    rows[~rows.any(axis=1)] = 1
    item = ObbsPrimitive(center=np.zeros((3000, 3)), half_extents=np.ones((3000, 3)), quaternion_xyzw=rows)
    for shape, row in zip(item.shapes, rows.tolist(), strict=True):
        single = ObbPrimitive(center=(0, 0, 0), half_extents=(1, 1, 1), quaternion_xyzw=tuple(row))
        assert bits(shape.axes) == bits(single.shape.axes)


def test_every_type_has_its_shapes() -> None:
    x, y = np.array([[0.0, 1.0, 2.0]]), np.array([[3.0, 4.0, 5.0]])
    assert list(AabbsPrimitive(min=x, max=y).shapes) == [Aabb((0, 1, 2), (3, 4, 5))]
    assert list(TrianglesPrimitive(vertices=np.stack([x, y, x], 1)).shapes) == [
        Triangle((0, 1, 2), (3, 4, 5), (0, 1, 2))
    ]
    assert list(SegmentsProbe(start=x, end=y).shapes) == [Segment((0, 1, 2), (3, 4, 5))]
    assert list(RaysProbe(origin=x, direction=y).shapes) == [Ray((0, 1, 2), (3, 4, 5))]
    assert list(PointsProbe(position=x).shapes) == [Point((0, 1, 2))]
    (box,) = ObbsPrimitive(center=x, half_extents=y).shapes
    assert box == Obb((0, 1, 2), (3, 4, 5), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def test_arrays_of_integers_and_of_float32_are_taken_as_the_numbers_they_hold() -> None:
    item = AabbsPrimitive(min=np.array([[0, 1, 2]], np.int16), max=np.array([[3, 4, 5.1]], ">f4"))
    assert item.shapes[0] == Aabb((0, 1, 2), (3, 4, float(np.float32(5.1))))


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros(3), r"expected an array of numbers, \(N, 3\), found \(3,\)"),
        (np.zeros((2, 4)), r"expected an array of numbers, \(N, 3\), found \(2, 4\)"),
        (np.zeros((2, 3), bool), "of float64 or of a type that it can hold, found bool"),
        (np.zeros((2, 3), complex), "found complex128"),
        ([[0, 0, None]], "found object"),
        ([[0, 0, np.nan]], r"^\$\.min\[0\]\[2\]: expected a finite number, found nan"),
    ],
)
def test_arrays_that_are_no_rows_of_numbers_are_refused(array, said: str) -> None:
    with pytest.raises(Fault, match=said):
        AabbsPrimitive(min=array, max=np.ones((1, 3)))


@pytest.mark.parametrize("size", [1, 7, 60])
def test_inline_rows_are_decoded_alike_wherever_the_text_is_cut(size: int) -> None:
    rows = [[[k + 0.1, -0.0, 1e-300], [1 / 3, k, 2], [0, 1, -k]] for k in range(9)]
    for indent in (None, 1):
        text = Raw(json.dumps(rows, indent=indent).encode())
        source = source_of("vertices", text, ReadLimits(chunk_bytes=size))
        columns = np.empty((9, source.size))
        source.fill(columns)
        assert repr(columns.T.reshape(-1, 3, 3).tolist()) == repr(np.array(rows, float).tolist())


def test_a_copy_with_the_same_rows_shares_them_unread_and_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    item = AabbsPrimitive(min=np.zeros((2, 3)), max=np.ones((2, 3)))
    rays = RaysProbe(origin=np.zeros((2, 3)), direction=np.ones((2, 3)))
    scene_ = Scene(version=1, primitives=(item,), probes=(rays, rays))
    monkeypatch.setattr(bulk, "shapes_of", None)
    assert replace(item, id="x").shapes is item.shapes
    edited = replace_items(scene_, "probe", {0: replace(rays, enabled=False)})
    assert edited.probes[0].shapes is rays.shapes
    assert edited.primitives is scene_.primitives
    left = remove_items(scene_, "probe", {0})
    assert (left.probe_ids, left.probes[0].shapes) == (("rays-1",), rays.shapes)


def test_a_copy_with_other_rows_is_made_of_them() -> None:
    item = ObbsPrimitive(center=np.zeros((1, 3)), half_extents=np.ones((1, 3)), axes=np.eye(3)[None, [1, 0, 2]])
    assert replace(item, axes=bulk.UNSET).shapes[0].axes == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    moved = replace(item, center=np.array([[7.0, 8.0, 9.0]]))
    assert moved.shapes[0] == Obb((7, 8, 9), *item.shapes[0][1:])
    assert moved != item
    assert replace(moved, center=np.zeros((1, 3))) == item


def test_an_edit_of_a_probe_looks_at_no_primitive() -> None:
    many = loads(scene(", ".join([BOX] * 50), SEGMENT).encode(), "f")
    edited = replace_items(many, "probe", {0: replace(many.probes[0], end=(2.0, 2.0, 2.0))})
    assert edited.primitives is many.primitives
    assert edited.primitive_ids is many.primitive_ids


def test_rows_are_read_only() -> None:
    item = AabbsPrimitive(min=np.zeros((2, 3)), max=np.ones((2, 3)))
    for array in (item.shapes.rows, item.min.array):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
