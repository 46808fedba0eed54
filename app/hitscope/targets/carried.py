"""The options that a target carries with it: those in a comment line of its file, and those of a `hitscope.toml`.

    // hitscope: flags=-Iinclude libengine.a float=f32 boundary=either slack=4 require=unit-direction

    [targets.engine]
    file = "src/ray.c:hit"
    pair = "ray_aabb"
    flags = "-Iinclude libengine.a"

A table goes before a comment line, and the command line before both. They are read for a TARGET that the user has
named alone; what comes from a table is said before it runs.
"""

import os
import re
import shlex
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from hitscope.errors import Fault, HitscopeError, shown
from hitscope.geometry.registry import methods, of_pair, pairs
from hitscope.scene.model import Boundary, Precision
from hitscope.targets.judging.rules import PRECONDITIONS, precondition
from hitscope.targets.target import Carried, TargetText
from hitscope.terminal import print_error

NAME = "hitscope.toml"
"""The file of targets by name, which is looked for in a folder and in those above it."""
_SCRIPTS = (".cjs", ".js", ".mjs", ".py", ".ts")
"""The endings of files in the words of a command that may have a comment line."""
_COMMENT = re.compile(r"[ \t]*(?://[/!]?|#|/\*+|\*)[ \t]*hitscope:[ \t]*(?=\w+=)(.*?)[ \t]*(?:\*/[ \t]*)?")

_said: set[tuple[str, str]] = set()
"""The lines that were said already of the targets of a file, once a process."""


class _Option(NamedTuple):
    expected: str
    read: Callable[[Any], Any]
    """Return what `Carried` has of a value, a text or one of TOML; raises ValueError or TypeError for another."""


def carried(text: str, pair: str | None = None, beside: Iterable[Path] = ()) -> Carried:
    """Return what a TARGET that the user named carries, for a pair if that is known.

    A name is looked for in the current folder, then in those `beside`, which scenes or a configuration lie in, and
    above each of them; what says something of a file also in that file's folder and above. Raises HitscopeError.
    """
    target = TargetText.of(text)
    if target.kind != "catalogue_method":
        own = _of_comment(text)
        above = _tables([Path(target.location).absolute().parent] if _is_file(target) else [])
        tables = [table for table in above if _is_of(table, target) and pair in (None, table.pair or pair)]
        if len(tables) > 1:
            names = ", ".join(table.name for table in tables)
            raise HitscopeError(f"{text}: expected its name in {NAME} ({names}), found its file")
        return _over(tables[0], own)._replace(text=text, name="") if tables else own
    if text.partition(",")[0] in (of_pair(pair) if pair else {method.name for method in methods()}):
        return Carried(text)
    known = []
    for table in _tables([Path.cwd(), *beside]):
        if table.name == text:
            return _over(table, _of_comment(table.text, table.folder))
        known.append(table.name)
    if known and pair:
        raise Fault.unknown((), f"a target of {NAME} or a method of {pair}", [*known, *of_pair(pair)], text)
    return Carried(text)


def _is_file(target: TargetText) -> bool:
    return target.kind != "command" and Path(target.location).is_file()


# Comment lines


