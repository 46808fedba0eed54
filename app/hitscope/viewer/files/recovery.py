"""The autosaves of crashed sessions, which the next start offers to restore or discard."""

import json
import os
from dataclasses import dataclass
from glob import escape as glob_escape
from pathlib import Path

import msgspec
from filelock import BaseFileLock

from hitscope.errors import HitscopeError, escaped, quoted
from hitscope.scene import Scene, loads
from hitscope.viewer.files.autosave import (
    DRAFT_ENDING,
    ENDING,
    LOCK_ENDING,
    Header,
    digest,
    recovery_folder,
    session_of,
)
from hitscope.viewer.files.lock import release, try_lock
from hitscope.viewer.state.documents import same
from hitscope.viewer.state.paths import load


@dataclass(frozen=True, eq=False)
class OrphanedAutosave:
    """The autosave of one document of a crashed session."""

    file: Path
    """The autosave."""
    path: Path
    """The document's file."""
    example: bool
    time: float
    """When it was written, in seconds of the epoch."""
    scene: Scene
    saved: str | None
    difference: str
    """The differences of the scene from the file, as text."""
    outdated: bool
    """Whether the file has changed since it was edited."""
    is_saved: bool
    """Whether the file holds the same scene: the session crashed after saving, before it removed the autosave."""

    def discard(self) -> None:
        """Delete the autosave."""
        self.file.unlink(missing_ok=True)


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
        self.autosaves.sort(key=lambda autosave: autosave.time, reverse=True)

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
                    autosave = _read(file)
                    if autosave.is_saved:
                        autosave.discard()
                    else:
                        self.autosaves.append(autosave)
                except (OSError, HitscopeError) as error:
                    broken = file.replace(file.with_suffix(".broken"))
                    words = f"an autosave cannot be restored, it is kept as {broken}: {error}"
                    self.problems.append(escaped(words))

    def _files_of(self, session: str) -> list[Path]:
        return sorted(self.folder.glob(f"{glob_escape(session)}-*{ENDING}"))


def _is_file_path(path: Path) -> bool:
    """Whether there can be a file of an absolute path."""
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
                parts.append(f"{number:,} {word}{'s' * (number > 1)} {what}")
    others = ("name", "description", "methods", "expect", "view")
    parts += [f"{name} changed" for name in others if getattr(before, name) != getattr(after, name)]
    return ", ".join(parts) or "only the order changed"


def _read(file: Path) -> OrphanedAutosave:
    """Read an autosave; raises OSError, or HitscopeError for one that is broken."""
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
    is_saved = False
    try:
        in_file = load(path) if now else None
    except HitscopeError:
        words = "the file itself cannot be read"
    else:
        words = "never saved" if in_file is None else difference(in_file, scene)
        is_saved = in_file is not None and same(in_file, scene)
    saved = header.saved
    return OrphanedAutosave(file, path, header.example, header.time, scene, saved, words, now != saved, is_saved)
