"""The search for repeated keys in a JSON text, which msgspec accepts."""

import re

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_BRACES_AND_KEYS = re.compile(rb"(?:" + _STRING + rb"(?!:))*+([{}]|" + _STRING + rb"(?=:))", re.DOTALL)
"""Each brace and key of a text without space, with the strings before it, which are values."""
_PIECE = 1 << 20
_OF_NUMBERS = b"0123456789-+., \t\n\r[]"


def may_repeat_a_key(data: bytes) -> bool:
    """Whether any object of a valid JSON text has two equal keys; True for some texts without.

    Digits are removed first, all at once, so that the search skips long arrays of numbers. Without them different
    keys may look equal, and escapes are not decoded; `read_strictly` decides.
    """
    outer: list[list[bytes]] = []
    keys: list[bytes] = []
    text = bytearray()
    for start in range(0, len(data), _PIECE):
        text += data[start : start + _PIECE].translate(None, _OF_NUMBERS)
    found = _BRACES_AND_KEYS.findall(text)
    for token in found:
        if token == b"{":
            outer.append(keys)
            keys = []
        elif token == b"}":
            if len(set(keys)) < len(keys):
                return True
            keys = outer.pop()
        else:
            keys.append(token)
    return b"\\" in text and any(b"\\" in token for token in found)
