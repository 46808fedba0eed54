"""The command line in real processes: odd names, broken files, pipes, devices and streams, and random options.

A case is JSON: the arguments, in which names of files of the folder stand, and what the process is given.
"""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz import messages, mutations
from tests.fuzz.attacks import scenes
from tests.fuzz.harness import Failure

CASES, ACCEPTED, KINDS = 12, 0.1, 6
SECONDS = 90
LIMIT_MEMORY = False

HANG_SECONDS = 30
LONGEST_LINE = 1100
PICTURE = b"\x89PNG"
GOOD = scenes.scene_files.EXAMPLE.encode()
MISMATCH = GOOD.replace(b'"hit": true', b'"hit": false')
ODD_NAMES = (
    "-dash.scene.json", "--json", "new\nline.scene.json", "esc\x1b[31m.scene.json",
    "non-utf-8\udcff.scene.json", "long" * 60 + ".scene.json", " ", "[bold]markup.scene.json",
    "\u202egnp.scene.json", "e\u0301\U0001f600.scene.json", "scene", "%s{}.scene.json",
)  # fmt: skip
SPECIAL = ("fifo", "socket", "folder", "empty", "link", "dangling", "loop", "full", "null", "garbage.scene.json")
NOWHERE = ("missing.scene.json", "", "x" * 5000, "folder/none/x.scene.json", "good.scene.json/x", "a/" * 3000)
OUTPUTS = (
    "new.png",
    "old.png",
    "NEW.PNG",
    "new.txt",
    "out",
    "none/new.png",
    "folder/new.png",
    "-",
    "link.png",
    "x" * 300 + ".png",
)
FUNCTIONS = """
import sys

def right(probe, primitive):
    from hitscope.geometry import exact
    return exact.meet(probe, primitive)

def always(probe, primitive): return True
def nothing(probe, primitive): pass
def raises(probe, primitive): raise RuntimeError("two\\nlines \\x1b[31m")
def leaves(probe, primitive): sys.exit(0)
def interrupts(probe, primitive): raise KeyboardInterrupt
def prints(probe, primitive): print("printed"); return True
def deep(probe, primitive): return deep(probe, primitive)
def lies(probe, primitive): return (1, "x" * 10**6)
number = 3
"""
FUNCTION_NAMES = ("right", "always", "nothing", "raises", "leaves", "prints", "deep", "lies", "number", "none")
TARGETS = (
    "moller_trumbore",
    *(f"functions.py:{name}" for name in FUNCTION_NAMES),
    *("functions.py", "none.py:f", "os:getcwd", "broken.py:f", "leaving.py:f", ":", "none", ""),
    *("exact", "slab_ericson,epsilon=nan", "slab_ericson,epsilon=1e999"),
)
STREAMS = (
    "closed stdout",
    "full stdout",
    "closed stderr",
    "full stderr",
    "closed stdin",
    "broken pipe",
    "all closed",
)

ANY_SCENE = (
    *("good.scene.json", "mutated.scene.json") * 5,
    *ODD_NAMES,
    *(f"./{name}" for name in ODD_NAMES),
    *(*SPECIAL, *NOWHERE, "-"),
)
MANY_SCENES = ("good.scene.json", "mismatch.scene.json", "gallery", "pipes", *SPECIAL, *ODD_NAMES)
METHODS = (
    "exact",
    "sat13",
    "none",
    "sat13,x=1",
    "slab_ericson,epsilon=nan",
    "slab_ericson,=1",
    "\udcff",
    "\x1b[2J",
)
SIZES = ("16x16", "16x16", "32x8", "0x0", "1x99999", "x", "\u0661x\u0661", "\u00b2x2", "9" * 5000 + "x1")
COUNTS = ("1", "3", "3", "3", "0", "-1", "x", "\u00b2", "9" * 5000)
PAIRS = ("triangle_aabb", "segment_triangle", "point_plane", "aabb_polyhedron", "segment_aabb", "x", "")
FOLDERS = ("found", "out", "old.png", *SPECIAL, "-", "none/found")
PROBES, PRIMITIVES = ("tri", "none", "", "\x1b[31m"), ("corner", "[", "x" * 9999)
# No window is opened: what is named is no file, or there is nothing to play.
NO_FILES = (*NOWHERE, "folder", "fifo", "socket", "full", "null", "loop")
RECORDINGS = ("good.scene.json", "garbage.scene.json", "missing")
COMMANDS = {
    "eval": ([ANY_SCENE], [["--json"], ["--all-methods"], ["--method", PAIRS, "=", METHODS]]),
    "check": ([ANY_SCENE, MANY_SCENES, MANY_SCENES], [["--json"], ["--"]]),
    "explain": (
        [ANY_SCENE, "--probe", PROBES, "--primitive", PRIMITIVES],
        [["--json"], ["--hex", "--full"], ["--float", ("f32", "f64", "x")], ["--method", METHODS]],
    ),
    "render": ([ANY_SCENE, "-o", (*OUTPUTS, *SPECIAL), "--size", SIZES], [["--samples", (*COUNTS, "999")]]),
    "judge": (
        [TARGETS, "--pair", PAIRS[1:], "--cases", COUNTS],
        [["--json"], ["--seed", ("5", "-3", "9" * 100, "x")], ["-o", FOLDERS]],
    ),
    "methods": ([], [["--json"], ["--markdown"]]),
    "schema": ([], []),
    "open": ([NO_FILES], [["--play", RECORDINGS, "-o", "out"]]),
}
"""The words of each command and its options; a tuple stands for one of its words."""
WEIGHTS = (6, 6, 3, 3, 4, 1, 1, 2)
SURPRISES = ("--help", "--version", "--none", "--", "-", "\x1b[31m", "")


