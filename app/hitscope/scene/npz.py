"""The arrays of an .npz file, read a chunk at a time into coordinate rows, without trusting the file.

An .npz is a zip of .npy files; their headers are compared with the sizes in the zip before any memory is
allocated, and nothing is ever unpickled.
"""

import warnings
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from hitscope import progress
from hitscope.errors import Fault, with_hint
from hitscope.geometry.arrays import Array
from hitscope.scene.tables import READ_LIMITS, Columns, ReadLimits, check_header

Groups: TypeAlias = Sequence[tuple[str, ...]]


def read(path: Path, groups: Groups, optional: Collection[str] = (), limits: ReadLimits = READ_LIMITS) -> Columns:
    """Read one of the groups of arrays and at most one of the optional arrays; raises Fault for any mistake."""
    with _npz_errors(path), zipfile.ZipFile(path) as archive:
        entries = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        names = _names(list(entries), len(archive.infolist()), groups, optional)
        _check_sizes(path, [entries[name] for name in names], limits)
        progress.add_total(sum(entries[name].file_size for name in names))
        columns = Columns(names)
        for name in names:
            with archive.open(entries[name]) as file:
                shape, fortran, dtype = _header(name, file)
                check_header(name, dtype, shape)
                size_in_zip = entries[name].file_size - file.tell()
                if prod(shape) * dtype.itemsize != size_in_zip:
                    expected = f"{prod(shape) * dtype.itemsize} bytes of numbers for {name} {shape}"
                    raise Fault((name,), expected, f"{size_in_zip}")
                _fill(columns.room(name, shape[0]), file, shape, fortran, dtype, limits.chunk_rows)
    return columns


def _names(found: Sequence[str], entries: int, groups: Groups, optional: Collection[str]) -> tuple[str, ...]:
    """Return the names of the file's arrays in the order of the item's fields; raises Fault if they do not fit."""
    known = [*(name for group in groups for name in group), *optional]
    for name in found:
        if name not in known:
            raise Fault((), f"arrays of the names {', '.join(known)}", with_hint(name, known))
    if entries != len(found):
        raise Fault((), "each array once", "one twice")
    given = tuple(name for group in groups for name in group if name in found)
    if given not in groups:
        expected = "arrays " + " or ".join(", ".join(group) for group in groups)
        raise Fault((), expected, ", ".join(given) or "none of them")
    more = tuple(name for name in optional if name in found)
    if len(more) > 1:
        raise Fault((), f"at most one of {', '.join(optional)}", ", ".join(more))
    return given + more


def _check_sizes(path: Path, entries: Sequence[zipfile.ZipInfo], limits: ReadLimits) -> None:
    size, file_size = sum(entry.file_size for entry in entries), path.stat().st_size
    if size > (largest := limits.largest_bytes):
        raise Fault((), f"arrays of at most {largest} bytes ({largest / 2**30:g} GiB)", f"{size} bytes")
    if size > limits.any_ratio_bytes and size > limits.largest_ratio * file_size:
        expected = (
            f"arrays of more than {limits.any_ratio_bytes / 2**20:g} MiB to be at most {limits.largest_ratio} "
            "times as large as their file"
        )
        raise Fault((), expected, f"{size} bytes in a file of {file_size}")


def _header(name: str, file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        version = npy.read_magic(file)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers written by old versions
            return read_header(file)
    except (ValueError, TypeError, SyntaxError):
        raise Fault((name,), "the header of an .npy file", "none that can be read") from None


def _fill(
    column: Array, file: IO[bytes], shape: tuple[int, ...], fortran: bool, dtype: np.dtype[Any], chunk_rows: int
) -> None:
    """Read the numbers into coordinate rows (k, n) as float64; Fortran order is the order of these rows."""
    # In Fortran order the first index of a row varies fastest.
    order = np.arange(len(column)).reshape(shape[1:]).ravel(order="F")
    for rows in [column[k : k + 1] for k in order] if fortran else [column]:
        for part, numbers in _numbers(file, shape[0], dtype, chunk_rows, len(rows)):
            rows[:, part] = numbers.reshape(-1, len(rows)).T


def _numbers(
    file: IO[bytes], size: int, dtype: np.dtype[Any], chunk_rows: int, width: int
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield the numbers of successive rows in the order of the file, each with the slice of its rows."""
    for first in range(0, size, chunk_rows):
        part = slice(first, min(first + chunk_rows, size))
        wanted = (part.stop - part.start) * width * dtype.itemsize
        data = file.read(wanted)
        if len(data) < wanted:
            raise EOFError
        progress.advance(wanted)
        yield part, np.frombuffer(data, dtype)


@contextmanager
def _npz_errors(path: Path) -> Iterator[None]:
    """Raise every error of the block as a Fault of the field `file` that names the file."""
    try:
        yield
    except Fault as fault:
        raise in_file(path, fault) from None
    except zipfile.BadZipFile:
        raise Fault(("file",), f"an .npz file that can be read at {path}", "no zip, or a damaged one") from None
    except Exception:
        # The compressions of a zip raise different errors for broken data.
        raise Fault(("file",), f"an .npz file that can be read at {path}", "damaged data") from None


def in_file(path: Path, fault: Fault) -> Fault:
    """Return a fault of an array, whose path begins with the array's name, as a fault of the field `file`."""
    if not fault.path:
        return Fault(("file",), f"{fault.expected} in {path}", fault.found)
    name, *steps = fault.path
    where = f"{name}{''.join(f'[{step}]' for step in steps)}"
    return Fault(("file",), f"{fault.expected} at {where} in {path}", fault.found)
