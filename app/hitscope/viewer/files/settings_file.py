"""The user's settings, one JSON file for all windows.

Each window keeps the settings that it started with. It writes only the fields that it changes, under a lock, into
the file as it is then: of two windows the last writer of a field wins, and neither touches the other's fields.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, get_args, get_origin

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError, escaped
from hitscope.errors import Path as JsonPath
from hitscope.folders import config_folder
from hitscope.outputs import write_file
from hitscope.scene.json_locations import excerpt, line_column_of, read_strictly
from hitscope.viewer.files.lock import locked
from hitscope.viewer.state.settings import RECENT, Settings

_FIELDS: Final = {field.name: field for field in msgspec.structs.fields(Settings)}


class SettingsFile:
    """The settings of this window, and the file that it shares with other windows."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the file, by default the user's; mistakes go to `problems`, and their fields have defaults."""
        self.path = config_folder() / "settings.json" if path is None else path
        self.settings = Settings()
        self.problems: list[str] = []
        self.backup_path: Path | None = None
        """The copy of a file that was not JSON and was overwritten."""
        self._text = ""
        try:
            self._text = _text(self.path)
            self.settings, faults = _checked(_document(self._text))
        except Fault as broken:
            # A settings file shows that this is not the first start.
            self.settings, faults = Settings(first_start_seen=True), [broken]
        except OSError as error:
            words = f"{self.path}: expected settings that can be read, found: {error.strerror}"
            self.problems.append(escaped(words))
            return
        for fault in faults:
            self.add_problem(fault)

    def add_problem(self, fault: Fault) -> None:
        """Add a mistake to `problems`, with its line and column in the file."""
        line, column = line_column_of(self._text, fault)
        self.problems.append(escaped(f"{self.path}:{line}:{column}: {fault}"))

    @property
    def problem_text(self) -> str:
        """All problems as one text with the file's name once; empty without problems."""
        if len(self.problems) < 2:
            return "".join(self.problems)
        path = escaped(str(self.path))
        located = (problem.removeprefix(f"{path}:") for problem in self.problems)
        return "\n".join([f"{path}: {len(self.problems)} problems", *located])

    def change(self, **values: Any) -> None:
        """Set fields here and in the file, where they are new; raises HitscopeError where it cannot be written."""
        changed = {name: value for name, value in values.items() if getattr(self.settings, name) != value}
        if changed:
            self._change(lambda _: changed)

    def remember_file(self, path: Path) -> None:
        """Move a file to the front of the recent files of all windows; raises HitscopeError as `change`."""
        name = str(path.absolute())
        try:
            name.encode()
        except UnicodeEncodeError:  # JSON has no way to write such a name
            return
        self._change(lambda now: {"recent": (name, *(other for other in now.recent if other != name))[:RECENT]})

    def remember_lesson(self, name: str) -> None:
        """Add a lesson to the solved ones of all windows; raises HitscopeError as `change`."""
        self._change(lambda now: {"solved_lessons": tuple(sorted({*now.solved_lessons, name}))})

    def _change(self, values_after: Callable[[Settings], dict[str, Any]]) -> None:
        """Set the fields that `values_after` computes from the file's current settings; the rest of it stays."""
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
        """The file's content; one that is not JSON is copied aside and replaced by this window's settings."""
        try:
            return _document(_text(self.path))
        except Fault:
            self.backup_path = self.path.with_name(f"{self.path.name}.broken")
            write_file(self.backup_path, [self.path.read_bytes()])
            now = msgspec.structs.asdict(self.settings)
            return {key: value for key, value in now.items() if value != getattr(Settings(), key)}


def _text(path: Path) -> str:
    """The text of the file, "{}" without one; raises OSError or Fault."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return "{}"
    except UnicodeDecodeError as error:
        raise Fault((), "UTF-8 text", f"byte 0x{error.object[error.start]:02x}", offset=0) from None


def _document(text: str) -> dict[str, Any]:
    """The JSON object of the file's text; raises Fault for any other text."""
    read_strictly(text)
    try:
        document = msgspec.json.decode(text)
    except msgspec.ValidationError as error:
        raise Fault((), "numbers that float64 can hold", str(error), offset=0) from None
    if not isinstance(document, dict):
        raise Fault((), "an object with settings", excerpt(text, 0), offset=0)
    return document


def _checked(document: dict[str, Any]) -> tuple[Settings, list[Fault]]:
    """The settings and their mistakes, each field checked by itself; a wrong one has its default."""
    values = {}
    faults = []
    for key, value in document.items():
        if key not in _FIELDS:
            faults.append(Fault.unknown((key,), "a setting", _FIELDS, key, at_key=True))
            continue
        values[key], wrong = _converted((key,), value, _FIELDS[key].type)
        faults += wrong
    return Settings(**{key: value for key, value in values.items() if value is not UNSET}), faults


def _converted(path: JsonPath, value: Any, kind: Any) -> tuple[Any, list[Fault]]:
    """A value of the file converted to a field's type, UNSET for a wrong one; an object's entries one by one."""
    if isinstance(value, dict) and get_origin(kind.__origin__) is dict:
        _, kind_of_entry = get_args(kind.__origin__)
        found = {key: _converted((*path, key), entry, kind_of_entry) for key, entry in value.items()}
        faults = [fault for _, wrong in found.values() for fault in wrong]
        return {key: entry for key, (entry, _) in found.items() if entry is not UNSET}, faults
    try:
        return msgspec.convert(value, kind), []
    except msgspec.ValidationError:
        (meta,) = kind.__metadata__
        return UNSET, [Fault(path, str(meta.description), excerpt(json.dumps(value, ensure_ascii=False), 0))]
