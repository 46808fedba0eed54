"""The triangles of an STL file, text or binary, in the order of the file.

The format is that of 3D Systems, 1989; read here and not by trimesh, which takes words for numbers and names no
line. Of a text, `vertex` lines are read, three between `facet` and `endfacet`; normals are not.
"""

from array import array
from codecs import BOM_UTF8
from pathlib import Path

import numpy as np

from hitscope.errors import Fault
from hitscope.scene.mesh.elements import Corners, excerpt, number

_HEADER = 84
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("vertices", "<f4", (3, 3)), ("attribute", "<u2")])
_LINES = (b"solid", b"facet", b"outer", b"vertex", b"endloop", b"endfacet", b"endsolid", b"")


def read(path: Path) -> Corners:
    """Return the corners of the triangles, (n, 3, 3); raises Fault for any other file."""
    data = path.read_bytes()
    size = int.from_bytes(data[_HEADER - 4 : _HEADER], "little") * _TRIANGLE.itemsize + _HEADER
    if size == len(data):
        return np.frombuffer(data, _TRIANGLE, offset=_HEADER)["vertices"].astype(np.float64)
    text = data.removeprefix(BOM_UTF8)
    if text.lstrip()[:5].lower() != b"solid":
        expected = f"{size} bytes, after the number of triangles that its header gives, or the word solid,"
        raise Fault((), expected, str(len(data)))
    return _read_text(text)


def _read_text(data: bytes) -> Corners:
    coordinates = array("d")
    word, wanted, number_of_line = b"", 0, 0
    for number_of_line, line in enumerate(data.splitlines(), start=1):
        words = line.split() or [b""]
        if not words[0]:
            continue
        word = words[0].lower()
        if word == b"facet":
            wanted = len(coordinates) + 9
        elif word == b"vertex":
            try:
                x, y, z = map(number, words[1:])
            except ValueError:
                raise Fault((), f"vertex and three numbers on line {number_of_line}", excerpt(line)) from None
            coordinates.extend((x, y, z))
        elif word == b"endfacet" and len(coordinates) != wanted:
            found = str((len(coordinates) - wanted) // 3 + 3)
            raise Fault((), f"three vertices of the facet that ends on line {number_of_line}", found)
        elif word not in _LINES:
            raise Fault((), f"facet, vertex or another word of STL on line {number_of_line}", excerpt(line))
    if word != b"endsolid" or len(coordinates) != wanted:
        raise Fault((), "a facet of three vertices and endsolid", f"the end of the file in line {number_of_line}")
    return np.frombuffer(coordinates).reshape(-1, 3, 3)
