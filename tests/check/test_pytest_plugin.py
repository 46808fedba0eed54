"""Scenes as tests of pytest: the plugin in runs of pytest of its own."""

import gc
import json
import re
import tomllib
import weakref
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hitscope import pytest_plugin
from hitscope.check import runner
from hitscope.scene import ENDING
from hitscope.targets import deciding

pytest_plugins = "pytester"
ALONE = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
"""Options for a fast run: Hypothesis is not imported in each."""
assert deciding  # imported here, not in each run of pytest: those forget what they import

ROOT = Path(__file__).parents[2]
PACKAGE = Path(runner.__file__).parents[1]
ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
SCENE = {
    "version": 1,
    "primitives": [
        {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]},
    ],
    "probes": [{"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}],
}
NEAR, FAR = {"probe": "cut", "primitive": "near"}, {"probe": "cut", "primitive": "far"}
EXPECT = [
    {**NEAR, "hit": True, "t_enter": 0.26},
    {**FAR, "hit": False},
    {**FAR, "hit": True, "method": "slab_ericson"},
    {"probe": "cut", "hits": ["near"]},
]
NAMES = ["cut-near", "cut-far", "cut-far[slab_ericson]", "cut-hits"]


@pytest.fixture
def installed(pytester, monkeypatch):
    """A folder on the path with the entry points of the project, as an installation has it."""
    folder = pytester.mkdir("site")
    information = folder / "hitscope-0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: hitscope\nVersion: 0\n", encoding="utf-8")
    points = "".join(f"{name} = {value}\n" for name, value in ENTRY_POINTS["pytest11"].items())
    (information / "entry_points.txt").write_text(f"[pytest11]\n{points}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{PACKAGE.parent}")
    return information


@pytest.fixture
def scene(pytester, installed):
    """A function that writes a scene with expectations, each on a line of its own from the second one on."""

    def write(name="a", expect=EXPECT, **more):
        text = (
            json.dumps({**SCENE, **more})[:-1] + ', "expect": [\n' + ",\n".join(map(json.dumps, expect)) + "]}\n"
        )
        path = pytester.path / f"{name}{ENDING}"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def run(pytester, installed):
    """A function that runs pytest in this process."""
    return lambda *options: pytester.runpytest_inprocess(*ALONE, *options)


@pytest.fixture
def checked(monkeypatch):
    """The files that were checked, in this order."""
    files, check_file = [], runner.check_file

    def counted(path, checks):
        files.append(path.name)
        return check_file(path, checks)

    monkeypatch.setattr(runner, "check_file", counted)
    return files


def test_the_plugin_is_an_entry_point_of_pytest():
    assert ENTRY_POINTS["pytest11"] == {"hitscope": "hitscope.pytest_plugin"}
    assert import_module(ENTRY_POINTS["pytest11"]["hitscope"]) is pytest_plugin
    assert pytest_plugin.ENDING == ENDING


def test_each_expectation_is_a_test_that_fails_as_check_does(scene, run, hitscope, pytester):
    scene()
    found = run("-v")
    found.assert_outcomes(failed=2, passed=2)
    verbose = [line.split(" ")[0] for line in found.outlines if re.search(r"(PASSED|FAILED) +\[", line)]
    assert verbose == [f"a{ENDING}::{name}" for name in NAMES]
    text = found.stdout.str()
    for word in ("Traceback", "pytest_plugin.py", "runtest", "self"):
        assert word not in text
    check = hitscope("check", f"a{ENDING}", cwd=pytester.path).stdout.splitlines()[1:]
    assert check[0].startswith(f"a{ENDING}:2: expected t_enter 0.26 of cut on near, found 0.25; ")
    shown = [line.strip() for line in found.outlines]
    assert [line for line in map(str.strip, check) if line not in shown] == []
    found.stdout.fnmatch_lines([f"FAILED a{ENDING}::cut-near - expected t_enter*"])
    assert "a.scene.json:2: expected t_enter" in run("--tb=line").stdout.str()


