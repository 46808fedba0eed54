"""The triangles of a mesh file: OBJ, PLY, STL and glTF, in file order, polygons fanned, degenerate faces kept.

All are read here: trimesh regroups the faces of OBJ and PLY, and believes what a broken STL or glTF file claims.
"""

from pathlib import Path

import numpy as np

from hitscope.errors import Fault, json_path
from hitscope.geometry.arrays import Array, Shapes
from hitscope.geometry.shapes import Triangle, Vec3
from hitscope.scene.checked_shapes import axes_from_quaternion
from hitscope.scene.tables import CHUNK, fill


def read(path: Path) -> Shapes:
    """Read the triangles of a file; raises Fault for a file that is broken or has none."""
    from hitscope.scene.mesh import gltf, obj, ply, stl

    kind = path.suffix.lower()
    readers = {".obj": obj.read, ".ply": ply.read, ".stl": stl.read, ".gltf": gltf.read, ".glb": gltf.read}
    if kind not in readers:
        raise Fault(("file",), f"a mesh ({', '.join(readers)})", path.name)
    try:
        corners = readers[kind](path)
    except Fault as fault:
        where = f" at {json_path(fault.path)}" if fault.path else ""
        raise Fault(("file",), f"{fault.expected}{where} in {path}", fault.found) from None
    except OSError as error:
        raise Fault(("file",), f"a mesh that can be read at {path}", error.strerror or str(error)) from None
    if not len(corners):
        raise Fault(("file",), f"at least one triangle in {path}", "none")
    rows = np.empty((9, len(corners)))
    fill(rows, corners)
    del corners
    return _triangles(rows, "triangle", f" in {path}")


def placed(
    shapes: Shapes, scale: float | Vec3, quaternion: tuple[float, float, float, float], translate: Vec3
) -> Shapes:
    """Return the triangles scaled, then rotated, then translated; raises Fault where they leave float64."""
    axes = np.array(axes_from_quaternion(quaternion))
    factors = np.broadcast_to(np.array(scale, dtype=np.float64), 3)[:, None]
    rows = shapes.rows.copy()
    with np.errstate(over="ignore", invalid="ignore"):
        for first in range(0, rows.shape[1], CHUNK):
            for corner in range(0, 9, 3):
                part = rows[corner : corner + 3, first : first + CHUNK]
                x, y, z = part * factors
                for k in range(3):
                    part[k] = x * axes[0, k] + y * axes[1, k] + z * axes[2, k] + translate[k]
    return _triangles(rows, "the moved triangle")


def _triangles(rows: Array, name: str, place: str = "") -> Shapes:
    """Return the triangles; raises Fault for the first that is not finite, named so and with its place."""
    wrong = ~np.isfinite(rows).all(axis=0)
    if wrong.any():
        first = int(np.argmax(wrong))
        found = str(rows[:, first].reshape(3, 3).tolist())
        raise Fault(("file",), f"finite vertices of {name} {first}{place}", found)
    return Shapes(Triangle, rows)
