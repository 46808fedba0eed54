"""The search for the wrong line: what it edits, what it finds, and that what it finds is right."""

import ctypes
import json
import signal
from difflib import unified_diff
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

import hitscope
from hitscope.errors import HitscopeError
from hitscope.geometry.shapes import Aabb, Segment
from hitscope.judge.campaign import Campaign
from hitscope.judge.fixing.edits import KINDS, Edit, Part, edits_of
from hitscope.judge.fixing.sample import drawn, sample_of
from hitscope.judge.fixing.search import find_fixes, fixable
from hitscope.judge.fixing.syntax import source_of
from hitscope.judge.fixing.variant_texts import variants_of
from hitscope.targets.case_arrays import UNWRITTEN, CaseArrays
from hitscope.targets.cases import Cases
from hitscope.targets.fixes import Fix, Fixes, Suspect, known
from hitscope.targets.judging.rules import Rules
from hitscope.targets.process import open_target
from hitscope.targets.runners.variants import load, variants_file
from hitscope.targets.target import TargetSpec
from tests.judge.seeded_cases import generate
from tests.judge.slab import SLAB

PROOF = 8192
PATIENCE = 300
"""The seconds that a search may take on a machine with much else to do."""
DRAWN = ("uniform", "integer_grid", "faces", "edges", "extreme")
RIGHT_C = """\
#include <math.h>
#define NOTHING 0.0
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
static double smaller(double a, double b) { return a < b ? a : b; }
int hit(const double *segment, const double *box, double *t) {
    double near = 0, far = 1;
    for (int k = 0; k < 3; k++) {
        double d = segment[3 + k] - segment[k];
        if (fabs(d) <= NOTHING) {
            if (segment[k] < box[k] || segment[k] > box[3 + k])
                return 0;
            continue;
        }
        double a = (box[k] - segment[k]) / d, b = (box[3 + k] - segment[k]) / d;
        near = fmax(near, smaller(a, b));
        far = smaller(far, fmax(a, b));
    }
    return near <= far;
}
"""

RIGHT_CPP = """\
#include <algorithm>
struct Vec { double v[3]; double operator[](int i) const { return v[i]; } };
struct Box {
    Vec lo, hi;
    bool has(double value, int i) const { return value >= lo[i] && value <= hi[i]; }
};
static Vec operator-(Vec a, Vec b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
int hit(const double *probe, const double *primitive, double *) {
    const Vec *ends = (const Vec *)probe;
    const Box &box = *(const Box *)primitive;
    const Vec d = ends[1] - ends[0];
    double near = 0, far = 1;
    for (int i = 0; i < 3; i++) {
        if (d[i] == 0) {
            if (!box.has(ends[0][i], i))
                return 0;
            continue;
        }
        double a = (box.lo[i] - ends[0][i]) / d[i], b = (box.hi[i] - ends[0][i]) / d[i];
        near = std::max(near, std::min(a, b));
        far = std::min(far, std::max(a, b));
    }
    return near <= far;
}
"""

RIGHT_NAMESPACES = """\
#include <algorithm>
#include <optional>
namespace geo {
namespace math {
template <class T> struct Vec { T v[3]; T operator[](int i) const { return v[i]; } };
template <class T> T min(T a, T b) { return a < b ? a : b; }
enum class Answer { miss, hit };
}
using math::Vec;
template <class T> Vec<T> operator-(const Vec<T> &a, const Vec<T> &b) {
    return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
namespace {
const double END = 1;
}
template <class T>
std::optional<T> clipped(const Vec<T> &start, const Vec<T> &d, const Vec<T> &lo, const Vec<T> &hi) {
    T near = 0, far = END;
    for (int i = 0; i < 3; i++) {
        if (d[i] == 0) {
            if (start[i] < lo[i] || start[i] > hi[i])
                return std::nullopt;
            continue;
        }
        T a = (lo[i] - start[i]) / d[i], b = (hi[i] - start[i]) / d[i];
        near = std::max(near, math::min(a, b));
        far = std::min(far, std::max(a, b));
    }
    if (near > far)
        return std::nullopt;
    return near;
}
int hit(const double *probe, const double *primitive, double *) {
    const Vec<double> *ends = (const math::Vec<double> *)probe, *box = (const Vec<double> *)primitive;
    const std::optional<double> t = clipped<double>(ends[0], ends[1] - ends[0], box[0], box[1]);
    const math::Answer answers[] = {math::Answer::miss, math::Answer::hit};
    if (!t)
        return (int)answers[0];
    switch (answers[1]) {
    case math::Answer::hit:
        return 1;
    default:
        return 0;
    }
}
}
"""


