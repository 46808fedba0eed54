"""Where the pictures of a page are: in it, up to a number of bytes, and beyond that in a folder beside it."""

import re
from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from hitscope.errors import HitscopeError
from hitscope.outputs import write_output

INLINE_BYTES = 2_500_000
"""The most bytes of the pictures in a page, in base64."""
_NAME = re.compile(r"[0-9a-f]{16}\.png")


class Images:
    """The pictures of a page, named by their content: an older page keeps its own until it is replaced."""

    def __init__(self, page: Path, inline_bytes: int = INLINE_BYTES) -> None:
        """Write none yet; the folder is named after the page's file."""
        self.folder = page.with_name(f"{page.stem}_files")
        self.beside: set[str] = set()
        """The names of those in the folder."""
        self._room = inline_bytes

    def source(self, png: bytes) -> str:
        """Return the URL of a picture, which is a file from now on if it has no room in the page.

        Raises HitscopeError where it cannot be written.
        """
        inline = f"data:image/png;base64,{b64encode(png).decode()}"
        if not self.beside and len(inline) <= self._room:
            self._room -= len(inline)
            return inline
        name = f"{sha256(png).hexdigest()[:16]}.png"
        if name not in self.beside:
            try:
                self.folder.mkdir(exist_ok=True)
            except OSError as error:
                raise HitscopeError(f"{self.folder}: cannot be made a folder: {error.strerror}") from error
            write_output(self.folder / name, [png])
            self.beside.add(name)
        return f"{quote(self.folder.name)}/{name}"

    def remove_others(self) -> None:
        """Remove the pictures of an older page, and the folder if nothing is left in it."""
        if not self.folder.is_dir():
            return
        with suppress(OSError):
            for path in self.folder.iterdir():
                if _NAME.fullmatch(path.name) and path.name not in self.beside:
                    path.unlink()
            self.folder.rmdir()  # fails unless it is empty
