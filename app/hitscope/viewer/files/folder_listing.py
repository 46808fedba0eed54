"""The content of a path that the user visits in the dialog to open files."""

import os
from pathlib import Path

from hitscope.viewer.files.recorded_file import recorded_file
from hitscope.viewer.state.inputs import FolderListed, HostEvent
from hitscope.viewer.state.paths import MESHES


def visit(path: Path, recent: tuple[str, ...], at: int, opens: bool = True) -> FolderListed | HostEvent:
    """List a folder, with the recent files, or open a file, unless only a folder is expected; raises OSError."""
    path = Path(os.path.abspath(os.path.expanduser(path)))  # that of pathlib raises for an unknown user
    if not path.is_dir():
        if not path.exists():
            return FolderListed(at, problem=f"expected a file or a folder, found none: {path}")
        if not opens:
            return FolderListed(at, problem=f"expected a folder, found a file: {path}")
        return HostEvent(at, "open", (recorded_file(path),))
    entries = sorted(path.iterdir(), key=lambda entry: entry.name.casefold())
    visible = [entry for entry in entries if not entry.name.startswith(".")]
    folders = tuple(entry.name for entry in visible if entry.is_dir())
    readable = [entry for entry in visible if entry.name.lower().endswith((".json", *MESHES))]
    return FolderListed(at, str(path), folders, tuple(file.name for file in readable if file.is_file()), recent)
