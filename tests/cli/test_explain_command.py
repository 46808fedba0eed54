"""`hitscope explain`: the listing, the JSON and the page of a pair, by any method or a Python function."""

import json
from fractions import Fraction

import pytest

from hitscope.resources import SCENES

LESSON = next(SCENES.rglob("short-direction.scene.json"))
PAIR = ("--probe", "rising", "--primitive", "ahead")
CODE = """
import sys, hitscope
def slab(ray, box):
    print("called")
    near, far = 0.0, float("inf")
    for k in range(3):
        o, d = ray.origin[k], ray.direction[k]
        if d == 0:
            if o < box.lo[k] or o > box.hi[k]:
                return False
            continue
        a, b = (box.lo[k] - o) / d, (box.hi[k] - o) / d
        near, far = max(near, min(a, b)), min(far, max(a, b))
    return near <= far, near
def divides(ray, box): return ray.origin[2] / 0
def leaves(ray, box): sys.exit(3)
def is_none(ray, box): return None
def skips(ray, box): raise hitscope.Skip
def says(ray, box): return "yes"
def misses(ray, box): return [False, 0.5]
def first(ray, box): return ray.origin[0]  == 0.1
"""


@pytest.fixture
def explain(hitscope, tmp_path):
    """A function that explains a pair of a scene in the lessons, in a folder with functions of a user's."""
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")

    def explain(*options, pair=PAIR, scene=LESSON):
        return hitscope("explain", scene, *pair, *options, cwd=tmp_path)

    return explain


def test_the_listing_marks_the_line_that_is_wrong_and_says_why(explain):
    run = explain("--method", "slab_ericson")
    assert (run.returncode, run.stderr) == (0, "")
    lines = run.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    (marked,) = (k for k, line in enumerate(lines) if line.startswith("!"))
    assert "if abs(probe.direction[axis]) <= epsilon:" in lines[marked]
    text = " ".join(" ".join(lines).split())
    assert "? 5e-10 <= 1e-09 → true ! abs(probe.direction[axis]) <= epsilon: 5e-10 <= 1e-09 → " in text
    assert "Hit, which is wrong: exact geometry says miss. A tolerance is the cause: " in text


def test_the_json_has_the_step_that_departs_by_both_values(explain):
    document = json.loads(explain("--method", "slab_ericson", "--json").stdout)
    assert (document["hit"], document["truth"], document["cause"]) == (True, False, "tolerance")
    step = document["steps"][document["wrong_step"]]
    assert (step["branch"], step["iterations"][0]["number"]) == (True, 2)
    (compared,) = step["comparisons"]
    assert compared["values"] == [5e-10, 1e-09] and compared["operators"] == ["<="]
    found = document["by_tolerance"]
    assert (found["line"], found["step"]) == (step["line"], document["wrong_step"])
    assert found["float"]["result"] and not found["unrounded"]["result"]
    assert {"step", "line", "source", "float", "unrounded"} <= set(document["departs"] or found)


def test_rounding_is_named_with_both_values_in_the_json(explain, tmp_path):
    scene = tmp_path / "a.scene.json"
    direction, high = 49.0, 1 / 49
    document = {
        "version": 1,
        "primitives": [{"id": "b", "type": "aabb", "min": [1, 0, -1], "max": [2, high, 1]}],
        "probes": [{"id": "r", "type": "ray", "origin": [0, 0, 0], "direction": [direction, 1, 0]}],
    }
    scene.write_text(json.dumps(document), encoding="utf-8")
    options = ("--method", "mine.py:slab", "--json")
    found = json.loads(explain(*options, pair=("--probe", "r", "--primitive", "b"), scene=scene).stdout)
    # 1 / 49 is below or above the fraction by its rounding, and both quotients are rounded once more.
    truth = Fraction(1, 49) <= Fraction(high)
    assert found["truth"] == truth
    assert found["hit"] == (1 / direction <= high)
    assert found["cause"] == ("rounding" if found["hit"] != truth else "")


def test_hex_and_float32(explain):
    run = explain("--method", "slab_ericson", "--float", "f32", "--hex")
    assert run.stdout.startswith("slab_ericson, in float32 (")
    assert "epsilon = 0x1.12e0be826d695p-30" in run.stdout
    document = json.loads(explain("--method", "slab_ericson", "--float", "f32", "--json").stdout)
    assert document["float"] == "f32"
    assert document["steps"][0]["values"]["probe"][1][0] == 1.9999999434361371e-09  # 2e-9 in float32
    run = explain("--method", "exact", "--float", "f32")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "exact: expected --float f64 for a method without float32, found f32\n"


def test_a_python_function_is_stepped_through_and_its_prints_go_to_stderr(explain):
    run = explain("--method", "mine.py:slab")
    assert run.returncode == 0
    assert set(run.stderr.split()) == {"called"} and "called" not in run.stdout.replace('print("called")', "")
    assert run.stdout.startswith("mine.py:slab (your own code)\n")
    assert "Miss, which is right: exact geometry says so too." in run.stdout
    document = json.loads(explain("--method", "mine.py:slab", "--json").stdout)
    assert (document["method"], document["hit"], document["error"]) == ("mine.py:slab", False, None)


