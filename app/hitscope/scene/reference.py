"""References to files in or below the folder of a scene."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hitscope.errors import Fault, HitscopeError, quoted, shortened, shown
from hitscope.geometry.arrays import Shapes

LONGEST_PATH = 300
"""The most characters of a path in a message."""


class Reference:
    """A `file` of a scene: its name as the scene gives it, and the folder that the name is relative to.

    The shapes read are kept, so that all scenes of a series of edits share them.
    """

    def __init__(self, name: str, folder: Path = Path()) -> None:
        """Keep the name and the folder, by default the working folder, without looking for the file."""
        self.name = name
        self.folder = folder
        self._shapes: Shapes | None = None

    @classmethod
    def of(cls, folder: Path, kind: type, value: Any) -> "Reference":
        """Return a reference or the one that a string stands for, msgspec's hook for this type of field."""
        assert kind is cls
        if isinstance(value, cls):
            return value
        if not isinstance(value, str):
            raise Fault((), "a string", shown(value))
        return cls(value, folder)

    def read_once(self, read: Callable[[Path], Shapes]) -> Shapes:
        """Return the result of `read` for the file, the same at every later call."""
        if self._shapes is None:
            self._shapes = read(self.path)
        return self._shapes

    def __eq__(self, other: object) -> bool:
        """Whether both have the same name, folder and shapes read."""
        if not isinstance(other, Reference) or (self.name, self.folder) != (other.name, other.folder):
            return False
        if self._shapes is None or other._shapes is None:
            return self._shapes is other._shapes
        return self._shapes is other._shapes or np.array_equal(self._shapes.rows, other._shapes.rows)

    def __hash__(self) -> int:
        return hash((self.name, self.folder))

    def __repr__(self) -> str:
        return f"Reference({self.name!r})"

    @property
    def path(self) -> Path:
        """The regular file that the name leads to; raises Fault where there is none within the folder."""
        expected = "a file in or below the folder of the scene"
        if not self.name or "\0" in self.name or Path(self.name).is_absolute():
            raise Fault(("file",), expected, quoted(self.name))
        path = self.folder / self.name
        try:
            # The target of symbolic links has to be in the folder, too.
            target = path.resolve()
            outside = not target.is_relative_to(self.folder.resolve())
        except (OSError, RuntimeError):
            raise Fault(("file",), expected, f"{quoted(self.name)}, a circular link") from None
        if outside:
            raise Fault(("file",), expected, f"{quoted(self.name)}, which leads out of it")
        if found := _problem(target):
            raise Fault(("file",), f"a file that can be read at {shortened(str(path), LONGEST_PATH)}", found)
        return path

    def relative_to(self, folder: Path) -> str:
        """Return the file's name relative to another folder; raises HitscopeError for a file outside it."""
        if folder.resolve() == self.folder.resolve():
            return self.name
        path = Path(os.path.normpath(self.folder.resolve() / self.name))
        try:
            name = path.relative_to(folder.resolve()).as_posix()
            name.encode()  # JSON can write no other
            return name
        except UnicodeEncodeError:
            raise HitscopeError(f"{path}: expected a file with a name in UTF-8; a scene has no other") from None
        except ValueError:
            expected = f"a folder that {path} lies in or below, which the scene refers to"
            why = "since a scene finds its files only there; copy that file along and name it in the scene"
            raise HitscopeError(f"{folder}: expected {expected}, {why}") from None


def _problem(target: Path) -> str:
    """Return why there is no regular file to read at a path, "" where there is one."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return "no such file"
    except OSError as error:
        return error.strerror or str(error)
    if not stat.S_ISREG(mode):
        return "a folder" if stat.S_ISDIR(mode) else "something else"
    return "" if os.access(target, os.R_OK) else os.strerror(errno.EACCES)
