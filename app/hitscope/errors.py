"""Errors in the user's input: one line that names what was expected and what was found."""

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from operator import eq
from typing import Any, Self, TypeAlias

from hitscope import extras

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indices from the root of a file (or of an item) to a value."""

TRACEBACK = "HITSCOPE_TRACEBACK"
"""The environment variable with which the traceback of an internal error is shown."""

LISTED_NAMES = 16
"""The most known names that a message lists."""
LONGEST_NAME = 40
"""The most characters of a known name that a message lists."""
LONGEST_QUOTE = 100
"""The most characters of a key, an id or another text that a message quotes."""
LONGEST_PART = 800
"""The most characters of what a message says was expected."""
LONGEST_FOUND = 200
"""The most characters of what a message says was found."""
COMPARED_NAMES = 256
"""The most known names that are compared letter by letter with an unknown one."""
COMPARED_LENGTH = 100
"""The longest name for which a similar one is looked for: the time grows with the square of the length."""
JSON_TYPES = str | bool | None | dict | list | tuple  # type: ignore[type-arg]
"""The types of Python whose values are shown as JSON: numbers are the same."""
UNSAFE_BEYOND_ASCII = r"\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""Controls, marks that turn the direction of a text, line breaks, and what stands for bytes that are not UTF-8."""
_UNSAFE = re.compile(rf"[\x00-\x1f{UNSAFE_BEYOND_ASCII}]")


class HitscopeError(Exception):
    """An error in the user's input; the message is one line, whatever it quotes.

    >>> import hitscope
    >>> try:
    ...     hitscope.Ray((0, 0, 0))
    ... except hitscope.HitscopeError as error:
    ...     print(error)
    Ray: direction: expected a value, found none
    """

    def __init__(self, message: str) -> None:
        super().__init__(escaped(message))

    @property
    def message(self) -> str:
        """The error in words, without the location in a file."""
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the message and the attributes, whatever arguments the constructor takes."""
        return type(self).__new__, (type(self), *self.args), vars(self)


class SceneError(HitscopeError):
    """A scene file that cannot be loaded: `FILE:LINE:COLUMN: JSONPATH: expected ..., found ...`.

    >>> import hitscope, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "broken.scene.json"
    ...     size = file.write_text('{"version": 1, "primitives": [], "probes": 3}')
    ...     try:
    ...         hitscope.load(file)
    ...     except hitscope.SceneError as error:
    ...         print(str(error).removeprefix(f"{folder}/"))
    broken.scene.json:1:44: $.probes: expected an array, found 3
    """


class Fault(HitscopeError, ValueError):  # noqa: N818 - users meet it as SceneError
    """The values expected and found at `path`; `at_key` if the key itself is wrong, not its value.

    `load` turns it into a SceneError with line and column; `offset` is the offset in the text, where that is known
    better than by the path. It is a ValueError because msgspec passes only those on, with the item's path added.
    """

    def __init__(
        self, path: Path, expected: str, found: str, *, at_key: bool = False, offset: int | None = None
    ) -> None:
        self.path, self.at_key, self.offset = path, at_key, offset
        self.expected, self.found = expected, found
        super().__init__(f"{self.location}: {self.message}")

    @property
    def location(self) -> str:
        return json_path(self.path)

    @property
    def message(self) -> str:
        """The words "expected ..., found ...", without the path."""
        expected, found = escaped(self.expected), escaped(self.found)
        return f"expected {shortened(expected, LONGEST_PART)}, found {shortened(found, LONGEST_FOUND)}"

    def below(self, path: Path) -> "Fault":
        return Fault(path + self.path, self.expected, self.found, at_key=self.at_key)

    @classmethod
    def unknown(
        cls, path: Path, expected: str, known: Collection[str], found: str, *, at_key: bool = False
    ) -> Self:
        """Return the fault of an unknown name: it lists the known ones and suggests the closest."""
        names = list(known)
        shown = [shortened(name, LONGEST_NAME) for name in names[:LISTED_NAMES]]
        listed = ", ".join([*shown, "..."] if len(names) > LISTED_NAMES else shown)
        return cls(path, f"{expected} ({listed or 'there is none'})", with_hint(found, names), at_key=at_key)


@contextmanager
def faults_below(path: Path) -> Iterator[None]:
    """Raise a Fault of the block with its path below another one."""
    try:
        yield
    except Fault as fault:
        raise fault.below(path) from None


class ArgumentFault(Fault):
    """The fault of a value given in Python: `CALLED: ARGUMENT: expected ..., found ...`."""

    def __init__(self, called: str, fault: Fault) -> None:
        """Say that a fault, its path relative to the arguments, is one of a function or constructor."""
        self.called = called
        super().__init__(fault.path, fault.expected, fault.found, at_key=fault.at_key)

    @property
    def location(self) -> str:
        """The function or constructor that was called, and its argument."""
        argument = json_path(self.path).removeprefix("$").removeprefix(".")
        return f"{self.called}: {argument}" if argument else self.called


@contextmanager
def faults_in(called: str) -> Iterator[None]:
    """Raise a Fault of the block as one of the arguments of a function or constructor."""
    try:
        yield
    except Fault as fault:
        raise ArgumentFault(called, fault) from None


def with_hint(found: str, known: Iterable[str]) -> str:
    """Return an unknown name, quoted, with the closest known one as a suggestion."""
    closest = _closest(found, known)
    return quoted(found) + (f" (did you mean {quoted(closest)}?)" if closest else "")


def _closest(found: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like an unknown one, None where none is; of many, by their ends first."""
    from difflib import get_close_matches
    from heapq import nlargest

    if len(found) > COMPARED_LENGTH:
        return None
    names = [name for name in known if len(name) <= COMPARED_LENGTH]
    if len(names) > COMPARED_NAMES:
        # A name with one mistake has the same letters as the right one before it and after it.
        names = nlargest(COMPARED_NAMES, names, key=lambda name: _common_ends(found, name))
    return next(iter(get_close_matches(found, names, n=1)), None)