def searched(folder, text, name="mine.py"):
    """Write a file and look for the wrong line of its function."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    spec = TargetSpec(f"{path}:hit", "segment_aabb")
    return path, find_fixes(Campaign([spec], range(100), generators=DRAWN), PATIENCE, PROOF)


def exactly(segment: Segment, box: Aabb) -> bool:
    """The truth, by clipping in fractions."""
    near, far = Fraction(0), Fraction(1)
    for numbers in zip(*segment, *box, strict=True):
        start, end, lo, hi = map(Fraction, numbers)
        if start == end:
            if not lo <= start <= hi:
                return False
            continue
        ts = (lo - start) / (end - start), (hi - start) / (end - start)
        near, far = max(near, min(ts)), min(far, max(ts))
    return near <= far


@pytest.mark.thorough
@pytest.mark.parametrize(
    "right, wrong",
    [
        ("abs(direction) > 0", "abs(direction) > 1e-3"),
        ("near = max(near, min(a, b))", "near = min(near, min(a, b))"),
        ("<= box.hi[k]:", "<= box.lo[k]:"),
        ("            far = min(far, max(a, b))\n", ""),
        ("            return False", "            return True"),
    ],
    ids=["epsilon", "min and max", "field", "missing statement", "early return"],
)
def test_a_fault_is_found_on_its_line_and_its_fix_is_right(tmp_path, right, wrong):
    assert SLAB.count(right) == 1
    path, found = searched(tmp_path, SLAB.replace(right, wrong))
    fix = found.fixes[0]
    line = SLAB[: SLAB.index(right.strip())].count("\n") + 1
    assert fix.line == line or fix.text.decode().splitlines() == SLAB.splitlines()
    assert fix.wrong_after == 0 < fix.wrong_before == found.wrong
    assert fix.cases >= PROOF
    scope = {}
    exec(fix.text, scope)
    for generator in ("uniform", "integer_grid", "faces", "edges", "parallel"):
        for seed in range(60):
            pair = generate(generator, "segment_aabb", seed)
            said, truth = scope["hit"](*pair), exactly(*pair)
            assert said == truth or abs(hitscope.intersect(*pair).distance) < 1e-9, (generator, seed)
    assert known(Fixes, path, "hit", "segment_aabb") == found


@pytest.mark.thorough
@pytest.mark.parametrize(
    "right, wrong, name",
    [
        ("NOTHING 0.0", "NOTHING 1e-3", "mine.c"),
        ("d = segment[3 + k] - segment[k]", "d = segment[3 + k] + segment[k]", "mine.cpp"),
    ],
    ids=["macro", "c++"],
)
def test_a_fault_in_c_is_fixed(tmp_path, right, wrong, name):
    assert RIGHT_C.count(right) == 1
    _, found = searched(tmp_path, RIGHT_C.replace(right, wrong), name)
    fix = found.fixes[0]
    assert fix.line == RIGHT_C[: RIGHT_C.index(right)].count("\n") + 1
    (tmp_path / name).write_bytes(fix.text)
    assert hitscope.judge(f"{tmp_path / name}:hit", "segment_aabb", cases=100, generator="integer_grid")


@pytest.mark.thorough
def test_a_function_that_only_rounding_makes_wrong_has_no_wrong_line(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SLAB, encoding="utf-8")
    spec = TargetSpec(f"{path}:hit", "segment_aabb")
    found = find_fixes(Campaign([spec], range(300), generators=("vertices", "edges")))
    assert found.rounding > 0
    assert (found.wrong, found.fixes, found.suspects) == (0, (), ())
    assert "has no wrong line" in next(found.lines("mine.py:hit"))


@pytest.mark.thorough
def test_a_function_that_no_edit_makes_right_has_suspects_and_no_fix(tmp_path):
    _, found = searched(tmp_path, "def hit(segment, box):\n    return segment.start[0] > box.lo[0]\n")
    assert not found.fixes
    assert {suspect.line for suspect in found.suspects} == {2}
    assert all(0 < suspect.suspicion <= 1 for suspect in found.suspects)


@pytest.mark.thorough
def test_a_search_that_is_stopped_ends_at_once_with_the_lines_that_it_suspects_and_is_not_kept(tmp_path):
    path, said = tmp_path / "mine.py", []
    path.write_text("def hit(segment, box):\n    return segment.start[0] > box.hi[0]\n", encoding="utf-8")
    spec = TargetSpec(f"{path}:hit", "segment_aabb")
    found = find_fixes(
        Campaign([spec], range(100), generators=DRAWN),
        advance=said.append,
        stops=lambda: any("beside" in words for words in said),
    )
    assert sum("beside" in words for words in said) == 1
    assert found.ended_early and not found.fixes
    assert {suspect.line for suspect in found.suspects} == {2}
    assert known(Fixes, path, "hit", "segment_aabb") is None


@pytest.mark.thorough
def test_a_variant_that_leaves_out_all_cases_is_no_fix(tmp_path):
    text = SLAB.replace("    near, far", "    if len(box.lo) == 4:\n        return None\n    near, far").replace(
        "range(3)", "range(2)"
    )
    _, found = searched(tmp_path, text)
    assert [fix.line for fix in found.fixes] == [5]


@pytest.mark.parametrize(
    "after, said",
    [
        ("a\nw\nc\n", "Line 2 is wrong: with `w` instead of `b`"),
        ("a\nc\n", "Line 2 is wrong: without `b`"),
        ("a\nb\nw\nc\n", "Before line 3, `c`, a line is missing: with `w`"),
        ("a\nw\nc\nv\n", "Line 2 is wrong: with `w` instead of `b` and `v` put in"),
    ],
)
def test_a_fix_is_said_in_one_sentence(after, said):
    fix = fix_of("a\nb\nc\n", after, line=3 if "missing" in said else 2)
    assert fix.sentence == f"{said} all 4 cases are right, and 6 new ones"


def test_the_sentence_of_a_fix_has_the_condition_alone_and_its_lines_are_known_by_their_numbers():
    python = fix_of("    if a > 1:\n", "    if a > 0:\n", line=1)
    assert python.sentence.startswith("Line 1 is wrong: with `a > 0` instead of `a > 1` all")
    in_c = fix_of("  if (a > 1) {\n  }\n  b();\n", "  if (a > 0) {\n    c();\n  }\n", line=1)
    assert in_c.sentence.startswith("Line 1 is wrong: with `(a > 0)` instead of `(a > 1)` and `c();` put in all")
    assert in_c.sentence.endswith(" new ones")
    assert fix_of("a\n", "b\n", line=1, rounded=2).sentence.endswith(" new ones, but for rounding")
    assert in_c.changes == ({1, 3}, {1: ["  if (a > 0) {", "    c();"]})


def fix_of(before, after, line, rounded=0):
    """Return the fix that makes a text of another."""
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    diff = "".join(unified_diff(old, new, "a/mine.py", "b/mine.py"))
    return Fix(line, old[line - 1].strip(), "w", diff, "", 3, 0, 10, 6, rounded, after.encode())


def test_edits_are_small_and_different():
    source = source_of(SLAB.encode(), "mine.py", "hit")
    edits = edits_of(source, ["start", "end", "lo", "hi"])
    texts = [edit.of(source.text) for edit in edits]
    assert len({*texts}) == len(texts)
    assert source.text not in texts
    assert {edit.kind for edit in edits} <= {*KINDS}
    for text in texts:
        changed = sum(a != b for a, b in zip(text.split(b"\n"), source.text.split(b"\n"), strict=False))
        assert changed <= SLAB.count("\n")


@pytest.mark.parametrize(
    "name, wrong, right",
    [
        ("mine.py", "class V:\n    def dot(a, b):\n        return a.x * b.x + a.y * b.y\n", " + a.z * b.z"),
        ("mine.py", "def f(a, b, c):\n    for p, q in ((a, b), (b, c)):\n        g(p, q)\n", ", (c, a)"),
        ("mine.py", "def f(p, low):\n    d = p\n    return d > low\n", " - low"),
        ("mine.py", "def f(u, v):\n    if v > 1:\n        pass\n    return u > 0\n", "return False"),
        ("mine.py", "def f(x, lo, hi):\n    return min(lo, max(x, hi))\n", "max(lo, min(x, hi))"),
        ("mine.py", "def f(p, q, r):\n    if p > r:\n        return False\n    return q < 1\n", " or p < -r"),
        ("mine.py", "def f(a):\n    return a.axes.T\n", "a.axes"),
        ("mine.py", "def f(d, e):\n    return d < e and d > -e\n", "return d == 0"),
        ("mine.py", "def f(d, e):\n    return -e < d < e\n", "return d == 0"),
        ("mine.py", "def f(p, q):\n    return p.x * q.x + p.y * q.y + p.z\n", "p.y * q.y + p.z * q.z"),
        ("mine.py", "def f(a, b, i):\n    if a[i] > b[i]:\n        a[i] = b[i]\n", "a[i], b[i] = b[i], a[i]"),
        ("mine.py", "def f(a, b):\n    va, vb = a - b, b\n    return vb <= 0 and b > 1\n", " and va <= 0"),
        (
            "mine.c",
            "int f(double a, double e) { if (a > e) return 1; else if (0) return 2; return 0; }\n",
            "(a < -e)",
        ),
        ("mine.c", "#define DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1])\n", " + (a)[2] * (b)[2]"),
        ("mine.c", "double f(double R[3][3], int j) { return R[j][2]; }\n", "R[2][j]"),
        (
            "mine.cpp",
            "struct R { double a, b; bool g(double a) const { return a > 0; }\n"
            " bool f() const { R r{1, 2}; return g(r.b); } };\n",
            "g(r.a)",
        ),
        ("mine.c", "#include <math.h>\ndouble f(double a) { return a * 2; }\n", "sqrt(a)"),
        (
            "mine.cpp",
            "struct R { static constexpr int N = 2;\n bool f() const { return N > 2; } };\n",
            "N = 3;",
        ),
        (
            "mine.c",
            "int f(int a) {\n    int b = 3 - a, c = b;\n    if (b)\n return a * a;\n return 0; }",
            "return c * c;",
        ),
        ("mine.cpp", "struct R { double a, b; bool f() const { return a >= b; } };\n", "a > b"),
    ],
)
def test_the_right_text_is_among_the_edits_of_a_wrong_one(name, wrong, right):
    call = {"mine.py": "def hit(a):\n    return USED\n", "mine.c": "int hit(int a) { return USED; }\n"}
    call["mine.cpp"] = call["mine.c"]
    used = (
        "V" if "class" in wrong else "DOT(a, a)" if "DOT" in wrong else "R().f()" if "struct" in wrong else "f(a)"
    )
    source = source_of((wrong + call[name].replace("USED", used)).encode(), name, "hit")
    texts = [edit.of(source.text).decode() for edit in edits_of(source, ["axes", "lo", "hi"])]
    before = [line for line in source.text.decode().splitlines()]
    added = [text for text in texts if any(right in line and line not in before for line in text.splitlines())]
    assert added


def test_an_edit_in_c_uses_no_variable_where_it_is_not_declared():
    text = """\
