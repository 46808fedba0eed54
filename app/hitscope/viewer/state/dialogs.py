"""What is asked in the middle of the window, one dialog at a time; plain state, drawn elsewhere."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from hitscope.scene import Scene
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.gallery import Example, Finding
from hitscope.viewer.state.inputs import Leftover


class FolderListing(NamedTuple):
    """What is in a folder."""

    folder: Path
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """The scenes and meshes."""
    recent: tuple[str, ...] = ()
    """The files that were opened last, wherever they are."""


@dataclass
class OpenFile:
    """Which file to open?"""

    listing: FolderListing | None = None
    typed: str = ""
    problem: str = ""
    native: bool = False
    """The operating system's dialog asks instead."""


@dataclass
class SaveAs:
    """Where to save the document?"""

    document: Document
    folder: Path
    """What a name is seen from."""
    typed: str
    problem: str = ""
    overwrites: Path | None = None
    """The other file in whose place the document would come, while that is asked."""
    native: bool = False
    """The operating system's dialog asks instead."""


@dataclass(frozen=True)
class Conflict:
    """The file of a document was changed on disk, and the document here: whose word counts?"""

    document: Document
    scene: Scene
    """What the file says."""


@dataclass(frozen=True)
class Overwrite:
    """The file of a document was changed on disk and cannot be read any more: is it to be overwritten?"""

    document: Document


@dataclass
class Recovery:
    """What of it that a crash left is to be restored?"""

    leftovers: list[Leftover]


@dataclass
class Gallery:
    """Which of the scenes that ship with hitscope to show?"""

    examples: list[Example]
    typed: str = ""
    """The words that are searched for."""


@dataclass(frozen=True)
class Help:
    """What do the keys do?"""


Dialog: TypeAlias = OpenFile | SaveAs | Conflict | Overwrite | Recovery | Gallery | Help


def after_escape(dialog: Dialog) -> Dialog | None:
    """Give what is left of a dialog after Escape."""
    if isinstance(dialog, SaveAs) and dialog.overwrites is not None:
        dialog.overwrites = None
        return dialog
    return None


class Dialogs:
    """The modal dialog, if one is open. Written by file, gallery and help actions, and by the dialogs' widgets."""

    def __init__(self) -> None:
        self.dialog: Dialog | None = None
        self.asks_to_close = False
        """Whether the question is open what to do with unsaved scenes when the window closes."""
        self.findings: dict[Path, Finding] = {}
        """What the survey found of the gallery's scenes."""

    @property
    def is_open(self) -> bool:
        """Whether a dialog or question is open, and nothing else can be done."""
        return self.asks_to_close or self.dialog is not None
