"""Live reload: notices that a document's file became another one on disk, and reads it when it is whole.

It is asked about twice a second. An editor may replace the file by another, take it away for a moment, or write it
piece by piece: a file that does not parse is called broken only once it has stayed the same for a while.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec import UNSET

from hitscope.errors import HitscopeError
from hitscope.scene import Scene
from hitscope.scene.model import Bulk
from hitscope.viewer.files.paths import load

LOOK_EVERY = 0.5
"""Seconds from one look to the next."""
STABLE_SECONDS = 0.1
"""A file that stayed the same for so long is taken for whole."""


class Stamp(NamedTuple):
    """What tells that a file is another one."""

    mtime_ns: int
    size: int
    inode: int


@dataclass(frozen=True)
class Changed:
    """The file says something else now, and nothing is unsaved."""

    scene: Scene


@dataclass(frozen=True)
class Conflict:
    """The file says something else now, and so does the document: whose word counts is to be asked."""

    scene: Scene


@dataclass(frozen=True)
class Broken:
    """The file cannot be loaded any more; what is shown stays."""

    problem: str


@dataclass(frozen=True)
class Removed:
    """There is no such file any more; what is shown stays."""


@dataclass(frozen=True)
class Mended:
    """The file, which was broken or away, says again what it said before."""


News: TypeAlias = Changed | Conflict | Broken | Removed | Mended


def stamp(path: Path) -> Stamp | None:
    """Give the stamp of a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)


class Watch:
    """Watches the file of a document, and the files beside it that the scene refers to."""

    def __init__(
        self,
        path: Path,
        scene: Scene | None = None,
        stamp: Callable[[Path], Stamp | None] = stamp,
        load: Callable[[Path], Scene] = load,
    ) -> None:
        """Begin with the file as it is, which was just saved from `scene`, or asked about."""
        self.path = path
        self._stamp = stamp
        self._load = load
        self.agree(scene)

    def agree(self, scene: Scene | None) -> None:
        """Note that the file says the scene; None is for whatever it says."""
        self.scene = scene
        self._files = (self.path, *([] if scene is None else _beside(scene)))
        self._known = self._seen = self._stamps()
        self._since = 0.0
        self._fails = False

    def read(self) -> Scene:
        """Load the file, and begin with it as it was then; raises HitscopeError."""
        before = self._stamp(self.path)
        scene = self._load(self.path)
        self.agree(scene)
        self._known = self._seen = (before, *self._known[1:])
        return scene

    @property
    def is_behind(self) -> bool:
        """Whether the file is another one than was last loaded, saved or told of."""
        return self._stamp(self.path) not in (None, self._known[0])

    def look(self, now: float, unsaved: bool) -> News | None:
        """Give what is new of the file, once; `now` is in seconds, `unsaved` whether the document has edits."""
        seen = self._stamps()
        if seen != self._seen:
            self._seen, self._since = seen, now
        elif seen == self._known:
            return None
        stable = now - self._since >= STABLE_SECONDS
        if seen[0] is None:
            return self._told(Removed()) if stable else None
        try:
            scene = self._load(self.path)
        except HitscopeError as error:
            return self._told(Broken(str(error))) if stable else None
        if self._stamps() != seen:  # it was written while it was read
            return None
        before, failed = self.scene, self._fails
        self.agree(scene)
        if scene == before:
            return Mended() if failed else None
        return Conflict(scene) if unsaved else Changed(scene)

    def _told(self, news: Broken | Removed) -> News:
        self._known, self._fails = self._seen, True
        return news

    def _stamps(self) -> tuple[Stamp | None, ...]:
        return tuple(self._stamp(file) for file in self._files)


def _beside(scene: Scene) -> Iterable[Path]:
    for item in (*scene.primitives, *scene.probes):
        if isinstance(item, Bulk) and item.file is not UNSET:
            yield item.file.folder / item.file.name
