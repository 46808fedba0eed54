"""The parts that the text of a TARGET names: the kind of code, where it is, and the function in it."""

import re
import sys
from pathlib import Path, PurePath
from typing import NamedTuple

C_ENDINGS = (".c",)
CPP_ENDINGS = (".cpp", ".cc", ".cxx")
LIBRARY_ENDINGS = (".so", ".dll", ".dylib")
COMMAND = "exec:"

KINDS = {
    **dict.fromkeys((*C_ENDINGS, *CPP_ENDINGS), "c_source"),
    **dict.fromkeys(LIBRARY_ENDINGS, "library"),
    ".glsl": "shader",
    ".py": "python_function",
}
"""The kind of a file by its ending."""

_SINGLE_COLON = re.compile(r"(?<!:):(?!:)")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


class TargetText(NamedTuple):
    """The parts of a TARGET."""

    kind: str
    """The name of the module of `runners` that calls it; of a Python function without --batch."""
    location: str
    """A file, a module of Python, a command, or a method of the catalogue with its arguments."""
    function: str = ""

    @property
    def file(self) -> Path:
        """The file of a source or of a module of Python; a module that is not found has none there."""
        if self.kind != "python_function" or self.location.endswith(".py"):
            return Path(self.location)
        module = Path(*self.location.split("."))
        found = (
            Path(folder) / name for folder in ("", *sys.path) for name in (f"{module}.py", module / "__init__.py")
        )
        return next((file for file in found if file.is_file()), Path(f"{module}.py"))

    @classmethod
    def of(cls, text: str) -> "TargetText":
        """Split a text at its last single colon that is no drive's; without one it names a method."""
        if text.startswith(COMMAND):
            return cls("command", text.removeprefix(COMMAND))
        colons = [
            found.start()
            for found in _SINGLE_COLON.finditer(text)
            if not (found.start() == 1 and _DRIVE.match(text))
        ]
        if not colons:
            return cls("catalogue_method", text)
        location, function = text[: colons[-1]], text[colons[-1] + 1 :]
        return cls(KINDS.get(PurePath(location).suffix.lower(), "python_function"), location, function)
