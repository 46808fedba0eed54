"""From the bytes of a scene file to a checked Scene, or to one error with its line and column.

msgspec decodes and validates at the speed of C. Only when it finds an error, `decode_errors` reads the text again.
"""

import os
import re
import stat
from codecs import BOM_UTF8
from functools import partial
from os import PathLike
from pathlib import Path as FilePath

import msgspec

from hitscope import progress
from hitscope.errors import SceneError
from hitscope.scene.checked_fields import decoding
from hitscope.scene.model import Scene
from hitscope.scene.reference import Reference

ENDING = ".scene.json"
"""The end of the name of a scene file."""

# msgspec analyses a type when it first decodes it; two threads that do so at once crash the process.
msgspec.json.Decoder(Scene)


def load(path: str | PathLike[str]) -> Scene:
    """Load a scene file; raises SceneError for any other file.

    >>> import hitscope
    >>> from hitscope.resources import SCENES
    >>> scene = hitscope.load(SCENES / "triangle-aabb-szauer" / "both-intervals.scene.json")
    >>> hitscope.evaluate(scene).mismatches
    ()
    """
    return loads(read(path), str(path), FilePath(path).parent)


def read(path: str | PathLike[str]) -> bytes:
    """Return the content of a file to load; raises SceneError for what cannot be read."""
    expected = f"{path}: expected a scene file that can be read"
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            # Reading a device may never end.
            raise SceneError(f"{expected}, found: a device")
        return FilePath(path).read_bytes()
    except OSError as error:
        found = "a folder" if os.path.isdir(path) else error.strerror
        raise SceneError(f"{expected}, found: {found}") from error


def loads(data: bytes, name: str, folder: FilePath = FilePath()) -> Scene:
    """Load a scene from bytes; `name` is the file in messages, `folder` has the files that it refers to."""
    error: Exception | None = None
    progress.add_total(len(data))
    try:
        decoder = msgspec.json.Decoder(Scene, dec_hook=partial(Reference.of, folder))
        with decoding():
            scene = decoder.decode(data.removeprefix(BOM_UTF8))
        if not may_repeat_a_key(data):
            return scene
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as found:
        error = found
    from hitscope.scene import decode_errors

    decode_errors.check(data, name, error)
    return scene


_BRACES_AND_STRINGS = re.compile(rb'[{}]|"[^"\\]*+(?:\\.[^"\\]*+)*+":?', re.DOTALL)
"""Each brace and string of a text without space, a key with its colon."""
_PIECE = 1 << 20
_OF_NUMBERS = b"0123456789-+., \t\n\r[]"


def may_repeat_a_key(data: bytes) -> bool:
    """Whether any object of a valid JSON text has two equal keys; True for some texts without.

    Digits are removed first, all at once, so that the search skips long arrays of numbers. Without them different
    keys may look equal, and escapes are not decoded; `decode_errors` decides.
    """
    outer: list[list[bytes]] = []
    keys: list[bytes] = []
    text = bytearray()
    for start in range(0, len(data), _PIECE):
        text += data[start : start + _PIECE].translate(None, _OF_NUMBERS)
    found = _BRACES_AND_STRINGS.findall(text)
    for token in found:
        if token == b"{":
            outer.append(keys)
            keys = []
        elif token == b"}":
            if len(set(keys)) < len(keys):
                return True
            keys = outer.pop()
        elif token.endswith(b":"):
            keys.append(token)
    return b"\\" in text and any(b"\\" in token and token.endswith(b":") for token in found)
