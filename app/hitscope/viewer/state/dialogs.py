"""The modal dialogs as plain state; `panels` draws them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from hitscope.draw.target import Target
from hitscope.scene import Scene
from hitscope.scene.number_readings import Reading
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.gallery import Example, SurveyFinding
from hitscope.viewer.state.inputs import Leftover


class FolderListing(NamedTuple):
    """The content of a folder that the dialog to open files lists."""

    folder: Path
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """The scenes and meshes."""
    recent: tuple[str, ...] = ()
    """The paths of the files opened last, in any folder."""


@dataclass
class OpenFile:
    """The dialog that opens a file."""

    listing: FolderListing | None = None
    typed: str = ""
    problem: str = ""
    native: bool = False
    """The operating system's dialog asks instead."""


@dataclass
class SaveAs:
    """The dialog that saves a document as another file."""

    document: Document
    folder: Path
    """The folder of a relative path."""
    typed: str
    problem: str = ""
    overwrites: Path | None = None
    """The other file that would be overwritten, until the user confirms that."""
    native: bool = False
    """The operating system's dialog asks instead."""


@dataclass(frozen=True)
class Conflict:
    """The question which scene to keep: the file of an edited document was changed on disk."""

    document: Document
    scene: Scene
    """The scene in the file."""


@dataclass(frozen=True)
class Overwrite:
    """The question whether to overwrite the file of a document, which cannot be read any more."""

    document: Document


@dataclass
class Recovery:
    """The question which autosaves of a crashed session to restore."""

    leftovers: list[Leftover]


@dataclass
class Gallery:
    """The gallery, which opens a scene that ships with hitscope."""

    examples: list[Example]
    typed: str = ""
    """The text of the search field."""


@dataclass(frozen=True)
class Help:
    """The list of all keys and gestures."""


class Closing(NamedTuple):
    """The question whether to save unsaved documents before these, or the window, are closed."""

    documents: tuple[Document, ...]
    window: bool

    @property
    def unsaved(self) -> list[Document]:
        """The documents with changes that are not saved."""
        return [document for document in self.documents if document.changed]


@dataclass
class Palette:
    """The search of commands."""

    typed: str = ""
    chosen: int = 0
    """The index, among the commands found, of the one that Enter runs."""


PasteRole: TypeAlias = Literal["change", "primitive", "probe"]
"""What pasted numbers become: the numbers of the selected item, or new items."""


@dataclass
class PasteNumbers:
    """The preview of numbers that were pasted or are typed, before they are taken."""

    target: Target | None
    """The selected item, whose numbers they may become."""
    has_field: bool = False
    """Whether the text can be typed."""
    typed: str = ""
    problem: str = ""
    readings: list[Reading] = field(default_factory=list)
    """What the text can mean."""
    chosen: int = 0
    """The index of the reading that is taken."""
    roles: tuple[PasteRole, ...] = ()
    """What that reading can become."""
    role: PasteRole = "primitive"

    @property
    def reading(self) -> Reading | None:
        """The reading that is taken; None while there is none."""
        return self.readings[self.chosen] if self.readings else None


Dialog: TypeAlias = OpenFile | SaveAs | Conflict | Overwrite | Recovery | Gallery | Help | Palette | PasteNumbers


class Dialogs:
    """The modal dialog or context menu, if one is open.

    Written by file, gallery and help actions, by the dialogs' widgets and by clicks with the right button.
    """

    def __init__(self) -> None:
        self.dialog: Dialog | None = None
        self.context_menu: tuple[float, float] | None = None
        """The pixel at which the menu of the selection, or of the empty space, is open."""
        self.closing: Closing | None = None
        """The question about unsaved scenes before closing, if it is open; it is in front of the dialog."""
        self.findings: dict[Path, SurveyFinding] = {}
        """The survey's finding for each scene of the gallery."""

    @property
    def is_open(self) -> bool:
        """Whether a modal dialog or question is open."""
        return self.closing is not None or self.dialog is not None
