"""The colours of Python source: its pieces, each with its kind."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from imgui_bundle import ImVec4
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from hitscope.viewer.panels import style

Kind: TypeAlias = Literal["plain", "keyword", "string", "number", "comment", "name"]

_KINDS: Final[tuple[tuple[Any, Kind], ...]] = (
    (Comment, "comment"),
    (String.Doc, "comment"),
    (String, "string"),
    (Number, "number"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Function, "name"),
    (Name.Builtin, "name"),
)
_DARK: Final = {"keyword": "#c39ae0", "string": "#a9c77e", "number": "#e2b26d", "name": "#7fb4e8"}
_LIGHT: Final = {"keyword": "#7a3aa8", "string": "#4a6b10", "number": "#8f5300", "name": "#1c5f9e"}


class Piece(NamedTuple):
    """A part of a line, of one kind."""

    words: str
    kind: Kind


def colour_of(kind: Kind, light: bool) -> ImVec4:
    """The colour of a kind in a light or a dark theme."""
    known = (_LIGHT if light else _DARK).get(kind)
    if known is not None:
        return style.colour_of(known)
    return style.FAINT if kind == "comment" else style.TEXT


@lru_cache(maxsize=32)
def highlighted(lines: tuple[str, ...]) -> Sequence[Sequence[Piece]]:
    """The pieces of each line of a source."""
    found: list[list[Piece]] = [[]]
    lexer = PythonLexer(stripnl=False, stripall=False, ensurenl=False)
    for token, words in lexer.get_tokens("\n".join(lines)):
        kind = _kind_of(token)
        first, *others = words.split("\n")
        found[-1].append(Piece(first, kind))
        found.extend([Piece(other, kind)] for other in others)
    return found


def _kind_of(token: Any) -> Kind:
    return next((kind for known, kind in _KINDS if token in known), "plain")
