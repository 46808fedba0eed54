"""The words of a text mesh file as numbers: decimal and finite, on which `float` and `int` do not insist."""

from math import isfinite

EXCERPT_LENGTH = 60


def number(word: bytes) -> float:
    """Return the number that a word is; raises ValueError for any other word."""
    value = float(word)
    if b"_" in word or not isfinite(value):
        raise ValueError
    return value


def integer(word: bytes) -> int:
    """Return the 64-bit integer that a word is; raises ValueError for any other word."""
    value = int(word)
    if b"_" in word or not -(2**63) <= value < 2**63:
        raise ValueError
    return value


def excerpt(line: bytes) -> str:
    """Return the beginning of a line or word, with a mark for what cannot be shown."""
    text = " ".join(line[: 4 * EXCERPT_LENGTH].decode("utf-8", "replace").split())[:EXCERPT_LENGTH]
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
