"""The faces of a Wavefront OBJ file in the order of the file, across all its groups and materials.

Of the format (Alias Wavefront, «Object Files», appendix B1) the statements `v` and `f` are read; a polygon may
have any number of corners, an index may be negative, counted back from the last vertex before it.
"""

from pathlib import Path

import numpy as np

from hitscope.errors import Fault
from hitscope.scene.mesh.polygons import Corners, corners_of


def read(path: Path) -> Corners:
    """Return the corners of the triangles, (n, 3, 3); raises Fault for any other file."""
    coordinates: list[float] = []
    corners: list[int] = []
    sizes: list[int] = []
    text = path.read_bytes().replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    for number, line in enumerate(text.splitlines(), start=1):
        word, *values = line.partition(b"#")[0].split() or [b""]
        if word == b"v":
            try:
                x, y, z = map(float, values[:3])
            except ValueError:
                raise Fault((), f"three numbers on line {number}", _excerpt(line)) from None
            coordinates += (x, y, z)
        elif word == b"f":
            known = len(coordinates) // 3
            try:
                indices = [int(value.partition(b"/")[0]) for value in values]
            except ValueError:
                raise Fault((), f"vertex indices on line {number}", _excerpt(line)) from None
            if 0 in indices or any(index < -known for index in indices):
                expected = f"vertex indices from 1, or from -1 to -{known}, on line {number}"
                raise Fault((), expected, _excerpt(line))
            corners += [index - 1 if index > 0 else known + index for index in indices]
            sizes.append(len(indices))
    vertices = np.array(coordinates).reshape(-1, 3)
    return corners_of(vertices, np.array(corners, dtype=np.intp), np.array(sizes, dtype=np.intp))


def _excerpt(line: bytes) -> str:
    return line.decode("utf-8", "replace")[:60]
