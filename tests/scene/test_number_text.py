"""Numbers as logs, debuggers, source code and tables print them, read as items."""

import math
import sys
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hitscope.errors import HitscopeError
from hitscope.geometry.shapes import Cast, Sphere
from hitscope.scene import fields, number_text
from hitscope.scene.bulk import PointsProbe
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    CapsulePrimitive,
    ObbPrimitive,
    PlanePrimitive,
    PointProbe,
    RayProbe,
    SegmentProbe,
    SpherePrimitive,
)
from hitscope.scene.number_readings import BULK_FROM, as_scene, fits, readings_of, with_fields
from hitscope.scene.number_text import MOST_WORDS, component_texts, rows_of, value_of

FINITE = st.floats(allow_nan=False, allow_infinity=False)
VECTOR = st.tuples(FINITE, FINITE, FINITE)
P, Q, R = (1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0)
X, Y, Z, O = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)  # noqa: E741

VECTORS = {
    "plain": "1, 2, 3",
    "blanks": "1 2 3",
    "tabs": "1\t2\t3",
    "semicolons": "1;2;3",
    "a line each": "1\n2\n3\n",
    "Windows lines": "1\r\n2\r\n3\r\n",
    "floats of C": "1.0f, 2.f, .3e1F",
    "doubles of Java": "1.0d, 2d, 3.0D",
    "decimals of C#": "1.0m, 2m, 3m",
    "halves of HLSL": "1.0h, 2.0h, 3.0h",
    "numbers of Rust": "1.0_f32, 2f64, 3_f64",
    "hexadecimal": "0x1p+0 0x1.0p1f 0X1.8P+1",
    "exponents": "1e0 0.2E+1 3000e-3",
    "digit separators": "1.000'000, 2.000_0, 0_003",
    "labels": "x=1 y=2 z=3",
    "labels with colons": "x: 1, y: 2, z: 3",
    "members": "pos.x = 1.0f; pos.y = 2.0f; pos.z = 3.0f;",
    "indexed labels": "x1=1 y1=2 z1=3",
    "XNA and MonoGame": "{X:1 Y:2 Z:3}",
    "Unity": "(1.00, 2.00, 3.00)",
    "Unreal": "X=1.000 Y=2.000 Z=3.000",
    "Unreal's log": "[2024.05.01-12.03.04:567][ 42]LogTemp: Warning: Hit X=1.000 Y=2.000 Z=3.000",
    "Godot": "(1, 2, 3)",
    "Godot's code": "Vector3(1, 2, 3)",
    "System.Numerics": "<1, 2, 3>",
    "System.Numerics in German": "<1,0; 2,0; 3,0>",
    "glm::to_string": "vec3(1.000000, 2.000000, 3.000000)",
    "GLSL": "const vec3 p = vec3(1.0, 2.0, 3.0);",
    "HLSL": "float3 p = {1.0f, 2.0f, 3.0f};",
    "homogeneous": "vec4(1, 2, 3, 1)",
    "C++ initialiser": "const glm::vec3 p{1.f, 2.f, 3.f};",
    "C array": "double p[3] = {1, 2, 3};",
    "C# constructor": "var p = new Vector3(1f, 2f, 3f);",
    "Eigen column": "1\n2\n3",
    "Eigen with a name": "p =\n1\n2\n3",
    "Eigen::Vector3d": "Eigen::Matrix<double, 3, 1>(1, 2, 3)",
    "nalgebra": "Point { coords: [[1.0, 2.0, 3.0]] }",
    "Rust pretty": "Vec3(\n    1.0,\n    2.0,\n    3.0,\n)",
    "NumPy": "array([1., 2., 3.])",
    "NumPy print": "[1. 2. 3.]",
    "NumPy scalars": "np.array([np.float64(1.0), np.float64(2.0), np.float64(3.0)])",
    "NumPy column": "array([[1.],\n       [2.],\n       [3.]])",
    "PyTorch": "tensor([1., 2., 3.], dtype=torch.float64)",
    "JSON array": "[1, 2, 3]",
    "JSON object": '{"x": 1, "y": 2, "z": 3}',
    "JSON member": '"position": [1.0, 2.0, 3.0],',
    "JavaScript": "Vector3 {x: 1, y: 2, z: 3}",
    "YAML": "position:\n  x: 1\n  y: 2\n  z: 3\n",
    "YAML list": "position:\n- 1\n- 2\n- 3\n",
    "gdb": "$1 = {x = 1, y = 2, z = 3}",
    "MATLAB": "[1; 2; 3]",
    "Lisp": "#(1.0 2.0 3.0)",
    "decimal commas in columns": "1,0 2,0 3,0",
    ".NET in German": "<1,0. 2,0. 3,0>",
    "glued columns": "1.0+2.0+3.0",
    "a German date": "01.05.2024 12:03:04 hit 1 2 3",
    "Fortran": "1.0D+00  0.2D+01  0.300000000000000D+01",
    "quoted cells": '"1.0","2.0","3.0"',
    "WKT": "POINT Z (1 2 3)",
    "decimal commas": "1,0; 2,0; 3,0",
    "decimal commas with labels": "X=1,0 Y=2,0 Z=3,0",
    "a log line": "[12:03:04] INFO hit at (1, 2, 3)",
    "a log line with numbers": "frame 12: hit at (1, 2, 3) t=0.5",
    "an ISO time": "2024-05-01T12:03:04.123Z hit 1 2 3",
    "logcat": "05-01 12:03:04.123  1234  5678 D Physics: hit 1 2 3",
    "glog": "I0501 12:03:04.123456 1234 hits.cc:56] hit at 1 2 3",
    "log4j": "2024-05-01 12:03:04,123 DEBUG - hit (1, 2, 3)",
    "ROS": "[INFO] [1714561384.123]: x=1 y=2 z=3",
    "dmesg": "[  123.456789] hit (1,2,3)",
    "a source position": "/src/a-b/hits.cpp:123:7: hit (1, 2, 3)",
    "an index": "hits[0] = (1, 2, 3)",
    "a smile": "done :( at 1 2 3",
}
"""One and the same vector in many formats."""


