"""A recording: the inputs of a viewer, and the scenes that it was opened on, as a text file.

It has one JSON object per line: a `RecordingStart`, then the inputs in order. Each line is written when the input
comes, so the recording of a viewer that crashed is complete up to the crash.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import msgspec
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError
from hitscope.outputs import kind_of
from hitscope.scene import Scene, dump, json_locations, loads, validation_errors
from hitscope.scene.load import read as read_bytes
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.state.documents import Files
from hitscope.viewer.state.inputs import Input, RecordedFile, RecordingStart
from hitscope.viewer.state.paths import load
from hitscope.viewer.state.settings import PLAIN, Settings

T = TypeVar("T")

START: msgspec.json.Decoder[RecordingStart] = msgspec.json.Decoder(RecordingStart)
INPUT: msgspec.json.Decoder[Input] = msgspec.json.Decoder(Input)


def decode_line(decoder: "msgspec.json.Decoder[T]", line: bytes, location: str) -> T:
    """The start or the input in a line, by its `FILE:LINE`; raises HitscopeError with column and path in it."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise HitscopeError(f"{location}: expected UTF-8 text, found byte 0x{line[error.start]:02x}") from None
    try:
        json_locations.read_strictly(text)
        return decoder.decode(text)
    except msgspec.DecodeError as error:
        path, message = validation_errors.parsed(text, str(error))
        raise line_error(validation_errors.fault_of(text, path, message, decoder.type), text, location) from None
    except Fault as fault:
        raise line_error(fault, text, location) from None


def line_error(fault: Fault, text: str, location: str) -> HitscopeError:
    """The error for a fault in a line, whose `FILE:LINE` is `location`."""
    return HitscopeError(f"{location}:{json_locations.line_column_of(text, fault)[1]}: {fault}")


def is_incomplete(line: bytes) -> bool:
    """Whether a last line, without a line end, is only the beginning of an input."""
    try:
        INPUT.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return not isinstance(error, msgspec.ValidationError)
    return False


class Recording(NamedTuple):
    """A recording as it was read: the opening of a viewer, and its inputs."""

    start: RecordingStart
    inputs: tuple[Input, ...] = ()
    folder: Path = Path()
    """The folder that the paths of the scenes are relative to."""

    @property
    def paths(self) -> list[Path]:
        return [Path(os.path.normpath(self.folder / scene.path)) for scene in self.start.scenes]

    @property
    def files(self) -> Files:
        """The recorded scenes, read and written in memory; a file without recorded text is read from disk."""
        scenes = zip(self.paths, self.start.scenes, strict=True)
        texts = {path.absolute(): scene.text for path, scene in scenes if scene.text is not None}

        def read(path: Path) -> Scene:
            text = texts.get(path.absolute())
            return load(path) if text is None else loads(text.encode(), str(path), path.parent)

        def write(scene: Scene, path: Path) -> None:
            texts[path.absolute()] = dump(scene)

        def text_of(path: Path) -> bytes:
            text = texts.get(path.absolute())
            return read_bytes(path) if text is None else text.encode()

        def patch(path: Path, _: bytes, after: bytes) -> None:
            texts[path.absolute()] = after.decode()

        def see(files: Iterable[RecordedFile]) -> None:
            texts.update({Path(file.path).absolute(): file.text for file in files if file.text is not None})

        return Files(read, write, read=text_of, patch=patch, see=see)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a recording, up to its last complete line; raises HitscopeError with file, line and column."""
        try:
            data = path.read_bytes()
        except OSError as error:
            found = "a folder" if os.path.isdir(path) else error.strerror
            raise HitscopeError(f"{path}: expected a recording that can be read, found: {found}") from error
        first, *lines = data.split(b"\n")
        start = decode_line(START, first, f"{path}:1")
        if lines and is_incomplete(lines[-1]):
            lines.pop()
        inputs: list[Input] = []
        for number, line in enumerate(lines, 2):
            location = f"{path}:{number}"
            given = decode_line(INPUT, line, location)
            if inputs and given.at < inputs[-1].at:
                fault = Fault(("at",), f"{inputs[-1].at} or more, as on the line before", str(given.at))
                raise line_error(fault, line.decode(), location)
            inputs.append(given)
        return cls(start, tuple(inputs), path.parent)


class Recorder:
    """Writes inputs to a recording as they come."""

    def __init__(self, path: Path, start: RecordingStart) -> None:
        """Create the file; raises HitscopeError where that fails or the path exists."""
        self._path = path
        try:
            self._file = path.open("xb", buffering=0)
        except FileExistsError:
            raise HitscopeError(f"{path}: expected the name of a new file, found {kind_of(path)}") from None
        except OSError as error:
            raise self._failed(error) from error
        self.take(start)

    def close(self) -> None:
        self._file.close()

    def take(self, line: RecordingStart | Input) -> None:
        """Write a line; raises HitscopeError where that fails."""
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
        except UnicodeEncodeError:
            raise HitscopeError(f"{self._path}: a file name is not valid UTF-8; rename the file") from None
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> HitscopeError:
        return HitscopeError(f"{self._path}: cannot be written: {error.strerror or error}")


def recording_start(
    scenes: Iterable[Path],
    folder: Path,
    size: tuple[int, int],
    pixel_ratio: float = 1.0,
    settings: Settings = PLAIN,
) -> RecordingStart:
    """The start of a recording, in `folder`, of a viewer on scene files."""
    public = replace(settings, recent=(), solved_lessons=())
    files = tuple(recorded_file(scene, folder) for scene in scenes)
    return RecordingStart(1, size, pixel_ratio, files, public, layout=3)
