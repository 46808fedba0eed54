"""Meshes: every format gives its triangles in file order, polygons as fans; a broken file is refused in words."""

import base64
import json
import struct
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from hitscope.errors import Fault
from hitscope.geometry.shapes import Triangle
from hitscope.scene import mesh
from hitscope.scene.bulk import IDENTITY, ORIGIN
from hitscope.scene.model import MeshPrimitive

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)]
TWO_MATERIALS = """# quads, a pentagon, triangles and a degenerate face, the materials in turns
mtllib none.mtl
v 0 0 0 1.0
v 1 0 0
v 1 1 0 0.5 0.5 0.5
v 0 1 0
vt 0 0
vn 0 0 1
usemtl red
f 1 2 3 4
usemtl blue
f 1/1/1 2//1 3/1
usemtl red
v 0 0 1
f -5 -4 -1
o another
f 1 2 3 \\
4 5
usemtl blue
f 1 1 1
"""
FANNED = ["012", "023", "012", "014", "012", "023", "034", "000"]

PLY = """ply
format ascii 1.0
comment of no use
element vertex 4
property uchar red
property float x
property float y
property double z
element other 1
property list uchar float junk
element face 3
property uchar flags
property list uchar int vertex_indices
end_header
"""
PLY_VERTICES = [(9, 0, 0, 0), (9, 1, 0, 0), (9, 1, 1, 0), (9, 0, 1, 0)]


def read(path: Path, **more) -> list[Triangle]:
    """Read a mesh as it stands."""
    plain = {"scale": 1.0, "quaternion": IDENTITY, "translate": ORIGIN}
    return list(mesh.placed(mesh.read(path), **plain | more))


def named(faces: list[str]) -> list[Triangle]:
    """Triangles by the digits of their corners."""
    return [Triangle(*(CORNERS[int(digit)] for digit in face)) for face in faces]


def fails(path: Path) -> str:
    """The message of the error of a broken file."""
    with pytest.raises(Fault) as caught:
        read(path)
    assert caught.value.path == ("file",)
    return caught.value.message.replace(f"{path.parent}/", "")


def ply(faces: list[tuple[int, ...]], order: str | None) -> bytes:
    """A PLY of the four vertices, in text or with the byte order "<" or ">"."""
    header = PLY.replace("face 3", f"face {len(faces)}")
    if order is None:
        lines = [*PLY_VERTICES, (2, 0.5, 0.5), *((7, len(face), *face) for face in faces)]
        return (header + "\n".join(" ".join(map(str, line)) for line in lines)).encode()
    name = "binary_little_endian" if order == "<" else "binary_big_endian"
    data = header.replace("ascii", name).encode()
    data += b"".join(struct.pack(f"{order}Bffd", *vertex) for vertex in PLY_VERTICES)
    data += struct.pack(f"{order}Bff", 2, 0.5, 0.5)
    return data + b"".join(struct.pack(f"{order}BB{len(face)}i", 7, len(face), *face) for face in faces)


def stl(triangles: list[Triangle]) -> bytes:
    """A binary STL."""
    facets = (struct.pack("<12fH", 0, 0, 0, *np.ravel(triangle), 0) for triangle in triangles)
    return bytes(80) + struct.pack("<I", len(triangles)) + b"".join(facets)


def stl_text(triangles: list[Triangle]) -> str:
    """A text STL of two solids."""
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle)
        + "endloop\nendfacet\n"
        for triangle in triangles
    ]
    return f"solid a\n{''.join(facets[:3])}endsolid a\nsolid b\n{''.join(facets[3:])}endsolid b\n"


def gltf(buffer: bytes, uri: str | None) -> dict:
    """A glTF: two meshes of one triangle each, one of them twice in one node; the nodes are in a tree."""
    primitive = {"attributes": {"POSITION": 0}}
    return {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(buffer), **({"uri": uri} if uri else {})}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(buffer)}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 0, "byteOffset": 36, "componentType": 5121, "count": 3, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [primitive, {**primitive, "indices": 1}]}, {"primitives": [primitive]}],
        "nodes": [
            {"mesh": 0, "translation": [10, 0, 0], "name": "b"},
            {"mesh": 1, "translation": [0, 1, 0], "name": "a"},
            {"children": [0, 1], "scale": [2, 2, 2], "name": "c"},
            {"mesh": 1, "name": "a"},
        ],
        "scenes": [{"nodes": [3, 2]}],
        "scene": 0,
    }


