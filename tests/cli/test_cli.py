"""The commands as users meet them: output, standard error and exit status of real runs."""

import json
import re
import subprocess
import sys

import pytest

from hitscope.geometry.registry import EXACT, choose, methods, of_pair, pairs
from hitscope.resources import SCENES

UNIT_TEST = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"
HEADLESS = ("check", "eval", "explain", "judge", "methods", "schema")
WINDOW_MODULES = ("OpenGL", "imgui_bundle", "moderngl", "pyglet", "pyrr")


@pytest.fixture
def inverted(tmp_path):
    """The unit test's scene, with the expectation of one box inverted."""
    text = UNIT_TEST.read_text(encoding="utf-8")
    path = tmp_path / "inverted.scene.json"
    path.write_text(text.replace('"primitive": "edge", "hit": true', '"primitive": "edge", "hit": false'), "utf-8")
    assert path.read_text(encoding="utf-8") != text
    return path


@pytest.fixture
def broken(tmp_path):
    """A scene with a string where a number belongs."""
    path = tmp_path / "broken.scene.json"
    path.write_text(
        '{\n  "version": 1,\n  "primitives": [],\n'
        '  "probes": [{"type": "segment", "start": [0, 0, 0], "end": [1, "x", 0]}]\n}\n'
    )
    return path


def test_the_gallery_passes_its_check(hitscope):
    run = hitscope("check", "-v", SCENES)
    assert (run.returncode, run.stderr) == (0, "")
    names = [path.name for path in SCENES.rglob("*.scene.json")]
    assert all(f"{name}  (" in run.stdout for name in names)
    assert run.stdout.splitlines()[-1] == f"{len(names)} of {len(names)} scenes pass"


def test_check_names_the_expectation_that_is_not_met_and_exits_1(hitscope, inverted):
    run = hitscope("check", inverted)
    assert run.returncode == 1
    assert run.stdout.splitlines() == [
        f"FAIL  {inverted}  (7 expectations)",
        f"{inverted}:19: expected edge to be missed by tri; "
        "method sat13 says hit; exact: crossing, 0.707 deep, decided by plane of tri",
        f"      hitscope open {inverted} --probe tri --primitive edge",
        f"      hitscope explain {inverted} --probe tri --primitive edge",
    ]


def test_check_of_a_broken_file_exits_2_with_file_line_and_column(hitscope, broken):
    run = hitscope("check", broken)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f'{broken}:4:65: $.probes[0].end[1]: expected a number, found "x"\n'


def test_check_goes_on_after_a_broken_file_and_exits_2(hitscope, broken, inverted):
    run = hitscope("check", broken, inverted, UNIT_TEST)
    assert run.returncode == 2
    assert f"ok    {UNIT_TEST}" in run.stdout
    assert f"FAIL  {inverted}" in run.stdout
    assert run.stdout.endswith("1 of 3 scenes pass\n")


def test_check_of_a_folder_without_scenes_exits_2(hitscope, tmp_path):
    run = hitscope("check", tmp_path)
    assert run.returncode == 2
    assert run.stderr == f"{tmp_path}: expected at least one *.scene.json below this folder, found none\n"


def test_check_json_is_alone_on_standard_output(hitscope, broken, inverted):
    run = hitscope("check", UNIT_TEST, inverted, broken, "--json")
    assert run.returncode == 2
    fine, failed, unread = json.loads(run.stdout)["scenes"]
    assert (fine["path"], fine["ok"], fine["expectations"], fine["mismatches"]) == (str(UNIT_TEST), True, 7, [])
    assert (failed["ok"], failed["mismatches"]) == (False, ["expected edge to be missed by tri"])
    assert unread["error"] in run.stderr


def test_eval_json_has_the_contracts_fields_and_the_chapters_answers(hitscope):
    run = hitscope("eval", UNIT_TEST, "--json")
    document = json.loads(run.stdout)
    assert (run.returncode, run.stderr) == (0, "")
    assert (document["scene"], document["version"]) == (str(UNIT_TEST), 1)
    assert [verdict["hit"] for verdict in document["verdicts"]] == [True, True, True, True, False, False]
    assert set(document["verdicts"][0]) == set(
        [
            "probe",
            "primitive",
            "method",
            "hit",
            "state",
            "side",
            "t_enter",
            "t_exit",
            "point",
            "normal",
            "answered",
            "distance",
        ]
    )
    assert {verdict["method"] for verdict in document["verdicts"]} == {"sat13"}


