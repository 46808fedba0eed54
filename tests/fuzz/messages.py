"""What every message of an error promises: one short line without control characters."""

import re
import unicodedata

from harness import Failure

LONGEST = 600
_UNSAFE = ("Cc", "Cs", "Zl", "Zp")
_VALUES = re.compile(r'"(?:[^"\\]|\\.)*"?|\([^)]*\)|[-+]?\d[\w.+-]*')


def check(message: str, name: str = "", longest: int = LONGEST) -> str:
    """Return the kind of a message, its words without numbers and quotations; `name` is a file that it names."""
    words = message.removeprefix(name)
    if len(message.splitlines()) != 1:
        raise Failure("message of several lines, or none", ascii(message))
    if unsafe := {unicodedata.name(c, hex(ord(c))) for c in words if unicodedata.category(c) in _UNSAFE}:
        raise Failure("control characters in a message", f"{sorted(unsafe)} in {message!a}")
    if len(words) > longest:
        raise Failure("message too long", f"{len(words)}: {message!a}")
    _, _, expected = words.partition("expected ")
    return "refused: " + " ".join(_VALUES.sub("", expected.partition(", found")[0] or words).split())[:60]
