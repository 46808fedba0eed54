"""The autosaves of crashed sessions, and the offer of the next start to restore or discard them."""

import json
import os
from collections.abc import Iterator
from glob import escape as glob_escape
from pathlib import Path
from typing import NamedTuple

import msgspec
from filelock import BaseFileLock

from hitscope import numerals
from hitscope.errors import HitscopeError, escaped, quoted
from hitscope.scene import Scene, loads
from hitscope.viewer.files.autosave import (
    DRAFT_ENDING,
    ENDING,
    LOCK_ENDING,
    Autosave,
    Header,
    digest,
    recovery_folder,
    session_of,
)
from hitscope.viewer.files.document_files import DocumentFiles
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.files.lock import release, try_lock
from hitscope.viewer.state.documents import Document, same
from hitscope.viewer.state.inputs import AutosaveRead, CrashFound, HostEvent, Input, Leftover, RecordedFile
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.paths import load


class OrphanedAutosave(NamedTuple):
    """The autosave of one document of a crashed session."""

    leftover: Leftover
    scene: Scene
    saved: str | None
    """The SHA-256 of the file that was edited; None where there was none."""

    def discard(self) -> None:
        Path(self.leftover.autosave).unlink(missing_ok=True)


class CrashedSessions:
    """The autosaves of crashed sessions. Until this is closed, no other window offers them."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read the autosaves in `folder`, by default the user's; `problems` lists those that cannot be read."""
        self.folder = recovery_folder() if folder is None else folder
        self.autosaves: list[OrphanedAutosave] = []
        self.problems: list[str] = []
        self._locks: list[BaseFileLock] = []
        try:
            self._read_all()
        except OSError as error:
            words = f"cannot look for autosaves in {self.folder}: {error.strerror or error}"
            self.problems.append(escaped(words))
        self.autosaves.sort(key=lambda autosave: autosave.leftover.time, reverse=True)

    def close(self) -> None:
        """Release the locks; autosaves neither restored nor discarded are offered again at the next start."""
        for lock in self._locks:
            release(lock, remove=not self._files_of(session_of(Path(lock.lock_file))))
        self._locks.clear()

    def _read_all(self) -> None:
        files = [*self.folder.glob(f"*{LOCK_ENDING}"), *self.folder.glob(f"*{ENDING}")]
        for session in sorted({session_of(file) for file in files}):
            lock = try_lock(self.folder / f"{session}{LOCK_ENDING}")
            if lock is None:
                continue
            self._locks.append(lock)
            for draft in self.folder.glob(f"{glob_escape(session)}-*{DRAFT_ENDING}"):
                draft.unlink()
            for file in self._files_of(session):
                try:
                    if (autosave := _read(file)) is not None:
                        self.autosaves.append(autosave)
                    else:
                        file.unlink()
                except (OSError, HitscopeError) as error:
                    broken = file.replace(file.with_suffix(".broken"))
                    words = f"an autosave cannot be restored, it is kept as {broken}: {error}"
                    self.problems.append(escaped(words))

    def _files_of(self, session: str) -> list[Path]:
        return sorted(self.folder.glob(f"{glob_escape(session)}-*{ENDING}"))


def _is_file_path(path: Path) -> bool:
    try:
        return path.is_absolute() and bool(path.name) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def difference(before: Scene, after: Scene) -> str:
    """The difference of two scenes in words, such as "1 probe changed, 2 primitives added"."""
    parts = []
    for word, old_ids, old, new_ids, new in (
        ("probe", before.probe_ids, before.probes, after.probe_ids, after.probes),
        ("primitive", before.primitive_ids, before.primitives, after.primitive_ids, after.primitives),
    ):
        was, now = dict(zip(old_ids, old, strict=True)), dict(zip(new_ids, new, strict=True))
        for number, what in (
            (sum(was[name] != now[name] for name in was.keys() & now.keys()), "changed"),
            (len(now.keys() - was.keys()), "added"),
            (len(was.keys() - now.keys()), "removed"),
        ):
            if number:
                parts.append(f"{numerals.counted(number, word)} {what}")
    others = ("name", "description", "methods", "expect", "view")
    parts += [f"{name} changed" for name in others if getattr(before, name) != getattr(after, name)]
    return ", ".join(parts) or "only the order changed"