def test_eval_shows_what_a_method_answers_on_a_miss(hitscope, tmp_path):
    path = tmp_path / "apart.scene.json"
    path.write_text(
        '{"version": 1, "primitives": [{"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}],'
        ' "probes": [{"type": "point", "position": [0.5, 0.5, 3]},'
        ' {"type": "aabb", "min": [0, 3, 0], "max": [1, 4, 1]}]}'
    )
    table = hitscope("eval", path, "--all-methods").stdout
    assert "also answered" in table and "distance 2 " in table and "feature face +z" in table
    assert "axis (0, 1, 0), gap 2 " in table
    verdicts = json.loads(hitscope("eval", path, "--json", "--all-methods").stdout)["verdicts"]
    answered = {verdict["method"]: verdict["answered"] for verdict in verdicts}
    assert (answered["sd_box"], answered["overlap"]) == ({"distance": 2.0}, {"axis": [0.0, 1.0, 0.0], "gap": 2.0})
    assert "also answered" not in hitscope("eval", path).stdout


def test_eval_reads_standard_input_and_exits_0_whatever_is_expected(hitscope, inverted):
    run = hitscope("eval", "-", "--json", stdin=inverted.read_text(encoding="utf-8"))
    assert run.returncode == 0
    assert json.loads(run.stdout)["scene"] == "-"


def test_numbers_read_back_as_the_same_float64(hitscope, tmp_path):
    path = tmp_path / "third.scene.json"
    path.write_text(
        '{"version": 1, "primitives": [{"type": "aabb", "min": [1, 0, 0], "max": [2, 1, 1]}],'
        ' "probes": [{"type": "ray", "origin": [0, 0.5, 0.5], "direction": [3, 0, 0]}]}'
    )
    (verdict,) = json.loads(hitscope("eval", path, "--json").stdout)["verdicts"]
    assert (verdict["t_enter"], verdict["t_exit"]) == (1 / 3, 2 / 3)


def test_eval_uses_the_given_method_and_its_arguments(hitscope):
    blocks = SCENES / "segment-aabb-irlan" / "houses.scene.json"
    run = hitscope("eval", blocks, "--json", "--method", "segment_aabb=slab_ericson,epsilon=100")
    verdicts = json.loads(run.stdout)["verdicts"]
    assert {verdict["method"] for verdict in verdicts} == {"slab_ericson"}
    # With that epsilon every slab is parallel, so only the box that a segment starts in is hit.
    assert [verdict["primitive"] for verdict in verdicts if verdict["hit"]] == ["b1"]


def test_check_reads_a_scene_from_standard_input(hitscope):
    text = UNIT_TEST.read_text(encoding="utf-8")
    run = hitscope("check", "-", stdin=text)
    assert (run.returncode, run.stderr) == (0, "") and run.stdout.startswith("ok    -  (")
    wrong = hitscope("check", "-", stdin=text.replace('"hit": true', '"hit": false'))
    assert wrong.returncode == 1


@pytest.mark.parametrize("command", ["check", "eval"])
def test_a_device_that_never_ends_is_no_scene(hitscope, command):
    run = hitscope(command, "/dev/zero")
    found = "expected a scene file that can be read, found: a device"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"/dev/zero: {found}\n")


def test_eval_all_methods_marks_where_they_disagree(hitscope):
    triangle = (
        '{"version": 1, "primitives": [{"type": "triangle", "vertices": [[0,0,0],[1,0,0],[0,1,0]]}],'
        ' "probes": [{"type": "segment", "start": [-1, 0.25, 0], "end": [2, 0.25, 0]}]}'
    )
    run = hitscope("eval", "-", "--all-methods", stdin=triangle)
    rows = [line for line in run.stdout.splitlines() if "segment-0" in line]
    answers = dict(row.split()[2:4] for row in rows)
    assert (answers["exact"], answers["moller_trumbore"]) == ("hit", "miss")
    assert list(answers) == list(of_pair("segment_triangle"))
    assert all(row.rstrip().endswith("methods disagree") for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("eval", "nowhere.json"), "nowhere.json: expected a scene file that can be read"),
        (
            ("eval", UNIT_TEST, "--method", "triangle_aabb=sat"),
            "expected a method of triangle_aabb (exact, sat13, sat13_intervals",
        ),
        (("eval", UNIT_TEST, "--method", "sat13"), "expected PAIR=TARGET"),
        (("eval", UNIT_TEST, "--method", "ray_aabb=slab_ericson,epsilon=x"), "expected NAME[,ARGUMENT=VALUE]"),
        (("render", UNIT_TEST, "-o", "x.png", "--size", "0x9"), "expected WxH in pixels"),
        (("render", UNIT_TEST, "-o", "x.png", "--scale", "9"), "expected an integer from 1 to 8, found '9'"),
        (("explain", UNIT_TEST, "--probe", "tri", "--primitive", "egde"), 'did you mean "edge"?'),
        (("nowhere.scene.json",), "nowhere.scene.json: expected a scene or a mesh, or a command (open, eval"),
        (("open", "nowhere.scene.json"), "nowhere.scene.json: expected a scene or a mesh, found none"),
        (("open", "/dev/null"), "/dev/null: expected a scene or a mesh, found a pipe or a device"),
    ],
)
def test_bad_usage_exits_2_with_one_line_and_no_traceback(hitscope, arguments, message, tmp_path):
    run = hitscope(*arguments, cwd=tmp_path)
    assert run.returncode == 2
    assert message in run.stderr.splitlines()[-1]
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


