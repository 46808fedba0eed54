"""The files of the open documents, loaded, saved and watched, and those of the user's own code, watched.

A document's file is checked twice a second: a library's notifications would not come from network drives, and
would not say when a file is complete. An editor may replace it, remove it for a moment, or write it piece by
piece: a file that cannot be loaded is reported only when it has stayed the same for a while.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from msgspec import UNSET

from hitscope.errors import HitscopeError
from hitscope.scene import Scene, save
from hitscope.scene.bulk import Bulk
from hitscope.viewer.files.file_inputs import is_large, recorded_file
from hitscope.viewer.files.turntable import write_turntable
from hitscope.viewer.state.dialogs import Dialogs
from hitscope.viewer.state.documents import Document, Files
from hitscope.viewer.state.inputs import HostEvent, Input, RecordedFile
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.paths import load
from hitscope.viewer.state.session import Session

CHECK_SECONDS = 0.5
STABLE_SECONDS = 0.1
"""The time without a change after which a file counts as complete."""
Stamp: TypeAlias = tuple[int, int, int]
"""The time of the last write, the size and the inode of a file: they differ after every write."""


class FileChange(NamedTuple):
    """The fate of a file: it holds another scene, cannot be loaded, is gone, or is there again as it was."""

    about: Literal["changed", "broken", "removed", "mended"]
    scene: Scene | None = None
    problem: str = ""
    """Why it cannot be loaded; the document stays as it is."""


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None if there is no such file."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # a name with a null character is none
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


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
        self.path, self._stamp, self._load = path, stamp, load
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
        if any(stamps[file] is None and known[file] is not None for file in stamps):
            # An editor may remove a file for a moment to replace it.
            self._missing_since = now if self._missing_since is None else self._missing_since
            if now - self._missing_since < STABLE_SECONDS:
                self._known = known
                return False
        self._missing_since, self._known = None, stamps
        return stamps != known


PATIENCE_SECONDS = 0.02
"""The longest wait for a check of a file; the answer of a longer one is taken at the next check."""


class DocumentFiles:
    """The files of this window's documents, whose changes become inputs at the time `at`, in milliseconds."""

    def __init__(self, saved: Callable[[Path], None]) -> None:
        """Begin without files; `saved` is called with the path of each saved file, in any thread."""
        self._saved = saved
        self._watches: dict[Path, Watch] = {}
        """The watch of each file, by its absolute path; it stays, as a removed file may come back."""
        self._checks: dict[Watch, Job[FileChange | None]] = {}
        self._refused: tuple[Path, Stamp | None] | None = None
        self._read: dict[Path, Scene] = {}
        """The scenes of files that are already read, until the state loads them."""
        self.files = Files(self._load, self._save, write_turntable)

    def expect_load(self, path: Path, scene: Scene) -> None:
        self._read[path] = scene

    def watch_from_now(self, path: Path, again: bool = True) -> None:
        """Watch a file from its present state, whatever it holds; unless `again`, only where none is watched."""
        if again or path.absolute() not in self._watches:
            self._watches[path.absolute()] = Watch(path)

    def check_unsaved(self, session: Session, dialogs: Dialogs, at: int) -> Iterator[Input]:
        """The changes of the files of edited documents, checked at once, until one of them opens a dialog."""
        for document in session.unsaved:
            watched = self._watch_of(document)
            if watched is None or watched in self._checks or not watched.is_behind or is_large(document.path):
                continue
            yield from self._events(at, document, watched.check(at / 1000))
            if dialogs.is_open:
                return

    def check(self, document: Document, at: int) -> Iterator[Input]:
        """The change of a document's file, checked in a thread."""
        watched, saved = self._watch_of(document), document.saved
        if watched is None:
            return
        if watched.scene is not None and saved is not None and watched.scene is not saved:
            if watched.scene != saved:
                # Another document was shown before this one had been loaded again.
                yield self._changed(at, document, watched.scene)
                return
            watched.scene = saved
        if watched not in self._checks:
            self._checks[watched] = Job("", lambda _: watched.check(at / 1000), at / 1000)
        if self._checks[watched].done(PATIENCE_SECONDS):
            yield from self._events(at, document, self._checks.pop(watched).answer())

    def check_refused(self, refused: Path | None, at: int) -> Iterator[Input]:
        """Open the file that could not be opened when it has changed since."""
        before, self._refused = self._refused, None if refused is None else (refused, stamp(refused))
        if refused is not None and before is not None and before[0] == refused and before != self._refused:
            yield HostEvent(at, "open", (recorded_file(refused),))

    def _events(self, at: int, document: Document, change: FileChange | None) -> Iterator[Input]:
        if change is not None and change.scene is not None:
            yield self._changed(at, document, change.scene)
        elif change is not None:
            yield HostEvent(at, change.about, (RecordedFile(str(document.path.absolute())),), change.problem)

    def _changed(self, at: int, document: Document, scene: Scene) -> Input:
        self.expect_load(document.path, scene)
        return HostEvent(at, "changed", (recorded_file(document.path.absolute()),))

    def _watch_of(self, document: Document) -> Watch | None:
        return None if document.example else self._watches.get(document.path.absolute())

    def _load(self, path: Path) -> Scene:
        scene = self._read.pop(path, None)
        if scene is None:
            watched = Watch(path)
            scene = watched.read()
            self._watches[path.absolute()] = watched
        return scene

    def _save(self, scene: Scene, path: Path) -> None:
        """Save a scene; refuse to overwrite a file that is not as it was loaded, saved or confirmed last."""
        watched = self._watches.get(path.absolute())
        if path.exists() and (watched is None or watched.is_behind):
            raise HitscopeError(f"cannot save {path}: another program has written it; nothing was overwritten")
        save(scene, path)
        self._watches[path.absolute()] = Watch(path, scene)
        self._saved(path)