def _common_ends(a: str, b: str) -> int:
    """Return the number of letters that two names have in common from the start and from the end."""
    return sum(sum(takewhile(bool, map(eq, x, y))) for x, y in ((a, b), (a[::-1], b[::-1])))


def traceback_of(error: Exception) -> str:
    """Return the traceback of an internal error if the user asks for it, else ""."""
    if isinstance(error, HitscopeError) or not os.environ.get(TRACEBACK):
        return ""
    from traceback import format_exception

    return "".join(format_exception(error))


def json_path(path: Path) -> str:
    """Return a path as `$.primitives[2].half_extents[1]`, with keys that are no identifiers as `["..."]`."""
    return "$" + "".join(_step(step) for step in path)


def quoted(text: str) -> str:
    """Return a text as a JSON string, which is one plain line, with its middle cut out where it is long."""
    return shortened(escaped(json.dumps(shortened(text), ensure_ascii=False)), LONGEST_FOUND)


def escaped(text: str) -> str:
    """Return a text with control characters and the like as JSON escapes them, e.g. `\\u001b`."""
    return _UNSAFE.sub(escape, text)


def escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def shortened(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Return a text of at most `longest` characters: an ellipsis stands for the middle of a longer one."""
    if len(text) <= longest:
        return text
    end = longest // 4
    return f"{text[: longest - end - 3]}...{text[len(text) - end :]}"


def in_words(error: Exception) -> str:
    """Return the line that tells a user of an exception: a bug, but for a HitscopeError and what is lacking."""
    if isinstance(error, HitscopeError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and (missing := extras.missing(error.name)):
        return missing
    words = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return f"not enough memory{words and ': '}{words}"
    return (
        f"internal error: {type(error).__name__}{words and ': '}{shortened(words, LONGEST_PART)}; "
        f"please report it, with the traceback that {TRACEBACK}=1 shows"
    )


def shown(value: object) -> str:
    """Return a wrong value in one short line: as JSON where it has one, else as Python writes it."""
    try:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, JSON_TYPES) else str(value)
    except Exception:  # no message may fail on the value that it reports
        text = f"{'an' if type(value).__name__[0] in 'aeiou' else 'a'} {type(value).__name__}"
    return shortened(" ".join(text.split()))


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    is_word = len(step) <= LONGEST_QUOTE and re.fullmatch(r"[A-Za-z_$][\w$]*", step)
    return f".{step}" if is_word else f"[{quoted(step)}]"
