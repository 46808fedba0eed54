"""The standard streams: outputs that take any text, and user text as one short line that no terminal obeys."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from hitscope.errors import UNSAFE_BEYOND_ASCII, HitscopeError, escape, escaped, shortened

FINE, WRONG, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
"""The exit statuses of commands: 1 where scenes fail, or something is wrong; 130 after Ctrl+C."""
LONGEST_WORD = 300
"""The most characters without a space that a line shows, such as a path or an id."""
LONGEST_LINE = 1000

_UNSAFE_IN_JSON = re.compile(f"[{UNSAFE_BEYOND_ASCII}]")
_LONG_WORD = re.compile(rf"(?<!\S)\S{{{LONGEST_WORD + 1},}}")


class StandardOutput(io.TextIOWrapper):
    """Standard output, which escapes what its encoding lacks; raises HitscopeError where it cannot be written."""

    def write(self, text: str) -> int:
        """Write a text; a closed pipe stays a BrokenPipeError."""
        with _written():
            return super().write(text)

    def flush(self) -> None:
        with _written():
            super().flush()


def prepare_streams() -> None:
    """Make standard output a StandardOutput, and stand in for the streams that the caller has closed."""
    # In this order each one takes the descriptor that is its own, the first that is free.
    if sys.stdin is None:
        unreadable = io.FileIO(os.open(os.devnull, os.O_WRONLY))
        sys.stdin = io.TextIOWrapper(io.BufferedReader(unreadable), encoding="utf-8")
    if sys.stdout is None:
        unwritable = io.FileIO(os.open(os.devnull, os.O_RDONLY), "w")
        sys.stdout = StandardOutput(io.BufferedWriter(unwritable), encoding="utf-8")
    elif sys.stdout is (given := sys.__stdout__):
        sys.stdout = StandardOutput(
            given.buffer, given.encoding, "backslashreplace", "\n", given.line_buffering, given.write_through
        )
    if sys.stderr is None:
        nowhere = io.FileIO(os.open(os.devnull, os.O_WRONLY), "w")
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(nowhere), encoding="utf-8", errors="backslashreplace")


def finish_streams() -> None:
    """Flush both outputs; what cannot be written is dropped, so that Python does not complain of it at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, HitscopeError):
            drop_output(stream)


def drop_output(stream: TextIO) -> None:
    """Let a stream write to nowhere from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def one_line(text: str) -> str:
    """Return a text as one line to show on a terminal: escaped, the middle of what is too long cut out."""
    words = _LONG_WORD.sub(lambda match: shortened(match[0], LONGEST_WORD), escaped(text))
    return shortened(words, LONGEST_LINE)


def print_line(text: str) -> None:
    print(one_line(text))


def print_error(text: str) -> None:
    """Print a text as one line on standard error, if that can be written."""
    try:
        print(one_line(text), file=sys.stderr, flush=True)
    except OSError:
        drop_output(sys.stderr)


def print_failure(words: str, traceback: str = "") -> None:
    """Print why something failed, below its traceback if the user asks for that."""
    for line in (*traceback.splitlines(), words):
        print_error(line)


def command_line(*words: str) -> str:
    """Return words as a shell of this system reads them."""
    # Few runs print a command, and both modules take long to import.
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline(words)
    from shlex import join

    return join(words)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON in characters that standard output has and no terminal obeys."""
    ascii_alone = not (sys.stdout.encoding or "utf-8").lower().replace("-", "").startswith("utf8")
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_alone, allow_nan=False)
    return _UNSAFE_IN_JSON.sub(escape, text)


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise HitscopeError(f"standard output cannot be written: {error.strerror}") from error
