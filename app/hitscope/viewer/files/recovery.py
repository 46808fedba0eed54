"""What sessions had not saved that ended without closing: at the next start it is restored or discarded."""

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec
from filelock import BaseFileLock

from hitscope.errors import HitscopeError
from hitscope.scene import Scene, loads
from hitscope.viewer.documents import same
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
from hitscope.viewer.files.paths import load


@dataclass(frozen=True, eq=False)
class Leftover:
    """What a crashed session had not saved of one document; it may be restored or discarded."""

    file: Path
    """The autosave."""
    path: Path
    """The document's file, which `scene` is not saved to."""
    example: bool
    time: float
    """When it was written, in seconds of the epoch."""
    scene: Scene
    saved: str | None
    difference: str
    """How the scene differs from the file, in words."""
    outdated: bool
    """The file is another one now than the one that was edited."""
    is_saved: bool
    """The file says the same: the session ended after it was saved, and before the autosave was removed."""

    def discard(self) -> None:
        """Forget it."""
        self.file.unlink(missing_ok=True)


class Crashed:
    """What crashed sessions left. Until it is closed, no other window offers it."""

    def __init__(self, folder: Path | None = None) -> None:
        """Look in `folder`, the user's own unless told; what cannot be read is told in `problems`."""
        self.folder = recovery_folder() if folder is None else folder
        self.leftovers: list[Leftover] = []
        self.problems: list[str] = []
        self._locks: list[BaseFileLock] = []
        try:
            self._look()
        except OSError as error:
            self.problems.append(f"cannot look for autosaves in {self.folder}: {error.strerror or error}")
        self.leftovers.sort(key=lambda leftover: leftover.time, reverse=True)

    def close(self) -> None:
        """Let go of them; what was neither restored nor discarded is offered again at the next start."""
        for lock in self._locks:
            release(lock, remove=not self._autosaves(session_of(Path(lock.lock_file))))
        self._locks.clear()

    def _look(self) -> None:
        files = [*self.folder.glob(f"*{LOCK_ENDING}"), *self.folder.glob(f"*{ENDING}")]
        for session in sorted({session_of(file) for file in files}):
            lock = try_lock(self.folder / f"{session}{LOCK_ENDING}")
            if lock is None:
                continue
            self._locks.append(lock)
            for draft in self.folder.glob(f"{session}-*{DRAFT_ENDING}"):
                draft.unlink()
            for file in self._autosaves(session):
                try:
                    leftover = _read(file)
                    if leftover.is_saved:
                        leftover.discard()
                    else:
                        self.leftovers.append(leftover)
                except (OSError, HitscopeError) as error:
                    broken = file.replace(file.with_suffix(".broken"))
                    self.problems.append(f"an autosave cannot be restored, it is kept as {broken}: {error}")

    def _autosaves(self, session: str) -> list[Path]:
        return sorted(self.folder.glob(f"{session}-*{ENDING}"))


def difference(before: Scene, after: Scene) -> str:
    """Say in words what an edit changed, e.g. "1 probe changed, 2 primitives added"."""
    said = []
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
                said.append(f"{number:,} {word}{'s' * (number > 1)} {what}")
    others = ("name", "description", "methods", "expect", "view")
    said += [f"{name} changed" for name in others if getattr(before, name) != getattr(after, name)]
    return ", ".join(said) or "nothing changed but the order"


def _read(file: Path) -> Leftover:
    """Read an autosave; raises OSError, or HitscopeError for one that is broken."""
    data = file.read_bytes()
    line = data.partition(b"\n")[0]
    try:
        # msgspec would refuse a name of a file that is not Unicode.
        header = msgspec.convert(json.loads(line), Header)
    except (ValueError, RecursionError) as error:
        raise HitscopeError(f"expected a line that says what it is of, found none ({error})") from None
    path = Path(header.path)
    # The scene keeps the break before it, so that a message counts the lines of the whole file.
    scene = loads(data[len(line) :], str(file), path.parent)
    now = digest(path)
    is_saved = False
    try:
        there = load(path) if now else None
    except HitscopeError:
        said = "the file itself is broken"
    else:
        said = "never saved" if there is None else difference(there, scene)
        is_saved = there is not None and same(there, scene)
    outdated = now != header.saved
    return Leftover(file, path, header.example, header.time, scene, header.saved, said, outdated, is_saved)