BUFFER = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0)], "<f4").tobytes() + bytes([2, 1, 0, 0])
PLACED = [
    Triangle((20, 0, 0), (22, 0, 0), (22, 2, 0)),
    Triangle((22, 2, 0), (22, 0, 0), (20, 0, 0)),
    Triangle((0, 2, 0), (2, 2, 0), (2, 4, 0)),
    Triangle((0, 0, 0), (1, 0, 0), (1, 1, 0)),
]
"""What it shows, node by node in the order of the file."""


def test_obj_faces_keep_their_order_across_materials_and_polygons(tmp_path) -> None:
    (tmp_path / "a.obj").write_text(TWO_MATERIALS)
    assert read(tmp_path / "a.obj") == named(FANNED)


@pytest.mark.parametrize("order", [None, "<", ">"])
@pytest.mark.parametrize("faces", [[(0, 1, 2, 3), (0, 1, 2), (3, 2, 1, 0)], [(0, 1, 2, 3)] * 3, [(2, 1, 0)]])
def test_ply_polygons_of_any_size_keep_their_order(faces, order, tmp_path) -> None:
    (tmp_path / "a.ply").write_bytes(ply(faces, order))
    fans = [f"{face[0]}{b}{c}" for face in faces for b, c in pairwise(face[1:])]
    assert read(tmp_path / "a.ply") == named(fans)


@pytest.mark.parametrize("kind", ["binary", "text"])
def test_stl_keeps_order_and_degenerate_faces(kind, tmp_path) -> None:
    triangles = named(FANNED)
    data = stl(triangles) if kind == "binary" else stl_text(triangles).encode()
    (tmp_path / "a.STL").write_bytes(data)
    assert read(tmp_path / "a.STL") == triangles


@pytest.mark.parametrize("where", ["inside", "beside", "in the binary"])
def test_gltf_nodes_are_transformed_and_keep_the_order_of_the_file(where, tmp_path) -> None:
    path = tmp_path / ("a.glb" if where == "in the binary" else "a.gltf")
    if where == "in the binary":
        text = json.dumps(gltf(BUFFER, None)).encode()
        text += b" " * (-len(text) % 4)
        chunks = (
            struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(BUFFER), b"BIN\0") + BUFFER
        )
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    else:
        uri = f"data:application/octet-stream;base64,{base64.b64encode(BUFFER).decode()}"
        (tmp_path / "a.bin").write_bytes(BUFFER)
        path.write_text(json.dumps(gltf(BUFFER, uri if where == "inside" else "a.bin")))
    assert read(path) == PLACED


def test_a_mesh_is_scaled_then_rotated_then_translated(tmp_path) -> None:
    (tmp_path / "a.obj").write_text("v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n")
    quarter = (0.0, 0.0, 1.0, 1.0)
    assert read(tmp_path / "a.obj", scale=(2, 3, 4), quaternion=quarter, translate=(10, 0, 0)) == [
        Triangle((10, 2, 0), (7, 0, 0), (10, 0, 4))
    ]
    assert read(tmp_path / "a.obj", scale=0.0) == [Triangle(ORIGIN, ORIGIN, ORIGIN)]
    with pytest.raises(Fault, match="finite vertices of the moved triangle 0"):
        read(tmp_path / "a.obj", scale=1e308, translate=(1e308, 0, 0))


