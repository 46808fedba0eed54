"""What ends a command early: one line on standard error, exit status 2 and no traceback, whatever it is."""

import json
import os
import sys

import pytest

from hitscope import cli
from hitscope.check import explaining, runner
from hitscope.resources import SCENES

SCENE = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"
DIGITS = "9" * 5000
"""More digits than int reads."""
LONG = "a" * 5000
"""A longer file name than any system takes."""


@pytest.fixture
def locked(tmp_path):
    """A folder with a scene that may not be entered."""
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "a.scene.json").write_bytes(SCENE.read_bytes())
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


def fails(run) -> str:
    """Return the one line of a command that failed."""
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.endswith("\n") and run.stderr.count("\n") == 1
    return run.stderr.rstrip("\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", LONG),
        ("check", LONG),
        ("open", LONG),
        (LONG,),
        ("render", LONG, "-o", "a.png"),
        ("render", SCENE, "-o", f"{LONG}.png"),
        ("explain", LONG, "--probe", "a", "--primitive", "b"),
        ("open", "--play", LONG),
        ("bench", LONG),
        ("judge", "bounds", "--pair", "point_aabb", "--cases", "1", "-o", LONG),
    ],
    ids=lambda arguments: "-".join(str(argument)[-20:] for argument in arguments if str(argument)[0] not in "/a"),
)
def test_a_path_that_is_too_long_is_no_crash(hitscope, tmp_path, arguments):
    line = fails(hitscope(*arguments, cwd=tmp_path))
    assert line.startswith("aaaa")
    assert os.strerror(36 if sys.platform == "linux" else 63) in line or "expected" in line


@pytest.mark.parametrize("command", ["eval", "check", "open", "bench", "explain", "render"])
def test_a_folder_that_may_not_be_entered_is_no_crash(hitscope, as_any_user, tmp_path, locked, command):
    more = {"explain": ["--probe", "a", "--primitive", "b"], "render": ["-o", tmp_path / "a.png"]}
    path = locked / "a.scene.json"
    line = fails(hitscope(command, path, *more.get(command, []), preexec_fn=as_any_user))
    assert line.startswith(f"{path}: expected a scene") and line.endswith("Permission denied")


@pytest.mark.parametrize(
    "file", [f"{LONG}.obj", "a/" * 3000 + "a.obj", "locked/a.obj"], ids=["name", "path", "locked"]
)
def test_a_file_of_a_scene_that_cannot_be_looked_at_is_reported_at_its_field(
    hitscope, as_any_user, tmp_path, locked, file
):
    scene = {"version": 1, "primitives": [{"type": "mesh", "file": file}], "probes": []}
    path = tmp_path / "a.scene.json"
    path.write_text(json.dumps(scene), "utf-8")
    line = fails(hitscope("check", path, preexec_fn=as_any_user))
    assert line.startswith(f"{path}:1:") and "$.primitives[0].file: expected a file that can be read at " in line
    assert line.endswith(("Permission denied", "File name too long"))


