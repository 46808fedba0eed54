"""The values of a scene's expectations, replaced in the text of its file, where every other byte stays.

Key order, layout, line ends and the spelling of what does not change are the author's.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from hitscope.scene.json_locations import members, span
from hitscope.scene.model import Expectation
from hitscope.scene.save import value_text

_VALUE = msgspec.json.Decoder(bool | float | str | tuple[float, ...] | None)
_NAMES = msgspec.json.Decoder(tuple[str, ...])


@dataclass(frozen=True)
class ValueChange:
    """A value of an expectation that was replaced."""

    index: int
    """The index of the expectation in `expect`."""
    line: int
    """The line of the new value, from 1."""
    name: str
    """The field, and the component of a vector, such as "t_enter", "normal[2]" and "hits"."""
    old: str
    """The text that was there; "" for a name added to a list."""
    new: str
    """The text that replaced it; "" for a name removed from a list."""


class _Edit(NamedTuple):
    start: int
    end: int
    text: str
    """The replacement of the bytes from `start` to `end`."""
    name: str
    old: str
    new: str


def with_values(data: bytes, changed: Mapping[int, Expectation]) -> tuple[bytes, tuple[ValueChange, ...]]:
    """Return the text of a valid scene file with the answers of some expectations, by index, and what changed.

    Only answers that the text states already are replaced. A name new to a list of hits takes the line of one that
    is removed, or else a line of its own where each name has one; the order of those lists has no meaning.
    """
    body = data.removeprefix(BOM_UTF8)
    pieces, changes = [data[: len(data) - len(body)]], []
    line, done = 1, 0
    for index, text in members(members(msgspec.json.decode(body, type=Raw)).get("expect", Raw(b"[]"))).items():
        if index not in changed:
            continue
        assert isinstance(index, int)
        for edit in sorted(_edits(body, text, changed[index]), key=attrgetter("start", "end")):
            kept, written = body[done : edit.start], edit.text.encode()
            line += kept.count(b"\n")
            changes.append(ValueChange(index, line, edit.name, edit.old, edit.new))
            line += written.count(b"\n")
            pieces += [kept, written]
            done = edit.end
    return b"".join((*pieces, body[done:])), tuple(changes)


def _edits(body: bytes, expectation: Raw, new: Expectation) -> Iterator[_Edit]:
    for name, value in members(expectation).items():
        if name == "hits":
            yield from _name_edits(body, value, new.hits or ())
        elif name in Expectation.answers:
            yield from _value_edits(body, str(name), value, getattr(new, str(name)))


def _value_edits(body: bytes, name: str, old: Raw, new: Any) -> Iterator[_Edit]:
    """Yield the edits of one value; of a vector, of the components that differ."""
    found = _VALUE.decode(old)
    if found == new:
        return
    if isinstance(found, tuple) and isinstance(new, tuple):
        for i, component in members(old).items():
            yield from _value_edits(body, f"{name}[{i}]", component, new[int(i)])
        return
    text = value_text(new)
    yield _Edit(*span(body, old), text, name, " ".join(bytes(old).decode().split()), text)


def _name_edits(body: bytes, listed: Raw, new: tuple[str, ...]) -> Iterator[_Edit]:
    """Yield the edits of a list of names: as few lines as possible change."""
    old = _NAMES.decode(listed)
    spans = [span(body, name) for name in members(listed).values()]
    texts = [body[start:end].decode() for start, end in spans]
    gone = [i for i, name in enumerate(old) if name not in new]
    added = [value_text(name) for name in new if name not in old]
    for i, text in zip(gone, added, strict=False):
        yield _Edit(*spans[i], text, "hits", texts[i], text)
    removed, left = gone[len(added) :], added[len(gone) :]
    first, end = span(body, listed)
    if len(removed) == len(old):
        if removed or left:
            text = f"[{', '.join(left)}]"
            yield _Edit(first, end, text, "hits", ", ".join(texts), ", ".join(left))
        return
    last = max(i for i in range(len(old)) if i not in removed)
    for i in removed:
        cut = (spans[i][0], spans[i + 1][0]) if i < last else (spans[i - 1][1], spans[i][1])
        yield _Edit(*cut, "", "hits", texts[i], "")
    separator = _separator(body, first, spans)
    for text in left:
        if "\n" in separator:  # before the last one, which needs no comma there
            yield _Edit(spans[-1][0], spans[-1][0], text + separator, "hits", "", text)
        else:
            yield _Edit(spans[-1][1], spans[-1][1], separator + text, "hits", "", text)


def _separator(body: bytes, first: int, spans: list[tuple[int, int]]) -> str:
    """The text between two names of a list that begins at `first`."""
    if len(spans) > 1:
        return body[spans[0][1] : spans[1][0]].decode()
    before = body[first + 1 : spans[0][0]].decode()
    return "," + (before if "\n" in before else " ")
