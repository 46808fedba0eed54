"""Watching files: the changes that other programs make to a document, and an editor to the user's own methods.

A document's file is checked twice a second: a library's notifications would not come from network drives, and
would not say when a file is complete. An editor may replace it, remove it for a moment, or write it piece by
piece: a file that cannot be loaded is reported only when it has stayed the same for a while.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec import UNSET

from hitscope.errors import HitscopeError
from hitscope.scene import Scene
from hitscope.scene.model import Bulk
from hitscope.viewer.state.paths import load

CHECK_SECONDS = 0.5
"""Seconds between two checks of a file."""
STABLE_SECONDS = 0.1
"""The time without a change after which a file counts as complete."""


class Stamp(NamedTuple):
    """The identity of a file's content: it differs after every write."""

    mtime_ns: int
    size: int
    inode: int


@dataclass(frozen=True)
class Changed:
    """The file holds another scene now."""

    scene: Scene


@dataclass(frozen=True)
class Broken:
    """The file can no longer be loaded; the document stays as it is."""

    problem: str


@dataclass(frozen=True)
class Removed:
    """The file was removed; the document stays as it is."""


@dataclass(frozen=True)
class ReadableAgain:
    """The file, which was broken or removed, holds the same scene as before."""


FileChange: TypeAlias = Changed | Broken | Removed | ReadableAgain


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None if there is no such file."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # a name with a null character is none
        return None
    return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)


class Watch:
    """Watches the file of a document and the files that its scene refers to."""

    def __init__(
        self,
        path: Path,
        scene: Scene | None = None,
        stamp: Callable[[Path], Stamp | None] = stamp,
        load: Callable[[Path], Scene] = load,
    ) -> None:
        """Watch the file from its present state, see `restart`."""
        self.path = path
        self._stamp = stamp
        self._load = load
        self.restart(scene)

    def restart(self, scene: Scene | None) -> None:
        """Watch the file from its present state, which contains `scene`; with None, its content is unknown."""
        self.scene = scene
        self._files = (self.path, *([] if scene is None else _referenced_files(scene)))
        self._known = self._last_stamps = self._stamps()
        self._since = 0.0
        self._fails = False

    def read(self) -> Scene:
        """Load the file and watch it from the state that was loaded; raises HitscopeError."""
        before = self._stamp(self.path)
        scene = self._load(self.path)
        self.restart(scene)
        self._known = self._last_stamps = (before, *self._known[1:])
        return scene

    @property
    def is_behind(self) -> bool:
        """Whether the file has changed since it was last loaded, saved or reported."""
        return self._stamp(self.path) not in (None, self._known[0])

    def check(self, now: float) -> FileChange | None:
        """The change of the file, reported once; `now` is in seconds."""
        stamps = self._stamps()
        if stamps != self._last_stamps:
            self._last_stamps, self._since = stamps, now
        elif stamps == self._known:
            return None
        stable = now - self._since >= STABLE_SECONDS
        if stamps[0] is None:
            return self._report_failure(Removed()) if stable else None
        try:
            scene = self._load(self.path)
        except HitscopeError as error:
            return self._report_failure(Broken(str(error))) if stable else None
        if self._stamps() != stamps:  # it was written while it was read
            return None
        before, failed = self.scene, self._fails
        self.restart(scene)
        if scene == before:
            return ReadableAgain() if failed else None
        return Changed(scene)

    def _report_failure(self, change: Broken | Removed) -> FileChange:
        self._known, self._fails = self._last_stamps, True
        return change

    def _stamps(self) -> tuple[Stamp | None, ...]:
        return tuple(self._stamp(file) for file in self._files)


def _referenced_files(scene: Scene) -> Iterable[Path]:
    for item in (*scene.primitives, *scene.probes):
        if isinstance(item, Bulk) and item.file is not UNSET:
            yield item.file.folder / item.file.name


class CodeWatch:
    """Watches the files of the user's own methods from the state in which it first sees them."""

    def __init__(self) -> None:
        self._known: dict[Path, Stamp | None] = {}
        self._missing_since: float | None = None

    def changed(self, files: Iterable[Path], now: float) -> bool:
        """Whether any of the files has changed since the last call, or was removed for a while; in seconds."""
        stamps = {file: stamp(file) for file in files}
        known = {file: self._known.get(file, found) for file, found in stamps.items()}
        removed = any(stamps[file] is None and known[file] is not None for file in stamps)
        if removed:
            # An editor may remove a file for a moment to replace it.
            self._missing_since = now if self._missing_since is None else self._missing_since
            if now - self._missing_since < STABLE_SECONDS:
                self._known = known
                return False
        self._missing_since = None
        self._known = stamps
        return stamps != known
