"""The error of a broken scene, FILE:LINE:COLUMN: WORDS, in its parts."""

import re
from typing import NamedTuple

from hitscope.check.runner import Outcome
from hitscope.errors import escaped

_LOCATION = re.compile(r"(?::(\d+):\d+)?: ")


class ErrorParts(NamedTuple):
    """The line that an error names, None where it is not about one line, and the words without the file."""

    line: int | None
    words: str


def error_parts(outcome: Outcome) -> ErrorParts:
    """Return the parts of the error of a broken scene."""
    path, error = escaped(outcome.path), outcome.error or ""
    found = _LOCATION.match(error, len(path)) if error.startswith(path) else None
    if found is None:
        return ErrorParts(None, error)
    return ErrorParts(int(found[1]) if found[1] else None, error[found.end() :])