int hit(const double *p, const double *q, double *t) {
    double near = p[0];
    for (int k = 0; k < 3; k++) {
        double inner = q[k] - near;
        if (inner > 1)
            return 0;
    }
    double later = q[1];
    return near <= later;
}
"""
    source = source_of(text.encode(), "mine.c", "hit")
    first, last, later = text.index("inner"), text.index("double later"), text.index("later = ")
    put = [part for edit in edits_of(source) for part in edit.parts]
    assert any("inner" in part.text for part in put) and any("later" in part.text for part in put)
    assert all(first < part.start < last for part in put if "inner" in part.text)
    assert all(part.start > later for part in put if "later" in part.text)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "right, wrong",
    [("lo[i] && value <= hi[i]", "lo[i]"), ("continue;", "return 1;")],
    ids=["member function", "left out"],
)
def test_a_fault_among_types_of_cpp_is_fixed_without_leaving_out_what_is_answered(tmp_path, right, wrong):
    assert RIGHT_CPP.count(right) == 1
    _, found = searched(tmp_path, RIGHT_CPP.replace(right, wrong), "mine.cpp")
    fix = found.fixes[0]
    assert fix.line == RIGHT_CPP[: RIGHT_CPP.index(right)].count("\n") + 1
    (tmp_path / "mine.cpp").write_bytes(fix.text)
    judged = hitscope.judge(f"{tmp_path / 'mine.cpp'}:hit", "segment_aabb", cases=100, generator="integer_grid")
    assert judged and "outside" not in str(judged)


@pytest.mark.thorough
def test_a_fault_is_fixed_in_a_function_that_is_often_wrong_by_rounding(tmp_path):
    text = """\
