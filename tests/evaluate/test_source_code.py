"""Shapes and verdicts as source code: it compiles, and holds the same float64s."""

import re
import shutil
import struct
import subprocess

import numpy as np
import pytest

from hitscope.evaluate import evaluate
from hitscope.evaluate.source_code import LANGUAGES, as_code
from hitscope.geometry.shapes import (
    Aabb,
    Cast,
    Frustum,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Rounded,
    Segment,
    Sphere,
    Triangle,
)
from hitscope.offscreen_context import offscreen_context
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, RayProbe

AXES = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
P, Q, R = (0.1, -0.0, 5e-324), (1e22, 1.7976931348623157e308, -2.0), (1 / 3, 2.0**-1074 * 3, 1e-7)
LO = (-1e22, -1.7976931348623157e308, -2.0)
SHAPES = {
    ("probe", "point"): [Point(P)],
    ("probe", "cut"): [Segment(P, Q)],
    ("probe", "ray"): [Ray(P, R)],
    ("probe", "float"): [Line(Q, R)],
    ("primitive", "a box, [3]"): [Aabb(LO, P)],
    ("primitive", "A_box 3"): [Obb(P, (1.0, 2.0, 3.0), AXES)],
    ("primitive", "7__skew"): [Parallelepiped(P, AXES)],
    ("primitive", "θ"): [Triangle(P, Q, R)],
    ("primitive", "ground"): [Plane((0.0, 1.0, 0.0), -0.5)],
    ("primitive", "hull"): [Polyhedron(vertices=(P, Q, R, (0.0, 0.0, 0.0)))],
    ("primitive", "wedge"): [Polyhedron(planes=(Plane((1.0, 0.0, 0.0), 1.0), Plane((-1.0, 0.0, 0.0), 0.1)))],
    ("probe", "view"): [Frustum((P, Q, R, *AXES), (0.5, 0.25, -3.5, 5e-324, 1e22, 7.0))],
    ("probe", "on its way"): [Cast(Sphere(P, 0.25), R)],
    ("primitive", "pill"): [Rounded(Triangle(P, Q, R), 0.125)],
    ("primitive", "many"): [Aabb(LO, P), Aabb(LO, R)],
}
"""Every type of shape, with numbers that are easily lost and ids that are no names anywhere."""


def numbers_of(value):
    """All numbers of a shape, in order."""
    if isinstance(value, float):
        return [value]
    return [number for part in value for number in numbers_of(part)]


NUMBERS = [number for shapes in SHAPES.values() for number in numbers_of(shapes)]


def verdicts():
    """The verdicts of a ray that hits a box, and of one that does not."""
    scene = Scene(
        version=1,
        primitives=(AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0)),),
        probes=(
            RayProbe(id="hit", origin=(0.5, 0.5, -1.0), direction=(0.0, 0.0, 3.0)),
            RayProbe(id="miss", origin=(0.5, 0.5, -1.0), direction=(0.0, 3.0, 0.0)),
        ),
    )
    report = evaluate(scene, compile=False)
    shapes = {("probe", probe.id): [probe.shape] for probe in scene.probes}
    shapes["primitive", "box"] = [scene.primitives[0].shape]
    return shapes, [report.verdict(0, 0), report.verdict(1, 0)]


