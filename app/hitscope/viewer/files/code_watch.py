"""Watching the files of the user's own methods, whose changes are to be called at once."""

from collections.abc import Iterable
from pathlib import Path

from hitscope.viewer.files.watch import STABLE_SECONDS, Stamp, stamp


class CodeWatch:
    """Watches files from the state in which it first sees them."""

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