@pytest.mark.parametrize("text", VECTORS.values(), ids=VECTORS.keys())
def test_a_vector_is_read_in_every_format(text):
    first = readings_of(text)[0]
    assert [(found.word, *found.fields.values()) for found in first.found] == [("point", P)]


ITEMS = {
    "Ray(1,2,3 -> 4,5,6)": ("ray", P, Q),
    "Ray { origin: (1,2,3), direction: (4,5,6) }": ("ray", P, Q),
    "Ray { origin: Point { coords: [[1.0, 2.0, 3.0]] }, dir: Unit { value: [[4.0, 5.0, 6.0]] } }": ("ray", P, Q),
    "Origin: (1.0, 2.0, 3.0), Dir: (4.0, 5.0, 6.0)": ("ray", P, Q),
    "origin=(1,2,3) dir=(4,5,6)": ("ray", P, Q),
    "rayOrigin: 1 2 3 rayDirection: 4 5 6": ("ray", P, Q),
    "ray from (1,2,3) to (4,5,6)": ("ray", P, (3.0, 3.0, 3.0)),
    "ray [(1.0,2.0,3.0):(4.0,5.0,6.0)]": ("ray", P, Q),
    "Ray [Origin: (1.0, 2.0, 3.0), Direction: (4.0, 5.0, 6.0)]": ("ray", P, Q),
    "[ Ray o: [ 1, 2, 3 ] d: [ 4, 5, 6 ] time: 0 ]": ("ray", P, Q),
    "{Position:{X:1 Y:2 Z:3} Direction:{X:4 Y:5 Z:6}}": ("ray", P, Q),
    "new Ray(new Vector3(1, 2, 3), new Vector3(4, 5, 6))": ("ray", P, Q),
    "Ray ray = {{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}};": ("ray", P, Q),
    "const Vec3 origin{1.f, 2.f, 3.f};\nconst Vec3 dir{4.f, 5.f, 6.f};": ("ray", P, Q),
    "origin:\n  x: 1\n  y: 2\n  z: 3\ndirection:\n  x: 4\n  y: 5\n  z: 6\n": ("ray", P, Q),
    '{"origin": [1, 2, 3], "direction": [4, 5, 6]}': ("ray", P, Q),
    "ox oy oz dx dy dz\n1 2 3 4 5 6": ("ray", P, Q),
    "Line: 1 2 3, 4 5 6": ("line", P, Q),
    "start=(1,2,3) end=(4,5,6)": ("segment", P, Q),
    "1 2 3 4 5 6": ("segment", P, Q),
    "(1,2,3) -> (4,5,6)": ("segment", P, Q),
    "[1 2 3; 4 5 6]": ("segment", P, Q),
    "edge 1 2 3 - 4 5 6": ("segment", P, Q),
    "min=(1,2,3) max=(4,5,6)": ("aabb", P, Q),
    "AABB(1, 2, 3, 4, 5, 6)": ("aabb", P, Q),
    "AABB(vec3(1,2,3), vec3(4,5,6))": ("aabb", P, Q),
    "IsValid=true, Min=(X=1.000 Y=2.000 Z=3.000), Max=(X=4.000 Y=5.000 Z=6.000)": ("aabb", P, Q),
    "Center: (1.0, 2.0, 3.0), Extents: (4.0, 5.0, 6.0)": ("aabb", P, Q),
    "Origin=X=1.0 Y=2.0 Z=3.0 BoxExtent=X=4.0 Y=5.0 Z=6.0 SphereRadius=9.0": ("aabb", P, Q),
    "center (1 2 3) size (8 10 12)": ("aabb", P, Q),
    "[P: (1, 2, 3), S: (3, 3, 3)]": ("aabb", P, Q),
    "bounds 4 5 6 1 2 3": ("aabb", P, Q),
    "Triangle((1,2,3), (4,5,6), (7,8,9))": ("triangle", (P, Q, R)),
    "1 2 3 4 5 6 7 8 9": ("triangle", (P, Q, R)),
    "v0=(1,2,3), v1=(4,5,6), v2=(7,8,9)": ("triangle", (P, Q, R)),
    "a=(1,2,3) b=(4,5,6) c=(7,8,9)": ("triangle", (P, Q, R)),
    "Triangle { vertices: [[1,2,3],[4,5,6],[7,8,9]] }": ("triangle", (P, Q, R)),
    "OBB{center=(1,2,3), half=(4,5,6), axes=[[1,0,0],[0,1,0],[0,0,1]]}": ("obb", P, Q, (X, Y, Z)),
    "obb center=(1,2,3) extents=(4,5,6) rotation=(0, 0, 0, 1)": ("obb", P, Q, (*O, 1.0)),
    "Plane(normal: (1,2,3), d: 4)": ("plane", P, 4.0),
    "Plane((1,2,3), 4)": ("plane", P, 4.0),
    "plane 1 2 3 4": ("plane", P, 4.0),
    "plane normal=(0,1,0) point=(1,2,3)": ("plane", Y, 2.0),
    "hit (1,2,3) normal (0,1,0)": ("point", P),
    "Sphere((1,2,3), 4)": ("sphere", P, 4.0),
    "ball 1 2 3 4": ("sphere", P, 4.0),
    "BoundingSphere { center: Vec3(1.0, 2.0, 3.0), radius: 0.5 }": ("sphere", P, 0.5),
    "{Center:{X:1 Y:2 Z:3} Radius:4}": ("sphere", P, 4.0),
    "Sphere\n  center: (1, 2, 3)\n  radius: 4": ("sphere", P, 4.0),
    "position=(1,2,3), r=0.25": ("sphere", P, 0.25),
    "Capsule((1,2,3), (4,5,6), 0.5)": ("capsule", P, Q, 0.5),
    "capsule 1 2 3 4 5 6 0.5": ("capsule", P, Q, 0.5),
    "Capsule { a: Vec3(1.0, 2.0, 3.0), b: Vec3(4.0, 5.0, 6.0), radius: 0.5 }": ("capsule", P, Q, 0.5),
    "start=(1,2,3) end=(4,5,6) r=0.5": ("capsule", P, Q, 0.5),
    "capsule segment start=(1,2,3) end=(4,5,6)": ("segment", P, Q),
    "CapsuleCollider center=(1,2,3) radius=0.5 height=2": ("point", P),
    "sphere center=(1,2,3) radius=-1": ("point", P),
    "CastSphere(center=(1, 2, 3), radius=0.5, motion=(4, 5, 6))": ("sphere", P, 0.5, Q),
    "Capsule(start=(1,2,3), end=(4,5,6), radius=0.5, displacement=(0,1,0))": ("capsule", P, Q, 0.5, Y),
    "CastAabb(lo=(1, 2, 3), hi=(4, 5, 6), motion=(0, 1, 0))": ("aabb", P, Q, Y),
    "RoundedAabb(lo=(1, 2, 3), hi=(4, 5, 6), radius=0.5)": ("aabb", P, Q, 0.5),
    "CastRoundedAabb(lo=(1,2,3), hi=(4,5,6), radius=0.5, motion=(0,1,0))": ("aabb", P, Q, Y, 0.5),
}
"""Single items, each with the type word and the fields of the likeliest reading."""


