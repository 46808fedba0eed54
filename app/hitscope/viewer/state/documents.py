"""The open scenes: what each says now, what is saved of it, and what can be undone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, Self

from hitscope.draw.target import Targets
from hitscope.errors import HitscopeError
from hitscope.resources import SCENES
from hitscope.scene import save
from hitscope.scene.model import Scene, Single
from hitscope.viewer.state.gallery import scenes_in_order
from hitscope.viewer.state.inputs import RecordedFile
from hitscope.viewer.state.paths import load, unused

EMPTY = Scene(version=1, primitives=(), probes=())
UNTITLED = Path("untitled.scene.json")


class Files(NamedTuple):
    """Where scenes are read from and written to; both raise what `scene.load` and `scene.save` do."""

    load: Callable[[Path], Scene]
    save: Callable[[Scene, Path], None]
    see: Callable[[Sequence[RecordedFile]], None] = lambda _: None
    """Takes what files say from now on, where they are not the disk's."""


DISK: Final = Files(load, save)


class Entry(NamedTuple):
    """A step of the history."""

    scene: Scene
    name: str
    """What was done last, in the words of the help, e.g. "move tri"; nothing for the file as it was read."""
    selection: Targets = ()
    """What was selected when the step was left, by another edit or by `undo`."""


@dataclass(eq=False)
class Document:
    """One scene file with its edits of this session; scenes are immutable, so undo is a list of them."""

    path: Path
    example: bool = False
    """A scene that ships with hitscope: saving it writes a copy into the working folder."""
    made_by: Callable[[], Scene] | None = None
    """Makes what it begins with, where that is not its file's; raises HitscopeError."""
    dropped: bool = False
    """It was dropped or chosen in the window: where it cannot be opened, it does not stay."""
    problem: str = ""
    """Why its file cannot be read any more; what is shown is what it said before."""
    _history: list[Entry] = field(default_factory=list)
    _now: int = 0
    _saved: Scene | None = None
    _away: bool = False
    """The file is there no more."""

    @property
    def loaded(self) -> bool:
        """Whether there is a scene to show."""
        return bool(self._history)

    @property
    def scene(self) -> Scene:
        """What the file says with all edits."""
        return self._history[self._now].scene if self._history else EMPTY

    @property
    def is_untitled(self) -> bool:
        """Whether it was begun in the window, and has no file yet."""
        return self.example and not self.path.absolute().is_relative_to(SCENES)

    @property
    def title(self) -> str:
        """The scene's name, or the file's."""
        return self.scene.name or self.path.name

    @property
    def selection(self) -> Targets:
        """What was selected when the scene was left as it is now."""
        return self._history[self._now].selection if self._history else ()

    @selection.setter
    def selection(self, selection: Targets) -> None:
        if self._history:
            self._history[self._now] = self._history[self._now]._replace(selection=selection)

    @property
    def changed(self) -> bool:
        """Whether there is something that is not saved."""
        return self.edited or self._away

    @property
    def edited(self) -> bool:
        """Whether the scene is another one than was loaded or saved last."""
        return self.loaded and self.scene is not self._saved

    @property
    def saved(self) -> Scene | None:
        """What was loaded or saved last; None where that counts no more, or there is nothing yet."""
        return self._saved

    @property
    def undo_name(self) -> str | None:
        """What `undo` would take back; None where there is nothing."""
        return self._history[self._now].name if self._now > 0 else None

    @property
    def redo_name(self) -> str | None:
        """What `redo` would do again; None where there is nothing."""
        return self._history[self._now + 1].name if self._now + 1 < len(self._history) else None

    def load(self, load: Callable[[Path], Scene]) -> None:
        """Read the file; raises HitscopeError and stays as it was where that fails."""
        self._history, self._now = [Entry(load(self.path), "")], 0
        self._saved = self.scene

    def read(self, load: Callable[[Path], Scene]) -> Scene:
        """Give what is to be shown, by `load` where that is the file's; raises HitscopeError."""
        if self.loaded:
            return self.scene
        return load(self.path) if self.made_by is None else self.made_by()

    def begin(self, scene: Scene) -> None:
        """Begin with what was `read`, unless there is something already."""
        if not self.loaded:
            self.load(lambda _: scene) if self.made_by is None else self.restore(scene)

    def restore(self, scene: Scene) -> None:
        """Begin with a scene that is saved nowhere."""
        self._history, self._now, self._saved = [Entry(scene, "")], 0, None

    def edit(self, scene: Scene, name: str = "edit") -> None:
        """Make an edit the last one, and forget what was undone before it."""
        if not same(scene, self.scene):
            self._history[self._now + 1 :] = [Entry(scene, name)]
            self._now += 1

    def reload(self, scene: Scene) -> None:
        """Follow the file, which says `scene` now; what was before can be had back by `undo`."""
        self.edit(scene, "reload")
        self._saved, self._away, self.problem = self.scene, False, ""

    def keep(self) -> None:
        """Let nothing count as saved, because the file says what is not shown."""
        self._saved, self._away, self.problem = None, False, ""

    def lose(self) -> None:
        """Note that the file is there no more."""
        self._away, self.problem = True, ""

    def regain(self) -> None:
        """Note that the file, which was away or broken, says again what it said."""
        self._away, self.problem = False, ""

    def undo(self) -> bool:
        """Go one edit back, if there is one."""
        return self._step(-1)

    def redo(self) -> bool:
        """Go one edit forward again, if there is one."""
        return self._step(1)

    def beside(self, by: int) -> Scene | None:
        """Give the scene so many edits forward in the history, or back; None where there is none."""
        index = self._now + by
        return self._history[index].scene if 0 <= index < len(self._history) else None

    @property
    def save_path(self) -> Path:
        """The path of its next save: an example becomes a copy in the working folder."""
        return unused(Path.cwd() / self.path.name) if self.example else self.path

    def agree(self, scene: Scene, path: Path) -> None:
        """Note that a scene of its history was saved as a file, which is its own from then on."""
        self.path, self.example, self._saved, self._away, self.problem = path, False, scene, False, ""

    def _step(self, by: int) -> bool:
        if self.beside(by) is None:
            return False
        self._now += by
        return True


