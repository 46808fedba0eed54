"""Autosaves: copies of the unsaved documents, so that a crash loses no edit.

An autosave is a file in the user's state folder: a header line, and the scene's JSON text, whose file references
are relative to the folder of the document. Each session holds a lock beside its autosaves, which the system
releases when the process ends; so an autosave whose lock is free was left by a crash.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from glob import escape as glob_escape
from math import inf
from pathlib import Path
from threading import Event
from typing import NamedTuple

import msgspec
from filelock import BaseFileLock

from hitscope import numerals
from hitscope.errors import HitscopeError, escaped, quoted
from hitscope.folders import state_folder
from hitscope.scene import Scene, loads
from hitscope.scene.edits import ids_of, items_of
from hitscope.scene.save import compact_pieces
from hitscope.viewer.files.document_files import DocumentFiles
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.files.lock import release, try_lock
from hitscope.viewer.state.documents import Document, same
from hitscope.viewer.state.edit_targets import KINDS
from hitscope.viewer.state.inputs import AutosaveRead, CrashFound, HostEvent, Input, Leftover, RecordedFile
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.paths import load

WRITE_EVERY = 2.0
"""The least time between two autosaves of a document, in seconds."""
ENDING = ".autosave"
DRAFT_ENDING = ".draft"
LOCK_ENDING = ".lock"
PIECE_BYTES = 1 << 16
"""The size of the text that is made without a pause: about a millisecond in which no other Python code runs."""
PAUSE_SECONDS = 0.004
"""The pause between two pieces, which leaves the interpreter to the window."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an autosave."""

    path: str
    """The document's file, absolute."""
    example: bool
    time: float
    """When it was written, in seconds of the epoch."""
    pid: int
    saved: str | None
    """The SHA-256 of the file that was edited; None where there was none."""


@dataclass(eq=False)
class _Slot:
    """The autosave of one document."""

    path: Path
    scene: Scene
    """The scene written last, or being written."""
    time: float
    saved: str | None
    written: Future[None] | None = None
    dropped: Event = field(default_factory=Event)

    def is_being_written(self) -> bool:
        """Whether a thread writes it now; raises an unexpected error of that thread."""
        if self.written and self.written.done():
            self.written.result()
            self.written = None
        return self.written is not None


class Autosave:
    """The autosaves of this session, written by a thread."""

    def __init__(self, folder: Path | None = None, executor: Executor | None = None) -> None:
        """Set up autosaves in `folder`, by default the user's, written by `executor`, by default one thread."""
        self.folder = folder or recovery_folder()
        self.problem = ""
        """Why the last one could not be written."""
        self._executor = executor or ThreadPoolExecutor(1, "autosave")
        self._lock: BaseFileLock | None = None
        self._slots: dict[Document, _Slot] = {}

    def update(self, unsaved: Mapping[Document, Scene], now: float) -> None:
        """Write the unsaved scenes that are due `now`, in seconds; remove the autosaves of all other documents."""
        self._slots = {document: slot for document, slot in self._slots.items() if not slot.dropped.is_set()}
        for document in self._slots.keys() - unsaved.keys():
            self._drop(self._slots.pop(document))
        for document, scene in unsaved.items():
            slot = self._slots.get(document)
            is_early = slot and (slot.scene is scene or slot.is_being_written() or now < slot.time + WRITE_EVERY)
            if not is_early:
                self._write(document, scene, now)

    def saved(self, path: Path) -> None:
        """Remove the autosave of the document at a path, which was just saved; may be called by any thread."""
        for document, slot in list(self._slots.items()):
            if document.path == path:
                self._drop(slot)

    def adopt(self, document: Document, file: Path, scene: Scene, saved: str | None) -> None:
        """Assign a crash's autosave, its scene and the digest in its header to a document; raises OSError."""
        slot = _Slot(self._free_path(), scene, -inf, saved)
        file.replace(slot.path)
        self._slots[document] = slot

    def close(self) -> None:
        for slot in self._slots.values():
            self._drop(slot)
        self._slots.clear()
        self._executor.shutdown()
        if self._lock:
            release(self._lock, remove=True)
            self._lock = None

    def _write(self, document: Document, scene: Scene, now: float) -> None:
        try:
            slot = self._slots.get(document) or _Slot(self._free_path(), scene, now, None)
        except OSError as error:
            self.problem = escaped(f"no autosave in {self.folder}: {error.strerror or error}")
            return
        self._slots[document] = slot
        slot.scene, slot.time = scene, now
        path, example = document.path.absolute(), document.example

        def job() -> None:
            slot.saved = slot.saved or digest(path)
            header = Header(path=str(path), example=example, time=time.time(), pid=os.getpid(), saved=slot.saved)
            try:
                _write(slot.path, header, scene, slot.dropped)
            except (OSError, HitscopeError) as error:
                self.problem = escaped(f"no autosave of {path}: {error}")
            else:
                self.problem = ""

        slot.written = self._executor.submit(job)

    def _drop(self, slot: _Slot) -> None:
        slot.dropped.set()
        with suppress(OSError):  # then it is offered at the next start
            slot.path.unlink(missing_ok=True)
        if slot.is_being_written():
            self._executor.submit(slot.path.unlink, missing_ok=True)

    def _free_path(self) -> Path:
        """An unused path for an autosave of this session; raises OSError."""
        while self._lock is None:
            self._lock = try_lock(self.folder / f"{os.urandom(8).hex()}{LOCK_ENDING}")
        return self.folder / f"{session_of(Path(self._lock.lock_file))}-{os.urandom(8).hex()}{ENDING}"


