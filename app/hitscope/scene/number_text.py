"""Numbers as logs, debuggers, source code and tables print them: found in any text, with the words beside them.

Nothing is executed. Timestamps, dates and positions in source files are no numbers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from typing import Final, NamedTuple

from hitscope.errors import HitscopeError, quoted
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3

LONGEST_TEXT = 300_000
"""The most characters that are read: reading them takes seconds, and bulk items of a file hold any number."""
LONGEST_WORD = 1_200
"""The most characters of a number or an identifier; all digits of any float64 are fewer."""
DEEPEST = 64
"""The most brackets inside one another."""
MOST_WORDS = 16
"""The most words before a vector that name it."""
DIGITS: Final = r"\d(?:[_']?\d)*"
HEX: Final = r"0[xX](?:[0-9a-fA-F]++(?:\.[0-9a-fA-F]*+)?|\.[0-9a-fA-F]++)(?:[pP][-+−]?[0-9]+)?"
DECIMAL: Final = rf"(?:{DIGITS}(?:\.(?:{DIGITS})?)?|\.{DIGITS})(?:[eEdD][-+−]?\d+)?"
SUFFIX: Final = r"(?:_?f(?:16|32|64)|[fFdDlLhHm])?"
"""The suffix of a number in source code, such as `1.0f`, `2f64` or `3.0m`."""
NOT_FINITE: Final = r"[-+−]?(?:(?i:nan|inf(?:inity)?)(?:\(\w*\))?|\d\.\#[A-Z]+\d*)"
NOISE = re.compile(
    r"""
    (?<!\d)\d{4}(?P<after_year>[-./])\d{1,2}(?P=after_year)\d{1,2}(?!\d)                     # 2024-05-01, and then
        (?:[T\ _-]+\d{1,2}[:.]\d{2}[:.]\d{2}(?:\.\d+|[,:]\d{3}(?![\d.]))?)?(?:Z|[+-]\d{2}:?\d{2}\b)?
  | (?<![\d.])\d{1,2}(?P<after_day>[-./])\d{1,2}(?P=after_day)\d{4}(?![\d.])                 # 1.5.2024
  | (?<![\w.:])(?:\d{2}-\d{2}\ +)?\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+|,\d{3}(?![\d.]))?(?:Z|\ ?[AP]M)?(?![\w:])
  | (?<![\w./\\-])[\w./\\-]+\.(?:cc|cpp|cxx|cs|c|hpp|hh|h|rs|py|js|ts|java|kt|go|gd|swift|lua|mm|m)
        (?::\d+(?::\d+)?|\(\d+(?:,\ ?\d+)?\)):?                                              # file.cpp:123
    """,
    re.VERBOSE,
)
"""Digits that are no coordinates."""
LONG_WORD = re.compile(rf"(?<![\w.'])[\w.']{{{LONGEST_WORD + 1},}}")
"""Text that is neither a number nor an identifier, such as an image in base64."""
ANGLE = re.compile(r"<([\s\d.,;:=+\-−eEfFxyzXYZ]*)>")
"""A vector in angle brackets."""
TOKEN = re.compile(
    rf"""
    (?P<newline>\r\n?|\n)
  | (?P<space>[^\S\r\n]+)
  | (?P<arrow>->|=>|→|-(?=\s))
  | (?P<number>(?:{NOT_FINITE}|[-+−]?(?:{HEX}|{DECIMAL}){SUFFIX})(?!\w|\.\d))
  | (?P<word>[^\W\d]\w*(?:(?:\.|::|->)\w+)*(?:<[A-Za-z_][\w\s:,.*&]{{0,80}}>)?|\w[\w.]*)
  | (?P<open>[\[({{])
  | (?P<close>[\])}}])
  | (?P<separator>[,;|])
  | (?P<assign>[:=])
  | (?P<other>.)
    """,
    re.VERBOSE,
)
SIGNED = re.compile(rf"([-+−]?)(?:({HEX})|({DECIMAL})){SUFFIX}")
PAIRS: Final = {")": "(", "]": "[", "}": "{"}
SPACED_MINUS = re.compile(r"(?<=[,;(\[{=])[^\S\r\n]*[-−][^\S\r\n]+(?=[\d.])")
"""The sign of a number that is printed apart from it."""
GERMAN = re.compile(r"(?<=\d),(?=\d)")
"""A comma that may be a decimal one."""
CELL = re.compile(r"[(\[{]?[-+−]?\d+,\d+[)\]}]?[;.]?")
"""A number with a decimal comma between blanks; .NET separates those by points."""
LABELLED_GERMAN = re.compile(r"\b[xyz]\s*[=:]\s*[-+−]?\d+,\d++(?![,.]\d)", re.IGNORECASE)
VECTOR_TYPE = re.compile(r"[a-z_]{3,}[234][a-z]{0,2}|f?vector|vec|np|array|list|tuple|new|const|float\d*|f\d+")
"""Identifiers that say only that numbers follow, as they are in lower case."""


class Vector(NamedTuple):
    """Three numbers and the words before them, the nearest last."""

    words: tuple[str, ...]
    values: Vec3


class Scalar(NamedTuple):
    """A number that is part of no vector, and the words before it."""

    words: tuple[str, ...]
    value: float


class Row(NamedTuple):
    """The numbers of a line, or of a bracket with several vectors, with the words before it."""

    words: tuple[str, ...]
    vectors: tuple[Vector, ...]
    scalars: tuple[Scalar, ...]


class _Number(NamedTuple):
    identifiers: tuple[str, ...]
    text: str
    begins: bool
    """Whether a vector may begin, but not go on, with it."""


def rows_of(text: str) -> list[Row]:
    """The numbers in a text, row by row.

    Raises HitscopeError for a number in a vector that float64 cannot hold, and for a text that is too long.
    """
    if len(text) > LONGEST_TEXT:
        raise HitscopeError(f"expected a text of at most {LONGEST_TEXT:,} characters, found {len(text):,}")
    reader, line = _Reader(), 1
    try:
        for kind, token, adjacent in _tokens(text):
            reader.take(kind, token, adjacent)
            line += kind == "newline"
        reader.end_line(blank=False)
        reader.end_line(blank=True)
    except HitscopeError as error:
        raise HitscopeError(f"line {line}: {error}" if "\n" in text.strip() else str(error)) from None
    return reader.rows


def component_texts(text: str) -> list[str] | None:
    """The texts of all numbers of a vector such as `vec3(1.f, 2.f, 3.f)`; None where anything is calculated."""
    if len(text) > LONGEST_TEXT:
        return None
    found: list[str] = []
    last = ""
    for kind, token, _ in _tokens(text):
        if kind == "arrow" or (kind == "other" and token not in "\"'") or kind == last == "number":
            return None
        found += [token] if kind == "number" else []
        last = kind
    return found


def value_of(text: str) -> float:
    """The float64 nearest to a number as source code writes it; inf where it is too large, NaN where it is none.

    Raises ValueError for any other text.
    """
    try:
        return float(text)
    except ValueError:
        pass
    if re.fullmatch(NOT_FINITE, text):
        return float("nan")
    if (number := SIGNED.fullmatch(text)) is None:
        raise ValueError(text)
    sign, hexadecimal, decimal = (re.sub("[_']", "", part or "").replace("−", "-") for part in number.groups())
    try:
        return float(sign + re.sub("[dD]", "e", decimal)) if decimal else float.fromhex(sign + hexadecimal)
    except OverflowError:
        return float("inf")


def _tokens(text: str) -> Iterator[tuple[str, str, bool]]:
    """The kind and the text of each token but space, and whether it follows the one before without space.

    A bracket without its partner is of the kind "other".
    """
    text = LONG_WORD.sub(" ", text)
    text = SPACED_MINUS.sub("-", NOISE.sub(" ", text.replace("\0", " ")))
    plain = "".join(_with_decimal_points(line) for line in text.splitlines(keepends=True))
    found = [(str(token.lastgroup), token[0]) for token in TOKEN.finditer(ANGLE.sub(r"(\1)", plain))]
    matched = _matched_brackets(found)
    adjacent = False
    for i, (kind, token) in enumerate(found):
        if kind != "space":
            yield "other" if kind in ("open", "close") and i not in matched else kind, token, adjacent
        adjacent = kind != "space"


def _with_decimal_points(line: str) -> str:
    """The line with points for decimal commas, where they can be nothing else."""
    if "," not in line or re.search(r"\d\.\d", line):
        return line
    words = line.replace("<", "(").replace(">", ")").split()
    if len(words) % 3 == 0 and all(map(CELL.fullmatch, words)):
        return GERMAN.sub(".", re.sub(r"(\d,\d+)\.(?=\s)", r"\1", line))
    cells = re.split(r"[;\t|]", line)
    if len(cells) > 2 and all(cell.count(",") == len(GERMAN.findall(cell)) <= 1 for cell in cells):
        return GERMAN.sub(".", line)
    return GERMAN.sub(".", line) if len(LABELLED_GERMAN.findall(line)) == line.count(",") else line


def _matched_brackets(tokens: Sequence[tuple[str, str]]) -> set[int]:
    """The indices of the brackets that have a partner; a line of text may well have others."""
    matched: set[int] = set()
    opened: list[tuple[str, int]] = []
    left = dict.fromkeys(PAIRS.values(), 0)
    for i, (kind, token) in enumerate(tokens):
        if kind == "open":
            opened.append((token, i))
            left[token] += 1
        elif kind == "close" and left[PAIRS[token]]:
            bracket = ""
            while bracket != PAIRS[token]:
                bracket, index = opened.pop()
                left[bracket] -= 1
            matched |= {i, index}
    return matched


@dataclass
class _Group:
    """The numbers inside a bracket, or in a line."""

    identifiers: tuple[str, ...] = ()
    is_index: bool = False
    """Whether it may be an index, such as that of `hit[0]`."""
    run: list[_Number] = field(default_factory=list)
    """The last numbers."""
    parts: list[Vector | Scalar | Row] = field(default_factory=list)
    """The parts before them."""

    def end_run(self) -> None:
        """Make vectors, and single numbers, of the last numbers."""
        numbers, self.run = self.run, []
        is_of_four = len(numbers) == 4 and re.search("4[a-z]?$", "".join(self.identifiers[-1:]))
        if is_of_four and value_of(numbers[3].text) in (0.0, 1.0):
            del numbers[3]  # of a homogeneous point or vector
        begin = 0
        while begin < len(numbers):
            words = _components(numbers[begin : begin + 3])
            if words is not None:
                end = begin + 3
            else:
                end = next((i for i in range(begin + 1, len(numbers)) if numbers[i].begins), len(numbers))
                words = words_of(numbers[begin].identifiers)
            step = 1 if (end - begin) % 3 else 3
            for i in range(begin, end, step):
                named, part = words if i == begin else (), numbers[i : i + step]
                self.parts.append(
                    Vector(named, _vector(part)) if step == 3 else Scalar(named, value_of(part[0].text))
                )
            begin = end

    def split(self) -> tuple[list[Vector], list[Scalar], list[Row]]:
        """The parts, by their types."""
        vectors = [part for part in self.parts if isinstance(part, Vector)]
        scalars = [part for part in self.parts if isinstance(part, Scalar)]
        return vectors, scalars, [part for part in self.parts if isinstance(part, Row)]


class _Reader:
    """Takes tokens one by one and collects rows."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._groups = [_Group()]
        """The line, and the open brackets in it."""
        self._identifiers: list[str] = []
        """The identifiers since the last number, bracket or separator."""
        self._singles: list[_Number] = []
        """The numbers of consecutive lines with one number each."""
        self._header: list[tuple[str, ...]] = []
        """The identifiers above each column of a table."""
        self._cells: list[list[str]] = [[]]
        """The words of the line, by column, while it has no number."""
        self._last = ""
        """The kind of the last token."""
        self._after_arrow = False

    def take(self, kind: str, token: str, adjacent: bool) -> None:
        group = self._groups[-1]
        match kind:
            case "newline" if len(self._groups) == 1:
                self.end_line(blank=self._last in ("newline", ""))
            case "word":
                self._identifiers.append(re.sub(r"<.*", "", token, flags=re.DOTALL))
                self._cells[-1].append(token)
            case "number":
                identifiers = tuple(self._identifiers[-MOST_WORDS:])
                column = len(group.run)
                if not identifiers and len(self._groups) == 1 and column < len(self._header):
                    identifiers = self._header[column]
                begins = bool(words_of(identifiers)) or self._after_arrow
                group.run.append(_Number(identifiers if begins else (), token, begins))
                self._after_arrow = False
                self._identifiers.clear()
            case "open":
                if len(self._groups) > DEEPEST:
                    raise HitscopeError(f"expected at most {DEEPEST} brackets inside one another, found more")
                is_index = token == "[" and self._last == "word" and adjacent
                self._groups.append(_Group(tuple(self._identifiers[-MOST_WORDS:]), is_index))
                self._identifiers.clear()
            case "close":
                self._groups.pop()
                self._close(group, self._groups[-1], inside=len(self._groups) > 1)
                self._identifiers.clear()
            case "separator":
                self._identifiers.clear()
                self._cells.append([])
            case "arrow":
                self._after_arrow = bool(group.run)
        self._last = kind if kind != "other" or token not in "\"'" else self._last

    def end_line(self, blank: bool) -> None:
        group = self._groups[0]
        if len(group.run) == 1 and not group.parts:
            self._singles += group.run
            group.run = []
        elif group.run or group.parts or blank:
            for line in (_Group(run=self._singles), group):
                line.end_run()
                self._add(line)
            self._singles = []
        elif self._last == "word" or any(self._cells):
            self._header = _columns(self._cells)
        self._groups = [_Group()]
        self._cells = [[]]
        if self._last != "assign":  # a key whose value is in the next lines
            self._identifiers.clear()

    def _add(self, line: _Group) -> None:
        vectors, scalars, rows = line.split()
        own = [Row((), tuple(vectors), tuple(scalars))] if vectors or (scalars and not rows) else []
        first = next((part for part in line.parts if not isinstance(part, Scalar)), None)
        self.rows += [*rows, *own] if isinstance(first, Row) else [*own, *rows]

    def _close(self, group: _Group, parent: _Group, inside: bool) -> None:
        """Pass what is in a bracket on to what is around it."""
        if len(group.run) == 1 and not group.parts and not group.run[0].identifiers:
            if inside and not group.is_index:
                parent.run.append(group.run[0]._replace(identifiers=group.identifiers))
            return
        group.end_run()
        if not group.parts:
            return
        parent.end_run()
        words = words_of(group.identifiers)
        vectors, scalars, rows = group.split()
        if vectors and rows:
            # A list without names inside is the value of a name, such as the axes of a box.
            lists = [row for row in rows if _is_list(row)]
            vectors += [vector._replace(words=row.words) for row in lists for vector in row.vectors]
            rows = [row for row in rows if not _is_list(row)]
        if len(vectors) == 1 and not scalars and not rows:
            parent.parts.append(vectors[0]._replace(words=_joined(words, vectors[0].words)))
        elif vectors:
            parent.parts += [Row(words, tuple(vectors), tuple(scalars)), *rows]
        elif rows:
            parent.parts += [row._replace(words=_joined(words, row.words)) for row in rows]
        else:
            parent.parts += [scalar._replace(words=_joined(words, scalar.words)) for scalar in scalars]