def test_methods_json_is_the_catalogue(hitscope):
    rows = json.loads(hitscope("methods", "--json").stdout)["methods"]
    assert {(row["pair"], row["name"]) for row in rows} == {
        (pair, method.name) for method in methods() for pair in method.pairs
    }
    assert all(
        row["source"] and row["answers"] == ["hit", *choose(row["pair"], row["name"]).method.parts] for row in rows
    )
    (ericson,) = [row for row in rows if (row["pair"], row["name"]) == ("ray_aabb", "slab_ericson")]
    assert ericson["arguments"] == {"epsilon": 1e-9}
    assert "compiled" in ericson["readings"] and ericson["deviations"]


def test_the_markdown_page_has_every_deviation_in_its_row_or_as_a_footnote(hitscope):
    title, _, notes, table, *_ = hitscope("methods", "--markdown").stdout.split("\n\n")
    assert title.startswith("# ")
    footnotes = dict(note.split(" ", 1) for note in notes.splitlines())
    rows = {re.match(r"\| `(\w+)", row)[1]: row for row in table.splitlines()[2:]}
    for method in methods():
        marked = {text for mark, text in footnotes.items() if f" {mark}" in rows[method.name]}
        for deviation in method.deviations:
            assert (f"*{deviation}*".replace("|", r"\|") in rows[method.name]) != (deviation in marked)
        assert marked <= set(method.deviations)


def test_the_markdown_page_says_how_often_every_method_but_exact_is_wrong(hitscope):
    *_, title, introduction, command, table = hitscope("methods", "--markdown").stdout.split("\n\n")
    assert title.startswith("## ") and "in a million" in introduction and "hitscope judge" in command
    rows = [tuple(cell.strip(" `") for cell in row.split("|")[1:-1]) for row in table.splitlines()[2:]]
    assert [row[:2] for row in rows] == [
        (pair, name) for pair in pairs() for name in of_pair(pair) if name != EXACT
    ]
    for _, _, *counts in rows:
        for wrong, most in (counts[:2], counts[2:]):
            assert (int(wrong) > 0) == bool(most) and int(most.rpartition(" ")[2] or 0) >= int(wrong)


def test_explain_json_walks_the_methods_lines(hitscope):
    run = hitscope("explain", UNIT_TEST, "--probe", "tri", "--primitive", "near", "--json")
    document = json.loads(run.stdout)
    assert (document["method"], document["hit"]) == ("sat13", False)
    assert document["steps"][-1]["source"].strip().startswith("return Separation(False, unit_axis(i), ")
    assert document["steps"][-1]["values"]["center"] == [2, 2, 2]


@pytest.mark.parametrize("command", HEADLESS)
def test_headless_commands_import_no_window_and_need_no_display(command, bare_environment):
    arguments = {
        "check": [str(SCENES)],
        "eval": [str(UNIT_TEST)],
        "explain": [str(UNIT_TEST), "--probe", "tri", "--primitive", "edge"],
        "judge": ["bounds", "--pair", "point_aabb", "--cases", "10"],
    }.get(command, [])
    code = (
        "import sys; from hitscope.cli import main; status = main(sys.argv[1:]);"
        "print([name for name in sys.modules if name.split('.')[0] in "
        f"{(*WINDOW_MODULES, 'numba')}], file=sys.stderr); sys.exit(status)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, command, *arguments],
        env=bare_environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr.strip()) == (0, "[]")
