"""The scenes that ship with hitscope, by theme, with their descriptions, mismatches and thumbnails.

Mismatches and thumbnails take seconds to compute. A separate process, `survey`, does it: a thread would hold the
interpreter's lock, for which the window would wait after every OpenGL call.
"""

import os
import re
import subprocess
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import NamedTuple

import msgspec
from msgspec import Struct

from hitscope.folders import cache_folder
from hitscope.resources import SCENES

ENDING = ".scene.json"
TITLES = {
    "segment-aabb-irlan": "Segments and boxes",
    "boxes-ericson": "Boxes, oriented and not",
    "triangle-aabb-szauer": "Triangles and boxes",
    "cuboid-slabs": "Cuboids of any direction",
    "triangles": "Triangles",
    "point-plane": "Points and planes",
    "slabs-ieee": "Slabs and the sign of zero",
    "degenerate": "Touching, flat and degenerate",
    "bulk": "Many at once",
    "matrix": "Everything against everything",
}
"""The folders of the gallery in display order, with their titles; other folders follow by name."""

_SENTENCE = re.compile(r".*?[.!?](?=\s+[^a-z\s]|\s*$)", re.DOTALL)


class Example(NamedTuple):
    """A scene of the gallery."""

    path: Path
    theme: str
    """The title of its folder."""
    name: str
    line: str
    """The first sentence of its description."""


class Finding(Struct, frozen=True, kw_only=True):
    """The survey's result for one scene."""

    path: str
    problem: str = ""
    """Why it cannot be shown, or its first mismatch; empty if there is neither."""
    thumbnail: str | None = None
    """The path of its picture; None where none could be drawn."""


class _Words(Struct):
    """The keys of a scene file that the gallery lists."""

    name: str = ""
    description: str = ""


def examples(folder: Path = SCENES) -> list[Example]:
    """The scenes below a folder, theme by theme; a scene that cannot be read is listed by its file's name."""
    return [_example(path) for path in scenes_in_order(folder)]


def scenes_in_order(folder: Path = SCENES) -> list[Path]:
    """The paths of the scenes below a folder, theme by theme."""
    order = [*TITLES]
    paths = sorted(folder.rglob(f"*{ENDING}"))
    paths.sort(key=lambda path: order.index(path.parent.name) if path.parent.name in TITLES else len(order))
    return paths


def _example(path: Path) -> Example:
    folder = path.parent.name
    theme = TITLES.get(folder, folder.replace("-", " ").capitalize())
    try:
        words = msgspec.json.decode(path.read_bytes().removeprefix(BOM_UTF8), type=_Words)
    except (OSError, ValueError):  # opening it shows why
        words = _Words()
    sentence = _SENTENCE.match(words.description)
    return Example(path, theme, words.name or path.name, sentence[0] if sentence else words.description)


def _thumbnails() -> str:
    """The folder of the thumbnails; where it cannot be written, a temporary one of this process."""
    folder = cache_folder() / "thumbnails"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _temporary_folder().name
    return str(folder) if os.access(folder, os.W_OK) else _temporary_folder().name


@cache
def _temporary_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="hitscope-")


class Survey:
    """The survey process, which evaluates and draws scenes one after the other, and its results so far."""

    def __init__(self, paths: Iterable[Path], look: str, tell: Callable[[], None]) -> None:
        """Start the process, with pictures in the theme `look`; a thread calls `tell` after each scene."""
        self.findings: dict[Path, Finding] = {}
        self._tell = tell
        command = [sys.executable, "-m", "hitscope.viewer.files.survey", look, _thumbnails(), *map(str, paths)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._thread = Thread(target=self._read, name="survey", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether scenes are left."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._thread.join()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    def _read(self) -> None:
        for finding in self._findings():
            self.findings[Path(finding.path)] = finding
            self._tell()

    def _findings(self) -> Iterator[Finding]:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.endswith(b"\n"):  # a line without a line break was cut off
                yield msgspec.json.decode(line, type=Finding)