def test_the_items_transform_is_that_of_its_fields(tmp_path, monkeypatch) -> None:
    (tmp_path / "a.obj").write_text("v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n")
    monkeypatch.chdir(tmp_path)
    item = MeshPrimitive(file="a.obj", scale=0, translate=(1, 2, 3))
    assert list(item.shapes) == [Triangle((1, 2, 3), (1, 2, 3), (1, 2, 3))]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.obj", b"", "expected at least one triangle in a.obj, found none"),
        ("a.obj", b"v 1 2 3\nv 1 2 3\nv 1 2\nf 1 2 3", "expected three numbers on line 3 in a.obj, found v 1 2"),
        ("a.obj", b"v 1 2 x", "expected three numbers on line 1 in a.obj, found v 1 2 x"),
        (
            "a.obj",
            b"v 1 2 3\nf 1 1 2",
            "expected indices of the 1 vertices, counted from 0, in a.obj, found 1 in face 0",
        ),
        (
            "a.obj",
            b"v 1 2 3\nf 1 1 0",
            "expected vertex indices from 1, or from -1 to -1, on line 2 in a.obj, found f 1 1 0",
        ),
        (
            "a.obj",
            b"v 1 2 3\nf 1 1 -2",
            "expected vertex indices from 1, or from -1 to -1, on line 2 in a.obj, found f 1 1 -2",
        ),
        ("a.obj", b"v 1 2 3\nf 1 1", "expected faces of at least three vertices in a.obj, found 2 of face 0"),
        ("a.obj", b"f a b c", "expected vertex indices on line 1 in a.obj, found f a b c"),
        (
            "a.obj",
            b"v 1 2 nan\nf 1 1 1",
            "expected finite vertices of triangle 0 in a.obj, "
            "found [[1.0, 2.0, nan], [1.0, 2.0, nan], [1.0, 2.0, nan]]",
        ),
        ("a.ply", b"", "expected the word \"ply\" at the start in a.ply, found ''"),
        ("a.ply", b"ply\nformat ascii 1.0\n", "expected a header that ends with end_header in a.ply, found none"),
        (
            "a.ply",
            ply([(0, 1, 4)], None),
            "expected indices of the 4 vertices, counted from 0, in a.ply, found 4 in face 0",
        ),
        (
            "a.ply",
            ply([(0, 1, -1)], "<"),
            "expected indices of the 4 vertices, counted from 0, in a.ply, found -1 in face 0",
        ),
        (
            "a.ply",
            ply([(0, 1, 2)], "<")[:-1],
            "expected all elements that its header declares in a.ply, found the end of the file",
        ),
        (
            "a.ply",
            ply([(0, 1, 2)], None)[:-4],
            "expected all elements that its header declares in a.ply, found the end of the file",
        ),
        (
            "a.ply",
            ply([(0, 1, 2)], "<").replace(b"vertex 4", b"vertex 4000000000"),
            "expected 4000000000 elements vertex, as its header says in a.ply, found 375 bytes",
        ),
        (
            "a.stl",
            bytes(80),
            "expected 84 bytes, after the number of triangles that its header gives, or the word "
            "solid, in a.stl, found 80",
        ),
        (
            "a.stl",
            stl(named(FANNED))[:-1],
            "expected 484 bytes, after the number of triangles that its header gives, or the word solid, "
            "in a.stl, found 483",
        ),
        ("a.off", b"OFF", "expected a mesh (.obj, .ply, .stl, .gltf, .glb), found a.off"),
        (
            "a.gltf",
            json.dumps(gltf(BUFFER, "../a.bin")).encode(),
            'expected a file in or below the folder of the scene in a.gltf, found "../a.bin", '
            "which leads out of it",
        ),
        (
            "a.gltf",
            json.dumps({**gltf(BUFFER, "a.bin"), "extensionsRequired": ["KHR_draco_mesh_compression"]}).encode(),
            "expected a glTF file that requires no extensions in a.gltf, found KHR_draco_mesh_compression",
        ),
    ],
)
def test_broken_meshes_are_refused(name, data, said, tmp_path) -> None:
    (tmp_path / name).write_bytes(data)
    assert fails(tmp_path / name) == said


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.glb", b"glTF"),
        ("a.glb", struct.pack("<4sIII4s", b"glTF", 2, 999, 990, b"JSON") + b"{}"),
        ("a.gltf", b"{"),
        ("a.gltf", b"[]"),
        ("a.gltf", json.dumps(gltf(BUFFER[:20], "data:;base64,AAAA")).encode()),
        ("a.stl", b"solid x\nfacet\nvertex 1 2 x\nendsolid x"),
        ("a.stl", b"solid"),
        ("a.ply", ply([(0, 1, 2)], None).replace(b"float x", b"quark x")),
        ("a.ply", ply([(0, 1, 2)], None).replace(b"9 0 0 0", b"9 0 zero 0")),
        ("a.obj", b"\xff\xfe\x00" * 50),
    ],
)
def test_what_is_no_mesh_is_refused_and_named(name, data, tmp_path) -> None:
    (tmp_path / name).write_bytes(data)
    assert name in fails(tmp_path / name)


def test_trimesh_is_imported_only_for_a_mesh_that_it_reads() -> None:
    code = (
        "import sys; from hitscope.scene import load; load(sys.argv[1]); load(sys.argv[2]);"
        "print([name for name in ('trimesh', 'numba') if name in sys.modules])"
    )
    folder = Path(__file__).parents[2] / "scenes" / "bulk"
    run = subprocess.run(
        [sys.executable, "-c", code, folder / "gem.scene.json", folder / "towers.scene.json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "[]"
