"""The elements of mesh files: words of text as numbers, decimal and finite, and polygons as triangles."""

from math import isfinite
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault

Corners: TypeAlias = NDArray[np.float64]
"""The corners of n triangles, (n, 3, 3)."""
EXCERPT_LENGTH = 60


def number(word: bytes) -> float:
    """Return the number that a word is; raises ValueError for any other word."""
    value = float(word)
    if b"_" in word or not isfinite(value):
        raise ValueError
    return value


def integer(word: bytes) -> int:
    """Return the 64-bit integer that a word is; raises ValueError for any other word."""
    value = int(word)
    if b"_" in word or not -(2**63) <= value < 2**63:
        raise ValueError
    return value


def excerpt(line: bytes) -> str:
    """Return the beginning of a line or word, with a mark for what cannot be shown."""
    text = " ".join(line[: 4 * EXCERPT_LENGTH].decode("utf-8", "replace").split())[:EXCERPT_LENGTH]
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def fans(faces: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the triangles (n, 3) of polygons, cut into fans about their first corners.

    `faces` has the corners of all polygons one after the other, `sizes` the number of corners of each, at least 3.
    """
    starts = np.cumsum(sizes) - sizes
    pieces = sizes - 2
    owner = np.repeat(starts, pieces)
    step = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    return np.stack([faces[owner], faces[owner + step + 1], faces[owner + step + 2]], axis=1)


def corners_of(vertices: NDArray[np.float64], faces: NDArray[np.intp], sizes: NDArray[np.intp]) -> Corners:
    """Return the corners of polygons; raises Fault for one of fewer than three, and for an unknown index."""
    if (sizes < 3).any():
        first = int(np.argmax(sizes < 3))
        raise Fault((), "faces of at least three vertices", f"{sizes[first]} of face {first}")
    wrong = (faces < 0) | (faces >= len(vertices))
    if wrong.any():
        first = int(np.argmax(wrong))
        face = int(np.searchsorted(np.cumsum(sizes), first, side="right"))
        expected = f"indices of the {len(vertices)} vertices, counted from 0,"
        raise Fault((), expected, f"{faces[first]} in face {face}")
    return vertices[fans(faces, sizes)]
