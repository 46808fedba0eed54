"""Mesh and array files, whole and mutated: each gives its shapes or is refused in one line, in bounded memory."""

import base64
import io
import json
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from hitscope.errors import SceneError
from hitscope.scene import loads
from tests.fuzz import messages, mutations
from tests.fuzz.harness import Failure

CASES, ACCEPTED, KINDS = 400, 0.15, 25
SECONDS = 20
LIMIT_MEMORY = True
SHRINKS = True

NAME = "attack.scene.json"
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (0.5, -2.5, 1e-3)]
OUT_OF_MEMORY = ("allocate", "MemoryError", "out of memory")
_TOKENS = (
    b"nan", b"inf", b"-1", b"0", b"1e999", b"1e308", b"99999999999", b"4294967295", b"2147483648", b"1_0",
    b"1.5", b"0x1", b"-0", b"3" * 5000, b"1/2/3", b"//", b"x", b"", b"\xff", b"\x1b[31m", b"1,2", b"+1",
    b"1e3", b"\xd9\xa1", b"[b]",
)  # fmt: skip


def make(random: Random) -> bytes:
    """Return a line with the file's type and its number of shapes, None once it is mutated, and the file."""
    faces = [
        random.choices(range(len(CORNERS)), k=random.choice((3, 3, 4, 5))) for _ in range(random.randint(1, 5))
    ]
    kind = random.choice(list(WRITERS))
    data, size = WRITERS[kind].write(random, faces)
    mutated = random.random() < 0.85
    if mutated:
        other, _ = WRITERS[random.choice([kind, *WRITERS])].write(random, faces)
        for _ in range(random.choice((1, 1, 2))):
            data = _mutated(data, random, other)
    return json.dumps([kind, None if mutated else size]).encode() + b"\n" + data


def check(case: bytes, folder: Path) -> str:
    """Load a scene of one item whose `file` is the case."""
    header, _, data = case.partition(b"\n")
    try:
        kind, size = json.loads(header)
        assert kind in WRITERS
    except (ValueError, AssertionError, TypeError):
        return "no case"
    word, ending, _ = WRITERS[kind]
    (folder / f"x.{ending}").write_bytes(data)
    (folder / "x.bin").write_bytes(np.array(CORNERS, "<f4").tobytes())
    item = {"type": word, "file": f"x.{ending}"}
    text = json.dumps({"version": 1, "primitives": [item], "probes": []})
    try:
        shapes = loads(text.encode(), NAME, folder).primitives[0].shapes
    except SceneError as error:
        message = str(error).replace(f"{folder}/", "")
        if size is not None:
            raise Failure(f"valid {kind} file is refused", message) from None
        if any(word in message for word in OUT_OF_MEMORY):
            raise Failure(f"memory of a small {kind} file", message) from None
        return f"{kind} {messages.check(message, NAME)}"
    if not np.isfinite(shapes.rows).all():
        raise Failure("shapes that are not finite", kind)
    if size not in (None, len(shapes)):
        raise Failure(f"other number of shapes in a {kind} file", f"{len(shapes)}, not {size}")
    return "accepted"


def _mutated(data: bytes, random: Random, other: bytes) -> bytes:
    if random.random() < 0.5:
        words = data.split(b" ")
        at = random.randrange(len(words))
        words[at] = random.choice((*_TOKENS, words[at] + b"\n" + random.choice(_TOKENS)))
        return b" ".join(words)
    if random.random() < 0.3 and len(data) > 4:
        # A size or an index of a binary file.
        at = random.randrange(len(data) - 3)
        number = random.choice((0, 1, 3, 2**31 - 1, 2**31, 2**32 - 1, 2**24, len(data)))
        return data[:at] + struct.pack(random.choice("<>") + "I", number) + data[at + 4 :]
    return mutations.spliced(data, random, [data, other])


def _obj(random: Random, faces: list[list[int]]) -> tuple[bytes, int]:
    lines = ["# corners", *(f"v {x} {y} {z}" for x, y, z in CORNERS), "g faces", "vt 0 0"]
    style = random.choice(("{0}", "{0}/1", "{0}//1", "{1}"))
    for face in faces:
        lines.append("f " + " ".join(style.format(corner + 1, corner - len(CORNERS)) for corner in face))
    return random.choice(("\n", "\r\n")).join([*lines, ""]).encode(), _triangles(faces)


def _ply(random: Random, faces: list[list[int]]) -> tuple[bytes, int]:
    order = random.choice(("", "<", ">"))
    form = {"": "ascii", "<": "binary_little_endian", ">": "binary_big_endian"}[order]
    header = (
        f"ply\nformat {form} 1.0\ncomment of no use\nelement vertex {len(CORNERS)}\nproperty float x\n"
        f"property float y\nproperty double z\nproperty uchar red\nelement face {len(faces)}\n"
        "property list uchar int vertex_indices\nend_header\n"
    ).encode()
    if order:
        data = b"".join(struct.pack(f"{order}ffdB", *corner, 7) for corner in CORNERS)
        data += b"".join(struct.pack(f"{order}B{len(face)}i", len(face), *face) for face in faces)
        return header + data, _triangles(faces)
    rows = [*((*corner, 7) for corner in CORNERS), *((len(face), *face) for face in faces)]
    return header + "".join(" ".join(map(str, row)) + "\n" for row in rows).encode(), _triangles(faces)


