"""What the app asks of the world outside: the disk, the settings file. What is answered comes as an input."""

from pathlib import Path
from typing import NamedTuple, TypeAlias

from hitscope.viewer.documents import Document
from hitscope.viewer.inputs import Leftover


class Visit(NamedTuple):
    """What is there? A folder is listed, a file is read."""

    path: Path | None
    """None means the working folder."""


class ShowOpenDialog(NamedTuple):
    """Show the operating system's dialog to open files; where there is none, list the folder."""

    folder: Path | None
    """None means the working folder."""


class ShowSaveDialog(NamedTuple):
    """Show the operating system's dialog to save a file, if there is one."""

    path: Path
    """What it suggests."""


class FindPlace(NamedTuple):
    """Where is the place that was typed to save a document?"""

    typed: str
    folder: Path
    """What it is seen from."""
    document: Path


class KeepPicture(NamedTuple):
    """Write a picture of the document as it is seen."""

    document: Path
    example: bool


class RememberFile(NamedTuple):
    """Put a file first among the recent ones."""

    path: Path


class LookAtGallery(NamedTuple):
    """Find out whether the gallery's scenes meet their expectations, and how they look in a theme."""

    look: str


class Restore(NamedTuple):
    """Read what a crash left."""

    leftover: Leftover


class Adopt(NamedTuple):
    """Take what a crash left for the autosave of the document that it was restored as."""

    document: Document
    leftover: Leftover


class Discard(NamedTuple):
    """Remove what a crash left."""

    leftover: Leftover


Request: TypeAlias = (
    Visit
    | ShowOpenDialog
    | ShowSaveDialog
    | FindPlace
    | KeepPicture
    | RememberFile
    | LookAtGallery
    | Restore
    | Adopt
    | Discard
)