#include <optional>
struct Plane {
    double n[3], offset;
    double along(const double *v) const { return n[0] * v[0] + n[1] * v[1] + n[2] * v[2]; }
};
static std::optional<double> met(const double *origin, const double *d, const Plane &plane) {
    double height = plane.along(origin) - plane.offset, rate = plane.along(d);
    if (height == 0)
        return 0.0;
    if (rate == 0)
        return std::nullopt;
    double t = height / rate;
    if (t < 0)
        return std::nullopt;
    return t;
}
int hit(const double *ray, const double *plane, double *t_enter) {
    auto t = met(ray, ray + 3, *(const Plane *)plane);
    if (!t)
        return 0;
    *t_enter = *t;
    return 1;
}
"""
    path = tmp_path / "mine.cpp"
    path.write_text(text, encoding="utf-8")
    spec = TargetSpec(f"{path}:hit", "ray_plane")
    fix = find_fixes(Campaign([spec], range(200)), PATIENCE, PROOF).fixes[0]
    assert text.splitlines()[fix.line - 1] == "    double t = height / rate;"


def test_the_line_that_wrong_cases_run_is_suspected_first_and_told(tmp_path):
    suspects = Suspect(3, "a", 0.2, 1.0, 1.0), Suspect(7, "b", 0.9, 1.0, 0.25)
    said = list(Fixes(5, 0, 100, (), suspects).lines("mine.py:hit"))
    assert said[-1].endswith("line 7: 100% of the wrong cases run it, 25% of the right ones")


@pytest.mark.thorough
def test_the_function_of_a_module_in_a_package_is_fixed(tmp_path, monkeypatch):
    package = tmp_path / "geometry"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "ends.py").write_text("def smaller(a, b):\n    return min(a, b)\n", encoding="utf-8")
    wrong = SLAB.replace("near, min(a, b)", "near, -smaller(a, b)")
    (package / "slabs.py").write_text(f"from .ends import smaller\n{wrong}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    spec = TargetSpec("geometry.slabs:hit", "segment_aabb")
    found = find_fixes(Campaign([spec], range(100), generators=DRAWN), proof_cases=PROOF)
    assert [fix.line for fix in found.fixes] == [9]
    assert "near = max(near, smaller(a, b))" in found.fixes[0].text.decode()


def test_what_cannot_be_edited_is_refused_in_words(tmp_path):
    for text in ("mine.glsl:hit", "libmine.so:hit", "exec:./mine", "ray_slab"):
        with pytest.raises(
            HitscopeError, match="expected a function in Python, C or C\\+\\+ to fix, found another"
        ):
            fixable(TargetSpec(text, "segment_aabb"))
    with pytest.raises(HitscopeError, match="expected a function of one pair to fix, found one with --batch"):
        fixable(TargetSpec("mine.py:hit", "segment_aabb", batch=True))
    for name, text, expected in (
        ("mine.rs", "fn hit() {}", "expected a function in Python, C or C\\+\\+"),
        ("mine.py", "from other import hit\n", "expected a function hit that is defined in the file itself"),
    ):
        with pytest.raises(HitscopeError, match=expected):
            source_of(text.encode(), name, "hit")
    with pytest.raises(HitscopeError, match=r"judge: fix: expected a function of a file, outside classes"):
        scope = {}
        exec("def hit(segment, box):\n    return True\n", scope)
        hitscope.judge(scope["hit"], "segment_aabb", cases=5, generator="uniform", fix=True)


@pytest.mark.thorough
def test_the_command_shows_a_diff_and_writes_it_where_it_is_asked(hitscope, tmp_path):
    path = Path(tmp_path) / "mine.py"
    wrong = SLAB.replace("return near <= far", "return near < far")
    path.write_text(wrong, encoding="utf-8")
    command = ("judge", f"{path}:hit", "--pair", "segment_aabb", "--cases", "100", "--generator", "integer_grid")
    assert hitscope(*command, "--write").returncode == 2
    assert path.read_text(encoding="utf-8") == wrong
    found = tmp_path / "found"
    shown = hitscope(*command, "--fix", "--write", "-o", found)
    assert shown.returncode == 1
    assert "Line 12 is wrong: with `near <= far` instead of `near < far` all " in shown.stdout
    assert "    +    return near <= far" in shown.stdout
    assert path.read_text(encoding="utf-8") == SLAB
    assert (tmp_path / "mine.py.bak").read_text(encoding="utf-8") == wrong
    assert hitscope(*command).returncode == 0
    said = "Line 12 is wrong: with `near <= far` instead of `near < far` all 100 cases are right, and "
    (scene,) = found.iterdir()
    assert said in json.loads(scene.read_text(encoding="utf-8"))["description"]
    path.write_text(wrong, encoding="utf-8")  # it is known again, by its text
    checked = hitscope("check", found, "--method", f"segment_aabb={path}:hit")
    assert checked.returncode == 1 and f"({said}" in checked.stdout
    words = ("explain", scene, "--probe", "segment-0", "--primitive", "aabb-0", "--method", f"{path}:hit")
    assert json.loads(hitscope(*words, "--json").stdout)["fix"]["replacement"] == "return near <= far"


def variant_file(folder, name, text, puts, function="hit"):
    """Write a file in C, and the variants of it that have other words in the place of some."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    edits = []
    for word, put in puts:
        assert text.count(word) == 1
        edits.append(Edit("", 0, (Part(text.index(word), text.index(word) + len(word), put),)))
    variants = variants_of(source_of(text.encode(), str(path), function), edits)
    written = variants_file(folder, 0)
    written.write_bytes(msgspec.json.encode(variants))
    return TargetSpec(f"{path}:{function}", "segment_aabb", variants=str(written)), variants


