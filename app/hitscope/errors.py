"""What is wrong with what the user gave, in one line that names what was expected and what was found."""

import json
import re
from collections.abc import Collection, Iterable
from typing import Self, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead from the root of the file (or of an item) to a value."""

LISTED_NAMES = 16
"""A message lists at most this many known names."""


class HitscopeError(Exception):
    """Something the user gave is wrong; the message is one line."""

    @property
    def words(self) -> str:
        """Say what is wrong, without the place in a file."""
        return str(self)


class SceneError(HitscopeError):
    """A scene file that cannot be loaded: `FILE:LINE:COLUMN: JSONPATH: expected ..., found ...`."""


class Fault(HitscopeError, ValueError):  # noqa: N818 - it is a place; SceneError is what users meet
    """What was expected and found at `path`; `at_key` when the key itself is wrong, not its value.

    `load` turns it into a SceneError with line and column, for which `offset` is the place in the text where
    that is known better than by the path. It is a ValueError because msgspec passes only those on, with the
    path of the item added.
    """

    def __init__(
        self, path: Path, expected: str, found: str, *, at_key: bool = False, offset: int | None = None
    ) -> None:
        self.path = path
        self.expected = expected
        self.found = found
        self.at_key = at_key
        self.offset = offset
        super().__init__(f"{json_path(path)}: {self.words}")

    @property
    def words(self) -> str:
        """Say what was expected and found, without the place."""
        return f"expected {self.expected}, found {self.found}"

    def below(self, path: Path) -> Self:
        """Give the same fault of a value that lies at `path`."""
        return type(self)(path + self.path, self.expected, self.found, at_key=self.at_key)

    @classmethod
    def unknown(
        cls, path: Path, expected: str, known: Collection[str], found: str, *, at_key: bool = False
    ) -> Self:
        """Make the fault of a name that is none of `known`: it lists them and suggests the closest."""
        names = list(known)
        listed = ", ".join([*names[:LISTED_NAMES], "..."] if len(names) > LISTED_NAMES else names)
        return cls(path, f"{expected} ({listed or 'there is none'})", with_hint(found, names), at_key=at_key)


def with_hint(found: str, known: Iterable[str]) -> str:
    """Quote a name that is none of `known`, and ask whether the closest one is meant."""
    from difflib import get_close_matches

    closest = get_close_matches(found, list(known), n=1)
    return quoted(found) + (f" (did you mean {quoted(closest[0])}?)" if closest else "")


def json_path(path: Path) -> str:
    """Write a path as `$.primitives[2].half_extents[1]`; keys that are no identifiers as `["..."]`."""
    return "$" + "".join(_step(step) for step in path)


def quoted(text: str) -> str:
    """Write a text as a JSON string, so that it stays on one line."""
    return json.dumps(text, ensure_ascii=False)


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if re.fullmatch(r"[A-Za-z_$][\w$]*", step) else f"[{quoted(step)}]"