def _is_list(row: Row) -> bool:
    """Whether a row is of vectors alone, none of them named."""
    return not row.scalars and not any(vector.words for vector in row.vectors)


def _columns(cells: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The identifiers above the columns of a table, if a line without a number gives those of a vector."""
    if len(cells) == 1:
        cells = [[word] for word in cells[0]]
    columns = [tuple(cell[-MOST_WORDS:]) for cell in cells]
    axes = [_axis(cell)[1] for cell in columns]
    return columns if any(axes[i : i + 3] == ["x", "y", "z"] for i in range(len(axes) - 2)) else []


def _components(numbers: Sequence[_Number]) -> tuple[str, ...] | None:
    """The words of a vector whose three numbers are labelled x, y and z; None of other numbers."""
    labels = [_axis(number.identifiers) for number in numbers]
    prefixes, axes = [prefix for prefix, _ in labels], [axis for _, axis in labels]
    if axes != ["x", "y", "z"] or not {"", prefixes[0]}.issuperset(prefixes):
        return None
    return words_of((*numbers[0].identifiers[:-1], prefixes[0]))


@lru_cache(maxsize=1024)
def _axis(identifiers: tuple[str, ...]) -> tuple[str, str]:
    """The last identifier as a prefix and one of "x", "y" and "z"; ("", "") of any other."""
    name = identifiers[-1].lower() if identifiers else ""
    if found := re.fullmatch(r"([xyz])_?(\d*)", name):
        return found[2], found[1]
    found = re.fullmatch(r"(.*?)[_.]?([xyz])", name)
    return (found[1], found[2]) if found else ("", "")


def _vector(numbers: Sequence[_Number]) -> Vec3:
    values = [value_of(number.text) for number in numbers]
    for number, value in zip(numbers, values, strict=True):
        if not isfinite(value):
            raise HitscopeError(f"expected numbers that float64 can hold, found {quoted(number.text)}")
    return vec3(values)


def _joined(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    return (*outer, *inner)[-MOST_WORDS:]


def words_of(identifiers: Sequence[str]) -> tuple[str, ...]:
    """The last words of identifiers in lower case, without those that only name a type of vector."""
    return tuple(word for identifier in identifiers for word in _words(identifier))[-MOST_WORDS:]


@lru_cache(maxsize=1024)
def _words(identifier: str) -> tuple[str, ...]:
    parts = re.split(r"\.|::|->|_", identifier)
    kept = (part for part in parts if not VECTOR_TYPE.fullmatch(part.lower()))
    words = re.compile(r"[A-Z]+\d*(?![a-z])|[A-Z]?[^\W\dA-Z_]+\d*")
    return tuple(word.lower() for part in kept for word in words.findall(part))