def _read(file: Path) -> OrphanedAutosave | None:
    """Read an autosave; raises OSError, or HitscopeError for one that is broken.

    None where the document's file holds the same scene: the session crashed after saving.
    """
    data = file.read_bytes()
    line = data.partition(b"\n")[0]
    try:
        # msgspec's decoder rejects a file name that is not Unicode.
        header = msgspec.convert(json.loads(line), Header)
    except (ValueError, RecursionError) as error:
        raise HitscopeError(f"expected a header line, found none ({error})") from None
    path = Path(header.path)
    if not _is_file_path(path):
        raise HitscopeError(f"expected the absolute path of a file in its header, found {quoted(header.path)}")
    # The scene's text keeps the line break before it, so that messages count the lines of the whole file.
    scene = loads(data[len(line) :], str(file), path.parent)
    now = digest(path)
    try:
        in_file = load(path) if now else None
    except HitscopeError:
        words = "the file itself cannot be read"
    else:
        words = "never saved" if in_file is None else difference(in_file, scene)
        if in_file is not None and same(in_file, scene):
            return None
    is_outdated = now != header.saved
    leftover = Leftover(str(file), header.path, header.time, words, header.example, is_outdated)
    return OrphanedAutosave(leftover, scene, header.saved)


class RecoveryOffer:
    """The autosaves of crashed sessions, until the user has decided about each of them."""

    def __init__(self, autosave: Autosave, documents: DocumentFiles) -> None:
        """Begin without an offer; `documents` loads a restored scene, and `autosave` takes over its file."""
        self._autosave = autosave
        self._documents = documents
        self._search: Job[CrashedSessions] | None = None
        self._crashed: CrashedSessions | None = None
        self._orphans: dict[str, OrphanedAutosave] = {}

    def begin(self) -> None:
        self._search = Job("", lambda _: CrashedSessions())

    def found(self, at: int) -> Iterator[Input]:
        """The result of the search, once."""
        if self._search is None or not self._search.done():
            return
        self._crashed, self._search = self._search.answer(), None
        if self._crashed.problems:
            yield HostEvent(at, "failed", message="\n".join(self._crashed.problems))
        self._orphans = {orphan.leftover.autosave: orphan for orphan in self._crashed.autosaves}
        if not self._orphans:
            self.finish()
            return
        yield CrashFound(at, tuple(orphan.leftover for orphan in self._orphans.values()))

    def read(self, leftover: Leftover, at: int) -> AutosaveRead:
        """Read an autosave and let the state load its scene."""
        orphan, file, document = self._orphans[leftover.autosave], Path(leftover.autosave), Path(leftover.path)
        if not self._documents.is_watched(document):
            self._documents.watch_from_now(document)
        path = document.with_name(file.name)
        self._documents.expect_load(path, orphan.scene)
        text = recorded_file(file).text
        # The first line is the autosave's header.
        return AutosaveRead(at, leftover, RecordedFile(str(path), text and text.partition("\n")[2]))

    def adopt(self, document: Document, leftover: Leftover) -> None:
        """Assign a crash's autosave to the document restored from it; raises OSError."""
        orphan = self._orphans[leftover.autosave]
        self._autosave.adopt(document, Path(leftover.autosave), orphan.scene, orphan.saved)

    def discard(self, leftover: Leftover) -> None:
        self._orphans[leftover.autosave].discard()

    def finish(self) -> None:
        """End the offer, so that the next start offers the autosaves that are neither restored nor discarded."""
        if self._crashed is not None:
            self._crashed.close()
            self._crashed = None

    def close(self) -> None:
        """End the offer, or the search where it has a result."""
        if self._search is not None and self._search.done():
            self._search.answer().close()
        self.finish()