@pytest.mark.parametrize("text", ITEMS)
def test_an_item_is_read_by_the_words_beside_its_numbers(text):
    (found,) = readings_of(text)[0].found
    assert (found.word, *found.fields.values()) == ITEMS[text]


def test_what_is_cast_is_a_probe_whatever_is_asked_for():
    text = "CastSphere(center=(1,2,3), radius=0.5, motion=(4,5,6))\nSphere(center=(1,2,3), radius=0.5)"
    scene = as_scene(readings_of(text)[0], "primitive")
    (cast,), (standing,) = scene.probes, scene.primitives
    assert (cast.shape, standing.shape) == (Cast(Sphere(P, 0.5), Q), Sphere(P, 0.5))


def test_a_ray_has_no_motion():
    assert readings_of("ray origin=(1,2,3) dir=(0,0,1) motion=(4,5,6)")[0].words != {"ray"}


LISTS = {
    "1 2 3\n4 5 6\n7 8 9": {"point": 3},
    "array([[1., 2., 3.],\n       [4., 5., 6.]])": {"segment": 1},
    "(1,2,3)\n(4,5,6)": {"point": 2},
    "[[1,2,3],[4,5,6],[7,8,9],[1,2,3]]": {"point": 4},
    "[[[1,2,3],[4,5,6],[7,8,9]],[[0,0,0],[1,0,0],[0,1,0]]]": {"triangle": 2},
    '[{"x": 1, "y": 2, "z": 3}, {"x": 4, "y": 5, "z": 6}]': {"segment": 1},
    "id,x,y,z\n0,1,2,3\n1,4,5,6\n": {"point": 2},
    "0 1 2 3 4 5 6\n1 1 2 3 4 5 6\n2 4 5 6 7 8 9\n": {"segment": 3},
    "1 2 3 4 5 6\n4 5 6 7 8 9\n": {"segment": 2},
    "2\n1 2 3\n4 5 6\n": {"point": 2},
    "1 4\n2 5\n3 6\n": {"point": 2},
    "1.5,2.5,3.5\n4.5,5.5,6.5\n": {"point": 2},
    "[12:03:04] hit (1,2,3)\n[12:03:05] miss\n[12:03:06] hit (4,5,6)\n": {"point": 2},
    "[1] origin=(1,2,3) dir=(0,0,1)\n[2] origin=(4,5,6) dir=(0,0,1)\n": {"ray": 2},
    "origin=(1,2,3)\ndir=(0,0,1)\norigin=(4,5,6)\ndir=(0,0,1)\n": {"ray": 2},
    "Ray(1,2,3 -> 4,5,6) AABB((0,0,0), (1,1,1))": {"ray": 1, "aabb": 1},
    "sphere (0,0,0) 1\nsphere (1,0,0) 2\n": {"sphere": 2},
    "ray origin=(1,2,3) dir=(4,5,6) box min=(0,0,0) max=(1,1,1)": {"ray": 1, "aabb": 1},
    "ray o=(1,2,3) d=(4,5,6) vs sphere c=(0,0,0) r=2: hit t=3": {"ray": 1, "sphere": 1},
    "sphere (0,0,0) 2 ray origin=(1,2,3) dir=(4,5,6)": {"sphere": 1, "ray": 1},
    "plane n=(0,1,0) d=2 sphere (0,0,0) 2": {"plane": 1, "sphere": 1},
    "Ray(1,2,3 -> 4,5,6)\nhit at (1,2,3)\n": {"ray": 1, "point": 1},
    'rays: [{"origin": [0,0,0], "direction": [1,0,0]}, {"origin": [0,0,1], "direction": [1,0,0]}]': {"ray": 2},
}
"""Texts with several items, each with the number of each type in the likeliest reading."""


