"""Autosaves: copies of the unsaved documents, so that a crash loses no edit.

An autosave is a file in the user's state folder: a header line, and the scene's JSON text, whose file references
are relative to the folder of the document. Each session holds a lock beside its autosaves, which the system
releases when the process ends; so an autosave whose lock is free was left by a crash: see `recovery`.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from threading import Event

import msgspec
from filelock import BaseFileLock
from msgspec import Struct

from hitscope.errors import HitscopeError, escaped
from hitscope.folders import state_folder
from hitscope.scene import Scene
from hitscope.scene.save import compact_pieces
from hitscope.viewer.files.lock import release, try_lock
from hitscope.viewer.state.documents import Document

WRITE_EVERY = 2.0
"""The least time between two autosaves of a document, in seconds."""
ENDING = ".autosave"
DRAFT_ENDING = ".draft"
LOCK_ENDING = ".lock"

PIECE_BYTES = 1 << 16
"""The size of the text that is made without a pause: about a millisecond in which no other Python code runs."""
PAUSE_SECONDS = 0.004
"""The pause between two pieces, which leaves the interpreter to the window."""


class Header(Struct, frozen=True, kw_only=True):
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
    written: "Future[None] | None" = None
    dropped: Event = field(default_factory=Event)

    def is_being_written(self) -> bool:
        """Whether a thread writes it now; raises an unexpected error of that thread."""
        if self.written and self.written.done():
            self.written.result()
            self.written = None
        return self.written is not None


class Autosave:
    """The autosaves of this session, written by a thread."""

    def __init__(self, folder: Path | None = None, executor: "Executor | None" = None) -> None:
        """Set up autosaves in `folder`, by default the user's, written by `executor`, by default one thread."""
        self.folder = recovery_folder() if folder is None else folder
        self.problem = ""
        """Why the last one could not be written."""
        self._executor = executor
        self._lock: BaseFileLock | None = None
        self._slots: dict[Document, _Slot] = {}

    def update(self, unsaved: Mapping[Document, Scene], now: float) -> float | None:
        """Write the unsaved scenes of documents, and remove the autosaves of all other documents.

        `now` is in seconds of a monotonic clock. Return the seconds until the next call is due, or None.
        """
        self._slots = {document: slot for document, slot in self._slots.items() if not slot.dropped.is_set()}
        for document in self._slots.keys() - unsaved.keys():
            self._drop(self._slots.pop(document))
        waits = []
        for document, scene in unsaved.items():
            slot = self._slots.get(document)
            if slot and slot.scene is scene:
                continue
            if slot and slot.is_being_written():
                waits.append(WRITE_EVERY)
            elif slot and now < slot.time + WRITE_EVERY:
                waits.append(slot.time + WRITE_EVERY - now)
            else:
                self._write(document, scene, now)
        return min(waits, default=None)

    def saved(self, path: Path) -> None:
        """Remove the autosave of the document at a path, which was just saved; may be called by any thread."""
        for document, slot in list(self._slots.items()):
            if document.path == path:
                self._drop(slot)

    def adopt(self, document: Document, file: Path, scene: Scene, saved: str | None) -> None:
        """Assign a crash's autosave to the document restored from it; raises OSError.

        `file` holds `scene`; `saved` is the digest in its header.
        """
        slot = _Slot(self._free_path(), scene, -inf, saved)
        file.replace(slot.path)
        self._slots[document] = slot

    def close(self) -> None:
        for slot in self._slots.values():
            self._drop(slot)
        self._slots.clear()
        if self._executor:
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

        if self._executor is None:
            from concurrent.futures import ThreadPoolExecutor

            self._executor = ThreadPoolExecutor(1, "autosave")
        slot.written = self._executor.submit(job)

    def _drop(self, slot: _Slot) -> None:
        slot.dropped.set()
        with suppress(OSError):  # then it is offered at the next start
            slot.path.unlink(missing_ok=True)
        if self._executor and slot.is_being_written():
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
    """Write an autosave and replace the previous one atomically, unless `dropped` is set before.

    Raises OSError, and HitscopeError where a file of the scene has no path relative to the document's folder.
    """
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
