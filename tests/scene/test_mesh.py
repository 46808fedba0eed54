"""Meshes: every format gives its triangles in file order, polygons as fans; a broken file is refused in words."""

import base64
import json
import struct
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from hitscope.errors import Fault
from hitscope.geometry.shapes import Triangle
from hitscope.scene import mesh
from hitscope.scene.bulk import IDENTITY, ORIGIN, MeshPrimitive

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
            "expected vertex indices up to 1, the number of vertices, on line 2 in a.obj, found 2",
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
        ("a.obj", b"v 1 2 3\nf 1 1", "expected a face of at least three vertices on line 2 in a.obj, found f 1 1"),
        ("a.obj", b"f a b c", "expected vertex indices on line 1 in a.obj, found f a b c"),
        (
            "a.obj",
            b"v 1 2 nan\nf 1 1 1",
            "expected three numbers on line 1 in a.obj, found v 1 2 nan",
        ),
        (
            "a.stl",
            stl([Triangle._make(((0, 0, 0), (1, 2, float("inf")), (0, 0, 0)))]),
            "expected finite vertices of triangle 0 in a.stl, "
            "found [[0.0, 0.0, 0.0], [1.0, 2.0, inf], [0.0, 0.0, 0.0]]",
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
            'expected a file in or below the folder of the scene at $.buffers[0].uri in a.gltf, found "../a.bin", '
            "which leads out of it",
        ),
        (
            "a.gltf",
            json.dumps({**gltf(BUFFER, "a.bin"), "extensionsRequired": ["KHR_draco_mesh_compression"]}).encode(),
            "expected a glTF file that requires no extensions at $.extensionsRequired in a.gltf, "
            "found KHR_draco_mesh_compression",
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


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
@pytest.mark.parametrize("name", ["a.obj", "a.ply", "a.stl", "a.gltf"])
def test_a_text_may_begin_with_a_byte_order_mark(name, mark, tmp_path) -> None:
    (tmp_path / "a.bin").write_bytes(BUFFER)
    texts = {
        "a.obj": TWO_MATERIALS.encode(),
        "a.ply": ply([(0, 1, 2)], None),
        "a.stl": stl_text(named(FANNED)).encode(),
        "a.gltf": json.dumps(gltf(BUFFER, "a.bin")).encode(),
    }
    (tmp_path / name).write_bytes(mark + texts[name])
    assert read(tmp_path / name)


NO_NUMBERS = ["1_0", "0x10", "1e", "nan", "infinity", "+-1", "\uff11", "1,0", "1e999", "."]


@pytest.mark.parametrize("word", NO_NUMBERS)
def test_what_only_python_takes_for_a_number_is_refused_by_its_line(word, tmp_path) -> None:
    (tmp_path / "a.obj").write_text(f"# x\nv 1 {word} 2\n", "utf-8")
    assert fails(tmp_path / "a.obj") == f"expected three numbers on line 2 in a.obj, found v 1 {word} 2"
    (tmp_path / "a.ply").write_bytes(ply([(0, 1, 2)], None).replace(b"9 1 0 0", f"9 1 {word} 0".encode()))
    assert fails(tmp_path / "a.ply") == f"expected a number on line 16 in a.ply, found {word}"
    text = stl_text(named(FANNED)).replace("vertex 1 0 0", f"vertex 1 {word} 0", 1)
    (tmp_path / "a.stl").write_text(text, "utf-8")
    expected = "expected vertex and three numbers on line 5 in a.stl"
    assert fails(tmp_path / "a.stl") == f"{expected}, found vertex 1 {word} 0"


@pytest.mark.parametrize("word", ["1.5", "1_0", "1e0", "99999999999999999999", "x"])
def test_indices_are_integers(word, tmp_path) -> None:
    (tmp_path / "a.obj").write_text(f"v 1 2 3\nf 1 1 {word}\n")
    assert fails(tmp_path / "a.obj") == f"expected vertex indices on line 2 in a.obj, found f 1 1 {word}"
    (tmp_path / "a.ply").write_bytes(ply([(0, 1, 2)], None).replace(b"7 3 0 1 2", f"7 3 0 1 {word}".encode()))
    assert fails(tmp_path / "a.ply") == f"expected an integer on line 20 in a.ply, found {word}"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("vertex 4", "vertex four", "line 4 in a.ply, found element vertex four"),
        ("vertex 4", "vertex -4", "line 4 in a.ply, found element vertex -4"),
        ("vertex 4", "vertex", "line 4 in a.ply, found element vertex"),
        ("float x", "quark x", "line 6 in a.ply, found property quark x"),
        ("float x", "float", "line 6 in a.ply, found property float"),
        ("uchar int", "uchar float", "line 13 in a.ply, found property list uchar float vertex_indices"),
        ("uchar int", "float int", "line 13 in a.ply, found property list float int vertex_indices"),
        ("comment of no use", "property int x", "line 3 in a.ply, found property int x"),
        ("other", "vertex", "expected elements vertex once in a.ply, found them twice"),
        (
            "float x",
            "float y",
            "expected every property of an element vertex once in a.ply, found one of them twice",
        ),
        ("7 3 0", "7 2 0", "expected faces of at least three vertices in a.ply, found 2 of face 0"),
    ],
)
def test_a_ply_file_is_refused_in_its_own_words(old, new, said, tmp_path) -> None:
    (tmp_path / "a.ply").write_bytes(ply([(0, 1, 2)], None).replace(old.encode(), new.encode()))
    assert fails(tmp_path / "a.ply").endswith(said)


