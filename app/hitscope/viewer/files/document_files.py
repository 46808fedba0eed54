"""The files of the open documents: loaded, saved, and checked for changes by other programs."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.scene import Scene, save
from hitscope.viewer.files import watch
from hitscope.viewer.files.file_inputs import is_large, recorded_file
from hitscope.viewer.files.turntable import write_turntable
from hitscope.viewer.files.watch import Watch
from hitscope.viewer.state.dialogs import Dialogs
from hitscope.viewer.state.documents import Document, Files
from hitscope.viewer.state.inputs import HostEvent, Input, RecordedFile
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.session import Session

PATIENCE_SECONDS = 0.02
"""The longest wait for a check of a file; the answer of a longer one is taken at the next check."""


class DocumentFiles:
    """The files of this window's documents, whose changes become inputs at the time `at`, in milliseconds."""

    def __init__(self, saved: Callable[[Path], None]) -> None:
        """Begin without files; `saved` is called with the path of each saved file, in any thread."""
        self._saved = saved
        self._watches: dict[Path, Watch] = {}
        """The watch of each file, by its absolute path; it stays, as a removed file may come back."""
        self._checks: dict[Watch, Job[watch.FileChange | None]] = {}
        self._refused: tuple[Path, watch.Stamp | None] | None = None
        self._read: dict[Path, Scene] = {}
        """The scenes of files that are already read, until the state loads them."""
        self.files = Files(self._load, self._save, write_turntable)
        """The reading and writing of scenes, for the state."""

    def expect_load(self, path: Path, scene: Scene) -> None:
        self._read[path] = scene

    def watch_from_now(self, path: Path) -> None:
        """Watch a file from its present state, whatever it holds."""
        self._watches[path.absolute()] = Watch(path)

    def is_watched(self, path: Path) -> bool:
        return path.absolute() in self._watches

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
        before, self._refused = self._refused, None if refused is None else (refused, watch.stamp(refused))
        if refused is not None and before is not None and before[0] == refused and before != self._refused:
            yield HostEvent(at, "open", (recorded_file(refused),))

    def _events(self, at: int, document: Document, change: watch.FileChange | None) -> Iterator[Input]:
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
        read = self._read.pop(path, None)
        if read is not None:
            return read
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
