"""Failures of a user's code, each as one line of printable characters."""

from pathlib import Path
from traceback import walk_tb

from hitscope.errors import escaped

LONGEST = 200
"""The most characters of a failure."""


def one_line(error: BaseException) -> str:
    """Describe an exception; its own text may raise another one, which is left out."""
    try:
        text = str(error)
    except BaseException:
        text = "an exception that cannot be shown"
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def with_line(error: BaseException, folder: Path) -> str:
    """Describe an exception in one line, with the last line of a file below a folder that was running."""
    lines = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in walk_tb(error.__traceback__)
        if Path(frame.f_code.co_filename).is_relative_to(folder)
    ]
    return f"{one_line(error)} at {escaped(lines[-1][0].name)}:{lines[-1][1]}" if lines else one_line(error)


def cut(text: str) -> str:
    """Return a text in one line, its end left out where it is long."""
    return escaped(" ".join(text[: 10 * LONGEST].split()))[:LONGEST]
