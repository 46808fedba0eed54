"""The numbers of items: from and to text without loss, and in the forms that a box has."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitscope.errors import Fault, HitscopeError
from hitscope.scene.model import (
    AabbPrimitive,
    HalfSpace,
    ObbPrimitive,
    PlanePrimitive,
    PolyhedronPrimitive,
    RayProbe,
    TriangleProbe,
)
from hitscope.viewer import fields

BOX = AabbPrimitive(min=(-1.0, 0.0, 2.0), max=(3.0, 0.5, 2.0))


def names(item):
    """Give the name of every number of an item, in order, with the number."""
    return {
        fields.name_of(place): value
        for _, rows in fields.rows(item)
        for row in rows
        for place, value in zip(row.places, row.values, strict=True)
    }


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_both_forms_of_every_float64_read_back_as_it(value):
    for text in (fields.written(value), value.hex(), f" {value!r} "):
        back = fields.parsed(text)
        assert back == value and math.copysign(1, back) == math.copysign(1, value)


@pytest.mark.parametrize(
    "text, value", [("−2", -2.0), ("1_000", 1000.0), ("0X.8P1", 1.0), ("-0x0p0", -0.0), ("5e-324", 5e-324)]
)
def test_people_write_numbers_in_many_ways(text, value):
    assert str(fields.parsed(text)) == str(value)


@pytest.mark.parametrize("text", ["", "x", "1+1", "0,5", "1e999", "nan", "-inf", "0x1p99999", "0x"])
def test_what_is_no_float64_is_refused_in_words(text):
    with pytest.raises(HitscopeError, match="expected a number"):
        fields.parsed(text)


def test_every_number_of_an_item_has_a_name():
    assert names(BOX) == {
        "min x": -1.0, "min y": 0.0, "min z": 2.0, "max x": 3.0, "max y": 0.5, "max z": 2.0
    }  # fmt: skip
    triangle = TriangleProbe(vertices=((0.0, 1.0, 2.0), (3.0, 4.0, 5.0), (6.0, 7.0, 8.0)))
    assert list(names(triangle).values()) == [float(i) for i in range(9)]
    assert names(triangle)["vertices 2 y"] == 7.0
    assert names(PlanePrimitive(normal=(0.0, 1.0, 0.0), offset=2.5))["offset"] == 2.5
    turned = ObbPrimitive(center=(0.0,) * 3, half_extents=(1.0,) * 3, quaternion_xyzw=(0.0, 0.0, 0.0, 1.0))
    assert names(turned)["quaternion_xyzw w"] == 1.0
    half = PolyhedronPrimitive(planes=(HalfSpace(normal=(0.0, 1.0, 0.0), offset=2.5),))
    assert names(half) == {
        "planes 0 normal x": 0.0, "planes 0 normal y": 1.0, "planes 0 normal z": 0.0, "planes 0 offset": 2.5
    }  # fmt: skip


def test_each_number_is_put_back_in_its_place():
    half = PolyhedronPrimitive(planes=(HalfSpace(normal=(0.0, 1.0, 0.0), offset=2.5),))
    for item in (BOX, half, RayProbe(origin=(0.0,) * 3, direction=(1.0,) * 3)):
        for _, rows in fields.rows(item):
            for row in rows:
                for place in row.places:
                    changed = fields.with_number(item, place, 9.0 if "max" in place else -9.0)
                    name = fields.name_of(place)
                    assert {key for key in names(item) if names(changed)[key] != names(item)[key]} == {name}


def test_a_number_that_leaves_no_shape_is_refused():
    with pytest.raises(Fault, match="expected a number >= min"):
        fields.with_number(BOX, ("min", 0), 4.0)
    with pytest.raises(Fault, match="other than zero"):
        fields.with_number(PlanePrimitive(normal=(0.0, 1.0, 0.0), offset=2.5), ("normal", 1), 0.0)


def test_a_box_goes_from_form_to_form():
    centred = fields.in_form(BOX, "centre")
    assert (centred.center, centred.half_extents) == ((1.0, 0.25, 2.0), (2.0, 0.25, 0.0))
    assert (fields.form_of(BOX), fields.form_of(centred)) == ("corners", "centre")
    assert fields.in_form(centred, "corners") == BOX
    assert fields.form_of(RayProbe(origin=(0.0,) * 3, direction=(1.0,) * 3)) is None
    huge = AabbPrimitive(min=(-1.7e308,) * 3, max=(1.7e308,) * 3)
    assert fields.in_form(huge, "centre").half_extents == (1.7e308,) * 3
