"""What `judge --new` writes: it builds without a warning, and its fields are the numbers of a case."""

import re
import shlex
import shutil
import subprocess

import numpy as np
import pytest

from hitscope.geometry.shapes import Polyhedron, Ray
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.cases import Cases, case_width
from hitscope.targets.options import target_specs
from hitscope.targets.runners import load_runner
from hitscope.targets.skeletons import LANGUAGES, new_target
from hitscope.targets.target import HIT, MISS
from tests.geometry.cases import PAIRS as PLAIN_PAIRS
from tests.targets.called import call

FIELDS = {
    "point": ["position"],
    "segment": ["start", "end"],
    "ray": ["origin", "direction"],
    "line": ["origin", "direction"],
    "triangle": ["a", "b", "c"],
    "aabb": ["lo", "hi"],
    "obb": ["center", "half_extents", "axes 0", "axes 1", "axes 2"],
    "parallelepiped": ["origin", "edges 0", "edges 1", "edges 2"],
    "plane": ["normal", "offset"],
    "sphere": ["center", "radius"],
    "capsule": ["start", "end", "radius"],
}
"""The fields of a case in their order, as own-code tells users."""
PAIRS = [pair for pair in PLAIN_PAIRS if not pair.endswith("polyhedron")]
CORNERS = ((0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2))


def components(pair, field, axes="xyz"):
    """The numbers of a case in a language: `field` writes a role, a name and an index or None."""
    for role, shape in zip(("probe", "primitive"), pair.split("_"), strict=True):
        for name in FIELDS[shape]:
            word, _, index = name.partition(" ")
            called = field(role, word, index or None)
            yield from [called] if name in ("offset", "radius") else (f"{called}{axis}" for axis in axes)


def weighted(names, factor="{}"):
    """The sum of numbers with the weights 1, 2, 3, ..."""
    return " + ".join(f"{factor.format(k)} * {name}" for k, name in enumerate(names, 1))


def dotted(separator):
    return lambda role, word, index: f"{role}{separator}{word}{f'[{index}]' if index else ''}"


def camel(role, word, index):
    return f"{role}.{word.title().replace('_', '')}{index or ''}"


def of_objects(role, word, index):
    return dotted(".")(role, word.replace("_extents", "Extents"), index)


XYZ = (".x", ".y", ".z")
ECHOES = {
    "c": lambda pair: ("return 0;", f"*t_enter = {weighted(components(pair, dotted('->'), XYZ))}; return 1;"),
    "cpp": lambda pair: ("return 0;", f"*t_enter = {weighted(components(pair, dotted('.'), XYZ))}; return 1;"),
    "rust": lambda pair: (
        "    0\n",
        f"    *t_enter = {weighted(components(pair, dotted('.'), XYZ), '{}.0')};\n    1\n",
    ),
    "csharp": lambda pair: (
        "return 0;",
        f"tEnter = {weighted(components(pair, camel, ('.X', '.Y', '.Z')))}; return 1;",
    ),
    "javascript": lambda pair: (
        "return 0;",
        f"answer.tEnter = {weighted(components(pair, of_objects, XYZ))}; return 1;",
    ),
    "glsl": lambda pair: (
        "return false;",
        "t_enter = "
        + weighted(components(pair, lambda r, w, k: f"{r}_{w}{f'_{k}' if k else ''}", XYZ), "{}.0")
        + "; return true;",
    ),
    "python": lambda pair: (
        "return False",
        f"return True, {weighted(components(pair, dotted('.'), ('[0]', '[1]', '[2]')))}",
    ),
}
"""How the first answer of a skeleton becomes a hit with the numbers of its case added up as t."""


