"""Hostile changes of files: of bytes, and of JSON documents that keep their form."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple


class Token(str):
    """A JSON number, or whatever stands in its place, as it is written."""


class Object(list[Any]):
    """A JSON object as a list of pairs [key, value], so that a key can be repeated."""


STRINGS = [
    "",
    "x",
    "tri",
    "aabb-0",
    "a[0]",
    "a[",
    "\x1b[31mred\x1b[0m",
    "two\nlines",
    "carriage\rreturn",
    "nul\0",
    "[bold red]markup[/]",
    "[/]",
    "<b>&amp;</b>",
    "\u202egnp.exe",
    "line\u2028separator",
    "\x85next line",
    "\ufeffbom",
    "\U0001f600",
    "e\u0301",
    "\u0665\u0666",
    "\ud800",
    "a" * 300,
    "b" * 70_000,
    "../x.obj",
    "/dev/zero",
    "gem.obj",
    "towers.npz",
    "con",
    ".",
    "%s{0}$HOME",
    "exact",
    "sat13",
    "segment",
    "mesh",
    "null",
]
NUMBERS = [
    "0", "-0.0", "1", "-1", "0.1", "2", "1e-9", "5e-324", "-5e-324", "1e-310", "2.2250738585072014e-308",
    "1e308", "1.7976931348623157e308", "-1.7976931348623157e308", "1e154", "1e-160", "9007199254740993",
    "18446744073709551616", "1e23", "0.30000000000000004", "1.0000000000000002", "100000000000000000000000",
]  # fmt: skip
BROKEN = [
    "NaN", "Infinity", "-Infinity", "nan", "1e309", "-1e999", "1e99999999999", "01", "+1", ".5", "1.", "1_0",
    "0x10", "1e", "--1", "True", "None", "undefined", "'x'", "\u0661", "", "1 2", "]", "}", ",", ":", "//",
    "\x00", '"', "1" * 5000, "-" + "1" * 5000, "0." + "1" * 5000, "1e" + "9" * 5000, "[" * 60 + "]" * 60,
    "[" * 2000, '{"a":' * 2000,
]  # fmt: skip
JSON = ["true", "false", "null", "[]", "{}", "[[]]", '{"x": 1}', "[0, 0, 0]", "[[0, 0, 0]]", '"0"', "[1, 2]"]
DIGITS = ["3" * 5000, "1" + "0" * 400, "0." + "0" * 4000 + "1", "1" + "0" * 300 + ".5e-300", "1e-99999"]


def number(random: Random) -> Token:
    """Return a number that JSON allows."""
    if random.random() < 0.05:
        return Token(random.choice(DIGITS))
    if random.random() < 0.3:
        return Token(random.choice(NUMBERS))
    scale = 2.0 ** random.choice((0, 0, 0, 0, 40, -40, 300, -300))
    return Token(repr(random.choice((random.randint(-3, 3), random.uniform(-3, 3), random.gauss(0, 1))) * scale))


def spliced(data: bytes, random: Random, others: list[bytes]) -> bytes:
    """Return bytes changed in one to four places: flipped, deleted, inserted, cut off, spliced, repeated."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        at = random.randrange(len(changed) + 1)
        size = min(random.choice((1, 1, 2, 8, 100)), len(changed) - at)
        other = random.choice(others)
        match random.randrange(9):
            case 0 if size:
                changed[at] ^= 1 << random.randrange(8)
            case 1:
                del changed[at : at + size]
            case 2:
                changed[at:at] = random.randbytes(size)
            case 3:
                del changed[at:]
            case 4:
                begin = random.randrange(len(other) + 1)
                changed[at:] = other[begin:]
            case 5:
                changed[at:at] = bytes(changed[at : at + size]) * random.choice((1, 2, 50))
            case 6:
                changed[at:at] = random.choice((*BROKEN, *NUMBERS, *JSON)).encode()
            case 7:
                boms = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff", b"\xed\xa0\x80", b"\xc0\x80")
                changed[0:0] = random.choice(boms)
            case 8:
                place = random.choice((b"1", b"0", b",", b"]", b'"', b"\n", b" "))
                changed = bytearray(bytes(changed).replace(place, random.choice((b"", b"9", place * 2)), 1))
    return bytes(changed)


def parsed(text: str) -> Any:
    """Return a JSON document with its numbers as tokens and its objects as pairs."""
    return json.loads(
        text, parse_int=Token, parse_float=Token, object_pairs_hook=lambda pairs: Object(map(list, pairs))
    )


def written(value: Any, ascii_only: bool) -> str:
    """Return the text of a document."""
    match value:
        case Token():
            return value
        case Object():
            pairs = (
                f"{json.dumps(key, ensure_ascii=ascii_only)}: {written(item, ascii_only)}" for key, item in value
            )
            return "{" + ",\n".join(pairs) + "}"
        case list():
            return "[" + ", ".join(written(item, ascii_only) for item in value) + "]"
        case _:
            return json.dumps(value, ensure_ascii=ascii_only)


def document(text: str, random: Random, words: list[str]) -> bytes:
    """Return a document changed in one to three values or keys, but still written as JSON."""
    root = [parsed(text)]
    for _ in range(random.choice((1, 1, 2, 3))):
        _change(root, random, words)
    changed = written(root[0] if root else None, ascii_only=random.random() < 0.5)
    return changed.encode("utf-8", random.choice(("surrogatepass", "replace")))


def _change(root: list[Any], random: Random, words: list[str]) -> None:
    places = list(_places(root))
    if not places:
        return
    place = random.choice(places)
    match random.choices(range(8), (50, 6, 12, 8, 6, 8, 3, 7))[0]:
        case 0:  # most files that differ by a number are legal, and go all the way
            numbers = [place for place in places if isinstance(place.value, Token)] or [place]
            for chosen in random.choices(numbers, k=random.choice((1, 3, 20))):
                chosen.set(number(random))
        case 1:
            place.set(Token(random.choice(BROKEN + JSON)))
        case 2:
            strings = [place for place in places if type(place.value) is str]
            random.choice(strings or places).set(random.choice(STRINGS + words))
        case 3:
            del place.owner[place.position]
        case 4:
            place.owner.insert(place.position, place.owner[place.position])
        case 5:
            place.set(deepcopy(random.choice(places).value))
        case 6:
            place.set([place.value])
        case 7:
            objects = [place for place in places if isinstance(place.owner, Object)]
            if objects:
                place = random.choice(objects)
                place.owner.insert(random.choice((0, 99)), [random.choice(STRINGS + words), place.value])


class Place(NamedTuple):
    """A value in a document: the list that has it, and the array or object that has the element or the pair."""

    holder: list[Any]
    key: int
    owner: list[Any]
    position: int

    @property
    def value(self) -> Any:
        """The value itself."""
        return self.holder[self.key]

    def set(self, value: Any) -> None:
        """Replace the value."""
        self.holder[self.key] = value


def _places(value: list[Any]) -> Iterator[Place]:
    """Yield the places of all values in an array or object."""
    for position, item in enumerate(value):
        place = (
            Place(item, 1, value, position)
            if isinstance(value, Object)
            else Place(value, position, value, position)
        )
        yield place
        if isinstance(place.value, list):
            yield from _places(place.value)
