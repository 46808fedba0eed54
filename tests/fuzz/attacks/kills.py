"""Kill -9 in the middle of saves: the file is always a whole scene, and the next save removes the drafts.

Half of the kills come at a counted call inside of `save`, which repeats exactly, half after some time.
"""

import json
import os
import signal
import sys
import time
from functools import cache
from pathlib import Path
from random import Random

from hitscope.errors import HitscopeError
from hitscope.scene import Scene, load, loads, save
from tests.fuzz.harness import Failure

CASES, ACCEPTED, KINDS = 40, 0.3, 3
SECONDS = 30
LIMIT_MEMORY = True

SIZES = (0, 1, 10, 300, 4000, 20)
"""The number of boxes of each scene that is saved, one after the other."""


@cache
def scene_of(size: int) -> Scene:
    """Return a scene of so many boxes, named by their number."""
    low, high = ([[k + end] * 3 for k in range(size)] for end in (0, 0.5))
    boxes = [{"type": "aabbs", "min": low, "max": high}] if size else []
    return loads(json.dumps({"version": 1, "name": str(size), "primitives": boxes, "probes": []}).encode(), "-")


def make(random: Random) -> bytes:
    """Return the moment of the kill, a number of calls or of milliseconds, and whether the file is a link."""
    moment: dict[str, float] = {"calls": random.choice((random.randrange(300), random.randrange(4000)))}
    if random.random() < 0.5:
        moment = {"milliseconds": random.uniform(0, 40)}
    return json.dumps(moment | {"link": random.random() < 0.2, "exists": random.random() < 0.7}).encode()


def check(case: bytes, folder: Path) -> str:
    """Save in a process that is killed; look at the file, save once more, and look at the folder."""
    given = json.loads(case)
    scenes = [scene_of(size) for size in SIZES]
    path = target = folder / "saved.scene.json"
    if given["link"]:
        (folder / "target").mkdir()
        target = folder / "target" / "saved.scene.json"
        path.symlink_to(target)
    if given["exists"]:
        save(scenes[-1], path)
    child = os.fork()
    if child == 0:
        _save_again_and_again(scenes, path, given.get("calls"))
    if "milliseconds" in given:
        time.sleep(given["milliseconds"] / 1000)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
        raise Failure("the saving process was not killed", status)

    drafts = {*os.listdir(target.parent)} - {target.name, "target"}
    found = _size_of(path)
    if found is None and given["exists"]:
        raise Failure("the file is gone")
    save(scenes[2], path)
    if _size_of(path) != SIZES[2]:
        raise Failure("the next save is another scene")
    if left := {*os.listdir(target.parent)} - {target.name, "target"}:
        raise Failure("the next save leaves drafts", left)
    if given["link"] and not path.is_symlink():
        raise Failure("the link is replaced")
    return "accepted" if drafts else "no file yet" if found is None else "between saves"


def _save_again_and_again(scenes: list[Scene], path: Path, calls: int | None) -> None:
    """Save the scenes in turn until killed, by itself at the number of calls."""
    count = 0

    def kill(_frame: object, _event: str, _argument: object) -> None:
        nonlocal count
        count += 1
        if calls is not None and count > calls:
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        if calls is not None:
            sys.setprofile(kill)
        while True:
            for scene in scenes:
                save(scene, path)
    finally:
        os._exit(1)


def _size_of(path: Path) -> int | None:
    """Return the number of boxes of a whole file, None without a file."""
    if not path.exists():
        return None
    try:
        scene = load(path)
    except HitscopeError as error:
        raise Failure("the file is broken", error) from None
    size = len([shape for item in scene.primitives for shape in item.shapes])
    if str(size) != scene.name:
        raise Failure("the file is no scene that was saved", scene.name)
    return size
