"""Documents: scene files with their edits, what is saved of them, and what can be undone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, Self

from hitscope.draw.target import Targets
from hitscope.errors import HitscopeError
from hitscope.outputs import write_output
from hitscope.resources import SCENES
from hitscope.scene import save
from hitscope.scene.items import Single
from hitscope.scene.load import read
from hitscope.scene.model import Scene, Up
from hitscope.viewer.state.gallery import scenes_in_order
from hitscope.viewer.state.inputs import RecordedFile
from hitscope.viewer.state.paths import is_mesh, load, openable, unused
from hitscope.viewer.state.turntable import Turntable

EMPTY = Scene(version=1, primitives=(), probes=())
UNTITLED = Path("untitled.scene.json")


def patch(path: Path, before: bytes, after: bytes) -> None:
    """Write another text into a scene file; raises HitscopeError, also where it has not the text `before`."""
    if read(path) != before:
        raise HitscopeError(f"cannot write {path}: another program has written it; nothing was overwritten")
    write_output(path, [after])


class Files(NamedTuple):
    """The functions that read and write files; they raise the errors of `scene.load` and `scene.save`."""

    load: Callable[[Path], Scene]
    save: Callable[[Scene, Path], None]
    write_turntable: Callable[[Scene, Turntable, Path], None] = lambda *_: None
    """Writes an animated file, or in a replay nothing."""
    read: Callable[[Path], bytes] = read
    """Reads a scene file as it is."""
    patch: Callable[[Path, bytes, bytes], None] = patch
    """Writes another text into a scene file, in place of the one that it has."""
    see: Callable[[Sequence[RecordedFile]], None] = lambda _: None
    """Takes the new content of files, in a replay that does not read the disk."""


DISK: Final = Files(load, save)


class HistoryStep(NamedTuple):
    """A step of a document's history."""

    scene: Scene
    name: str
    """The edit that made it, e.g. "move tri"; "" for the scene of the file."""
    selection: Targets = ()
    """The selection when another edit or an undo left the step."""


