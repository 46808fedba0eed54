"""The search for repeated keys in a JSON text, which msgspec accepts."""

import re

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_BRACES_AND_KEYS = re.compile(rb"([{}]|" + _STRING + rb"(?=[ \t\n\r]*+:))|" + _STRING, re.DOTALL)
_PIECE = 1 << 20
_OF_NUMBERS = b"0123456789-+., \t\n\r[]"


def may_repeat_a_key(data: bytes) -> bool:
    """Whether any object of a valid JSON text has two equal keys; True for some texts without.

    Digits are removed first, all at once, so that the search skips long arrays of numbers. Without them different
    keys may look equal, and escapes are not decoded; `read_strictly` decides.
    """
    outer: list[set[bytes]] = []
    keys: set[bytes] = set()
    text = bytearray()
    for start in range(0, len(data), _PIECE):
        text += data[start : start + _PIECE].translate(None, _OF_NUMBERS)
    for token in _BRACES_AND_KEYS.findall(text):
        if token == b"{":
            outer.append(keys)
            keys = set()
        elif token == b"}":
            keys = outer.pop()
        elif token:
            if token in keys or b"\\" in token:
                return True
            keys.add(token)
    return False