@pytest.mark.parametrize("name", [f"tri[{DIGITS}]", f"tri[{'9' * 19}]"], ids=["5000", "19"])
def test_an_index_of_any_number_of_digits_names_no_element(hitscope, tmp_path, name):
    line = fails(hitscope("explain", SCENE, "--probe", name, "--primitive", "edge"))
    assert line.startswith(f'expected a probe of {SCENE} (tri), found "tri[999')
    document = json.loads(SCENE.read_bytes())
    document["expect"] = [{"probe": name, "primitive": "edge", "hit": True}]
    line = fails(hitscope("check", "-", stdin=json.dumps(document)))
    assert '$.expect[0].probe: expected the id of a probe (tri), found "tri[999' in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("render", SCENE, "-o", "a.png", "--size", f"{DIGITS}x5"), "--size: expected WxH in pixels"),
        (("render", SCENE, "-o", "a.png", "--size", "\u00b2x5"), "--size: expected WxH in pixels"),
        (("judge", "--builtin", "--cases", DIGITS), "--cases: expected a positive integer"),
        (("judge", "--builtin", "--seed", DIGITS), "--seed: invalid int value"),
        (("eval", SCENE, "--method", LONG), "--method: expected PAIR=TARGET"),
        (("eval", SCENE, f"--{LONG}"), "unrecognized arguments: --aaa"),
        (("eval", SCENE, "--\x1b[31m\n\u202e"), "unrecognized arguments: --\\u001b[31m\\n\\u202e"),
    ],
    ids=lambda given: given if isinstance(given, str) else given[0],
)
def test_what_argparse_quotes_is_escaped_and_cut(hitscope, tmp_path, arguments, message):
    run = hitscope(*arguments, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    *usage, line = run.stderr.splitlines()
    assert message in line and len(line) < 1100
    assert usage[0].startswith("usage: ")


class BrokenError(Exception):
    """A bug of ours."""


@pytest.fixture
def broken(monkeypatch, tmp_path):
    """A scene that hitscope crashes on, as it does on no other."""
    path = tmp_path / "broken.scene.json"
    evaluate, fault = runner.evaluate, [BrokenError("wrong\nin two lines")]

    def fail(scene, *given, **options):
        if scene.name == "broken":
            raise fault[0]
        return evaluate(scene, *given, **options)

    text = json.loads(SCENE.read_bytes()) | {"name": "broken"}
    path.write_text(json.dumps(text), "utf-8")
    monkeypatch.setattr(runner, "evaluate", fail)
    monkeypatch.setattr(sys.modules["hitscope.evaluate"], "evaluate", fail)
    monkeypatch.setattr(explaining, "evaluate", fail)
    return path, fault


REPORT = "; please report it, with the traceback that HITSCOPE_TRACEBACK=1 shows\n"


@pytest.mark.parametrize("command", ["eval", "explain"])
def test_a_bug_of_ours_is_one_line_and_never_a_mismatch(broken, capsys, command):
    more = ["--probe", "tri", "--primitive", "edge"] if command == "explain" else []
    assert cli.main([command, str(broken[0]), *more]) == 2
    assert capsys.readouterr() == ("", f"internal error: BrokenError: wrong in two lines{REPORT}")


def test_check_goes_on_after_a_bug_of_ours(broken, capsys):
    path, _ = broken
    assert cli.main(["check", str(path), str(SCENE)]) == 2
    out, err = capsys.readouterr()
    assert out == f"ok    {SCENE}  (7 expectations)\n1 broken\n1 of 2 scenes pass\n"
    assert err == f"{path}: internal error: BrokenError: wrong in two lines{REPORT}"
    cli.main(["check", "--json", str(path), str(SCENE)])
    first, second = json.loads(capsys.readouterr().out)["scenes"]
    assert (first["ok"], second["ok"]) == (False, True)
    assert (first["status"], second["status"]) == ("broken", "passed")
    assert first["error"] in err and (first["failures"], first["mismatches"]) == ([], [])


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError("Unable to allocate 9 EiB"), "not enough memory: Unable to allocate 9 EiB\n"),
        (MemoryError(), "not enough memory\n"),
        (RecursionError("too deep"), f"internal error: RecursionError: too deep{REPORT}"),
        (OSError(24, "Too many open files"), f"internal error: OSError: [Errno 24] Too many open files{REPORT}"),
    ],
    ids=lambda given: type(given).__name__,
)
@pytest.mark.parametrize("command", ["eval", "check"])
def test_whatever_python_raises_is_one_line_and_exit_status_2(broken, capsys, command, error, line):
    path, fault = broken
    fault[0] = error
    assert cli.main([command, str(path)]) == 2
    assert capsys.readouterr().err == (f"{path}: {line}" if command == "check" else line)


@pytest.mark.parametrize("command", ["eval", "check"])
def test_the_traceback_of_a_bug_is_shown_to_those_who_ask(broken, capsys, monkeypatch, command):
    monkeypatch.setenv("HITSCOPE_TRACEBACK", "1")
    assert cli.main([command, str(broken[0])]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert any("in fail" in line for line in lines)
    assert "internal error: BrokenError" in lines[-1]
    cli.main([command, "nowhere"])
    assert "Traceback" not in capsys.readouterr().err
