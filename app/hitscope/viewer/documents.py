"""The open scenes: what each says now, what is saved of it, and what can be undone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, Self

from hitscope.errors import HitscopeError
from hitscope.resources import SCENES
from hitscope.scene import load, save
from hitscope.scene.model import Scene, Single
from hitscope.viewer.files import unused
from hitscope.viewer.inputs import Opened

ENDING = ".scene.json"
EMPTY = Scene(version=1, primitives=(), probes=())


class Files(NamedTuple):
    """Where scenes are read from and written to; both raise what `scene.load` and `scene.save` do."""

    load: Callable[[Path], Scene]
    save: Callable[[Scene, Path], None]
    see: Callable[[Sequence[Opened]], None] = lambda _: None
    """Takes what files say from now on, where they are not the disk's."""


DISK: Final = Files(load, save)


class Entry(NamedTuple):
    """A step of the history."""

    scene: Scene
    name: str
    """What was done last, in the words of the help, e.g. "move tri"; nothing for the file as it was read."""


@dataclass(eq=False)
class Document:
    """One scene file with its edits of this session; scenes are immutable, so undo is a list of them."""

    path: Path
    example: bool = False
    """A scene that ships with hitscope: saving it writes a copy into the working folder."""
    _history: list[Entry] = field(default_factory=list)
    _now: int = 0
    _saved: Scene | None = None

    @property
    def loaded(self) -> bool:
        """Whether there is a scene to show."""
        return bool(self._history)

    @property
    def scene(self) -> Scene:
        """What the file says with all edits."""
        return self._history[self._now].scene if self._history else EMPTY

    @property
    def title(self) -> str:
        """The scene's name, or the file's."""
        return self.scene.name or self.path.name

    @property
    def changed(self) -> bool:
        """Whether there is something that is not saved."""
        return self.loaded and self.scene is not self._saved

    @property
    def saved(self) -> Scene | None:
        """What the file says; None where there is none yet, or none any more."""
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

    def restore(self, scene: Scene) -> None:
        """Begin with a scene that is saved nowhere."""
        self._history, self._now, self._saved = [Entry(scene, "")], 0, None

    def edit(self, scene: Scene, name: str = "edit") -> None:
        """Make an edit the last one, and forget what was undone before it."""
        if scene != self.scene or _other_zeros(scene, self.scene):
            self._history[self._now + 1 :] = [Entry(scene, name)]
            self._now += 1

    def reload(self, scene: Scene) -> None:
        """Follow the file, which says `scene` now; what was before can be had back by `undo`."""
        self.edit(scene, "reload")
        self._saved = self.scene

    def lose(self) -> None:
        """Note that what was saved is there no more."""
        self._saved = None

    def undo(self) -> bool:
        """Go one edit back, if there is one."""
        return self._step(-1)

    def redo(self) -> bool:
        """Go one edit forward again, if there is one."""
        return self._step(1)

    def save(self, save: Callable[[Scene, Path], None], path: Path | None = None) -> None:
        """Write the file, or another one at `path`, which is the document's from then on.

        Without a path, an example becomes a copy in the working folder. Raises HitscopeError and stays what it was
        where that fails.
        """
        if path is None:
            path = unused(Path.cwd() / self.path.name) if self.example else self.path
        try:
            save(self.scene, path)
        except OSError as error:
            raise HitscopeError(f"cannot save {path}: {error.strerror or error}") from None
        self.path, self.example, self._saved = path, False, self.scene

    def _step(self, by: int) -> bool:
        if not 0 <= self._now + by < len(self._history):
            return False
        self._now += by
        return True


def _other_zeros(scene: Scene, other: Scene) -> bool:
    """Say whether equal scenes differ in the sign of a zero, which some methods tell apart."""
    items = ((*scene.primitives, *scene.probes), (*other.primitives, *other.probes))
    return any(repr(a) != repr(b) for a, b in zip(*items, strict=True) if a is not b and isinstance(a, Single))


@dataclass
class Shelf:
    """The documents that [ and ] walk through, and the place among them."""

    documents: list[Document]
    place: int = 0

    @classmethod
    def of(cls, paths: Sequence[Path]) -> Self:
        """Put the scenes on it, or, where there are none, the gallery that ships with hitscope."""
        if paths:
            return cls([Document(path) for path in paths])
        return cls([Document(path, example=True) for path in sorted(SCENES.rglob(f"*{ENDING}"))])
