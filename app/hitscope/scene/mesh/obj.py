"""The faces of a Wavefront OBJ file in the order of the file, across all its groups and materials.

Of the format (Alias Wavefront, «Object Files», appendix B1) the statements `v` and `f` are read; a polygon may
have any number of corners, an index may be negative, counted back from the last vertex before it.
"""

from array import array
from codecs import BOM_UTF8
from pathlib import Path

import numpy as np

from hitscope import progress
from hitscope.errors import Fault
from hitscope.scene.mesh.elements import Corners, excerpt, fans, integer, number


def read(path: Path) -> Corners:
    """Return the corners of the triangles, (n, 3, 3); raises Fault for any other file."""
    coordinates, corners, sizes, face_lines = array("d"), array("q"), array("q"), array("q")
    text = path.read_bytes().removeprefix(BOM_UTF8)
    rows = text.splitlines()
    progress.add_total(len(rows))
    lines = iter(rows)
    last = 0
    for start in lines:
        line = start
        first = last = last + 1
        if last % progress.COUNTED_ROWS == 0:
            progress.advance(progress.COUNTED_ROWS)
        if start.endswith(b"\\"):
            parts = [start]
            while parts[-1].endswith(b"\\"):
                parts[-1] = parts[-1][:-1]
                parts.append(next(lines, b""))
                last += 1
            line = b" ".join(parts)
        word, *values = line.partition(b"#")[0].split() or [b""]
        if word == b"v":
            try:
                x, y, z = map(number, values[:3])
            except ValueError:
                raise Fault((), f"three numbers on line {first}", excerpt(line)) from None
            coordinates.extend((x, y, z))
        elif word == b"f":
            known = len(coordinates) // 3
            try:
                indices = [integer(value.partition(b"/")[0]) for value in values]
            except ValueError:
                raise Fault((), f"vertex indices on line {first}", excerpt(line)) from None
            if 0 in indices or any(index < -known for index in indices):
                expected = f"vertex indices from 1, or from -1 to -{known}, on line {first}"
                raise Fault((), expected, excerpt(line))
            if len(indices) < 3:
                raise Fault((), f"a face of at least three vertices on line {first}", excerpt(line))
            corners.extend([index - 1 if index > 0 else known + index for index in indices])
            sizes.append(len(indices))
            face_lines.append(first)
    vertices, faces = np.frombuffer(coordinates).reshape(-1, 3), np.frombuffer(corners, np.int64)
    if (wrong := faces >= len(vertices)).any():
        first = int(np.argmax(wrong))
        line_number = face_lines[int(np.searchsorted(np.cumsum(sizes), first, side="right"))]
        expected = f"vertex indices up to {len(vertices)}, the number of vertices, on line {line_number}"
        raise Fault((), expected, str(faces[first] + 1))
    return vertices[fans(faces, np.frombuffer(sizes, np.int64))]
