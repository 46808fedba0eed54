"""The numbers of items: from and to text without loss, and in the forms that a box has."""

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitscope import numerals
from hitscope.errors import Fault, HitscopeError
from hitscope.scene import fields, loads
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    HalfSpace,
    ObbPrimitive,
    PlanePrimitive,
    PolyhedronPrimitive,
    RayProbe,
    TriangleProbe,
)

BOX = AabbPrimitive(min=(-1.0, 0.0, 2.0), max=(3.0, 0.5, 2.0))


def names(item):
    """The name of every number of an item, in order, with the number."""
    return {
        fields.name_of(path): value
        for _, rows in fields.number_rows(item)
        for row in rows
        for path, value in zip(row.paths, row.values, strict=True)
    }


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 15))
def test_a_short_number_is_the_nearest_of_so_many_digits(value, digits):
    text = numerals.short(value, digits)
    assert Decimal(text) == Context(prec=digits, rounding=ROUND_HALF_EVEN).create_decimal(Decimal(value))
    assert "+" not in text and len(text.partition("e")[0]) <= max(digits, 6) + len("-0.0000")


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_different_numbers_are_told_apart_by_as_few_digits_as_it_takes(a, b):
    digits = numerals.digits_apart([a], [b])
    assert a == b or numerals.short(a, digits) != numerals.short(b, digits)
    assert digits == numerals.SHORT or numerals.short(a, digits - 1) == numerals.short(b, digits - 1)


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "–"),
        (math.nan, "NaN"),
        (-math.inf, "−∞"),
        (-1.5e-7, "−1.5e−7"),
        (12345.678, "12345.7"),
        (2.5e7, "2.5e7"),
    ],
)
def test_numbers_are_set_with_the_signs_of_print(value, text):
    assert numerals.typeset(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_both_forms_of_every_float64_read_back_as_it(value):
    for text in (numerals.whole(value), value.hex(), f" {value!r} "):
        back = fields.parse_number(text)
        assert back == value and math.copysign(1, back) == math.copysign(1, value)


@pytest.mark.parametrize(
    "text, value", [("−2", -2.0), ("1_000", 1000.0), ("0X.8P1", 1.0), ("-0x0p0", -0.0), ("5e-324", 5e-324)]
)
def test_people_write_numbers_in_many_ways(text, value):
    assert str(fields.parse_number(text)) == str(value)


@pytest.mark.parametrize(
    "text", ["", "x", "1+", "0,5", "1/0", "(1", "1 2", "1e999", "nan", "-inf", "0x1p99999", "0x"]
)
def test_a_text_that_is_no_float64_is_refused(text):
    with pytest.raises(HitscopeError, match="expected a number"):
        fields.parse_number(text)


def test_every_number_of_an_item_has_a_name():
    assert names(BOX) == {
        "min x": -1.0, "min y": 0.0, "min z": 2.0, "max x": 3.0, "max y": 0.5, "max z": 2.0, "radius": 0.0
    }  # fmt: skip
    triangle = TriangleProbe(vertices=((0.0, 1.0, 2.0), (3.0, 4.0, 5.0), (6.0, 7.0, 8.0)))
    assert list(names(triangle).values()) == [*(float(i) for i in range(9)), 0.0, 0.0, 0.0, 0.0]
    assert list(names(triangle))[9:] == ["radius", "motion x", "motion y", "motion z"]
    assert names(triangle)["vertices 2 y"] == 7.0
    assert names(PlanePrimitive(normal=(0.0, 1.0, 0.0), offset=2.5))["offset"] == 2.5
    turned = ObbPrimitive(center=(0.0,) * 3, half_extents=(1.0,) * 3, quaternion_xyzw=(0.0, 0.0, 0.0, 1.0))
    assert names(turned)["quaternion w"] == 1.0
    half = PolyhedronPrimitive(planes=(HalfSpace(normal=(0.0, 1.0, 0.0), offset=2.5),))
    assert names(half) == {
        "planes 0 normal x": 0.0, "planes 0 normal y": 1.0, "planes 0 normal z": 0.0, "planes 0 offset": 2.5,
        "radius": 0.0,
    }  # fmt: skip


def test_each_number_is_written_back_to_its_field():
    cast = AabbProbe(min=(0.0,) * 3, max=(1.0,) * 3, radius=2.0, motion=(1.0, 2.0, 3.0))
    for item in (BOX, cast, RayProbe(origin=(0.0,) * 3, direction=(1.0,) * 3)):
        for _, rows in fields.number_rows(item):
            for row in rows:
                for path in row.paths:
                    changed = fields.with_numbers(item, {path: 9.0 if {"max", "radius"} & {*path} else -9.0})
                    name = fields.name_of(path)
                    assert {key for key in names(item) if names(changed)[key] != names(item)[key]} == {name}


def test_a_number_that_leaves_no_shape_is_refused():
    with pytest.raises(HitscopeError, match="min x 4 would be above max x"):
        fields.with_numbers(BOX, {("min", 0): 4.0})
    with pytest.raises(Fault, match="other than zero"):
        fields.with_numbers(PlanePrimitive(normal=(0.0, 1.0, 0.0), offset=2.5), {("normal", 1): 0.0})


def test_a_box_goes_from_form_to_form():
    centred = fields.in_form(BOX, "center")
    assert (centred.center, centred.half_extents) == ((1.0, 0.25, 2.0), (2.0, 0.25, 0.0))
    assert (fields.form_of(BOX), fields.form_of(centred)) == ("corners", "center")
    assert fields.in_form(centred, "corners") == BOX
    assert fields.form_of(RayProbe(origin=(0.0,) * 3, direction=(1.0,) * 3)) is None
    huge = AabbPrimitive(min=(-1.7e308,) * 3, max=(1.7e308,) * 3)
    assert fields.in_form(huge, "center").half_extents == (1.7e308,) * 3


def turned(**rotation):
    """An obb with a form of rotation."""
    return ObbPrimitive(id="b", center=(1.0, 2.0, 3.0), half_extents=(1.0, 2.0, 0.5), **rotation)


@pytest.mark.parametrize("rotation", [{}, {"euler_xyz_deg": (0.0, 90.0, 180.0)}])
def test_a_rotation_goes_through_all_forms_and_back(rotation):
    first = turned(**rotation)
    item = first
    for form in ("axes", "quaternion", "Euler", "quaternion", "axes", "Euler"):
        item = fields.in_form(item, form)
        assert fields.form_of(item) == form
        assert fields.rounding_note(first, item) == ""
    assert (item.center, item.half_extents, item.id) == (first.center, first.half_extents, "b")


def test_rounding_of_a_rotation_is_reported():
    r = 0.7071067811865476
    first = turned(axes=((r, 0.7071067811865475, 0.0), (-0.5, 0.5, r), (0.5, -0.5, r)))
    angles = fields.in_form(first, "Euler")
    found = fields.rounding_note(first, angles)
    changed = [
        abs(p - q)
        for a, b in zip(first.shape.axes, angles.shape.axes, strict=True)
        for p, q in zip(a, b, strict=True)
    ]
    assert 0 < max(changed) < 1e-15
    assert found == f"its axes change by up to {max(changed):.2g}"
    assert fields.rounding_note(first, fields.in_form(angles, "axes")) == found


def test_only_a_box_that_is_not_turned_can_do_without_a_rotation():
    assert fields.form_of(fields.in_form(turned(euler_xyz_deg=(0.0, 360.0, 180.0)), "none")) == "none"
    with pytest.raises(Fault, match="without a rotation"):
        fields.in_form(turned(euler_xyz_deg=(0.0, 90.0, 0.0)), "none")


@pytest.fixture
def mesh(tmp_path):
    """A mesh whose file has the default transform."""
    (tmp_path / "sail.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    item = b'{"id": "m", "type": "mesh", "file": "sail.obj"}'
    scene = b'{"version": 1, "probes": [], "primitives": [%s]}' % item
    return loads(scene, "a.scene.json", tmp_path).primitives[0]


def test_a_mesh_shows_where_it_is_though_the_file_leaves_it_out(mesh):
    assert names(mesh) == {
        "scale": 1.0,
        "quaternion x": 0.0, "quaternion y": 0.0, "quaternion z": 0.0, "quaternion w": 1.0,
        "translate x": 0.0, "translate y": 0.0, "translate z": 0.0,
    }  # fmt: skip
    moved = fields.with_numbers(mesh, {("translate", 1): 0.1})
    assert moved.translate == (0.0, 0.1, 0.0) and moved.shapes[0].a == (0.0, 0.1, 0.0)
    turned = fields.with_numbers(mesh, {("quaternion_xyzw", 2): 1.0})
    assert turned.shapes[0].b == (0.0, 1.0, 0.0)


def test_a_mesh_has_one_scale_or_three(mesh):
    three = fields.in_form(mesh, "three scales")
    assert (three.scale, fields.form_of(three)) == ((1.0, 1.0, 1.0), "three scales")
    assert fields.in_form(three, "one scale").scale == 1.0
    tall = fields.with_numbers(three, {("scale", 1): 2.0})
    assert tall.shapes[0].c == (0.0, 2.0, 0.0)
    with pytest.raises(Fault, match="same scale"):
        fields.in_form(tall, "one scale")