@pytest.mark.parametrize(
    ("function", "error"),
    [
        ("divides", "ZeroDivisionError: float division by zero"),
        ("leaves", "SystemExit: 3"),
        ("says", "expected a bool, None or a sequence hit[, t_enter[, normal]], found 'yes'"),
        ("is_none", "the pair is outside its contract"),
        ("skips", "the pair is outside its contract"),
    ],
)
def test_what_is_no_verdict_is_told_in_one_line(explain, function, error):
    run = explain("--method", f"mine.py:{function}")
    assert (run.returncode, run.stderr) == (0, "")
    assert f"No verdict: {error}. Exact geometry says miss." in " ".join(run.stdout.split())
    assert any(line.startswith("!") for line in run.stdout.splitlines()) == ("contract" not in error)
    document = json.loads(explain("--method", f"mine.py:{function}", "--json").stdout)
    assert (document["hit"], document["error"]) == (None, error)


def test_a_list_is_an_answer_by_its_first_part(explain):
    assert "\nMiss, which is right" in explain("--method", "mine.py:misses").stdout


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("mine.glsl:hit", "only Python can be stepped through"),
        ("mine.so:hit", "only Python can be stepped through"),
        ("exec:mine", "only Python can be stepped through"),
        ("mine.py:missing", "expected a function of mine.py (slab, divides"),
        ("absent.py:hit", "absent.py: expected a file, found none"),
        ("slab_eric", 'did you mean "slab_ericson"?'),
        ("slab_ericson,epsilon=x", "expected NAME[,ARGUMENT=VALUE]"),
        ("math:hypot", "expected a Python function whose source is at hand"),
    ],
)
def test_what_cannot_be_stepped_through_is_refused_in_one_line(explain, target, words):
    run = explain("--method", target)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert words in run.stderr and "Traceback" not in run.stderr


def test_there_is_no_page_of_steps_in_c(explain, tmp_path):
    run = explain("--method", "mine.c:hit", "--html", tmp_path / "why.html")
    assert (run.returncode, run.stdout) == (2, "")
    assert "only Python can be stepped through" in run.stderr and not (tmp_path / "why.html").exists()


def test_numbers_beyond_float32_are_refused(explain, tmp_path):
    scene = tmp_path / "far.scene.json"
    text = LESSON.read_text(encoding="utf-8")
    document = json.loads(text)
    document["expect"] = []
    document["primitives"].append({"id": "far", "type": "aabb", "min": [1e39, 0, 0], "max": [1e40, 1, 1]})
    scene.write_text(json.dumps(document), encoding="utf-8")
    for method in ("slab_ericson", "mine.py:first"):
        run = explain(
            "--method", method, "--float", "f32", pair=("--probe", "rising", "--primitive", "far"), scene=scene
        )
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == "expected numbers in the range of float32 with --float f32, found 1e+39\n"


def test_a_python_function_is_given_the_numbers_that_the_scene_was_judged_on(explain, tmp_path):
    scene = tmp_path / "judged.scene.json"
    document = {
        "version": 1,
        "primitives": [{"id": "b", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}],
        "probes": [{"id": "r", "type": "ray", "origin": [0.1, 0, 0], "direction": [1, 0, 0]}],
    }
    pair = ("--probe", "r", "--primitive", "b")
    hits = []
    for judged in ("f64", "f32"):
        scene.write_text(json.dumps({**document, "judged": {"float": judged}}), encoding="utf-8")
        for options in ((), ("--float", "f64")):
            run = explain("--method", "mine.py:first", "--json", *options, pair=pair, scene=scene)
            hits.append(json.loads(run.stdout)["hit"])
    assert hits == [True, True, False, True]
    # The scene is still one of float32: what has that reading runs in it, and exact as it is.
    for method, precision in (("slab_ericson", "f32"), ("exact", "f64")):
        assert (
            json.loads(explain("--method", method, "--json", pair=pair, scene=scene).stdout)["float"] == precision
        )


def test_the_page_is_written_in_place_of_the_listing(explain, tmp_path):
    run = explain("--method", "slab_ericson", "--html", "page.html")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    run = explain("--method", "slab_ericson", "--html", "page.html", "--json")
    assert json.loads(run.stdout)["method"] == "slab_ericson"


@pytest.mark.parametrize("name", ["page.txt", "none/page.html", "-"])
def test_a_page_that_cannot_be_written_is_refused_before_the_work(explain, tmp_path, name):
    run = explain("--method", "mine.py:slab", "--html", name)
    assert (run.returncode, run.stdout) == (2, "")
    assert "called" not in run.stderr and run.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "__pycache__") == ["mine.py"]