@dataclass(eq=False)
class Document:
    """A scene file with its history of edits; scenes are immutable, so the history is a list of them."""

    path: Path
    example: bool = False
    """A scene that ships with hitscope: saving it writes a copy into the working folder."""
    made_by: Callable[[], Scene] | None = None
    """Makes its first scene, where that is not in its file, such as from a mesh; raises HitscopeError."""
    given: Path | None = None
    """The file that the user gave to open it: its own, or a mesh; None for an example and a new scene."""
    is_recent: bool = False
    """Whether the given file is among the recent ones since it was given last."""
    dropped: bool = False
    """Whether it was dropped or chosen in the window: where it cannot be opened, it is removed from the list."""
    selects: bool = False
    """Whether its first probe is selected when it is opened."""
    pair: Targets = ()
    """The probe and the primitive that are selected and framed when it is shown next."""
    problem: str = ""
    """Why its file can no longer be read; the last readable content is shown."""
    _history: list[HistoryStep] = field(default_factory=list)
    _now: int = 0
    saved: Scene | None = None
    """The scene that was loaded or saved last; None if the file has another one, or does not exist."""
    _removed: bool = False

    @classmethod
    def of(cls, path: Path, up: Up, others: Sequence[Self], dropped: bool = False) -> Self:
        """The document of a scene file or a mesh that the user gave; raises HitscopeError for any other file.

        A mesh becomes a new scene beside it, with a path that none of the `others` has.
        """
        file, read = openable(path, up, [other.path for other in others])
        return cls(file, made_by=read, given=path.absolute(), dropped=dropped)

    @property
    def loaded(self) -> bool:
        """Whether there is a scene to show."""
        return bool(self._history)

    @property
    def scene(self) -> Scene:
        """The scene with all edits; an empty one before it is loaded."""
        return self._history[self._now].scene if self._history else EMPTY

    @property
    def is_untitled(self) -> bool:
        """Whether it was made in the window and has no file yet."""
        return self.example and not self.path.absolute().is_relative_to(SCENES)

    @property
    def ships(self) -> bool:
        """Whether it is an example, from the gallery."""
        return self.example and not self.is_untitled

    @property
    def is_lesson(self) -> bool:
        """Whether it is a lesson of the gallery, whose changes are exercises that nobody keeps."""
        return self.ships and self.loaded and bool(self._history[0].scene.lesson)

    @property
    def title(self) -> str:
        return self.scene.name or self.path.name

    @property
    def selection(self) -> Targets:
        """The selection when this step of the history was left last."""
        return self._history[self._now].selection if self._history else ()

    def note_selection(self, selection: Targets) -> None:
        """Note the selection with this step of the history, before another edit or an undo leaves it."""
        if self._history:
            self._history[self._now] = self._history[self._now]._replace(selection=selection)

    @property
    def changed(self) -> bool:
        """Whether it has unsaved changes, other than those of a lesson, or its file was removed."""
        return (self.edited and not self.is_lesson) or self._removed

    @property
    def edited(self) -> bool:
        """Whether the scene differs from the one loaded or saved last."""
        return self.loaded and self.scene is not self.saved

    @property
    def undo_name(self) -> str | None:
        """The name of the edit that `undo` undoes; None if there is none."""
        return self._history[self._now].name if self._now > 0 else None

    @property
    def redo_name(self) -> str | None:
        """The name of the edit that `redo` redoes; None if there is none."""
        return self._history[self._now + 1].name if self._now + 1 < len(self._history) else None

    def read(self, load: Callable[[Path], Scene]) -> Scene:
        """The scene to show, read by `load` where it comes from the file; raises HitscopeError."""
        if self.loaded:
            return self.scene
        return load(self.path) if self.made_by is None else self.made_by()

    def begin(self, scene: Scene, is_saved: bool = True) -> None:
        """Begin the history with a scene, by default the one that is in the file."""
        self._history, self._now = [HistoryStep(scene, "")], 0
        self.saved = scene if is_saved else None

    def edit(self, scene: Scene, name: str = "edit") -> None:
        """Add an edit to the history, without those that were undone before it."""
        if not same(scene, self.scene):
            self._history[self._now + 1 :] = [HistoryStep(scene, name)]
            self._now += 1

    def reload(self, scene: Scene) -> None:
        """Replace the scene by that of the changed file, as an edit that can be undone."""
        self.edit(scene, "reload")
        self.saved, self._removed, self.problem = self.scene, False, ""

    def mark_unsaved(self) -> None:
        """Note that the file contains another scene than the document."""
        self.saved, self._removed, self.problem = None, False, ""

    def mark_removed(self, removed: bool = True) -> None:
        """Note that the file was removed or, unless it is `removed`, that it is readable again and unchanged."""
        self._removed, self.problem = removed, ""

    def scene_at(self, by: int) -> Scene | None:
        """The scene `by` edits forward in the history, or back; None if there is none."""
        index = self._now + by
        return self._history[index].scene if 0 <= index < len(self._history) else None

    @property
    def save_path(self) -> Path:
        """The path of its next save: an example becomes a copy in the working folder."""
        return unused(Path.cwd() / self.path.name) if self.example else self.path

    def mark_saved(self, scene: Scene, path: Path) -> None:
        """Note that a scene of its history was saved as a file, which becomes the document's."""
        self.path, self.example, self.saved, self._removed, self.problem = path, False, scene, False, ""

    def step(self, by: int) -> bool:
        """Undo (-1) or redo (1) one edit; True if there was one."""
        if self.scene_at(by) is None:
            return False
        self._now += by
        return True


def same(scene: Scene, other: Scene) -> bool:
    """Whether two scenes are equal including the signs of zeros, which some methods tell apart."""
    if scene != other:
        return False
    pairs = zip((*scene.primitives, *scene.probes), (*other.primitives, *other.probes), strict=True)
    return all(repr(a) == repr(b) for a, b in pairs if a is not b and isinstance(a, Single))


@dataclass
class DocumentList:
    """The documents that the next and previous scene commands walk through."""

    documents: list[Document]
    index: int = 0
    """The index of the document that is shown, or was shown last."""

    @classmethod
    def of(cls, paths: Sequence[Path], up: Up = "y", introduces: bool = True) -> Self:
        """List the scenes and the meshes, or, where there are none, the gallery that ships with hitscope.

        `up` is the axis of a new scene with a mesh. A file of any other kind is read as a scene. If the gallery
        `introduces`, it begins with the scenes to start with, and a probe of the first is selected.
        """
        if paths:
            documents: list[Document] = []
            for path in paths:
                is_scene = not is_mesh(path)
                given = Document(path, given=path.absolute()) if is_scene else Document.of(path, up, documents)
                documents.append(given)
            return cls(documents)
        gallery = [Document(path, example=True) for path in scenes_in_order(begins=introduces)]
        gallery[0].selects = introduces
        return cls(gallery)

    def insert(self, document: Document, further: int = 0) -> None:
        """Insert a document after the one that is shown, or `further` positions later."""
        self.documents.insert(self.index + 1 + further, document)

    def return_to(self, document: Document) -> None:
        """Make a listed document the current one; others change nothing."""
        if document in self.documents:
            self.index = self.documents.index(document)
