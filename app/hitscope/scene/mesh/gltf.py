"""The triangles of a glTF 2.0 file (.gltf or .glb): node by node in the order of the file, primitives in theirs.

After the Khronos specification; read here and not by trimesh, which allocates what a file claims and multiplies
meshes by their nodes without end. A node's transform is applied to its mesh. Buffers in other files are looked for
in the folder of the file and below, never elsewhere.
"""

import base64
import struct
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault
from hitscope.errors import Path as JsonPath
from hitscope.scene.checked_shapes import axes_from_quaternion
from hitscope.scene.mesh.elements import Corners
from hitscope.scene.mesh.gltf_document import TRIANGLES, Accessor, Document, Node, Part, Primitive, decode
from hitscope.scene.reference import Reference
from hitscope.scene.tables import READ_LIMITS

_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")
_STRIP, _FAN = 5, 6
_FLOAT: dict[int, np.dtype[Any]] = {5126: np.dtype("<f4")}
_INDEX: dict[int, np.dtype[Any]] = {5121: np.dtype("u1"), 5123: np.dtype("<u2"), 5125: np.dtype("<u4")}
_TRIANGLE_BYTES = 9 * 8
_PRIMITIVE_BYTES = 1 << 10
"""The cost of a primitive besides its triangles: it takes time and memory, too, in every node that places it."""

T = TypeVar("T")
Placed: TypeAlias = tuple[int, NDArray[np.float64]]
"""The index of a node with a mesh, and the matrix (4, 4) that places it."""


def read(path: Path) -> Corners:
    """Return the corners of the triangles, (n, 3, 3), float64; raises Fault for any other file."""
    data = path.read_bytes()
    text, binary = _chunks(data) if data.startswith(b"glTF") else (data, None)
    return _Reader(decode(text), path.parent, binary, len(data)).corners()


def _chunks(data: bytes) -> tuple[bytes, memoryview | None]:
    """Return the JSON and the buffer of a .glb."""
    parts: dict[bytes, memoryview] = {}
    _, version, size = _HEADER.unpack_from(data) if len(data) >= _HEADER.size else (b"", 0, 0)
    if version != 2 or size > len(data):
        expected = f"a header of glTF version 2 and of a file of at most {len(data)} bytes"
        raise Fault((), expected, f"version {version} and {size} bytes")
    at = _HEADER.size
    while at + _CHUNK.size <= size:
        length, kind = _CHUNK.unpack_from(data, at)
        at += _CHUNK.size
        if length > size - at:
            raise Fault((), f"a chunk of at most {size - at} bytes at byte {at}", f"{length}")
        parts.setdefault(kind, memoryview(data)[at : at + length])
        at += length
    if b"JSON" not in parts:
        raise Fault((), "a chunk JSON", "none")
    return bytes(parts[b"JSON"]), parts.get(b"BIN\0")


