"""The user's settings, one JSON file for all windows.

Each window keeps the settings that it began with and writes the single fields that it changes into the file as it
is then, under a lock: of two windows the last writer of a field wins, and neither touches the other's fields.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, Struct
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError
from hitscope.errors import Path as Place
from hitscope.folders import config_folder
from hitscope.scene.position import excerpt, line_column, offset_of, read_strictly
from hitscope.scene.save import write_file
from hitscope.viewer.files.lock import locked
from hitscope.viewer.files.rebinding import EXPECTED_KEYS

FILE_NAME = "settings.json"
RECENT = 12
"""So many recent files are kept."""

SnapKind: TypeAlias = Literal["vertex", "edge", "parallel", "boundary", "face", "grid"]
SNAP_KINDS: Final[tuple[SnapKind, ...]] = get_args(SnapKind)
"""What drags snap to, in the order in which it is looked for."""
Palette: TypeAlias = Literal["red-green", "blue-orange"]
ThemeName: TypeAlias = Literal["dark", "light"]
Keys: TypeAlias = Annotated[str | tuple[str, ...], Meta(description=f"{EXPECTED_KEYS}, or an array of such keys")]
Width: TypeAlias = Annotated[float, Meta(gt=0, description="a width greater than 0, in points")]


class Settings(Struct, frozen=True, kw_only=True):
    """What the user has chosen; the text of a field says in a message what was expected of it."""

    theme: Annotated[ThemeName, Meta(description='"dark" or "light"')] = "dark"
    palette: Annotated[Palette, Meta(description='"red-green" or "blue-orange"')] = "red-green"
    up: Annotated[Literal["y", "z"], Meta(description='"y" or "z"')] = "y"
    """The axis that points up in a new scene."""
    grid_step: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="a length greater than 0, in scene units, or null")
    ] = None
    """What drags and arrow keys go by; none means the finest lines of the grid, as they are seen."""
    grid: Annotated[bool, Meta(description="true or false")] = True
    """Whether the grid is shown."""
    labels: Annotated[bool, Meta(description="true or false")] = False
    """Whether the ids are written into the picture."""
    snapping: Annotated[bool, Meta(description="true or false")] = False
    snap_to: Annotated[
        tuple[SnapKind, ...], Meta(description=f"an array with some of {', '.join(SNAP_KINDS)}")
    ] = SNAP_KINDS
    panel_widths: Annotated[
        dict[str, Width], Meta(description="an object with a width in points for the name of each panel")
    ] = {}
    closed_parts: Annotated[
        tuple[str, ...], Meta(description="an array with the names of the panels' parts that are closed")
    ] = ()
    recent: Annotated[
        tuple[str, ...], Meta(max_length=RECENT, description=f"an array of at most {RECENT} paths")
    ] = ()
    """The files opened last, the latest first."""
    bindings: Annotated[
        dict[str, Keys], Meta(description="an object with the keys, or an array of keys, of each command by name")
    ] = {}
    first_start_seen: Annotated[bool, Meta(description="true or false")] = False

    @property
    def look(self) -> str:
        """The name of the theme among `hitscope.render.palette.THEMES`."""
        return self.theme if self.palette == "red-green" else f"{self.theme}-{self.palette}"


PLAIN: Final = Settings(first_start_seen=True)
"""What a window has that has no file of settings."""
_FIELDS: Final = {field.name: field for field in msgspec.structs.fields(Settings)}


class SettingsFile:
    """The settings of this window, and the file that it shares with the others."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the file, the user's own unless told; what is wrong in it is in `problems`, and has its default."""
        self.path = config_folder() / FILE_NAME if path is None else path
        self.settings = Settings()
        self.problems: list[str] = []
        self.kept: Path | None = None
        """A copy of what the file said, where that was no JSON and was overwritten."""
        self._text = ""
        try:
            self._text = _text(self.path)
            self.settings, faults = _checked(_document(self._text))
        except Fault as broken:
            # Whoever has settings has been here before.
            self.settings, faults = Settings(first_start_seen=True), [broken]
        except OSError as error:
            self.problems.append(f"{self.path}: expected settings that can be read, found: {error.strerror}")
            return
        for fault in faults:
            self.complain(fault)

    def complain(self, fault: Fault) -> None:
        """Add what is wrong at a place in the file to the problems."""
        offset = offset_of(self._text, fault.path, fault.at_key) if fault.offset is None else fault.offset
        line, column = line_column(self._text, offset)
        self.problems.append(f"{self.path}:{line}:{column}: {fault}")

    @property
    def told(self) -> str:
        """What is wrong with the file, the file's name once."""
        if len(self.problems) < 2:
            return "".join(self.problems)
        places = (problem.removeprefix(f"{self.path}:") for problem in self.problems)
        return "\n".join([f"{self.path}: {len(self.problems)} problems", *places])

    def change(self, **values: Any) -> None:
        """Set fields here and in the file; raises HitscopeError where it cannot be written."""
        self._change(lambda _: values)

    def opened(self, path: Path) -> None:
        """Put a file first among the recent ones of all windows; raises HitscopeError as `change`."""
        name = str(path.absolute())
        try:
            name.encode()
        except UnicodeEncodeError:  # JSON has no way to write such a name
            return

        def with_path(now: Settings) -> dict[str, Any]:
            return {"recent": (name, *[other for other in now.recent if other != name])[:RECENT]}

        self._change(with_path)

    def _change(self, values_after: Callable[[Settings], dict[str, Any]]) -> None:
        """Set the fields that follow from the settings as the file has them now; everything else in it stays."""
        self.settings = replace(self.settings, **values_after(self.settings))
        try:
            with locked(self.path.with_name(f".{self.path.name}.lock")):
                document = self._current()
                values = values_after(_checked(document)[0])
                self.settings = replace(self.settings, **values)
                text = json.dumps(document | values, ensure_ascii=False, indent=2) + "\n"
                write_file(self.path, [text.encode()])
        except OSError as error:
            raise HitscopeError(f"cannot save settings in {self.path}: {error.strerror or error}") from None

    def _current(self) -> dict[str, Any]:
        """Read the file again; one that is no JSON becomes what is set here, and a copy is kept to be mended."""
        try:
            return _document(_text(self.path))
        except Fault:
            self.kept = self.path.with_name(f"{self.path.name}.broken")
            write_file(self.kept, [self.path.read_bytes()])
            now = msgspec.structs.asdict(self.settings)
            return {key: value for key, value in now.items() if value != getattr(Settings(), key)}