def _stl(random: Random, faces: list[list[int]]) -> tuple[bytes, int]:
    triangles = [[CORNERS[corner] for corner in face[:3]] for face in faces]
    if random.random() < 0.5:
        data = b"".join(struct.pack("<12fH", 0, 0, 1, *np.ravel(triangle), 0) for triangle in triangles)
        return b"made".ljust(80) + struct.pack("<I", len(triangles)) + data, len(triangles)
    facets = (
        "facet normal 0 0 1\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle)
        + "endloop\nendfacet\n"
        for triangle in triangles
    )
    return f"solid made\n{''.join(facets)}endsolid made\n".encode(), len(triangles)


def _gltf_document(random: Random, faces: list[list[int]], uri: str | None) -> tuple[dict[str, object], bytes]:
    triangles = [face[:3] for face in faces]
    points = np.array(CORNERS, "<f4").tobytes()
    data = points + np.array(triangles, "<u4").tobytes()
    buffer: dict[str, object] = {"byteLength": len(data)}
    if uri is not None:
        buffer["uri"] = uri or "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    node: dict[str, object] = {"mesh": 0, "name": "made"}
    if random.random() < 0.5:
        node |= {"translation": [1, 2, 3], "rotation": [0, 0, 0, 1], "scale": [1, 2, 1]}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [node, {"children": []}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
        "buffers": [buffer],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(data) - len(points)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(CORNERS), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3 * len(triangles), "type": "SCALAR"},
        ],
    }, data


def _gltf(random: Random, faces: list[list[int]]) -> tuple[bytes, int]:
    document, _ = _gltf_document(random, faces, "")
    return json.dumps(document).encode(), len(faces)


def _glb(random: Random, faces: list[list[int]]) -> tuple[bytes, int]:
    document, data = _gltf_document(random, faces, None)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks, len(faces)


def _mutated_gltf(random: Random, faces: list[list[int]]) -> tuple[bytes, int | None]:
    """Return a glTF that is JSON still, but other JSON."""
    document, _ = _gltf_document(random, faces, random.choice(("", "", "x.bin", "../x.bin", "/dev/zero")))
    words = [
        "nodes",
        "children",
        "matrix",
        "extensionsRequired",
        "skins",
        "uri",
        "sparse",
        "mode",
        "mesh",
        "x.bin",
    ]
    return mutations.document(json.dumps(document), random, words), None


def _npz(word: str):
    def write(random: Random, faces: list[list[int]]) -> tuple[bytes, int]:
        size = len(faces)
        numbers = np.arange(size * 9).reshape(size, 3, 3) / random.choice((1, 8, 3))
        low, high = numbers[:, 0], numbers[:, 0] + 1
        arrays = {
            "aabbs": random.choice(({"min": low, "max": high}, {"center": low, "half_extents": high})),
            "obbs": {"center": low, "half_extents": high, **random.choice(({}, {"euler_xyz_deg": low}))},
            "triangles": {"vertices": numbers},
        }[word]
        kind = random.choice(("<f8", ">f4", "<f2", "<i4", "<u1"))
        file = io.BytesIO()
        save = random.choice((np.savez, np.savez_compressed))
        orders = np.ascontiguousarray, np.asfortranarray
        save(file, **{name: random.choice(orders)(array, kind) for name, array in arrays.items()})
        return file.getvalue(), size

    return write


def _lying_npz(random: Random, faces: list[list[int]]) -> tuple[bytes, int | None]:
    """Return a zip whose arrays have mutated headers, and right checksums."""
    file = io.BytesIO()
    with (
        warnings.catch_warnings(action="ignore"),
        zipfile.ZipFile(file, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive,
    ):
        for name in random.choice((("vertices",), ("vertices", "vertices"), ("vertices", "x"), ("Vertices",))):
            array = io.BytesIO()
            np.save(array, np.ones((len(faces), 3, 3)))
            data = array.getvalue()
            shape = f"({len(faces)}, 3, 3)".encode()
            other = random.choice(
                (
                    shape,
                    b"(9, 3, 3)",
                    b"(-1, 3, 3)",
                    b"(10**9, 3, 3)",
                    b"(99999999999, 3, 3)",
                    b"()",
                    b"(3,)",
                    b"'x'",
                )
            )
            kind = random.choice(
                (b"'<f8'", b"'|O'", b"'<c16'", b"'<U2'", b"'>f8'", b"[('a', '<f8')]", b"'<M8[s]'")
            )
            data = data.replace(shape, other).replace(b"'<f8'", kind)
            archive.writestr(
                f"{name}.npy", mutations.spliced(data, random, [data]) if random.random() < 0.5 else data
            )
    return file.getvalue(), None


class Writer(NamedTuple):
    """How files of one type are made, and the item that refers to them."""

    item: str
    ending: str
    write: Callable[[Random, list[list[int]]], tuple[bytes, int | None]]
    """Make a file of faces; returns it with its number of shapes, None where that is unknown."""


WRITERS = {
    "obj": Writer("mesh", "obj", _obj),
    "ply": Writer("mesh", "ply", _ply),
    "stl": Writer("mesh", "stl", _stl),
    "gltf": Writer("mesh", "gltf", _gltf),
    "glb": Writer("mesh", "glb", _glb),
    "mutated gltf": Writer("mesh", "gltf", _mutated_gltf),
    "lying npz": Writer("triangles", "npz", _lying_npz),
    **{f"npz of {word}": Writer(word, "npz", _npz(word)) for word in ("aabbs", "obbs", "triangles")},
}


def _triangles(faces: list[list[int]]) -> int:
    return sum(len(face) - 2 for face in faces)