def test_a_ply_list_of_negative_length_is_refused(tmp_path) -> None:
    data = ply([(0, 1, 2)], None).replace(b"uchar int", b"char int").replace(b"7 3 0", b"7 -3 0")
    (tmp_path / "a.ply").write_bytes(data)
    assert fails(tmp_path / "a.ply") == "expected lists of no negative length in a.ply, found -3"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "endloop\n",
            "vertex 0 0 0\n",
            "expected three vertices of the facet that ends on line 8 in a.stl, found 4",
        ),
        ("outer", "other", "facet, vertex or another word of STL on line 3 in a.stl, found other loop"),
        (
            "endsolid b\n",
            "",
            "a facet of three vertices and endsolid in a.stl, found the end of the file in line 59",
        ),
    ],
)
def test_a_text_stl_is_refused_in_its_own_words(old, new, said, tmp_path) -> None:
    (tmp_path / "a.stl").write_text(stl_text(named(FANNED)).replace(old, new, 1))
    assert fails(tmp_path / "a.stl").endswith(said)


def test_a_broken_mesh_is_one_line_of_the_program_and_status_2(tmp_path, hitscope) -> None:
    (tmp_path / "a.stl").write_text("solid a\nfacet normal 0 0 0\nvertex 1 x 2\nendfacet\nendsolid a\n")
    scene = tmp_path / "a.scene.json"
    scene.write_text('{"version": 1, "probes": [], "primitives": [{"type": "mesh", "file": "a.stl"}]}')
    run = hitscope("check", scene)
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert "a.scene.json:1:" in line
    assert line.endswith(f"vertex and three numbers on line 3 in {tmp_path}/a.stl, found vertex 1 x 2")


ZEROS = {"componentType": 5126, "count": 300_000_000, "type": "VEC3"}
SPARSE = {"count": 1, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}
LEAF = {"mesh": 0}
BOMBS = {
    "zeros": {"accessors": [ZEROS]},
    "sparse": {"accessors": [{**ZEROS, "sparse": SPARSE}]},
    "more than the view has": {"accessors": [{**ZEROS, "bufferView": 0}]},
    "a view of more than there is": {"bufferViews": [{"buffer": 0, "byteLength": 4_000_000_000}]},
    "a buffer of more than there is": {"buffers": [{"byteLength": 4_000_000_000, "uri": "a.bin"}]},
    "children ten times": {"nodes": [{"children": [i + 1] * 10} for i in range(10)] + [LEAF]},
    "shared children": {
        "nodes": [{"children": range(10 * (i // 10) + 10, 10 * (i // 10) + 20)} for i in range(100)] + [LEAF] * 10
    },
    "a circle": {"nodes": [{"children": [1]}, {"children": [0], "mesh": 0}]},
    "a mesh of many nodes": {
        "nodes": [LEAF] * 1_000,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}] * 1_000}],
    },
    "many points": {
        "nodes": [LEAF] * 1_000,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 0}] * 1_000}],
    },
}


@pytest.mark.parametrize("more", BOMBS.values(), ids=BOMBS)
def test_gltf_allocates_what_the_bytes_are_there_for(more, tmp_path) -> None:
    (tmp_path / "a.bin").write_bytes(BUFFER)
    document: dict = gltf(BUFFER, "a.bin") | {"scenes": [{"nodes": [0]}]} | more
    document["nodes"] = [dict(node, children=list(node.get("children", []))) for node in document["nodes"]]
    if len(document["nodes"]) >= 1_000:
        document["scenes"] = [{"nodes": list(range(len(document["nodes"])))}]
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    with pytest.raises(Fault, match=r"expected .* at "):
        mesh.read(tmp_path / "a.gltf")
    tracemalloc.start()
    try:
        message = fails(tmp_path / "a.gltf")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert " in a.gltf, found " in message
    assert peak < 100 * (tmp_path / "a.gltf").stat().st_size + (1 << 20)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.stl", bytes(80) + struct.pack("<I", 4_000_000_000) + bytes(50)),
        ("a.ply", ply([(0, 1, 2)], None).replace(b"vertex 4", b"vertex 300000000")),
        ("a.ply", ply([(0, 1, 2)], "<").replace(b"face 1", b"face 300")),
        ("a.ply", ply([(0, 1, 2)], None).replace(b"uchar int", b"uint int").replace(b"7 3 0", b"7 4000000000 0")),
        ("a.glb", struct.pack("<4sIIII", b"glTF", 2, 20, 4_000_000_000, 0x4E4F534A)),
        ("a.obj", b"v 0 0 0\nf 1 1 4000000000\n"),
    ],
)
def test_readers_allocate_what_the_bytes_are_there_for(name, data, tmp_path) -> None:
    (tmp_path / name).write_bytes(data)
    fails(tmp_path / name)
    tracemalloc.start()
    try:
        fails(tmp_path / name)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 17