def write(save: Callable[[Scene, Path], None], scene: Scene, path: Path) -> None:
    """Save a scene by `save`; raises HitscopeError."""
    try:
        save(scene, path)
    except OSError as error:
        raise HitscopeError(f"cannot save {path}: {error.strerror or error}") from None


def same(scene: Scene, other: Scene) -> bool:
    """Say whether scenes are the same, the signs of their zeros included, which some methods tell apart."""
    return scene == other and not _other_zeros(scene, other)


def _other_zeros(scene: Scene, other: Scene) -> bool:
    """Say whether equal scenes differ in the sign of a zero."""
    items = ((*scene.primitives, *scene.probes), (*other.primitives, *other.probes))
    return any(repr(a) != repr(b) for a, b in zip(*items, strict=True) if a is not b and isinstance(a, Single))


@dataclass
class DocumentList:
    """The documents that the next and previous scene commands walk through."""

    documents: list[Document]
    index: int = 0
    """The index of the document that is shown, or was shown last."""

    @classmethod
    def of(cls, paths: Sequence[Path]) -> Self:
        """List the scenes, or, where there are none, the gallery that ships with hitscope."""
        if paths:
            return cls([Document(path) for path in paths])
        return cls([Document(path, example=True) for path in scenes_in_order()])

    def insert(self, document: Document, further: int = 0) -> None:
        """Insert a document after the one that is shown, or `further` documents on."""
        self.documents.insert(self.index + 1 + further, document)

    def return_to(self, document: Document) -> None:
        """Make a document the one that is shown, where it is listed."""
        if document in self.documents:
            self.index = self.documents.index(document)

    def drop(self, failed: Document, shown: Document) -> None:
        """Remove a document that could not be opened, and go back to the one that is shown."""
        self.documents.remove(failed)
        self.return_to(shown)