@pytest.mark.parametrize("text", LISTS)
def test_many_items_are_read_from_lines_lists_and_tables(text):
    assert Counter(found.word for found in readings_of(text)[0].found) == LISTS[text]


def test_what_may_mean_several_things_has_a_reading_for_each():
    kinds = [(reading.found[0].word, reading.note) for reading in readings_of("1 2 3 4 5 6")]
    assert kinds == [
        ("segment", ""),
        ("ray", "origin and direction"),
        ("ray", "through the second point"),
        ("line", "origin and direction"),
        ("aabb", "two corners"),
        ("aabb", "center and half extents"),
        ("point", ""),
    ]
    offsets = [reading.found[0].fields.get("offset") for reading in readings_of("Plane (0,1,0) d=2")]
    assert offsets[:2] == [2.0, -2.0]
    rows_and_columns = readings_of("1 4 7\n2 5 8\n3 6 9")
    assert [found.fields["position"] for found in rows_and_columns[-1].found] == [P, Q, R]


def test_mixed_items_say_how_each_is_read():
    readings = readings_of("Ray(0,0,0 -> 1,1,1) AABB((0,0,0), (1,1,1)) hit at 1 2 3")
    assert [reading.note for reading in readings[:2]] == [
        "origin and direction; two corners",
        "through the second point; center and half extents",
    ]