def recovery_folder() -> Path:
    return state_folder() / "recovery"


def digest(path: Path) -> str | None:
    """The SHA-256 of a file in hex; None if it cannot be read."""
    import hashlib

    try:
        if not path.is_file():  # reading a pipe would block
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def session_of(file: Path) -> str:
    """The session of an autosave or a lock, the first part of its name."""
    return file.name.partition(".")[0].partition("-")[0]


def _write(path: Path, header: Header, scene: Scene, dropped: Event) -> None:
    """Write an autosave over the previous one, unless `dropped` is set; raises OSError and HitscopeError."""
    draft = path.with_suffix(DRAFT_ENDING)
    try:
        with draft.open("wb") as file:
            for piece in _in_pieces(header, scene):
                file.write(piece)
                if dropped.wait(PAUSE_SECONDS):
                    return
            file.flush()
            os.fsync(file.fileno())
        if not dropped.is_set():
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _in_pieces(header: Header, scene: Scene) -> Iterator[bytes]:
    """The content of an autosave in pieces that each take about a millisecond to make."""
    piece = bytearray(json.dumps(msgspec.to_builtins(header)).encode() + b"\n")
    for part in compact_pieces(scene, Path(header.path).parent):
        piece += part
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


class OrphanedAutosave(NamedTuple):
    """The autosave of one document of a crashed session."""

    leftover: Leftover
    scene: Scene
    saved: str | None


class CrashedSessions:
    """The autosaves of crashed sessions. Until this is closed, no other window offers them."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read the autosaves in `folder`, by default the user's; `problems` lists those that cannot be read."""
        self.folder = folder or recovery_folder()
        self.autosaves: list[OrphanedAutosave] = []
        self.problems: list[str] = []
        self._locks: list[BaseFileLock] = []
        try:
            self._read_all()
        except OSError as error:
            self.problems.append(f"cannot look for autosaves in {self.folder}: {error.strerror or error}")
        self.problems = [escaped(problem) for problem in self.problems]
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
                    self.problems.append(f"an autosave cannot be restored, it is kept as {broken}: {error}")

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
    for kind in reversed(KINDS):
        was, now = (dict(zip(ids_of(s, kind), items_of(s, kind), strict=True)) for s in (before, after))
        numbers = {
            "changed": sum(was[name] != now[name] for name in was.keys() & now.keys()),
            "added": len(now.keys() - was.keys()),
            "removed": len(was.keys() - now.keys()),
        }
        parts += [f"{numerals.counted(number, kind)} {what}" for what, number in numbers.items() if number]
    others = ("name", "description", "methods", "expect", "view")
    parts += [f"{name} changed" for name in others if getattr(before, name) != getattr(after, name)]
    return ", ".join(parts) or "only the order changed"


def _read(file: Path) -> OrphanedAutosave | None:
    """Read an autosave, None of a scene that was saved before the crash; raises OSError and HitscopeError."""
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
    leftover = Leftover(str(file), header.path, header.time, words, header.example, now != header.saved)
    return OrphanedAutosave(leftover, scene, header.saved)


class RecoveryOffer:
    """The autosaves of crashed sessions, until the user has decided about each of them."""

    def __init__(self, autosave: Autosave, documents: DocumentFiles) -> None:
        """Begin without an offer; `documents` loads a restored scene, and `autosave` takes over its file."""
        self._autosave, self._documents = autosave, documents
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
        if self._orphans:
            yield CrashFound(at, tuple(orphan.leftover for orphan in self._orphans.values()))
        else:
            self.finish()

    def read(self, leftover: Leftover, at: int) -> AutosaveRead:
        """Read an autosave and let the state load its scene."""
        orphan, file, document = self._orphans[leftover.autosave], Path(leftover.autosave), Path(leftover.path)
        self._documents.watch_from_now(document, again=False)
        path = document.with_name(file.name)
        self._documents.expect_load(path, orphan.scene)
        text = recorded_file(file).text
        # The first line is the autosave's header.
        return AutosaveRead(at, leftover, RecordedFile(str(path), text and text.partition("\n")[2]))

    def adopt(self, document: Document, leftover: Leftover) -> None:
        """Assign a crash's autosave to the document restored from it; raises OSError."""
        orphan = self._orphans[leftover.autosave]
        self._autosave.adopt(document, Path(leftover.autosave), orphan.scene, orphan.saved)

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
