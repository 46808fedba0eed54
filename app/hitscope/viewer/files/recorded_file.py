"""Scene files as a recording keeps them: the path with the text."""

import os
from pathlib import Path

from hitscope.viewer.state.inputs import RecordedFile

LARGEST_TEXT = 1_000_000
"""The size in bytes above which a recording names a file without its text."""


def recorded_file(path: Path, folder: Path | None = None) -> RecordedFile:
    """A file's path, relative to `folder`, and text; no text where the file is large or cannot be read."""
    name = str(path)
    if folder is not None:
        try:
            name = os.path.relpath(path, folder)
        except ValueError:  # on Windows, from one drive to another
            name = str(path.resolve())
    try:
        if not path.is_file() or is_large(path):
            return RecordedFile(name)
        return RecordedFile(name, path.read_bytes().decode())
    except (OSError, UnicodeDecodeError):
        return RecordedFile(name)


def is_large(path: Path) -> bool:
    """Whether a file is too large for its text to be recorded; raises OSError."""
    return path.stat().st_size > LARGEST_TEXT
