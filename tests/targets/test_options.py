"""The text of a TARGET, and its options on the command line."""

import pytest

from hitscope.errors import HitscopeError
from hitscope.targets.options import target_specs
from hitscope.targets.target import TargetSpec, TargetText

FILES = ("mine.c", "mine.cpp", "mine.py", "mine.so", "mine.glsl", "mine.rs", "noending")


@pytest.fixture(autouse=True)
def files(tmp_path):
    for name in FILES:
        (tmp_path / name).touch()
    (tmp_path / "folder.c").mkdir()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("slab_ericson", ("catalogue_method", "slab_ericson", "")),
        ("plane_separation,tolerance=0.5", ("catalogue_method", "plane_separation,tolerance=0.5", "")),
        ("mine.c:hit", ("c_source", "mine.c", "hit")),
        ("a:b/mine.CPP:ns::hit", ("c_source", "a:b/mine.CPP", "ns::hit")),
        (r"C:\my files\mine.cc:hit", ("c_source", r"C:\my files\mine.cc", "hit")),
        ("C:/mine.py", ("catalogue_method", "C:/mine.py", "")),
        ("m:hit", ("python_function", "m", "hit")),
        ("package.module:hit", ("python_function", "package.module", "hit")),
        ("./mine.py:hit", ("python_function", "./mine.py", "hit")),
        ("libmine.so:hit", ("library", "libmine.so", "hit")),
        ("mine.dll:hit", ("library", "mine.dll", "hit")),
        ("libmine.dylib:hit", ("library", "libmine.dylib", "hit")),
        ("mine.glsl:hit", ("shader", "mine.glsl", "hit")),
        ("exec:python mine.py:x --y", ("command", "python mine.py:x --y", "")),
    ],
)
def test_a_text_names_a_kind_a_place_and_a_function(text, parts):
    assert TargetText.of(text) == parts


def test_each_choice_of_flags_is_a_target():
    specs = target_specs("mine.c:f", "ray_aabb", real="float32", flags=["-O0", "-O3 -ffast-math"], timeout=2)
    assert specs == [
        TargetSpec("mine.c:f", "ray_aabb", "float32", "-O0", timeout=2),
        TargetSpec("mine.c:f", "ray_aabb", "float32", "-O3 -ffast-math", timeout=2),
    ]
    assert [spec.name for spec in specs] == ["mine.c:f -O0", "mine.c:f -O3 -ffast-math"]


@pytest.mark.parametrize(
    ("text", "real"), [("mine.c:f", "float64"), ("mine.glsl:f", "float32"), ("exec:./mine", "float64")]
)
def test_a_kind_has_its_precision_unless_one_is_named(text, real):
    (spec,) = target_specs(text, "ray_aabb")
    assert spec == TargetSpec(text, "ray_aabb", real)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("none.c:f", {}, "none.c: expected a file, found none"),
        ("folder.c:f", {}, "folder.c: expected a file, found a folder"),
        ("mine.c", {}, "mine.c: expected FILE:FUNCTION, found a file without a function"),
        ("mine.c:", {}, "mine.c:: expected the name of a function after the colon, found none"),
        ("mine.c:f(x)", {}, 'mine.c:f(x): expected the name of a function after the colon, found "f(x)"'),
        ("mine.c:a::f", {"pair": "ray_box"}, "expected a pair PROBE_PRIMITIVE of "),
        ("mine.py:a.b", {}, 'mine.py:a.b: expected the name of a function after the colon, found "a.b"'),
        ("mine.rs:f", {}, "mine.rs:f: expected a file that ends with .c, .cpp, "),
        ("noending:f", {}, "exec:COMMAND, found no ending"),
        ("exec: ", {}, "exec: : expected exec:COMMAND, found no command"),
        ("slab", {}, "expected a method of ray_aabb (exact, "),
        ("slab_ericson,x=1", {}, "expected an argument of slab_ericson ("),
        ("slab_ericson,epsilon", {}, 'expected NAME[,ARGUMENT=VALUE], found "slab_ericson,epsilon"'),
        ("exact", {"real": "float32"}, "exact: expected --float f64 for a method without float32"),
        (
            "slab_ericson",
            {"batch": True},
            "expected a Python function with --batch, found a method of the catalogue",
        ),
        (
            "mine.c:f",
            {"batch": True},
            "mine.c:f: expected a Python function with --batch, found a file in C or C++",
        ),
        (
            "mine.py:f",
            {"flags": ["-O3"]},
            "mine.py:f: expected a file in C or C++ with --flags, found a Python function",
        ),
        (
            "mine.c:f",
            {"flags": ["-D'"]},
            "--flags -D': expected words as a shell reads them, found No closing quotation",
        ),
        ("mine.glsl:f", {"real": "float64"}, "mine.glsl:f: expected --float f32 for GLSL, found f64"),
        ("mine.c:f", {"timeout": 0.0}, "expected a positive number of seconds as --timeout, found 0"),
        ("mine.c:f", {"timeout": float("nan")}, "expected a positive number of seconds as --timeout, found nan"),
        ("mine.so:f", {"pair": "ray_polyhedron"}, "numbers vary in count, found a library"),
        ("mine.py:f", {"pair": "ray_polyhedron", "batch": True}, "numbers vary in count, found --batch"),
    ],
)
def test_what_cannot_be_judged_is_told_in_one_line(text, options, message):
    with pytest.raises(HitscopeError) as caught:
        target_specs(text, **({"pair": "ray_aabb"} | options))
    assert message in caught.value.message and "\n" not in caught.value.message


def test_a_polyhedron_goes_to_a_python_function_of_shapes():
    (spec,) = target_specs("mine.py:f", "ray_polyhedron")
    assert spec.pair == "ray_polyhedron"
