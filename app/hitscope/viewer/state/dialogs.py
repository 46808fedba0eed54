"""The modal dialogs as plain state; `panels` draws them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from hitscope.draw.target import Target
from hitscope.scene import Scene
from hitscope.scene.number_readings import Reading
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.gallery import START, Example
from hitscope.viewer.state.inputs import FolderListed, Leftover, SceneSurveyed


class Entry(NamedTuple):
    """A row of the dialog that opens a file."""

    kind: Literal["recent", "up", "folder", "file"]
    name: str
    path: Path


SHOWN_RECENT = 5
"""The largest number of recent files in the list, while nothing is typed."""


@dataclass
class OpenFile:
    """The dialog that opens a file."""

    listing: FolderListed | None = None
    typed: str = ""
    problem: str = ""
    native: bool = False
    """The operating system's dialog asks instead."""
    chosen: int | None = None
    """The index of the entry that Enter opens; None for the path that is typed."""
    visiting: str = ""
    """The beginning of the typed text that is gone when the folder that was asked for is listed."""
    rewritten: int = 0
    """The number of times that the typed text was replaced otherwise than by typing."""

    @property
    def entries(self) -> list[Entry]:
        """The rows: recent files and the folder's content; of these the ones whose names contain what is typed.

        Those whose names begin with it come first, and the recent files of other folders last.
        """
        if self.listing is None:
            return []
        folder = Path(self.listing.folder)
        sought = self.typed.strip().casefold()
        own = [Entry("folder", name, folder / name) for name in self.listing.folders]
        own += [Entry("file", name, folder / name) for name in self.listing.files]
        known = [Entry("recent", path.name, path) for path in map(Path, self.listing.recent)]
        if not sought:
            up = [Entry("up", "..", folder.parent)] if folder.parent != folder else []
            return [*known[:SHOWN_RECENT], *up, *own]

        def matching(entries: list[Entry]) -> list[Entry]:
            found = [entry for entry in entries if sought in entry.name.casefold()]
            return sorted(found, key=lambda entry: not entry.name.casefold().startswith(sought))

        return [*matching(own), *matching([entry for entry in known if entry.path.parent != folder])]

    @property
    def chosen_entry(self) -> Entry | None:
        """The entry that Enter opens; None for the path that is typed."""
        entries = self.entries
        return entries[self.chosen] if self.chosen is not None and self.chosen < len(entries) else None


@dataclass
class SaveDialog:
    """A dialog that chooses the file to write to."""

    document: Document
    folder: Path
    """The folder of a relative path."""
    typed: str
    problem: str = ""
    overwrites: Path | None = None
    """The other file that would be overwritten, until the user confirms that."""
    native: bool = False
    """The operating system's dialog asks instead."""
    rewritten: int = 0
    """The number of times that the typed text was replaced otherwise than by typing."""


@dataclass
class SaveAs(SaveDialog):
    """The dialog that saves a document as another file."""


@dataclass
class ExportPicture(SaveDialog):
    """The dialog that exports a picture of the shown scene; its choices are `Dialogs.picture`."""


Form: TypeAlias = Literal[".png", ".gif", ".mp4"]
"""The kind of export, by the ending of its file: a picture, or a turntable."""


class PictureOptions(NamedTuple):
    """The choices of an exported picture or turntable."""

    form: Form = ".png"
    scale: float = 1
    """The multiple of the picture's size on the screen that a picture has."""
    transparent: bool = False
    grid: bool = True
    labels: bool = False
    """Whether ids, and t at hits, are written into it."""
    legend: bool = False
    verdicts: bool = False
    """Whether these and the legend are written below it."""
    seconds: int = 6
    """How long a turn of a turntable takes."""
    turn_scale: float = 1
    """The multiple of the picture's size on the screen that a turntable has, a large file soon."""

    @property
    def turns(self) -> bool:
        """Whether it is a turntable, which has only the grid of the choices below the scale."""
        return self.form != ".png"

    @property
    def factor(self) -> float:
        """The multiple of the picture's size on the screen that is exported."""
        return self.turn_scale if self.turns else self.scale


