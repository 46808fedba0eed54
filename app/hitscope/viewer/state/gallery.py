"""The scenes that ship with hitscope, by theme, with their descriptions, mismatches and thumbnails."""

import re
from codecs import BOM_UTF8
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from hitscope.resources import SCENES
from hitscope.viewer.state.paths import ENDING

TITLES = {
    "segment-aabb-irlan": "Segments and boxes",
    "boxes-ericson": "Boxes, oriented and not",
    "triangle-aabb-szauer": "Triangles and boxes",
    "cuboid-slabs": "Cuboids of any direction",
    "triangles": "Triangles",
    "point-plane": "Points and planes",
    "slabs-ieee": "Slabs and the sign of zero",
    "degenerate": "Touching, flat and degenerate",
    "bulk": "Bulk items",
    "matrix": "Everything against everything",
}
"""The folders of the gallery in display order, with their titles; other folders follow by name."""

START: Final = "Start here"
"""The title of the first row, whose scenes are in no other one."""
START_HERE: Final = (
    "segment-aabb-irlan/houses",
    "boxes-ericson/ray-aabb",
    "triangle-aabb-szauer/unit-test",
    "boxes-ericson/boxes-and-boxes",
    "bulk/gem",
)
"""The scenes of the first row, the easiest first, as paths in the gallery without their endings."""

_SENTENCE = re.compile(r".*?[.!?](?=\s+[^a-z\s]|\s*$)", re.DOTALL)


class Example(NamedTuple):
    """A scene of the gallery."""

    path: Path
    theme: str
    """The title of its row: of its folder, unless it is one to start with."""
    name: str
    line: str
    """The first sentence of its description."""


class SurveyFinding(Struct, frozen=True, kw_only=True):
    """The survey's result for one scene."""

    path: str
    problem: str = ""
    """Why it cannot be shown, or its first mismatch; empty if there is neither."""
    fails: bool = False
    """Whether the problem is a mismatch."""
    thumbnail: str | None = None
    """The path of its picture; None where none could be drawn."""


class _Words(Struct):
    """The keys of a scene file that the gallery lists."""

    name: str = ""
    description: str = ""


def examples(folder: Path = SCENES) -> list[Example]:
    """The scenes below a folder, theme by theme; a scene that cannot be read is listed by its file's name."""
    start = _start_here(folder)
    return [_example(path, START if path in start else _theme(path)) for path in scenes_in_order(folder)]


def scenes_in_order(folder: Path = SCENES, begins: bool = True) -> list[Path]:
    """The paths of the scenes below a folder: if it `begins` so, those to start with; then theme by theme."""
    order = [*TITLES]
    paths = sorted(folder.rglob(f"*{ENDING}"))
    paths.sort(key=lambda path: order.index(path.parent.name) if path.parent.name in TITLES else len(order))
    if not begins:
        return paths
    known = set(paths)
    return list(dict.fromkeys([*(path for path in _start_here(folder) if path in known), *paths]))


def _start_here(folder: Path) -> list[Path]:
    return [folder / f"{name}{ENDING}" for name in START_HERE]


def _theme(path: Path) -> str:
    folder = path.parent.name
    return TITLES.get(folder, folder.replace("-", " ").capitalize())


def _example(path: Path, theme: str) -> Example:
    try:
        words = msgspec.json.decode(path.read_bytes().removeprefix(BOM_UTF8), type=_Words)
    except (OSError, ValueError):  # opening it shows why
        words = _Words()
    sentence = _SENTENCE.match(words.description)
    return Example(path, theme, words.name or path.name, sentence[0] if sentence else words.description)
