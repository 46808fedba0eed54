"""`check --update` changes the values that differ, and no other byte of a file."""

import json
import os
from difflib import unified_diff
from pathlib import Path

import pytest

from hitscope import evaluate
from hitscope.check.runner import Checks
from hitscope.check.updating import update
from hitscope.cli import main
from hitscope.evaluate.acceptance import scene_update
from hitscope.scene import loads

SCENE = """{
  "version": 1,   "name": "a \\u00e9 // no comment",
  "probes": [{"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]},
             {"id": "off", "type": "point", "position": [0, 0, 0], "enabled": false}],
  "primitives": [
\t{"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1.0, 1e0, 10e-1]},
    {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]},
    {"id": "also", "type": "aabb", "min": [2, 0, 0], "max": [3, 1, 1]},
    {"id": "last", "type": "aabb", "min": [2.5, 0, 0], "max": [3, 1, 1]}
  ],
  "expect": [
EXPECT
  ]
}
"""
ON_NEAR = '"probe":"cut" , "primitive": "near"'


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """A function that runs `hitscope check` in a folder of its own; it returns the status, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)

    def check(*options):
        status = main(["check", *options])
        captured = capsys.readouterr()
        return status, captured.out.splitlines(), captured.err.splitlines()

    return check


@pytest.fixture
def changed(check, tmp_path):
    """A function that updates expectations as text; it returns what was printed, and the text of them after it."""

    def changed(expect, *options, scene=SCENE):
        path, (head, tail) = tmp_path / "x.scene.json", scene.encode().split(b"EXPECT")
        path.write_bytes(head + expect.encode() + tail)
        status, printed, errors = check("--update", "x.scene.json", *options)
        assert (status, errors) == (0, [])
        assert check("x.scene.json", *options)[0] == 0
        after = path.read_bytes()
        assert after.startswith(head) and after.endswith(tail)
        return printed, after[len(head) : -len(tail)].decode()

    return changed


def lines_between(before, after):
    """The number of lines that a diff shows as added."""
    return sum(line[0] == "+" for line in list(unified_diff(before.splitlines(), after.splitlines(), n=0))[2:])


def test_three_changed_numbers_are_three_changed_lines(changed):
    expect = f"""    {{"hit": true,{ON_NEAR},
      "t_exit" :5.0e-1 , "why": "it is \\"{{so}}\\"",
      "t_enter":   26e-2,
      "normal": [-10e-1,
                 0.0, 1],
      "point": [0.0, 0.50, 0.7]   }}"""
    printed, after = changed(expect)
    wanted = expect.replace("26e-2", "0.25").replace("0.0, 1]", "0.0, 0]").replace("0.7]", "0.5]")
    assert after == wanted
    assert lines_between(expect, after) == 3
    assert printed == [
        "x.scene.json:14: cut-near: t_enter 26e-2 -> 0.25",
        "x.scene.json:16: cut-near: normal[2] 1 -> 0",
        "x.scene.json:17: cut-near: point[2] 0.7 -> 0.5",
        "3 values updated in 1 of 1 scenes",
    ]


def test_answers_appear_and_vanish(changed):
    far = '"probe": "cut", "primitive": "far"'
    expect = f"""{{{far}, "hit": true, "t_enter": 0.5, "normal": [1,
      0, 0], "state": "crossing"}}, {{{ON_NEAR}, "t_exit": null, "normal": null, "state": "inside"}}"""
    assert changed(expect)[1] == (
        f'{{{far}, "hit": false, "t_enter": null, "normal": null, "state": "apart"}}, '
        f'{{{ON_NEAR}, "t_exit": 0.5, "normal": [-1, 0, 0], "state": "crossing"}}'
    )


@pytest.mark.parametrize(
    ("hits", "after"),
    [
        ('["near", "also"]', '["near", "also", "last"]'),
        ('[ "near"  ,"also" ]', '[ "near"  ,"also"  ,"last" ]'),
        ('["also"]', '["also", "near", "last"]'),
        ("[ ]", '["near", "also", "last"]'),
        ('["far"]', '["near", "also", "last"]'),
        ('["far", "near", "also", "last"]', '["near", "also", "last"]'),
        ('["near", "far", "also", "last"]', '["near", "also", "last"]'),
        ('["near", "also", "last", "far"]', '["near", "also", "last"]'),
        ('["near", "far", "also"]', '["near", "last", "also"]'),
        ('[\n  "near",\n  "also"\n]', '[\n  "near",\n  "last",\n  "also"\n]'),
        ('[\n  "near",\n  "far",\n  "also",\n  "last"\n]', '[\n  "near",\n  "also",\n  "last"\n]'),
        ('[\n  "near",\n  "\\u0066ar",\n  "last"\n]', '[\n  "near",\n  "also",\n  "last"\n]'),
    ],
)
def test_a_list_of_hits_changes_by_a_name_a_line(hits, after):
    data = SCENE.replace("EXPECT", f'{{"probe": "cut", "hits": {hits}}}').encode()
    found = scene_update(Path("x"), data, evaluate(loads(data, "x")))
    assert found.after.decode() == SCENE.replace("EXPECT", f'{{"probe": "cut", "hits": {after}}}')


def test_line_ends_and_the_byte_order_mark_stay(changed):
    scene = "\ufeff" + SCENE.replace("\n", "\r\n")
    expect = f'{{{ON_NEAR},\r\n"hit": false,\r\n"t_enter": 1E-1}}'
    assert changed(expect, scene=scene)[1] == expect.replace("false", "true").replace("1E-1", "0.25")


def test_a_number_is_written_in_the_shortest_text(changed):
    scene = SCENE.replace("[3, 0.5, 0.5]", "[999999999, 0.5, 0.5]")
    expect = f'{{{ON_NEAR}, "t_enter": 1, "t_exit": 2.0, "distance": 1}}'
    assert changed(expect, scene=scene)[1] == f'{{{ON_NEAR}, "t_enter": 1e-09, "t_exit": 2e-09, "distance": 0}}'


def test_what_holds_within_the_tolerance_stays(changed):
    expect = f'{{{ON_NEAR}, "t_enter": 0.26, "t_exit": 0.6, "point": [0.001, 0.5, 0.6]}}'
    printed, after = changed(expect, "--tolerance", "0.05")
    assert after == expect.replace('"t_exit": 0.6', '"t_exit": 0.5').replace("0.5, 0.6]", "0.5, 0.5]")
    assert printed[-1] == "2 values updated in 1 of 1 scenes"
    assert changed(after, "--tolerance", "0.05")[0] == ["0 values updated in 0 of 1 scenes"]


def test_only_the_selected_expectations_are_updated(tmp_path):
    path = tmp_path / "x.scene.json"
    expect = f'{{{ON_NEAR}, "hit": false}}, {{"probe": "cut", "primitive": "far", "hit": true}}'
    path.write_text(SCENE.replace("EXPECT", expect))
    (found,) = update([path], Checks(is_selected=lambda file, name: name == "cut-far"))
    assert [change.index for change in found.changes] == [1]
    assert path.read_text() == SCENE.replace("EXPECT", expect.replace("true", "false"))


def test_an_expectation_of_a_disabled_probe_is_left_alone(check, tmp_path):
    path = tmp_path / "x.scene.json"
    text = SCENE.replace(
        "EXPECT", f'{{"probe": "off", "primitive": "near", "hit": true}},\n{{{ON_NEAR}, "hit": false}}'
    )
    path.write_text(text)
    status, printed, errors = check("--update", ".")
    assert (status, errors) == (0, [])
    assert printed == ["x.scene.json:13: cut-near: hit false -> true", "1 value updated in 1 of 1 scenes"]
    assert path.read_text() == text.replace('"hit": false', '"hit": true')


def test_the_answer_of_a_wrong_method_is_not_written_down(check, tmp_path):
    path = tmp_path / "x.scene.json"
    path.write_text(
        """{"version": 1, "methods": {"ray_aabb": "slab_ericson"},
"primitives": [{"id": "box", "type": "aabb", "min": [-1, 0.5, -1], "max": [1, 1.5, 1]}],
"probes": [{"id": "ray", "type": "ray", "origin": [-6, 1, 0], "direction": [2e-9, 5e-10, 0]}],
"expect": [{"probe": "ray", "primitive": "box", "hit": false}]}"""
    )
    text = path.read_text()
    status, printed, errors = check("--update", ".")
    assert (status, errors, path.read_text()) == (1, [], text)
    assert printed[0] == "x.scene.json:4: ray-box: not updated, it is right: the deciding method is wrong"


def test_a_file_that_is_broken_or_protected_stays_and_the_next_is_updated(hitscope, as_any_user, tmp_path):
    wrong = SCENE.replace("EXPECT", f'{{{ON_NEAR}, "hit": false}}')
    texts = {"a": wrong[:-3], "b": wrong, "c": wrong}
    for name, text in texts.items():
        (tmp_path / f"{name}.scene.json").write_text(text)
    (tmp_path / "b.scene.json").chmod(0o444)
    (tmp_path / "d.scene.json").mkdir()
    run = hitscope(
        "check", "--update", ".", "-", cwd=tmp_path, preexec_fn=as_any_user, env={**os.environ, "CI": ""}
    )
    assert run.returncode == 2
    errors = run.stderr.splitlines()
    assert errors[0].startswith("a.scene.json:13:4: ")
    assert errors[1:] == [
        "b.scene.json: cannot be written: the file is write-protected",
        "d.scene.json: expected a scene file that can be read, found: a folder",
        "-: expected a scene file to update, found standard input",
    ]
    assert run.stdout.splitlines() == [
        "c.scene.json:12: cut-near: hit false -> true",
        "1 value updated in 1 of 5 scenes, 4 broken",
    ]
    assert [(tmp_path / f"{name}.scene.json").read_text() for name in "ab"] == [texts["a"], texts["b"]]


@pytest.mark.parametrize("value", ["true", "1", "True"])
def test_nothing_is_updated_in_ci(check, tmp_path, monkeypatch, value):
    monkeypatch.setenv("CI", value)
    path = tmp_path / "x.scene.json"
    path.write_text(wrong := SCENE.replace("EXPECT", f'{{{ON_NEAR}, "hit": false}}'))
    status, printed, (error,) = check("--update", "x.scene.json")
    assert (status, printed) == (2, [])
    assert error.startswith("expected no update in CI")
    assert path.read_text() == wrong


def test_code_under_test_does_not_say_what_to_expect(check, tmp_path):
    path = tmp_path / "x.scene.json"
    path.write_text(wrong := SCENE.replace("EXPECT", f'{{{ON_NEAR}, "hit": false}}'))
    status, printed, (error,) = check("--update", "x.scene.json", "--method", "segment_aabb=slab_ericson")
    assert (status, printed) == (2, [])
    assert "expected no --method" in error and "segment_aabb=slab_ericson" in error
    assert path.read_text() == wrong


def test_the_changes_as_json(check, tmp_path):
    (tmp_path / "x.scene.json").write_text(SCENE.replace("EXPECT", f'{{{ON_NEAR}, "t_enter": 1}}'))
    _, (printed,), _ = check("--update", "x.scene.json", "--json")
    change = {"name": "cut-near", "line": 12, "field": "t_enter", "old": "1", "new": "0.25"}
    assert json.loads(printed) == {
        "scenes": [{"path": "x.scene.json", "changes": [change], "left": [], "error": None}]
    }


def test_a_failure_of_a_file_with_a_byte_order_mark_has_its_line(check, tmp_path):
    text = "\ufeff" + SCENE.replace("EXPECT", f'{{{ON_NEAR}, "hit": false}}')
    (tmp_path / "x.scene.json").write_bytes(text.encode())
    status, printed, errors = check("x.scene.json")
    assert (status, errors) == (1, [])
    assert printed[1].startswith("x.scene.json:12: ")
