"""Requests to the operating system and the user's own files; the answers come as inputs, also in a replay."""

from pathlib import Path

from msgspec import Struct

from hitscope.scene import ENDING
from hitscope.viewer.state.dialogs import PictureOptions
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import Leftover


class HostRequest(Struct, frozen=True):
    """A request of the state to the host."""


class Visit(HostRequest, frozen=True):
    """List a folder, or open a file."""

    path: Path | None
    """None means the working folder."""
    opens: bool = True
    """Whether a file is opened; else it is refused, as no folder."""


class ShowOpenDialog(HostRequest, frozen=True):
    """Show the operating system's dialog to open files; where there is none, list the folder."""

    folder: Path | None
    """None means the working folder."""


class ShowSaveDialog(HostRequest, frozen=True):
    """Show the operating system's dialog to save a file, if there is one."""

    path: Path
    """The suggested path."""
    needed: bool = False
    """Whether to report it where there is none."""


class ResolveSavePath(HostRequest, frozen=True):
    """Resolve the path that was typed to save a document."""

    typed: str
    folder: Path
    """The folder of a relative path."""
    document: Path
    ending: str = ENDING
    """The ending that a path without one gets."""


class WritePicture(HostRequest, frozen=True):
    """Write a picture of the shown scene to a file, or copy it to the clipboard."""

    path: Path | None
    """None means the clipboard."""
    options: PictureOptions = PictureOptions()
    is_new: bool = False
    """Whether the file gets a free path, with a number in its name if need be, and overwrites nothing."""


class RememberFile(HostRequest, frozen=True):
    """Put a file first among the recent ones."""

    path: Path


class RememberLesson(HostRequest, frozen=True):
    """Add a lesson to those that were solved, by its name."""

    name: str


class SurveyGallery(HostRequest, frozen=True):
    """List the recent files; check the gallery's scenes against their expectations and draw thumbnails."""

    theme: str
    own: tuple[Path, ...] = ()
    """The files of the user's open scenes, which are surveyed, too."""


class Restore(HostRequest, frozen=True):
    """Read an autosave that a crash left."""

    leftover: Leftover


class Adopt(HostRequest, frozen=True):
    """Assign a crash's autosave to the document restored from it."""

    document: Document
    leftover: Leftover


class Discard(HostRequest, frozen=True):
    """Remove an autosave that a crash left."""

    leftover: Leftover


class Host:
    """Requests to the operating system, the clipboard, and whether the window fills the screen or must close.

    Written by actions; `Window` and its `Host` fulfil the requests and read the rest; `Window` times pictures.
    """

    def __init__(self) -> None:
        self.requests: list[HostRequest] = []
        self.clipboard = ""
        self.settings_path: Path | None = None
        """The path of the settings file; None in a replay."""
        self.shows_rate = False
        self.picture_seconds = 0.0
        """The time that a picture took of late, its inputs included; 0 in a replay."""
        self.full_screen = False
        self.closed = False