def test_an_inverted_box_is_read_by_its_corners():
    (found,) = readings_of("AABB((4, 2, 3), (1, 5, 6))")[0].found
    assert found.fields == {"min": P, "max": Q}


REFUSED = {
    "": "found",
    "shopping list": '"shopping list"',
    "1 2": "found 2 in a line",
    "1 2 3 4 5": "found 5 in a line",
    "12:03:04": "expected three, six or nine numbers",
    "2024-05-01": "expected three, six or nine numbers",
    "1.2.3": "expected three, six or nine numbers",
    "127.0.0.1": "expected three, six or nine numbers",
    "(nan, 1, 2)": '"nan"',
    "(1, -inf, 2)": '"-inf"',
    "1 1.#QNAN 2": '"1.#QNAN"',
    "1, 2, 1e999": '"1e999"',
    "a\nb (1, nan, 3)\nc": 'line 2: expected numbers that float64 can hold, found "nan"',
    "1 2 3\n" * 60_000: "expected a text of at most 300,000 characters, found 360,000",
    "(" * 100 + "1,2,3" + ")" * 100: "at most 64 brackets",
    "0x1p\u0661 0 0": "expected three, six or nine numbers",
}


@pytest.mark.parametrize("text", REFUSED, ids=[reason[:30] for reason in REFUSED.values()])
def test_a_text_without_vectors_is_refused_and_the_reason_says_what_was_found(text):
    with pytest.raises(HitscopeError) as refusal:
        readings_of(text)
    assert REFUSED[text] in str(refusal.value) and "\n" not in str(refusal.value)


