"""The open scenes: what each says now, what is saved of it, and what can be undone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hitscope.errors import HitscopeError
from hitscope.scene.model import Scene

EMPTY = Scene(version=1, primitives=(), probes=())


class Files(NamedTuple):
    """Where scenes are read from and written to; both raise what `scene.load` and `scene.save` do."""

    load: Callable[[Path], Scene]
    save: Callable[[Scene, Path], None]


@dataclass(eq=False)
class Document:
    """One scene file with its edits of this session; scenes are immutable, so undo is a list of them."""

    path: Path
    example: bool = False
    """A scene that ships with hitscope: saving it writes a copy into the working folder."""
    _history: list[Scene] = field(default_factory=list)
    _now: int = 0
    _saved: Scene | None = None

    @property
    def loaded(self) -> bool:
        """Whether there is a scene to show."""
        return bool(self._history)

    @property
    def scene(self) -> Scene:
        """What the file says with all edits."""
        return self._history[self._now] if self._history else EMPTY

    @property
    def title(self) -> str:
        """The scene's name, or the file's."""
        return self.scene.name or self.path.name

    @property
    def changed(self) -> bool:
        """Whether there is something that is not saved."""
        return self.loaded and self.scene is not self._saved

    def load(self, load: Callable[[Path], Scene]) -> None:
        """Read the file; raises HitscopeError and stays as it was where that fails."""
        self._history, self._now = [load(self.path)], 0
        self._saved = self.scene

    def edit(self, scene: Scene) -> None:
        """Make an edit the last one, and forget what was undone before it."""
        if scene != self.scene:
            self._history[self._now + 1 :] = [scene]
            self._now += 1

    def undo(self) -> bool:
        """Go one edit back, if there is one."""
        return self._step(-1)

    def redo(self) -> bool:
        """Go one edit forward again, if there is one."""
        return self._step(1)

    def save(self, save: Callable[[Scene, Path], None]) -> None:
        """Write the file, or, of an example, a copy in the working folder, which is the document from then on."""
        path = _unused(Path.cwd() / self.path.name) if self.example else self.path
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


@dataclass
class Shelf:
    """The documents that [ and ] walk through, and the place among them."""

    documents: list[Document]
    place: int = 0


def _unused(path: Path) -> Path:
    """Give the path, or with a number before its endings where there is such a file already."""
    stem, dot, endings = path.name.partition(".")
    number = 2
    while path.exists():
        path = path.with_name(f"{stem}-{number}{dot}{endings}")
        number += 1
    return path