def _text(path: Path) -> str:
    """Read the file; without one there is nothing set. Raises OSError or Fault."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return "{}"
    except UnicodeDecodeError as error:
        raise Fault((), "UTF-8 text", f"byte 0x{error.object[error.start]:02x}", offset=0) from None


def _document(text: str) -> dict[str, Any]:
    """Decode the file's text; raises a Fault where it is no JSON object."""
    read_strictly(text)
    try:
        document = msgspec.json.decode(text)
    except msgspec.ValidationError as error:
        raise Fault((), "numbers that float64 can hold", str(error), offset=0) from None
    if not isinstance(document, dict):
        raise Fault((), "an object with settings", excerpt(text, 0), offset=0)
    return document


def _checked(document: dict[str, Any]) -> tuple[Settings, list[Fault]]:
    """Give the settings and what is wrong with them: each field by itself, a wrong one having its default."""
    values = {}
    faults = []
    for key, value in document.items():
        if key not in _FIELDS:
            faults.append(Fault.unknown((key,), "a setting", _FIELDS, key, at_key=True))
            continue
        values[key], wrong = _converted((key,), value, _FIELDS[key].type)
        faults += wrong
    return Settings(**{key: value for key, value in values.items() if value is not UNSET}), faults


def _converted(path: Place, value: Any, kind: Any) -> tuple[Any, list[Fault]]:
    """Give a value of the file as a field has it, UNSET for a wrong one; of an object, each entry by itself."""
    if isinstance(value, dict) and get_origin(kind.__origin__) is dict:
        _, kind_of_entry = get_args(kind.__origin__)
        found = {key: _converted((*path, key), entry, kind_of_entry) for key, entry in value.items()}
        faults = [fault for _, wrong in found.values() for fault in wrong]
        return {key: entry for key, (entry, _) in found.items() if entry is not UNSET}, faults
    try:
        return msgspec.convert(value, kind), []
    except msgspec.ValidationError:
        (meta,) = kind.__metadata__
        found_text = excerpt(json.dumps(value, ensure_ascii=False), 0)
        return UNSET, [Fault(path, str(meta.description), found_text)]
