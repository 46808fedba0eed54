"""A recording: what a user did in the viewer, and the scenes that it was done to, as a text file.

It has one JSON object a line: how the viewer was opened, then the inputs in the order of their coming. Each line
is written when it happens, so the recording of a viewer that crashed goes as far as the viewer did.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError
from hitscope.scene import Scene, dump, loads
from hitscope.viewer.files.recorded_file import recorded_file
from hitscope.viewer.interface.recording_lines import INPUT, OPENING, decoded, is_cut, located
from hitscope.viewer.state.documents import Files
from hitscope.viewer.state.inputs import Input, RecordedFile, RecordingStart
from hitscope.viewer.state.paths import load
from hitscope.viewer.state.settings import PLAIN, Settings


class Recording(NamedTuple):
    """What was done in a viewer."""

    opening: RecordingStart
    inputs: tuple[Input, ...] = ()
    folder: Path = Path()
    """What the paths of the scenes start from."""

    @property
    def paths(self) -> list[Path]:
        """Where the scenes were, as seen from here."""
        return [Path(os.path.normpath(self.folder / scene.path)) for scene in self.opening.scenes]

    @property
    def files(self) -> Files:
        """The scenes as they were; what is saved is kept in memory, and the disk stays as it is."""
        scenes = zip(self.paths, self.opening.scenes, strict=True)
        texts = {path.absolute(): scene.text for path, scene in scenes if scene.text is not None}

        def read(path: Path) -> Scene:
            text = texts.get(path.absolute())
            return load(path) if text is None else loads(text.encode(), str(path), path.parent)

        def write(scene: Scene, path: Path) -> None:
            texts[path.absolute()] = dump(scene)

        def see(files: Iterable[RecordedFile]) -> None:
            texts.update({Path(file.path).absolute(): file.text for file in files if file.text is not None})

        return Files(read, write, see)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a recording; one that was cut short goes as far as its last whole line.

        Raises HitscopeError with file, line and column, and what was expected and found there.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            found = "a folder" if path.is_dir() else error.strerror
            raise HitscopeError(f"{path}: expected a recording that can be read, found: {found}") from error
        first, *lines = data.split(b"\n")
        opening = decoded(OPENING, first, f"{path}:1")
        if lines and is_cut(lines[-1]):
            lines.pop()
        inputs: list[Input] = []
        for number, line in enumerate(lines, 2):
            place = f"{path}:{number}"
            given = decoded(INPUT, line, place)
            if inputs and given.at < inputs[-1].at:
                fault = Fault(("at",), f"{inputs[-1].at} or more, as on the line before", str(given.at))
                raise located(fault, line.decode(), place)
            inputs.append(given)
        return cls(opening, tuple(inputs), path.parent)


class Recorder:
    """Writes a recording while it happens."""

    def __init__(self, path: Path, opening: RecordingStart) -> None:
        """Begin a new file; raises HitscopeError where that cannot be done, and where there is one already."""
        self._path = path
        try:
            self._file = path.open("xb", buffering=0)
        except FileExistsError:
            found = "a folder" if path.is_dir() else "a file"
            raise HitscopeError(f"{path}: expected the name of a new file, found {found}") from None
        except OSError as error:
            raise self._failed(error) from error
        self._write(opening)

    def take(self, given: Input) -> None:
        """Write an input; raises HitscopeError where the disk does not take it."""
        self._write(given)

    def close(self) -> None:
        """End the recording."""
        self._file.close()

    def _write(self, line: RecordingStart | Input) -> None:
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
        except UnicodeEncodeError:
            raise HitscopeError(f"{self._path}: cannot hold the name of a file that is not UTF-8") from None
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> HitscopeError:
        return HitscopeError(f"{self._path}: cannot be written: {error.strerror or error}")


def opening_on(
    scenes: Iterable[Path],
    folder: Path,
    size: tuple[int, int],
    points: float = 1.0,
    settings: Settings = PLAIN,
) -> RecordingStart:
    """Give how a viewer is opened on scene files, for a recording in a folder.

    Which files the user opened before is nobody's business.
    """
    settings = replace(settings, recent=())
    return RecordingStart(1, size, points, tuple(recorded_file(scene, folder) for scene in scenes), settings)