def test_an_installed_wheel_runs_scenes_although_pytest_rewrites_its_assertions(scene, installed, pytester):
    modules = (path.relative_to(PACKAGE.parent).as_posix() for path in PACKAGE.rglob("*.py"))
    (installed / "RECORD").write_text("".join(f"{name},,\n" for name in modules), encoding="utf-8")
    path = scene(expect=EXPECT[1:3])
    done = pytester.runpytest_subprocess(*ALONE, "-W", "error", path)
    done.assert_outcomes(failed=1, passed=1)
    done.stdout.fnmatch_lines([f"a{ENDING}:3: expected far to be hit by cut as slab_ericson has it; *"])
    assert done.errlines == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '{"version": 1, "primitives": [], "probes": [], "foo": 1}',
            ":1:48: $.foo: expected a key of this object",
        ),
        ('{"version": 1, "primitives": [', ":1:31: "),
        (b"\xff", ":1:1: "),
    ],
)
def test_a_broken_file_is_one_failing_test(text, found, scene, run, pytester):
    scene()
    (pytester.path / f"b{ENDING}").write_bytes(text if isinstance(text, bytes) else text.encode())
    result = run("-k", "loads")
    result.assert_outcomes(failed=1, deselected=4)
    assert any(line.startswith(f"b{ENDING}{found}") for line in result.outlines)
    assert any(line.startswith(f"FAILED b{ENDING}::loads - b{ENDING}:1:") for line in result.outlines)


def test_a_scene_without_expectations_does_not_pass(scene, run):
    scene(expect=[])
    skipped = run("-rs")
    skipped.assert_outcomes(skipped=1)
    assert f"SKIPPED [1] a{ENDING}: the scene has no expectations" in skipped.outlines
    strict = run("-o", "hitscope_strict=true")
    strict.assert_outcomes(failed=1)
    assert any(line.startswith(f"a{ENDING}: expected at least one expectation") for line in strict.outlines)


def test_an_expectation_of_a_disabled_probe_is_skipped_with_the_reason_or_fails(scene, run):
    scene(expect=EXPECT[:1], probes=[probe | {"enabled": False} for probe in SCENE["probes"]])
    skipped = run("-rs")
    skipped.assert_outcomes(skipped=1)
    assert f"SKIPPED [1] a{ENDING}: the probe is disabled" in skipped.outlines
    strict = run("-o", "hitscope_strict=true")
    strict.assert_outcomes(failed=1)
    strict.stdout.fnmatch_lines([f"a{ENDING}:2: expected cut to be evaluated, but it is disabled"])


def test_a_scene_is_evaluated_once_and_only_for_tests_that_run(scene, run, checked):
    scene("a")
    scene("b")
    run("--collect-only").stdout.fnmatch_lines(["*8 tests collected*"])
    run("-k", "nothing").assert_outcomes(deselected=8)
    assert checked == []
    run().assert_outcomes(failed=4, passed=4)
    assert checked == [f"a{ENDING}", f"b{ENDING}"]
    checked.clear()
    run("-x").assert_outcomes(failed=1)
    run(f"b{ENDING}::{NAMES[2]}").assert_outcomes(failed=1)
    assert checked == [f"a{ENDING}", f"b{ENDING}"]


def test_only_the_chosen_expectations_of_a_scene_are_compared(scene, run, monkeypatch):
    scene()
    outcomes, check_file = [], runner.check_file
    monkeypatch.setattr(runner, "check_file", lambda *given: outcomes.append(check_file(*given)) or outcomes[-1])
    run("-k", "cut-near or hits").assert_outcomes(failed=1, passed=1, deselected=2)
    assert [outcome.names for outcome in outcomes] == [("cut-near", "cut-hits")]


def test_the_outcome_of_a_scene_is_dropped_after_its_last_test(scene, run, monkeypatch):
    for name in "abc":
        scene(name, EXPECT[1:2])
    check_file, alive, known = runner.check_file, [], []

    def watched(path, checks):
        gc.collect(1)  # the young ones: outcomes are
        alive.append(sum(outcome() is not None for outcome in known))
        outcome = check_file(path, checks)
        known.append(weakref.ref(outcome))
        return outcome

    monkeypatch.setattr(runner, "check_file", watched)
    run().assert_outcomes(passed=3)
    assert alive == [0, 0, 0]


def test_an_expectation_that_is_gone_when_its_test_runs_fails(scene, run, pytester):
    scene("z")
    rest = json.dumps({**SCENE, "expect": EXPECT[1:2]})
    (pytester.path / "test_a.py").write_text(
        f"from pathlib import Path\ndef test():\n    Path('z{ENDING}').write_text({rest!r})\n", encoding="utf-8"
    )
    result = run()
    result.assert_outcomes(passed=2, failed=3)
    assert f"z{ENDING}: cut-near is not in the file any more" in result.outlines


def test_the_last_failed_are_run_again(scene, pytester, installed):
    scene()
    pytester.runpytest_inprocess(*ALONE[2:]).assert_outcomes(failed=2, passed=2)
    pytester.runpytest_inprocess(*ALONE[2:], "--lf").assert_outcomes(failed=2)


