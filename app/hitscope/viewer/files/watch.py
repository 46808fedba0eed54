"""Watching files: the changes that other programs make to a document, and an editor to the user's own methods.

A document's file is checked twice a second: a library's notifications would not come from network drives, and
would not say when a file is complete. An editor may replace it, remove it for a moment, or write it piece by
piece: a file that cannot be loaded is reported only when it has stayed the same for a while.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple

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


class FileChange(NamedTuple):
    """The fate of a file: it holds another scene, cannot be loaded, is gone, or is there again as it was."""

    about: Literal["changed", "broken", "removed", "mended"]
    scene: Scene | None = None
    """The other scene."""
    problem: str = ""
    """Why it cannot be loaded; the document stays as it is."""


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
        items = () if scene is None else (*scene.primitives, *scene.probes)
        files = [item.file for item in items if isinstance(item, Bulk) and item.file is not UNSET]
        self._files = (self.path, *(file.folder / file.name for file in files))
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
            return self._failed(FileChange("removed")) if stable else None
        try:
            scene = self._load(self.path)
        except HitscopeError as error:
            return self._failed(FileChange("broken", problem=str(error))) if stable else None
        if self._stamps() != stamps:  # it was written while it was read
            return None
        before, failed = self.scene, self._fails
        self.restart(scene)
        if scene == before:
            return FileChange("mended") if failed else None
        return FileChange("changed", scene)

    def _failed(self, change: FileChange) -> FileChange:
        self._known, self._fails = self._last_stamps, True
        return change

    def _stamps(self) -> tuple[Stamp | None, ...]:
        return tuple(self._stamp(file) for file in self._files)


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
