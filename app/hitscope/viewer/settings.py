"""The user's settings, one JSON file for all windows.

Each window keeps the settings that it began with and writes the single fields that it changes into the file as it
is then, under a lock: of two windows the last writer of a field wins, and neither touches the other's fields.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError
from hitscope.folders import config_folder
from hitscope.scene.position import excerpt, line_column, offset_of, read_strictly
from hitscope.scene.save import write_file
from hitscope.viewer.lock import held

FILE_NAME = "settings.json"
RECENT = 12
"""So many recent files are kept."""

Palette: TypeAlias = Literal["red-green", "blue-orange"]
ThemeName: TypeAlias = Literal["dark", "light"]
Keys: TypeAlias = str | tuple[str, ...]


class Settings(Struct, frozen=True, kw_only=True):
    """What the user has chosen; the text of a field says in a message what was expected of it."""

    theme: Annotated[ThemeName, Meta(description='"dark" or "light"')] = "dark"
    palette: Annotated[Palette, Meta(description='"red-green" or "blue-orange"')] = "red-green"
    up: Annotated[Literal["y", "z"], Meta(description='"y" or "z"')] = "y"
    """The axis that points up in a new scene."""
    grid_step: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="a length greater than 0, in scene units, or null")
    ] = None
    """What drags and arrow keys go by; none means the finest lines of the ground, as they are seen."""
    snapping: Annotated[bool, Meta(description="true or false")] = False
    panel_widths: Annotated[
        dict[str, Annotated[float, Meta(gt=0)]],
        Meta(description="an object with a width in points for the name of each panel"),
    ] = {}
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
        self._text = ""
        try:
            self._text = _text(self.path)
            self.settings, faults = _checked(_document(self._text))
        except Fault as broken:
            faults = [broken]
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
            with held(self.path.with_name(f".{self.path.name}.lock")):
                document = self._current()
                values = values_after(_checked(document)[0])
                self.settings = replace(self.settings, **values)
                text = json.dumps(document | values, ensure_ascii=False, indent=2) + "\n"
                write_file(self.path, text.encode())
        except OSError as error:
            raise HitscopeError(f"cannot save settings in {self.path}: {error.strerror or error}") from None

    def _current(self) -> dict[str, Any]:
        """Read the file again; of one that is no JSON a copy is kept, for its user to mend."""
        try:
            return _document(_text(self.path))
        except Fault:
            write_file(self.path.with_name(f"{self.path.name}.broken"), self.path.read_bytes())
            return {}


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
        kind = _FIELDS[key].type
        try:
            values[key] = msgspec.convert(value, kind)
        except msgspec.ValidationError:
            found = excerpt(json.dumps(value, ensure_ascii=False), 0)
            faults.append(Fault((key,), _expected(kind), found))
    return Settings(**values), faults


def _expected(kind: Any) -> str:
    (meta,) = kind.__metadata__
    return str(meta.description)
