"""What every message of an error promises: one short line without control characters."""

import re
import unicodedata

from tests.fuzz.harness import Failure

LONGEST = 600
_UNSAFE = ("Cc", "Cs", "Zl", "Zp")
_VALUES = re.compile(r'"(?:[^"\\]|\\.)*"?|\([^)]*\)|[-+]?\d[\w.+-]*')


def check(message: str, name: str = "", longest: int = LONGEST) -> str:
    """Check a message and return its kind; `name` is a file that it names, however long."""
    words = message.removeprefix(name)
    if len(message.splitlines()) != 1:
        raise Failure("message of several lines, or none", ascii(message))
    if unsafe := {unicodedata.name(c, hex(ord(c))) for c in words if unicodedata.category(c) in _UNSAFE}:
        raise Failure("control characters in a message", f"{sorted(unsafe)} in {message!a}")
    if len(words) > longest:
        raise Failure("message too long", f"{len(words)}: {message!a}")
    return kind(words)


def kind(words: str) -> str:
    """Return what a message expects, without numbers and quotations."""
    _, _, expected = words.partition("expected ")
    return "refused: " + " ".join(_VALUES.sub("", expected.partition(", found")[0] or words).split())[:60]