LONG = number_text.LONGEST_TEXT // 2
ENDLESS = {
    "digits after a decimal comma": "x=1," + "1" * LONG + ",1",
    "a decimal comma in each word": "x=1,1,1 " * (LONG // 8),
    "digits of hex": "0x" + "a" * LONG + "g",
    "digits": "1" * LONG + "x",
    "separated digits": "1_" * (LONG // 2) + "x",
    "digits and points": "1." * (LONG // 2),
    "a name of a file": "a.c" * (LONG // 3) + "(1",
    "brackets": "(" * LONG,
    "templates": "a<" * (LONG // 2),
    "lines": "\n" * LONG,
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_a_long_text_of_one_kind_comes_to_an_end(text):
    # In a time that grew with the square of the text, each of these took minutes.
    for read in (readings_of, component_texts, fields.parse_number):
        with suppress(HitscopeError):
            read(text)


def test_a_text_of_too_many_characters_is_refused_and_says_how_many():
    text = "1, 2, 3\n" * (number_text.LONGEST_TEXT // 8 + 1)
    with pytest.raises(HitscopeError, match="expected a text of at most 300,000 characters, found 300,008"):
        readings_of(text)
    assert component_texts(text) is None and component_texts("vec3(1.f, 2.f, 3.f)") is not None


@pytest.mark.parametrize(
    "header",
    ["a_" * 20_000 + ", y, z", "a " * 20_000 + ", x, y, z", "x, y, " + "a" * 1_000 + "z"],
    ids=["words of a name", "words of a column", "letters of a name"],
)
def test_the_names_above_a_table_are_not_read_again_in_each_row(header):
    rows_of("x, y, z")
    before = number_text._axis.cache_info().misses
    rows = rows_of(header + "\n" + "1, 2, 3\n" * 200)
    assert len(rows) == 200
    assert all(len(part.words) <= MOST_WORDS for row in rows for part in (row, *row.vectors, *row.scalars))
    assert number_text._axis.cache_info().misses - before < 10


def test_the_work_grows_with_the_text_and_not_with_its_square():
    def calls(count):
        number, text = 0, "{(1,2,3)" + "{(1,2,3),(4,5,6)}" * count + "}"

        def profile(_, event, __):
            nonlocal number
            number += event in ("call", "c_call")

        sys.setprofile(profile)
        readings_of(text)
        sys.setprofile(None)
        return number

    assert calls(400) < 5 * calls(100)


def test_what_is_too_long_to_be_a_number_is_passed_over():
    (reading, *_) = readings_of("1 2 3 " + "a1" * 5_000)
    assert reading.found[0].fields == {"position": P}


@pytest.mark.parametrize("text", ["(" * 100_000, "-" * 100_000, "1+" * 100_000 + "1"])
def test_a_calculation_that_is_too_long_is_refused_in_words(text):
    expected = "^expected a number, or a calculation of at most 150 characters, found [12]00,00[01] characters$"
    with pytest.raises(HitscopeError, match=expected):
        fields.parse_number(text)


# Numbers


@given(FINITE, st.sampled_from(["", "f", "F", "_f32", "f64", "d", "m"]))
def test_every_float64_is_read_back_whatever_its_suffix(value, suffix):
    for text in (f"{value!r}{suffix}", repr(value).replace("-", "−") + suffix):
        back = value_of(text)
        assert (back, math.copysign(1, back)) == (value, math.copysign(1, value))
        assert fields.parse_number(text) == value
    assert value_of(value.hex()) == value


def test_a_sign_apart_from_its_number_is_not_lost():
    for text in ("(1, - 2, 3)", "x = 1, y = - 2, z = 3", "[ 1;\t−  2; 3]"):
        assert readings_of(text)[0].found[0].fields["position"] == (1.0, -2.0, 3.0)


@pytest.mark.parametrize("text", ["0.1f", "0.1", "+.1F", "1e-1d", "0.1_f32"])
def test_a_decimal_is_the_float64_nearest_to_what_is_written_not_a_float32(text):
    assert value_of(text) == 0.1


FORMATS = [
    "({}, {}, {})",
    "{} {} {}",
    "x={} y={} z={}",
    "vec3({}f, {}f, {}f)",
    "<{}, {}, {}>",
    "[{}; {}; {}]",
    '{{"x": {}, "y": {}, "z": {}}}',
    "{}\n{}\n{}\n",
]


@given(VECTOR, st.sampled_from(FORMATS))
def test_what_is_printed_is_read_back_bit_by_bit(vector, form):
    (row,) = rows_of(form.format(*map(repr, vector)))
    assert repr(row.vectors[0].values) == repr(vector)


@given(st.lists(st.tuples(VECTOR, VECTOR), min_size=1, max_size=5))
def test_rays_that_are_printed_are_read_back(rays):
    text = "".join(f"[12:03:04] Ray(origin={origin!r}, dir={direction!r})\n" for origin, direction in rays)
    found = readings_of(text)[0].found
    assert [(item.word, *item.fields.values()) for item in found] == [("ray", *ray) for ray in rays]


JUNK = st.text(alphabet="xyz(){}[]<>.,;:=-−+eEfF#_'\"|0123456789 \n\t→naif") | st.text()


@given(JUNK)
def test_junk_is_read_or_refused_but_never_anything_else(text):
    for function in (readings_of, fields.parse_number, lambda text: fields.split_vector(text, 3)):
        try:
            function(text)
        except HitscopeError as error:
            assert "\n" not in str(error)


PIECES = [
    *("(1,2,3)", "(0,-1,0)", "[[1,0,0],[0,1,0],[0,0,1]]", "1", "2.5", "-3", "0", "nan"),
    *(
        "ray",
        "plane",
        "obb",
        "triangle",
        "segment",
        "aabb",
        "line",
        "point",
        "origin",
        "dir",
        "min",
        "max",
        "center",
        "sphere",
        "capsule",
        "radius",
    ),
    *("half", "size", "axes", "rotation", "normal", "d", "offset", "from", "to", "x", "y", "z", "w"),
    *("(", ")", "[", "]", "{", "}", "<", ">", ",", ";", ":", "=", "->", "\n"),
]
OF_EACH_TYPE = (
    PointProbe(position=O),
    RayProbe(origin=O, direction=X),
    AabbPrimitive(center=O, half_extents=P),
    ObbPrimitive(center=O, half_extents=P),
    PlanePrimitive(normal=Y, offset=0.0),
    SpherePrimitive(center=O, radius=1.0),
    CapsulePrimitive(start=O, end=X, radius=1.0),
)


@example(["plane", ":", "(1,2,3)", "(0,-1,0)"], OF_EACH_TYPE[0])
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(OF_EACH_TYPE))
def test_every_reading_of_any_words_makes_items_or_changes_one(pieces, item):
    try:
        readings = readings_of(" ".join(pieces), item)
    except HitscopeError:
        return
    for reading in readings:
        if not reading.is_partial:
            for role in ("probe", "primitive"):
                scene = as_scene(reading, role)
                assert len(scene.probes) + len(scene.primitives) == len(reading.found)
        if fits(reading, item):
            with suppress(HitscopeError):
                assert type(with_fields(item, reading)) is type(item)


@given(JUNK, VECTOR)
def test_junk_in_other_lines_hides_no_vector_in_brackets(junk, vector):
    line = "".join(character for character in junk if character not in "()[]{}")
    try:
        rows = rows_of(f"{line}\nhit at {vector!r}\n")
    except HitscopeError:
        return
    assert repr(vector) in [repr(found.values) for row in rows for found in row.vectors]


@pytest.mark.parametrize(
    "text",
    [
        "(",
        "<",
        "a.",
        "1 ",
        "(1,2,3",
        "-",
        "x=1 ",
        "\n",
        "1\n",
        "<1",
        "a<b ",
        "/a",
        "'1",
        "12:30 ",
        "_1",
        "1.",
        "e1",
    ],
)
def test_no_text_takes_more_than_proportional_work(text, monkeypatch):
    taken = []
    take = number_text._Reader.take
    monkeypatch.setattr(number_text._Reader, "take", lambda *given: (taken.append(1), take(*given)))
    steps = []
    for size in (500, 1000):
        taken.clear()
        with suppress(HitscopeError):
            readings_of(text * size)
        steps.append(len(taken))
    assert steps[1] <= 2 * steps[0] + 2


# Items


def test_thousands_of_lines_become_one_bulk_item():
    text = "".join(f"[12:03:{i % 60:02}] hit at ({i}, {i}.5, -{i})\n" for i in range(3000))
    scene = as_scene(readings_of(text)[0], "probe")
    (points,) = scene.probes
    assert isinstance(points, PointsProbe) and len(points.shapes) == 3000
    assert points.shapes[2999].position == (2999.0, 2999.5, -2999.0)
    few = as_scene(readings_of("1 2 3\n" * (BULK_FROM - 1))[0], "probe")
    assert len(few.probes) == BULK_FROM - 1


def test_items_are_probes_or_primitives_as_asked_where_both_exist():
    (reading, *_) = readings_of("Ray(0,0,0 -> 1,1,1) AABB((0,0,0), (1,1,1))")
    assert reading.has_role
    assert [type(item) for item in as_scene(reading, "probe").probes] == [RayProbe, AabbProbe]
    scene = as_scene(reading, "primitive")
    assert [type(item) for item in (*scene.probes, *scene.primitives)] == [RayProbe, AabbPrimitive]
    assert not readings_of("1 2 3")[0].has_role


def test_a_reading_that_fits_sets_the_fields_of_an_item():
    segment = SegmentProbe(id="cut", start=O, end=X)
    (fitting, *_) = [reading for reading in readings_of("1 2 3 4 5 6", segment) if fits(reading, segment)]
    assert with_fields(segment, fitting) == SegmentProbe(id="cut", start=P, end=Q)
    assert not any(fits(reading, PointProbe(position=O)) for reading in readings_of("(1,2,3) (4,5,6)"))


def test_some_fields_of_an_item_are_set_by_their_names():
    ray = RayProbe(id="ray", origin=O, direction=X)
    partial = readings_of("dir = (1, 2, 3)", ray)[0]
    assert partial.is_partial and with_fields(ray, partial) == RayProbe(id="ray", origin=O, direction=P)
    assert not any(reading.is_partial for reading in readings_of("dir = (1, 2, 3)"))
    whole = readings_of("origin = (4, 5, 6) dir = (1, 2, 3)", ray)[0]
    assert not whole.is_partial and with_fields(ray, whole) == RayProbe(id="ray", origin=Q, direction=P)
    box = ObbPrimitive(center=O, half_extents=X, axes=(X, Y, Z))
    assert with_fields(box, readings_of("center (1,2,3)", box)[0]).axes == (X, Y, Z)


def test_a_box_takes_the_form_of_the_numbers():
    box = AabbPrimitive(id="box", center=O, half_extents=P)
    (fitting, *_) = [reading for reading in readings_of("min=(1,2,3) max=(4,5,6)", box) if fits(reading, box)]
    assert with_fields(box, fitting) == AabbPrimitive(id="box", min=P, max=Q)
