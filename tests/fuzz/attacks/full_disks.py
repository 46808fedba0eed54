"""Full disks, as a limit on the size of files: a clear error, or going on without a cache; old files stay."""

import json
import os
import resource
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

from hitscope.errors import HitscopeError
from hitscope.resources import SCENES
from hitscope.scene import load, save
from tests.fuzz import messages
from tests.fuzz.attacks import kills
from tests.fuzz.harness import Failure

CASES, ACCEPTED, KINDS = 8, 0.1, 4
SECONDS = 180
LIMIT_MEMORY = False

OLD = b"the picture as it was"
PICTURE = SCENES / "bulk" / "gem.scene.json"
JUDGE = ("judge", "moller_trumbore", "--pair", "segment_triangle", "--cases", "3", "-o")
TARGETS = {"save": 200_000, "render": 5_000, "judge": 3_000, "cache": 60_000, "schema": 200_000}
"""What is written, and a number of bytes that it does not exceed by much."""


def make(random: Random) -> bytes:
    """Return what is written, and the size in bytes that its files may have."""
    what = random.choices(list(TARGETS), (10, 2, 2, 1, 2))[0]
    size = random.choice((0, 1, random.randrange(TARGETS[what]), 1 << 24))
    return json.dumps([what, size]).encode()


def check(case: bytes, folder: Path) -> str:
    """Write with the limit, and look at what is left."""
    what, size = json.loads(case)
    outcome = CHECKS[what](size, folder)
    return outcome if outcome == "accepted" else f"{what}: {outcome}"


def _check_save(size: int, folder: Path) -> str:
    path = folder / "saved.scene.json"
    old, new = kills.scene_of(20), kills.scene_of(4000)
    save(old, path)
    before = path.read_bytes()
    child = os.fork()
    if child == 0:
        status = 3
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            save(new, path)
            status = 0
        except (OSError, HitscopeError):
            status = 2
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status not in (0, 2):
        raise Failure("save raises something else on a full disk", status)
    if os.listdir(folder) != [path.name]:
        raise Failure("drafts left on a full disk", os.listdir(folder))
    if status == 2 and path.read_bytes() != before:
        raise Failure("the old scene is changed on a full disk")
    if status == 0 and load(path) != new:
        raise Failure("the new scene is broken on a full disk")
    return "refused" if status else "accepted"


def _check_render(size: int, folder: Path) -> str:
    path = folder / "old.png"
    path.write_bytes(OLD)
    status, _ = _hitscope(size, "render", PICTURE, "-o", path, "--size", "64x64")
    if os.listdir(folder) != [path.name]:
        raise Failure("render leaves files on a full disk", os.listdir(folder))
    if status == 2 and path.read_bytes() != OLD:
        raise Failure("the old picture is changed on a full disk")
    if status == 0 and not path.read_bytes().endswith(b"IEND\xaeB`\x82"):
        raise Failure("render succeeds with half a picture on a full disk")
    return f"status {status}"


def _check_judge(size: int, folder: Path) -> str:
    status, _ = _hitscope(size, *JUDGE, folder / "found")
    if status == 0:
        raise Failure("judge finds nothing on a full disk")
    for path in (folder / "found").glob("*"):
        load(path)
    return f"status {status}"


def _check_schema(size: int, folder: Path) -> str:
    """Let the standard output be a file that cannot grow."""
    path = folder / "schema.json"
    status, printed = _hitscope(size, "schema", output=path)
    whole = path.read_bytes() == (SCENES / "scene.schema.json").read_bytes()
    if (status == 0) != whole:
        raise Failure("schema on a full disk", f"status {status}, {path.stat().st_size} bytes, {printed}")
    return f"status {status}"


def _check_cache(size: int, folder: Path) -> str:
    """Check a scene of so many pairs that its method is compiled, with a cache that cannot be written."""
    path = folder / "many.scene.json"
    path.write_bytes(_many_pairs())
    environment = {**os.environ, "HITSCOPE_CACHE_DIR": str(folder / "cache")}
    for limit in (size, None):
        status, printed = _hitscope(limit, "check", path, environment=environment)
        if status or not printed.startswith("ok"):
            raise Failure("check with a cache on a full disk", f"status {status}: {printed}")
    return "kept" if any((folder / "cache").rglob("*.nbc")) else "without"


CHECKS = {
    "save": _check_save,
    "render": _check_render,
    "judge": _check_judge,
    "schema": _check_schema,
    "cache": _check_cache,
}


@cache
def _many_pairs() -> bytes:
    low = [[2 * k, 0, 0] for k in range(2500)]
    boxes = {"type": "aabbs", "id": "boxes", "min": low, "max": [[x + 1, 1, 1] for x, _, _ in low]}
    points = {"type": "points", "id": "points", "position": [[2 * k + 0.5, 0.5, 0.5] for k in range(100)]}
    hits = {"probe": "points[7]", "hits": ["boxes[7]"]}
    scene = {"version": 1, "primitives": [boxes], "probes": [points], "methods": {"point_aabb": "bounds"}}
    return json.dumps(scene | {"expect": [hits]}).encode()


def _hitscope(
    size: int | None, *arguments: object, output: Path | None = None, environment: dict[str, str] | None = None
) -> tuple[int, str]:
    """Run a command whose files may not grow beyond a size; return its status and what it printed."""

    def limit() -> None:
        if size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    # Python would keep half of the bytecode of a module, and could not import that any more.
    command = [sys.executable, "-B", "-m", "hitscope", *map(str, arguments)]
    with open(output or os.devnull, "wb") as file:
        stdout = file if output else subprocess.PIPE
        run = subprocess.run(
            command, stdout=stdout, stderr=subprocess.PIPE, env=environment, preexec_fn=limit, check=False
        )
    errors = run.stderr.decode(errors="replace")
    if run.returncode not in (0, 1, 2) or "Traceback" in errors:
        raise Failure(f"{arguments[0]} crashes on a full disk", f"status {run.returncode}: {errors}")
    if errors or run.returncode == 2:
        messages.check(errors.removesuffix("\n"))
    return run.returncode, (run.stdout or b"").decode()