def run(*command):
    done = subprocess.run([*map(str, command)], check=False, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout + done.stderr == "", done.stdout + done.stderr


def compiled_by_hitscope(path):
    return f"{path}:hit"


def rust(path):
    library = path.with_suffix(".so")
    run("rustc", "-D", "warnings", "-O", "--crate-type", "cdylib", "-o", library, path)
    return f"{library}:hit"


def csharp(path):
    program = path.with_suffix(".exe")
    run("mcs", "-warnaserror", "-warn:4", f"-out:{program}", path)
    return f"exec:mono {program}"


def javascript(path):
    return f"exec:node {path}"


BUILDS = {"rust": rust, "csharp": csharp, "javascript": javascript}
COMPILERS = {"rust": "rustc", "csharp": "mcs", "javascript": "node"}
"""Those that hitscope itself needs neither to run nor for its other tests."""


FEW = ["segment_aabb", "obb_obb", "triangle_plane", "point_parallelepiped"]
"""These have every field of a shape."""
EACH = [*FEW, "ray_triangle", "line_obb", "aabb_aabb", "parallelepiped_plane", "sphere_sphere", "capsule_capsule"]
"""These have every type of probe and of primitive, which a skeleton writes one after the other."""


def in_languages(pairs, pairs_of_others):
    """Parameters (language, pair): of the languages that hitscope runs itself, and of those with a build."""
    for language in LANGUAGES:
        missing = language in COMPILERS and shutil.which(COMPILERS[language]) is None
        marks = [pytest.mark.skip(reason=f"{COMPILERS[language]} is not installed")] if missing else []
        for pair in pairs_of_others if language in COMPILERS else pairs:
            yield pytest.param(language, pair, marks=marks, id=f"{language}-{pair}")


def test_the_few_pairs_have_every_type_of_field_and_shape():
    assert {FIELDS[shape][-1] for pair in FEW for shape in pair.split("_")} >= {
        "offset",
        "axes 2",
        "edges 2",
        "hi",
    }
    probes, primitives = zip(*(pair.split("_") for pair in PAIRS), strict=True)
    assert {pair.split("_")[0] for pair in EACH} == {*probes}
    assert {pair.split("_")[1] for pair in EACH} == {*primitives}


def answers(target, pair, numbers):
    """The answers of a target, in this process but for a program: that is what takes longest."""
    if target.startswith("exec:"):
        return call(target, pair, numbers)
    (spec,) = target_specs(target, pair, real=numbers.dtype.name)
    arrays = CaseArrays.of_numbers(numbers)
    assert load_runner(spec).run(arrays) == {}
    return arrays


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_skeleton_compiles_without_a_warning(language, pair, tmp_path):
    path = tmp_path / f"mine{LANGUAGES[language].endings[0]}"
    path.write_text(new_target(language, pair, file=str(path)))
    compiler = {"c": ("cc", "-std=c99"), "cpp": ("c++", "-std=c++11")}[language]
    run(*compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", path)


@pytest.mark.parametrize(("language", "pair"), [*in_languages(FEW[:2], FEW[:1])])
def test_a_skeleton_misses_everything(language, pair, tmp_path):
    path = tmp_path / f"mine{LANGUAGES[language].endings[0]}"
    path.write_text(new_target(language, pair, file=str(path)))
    numbers = np.ones((3, case_width(pair)), "float32" if language == "glsl" else "float64")
    found = answers(BUILDS.get(language, compiled_by_hitscope)(path), pair, numbers)
    assert found.hit.tolist() == [MISS] * 3 and np.isnan(found.t_enter).all()


@pytest.mark.parametrize(("language", "pair"), [*in_languages(EACH, FEW)])
def test_the_fields_of_a_skeleton_are_the_numbers_of_a_case(language, pair, tmp_path):
    path = tmp_path / f"mine{LANGUAGES[language].endings[0]}"
    source = new_target(language, pair, "float32", str(path))
    before, after = ECHOES[language](pair)
    assert source.count(before) == 1
    path.write_text(source.replace(before, after))
    width = case_width(pair)
    found = answers(BUILDS.get(language, compiled_by_hitscope)(path), pair, np.eye(width, dtype=np.float32))
    assert found.hit.tolist() == [HIT] * width
    assert found.t_enter.tolist() == list(range(1, width + 1))


def written(hitscope, folder, language, *options):
    """Let the command write a skeleton for ray_obb; returns its text, and the words of its Judge line."""
    name = f"my test{LANGUAGES[language].endings[0]}"
    done = hitscope("judge", "--new", language, "--pair", "ray_obb", *options, "-o", name, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = (folder / name).read_text()
    (line,) = re.findall(r"^(?://|#) Judge:  (.*)$", text, re.MULTILINE)
    return text, shlex.split(line)


@pytest.mark.parametrize("language", ["c", "cpp", "glsl", "python"])
def test_a_skeleton_says_how_to_judge_it(language, hitscope, tmp_path, monkeypatch):
    _, words = written(hitscope, tmp_path, language, "--float", "f32")
    assert words[:2] == ["hitscope", "judge"] and words[3:] == ["--pair", "ray_obb", "--float", "f32"]
    monkeypatch.chdir(tmp_path)
    assert answers(words[2], "ray_obb", np.ones((2, 21), np.float32)).hit.tolist() == [MISS] * 2


@pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed")
def test_a_skeleton_in_rust_is_built_as_it_says(hitscope, tmp_path, monkeypatch):
    text, words = written(hitscope, tmp_path, "rust")
    monkeypatch.chdir(tmp_path)
    (build,) = re.findall(r"^// Build:  (.*)$", text, re.MULTILINE)
    run(*shlex.split(build))
    assert words[3:] == ["--pair", "ray_obb"]
    assert answers(words[2], "ray_obb", np.ones((2, 21))).hit.tolist() == [MISS] * 2


def test_a_skeleton_in_csharp_names_the_program_that_dotnet_builds(hitscope, tmp_path):
    text, words = written(hitscope, tmp_path, "csharp")
    (build,) = re.findall(r"^// *(dotnet build .*)$", text, re.MULTILINE)
    assert shlex.split(build) == ["dotnet", "build", "my test", "-c", "Release", "-o", "my test/bin"]
    assert shlex.split(words[2].removeprefix("exec:")) == ["my test/bin/my test"]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_skeleton_in_javascript_is_judged_as_it_says(hitscope, tmp_path, monkeypatch):
    _, words = written(hitscope, tmp_path, "javascript", "--float", "f32")
    assert words[2:] == ["exec:node 'my test.mjs'", "--pair", "ray_obb", "--float", "f32"]
    monkeypatch.chdir(tmp_path)
    found = call(words[2], "ray_obb", np.ones((20_000, 21), np.float32))  # more than a pipe holds
    assert found.hit.tolist() == [MISS] * 20_000


def test_a_skeleton_goes_to_standard_output_or_into_a_new_file(hitscope, tmp_path):
    text = hitscope("judge", "--new", "c", "--pair", "ray_aabb").stdout
    assert (
        text
        == hitscope("judge", "--new", "c", "--pair", "ray_aabb", "-o", "-").stdout
        == new_target("c", "ray_aabb")
    )
    (tmp_path / "mine.c").write_text("mine")
    for name, words in (
        ("mine.c", "mine.c: expected the name of a new file, found a file"),
        ("mine.rs", 'mine.rs: expected a name that ends in .c, found ".rs"'),
        ("none/mine.c", "none/mine.c: expected a file in an existing folder, found no folder"),
    ):
        done = hitscope("judge", "--new", "c", "--pair", "ray_aabb", "-o", name, cwd=tmp_path)
        assert done.returncode == 2 and words in done.stderr and done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["mine.c"]
    assert (tmp_path / "mine.c").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("--new", "go", "--pair", "ray_aabb"),
            "expected a language (c, cpp, rust, csharp, javascript, glsl, ",
        ),
        (("--new", "c", "--pair", "ray_aab"), 'did you mean "ray_aabb"?'),
        (("--new", "c", "--pair", "ray_polyhedron"), "found a polyhedron"),
        (("--new", "glsl", "--pair", "ray_aabb", "--float", "f64"), "expected --float f32 for GLSL, found f64"),
        (("--new", "c"), "expected --new LANG and --pair PAIR"),
        (("--new", "c", "--pair", "ray_aabb", "mine.c:hit"), "expected --new LANG and --pair PAIR"),
    ],
)
def test_what_there_is_no_skeleton_of_is_refused_in_words(hitscope, arguments, words):
    done = hitscope("judge", *arguments)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""


def test_names_of_files_cannot_break_out_of_the_comment():
    text = new_target("python", "ray_aabb", "float64", "a\nimport os #.py")
    assert "import os" not in [line[:9] for line in text.splitlines()]
    compile(text, "mine.py", "exec")


def test_python_gets_polyhedra(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(new_target("python", "ray_polyhedron"))
    case = Cases.of_shapes("ray_polyhedron", [Ray((0, 0, 0), (0, 0, 1))], [Polyhedron(vertices=CORNERS)])
    assert answers(f"{path}:hit", "ray_polyhedron", case.numbers).hit.tolist() == [MISS]