def test_the_memory_of_a_mesh_is_a_small_multiple_of_its_file(tmp_path) -> None:
    for name, data in {
        "a.obj": b"v 0 0 0\n" * 5_000 + b"f 1 1 1\n" * 5_000,
        "b.obj": b"v 0 0 0\nf" + b" 1" * 40_000,
        "a.ply": ply([(0, 1, 2)] * 5_000, None),
        "b.ply": ply([(0, 1, 2), (0, 1, 2, 3)] * 5_000, "<"),
        "a.stl": stl_text(named(["012"]) * 1_000).encode(),
    }.items():
        (tmp_path / name).write_bytes(data)
        tracemalloc.start()
        try:
            mesh.read(tmp_path / name)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 100 * len(data), name


def test_gltf_replaces_the_elements_of_a_sparse_accessor(tmp_path) -> None:
    data = np.array([(5, 5, 5)], "<f4").tobytes() + bytes([1])
    (tmp_path / "a.bin").write_bytes(data)
    sparse = {
        "count": 1,
        "indices": {"bufferView": 0, "byteOffset": 12, "componentType": 5121},
        "values": {"bufferView": 0},
    }
    accessor = {"componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse}
    document = gltf(data, "a.bin") | {"accessors": [accessor], "scenes": [{"nodes": [3]}]}
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    assert read(tmp_path / "a.gltf") == [Triangle((0, 0, 0), (5, 5, 5), (0, 0, 0))]


@pytest.mark.parametrize("mode", [4, 5])
def test_gltf_strips_and_interleaved_vertices_are_read_as_another_library_does(mode, tmp_path) -> None:
    import trimesh

    points = np.random.default_rng(mode).random((9, 6)).astype("<f4")
    (tmp_path / "a.bin").write_bytes(points.tobytes())
    view = {"buffer": 0, "byteLength": points.nbytes, "byteStride": 24}
    document = gltf(points.tobytes(), "a.bin") | {
        "bufferViews": [view],
        "accessors": [{"bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 9, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": mode}]}],
        "nodes": [{"mesh": 0, "rotation": [0.1, 0.7, -0.1, 0.7], "scale": [1, 2, 3], "translation": [4, 5, 6]}],
        "scenes": [{"nodes": [0]}],
    }
    # The offset of the last vertex leads to the end of the buffer exactly.
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    (other,) = trimesh.load(tmp_path / "a.gltf", process=False).dump()
    np.testing.assert_allclose(mesh.read(tmp_path / "a.gltf").rows.T.reshape(-1, 3, 3), other.triangles, rtol=1e-6)


@pytest.mark.parametrize("form", ["obj", "ply", "ply_text", "stl", "stl_ascii", "glb", "gltf"])
def test_what_another_library_writes_is_read(form, tmp_path) -> None:
    import trimesh

    random = np.random.default_rng(len(form))
    vertices = random.random((60, 3)).astype(np.float32).astype(np.float64)
    written = trimesh.Trimesh(vertices, random.permutation(60).reshape(-1, 3), process=False)
    name = f"a.{form.partition('_')[0]}"
    if form == "ply_text":
        written.export(tmp_path / name, encoding="ascii")
    elif form == "gltf":
        for file, data in trimesh.Scene(written).export(file_type="gltf").items():
            (tmp_path / ("a.gltf" if file == "model.gltf" else file)).write_bytes(data)
    else:
        written.export(tmp_path / name, file_type=form)
    found = mesh.read(tmp_path / name).rows.T.reshape(-1, 3, 3)
    np.testing.assert_allclose(found, written.triangles, atol=1e-7)


def test_meshes_are_read_without_trimesh() -> None:
    code = (
        "import sys; from hitscope.scene import load; from hitscope.scene.mesh import gltf, stl;"
        "load(sys.argv[1]); load(sys.argv[2]);"
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
