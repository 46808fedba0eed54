"""Files of the user as inputs of the state: scenes with their texts, folders, recent files, paths to save to."""

import os
from collections.abc import Iterable
from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.outputs import numbered, target_of
from hitscope.scene import ENDING
from hitscope.viewer.state.gallery import first_sentence, words_of
from hitscope.viewer.state.inputs import FolderListed, HostEvent, RecentFile, RecentListed, RecordedFile
from hitscope.viewer.state.paths import MESHES

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
        return RecordedFile(name, path.read_bytes().decode() if _is_small_file(path) else None)
    except (OSError, UnicodeDecodeError):
        return RecordedFile(name)


def is_large(path: Path) -> bool:
    """Whether a file is too large for its text to be recorded; raises OSError."""
    return path.stat().st_size > LARGEST_TEXT


def visit(path: Path, recent: tuple[str, ...], at: int, opens: bool = True) -> FolderListed | HostEvent:
    """List a folder, with the recent files, or open a file, unless only a folder is expected; raises OSError."""
    path = Path(os.path.abspath(os.path.expanduser(path)))  # that of pathlib raises for an unknown user
    if not path.exists():
        return FolderListed(at, problem=f"expected a file or a folder, found none: {path}")
    if not path.is_dir():
        if opens:
            return HostEvent(at, "open", (recorded_file(path),))
        return FolderListed(at, problem=f"expected a folder, found a file: {path}")
    entries = sorted(path.iterdir(), key=lambda entry: entry.name.casefold())
    visible = [entry for entry in entries if not entry.name.startswith(".")]
    folders = tuple(entry.name for entry in visible if entry.is_dir())
    readable = [entry for entry in visible if entry.name.lower().endswith((".json", *MESHES))]
    return FolderListed(at, str(path), folders, tuple(file.name for file in readable if file.is_file()), recent)


def list_recent(paths: Iterable[str], at: int) -> RecentListed:
    """The files with their names and first sentences, as far as they can be read fast."""
    return RecentListed(at, tuple(map(_recent_file, paths)))


def shown_in_survey(paths: Iterable[Path]) -> list[Path]:
    """The files that a survey evaluates and draws: large ones would keep it busy."""
    return [path for path in dict.fromkeys(paths) if _is_small_file(path)]


def _recent_file(name: str) -> RecentFile:
    path = Path(name)
    if not _is_small_file(path):
        return RecentFile(name, missing=not os.path.exists(path))
    words = words_of(path)
    return RecentFile(name, words.name, first_sentence(words.description))


def _is_small_file(path: Path) -> bool:
    try:
        return path.is_file() and not is_large(path)
    except OSError:
        return False


def resolve_save_path(
    typed: str, document: Path, folder: Path | None = None, ending: str = ENDING
) -> tuple[Path, bool]:
    """The path to save a document as, from a typed name or path; it gets the `ending` if it lacks the last part.

    Beside it is whether another file is there, which the user must confirm. It is relative to `folder`, by default
    the document's. Raises HitscopeError where there can be no such file.
    """
    name = typed.strip()
    if not name or "\0" in name:
        raise HitscopeError("expected the name of a file to save as, found none")
    path = given = (folder or document.absolute().parent) / os.path.expanduser(name)
    first, _, last = ending.rpartition(".")
    try:
        is_folder = name.endswith(("/", "\\")) or path.is_dir()
        if not is_folder and path.suffix != f".{last}":
            path = path.with_name(path.name.removesuffix(first) + ending)
            is_folder = path.is_dir()
        if is_folder:
            raise HitscopeError(f"expected the name of a file to save as, found a folder: {path}")
        if not path.parent.is_dir():
            raise HitscopeError(f"expected a folder to save in, found none: {path.parent}")
        target_of(path)
        return path, path.exists() and not (document.exists() and path.samefile(document))
    except OSError as error:  # such as a name that is too long
        raise HitscopeError(f"cannot save {given}: {error.strerror or error}") from None


def save_new(path: Path, data: bytes) -> Path:
    """Write a new file and return its path: `path`, or the first numbered one free; raises HitscopeError."""
    for free in numbered(path):
        is_made = False
        try:
            with free.open("xb") as file:
                is_made = True
                file.write(data)
        except FileExistsError:
            continue
        except OSError as error:
            if is_made:
                free.unlink()
            raise HitscopeError(f"cannot save {free}: {error.strerror or error}") from None
        return free
    raise AssertionError("the numbers do not end")
