"""Meshes as files: small closed ones by hand, and spheres of any number of triangles."""

from pathlib import Path

import numpy as np

TETRAHEDRON = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SQUARES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_FACES = [face for a, b, c, d in SQUARES for face in ((a, b, c), (a, c, d))]


def write_obj(path: Path, vertices, faces) -> Path:
    """Write triangles as an OBJ file, numbers as Python repeats them."""
    lines = ["v " + " ".join(repr(float(x)) for x in vertex) for vertex in vertices]
    lines += ["f " + " ".join(str(int(i) + 1) for i in face) for face in faces]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def joined(*parts):
    """Return the vertices and faces of several meshes as those of one."""
    vertices, faces = [], []
    for some, theirs in parts:
        faces += [tuple(i + len(vertices) for i in face) for face in theirs]
        vertices += [tuple(vertex) for vertex in some]
    return vertices, faces


def scaled(vertices, scale, move=(0, 0, 0)):
    return [tuple(x * scale + d for x, d in zip(vertex, move, strict=True)) for vertex in vertices]


def turned(faces):
    """Return the faces with their other side out."""
    return [face[::-1] for face in faces]


def sphere(cuts: int):
    """Return an octahedron with edges cut into so many parts, as a unit sphere: 8 * cuts ** 2 faces."""
    index: dict[tuple[int, int, int], int] = {}
    faces = []

    def vertex(*place):
        return index.setdefault(place, len(index))

    for sx in (1, -1):
        for sy in (1, -1):
            for sz in (1, -1):
                for i in range(cuts):
                    for j in range(cuts - i):
                        k = cuts - i - j
                        of = lambda i, j, k, sx=sx, sy=sy, sz=sz: vertex(sx * i, sy * j, sz * k)  # noqa: E731
                        found = [(of(i, j, k), of(i + 1, j, k - 1), of(i, j + 1, k - 1))]
                        if k > 1:
                            found += [(of(i + 1, j, k - 1), of(i + 1, j + 1, k - 2), of(i, j + 1, k - 1))]
                        faces += found if sx * sy * sz > 0 else turned(found)
    vertices = np.array(list(index), float)
    return vertices / np.linalg.norm(vertices, axis=1)[:, None], faces