def loaded_variants(spec, cases, count=2):
    """Return the runner of some variants, and the arrays of all cases for each of them."""
    numbers = np.column_stack([np.tile(cases, (count, 1)), np.repeat(np.arange(float(count)), len(cases))])
    return load(spec), CaseArrays.of_numbers(numbers)


@pytest.mark.parametrize(
    "name, text, function, puts, alone",
    [
        (
            "mine.c",
            RIGHT_C,
            "hit",
            [
                ("NOTHING 0.0", "NOTHING 1.0"),
                ("a < b", "a > b"),
                ("near = 0", "near = -1"),
                ("k < 3", "k < 2"),
                ("segment[3 + k] - segment[k]", "segment[3 + k] + segment[k]"),
                ("fabs(d) <= NOTHING", "d <= NOTHING"),
                ("segment[k] < box[k] ||", "segment[k] > box[k] ||"),
                ("continue;", "break;"),
                ("1", "2"),
                ("(box[3 + k] - segment[k]) / d", "(box[k] - segment[k]) / d"),
                ("far = smaller(far, fmax(a, b));", "far = smaller(far, fmax(a, b)); near = -1;"),
                ("return near <= far;", "return near < far;"),
            ],
            {0, 2, 7},
        ),
        (
            "mine.cpp",
            RIGHT_CPP,
            "hit",
            [
                ("value >= lo[i] &&", "value >= lo[i] ||"),
                ("a[1] - b[1]", "a[1] + b[1]"),
                ("!box.has", "box.has"),
                ("near = std::max(near", "near = std::min(near"),
                ("continue;", "return 1;"),
            ],
            set(),
        ),
        (
            "spaces.cpp",
            RIGHT_NAMESPACES,
            "geo::hit",
            [
                ("a < b", "a > b"),
                ("a[1] - b[1]", "a[1] + b[1]"),
                ("END = 1", "END = 0.1"),
                ("T near = 0", "T near = -1"),
                ("std::max(near, math::min(a, b))", "math::min(a, near)"),
                ("ends[1] - ends[0]", "ends[1]"),
                ("!t", "t"),
                ("switch (answers[1])", "switch (answers[0])"),
            ],
            {2, 3, 7},
        ),
    ],
)
def test_a_variant_in_c_answers_as_a_file_with_its_edit_alone_wherever_it_is_chosen(
    tmp_path, name, text, function, puts, alone
):
    spec, variants = variant_file(tmp_path, name, text, puts, function)
    assert {k for k, changed in enumerate(variants.changed) if changed} == alone
    cases = drawn(("uniform", "faces", "parallel"), "segment_aabb", "float64", range(60), None)[0].numbers
    n = len(cases)
    numbers = np.column_stack([np.tile(cases, (len(puts), 1)), np.repeat(np.arange(len(puts)), n)])
    with open_target(spec) as target:
        answers = target.answer(Cases("segment_aabb", numbers)).hit.reshape(len(puts), n)
    with open_target(spec._replace(variants="")) as target:
        right = target.answer(Cases("segment_aabb", cases)).hit
    assert not np.any(np.all(answers == right, axis=1))
    for number, (word, put) in enumerate(puts):
        (tmp_path / f"alone{number}-{name}").write_text(text.replace(word, put), encoding="utf-8")
        with open_target(TargetSpec(f"{tmp_path}/alone{number}-{name}:{function}", "segment_aabb")) as target:
            assert target.answer(Cases("segment_aabb", cases)).hit.tolist() == answers[number].tolist(), put


