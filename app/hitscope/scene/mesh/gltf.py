"""The triangles of a glTF file (.gltf or .glb), read by trimesh: node by node in the order of the file.

A node's transform is applied to its mesh, whose primitives follow one another. Buffers in other files are looked
for in the folder of the file and below, never elsewhere.
"""

import json
import struct
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault
from hitscope.scene.mesh.polygons import Corners
from hitscope.scene.reference import Reference

_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")
_TRIANGLE_FAN = 6


def read(path: Path) -> Corners:
    """Return the corners of the triangles, (n, 3, 3), float64; raises trimesh's errors."""
    from trimesh.exchange.gltf import load_glb, load_gltf
    from trimesh.resolvers import Resolver

    class FolderResolver(Resolver):
        """Resolver of the names of other files: in or below the folder of the glTF file only."""

        def __init__(self) -> None:
            pass

        def get(self, key: str) -> bytes:
            return Reference(key, path.parent).path.read_bytes()

        def keys(self) -> list[str]:
            return []

        def write(self, name: str, data: Any) -> None:
            raise NotImplementedError

        def namespaced(self, namespace: str) -> "FolderResolver":
            raise NotImplementedError

    data = path.read_bytes()
    binary = data.startswith(b"glTF")
    load, data = (load_glb, _numbered_binary(data)) if binary else (load_gltf, _numbered(data))
    found = load(BytesIO(data), resolver=FolderResolver(), skip_materials=True)

    # Edges come parents first. The nodes have been given their numbers as names; several primitives of one
    # node follow each other in their order, as NUMBER_SOMETHING.
    placed: dict[str, NDArray[np.float64]] = {found["base_frame"]: np.eye(4)}
    parts: list[tuple[int, str, NDArray[np.float64]]] = []
    for edge in found["graph"]:
        matrix = placed[edge["frame_from"]] @ edge["matrix"]
        placed[edge["frame_to"]] = matrix
        if "geometry" in edge:
            parts.append((int(edge["frame_to"].partition("_")[0]), edge["geometry"], matrix))
    corners = [np.empty((0, 3, 3))]
    for _, name, matrix in sorted(parts, key=lambda part: part[0]):
        geometry = found["geometry"][name]
        if "faces" not in geometry:
            continue  # lines or points
        vertices, faces = np.asarray(geometry["vertices"], np.float64), np.asarray(geometry["faces"])
        if faces.size and (faces.min() < 0 or faces.max() >= len(vertices)):
            raise Fault((), f"indices of the {len(vertices)} vertices of {name}", f"{faces.max()}")
        corners.append((vertices @ matrix[:3, :3].T + matrix[:3, 3])[faces])
    return np.concatenate(corners)


def _numbered_binary(data: bytes) -> bytes:
    """Return the bytes of a .glb with its nodes named by their numbers."""
    magic, version, _ = _HEADER.unpack_from(data)
    size, kind = _CHUNK.unpack_from(data, _HEADER.size)
    start = _HEADER.size + _CHUNK.size
    text, rest = _numbered(data[start : start + size]), data[start + size :]
    text += b" " * (-len(text) % 4)
    chunk = _CHUNK.pack(len(text), kind) + text
    return _HEADER.pack(magic, version, _HEADER.size + len(chunk) + len(rest)) + chunk + rest


def _numbered(text: bytes) -> bytes:
    """Return the JSON of a glTF whose nodes have no names, so that trimesh names them by their numbers."""
    document = json.loads(text)
    if required := document.get("extensionsRequired"):
        raise Fault((), "a glTF file that requires no extensions", ", ".join(map(str, required)))
    for mesh in document.get("meshes", []):
        if any(primitive.get("mode") == _TRIANGLE_FAN for primitive in mesh["primitives"]):
            raise Fault((), "triangles or strips of them", "a triangle fan")
    for node in document.get("nodes", []):
        for key in ("name", "camera"):
            node.pop(key, None)
    return json.dumps(document).encode()