def test_xdist_and_junit_know_the_tests(scene, pytester):
    scene("a")
    scene("b", expect=[])
    (pytester.path / f"c{ENDING}").write_text("{", encoding="utf-8")
    options = (*ALONE, "-n", "2", "--junitxml", "tests.xml", "-o", "junit_family=xunit1")
    pytester.runpytest_subprocess(*options).assert_outcomes(failed=3, passed=2, skipped=1)
    cases = {case.attrib["name"]: case for case in ElementTree.parse("tests.xml").iter("testcase")}
    assert sorted(cases) == sorted([*NAMES, "expectations", "loads"])
    near = cases["cut-near"]
    assert (near.get("classname"), near.get("file"), near.get("line")) == (f"a{ENDING}",) * 2 + ("1",)
    (failure,) = near
    text = failure.text or ""
    assert text.startswith(f"a{ENDING}:2: expected t_enter 0.26 ") and "hitscope explain" in text


def test_settings_choose_methods_and_tolerance(scene, run, pytester, monkeypatch):
    scene(expect=[{**NEAR, "hit": True, "t_enter": 0.26}])
    run("-o", "hitscope_tolerance=0.02").assert_outcomes(passed=1)
    scene(expect=[{**NEAR, "hit": False}])
    (pytester.mkdir("engine") / "mine.py").write_text(
        "def never(segment, box):\n    return False\n", encoding="utf-8"
    )
    pytester.makeini("[pytest]\nhitscope_methods =\n    segment_aabb=engine/mine.py:never\nhitscope_float = f32\n")
    run().assert_outcomes(passed=1)
    monkeypatch.chdir("engine")  # a file is relative to the configuration file
    run("..").assert_outcomes(passed=1)
    scene(expect=[{**NEAR, "hit": True}])
    command = f"hitscope explain ../a{ENDING} --probe cut --primitive near --method mine.py:never --float f32"
    assert f"      {command}" in run("..").outlines


def test_a_name_of_a_table_beside_the_configuration_is_a_method(scene, run, pytester, monkeypatch, capfd):
    scene(expect=[{**NEAR, "hit": False}])
    folder = pytester.mkdir("engine")
    (folder / "mine.py").write_text("def never(segment, box):\n    return False\n", encoding="utf-8")
    table = '[targets.engine]\nfile = "engine/mine.py:never"\nfloat = "f32"\n'
    (pytester.path / "hitscope.toml").write_text(table, encoding="utf-8")
    pytester.makeini("[pytest]\nhitscope_methods =\n    segment_aabb=engine\n")
    monkeypatch.chdir("engine")
    run("..").assert_outcomes(passed=1)
    assert "hitscope.toml: engine is mine.py:never" in capfd.readouterr().err


def test_code_that_crashes_fails_all_that_it_decides(scene, run, pytester):
    scene(expect=EXPECT[1:2] * 2)
    (pytester.path / "mine.py").write_text("import os\ndef ends(*_):\n    os._exit(3)\n", encoding="utf-8")
    result = run("-o", "hitscope_methods=segment_aabb=mine.py:ends")
    result.assert_outcomes(failed=2)
    assert len([line for line in result.outlines if line.startswith(f"a{ENDING}: mine.py:ends crashes on ")]) == 2


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        ("hitscope_tolerance=1,x", "expected a number, at least 0, found 'x'"),
        ("hitscope_float=f16", "expected f32 or f64, found 'f16'"),
        ("hitscope_methods=segment_aabb", "expected PAIR=TARGET, "),
        ("hitscope_methods=segment_aabb=slab", "expected a method of segment_aabb ("),
    ],
)
def test_a_wrong_setting_ends_the_run_with_one_line(setting, found, scene, run):
    scene()
    result = run("-o", setting)
    assert result.ret == pytest.ExitCode.USAGE_ERROR and result.outlines == []
    (line,) = filter(None, result.errlines)
    assert line.startswith(f"ERROR: {setting.partition('=')[0]}: {found}")


def test_the_plugin_can_be_switched_off(scene, run):
    path = scene()
    assert run("-p", "no:hitscope").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    run(path.name).assert_outcomes(failed=2, passed=2)


def test_a_run_without_scenes_imports_the_plugin_alone(installed, pytester):
    test = (
        "import sys\n"
        "def test():\n"
        "    ours = {name for name in sys.modules if name.partition('.')[0] == 'hitscope'}\n"
        "    assert ours == {'hitscope', 'hitscope.pytest_plugin'}\n"
        "    assert not {'numpy', 'msgspec', 'rich', 'numba'} & sys.modules.keys()\n"
    )
    (pytester.path / "test_imports.py").write_text(test, encoding="utf-8")
    pytester.runpytest_subprocess(*ALONE).assert_outcomes(passed=1)