def make(random: Random) -> bytes:
    """Return a random command."""
    given = {
        "arguments": _arguments(random),
        "mutated": random.randrange(10**9),
        "stdin": random.choice(("good", "empty", "garbage")),
        "streams": random.choice(STREAMS) if random.random() < 0.25 else "",
        "environment": random.choice(
            ({}, {}, {"LANG": "C", "LC_ALL": "C"}, {"PYTHONUTF8": "0", "LC_ALL": "POSIX"})
        ),
        "home": random.random() > 0.2,
    }
    return json.dumps(given).encode()


def _arguments(random: Random) -> list[str]:
    (command,) = random.choices(list(COMMANDS), WEIGHTS)
    words, options = COMMANDS[command]
    groups = [words, *(option for option in options if random.random() < 0.4)]
    random.shuffle(groups)
    # The first of the words is a good one, so that half of them are.
    chosen = [
        random.choice((word[0], random.choice(word))) if isinstance(word, tuple) else word
        for group in groups
        for word in group
    ]
    while "=" in chosen:
        at = chosen.index("=")
        chosen[at - 1 : at + 2] = ["=".join(chosen[at - 1 : at + 2 : 2])]
    if random.random() < 0.05:
        chosen.insert(random.randrange(len(chosen) + 1), random.choice(SURPRISES))
    return [command, *chosen]


def check(case: bytes, folder: Path) -> str:
    """Run the command in a folder full of traps; look at its status, what it prints, and all files."""
    given = json.loads(case)
    _set_traps(folder, given["mutated"])
    before = _snapshot(folder)
    status, output, errors = _run(given, folder)
    arguments, streams = given["arguments"], given["streams"]
    words = f"{arguments!a:.300}: status {status}, {errors!a:.1500}"
    if "Traceback" in errors or "internal error" in errors or "Exception ignored" in errors:
        exception = re.findall(
            r"^(\w+(?:\.\w+)*(?:Error|Exception|Exit)\b)|internal error: (\w+)", errors, re.MULTILINE
        )
        frames = re.findall(r'/hitscope/([^"]+)", line \d+, in (\w+)', errors)
        name = "".join(exception[-1]) if exception else "no exception"
        raise Failure(f"traceback of {name} in {':'.join(frames[-1]) if frames else 'no function'}", words)
    if status not in (0, 1, 2):
        raise Failure(f"status {status}", words)
    if status == 1 and arguments[0] not in ("check", "judge"):
        raise Failure("status 1 without a comparison", words)
    if streams == "broken pipe":
        return "reader gone"  # whoever reads does not want to know
    unseen = "stderr" in streams or streams == "all closed"
    kind = "unseen" if unseen else _check_errors(status, errors, words)
    if streams == "full stdout" and status == 0 and arguments[0] in ("methods", "schema"):
        raise Failure("status 0 though standard output is full", words)
    if status != 2 and not output and not streams and arguments[0] != "render":
        raise Failure("success without a word", words)
    text = "" if output.startswith(PICTURE) else output.decode(errors="replace")
    if unsafe := set(re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)):
        raise Failure("control characters on standard output", f"{words}: {sorted(unsafe)}")
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--json" in options and "--help" not in options and not streams and (output or status != 2):
        try:
            json.loads(output, parse_constant=_refuse)
        except ValueError as error:
            raise Failure("--json prints no JSON", f"{words}: {error}: {output[:200]!r}") from None
    _check_files(before, _snapshot(folder), arguments, status, words)
    return "accepted" if status == 0 else f"status {status} of {arguments[0]}: {kind}"[:70]


