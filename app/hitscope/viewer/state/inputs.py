"""The inputs of the viewer as plain values: everything that reaches it from outside, in order.

`at` is the time in milliseconds since the viewer was opened; pixels are from the window's top left corner. The
words in recordings are older than some names here, and stay.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from hitscope.viewer.state.settings import PLAIN, Settings

LARGEST_SIDE = 16384

Time: TypeAlias = Annotated[int, Meta(ge=0)]
Button: TypeAlias = Literal["Left", "Middle", "Right"]
Modifier: TypeAlias = Literal["Ctrl", "Alt", "Shift"]
Modifiers: TypeAlias = tuple[Modifier, ...]
"""The modifiers that are pressed, in the order in which the table of bindings writes them."""
JobKind: TypeAlias = Literal[
    "opening", "preparing", "saving", "comparing", "exporting", "calling", "mapping", "searching"
]
"""A job in the background: a document is opened, code is compiled, its file is written, methods are compared, an
animation is written, the user's own methods are called, a map is made, their wrong line is looked for."""
HostTopic: TypeAlias = Literal["drop", "open", "changed", "broken", "mended", "removed", "told", "failed", "code"]
"""Files were dropped or chosen to be opened; a document's file was changed, became unreadable, readable again and
unchanged, or was removed; a notice; an error; a file of the user's own methods was changed."""
SideLength: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST_SIDE)]
PixelRatio: TypeAlias = Annotated[float, Meta(ge=1, le=4)]


class RecordedFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scene file when a recording was made: its path from there, and its content, None for a large file."""

    path: str
    text: str | None = None


class RecordingStart(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"pixel_ratio": "points"}
):
    """The opening of the viewer: the first line of a recording."""

    version: Literal[1]
    size: tuple[SideLength, SideLength]
    """Width and height of the window in pixels."""
    pixel_ratio: PixelRatio = 1.0
    scenes: tuple[RecordedFile, ...] = ()
    """The scenes; none of them means the gallery."""
    settings: Settings = PLAIN
    layout: Literal[1, 2, 3] = 1
    """The layout of the window: the second one has a command bar; the third one also introduces the viewer, by the
    order of its gallery, a selected probe, the first steps and the buttons of an empty scene."""


class _Input(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", tag=str.lower):
    """An input; in a recording its type is the value of `do`."""

    at: Time


class Move(_Input, frozen=True):
    """The mouse moved to a pixel."""

    x: float
    y: float


class Leave(_Input, frozen=True):
    """The mouse left the window."""


class Press(_Input, frozen=True, rename={"modifiers": "held"}):
    """A mouse button went down."""

    button: Button
    x: float
    y: float
    modifiers: Modifiers = ()


class Release(_Input, frozen=True):
    """A mouse button went up."""

    button: Button
    x: float
    y: float


class Scroll(_Input, frozen=True, rename={"horizontal": "aside"}):
    """The wheel turned by some steps, positive away from the user."""

    by: float
    x: float
    y: float
    horizontal: float = 0.0


class KeyDown(_Input, frozen=True, tag="key", rename={"modifiers": "held"}):
    """A key went down; its name is that of the table of bindings, for a letter the capital."""

    key: str
    modifiers: Modifiers = ()


class KeyUp(_Input, frozen=True, tag="letgo", rename={"modifiers": "held"}):
    """A key went up."""

    key: str
    modifiers: Modifiers = ()


class Text(_Input, frozen=True):
    """Text was typed, as the user's keyboard layout gives it."""

    text: str


class Clipboard(_Input, frozen=True):
    """Another program put a text on the clipboard."""

    text: str


class Resize(_Input, frozen=True, rename={"pixel_ratio": "points"}):
    """The window has another size in pixels, or another pixel ratio."""

    width: SideLength
    height: SideLength
    pixel_ratio: PixelRatio = 1.0


class LoseFocus(_Input, frozen=True):
    """The keyboard went to another window."""


class Close(_Input, frozen=True):
    """The request to close the window."""


class JobDone(_Input, frozen=True, tag="done"):
    """A job in the background is done."""

    work: JobKind
    problem: str = ""
    """Why a file could not be written."""


class HostEvent(_Input, frozen=True, tag="news", rename={"message": "says"}):
    """Something happened to files, or the host has a notice or an error."""

    about: HostTopic
    files: tuple[RecordedFile, ...] = ()
    """With absolute paths."""
    message: str = ""


class FolderListed(_Input, frozen=True, tag="listed"):
    """A folder was listed for the dialog to open files, or could not be."""

    folder: str = ""
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    """The absolute paths of the files that were opened last."""
    problem: str = ""


class SavePathResolved(_Input, frozen=True, tag="placed"):
    """The typed path to save a document was resolved, or refused."""

    path: str = ""
    overwrites: bool = False
    """Another file is there."""
    problem: str = ""


class NativeDialog(_Input, frozen=True):
    """The system's file dialog was opened, or closed without a choice: one is a HostEvent or SavePathResolved."""

    shown: bool


class SceneSurveyed(_Input, frozen=True, tag="found"):
    """A scene of the gallery was checked and drawn."""

    path: str
    """Relative to the folder of the gallery; of the user's own scene absolute."""
    problem: str = ""
    """Why it cannot be shown, or its first mismatch."""
    thumbnail: str | None = None
    """The path of its picture; None where none could be drawn."""
    fails: bool = False
    """Whether the problem is that an expectation of it fails."""


class RecentFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A file that was opened last, by its absolute path."""

    path: str
    name: str = ""
    """The scene's; empty where it has none or is not known."""
    line: str = ""
    """The first sentence of the scene's description."""
    missing: bool = False


class RecentListed(_Input, frozen=True, tag="recent"):
    """The files that were opened last were listed for the gallery."""

    files: tuple[RecentFile, ...] = ()


class Leftover(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An autosave that a crashed session left of one document, with the absolute paths of both."""

    autosave: str
    path: str
    time: float
    """When it was written, in seconds of the epoch."""
    difference: str
    """The differences of the scene from the file, as text."""
    example: bool = False
    outdated: bool = False
    """The document's file has changed since."""


class CrashFound(_Input, frozen=True, tag="left"):
    """Crashed sessions left autosaves, which may be restored or discarded."""

    leftovers: tuple[Leftover, ...]


class AutosaveRead(_Input, frozen=True, tag="restored"):
    """The autosave of a crashed session was read at the user's request."""

    leftover: Leftover
    scene: RecordedFile
    """With a path in the folder of the document, from which the scene's own paths start."""


class Refresh(_Input, frozen=True):
    """Something new can be drawn, such as a thumbnail."""


DialogReport: TypeAlias = FolderListed | SavePathResolved | NativeDialog
HostReport: TypeAlias = HostEvent | DialogReport | SceneSurveyed | RecentListed | CrashFound | AutosaveRead
MouseInput: TypeAlias = Move | Leave | Press | Release | Scroll
KeyboardInput: TypeAlias = KeyDown | KeyUp | Text | LoseFocus
Input: TypeAlias = MouseInput | KeyboardInput | Clipboard | Resize | Close | JobDone | HostReport | Refresh