def test_a_variant_whose_error_is_in_a_macro_breaks_no_other(tmp_path):
    puts = [("far = 1", "far = LEAST(segment, 1.0)"), ("far = 1", "far = LEAST(1.0, 0.5)")]
    spec, _ = variant_file(tmp_path, "mine.c", RIGHT_C, puts)
    cases = drawn(("uniform",), "segment_aabb", "float64", range(9), None)[0].numbers
    runner, arrays = loaded_variants(spec, cases)
    runner.run(arrays)
    broken, compiled = arrays.hit.reshape(2, -1)
    assert (broken == UNWRITTEN).all() and (compiled != UNWRITTEN).all()


def test_handlers_of_signals_are_as_they_were_once_variants_in_c_have_crashed(tmp_path):
    puts = [("segment[k] < box[k]", "segment[1 << 30] < box[k]"), ("near <= far", "near < far")]
    spec, _ = variant_file(tmp_path, "mine.c", RIGHT_C, puts)
    cases = drawn(("parallel",), "segment_aabb", "float64", range(40), None)[0].numbers
    runner, arrays = loaded_variants(spec, cases)
    signals, process = (signal.SIGSEGV, signal.SIGFPE, signal.SIGABRT), ctypes.CDLL(None)

    def handlers():
        """Return the first word of each signal's `struct sigaction`, its handler, as the system has it."""
        found = [ctypes.create_string_buffer(512) for _ in signals]
        assert not any(map(process.sigaction, signals, [None] * len(signals), found))
        return [ctypes.c_void_p.from_buffer(each).value for each in found]

    before = handlers()
    runner.run(arrays)
    assert handlers() == before
    crashed, answered = arrays.hit.reshape(2, -1) == UNWRITTEN
    assert crashed.any() and not answered.any()