class _Reader:
    """Reader of the triangles of one file, which allocates no more than its bytes account for."""

    def __init__(self, document: Document, folder: Path, binary: memoryview | None, size: int) -> None:
        self._document, self._folder, self._binary = document, folder, binary
        self._buffers: dict[str, memoryview] = {}
        self._size = size
        """The number of bytes of the file and of those that it refers to and that have been read."""
        self._allocated = 0

    def corners(self) -> Corners:
        """Return the corners of the triangles of all nodes of the scene."""
        found = [np.empty((0, 3))]
        for node, matrix in sorted(self._meshes(), key=lambda placed: placed[0]):
            number = self._document.nodes[node].mesh
            assert number is not None
            for i, primitive in enumerate(self._document.meshes[number].primitives):
                if primitive.mode < TRIANGLES or primitive.attributes.position is None:
                    continue  # points or lines, or morph targets alone
                triangles = self._triangles(
                    primitive, primitive.attributes.position, ("meshes", number, "primitives", i)
                )
                with np.errstate(over="ignore", invalid="ignore"):
                    found.append(triangles @ matrix[:3, :3].T + matrix[:3, 3])
        return np.concatenate(found).reshape(-1, 3, 3)

    def _meshes(self) -> list[Placed]:
        """Return the nodes of the scene that have a mesh; without scenes, of the file."""
        nodes, scenes, scene = self._document.nodes, self._document.scenes, self._document.scene
        path: JsonPath = ("scenes", scene, "nodes") if scenes else ("nodes",)
        if scenes:
            roots = self._at(scenes, scene, ("scene",)).nodes
        else:
            children = {child for node in nodes for child in node.children}
            roots = [i for i in range(len(nodes)) if i not in children]
        waiting = [(node, np.eye(4), (*path, i)) for i, node in enumerate(roots)]
        placed, seen = list[Placed](), set[int]()
        while waiting:
            number, outer, path = waiting.pop()
            node = self._at(nodes, number, path)
            if number in seen:
                raise Fault(path, "a node that is a child or root once", f"{number} again")
            seen.add(number)
            with np.errstate(over="ignore", invalid="ignore"):
                matrix = outer @ _matrix(node, ("nodes", number))
            if node.mesh is not None:
                path = ("nodes", number, "mesh")
                mesh = self._at(self._document.meshes, node.mesh, path)
                self._allocate(len(mesh.primitives) * _PRIMITIVE_BYTES, path)
                placed.append((number, matrix))
            waiting += [(child, matrix, ("nodes", number, "children", i)) for i, child in enumerate(node.children)]
        return placed

    def _triangles(self, primitive: Primitive, position: int, path: JsonPath) -> NDArray[np.float64]:
        """Return the corners of a primitive's triangles, three rows each."""
        if primitive.mode == _FAN:
            raise Fault((*path, "mode"), "triangles or strips of them", "a triangle fan")
        vertices = self._elements(position, (*path, "attributes", "POSITION"), "VEC3", 3, _FLOAT)
        if primitive.indices is None:
            faces: NDArray[Any] = np.arange(len(vertices))
        else:
            faces = self._elements(primitive.indices, (*path, "indices"), "SCALAR", 1, _INDEX)[:, 0]
            if (largest := int(faces.max())) >= len(vertices):
                raise Fault((*path, "indices"), f"indices of the {len(vertices)} vertices", str(largest))
        is_strip = primitive.mode == _STRIP
        self._allocate(len(faces) // (1 if is_strip else 3) * _TRIANGLE_BYTES, path)
        if is_strip:
            strip = np.stack([faces[:-2], faces[1:-1], faces[2:]], axis=1)
            strip[1::2] = strip[1::2, ::-1]
            faces = strip.ravel()
        elif len(faces) % 3:
            raise Fault(path, "three corners for each triangle", f"{len(faces)} corners")
        corners: NDArray[np.float64] = vertices[faces].astype(np.float64)
        return corners

    def _elements(
        self, number: int, path: JsonPath, kind: str, width: int, types: dict[int, np.dtype[Any]]
    ) -> NDArray[Any]:
        """Return the elements (n, width) of an accessor, of one of the component types; a view where it can be."""
        accessor = self._at(self._document.accessors, number, path)
        path = "accessors", number
        dtype = self._type(accessor.component_type, types, path)
        if accessor.type != kind:
            raise Fault((*path, "type"), kind, accessor.type)
        if accessor.buffer_view is not None:
            found = self._in_view(accessor, accessor.count, width, dtype, path)
        else:
            # Zeros by the standard, which cost the file nothing: no more are believed than it has bytes.
            if accessor.count > self._size:
                most = f"at most {self._size} elements without, as many as the file has bytes,"
                raise Fault((*path, "count"), f"a bufferView, or {most}", str(accessor.count))
            self._allocate(accessor.count * width * dtype.itemsize, (*path, "count"))
            found = np.zeros((accessor.count, width), dtype)
        if (sparse := accessor.sparse) is not None:
            path = (*path, "sparse")
            index_type = self._type(sparse.indices.component_type, _INDEX, (*path, "indices"))
            indices = self._in_view(sparse.indices, sparse.count, 1, index_type, (*path, "indices"))[:, 0]
            values = self._in_view(sparse.values, sparse.count, width, dtype, (*path, "values"))
            if (largest := int(indices.max())) >= accessor.count:
                raise Fault((*path, "indices"), f"indices of the {accessor.count} elements", str(largest))
            if accessor.buffer_view is not None:
                self._allocate(found.nbytes, path)
                found = found.copy()
            found[indices] = values
        return found

    def _in_view(self, at: Part, count: int, width: int, dtype: np.dtype[Any], path: JsonPath) -> NDArray[Any]:
        """Return elements (count, width) in a buffer view, without a copy; only in accessors is there a stride."""
        number = at.buffer_view
        assert number is not None
        view = self._at(self._document.buffer_views, number, (*path, "bufferView"))
        data = self._buffer(view.buffer, ("bufferViews", number, "buffer"))
        if view.byte_offset + view.byte_length > len(data):
            expected = f"a part of the {len(data)} bytes of buffer {view.buffer}"
            found = f"bytes {view.byte_offset} to {view.byte_offset + view.byte_length}"
            raise Fault(("bufferViews", number), expected, found)
        size = width * dtype.itemsize
        stride = (isinstance(at, Accessor) and view.byte_stride) or size
        end = at.byte_offset + (count - 1) * stride + size
        if end > view.byte_length:
            expected = f"at most the {view.byte_length} bytes of bufferView {number}"
            raise Fault(path, expected, f"{count} elements, which take {end}")
        start = view.byte_offset + at.byte_offset
        return np.ndarray((count, width), dtype, data, start, strides=(stride, dtype.itemsize))

    def _buffer(self, number: int, path: JsonPath) -> memoryview:
        """Return the bytes of a buffer, of which each file and URI is read once."""
        buffer = self._at(self._document.buffers, number, path)
        path = "buffers", number
        if buffer.uri is None:
            data = self._binary if number == 0 else None
            if data is None:
                raise Fault((*path, "uri"), "a URI, or the first buffer of a .glb with a chunk BIN", "neither")
        elif buffer.uri in self._buffers:
            data = self._buffers[buffer.uri]
        else:
            data = self._buffers[buffer.uri] = memoryview(self._bytes_of(buffer.uri, (*path, "uri")))
        if buffer.byte_length > len(data):
            expected = f"at most {len(data)}, the bytes there are"
            raise Fault((*path, "byteLength"), expected, str(buffer.byte_length))
        return data[: buffer.byte_length]

    def _bytes_of(self, uri: str, path: JsonPath) -> bytes:
        if not uri.startswith("data:"):
            try:
                file = Reference(unquote(uri), self._folder).path
            except Fault as fault:
                raise Fault(path, fault.expected, fault.found) from None
            data = file.read_bytes()
            self._size += len(data)
            return data
        head, comma, text = uri.partition(",")
        try:
            if not (comma and head.endswith(";base64")):
                raise ValueError
            return base64.b64decode(text, validate=True)
        except ValueError:
            raise Fault(path, "data:...;base64, and bytes in base 64", f"{uri[:40]}...") from None

    def _allocate(self, size: int, path: JsonPath) -> None:
        """Count bytes that are about to be allocated; raises Fault where all are too many for the file."""
        self._allocated += size
        largest = max(READ_LIMITS.any_ratio_bytes, READ_LIMITS.largest_ratio * self._size)
        if self._allocated > min(largest, READ_LIMITS.largest_bytes):
            expected = f"triangles of at most {largest} bytes in all, for a file of {self._size}"
            raise Fault(path, expected, f"{self._allocated}")

    @staticmethod
    def _type(code: int, types: dict[int, np.dtype[Any]], path: JsonPath) -> np.dtype[Any]:
        if code not in types:
            raise Fault((*path, "componentType"), " or ".join(map(str, types)), str(code))
        return types[code]

    @staticmethod
    def _at(values: list[T], number: int, path: JsonPath) -> T:
        if number >= len(values):
            raise Fault(path, f"an index below {len(values)}", str(number))
        return values[number]


def _matrix(node: Node, path: JsonPath) -> NDArray[np.float64]:
    """Return the matrix (4, 4) of a node's transform: scaled, then rotated, then translated."""
    if node.matrix is not None:
        return np.array(node.matrix).reshape(4, 4).T
    matrix = np.eye(4)
    try:
        matrix[:3, :3] = np.array(axes_from_quaternion(node.rotation)).T * node.scale
    except Fault as fault:
        raise Fault((*path, "rotation"), fault.expected, fault.found) from None
    matrix[:3, 3] = node.translation
    return matrix
