"""Logs of calls, as the exporters write them: the header for C and C++ describes the bytes."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hitscope.errors import Fault, HitscopeError
from hitscope.geometry.registry import pairs
from hitscope.outputs import kind_of
from hitscope.targets.cases import Reals, case_width, has_t, in_arrays

MARK = b"\x9ehit"
"""The first bytes of a call."""
HEAD = 8
"""The bytes before the name of the pair: MARK, the size and count of numbers, the length of the name, and 0."""
UNIT = 8
"""The name and the numbers of a call are padded to a multiple of so many bytes."""
LONGEST_NAME = 32
LONGEST = 1 << 30
"""The bytes of a log from which the exporters append no more."""
REALS = {4: "float32", 8: "float64"}
"""The precision of numbers by their bytes."""


class Format(NamedTuple):
    """The form of calls, as their first bytes say it."""

    pair: str
    """As it was written."""
    real: str
    """The precision of its numbers: float32 or float64."""
    width: int
    """How many numbers it has, those of the answer included."""
    start: int
    """The bytes before the numbers."""
    size: int
    """The bytes of the call."""


class LoggedCalls(NamedTuple):
    """The calls of a log that have one format."""

    numbers: Reals
    """(n, width)"""
    order: NDArray[np.int64]
    """The number of each among all the calls of the log, from 1; (n,)."""


class Log(NamedTuple):
    """The content of a log."""

    path: Path
    calls: dict[Format, LoggedCalls]
    cut_off: bool
    """Whether the last call is not all there: the program ended, or is still running."""
    skipped: int
    """The bytes in between that are no call."""
    is_full: bool
    """Whether it is so long that nothing more was appended."""

    @property
    def size(self) -> int:
        return sum(len(calls.numbers) for calls in self.calls.values())


def read(path: Path) -> Log:
    """Read a log; raises HitscopeError where it cannot be read, or has no call at all."""
    try:
        if not path.is_file():
            raise HitscopeError(f"{path}: expected a log of calls, found {kind_of(path)}")
        data = path.read_bytes()
    except OSError as error:
        raise HitscopeError(f"{path}: expected a log of calls, found: {error.strerror}") from None
    places: dict[Format, list[int]] = {}
    skipped, end = 0, 0
    for form, offset in _calls(data):
        places.setdefault(form, []).append(offset)
        skipped += offset - end
        end = offset + form.size
    if not places:
        found = "a call that is cut off" if data.startswith(MARK) else "other bytes" if data else "an empty file"
        raise HitscopeError(f"{path}: expected a log of calls, found {found}")
    offsets = {form: np.array(found, np.int64) for form, found in places.items()}
    everywhere = np.sort(np.concatenate([*offsets.values()]))
    array = np.frombuffer(data, np.uint8)
    calls = {
        form: LoggedCalls(_numbers(array, form, found), np.searchsorted(everywhere, found) + 1)
        for form, found in offsets.items()
    }
    cut_off = data.startswith(MARK[: len(data) - end], end) and end < len(data)
    skipped += 0 if cut_off else len(data) - end
    return Log(path, calls, cut_off, skipped, len(data) >= LONGEST)


def _calls(data: bytes) -> Iterator[tuple[Format, int]]:
    """Yield the whole calls and where they begin; what is none is left out up to the next one."""
    known: dict[bytes, Format | None] = {}
    offset, end = 0, len(data)
    while offset < end:
        head = data[offset : offset + HEAD + LONGEST_NAME]
        # The length of the name is in the head: what follows the name belongs to another key.
        key = head[: HEAD + head[6]] if len(head) >= HEAD else b""
        if key not in known:
            known[key] = _format(key)
        form = known[key]
        if form is not None and _is_whole(data, offset, offset + form.size):
            yield form, offset
            offset += form.size
        else:
            found = data.find(MARK, offset + 1)
            offset = found if found >= 0 else end


def _is_whole(data: bytes, start: int, end: int) -> bool:
    """Whether a call is all there: one that a full disk cut off would take its numbers from the next one."""
    if end > len(data):
        return False
    return MARK.startswith(data[end : end + len(MARK)]) or data.find(MARK, start + 1, end) < 0


def _format(head: bytes) -> Format | None:
    """Return what the head of a call with its name says; None where it is none."""
    if len(head) < HEAD + UNIT or not head.startswith(MARK) or head[7]:
        return None
    size, count, length = head[4:7]
    name = head[HEAD:].rstrip(b"\0")
    if size not in REALS or not count or length % UNIT or length != len(head) - HEAD or not name.isascii():
        return None
    numbers = -(-size * count // UNIT) * UNIT
    return Format(name.decode(), REALS[size], count, HEAD + length, HEAD + length + numbers)


def _numbers(data: NDArray[np.uint8], form: Format, offsets: NDArray[np.int64]) -> Reals:
    """Return the numbers of the calls of one format (n, width)."""
    real = np.dtype(form.real).newbyteorder("<")
    windows = sliding_window_view(data, form.width * real.itemsize)
    found: Reals = windows[offsets + form.start].view(real).astype(form.real, copy=False)
    return found


def mistake(form: Format) -> str:
    """Return in words what is wrong with the calls of a format: a pair that there is not, or too few numbers."""
    known = [pair for pair in pairs() if in_arrays(pair)]
    if form.pair not in known:
        return Fault.unknown((), "a pair", known, form.pair).message
    width = case_width(form.pair)
    with_t = has_t(form.pair)
    if form.width == width + 1 or (with_t and form.width == width + 2):
        return ""
    answer = "1 or 0, and at most a t" if with_t else "1 or 0"
    return f"expected {width} numbers of {form.pair}, then {answer}, found {form.width} numbers"


def mistakes(logs: Iterable[Log]) -> Iterator[str]:
    """Yield a line for each kind of call that cannot be understood."""
    for log in logs:
        for form, calls in log.calls.items():
            if words := mistake(form):
                count = f" ({len(calls.order)} such calls)" if len(calls.order) > 1 else ""
                yield f"{log.path}: call {calls.order[0]}: {words}{count}"