SCALES: dict[Form, tuple[float, ...]] = {".png": (1, 2, 4), ".gif": (0.5, 1, 2), ".mp4": (0.5, 1, 2)}
"""The multiples of the size on the screen that can be chosen."""
SECONDS = (3, 6, 12)
"""The durations of a turn that can be chosen."""


def in_pixels(width: int, height: int) -> str:
    return f"{width:,} × {height:,} pixels"


@dataclass(frozen=True)
class Conflict:
    """The question which scene to keep, an edited document's or that of its file, which was changed on disk."""

    document: Document
    scene: Scene


@dataclass(frozen=True)
class Overwrite:
    """The question whether to overwrite the file of a document, which cannot be read any more."""

    document: Document


@dataclass
class Recovery:
    """The question which autosaves of a crashed session to restore."""

    leftovers: tuple[Leftover, ...]
    answers: dict[Leftover, Literal["restored", "discarded"]] = field(default_factory=dict)
    """The user's decisions; the dialog closes with the last answer."""

    @property
    def unanswered(self) -> list[Leftover]:
        return [leftover for leftover in self.leftovers if leftover not in self.answers]


@dataclass
class Gallery:
    """The gallery, which opens a scene that ships with hitscope, or one of the user's."""

    examples: list[Example]
    own: list[Example]
    """The user's scenes: those that are open, and the recent ones."""
    typed: str = ""

    @property
    def all(self) -> list[Example]:
        """All scenes, the user's after those to start with."""
        start = sum(example.theme == START for example in self.examples)
        return [*self.examples[:start], *self.own, *self.examples[start:]]


@dataclass(frozen=True)
class Help:
    """The list of all keys and gestures."""


class Closing(NamedTuple):
    """The question whether to save unsaved documents before these, or the window, are closed."""

    documents: tuple[Document, ...]
    window: bool

    @property
    def unsaved(self) -> list[Document]:
        return [document for document in self.documents if document.changed]


@dataclass
class Palette:
    """The search of commands."""

    typed: str = ""
    chosen: int = 0
    """The index, among the commands found, of the one that Enter runs."""


PasteRole: TypeAlias = Literal["change", "primitive", "probe"]
"""The use of pasted numbers: the numbers of the selected item, or new items."""


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
    chosen: int = 0
    roles: tuple[PasteRole, ...] = ()
    """The possible uses of that reading."""
    role: PasteRole = "primitive"

    @property
    def reading(self) -> Reading | None:
        """The reading that is taken; None while there is none."""
        return self.readings[self.chosen] if self.readings else None


class EditedHeading(NamedTuple):
    """The text field in place of a scene's name or description."""

    document: Document
    part: Literal["name", "description"]


Dialog: TypeAlias = (
    OpenFile | SaveDialog | Conflict | Overwrite | Recovery | Gallery | Help | Palette | PasteNumbers
)


class Dialogs:
    """The modal dialog, context menu or field that a command opened, if one is open.

    Written by file, gallery, help and heading actions, by dialogs' widgets and by clicks with the right button.
    """

    def __init__(self) -> None:
        self.dialog: Dialog | None = None
        self.has_acted = False
        """Whether the user has pressed a key or a button of the mouse."""
        self.late_recovery: Recovery | None = None
        """The autosaves that were found while the user was at work: a card offers them, which takes no keys."""
        self.context_menu: tuple[float, float] | None = None
        """The pixel at which the menu of the selection, or of the empty space, is open."""
        self.closing: Closing | None = None
        """The question about unsaved scenes before closing, if it is open; it is in front of the dialog."""
        self.heading: EditedHeading | None = None
        self.types_numbers = False
        """Whether the first number of the selected item is about to get the keyboard."""
        self.picture = PictureOptions()
        """The choices of the picture that was exported last."""
        self.findings: dict[Path, SceneSurveyed] = {}
        """The survey's finding for each scene of the gallery."""

    @property
    def shown(self) -> tuple[object, ...]:
        """The question, the dialog, and the folder or file that this one is about; None for each there is not."""
        dialog = self.dialog
        about = dialog.listing if isinstance(dialog, OpenFile) else None
        return self.closing, dialog, dialog.overwrites if isinstance(dialog, SaveDialog) else about

    @property
    def is_open(self) -> bool:
        return self.closing is not None or self.dialog is not None
