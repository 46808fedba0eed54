"""Standard input, output and error as a shell may leave them: closed, full, or in another encoding."""

import json
import os
import subprocess
import sys

import pytest

from hitscope.resources import SCENES

SCENE = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"
COMMANDS = {
    "eval": f"eval {SCENE}",
    "eval --json": f"eval --json {SCENE}",
    "check": f"check {SCENE}",
    "check --json": f"check --json {SCENE}",
    "explain": f"explain {SCENE} --probe tri --primitive edge",
    "methods": "methods",
    "schema": "schema",
    "judge": "judge bounds --pair point_aabb --cases 1",
    "--help": "--help",
    "--version": "--version",
}
WAYS = ("eval", "eval --json", "check", "schema", "--help")
"""Commands that write each in another way: tables, JSON, lines, pieces, and what argparse prints."""
CHOSEN = {
    "utf-8": {"PYTHONIOENCODING": "utf-8"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
}
ID = "é→😀"
FULL = "standard output cannot be written: No space left on device\n"


def shell(redirected: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `hitscope` with redirections, and return what is left of its output."""
    command = ["sh", "-c", f'exec "$0" -m hitscope {redirected}', sys.executable]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_output_is_an_error_in_one_line(command, hitscope):
    run = hitscope(*COMMANDS[command].split(), output="/dev/full")
    assert (run.returncode, run.stderr) == (2, FULL)


@pytest.mark.parametrize("command", WAYS)
def test_a_full_output_is_an_error_in_one_line_without_a_buffer(command):
    run = shell(f"{COMMANDS[command]} > /dev/full", PYTHONUNBUFFERED="1")
    assert (run.returncode, run.stderr) == (2, FULL)


@pytest.mark.parametrize("command", WAYS)
def test_a_closed_output_is_an_error_in_one_line(command):
    run = shell(f"{COMMANDS[command]} >&-")
    assert (run.returncode, run.stderr) == (2, "standard output cannot be written: Bad file descriptor\n")


@pytest.mark.parametrize("redirected", ["2> /dev/full", "2>&-"], ids=["full", "closed"])
def test_an_error_that_cannot_be_printed_keeps_its_exit_status_and_off_the_output(redirected):
    for command, status in (("eval nowhere", 2), ("eval", 2), (f"check nowhere {SCENE}", 2), (f"eval {SCENE}", 0)):
        run = shell(f"{command} {redirected}")
        assert run.returncode == status, command
        assert "nowhere" not in run.stdout


@pytest.mark.parametrize("command", ["eval", "check"])
def test_a_closed_input_is_an_error_in_one_line(command):
    run = shell(f"{command} - <&-")
    expected = "-: expected a scene that can be read, found: Bad file descriptor\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", expected)
    assert shell(f"{command} {SCENE} <&-").returncode == 0


def test_a_command_that_prints_nothing_needs_no_streams(tmp_path):
    recording = tmp_path / "none.jsonl"
    assert shell(f"open --play {recording} <&- >&- 2>&-").returncode == 2
    assert shell(f"check {SCENE} <&- 2>&-").returncode == 0


@pytest.mark.parametrize("command", WAYS)
def test_a_pipe_that_its_reader_closed_is_no_error(command):
    given = f'"$0" -m hitscope {COMMANDS[command]}'
    run = subprocess.run(
        ["sh", "-c", f"(sleep 0.1; {given}; echo status $? >&2) | true", sys.executable],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stderr == "status 0\n"


def test_a_pipe_whose_reader_is_gone_from_the_start_is_no_error():
    done = subprocess.Popen(
        [sys.executable, "-m", "hitscope", "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    done.stdout.close()
    assert done.stderr.read() == b""
    done.stderr.close()
    assert done.wait() == 0


@pytest.fixture
def scene(tmp_path):
    """A scene with an id outside ASCII and an expectation that fails."""
    path = tmp_path / "a.scene.json"
    document = {
        "version": 1,
        "primitives": [{"id": ID, "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}],
        "probes": [{"id": "p", "type": "point", "position": [0.5, 0.5, 0.5]}],
        "expect": [{"probe": "p", "primitive": ID, "hit": False}],
    }
    path.write_text(json.dumps(document), "utf-8")
    return path


@pytest.mark.parametrize("encoding", CHOSEN)
def test_what_a_terminal_cannot_write_is_escaped_and_not_lost(scene, encoding):
    codec = "ascii" if encoding == "C" else encoding
    escaped = ID.encode(codec, "backslashreplace").decode(codec)
    for command, status in (("eval", 0), ("check", 1)):
        run = subprocess.run(
            [sys.executable, "-m", "hitscope", command, scene],
            env=os.environ | CHOSEN[encoding],
            capture_output=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (status, b"")
        assert escaped in run.stdout.decode(codec)


def test_what_a_terminal_cannot_write_is_escaped_in_errors(scene):
    run = subprocess.run(
        [sys.executable, "-m", "hitscope", "eval", scene, "--method", "a_b=\u2192"],
        env=os.environ | CHOSEN["ascii"],
        capture_output=True,
        check=False,
    )
    assert run.returncode == 2 and run.stderr.isascii()


@pytest.mark.parametrize("encoding", CHOSEN)
def test_json_is_exact_utf8_in_every_encoding(scene, encoding):
    for command in ("eval", "check") if encoding == "C" else ("eval",):
        run = subprocess.run(
            [sys.executable, "-m", "hitscope", command, "--json", scene],
            env=os.environ | CHOSEN[encoding],
            capture_output=True,
            check=False,
        )
        document = json.loads(run.stdout.decode("utf-8"))
        if command == "eval":
            assert [verdict["primitive"] for verdict in document["verdicts"]] == [ID]
        else:
            assert document["scenes"][0]["mismatches"] == [f"expected {ID} to be missed by p"]
    assert (ID.encode() in run.stdout) == (encoding == "utf-8")


def test_a_file_name_that_is_not_utf8_is_printed_escaped_and_exact_in_json(tmp_path, hitscope):
    name = os.fsencode(tmp_path) + b"/\xff\n\x1b.scene.json"
    with open(name, "wb") as file:
        file.write(SCENE.read_bytes())
    shown = f"{tmp_path}/\\udcff\\n\\u001b.scene.json"
    for command, status in (("check", 0), ("eval", 0), ("explain", 2)):
        more = ("--probe", "x", "--primitive", "y") if command == "explain" else ()
        run = hitscope(command, os.fsdecode(name), *more)
        assert run.returncode == status
        assert (shown in run.stdout + run.stderr) == (command != "eval")
    os.truncate(name, 9)
    run = hitscope("check", os.fsdecode(name))
    assert run.returncode == 2 and run.stderr.startswith(f"{shown}:2:")
    for command in ("check", "eval"):
        with open(name, "wb") as file:
            file.write(SCENE.read_bytes())
        document = json.loads(hitscope(command, "--json", os.fsdecode(name)).stdout)
        found = document["scene"] if command == "eval" else document["scenes"][0]["path"]
        assert os.fsencode(found) == name