def _set_traps(folder: Path, mutated: int) -> None:
    (folder / "good.scene.json").write_bytes(GOOD)
    (folder / "mismatch.scene.json").write_bytes(MISMATCH)
    (folder / "mutated.scene.json").write_bytes(scenes.make(Random(mutated)))
    (folder / "garbage.scene.json").write_bytes(Random(mutated).randbytes(500))
    (folder / "empty").touch()
    for name in ODD_NAMES:
        (folder / name).write_bytes(
            Random(f"{mutated} {name[:3]}").choice((GOOD, MISMATCH, b"{", mutations.BROKEN[0].encode()))
        )
    (folder / "functions.py").write_text(FUNCTIONS)
    (folder / "broken.py").write_text("def f(:\n")
    (folder / "leaving.py").write_text("import sys; sys.exit(0)\n")
    (folder / "old.png").write_bytes(b"the picture as it was")
    for name in ("folder", "gallery", "pipes", "home"):
        (folder / name).mkdir()
    (folder / "gallery" / "a.scene.json").write_bytes(GOOD)
    (folder / "gallery" / "loop").symlink_to(".")
    (folder / "pipes" / "good.scene.json").write_bytes(GOOD)
    os.mkfifo(folder / "pipes" / "fifo.scene.json")
    os.mkfifo(folder / "fifo")
    (folder / "link").symlink_to("good.scene.json")
    (folder / "link.png").symlink_to("old.png")
    (folder / "dangling").symlink_to("nothing")
    (folder / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as made:
        # A name of at most a hundred bytes.
        here = os.getcwd()
        os.chdir(folder)
        made.bind("socket")
        os.chdir(here)
    # Root could replace a device of the system, so root gets devices of its own.
    device = "/dev/full"
    with suppress(PermissionError):
        os.mknod(folder / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        os.mknod(folder / "device", stat.S_IFCHR | 0o666, os.makedev(1, 7))
        device = "device"
    (folder / "full").symlink_to(device)


def _run(given: dict[str, Any], folder: Path) -> tuple[int, bytes, str]:
    arguments = [os.fsencode(word.replace("\0", "")) for word in given["arguments"]]
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "DISPLAY", "HOME")},
        **{"HITSCOPE_TRACEBACK": "1", **given["environment"]},
        **({"HOME": str(folder / "home")} if given["home"] else {}),
        "TMPDIR": str(folder / "home"),
    }
    stdin = {"good": GOOD, "empty": b"", "garbage": b"\xff\x00{"}[given["stdin"]]
    closed = {"closed stdin": "<&-", "closed stdout": ">&-", "closed stderr": "2>&-", "all closed": "<&- >&- 2>&-"}
    streams = given["streams"]
    start = ["sh", "-c", f'exec "$@" {closed.get(streams, "")}', "sh", sys.executable, "-m", "hitscope"]

    with open("/dev/full", "wb") as full:
        process = subprocess.Popen(
            [*start, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=full if streams == "full stdout" else subprocess.PIPE,
            stderr=full if streams == "full stderr" else subprocess.PIPE,
            process_group=0,
        )
    if streams == "broken pipe":
        process.stdout.close()
        process.stdout = None
    # Whoever reads the pipe gets a scene, as from a process substitution of the shell.
    writer = subprocess.Popen(["sh", "-c", "cat good.scene.json > fifo"], cwd=folder, stderr=subprocess.DEVNULL)
    try:
        output, errors = process.communicate(stdin, timeout=HANG_SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure("hang of a command", repr(given)[:1500]) from None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        writer.kill()
        writer.wait()
    return process.returncode, output or b"", (errors or b"").decode(errors="replace")


def _check_errors(status: int, errors: str, words: str) -> str:
    """Check that standard error is a short line, argparse's usage, or empty where all is well."""
    if status != 2:
        if errors and "printed" not in errors:
            raise Failure("standard error though nothing is wrong", words)
        return ""
    if errors.startswith("usage:"):
        errors = errors[errors.index("hitscope", errors.rindex("\nhitscope")) :]
    lines = errors.replace("printed\n", "").split("\n")
    if lines.pop() != "" or not lines:
        raise Failure("standard error without a whole line", words)
    if len(lines) > 3:
        raise Failure("more lines than files on standard error", words)
    return [messages.check(line, longest=LONGEST_LINE) for line in lines][-1]


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return type, mode and content of everything in a folder, and the type of the system's devices."""
    found: dict[str, tuple[object, ...]] = {}
    for path in (*folder.rglob("*"), Path("/dev/null"), Path("/dev/full")):
        name = os.path.relpath(path, folder)
        status = path.lstat()
        content = (
            path.read_bytes() if stat.S_ISREG(status.st_mode) else os.readlink(path) if path.is_symlink() else None
        )
        if not name.startswith(("home/", "__pycache__")):
            found[name] = (stat.S_IFMT(status.st_mode), status.st_rdev, content)
    return found


def _check_files(before, after, arguments: list[str], status: int, words: str) -> None:
    """Check that nothing but the output that was asked for is new or changed, and that only if all went well."""
    output = arguments[arguments.index("-o") + 1 :][:1] if "-o" in arguments else []
    for name in before.keys() | after.keys():
        if before.get(name) == after.get(name):
            continue
        old, new = before.get(name), after.get(name)
        if old and (new is None or old[:2] != new[:2]):
            raise Failure(f"{os.path.basename(name)} is replaced", words)
        asked = any(name == target or name.startswith(f"{target}/") for target in output)
        through_link = output and before.get(output[0], (0,))[0] == stat.S_IFLNK and name == before[output[0]][2]
        if not (asked or through_link):
            raise Failure("a file that was not asked for is written", f"{name!a}: {words}")
        if status == 2 and old and old[0] == stat.S_IFREG:
            raise Failure("an old file is changed though the command failed", f"{name!a}: {words}")