def test_a_variant_in_c_that_writes_behind_an_array_without_an_end_harms_no_other(tmp_path):
    text = """\
int hit(const double *p, const double *q, double *t) {
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = p[k] - q[k];
    return d[0] + d[1] + d[2] >= 0;
}
"""
    puts = [("k < 3", "k >= 0"), (">= 0", ">= 1"), ("d[k] =", "t[9 * k] ="), (">= 0", "< 0")]
    spec, _ = variant_file(tmp_path, "mine.c", text, puts)
    cases = drawn(("uniform",), "segment_aabb", "float64", range(50), None)[0].numbers
    runner, arrays = loaded_variants(spec, cases, len(puts))
    runner.run(arrays)
    answers, sums = arrays.hit.reshape(4, -1), (cases[:, :3] - cases[:, 6:9]).sum(axis=1)
    assert (answers[0] == UNWRITTEN).all()
    assert answers[1].tolist() == (sums >= 1).tolist() and answers[3].tolist() == (sums < 0).tolist()


def test_of_many_cases_whose_t_takes_fractions_some_ts_and_all_verdicts_are_asked():
    cases, places = drawn(("engine", "uniform"), "segment_sphere", "float64", range(60), None)
    all_special = np.ones(len(cases), np.bool_)
    asked = sample_of(cases, places, all_special, Rules(), with_t=True, most_fractions=10)
    known_t = ~np.isnan(asked.t_enter)
    assert 5 <= np.count_nonzero(known_t) <= 10 < np.count_nonzero(asked.hit)
    far = np.where(asked.hit, asked.t_enter + 1, np.nan)
    assert asked.wrong(asked.hit.astype(np.int8), far, with_t=True).tolist() == known_t.tolist()
    assert asked.wrong((~asked.hit).astype(np.int8), far, with_t=True).all()
