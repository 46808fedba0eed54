"""The gallery's scenes by theme, with their descriptions: those that ship with hitscope, and the user's own."""

import re
from codecs import BOM_UTF8
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from hitscope.resources import SCENES
from hitscope.scene import ENDING

TITLES = {
    "lessons": "Lessons",
    "segment-aabb-irlan": "Segments and boxes",
    "boxes-ericson": "Boxes, oriented and not",
    "triangle-aabb-szauer": "Triangles and boxes",
    "cuboid-slabs": "Cuboids of any direction",
    "triangles": "Triangles",
    "point-plane": "Points and planes",
    "spheres": "Spheres and capsules",
    "moving": "Moving, rounded and culled",
    "slabs-ieee": "Slabs and the sign of zero",
    "robustness": "Where it goes wrong: famous maps",
    "engines": "Where engines differ from the exact verdict",
    "degenerate": "Touching, flat and degenerate",
    "bulk": "Bulk items",
    "matrix": "Everything against everything",
}
"""The folders of the gallery in display order, with their titles; other folders follow by name."""

START: Final = "Start here"
"""The title of the first row; its scenes are in no other one, but for the first lesson."""
LESSONS: Final = "lessons"
"""The folder of the lessons, in the order in which they follow each other."""
START_HERE: Final = (
    "segment-aabb-irlan/houses",
    "triangle-aabb-szauer/both-intervals",
    f"{LESSONS}/01-slabs",
    "boxes-ericson/boxes-and-boxes",
    "bulk/gem",
)
"""The scenes of the first row, the easiest first, as paths in the gallery without their endings."""
OWN: Final = "Your scenes"
"""The title of the row of the user's scenes, which follows the first one."""

_SENTENCE = re.compile(r".*?[.!?](?=\s+[^a-z\s]|\s*$)", re.DOTALL)


class Example(NamedTuple):
    """A scene of the gallery."""

    path: Path
    theme: str
    """The title of its row: of its folder, unless it is one to start with."""
    name: str
    line: str
    """The first sentence of its description."""
    unsaved: bool = False
    """Whether it is open and has changes that are not saved."""
    missing: bool = False


class Words(Struct):
    """The keys of a scene file that the gallery lists."""

    name: str = ""
    description: str = ""


def examples(folder: Path = SCENES, begins: bool = True) -> list[Example]:
    """The scenes below a folder as `scenes_in_order`; one that cannot be read is listed by its file's name."""
    start, lessons = _start_here(folder, begins), SCENES / LESSONS
    others = (path for path in _by_theme(folder, begins) if path not in start or path.parent == lessons)
    themes = ((path, path.parent.name) for path in others)
    first = [_example(path, START) for path in start]
    return [*first, *(_example(path, TITLES.get(t, t.replace("-", " ").capitalize())) for path, t in themes)]


def scenes_in_order(folder: Path = SCENES, begins: bool = True) -> list[Path]:
    """The paths of the scenes below a folder: if it `begins` so, those to start with; then theme by theme."""
    return list(dict.fromkeys([*_start_here(folder, begins), *_by_theme(folder, begins)]))


def _by_theme(folder: Path, begins: bool) -> list[Path]:
    """The paths of the scenes below a folder, the lessons first; last in recordings from before it began so."""
    order = {theme: k for k, theme in enumerate(sorted(TITLES, key=lambda theme: (theme == LESSONS) != begins))}
    return sorted(folder.rglob(f"*{ENDING}"), key=lambda path: (order.get(path.parent.name, len(order)), path))


@lru_cache(maxsize=1)
def lesson_after(path: Path) -> Example | None:
    """The lesson that follows one; None after the last one, and of any other scene."""
    following = dict(pairwise(sorted((SCENES / LESSONS).glob(f"*{ENDING}")))).get(path)
    return None if following is None else _example(following, LESSONS)


def name_of(path: Path) -> str:
    """The name of a scene among the solved lessons: its path in the gallery without the ending, else the path."""
    path = path.absolute()
    return path.relative_to(SCENES).as_posix().removesuffix(ENDING) if path.is_relative_to(SCENES) else str(path)


def _start_here(folder: Path, begins: bool) -> list[Path]:
    paths = (folder / f"{name}{ENDING}" for name in START_HERE if begins)
    return [path for path in paths if path.exists()]


def _example(path: Path, theme: str) -> Example:
    words = words_of(path)
    return Example(path, theme, words.name or path.name, first_sentence(words.description))


def words_of(path: Path) -> Words:
    """The name and the description in a scene file; empty where it cannot be read, which opening it explains."""
    try:
        return msgspec.json.decode(path.read_bytes().removeprefix(BOM_UTF8), type=Words)
    except (OSError, ValueError):
        return Words()


def first_sentence(description: str) -> str:
    sentence = _SENTENCE.match(description)
    return sentence[0] if sentence else description
