"""`check` and `eval` with users' own code in place of a method: `--method PAIR=TARGET`."""

import json
import subprocess
from argparse import ArgumentParser

import pytest

from hitscope.check.runner import Checks, check_file
from hitscope.cli.options import add_target_options
from hitscope.errors import HitscopeError, SceneError
from hitscope.evaluate import OwnMethods, evaluate
from hitscope.resources import SCENES
from hitscope.scene import load, loads
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.method_text import method_text

CODE = """
def strict(point, box):
    return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))
def crashing(point, box):
    raise ValueError("not yet")
"""
SCENE = {
    "version": 1,
    "primitives": [{"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}],
    "probes": [{"type": "point", "position": [1, 0.5, 0.5]}],
    "expect": [{"probe": "point-0", "primitive": "aabb-0", "hit": True}],
}


@pytest.fixture
def run(hitscope, tmp_path):
    """A function that runs a command on a scene, with a function of a user's for point_aabb."""
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")
    path = tmp_path / "a.scene.json"

    def run(command, function, *options, **fields):
        path.write_text(json.dumps(SCENE | fields), encoding="utf-8")
        return hitscope(command, path.name, "--method", f"point_aabb=mine.py:{function}", *options, cwd=tmp_path)

    return run


def test_a_check_fails_until_the_function_is_mended(run, tmp_path):
    failed = run("check", "strict")
    assert (failed.returncode, failed.stderr) == (1, "")
    assert "expected aabb-0 to be hit by point-0" in failed.stdout
    mine = tmp_path / "mine.py"
    mine.write_text(CODE.replace("a < x < b", "a <= x <= b"), encoding="utf-8")
    assert run("check", "strict").returncode == 0


def test_a_scene_is_checked_as_it_was_judged_unless_told_otherwise(run):
    assert run("check", "strict", judged={"boundary": "either"}).returncode == 0
    assert run("check", "strict", "--boundary", "closed", judged={"boundary": "either"}).returncode == 1


def test_a_pair_without_what_the_code_requires_is_neither_right_nor_wrong(run):
    required = ("--require", "max-coordinate=0.5")
    assert run("check", "crashing", *required).returncode == 0
    assert run("check", "strict", judged={"require": ["max-coordinate=0.5"]}).returncode == 0
    failed = run("check", "strict", "--require", "max-coordinate=1e1", judged={"require": ["max-coordinate=0.5"]})
    assert (
        failed.returncode == 1
        and "--method point_aabb=mine.py:strict --require max-coordinate=1e1\n" in failed.stdout
    )
    wrong = run("check", "strict", "--require", "max-coordinates=1")
    assert wrong.returncode == 2
    expected = "expected unit-direction, non-degenerate or max-coordinate=N, found max-coordinates=1"
    assert f"argument --require: {expected}" in wrong.stderr


def test_numbers_are_given_in_the_precision_that_a_scene_was_judged_in(run, tmp_path):
    with (tmp_path / "mine.py").open("a", encoding="utf-8") as file:
        file.write("def in_f32(points, boxes): return [int(points.dtype == 'float32')]\n")
    assert run("check", "in_f32", "--batch", judged={"float": "f32"}).returncode == 0
    assert run("check", "in_f32", "--batch", "--float", "f64", judged={"float": "f32"}).returncode == 1


SLABS = """
#include <math.h>
static int slabs(const double *o, const double *d, const double *box, double far, double *t)
{
    double near = 0;
    for (int i = 0; i < 3; i++) {
        if (d[i] == 0 && (o[i] < box[i] || o[i] > box[i + 3])) return 0;
        if (d[i] == 0) continue;
        double a = (box[i] - o[i]) / d[i], b = (box[i + 3] - o[i]) / d[i];
        near = fmax(near, fmin(a, b)), far = fmin(far, fmax(a, b));
    }
    *t = near;
    return near <= far;
}
int ray(const double *p, const double *box, double *t) { return slabs(p, p + 3, box, INFINITY, t); }
int segment(const double *p, const double *box, double *t)
{
    double d[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]};
    return slabs(p, d, box, 1, t);
}
"""
EXACT = """
from hitscope.geometry import exact
def segment(segment, box): return exact.meet(segment, box)
def ray(ray, box): return exact.meet(ray, box), float("nan")
"""


@pytest.mark.parametrize(
    ("file", "code", "wrong"),
    [("mine.c", SLABS, {"denormal-and-huge"}), ("mine.py", EXACT, set())],  # where end - start overflows
    ids=["C", "Python"],
)
def test_a_right_function_is_green_without_t_exit_and_normal(monkeypatch, tmp_path, file, code, wrong):
    (tmp_path / file).write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    methods = [("segment_aabb", f"{file}:segment"), ("ray_aabb", f"{file}:ray")]
    options = ArgumentParser()
    add_target_options(options)
    given = options.parse_args(["--slack", "8"])
    given.method = methods
    unanswered, failing = 0, set()
    with DecidingTargets(given) as targets:
        for path in SCENES.rglob("*.scene.json"):
            scene = load(path)
            is_in_float64 = scene.judging.float == "f64"  # as the functions are
            if is_in_float64 and not {pair for pair, _ in methods} & scene.methods.keys():
                report = evaluate(scene, own=OwnMethods(targets.methods(scene)))
                outcome = check_file(path, Checks(report_of=lambda _, report=report: report))
                assert bool(report.mismatches) == bool(outcome.failures), path
                unanswered += outcome.unanswered
                failing |= {path.name.partition(".")[0]} if outcome.failures else set()
    assert failing == wrong and unanswered > 100


def test_a_crash_fails_its_scene_and_names_the_pair(run):
    words = "mine.py:crashing crashes on Point(position=(1.0, 0.5, 0.5)), Aabb("
    checked = run("check", "crashing")
    assert (checked.returncode, checked.stderr) == (1, "")
    assert words in checked.stdout and "ValueError: not yet" in checked.stdout
    evaluated = run("eval", "crashing")
    assert (evaluated.returncode, evaluated.stdout, evaluated.stderr.count("\n")) == (2, "", 1)
    assert evaluated.stderr.startswith(words)


@pytest.mark.parametrize("command", ["check", "eval"])
def test_what_cannot_be_called_is_bad_usage_in_one_line(run, tmp_path, command):
    missing = run(command, "missing")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "expected a function of mine.py" in missing.stderr and missing.stderr.count("\n") == 1
    (tmp_path / "mine.py").unlink()
    without = run(command, "strict")
    assert (without.returncode, without.stdout, without.stderr) == (
        2,
        "",
        "mine.py: expected a file, found none\n",
    )


def test_all_methods_stand_beside_the_function(run):
    document = json.loads(run("eval", "strict", "--all-methods", "--json").stdout)
    hits = {verdict["method"]: verdict["hit"] for verdict in document["verdicts"]}
    assert hits.pop("mine.py:strict") is False
    assert {"exact", "bounds"} <= set(hits) and all(hits.values())


@pytest.mark.parametrize("first", [0, 1])
def test_an_object_that_the_flags_name_is_never_an_older_one(hitscope, tmp_path, first):
    (tmp_path / "hit.c").write_text(
        "int picked(void);\nint hit(const double *p, const double *b, double *t)\n{\n"
        "    for (int i = 0; i < 3; i++) if (p[i] < b[i] || p[i] > b[i + 3]) return picked();\n"
        "    return !picked();\n}\n"
    )
    (tmp_path / "a.scene.json").write_text(json.dumps(SCENE), encoding="utf-8")
    options = ("--flags", "pick.o")

    def statuses(wrong):
        source = tmp_path / "pick.c"
        source.write_text(f"int picked(void) {{ return {wrong}; }}", encoding="utf-8")
        subprocess.run(["cc", "-c", "-fPIC", "pick.c"], cwd=tmp_path, check=True)
        checked = hitscope("check", "a.scene.json", "--method", "point_aabb=hit.c:hit", *options, cwd=tmp_path)
        few = ("--cases", "20", "--generator", "uniform")
        judged = hitscope("judge", "hit.c:hit", "--pair", "point_aabb", *few, *options, cwd=tmp_path)
        return checked.returncode, judged.returncode

    for wrong in (first, 1 - first, first):
        assert statuses(wrong) == (wrong, wrong)


FOREIGN = ["exec:touch pwned", "mine.py:hit", "mine.c:hit"]


def test_no_command_runs_what_a_scene_names(hitscope, tmp_path):
    (tmp_path / "mine.py").write_text("open('pwned', 'w')\ndef hit(point, box): return True\n")
    (tmp_path / "mine.c").write_text(
        '#include <stdio.h>\n__attribute__((constructor)) void f(void) { fopen("pwned", "w"); }\n'
        "int hit(const double *point, const double *box, double *t) { return 1; }\n"
    )
    camera = {"eye": [9, 9, 9], "target": [0, 0, 0]}
    view = {"map": {"handle": "point-0.position", "methods": FOREIGN}, "camera": camera}
    (tmp_path / "a.scene.json").write_text(json.dumps(SCENE | {"view": view}), encoding="utf-8")
    pair = ("--probe", "point-0", "--primitive", "aabb-0")
    for arguments in (
        ("check", "a.scene.json", "--report", "report.html"),
        ("eval", "a.scene.json", "--all-methods"),
        ("review", "a.scene.json", "--list"),
        ("map", "a.scene.json", "--handle", "point-0.position", "--size", 8, "-o", "map.png"),
        ("explain", "a.scene.json", *pair, "--html", "page.html"),
    ):
        assert hitscope(*arguments, cwd=tmp_path).returncode == 0
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("target", FOREIGN)
def test_a_scene_names_methods_of_the_catalogue_alone(target):
    named = {"method": target, "primitive": "aabb-0", "probe": "point-0"}
    for field in (
        {"methods": {"point_aabb": target}},
        {"methods": {"point_aabb": {"name": target}}},
        {"expect": [{**named, "hit": True}]},
        {"lesson": [{"say": "Look", "until": named}]},
    ):
        with pytest.raises(SceneError, match="expected a method of point_aabb"):
            loads(json.dumps(SCENE | field).encode(), "a.scene.json")
    with pytest.raises(HitscopeError, match=f"^needs {target}: name it on the command line$"):
        method_text(target)


LARGE = {
    "type": "polyhedron",
    "planes": [
        {"normal": [x * (1 + k), y * (1 + k), z * (1 + k)], "offset": 1 + k}
        for k in range(2)
        for x, y, z in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
    ],
}


def test_a_polyhedron_of_more_planes_than_a_process_takes_is_refused_in_one_line(hitscope, tmp_path):
    (tmp_path / "mine.py").write_text("def f(point, body): return True\n", encoding="utf-8")
    path = tmp_path / "a.scene.json"
    path.write_text(json.dumps(SCENE | {"primitives": [LARGE], "expect": []}), encoding="utf-8")
    run = hitscope("eval", path.name, "--method", "point_polyhedron=mine.py:f", cwd=tmp_path)
    expected = "mine.py:f: expected polyhedra of at most 10 planes or vertices, found one of 12\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", expected)


def test_a_method_of_the_catalogue_takes_polyhedra_of_any_number_of_planes(hitscope, tmp_path):
    path = tmp_path / "a.scene.json"
    path.write_text(json.dumps(SCENE | {"primitives": [LARGE], "expect": []}), encoding="utf-8")
    method = "point_polyhedron=behind_planes"
    run = hitscope("eval", path.name, "--method", method, "--slack", "1", "--json", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert [verdict["hit"] for verdict in json.loads(run.stdout)["verdicts"]] == [True]


ENGINE = """
[targets.engine]
file = "src/mine.c:hit"
pair = "point_aabb"
flags = "-Iinclude -DEDGE=1 -x c"
[targets.python]
file = "src/mine.py:strict"
boundary = "either"
"""
HIT_IN_C = """
#include <edge.h>
int hit(const double *p, const double *b, double *t) {
    for (int i = 0; i < 3; i++) if (p[i] < b[i] || p[i] > b[3 + i] || (p[i] == b[3 + i] && IS_OPEN)) return 0;
    return 1;
}
"""


@pytest.fixture
def engine(tmp_path):
    """A folder of targets with names, and a scene below them."""
    folder = tmp_path / "engine"
    for name, text in {
        "hitscope.toml": ENGINE,
        "src/mine.c": HIT_IN_C,
        "src/mine.py": CODE,
        "include/edge.h": "#define IS_OPEN EDGE\n",
        "scenes/a.scene.json": json.dumps(SCENE),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_name_beside_the_scenes_decides_them_in_every_command(hitscope, engine, tmp_path):
    scene, named = "engine/scenes/a.scene.json", ("--method", "point_aabb=engine")
    said = "engine/hitscope.toml: engine is engine/src/mine.c:hit, compiled with -Iinclude -DEDGE=1 -x c\n"
    checked = hitscope("check", scene, *named, cwd=tmp_path)
    assert (checked.returncode, checked.stderr) == (1, said)
    assert (
        f"    hitscope open {scene} --probe point-0 --primitive aabb-0 --method point_aabb=engine\n"
        in checked.stdout
    )
    assert "explain" not in checked.stdout
    evaluated = hitscope("eval", scene, *named, "--json", cwd=tmp_path)
    (verdict,) = json.loads(evaluated.stdout)["verdicts"]
    assert (verdict["method"], verdict["hit"]) == ("engine", False)
    mapped = hitscope(
        "map", scene, "--handle", "point-0.position", "--size", "4", "--method", "engine", "--json", cwd=tmp_path
    )
    assert [method["method"] for method in json.loads(mapped.stdout)["methods"]] == ["engine"]
    judged = hitscope("judge", "engine", "--cases", "40", "--generator", "integer_grid", cwd=engine / "scenes")
    assert judged.returncode == 1 and "engine on point_aabb in f64: 40 cases" in judged.stdout, judged.stderr
    assert hitscope("check", scene, *named, "--flags=-Iengine/include -DEDGE=0", cwd=tmp_path).returncode == 0


def test_a_python_function_of_a_name_is_checked_and_explained_by_its_conventions(hitscope, engine, tmp_path):
    scene = "engine/scenes/a.scene.json"
    assert hitscope("check", scene, "--method", "point_aabb=python", cwd=tmp_path).returncode == 0
    closed = hitscope("check", scene, "--method", "point_aabb=python", "--boundary", "closed", cwd=tmp_path)
    pair = f"{scene} --probe point-0 --primitive aabb-0 --method"
    assert f"hitscope open {pair} point_aabb=python --boundary closed\n" in closed.stdout
    assert f"hitscope explain {pair} python\n" in closed.stdout
    explained = hitscope("explain", *f"{pair} python".split(), cwd=tmp_path)
    assert explained.returncode == 0 and "engine/src/mine.py:strict (your" in explained.stdout, explained.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("check",),
        ("eval",),
        ("explain", "--probe=point-0", "--primitive=aabb-0"),
        ("map", "--handle=point-0.position", "--size=2"),
    ],
)
def test_a_scene_beside_a_table_runs_nothing_and_can_name_nothing_of_it(command, hitscope, tmp_path):
    table = '[targets.mine]\nfile = "exec:touch pwned"\npair = "point_aabb"\n'
    (tmp_path / "hitscope.toml").write_text(table, encoding="utf-8")
    name, *options = command
    for fields, status in (({}, 0), ({"methods": {"point_aabb": "mine"}}, 2)):
        (tmp_path / "a.scene.json").write_text(json.dumps(SCENE | fields), encoding="utf-8")
        done = hitscope(name, "a.scene.json", *options, cwd=tmp_path)
        assert done.returncode == status and "mine is" not in done.stderr
    assert not (tmp_path / "pwned").exists()
