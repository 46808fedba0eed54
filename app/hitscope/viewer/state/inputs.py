"""What a user does, as plain values: whatever reaches the viewer from outside is one of these, in order.

`at` is the time in milliseconds since the viewer was opened; places are pixels from the top left of the window.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from hitscope.viewer.state.settings import PLAIN, Settings

LARGEST_SIDE = 16384

Time: TypeAlias = Annotated[int, Meta(ge=0)]
Button: TypeAlias = Literal["Left", "Middle", "Right"]
Modifier: TypeAlias = Literal["Ctrl", "Alt", "Shift"]
Held: TypeAlias = tuple[Modifier, ...]
"""The modifiers that are held, in the order in which the table of bindings writes them."""
Work: TypeAlias = Literal["opening", "preparing", "saving"]
"""What goes on in the background: a document is opened, code is compiled, a file is written."""
Topic: TypeAlias = Literal["drop", "open", "changed", "broken", "mended", "removed", "told", "failed"]
"""Files are dropped or chosen to be opened; a document's file was changed, broken, mended, removed; words."""
Side: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST_SIDE)]
Scale: TypeAlias = Annotated[float, Meta(ge=1, le=4)]


class Opened(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scene file that the viewer was opened on."""

    path: str
    """As seen from the folder of the recording."""
    text: str | None = None
    """What it said then; of a large file, nothing."""


class Opening(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the viewer was opened."""

    version: Literal[1]
    size: tuple[Side, Side]
    """Pixels."""
    points: Scale = 1.0
    """Pixels a point."""
    scenes: tuple[Opened, ...] = ()
    """None of them means the gallery."""
    settings: Settings = PLAIN


class _Input(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", tag=str.lower):
    """Something that a user does."""

    at: Time


class Move(_Input, frozen=True):
    """The mouse is at a place."""

    x: float
    y: float


class Leave(_Input, frozen=True):
    """The mouse is out of the window."""


class Press(_Input, frozen=True):
    """A mouse button goes down."""

    button: Button
    x: float
    y: float
    held: Held = ()


class Release(_Input, frozen=True):
    """A mouse button goes up."""

    button: Button
    x: float
    y: float


class Scroll(_Input, frozen=True):
    """The wheel turns by so many steps, away from the user being positive."""

    by: float
    x: float
    y: float
    aside: float = 0.0


class Key(_Input, frozen=True):
    """A key goes down; it is called what the table of bindings calls it, a letter by its capital."""

    key: str
    held: Held = ()


class LetGo(_Input, frozen=True):
    """A key goes up."""

    key: str
    held: Held = ()


class Text(_Input, frozen=True):
    """Text is typed: what the keys mean in the user's layout."""

    text: str


class Clipboard(_Input, frozen=True):
    """Another program has put a text on the clipboard."""

    text: str


class Resize(_Input, frozen=True):
    """The window has another size in pixels, or another number of pixels a point."""

    width: Side
    height: Side
    points: Scale = 1.0


class LoseFocus(_Input, frozen=True):
    """What the keyboard does goes to another window."""


class Close(_Input, frozen=True):
    """The window is asked to close."""


class Done(_Input, frozen=True):
    """What went on in the background is done."""

    work: Work
    problem: str = ""
    """Why a file could not be written."""


class News(_Input, frozen=True):
    """Something comes from outside: files to open, what became of a file on the disk, or only words."""

    about: Topic
    files: tuple[Opened, ...] = ()
    """By their whole paths, with what they say."""
    says: str = ""
    """What is wrong, or to be told."""


class Listed(_Input, frozen=True):
    """What is in a folder, for the dialog that asked; or why that cannot be said."""

    folder: str = ""
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    """The files that were opened last, by their whole paths."""
    problem: str = ""


class Placed(_Input, frozen=True):
    """Where the place is that was typed to save the document; or why it is none."""

    path: str = ""
    overwrites: bool = False
    """Another file is there."""
    problem: str = ""


class NativeDialog(_Input, frozen=True):
    """The operating system's file dialog was opened, or it was closed without a choice.

    A choice comes as `News` of files to open, or as the `Placed` of a file to save.
    """

    shown: bool


class Found(_Input, frozen=True):
    """What was found of a scene of the gallery."""

    path: str
    """As seen from the folder of the gallery."""
    problem: str = ""
    thumbnail: str | None = None


class Leftover(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a session that crashed had not saved of one document."""

    autosave: str
    """The file that it is in."""
    path: str
    """The document's file, absolute."""
    time: float
    """When it was written, in seconds of the epoch."""
    difference: str
    """How the scene differs from the file, in words."""
    example: bool = False
    outdated: bool = False
    """The file is another one now than the one that was edited."""


class Left(_Input, frozen=True):
    """What crashed sessions left is known: it may be restored or discarded."""

    leftovers: tuple[Leftover, ...]


class Restored(_Input, frozen=True):
    """What a crash left is read, as it was asked for."""

    leftover: Leftover
    scene: Opened
    """By a path in the folder of the document, where the files are that the scene refers to."""


class Refresh(_Input, frozen=True):
    """There is something more to be seen, e.g. another thumbnail."""


Input: TypeAlias = (
    Move
    | Leave
    | Press
    | Release
    | Scroll
    | Key
    | LetGo
    | Text
    | Clipboard
    | Resize
    | LoseFocus
    | Close
    | Done
    | News
    | Listed
    | Placed
    | NativeDialog
    | Found
    | Left
    | Restored
    | Refresh
)