def run(*words, **options):
    """The output of a program that must succeed."""
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def compiler(*names):
    """The first of these programs that is installed."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(f"needs one of {names}")
    return found


def test_python_holds_the_same_float64s():
    made = {}
    exec(as_code("Python", SHAPES), made)
    values = [value for name, value in made.items() if name.startswith(("probe_", "primitive_"))]
    assert list(map(repr, numbers_of(values))) == list(map(repr, NUMBERS))


CONSTANT = re.compile(r"^const \w+ (\w+)(\[\d+\])? =", re.MULTILINE)


@pytest.mark.thorough
@pytest.mark.parametrize("standard", ["c++11", "c++20"])
def test_cpp_compiles_and_holds_the_same_float64s(tmp_path, standard):
    code = as_code("C++", SHAPES)
    names = [name for name, _ in CONSTANT.findall(code)]
    written = "".join(f"    std::fwrite(&{name}, sizeof {name}, 1, stdout);\n" for name in names)
    (tmp_path / "a.cpp").write_text(f"{code}\n#include <cstdio>\nint main() {{\n{written}}}\n")
    strict = ("-Wall", "-Wextra", "-Werror", "-pedantic", f"-std={standard}")
    run(compiler("g++", "c++"), *strict, "-o", tmp_path / "a", tmp_path / "a.cpp")
    found = subprocess.run([tmp_path / "a"], capture_output=True, check=True).stdout
    assert found == struct.pack(f"={len(NUMBERS)}d", *NUMBERS)


@pytest.mark.thorough
def test_rust_compiles_and_holds_the_same_float64s(tmp_path):
    code = as_code("Rust", SHAPES)
    names = re.findall(r"^pub const (\w+):", code, re.MULTILINE)
    written = "".join(f'    println!("{{:?}}", {name});\n' for name in names)
    (tmp_path / "a.rs").write_text(f"{code}\nfn main() {{\n{written}}}\n")
    run(compiler("rustc"), "-D", "warnings", "-A", "dead_code", "-o", tmp_path / "a", tmp_path / "a.rs")
    found = re.findall(r"(?<!\w)-?\d[\d.e-]*", run(tmp_path / "a"))
    assert list(map(repr, map(float, found))) == list(map(repr, NUMBERS))


@pytest.mark.thorough
def test_glsl_compiles_and_holds_the_same_float64s():
    shapes = {of: given for of, given in SHAPES.items() if "many" not in of}
    numbers = [number for given in shapes.values() for number in numbers_of(given)]
    code = as_code("GLSL", shapes)
    lanes = []
    for (_, given), name in zip(shapes.items(), [name for name, _ in CONSTANT.findall(code)], strict=True):
        lanes += _lanes(given[0], name)
    stores = "".join(f"    numbers[{i}] = {lane};\n" for i, lane in enumerate(lanes))
    head = "#version 430\nlayout(local_size_x = 1) in;\n"
    head += "layout(std430, binding = 0) buffer Out { double numbers[]; };\n"
    body = f"void main() {{\n{stores}}}\n"
    with offscreen_context() as context:
        shader = context.compute_shader(head + code.removeprefix("#version 400\n") + body)
        buffer = context.buffer(reserve=8 * len(lanes))
        buffer.bind_to_storage_buffer(0)
        shader.run()
        found = np.frombuffer(buffer.read())
    assert list(map(repr, found.tolist())) == list(map(repr, numbers))


def _lanes(value, name):
    """The expressions of all numbers of a value."""
    if isinstance(value, float):
        return [name]
    if isinstance(value, Polyhedron):
        value = value.planes or value.vertices
    if hasattr(value, "_fields"):
        return [lane for key, part in value._asdict().items() for lane in _lanes(part, f"{name}.{key}")]
    if isinstance(value[0], float) and len(value) == 3:
        return [f"{name}.{axis}" for axis in "xyz"]
    return [lane for i, part in enumerate(value) for lane in _lanes(part, f"{name}[{i}]")]


def test_csharp_is_balanced_and_has_every_number_once():
    code = as_code("C#", SHAPES)
    for opening, closing in ("{}", "()", "[]"):
        assert code.count(opening) == code.count(closing)
    values = [line for line in code.splitlines() if "=" in line and not line.lstrip().startswith("//")]
    found = re.findall(r"(?<![\w.])-?\d[\d.]*(?:e[+-]?\d+)?", "\n".join(values))
    assert list(map(repr, map(float, found))) == list(map(repr, NUMBERS))
    assert re.findall(r"readonly (\w+)(?:\[\])? (\w+) = new (\w+)", code)[:3] == [
        ("Point", "ProbePoint", "Point"),
        ("Segment", "ProbeCut", "Segment"),
        ("Ray", "ProbeRay", "Ray"),
    ]
    structs = re.findall(r"public struct (\w+)", code)
    assert len(structs) == len(set(structs)) and structs[0] == "Vec3"


@pytest.mark.parametrize("label", LANGUAGES)
def test_every_constant_has_a_name_of_its_own_in_plain_letters(label):
    code = as_code(label, SHAPES)
    assert code.isascii()
    names = re.findall(r"(?im)\b((?:probe|primitive)_?\w+)(?:\[\d*\])?(?:: [^=]+)? = ", code)
    assert len(names) == len(set(names)) == len(SHAPES)
    assert not any("__" in name for name in names)


@pytest.mark.parametrize("label", LANGUAGES)
def test_the_verdict_of_a_pair_is_a_constant_below_what_is_expected(label):
    code = as_code(label, *verdicts())
    assert re.findall(r"(?i)hits_?primitive_?box\b[^=]*= (true|false)", code) == (
        ["True", "False"] if label == "Python" else ["true", "false"]
    )
    assert "t_enter = 0.3333333333333333" in code and ": no hit" in code
    assert max(map(len, code.splitlines())) <= 140