def _of_comment(text: str, folder: str = "") -> Carried:
    """Return what the comment lines of a TARGET's file say; those of a command are relative to a folder."""
    target = TargetText.of(text)
    if target.kind == "command":
        words = target.location.split() if os.name == "nt" else _words(target.location)
        files = [Path(folder, word) for word in words if word.endswith(_SCRIPTS)]
    else:
        files = [Path(target.location)] if target.kind in ("c_source", "shader", "python_function") else []
    found: dict[str, Any] = {}
    for file in filter(Path.is_file, files):
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:  # what reads it for its code says so
            continue
        for number, line in enumerate(lines, 1):
            if match := _COMMENT.fullmatch(line):
                try:
                    for name, part in (_read((key,), value, _IN_COMMENTS) for key, value in _pairs(match[1])):
                        found[name] = found[name] + part if isinstance(found.get(name), tuple) else part
                except Fault as fault:
                    raise HitscopeError(f"{file}:{number}: {fault.message}") from None
                found["folder"] = str(file.absolute().parent)
    return Carried(text, **found)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of a comment line: a value goes on to the next key, or is quoted as a whole."""
    parts = re.split(r"(?:^|\s+)(" + "|".join([*_IN_COMMENTS, r"^\w+"]) + ")=", text)
    for key, value in zip(parts[1::2], parts[2::2], strict=True):
        words = _words(value)
        yield key, words[0] if len(words) == 1 and value[:1] in ("'", '"') else value


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # whoever needs the words says so
        return []


# Tables


def _is_of(table: Carried, target: TargetText) -> bool:
    own = TargetText.of(table.text)
    is_alike = own.function == target.function and _is_file(own)
    return is_alike and Path(own.location).resolve() == Path(target.location).resolve()


def _over(table: Carried, own: Carried) -> Carried:
    """Return what a table says and, where it says nothing, the comment line; says what will run."""
    given = {name: value for name, value in table._asdict().items() if value not in ("", None, ())}
    if own.flags and not table.flags:
        given["folder"] = own.folder
    found = own._replace(**given)
    runs = [f"compiled with {' or with '.join(found.flags)}"] if found.flags else []
    line = f"{_relative(Path(table.file))}: {table.name} is {', '.join([table.text, *runs])}"
    from multiprocessing import parent_process  # not needed where nothing is carried

    if (table.file, line) not in _said and parent_process() is None:
        _said.add((table.file, line))
        print_error(line)
    return found


def _tables(folders: Iterable[Path]) -> Iterator[Carried]:
    """Yield what the tables of the files in folders and above say, each by its name, the nearest first."""
    above = (folder for start in folders for folder in (start.absolute(), *start.absolute().parents))
    for folder in dict.fromkeys(above):
        if (file := folder / NAME).is_file():
            yield from _tables_of(file)


def _tables_of(file: Path) -> Iterator[Carried]:
    shown_path = _relative(file)
    if sys.platform != "win32":  # another user may have laid it where everyone may write, as in /tmp
        owners = os.getuid(), 0, file.parent.stat().st_uid
        if file.stat().st_uid not in owners and file.parent.stat().st_mode & stat.S_IWOTH:
            raise HitscopeError(f"{shown_path}: expected a file of your own, found one of another user")
    try:
        text = file.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"\(at line (\d+)", str(error))
        words = re.sub(r" \(at .*", "", str(error))
        place = f"{shown_path}:{line[1] if line else text.count(chr(10)) + 1}"
        raise HitscopeError(f"{place}: expected TOML, found: {words}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise HitscopeError(f"{shown_path}: expected TOML in UTF-8, found: {error}") from None
    try:
        for key in document:
            if key != "targets":
                raise Fault.unknown((key,), "a table", ["targets"], key)
        targets = document.get("targets", {})
        if not isinstance(targets, dict):
            raise Fault(("targets",), "tables [targets.NAME]", shown(targets))
        for name, table in targets.items():
            yield _of_table(file, name, table)
    except Fault as fault:
        place = f"{shown_path}:{_line_of(text.splitlines(), fault.path)}"
        raise HitscopeError(f"{place}: {fault.message}") from None


def _of_table(file: Path, name: str, table: Any) -> Carried:
    """Return what a table says of a target; raises Fault."""
    if not re.fullmatch(r"[\w-]+", name) or name in {method.name for method in methods()}:
        expected = "a name of letters, digits, _ and - that no method of the catalogue has"
        raise Fault(("targets", name), expected, shown(name))
    if not isinstance(table, dict) or not isinstance(table.get("file"), str):
        found = table.get("file", "none") if isinstance(table, dict) else table
        raise Fault(("targets", name, "file"), 'file = "FILE:FUNCTION"', shown(found))
    options = ((("targets", name, key), value) for key, value in table.items() if key != "file")
    given = dict(_read(path, value, _IN_TABLES) for path, value in options)
    return Carried(_from(file.parent, table["file"]), name=name, folder=str(file.parent), file=str(file), **given)


def _from(folder: Path, text: str) -> str:
    """Return a TARGET whose file is relative to a folder relative to the current one."""
    target = TargetText.of(text)
    file = folder / target.location
    if target.kind in ("command", "catalogue_method") or not (file.suffix and os.path.lexists(file)):
        return text
    return f"{_relative(file)}:{target.function}"


def _relative(file: Path) -> str:
    try:
        return os.path.relpath(file)
    except ValueError:  # on another drive of Windows
        return str(file)


def _line_of(lines: Sequence[str], keys: Sequence[str | int]) -> int:
    """Return the line of a key or a table, else of the table that it is missing in: `tomllib` does not say it."""
    table: tuple[str, ...] = ()
    found = 1
    for number, line in enumerate(lines, 1):
        if header := re.match(r"\s*\[([^\]]*)\]", line):
            here = table = tuple(name.strip(" \t\"'") for name in header[1].split("."))
            found = number if table == keys[:-1] else found
        else:
            name = re.match(r"\s*[\"']?([\w-]+)", line)
            here = (*table, name[1]) if name else ()
        if here[: len(keys)] == keys:
            return number
    return found


# Options


def _read(path: tuple[str, ...], value: Any, options: Mapping[str, _Option]) -> tuple[str, Any]:
    """Return the field of `Carried` that the option at a path is, and its value; raises Fault."""
    key = path[-1]
    if key not in options:
        raise Fault.unknown(path, "an option", options, key)
    try:
        return "precision" if key == "float" else key, options[key].read(value)
    except (TypeError, ValueError):
        raise Fault(path, options[key].expected, shown(value)) from None


def _one_of(names: tuple[str, ...]) -> _Option:
    return _Option(" or ".join(names), lambda value: names[names.index(value)])


def _several(expected: str, is_one: Callable[[str], object], split: bool = True) -> _Option:
    """Return an option of one text or several, each of which a function finds to be right or raises ValueError."""

    def read(value: Any) -> tuple[str, ...]:
        texts = (re.split(r"[\s,]+", value) if split else [value]) if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise TypeError
        for text in texts:
            is_one(text)
        return tuple(filter(None, texts))

    return _Option(expected, read)


def _slack(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not 0 <= number < float("inf"):
        raise ValueError
    return number


_IN_COMMENTS = {
    "flags": _several("flags as a shell reads them", shlex.split, split=False),
    "float": _one_of(get_args(Precision)),
    "boundary": _one_of(get_args(Boundary)),
    "slack": _Option("a number of ulps, at least 0", _slack),
    "generators": _several("names of generators", str),
    "require": _several(PRECONDITIONS, precondition),
}
_IN_TABLES = {
    "pair": _Option("a pair PROBE_PRIMITIVE", lambda value: pairs()[pairs().index(value)]),
    **_IN_COMMENTS,
}
