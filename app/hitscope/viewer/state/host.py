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
    """List a folder, by default the working folder, or open a file; unless it `opens`, a file is refused."""

    path: Path | None
    opens: bool = True


class ShowOpenDialog(HostRequest, frozen=True):
    """Show the system's dialog to open files, by default in the working folder; without one, list the folder."""

    folder: Path | None


class ShowSaveDialog(HostRequest, frozen=True):
    """Show the system's dialog to save a file, suggesting a path; where there is none, report it if `needed`."""

    path: Path
    needed: bool = False


class ResolveSavePath(HostRequest, frozen=True):
    """Resolve the path typed to save a document: in `folder` if it is relative, with `ending` if it has none."""

    typed: str
    folder: Path
    document: Path
    ending: str = ENDING


class WritePicture(HostRequest, frozen=True):
    """Write a picture of the shown scene to a file, or without a path copy it to the clipboard."""

    path: Path | None
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
    """List the recent files; check the gallery's scenes and the user's open ones, and draw thumbnails."""

    theme: str
    own: tuple[Path, ...] = ()


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
