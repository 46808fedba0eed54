"""Arrays from .npz files: what is read, and how a file that lies is refused, naming file, array and row."""

import io
import os
import pickle
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from hitscope.geometry.shapes import Aabb, Obb, Triangle
from hitscope.scene import Fault, SceneError, load, loads, npz
from hitscope.scene.tables import ReadLimits

ONES = np.ones((4, 3))


def scene_in(folder: Path, kind: str = "aabbs", file: str = "a.npz") -> Path:
    """Write a scene of one bulk item, whose `file` value starts at 1:60."""
    path = folder / "x.scene.json"
    path.write_text(
        f'{{"version": 1, "probes": [], "primitives": [{{"type": "{kind}", "file": "{file}"}}]}}',
        encoding="utf-8",
    )
    return path


def fails(folder: Path, kind: str = "aabbs", file: str = "a.npz") -> str:
    """The message of the scene's error, without the file's name and column."""
    with pytest.raises(SceneError) as caught:
        load(scene_in(folder, kind, file))
    location, path, words = str(caught.value).split(": ", 2)
    assert location.startswith(f"{folder}/x.scene.json:1:")
    assert path == "$.primitives[0].file"
    return words.replace(f"{folder}/", "")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<i2", "<u8"])
def test_arrays_of_any_layout_are_read_as_the_numbers_they_hold(save, order, dtype, tmp_path) -> None:
    vertices = np.arange(8 * 9).reshape(8, 3, 3)
    save(tmp_path / "a.npz", vertices=np.array(vertices, dtype, order=order))
    columns = npz.read(tmp_path / "a.npz", [("vertices",)], limits=ReadLimits(chunk_rows=3))
    np.testing.assert_array_equal(columns["vertices"].T, vertices.reshape(8, 9))
    (item,) = load(scene_in(tmp_path, "triangles")).primitives
    assert list(item.shapes) == [Triangle(*map(tuple, triangle.tolist())) for triangle in vertices]


def test_each_form_of_boxes_is_read(tmp_path) -> None:
    np.savez(tmp_path / "a.npz", center=ONES, half_extents=ONES)
    assert load(scene_in(tmp_path)).primitives[0].shapes[3] == Aabb((0, 0, 0), (2, 2, 2))
    turned = ((0, 1, 0), (-1, 0, 0), (0, 0, 1))
    np.savez(tmp_path / "a.npz", center=ONES, half_extents=ONES, euler_xyz_deg=[[0, 0, 90]] * 4)
    assert load(scene_in(tmp_path, "obbs")).primitives[0].shapes[3] == Obb((1, 1, 1), (1, 1, 1), turned)


def test_standard_input_finds_files_below_the_working_folder(tmp_path, monkeypatch) -> None:
    (tmp_path / "in").mkdir()
    np.savez(tmp_path / "in" / "a.npz", min=ONES, max=ONES)
    data = scene_in(tmp_path, file="in/a.npz").read_bytes()
    monkeypatch.chdir(tmp_path)
    assert len(loads(data, "-").primitives[0].shapes) == 4


def test_no_rows_are_legal(tmp_path) -> None:
    np.savez(tmp_path / "a.npz", min=ONES[:0], max=ONES[:0])
    assert len(load(scene_in(tmp_path)).primitives[0].shapes) == 0


def test_a_number_that_is_not_finite_is_named_by_its_row(tmp_path) -> None:
    low = np.zeros((900_000, 3), np.float32)
    low[812_345, 1] = np.nan
    np.savez(tmp_path / "a.npz", min=low, max=np.ones((900_000, 3), np.float32))
    assert fails(tmp_path) == "expected a finite number at min[812345][1] in a.npz, found nan"


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"min": ONES}, "expected arrays min, max or center, half_extents in a.npz, found min"),
        ({}, "expected arrays min, max or center, half_extents in a.npz, found none of them"),
        (
            {"min": ONES, "maxi": ONES},
            'expected arrays of the names min, max, center, half_extents in a.npz, found "maxi" '
            '(did you mean "max"?)',
        ),
        ({"min": ONES, "max": ONES[:3]}, "expected as many rows as min has (4) at max in a.npz, found 3"),
        (
            {"min": ONES, "max": np.ones((4, 4))},
            "expected an array of numbers, (N, 3) at max in a.npz, found (4, 4)",
        ),
        ({"min": ONES, "max": np.ones(())}, "expected an array of numbers, (N, 3) at max in a.npz, found ()"),
        (
            {"min": ONES, "max": ONES.astype(complex)},
            "expected an array of numbers, (N, 3), of float64 or of a type that it can hold at max in a.npz, "
            "found complex128",
        ),
        (
            {"min": ONES, "max": ONES.astype(object)},
            "expected an array of numbers, (N, 3), of float64 or of a type that it can hold at max in a.npz, "
            "found object",
        ),
        ({"min": ONES, "max": -ONES}, "expected a number >= min[0][0] = 1.0 at max[0][0] in a.npz, found -1.0"),
        (
            {"center": ONES, "half_extents": -ONES},
            "expected a number >= 0 at half_extents[0][0] in a.npz, found -1.0",
        ),
    ],
)
def test_arrays_that_do_not_fit_are_refused(arrays, said, tmp_path) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    assert fails(tmp_path) == said


def test_two_rotations_are_refused(tmp_path) -> None:
    np.savez(tmp_path / "a.npz", center=ONES, half_extents=ONES, axes=[np.eye(3)] * 4, euler_xyz_deg=ONES)
    assert fails(tmp_path, "obbs") == (
        "expected at most one of axes, quaternion_xyzw, euler_xyz_deg in a.npz, found axes, euler_xyz_deg"
    )


class Trap:
    """A pickle that would make a file, were it ever read."""

    def __reduce__(self):
        return os.mkdir, ("sprung",)


def npy(array: np.ndarray) -> bytes:
    """The bytes of an .npy file."""
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def zipped(path: Path, method: int = zipfile.ZIP_DEFLATED, **entries: bytes) -> None:
    """Write a zip of entries, whatever they hold."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(f"{name}.npy", data)


def test_nothing_is_unpickled(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    trap = np.empty((4, 3), object)
    trap[:] = Trap()
    np.savez(tmp_path / "a.npz", allow_pickle=True, min=trap, max=ONES)
    assert "found object" in fails(tmp_path)
    zipped(tmp_path / "a.npz", min=pickle.dumps(Trap()), max=npy(ONES))
    assert "expected the header of an .npy file at min in a.npz" in fails(tmp_path)
    assert not (tmp_path / "sprung").exists()


def test_a_header_that_promises_more_than_there_is_is_refused_before_it_is_believed(tmp_path) -> None:
    lying = npy(ONES).replace(b"(4, 3)", b"(9, 3)")
    zipped(tmp_path / "a.npz", min=lying, max=npy(ONES))
    assert fails(tmp_path) == "expected 216 bytes of numbers for min (9, 3) at min in a.npz, found 96"


def test_bombs_are_refused_by_what_they_declare(tmp_path) -> None:
    zipped(tmp_path / "a.npz", min=npy(np.zeros((100_000, 3))), max=npy(np.zeros((100_000, 3))))
    assert len(load(scene_in(tmp_path)).primitives[0].shapes) == 100_000
    file, groups = tmp_path / "a.npz", [("min", "max")]
    with pytest.raises(Fault) as ratio:
        npz.read(file, groups, limits=ReadLimits(any_ratio_bytes=1 << 20))
    assert ratio.value.message == (
        f"expected arrays of more than 1 MiB to be at most 100 times as large as their file in {file}, "
        f"found 4800256 bytes in a file of {file.stat().st_size}"
    )
    with pytest.raises(Fault) as size:
        npz.read(file, groups, limits=ReadLimits(largest_bytes=1 << 22))
    assert size.value.message == (
        f"expected arrays of at most 4194304 bytes (0.00390625 GiB) in {file}, found 4800256 bytes"
    )


def test_a_header_that_is_none_is_refused(tmp_path) -> None:
    zipped(tmp_path / "a.npz", min=npy(ONES).replace(b"(4, 3)", b"(((((("), max=npy(ONES))
    assert "expected an .npz file that can be read at a.npz" in fails(tmp_path)


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"no zip at all", b"\x93NUMPY\x01\x00", b"PK\x05\x06" + bytes(18)],
)
def test_what_is_no_npz_is_refused(data: bytes, tmp_path) -> None:
    (tmp_path / "a.npz").write_bytes(data)
    assert "a.npz" in fails(tmp_path)


def test_a_file_cut_or_damaged_anywhere_is_refused(tmp_path) -> None:
    zipped(
        tmp_path / "whole.npz",
        zipfile.ZIP_DEFLATED,
        min=npy(-np.random.default_rng(0).random((4, 3))),
        max=npy(ONES),
    )
    whole = (tmp_path / "whole.npz").read_bytes()
    for end in range(0, len(whole), 17):
        (tmp_path / "a.npz").write_bytes(whole[:end])
        assert "expected an .npz file that can be read at a.npz" in fails(tmp_path)
    start = whole.index(b"NUMPY") if b"NUMPY" in whole else 60
    for at in range(start, start + 60, 7):
        (tmp_path / "a.npz").write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert "a.npz" in fails(tmp_path)


def test_an_array_twice_is_refused(tmp_path) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("min.npy", npy(ONES))
        archive.writestr("min", npy(ONES))
        archive.writestr("max.npy", npy(ONES))
    assert fails(tmp_path) == "expected each array once in a.npz, found one twice"


def test_files_outside_the_folder_are_not_opened(tmp_path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    np.savez(tmp_path / "a.npz", min=ONES, max=ONES)
    leads_out = "expected a file in or below the folder of the scene, found "
    assert fails(inside, file="../a.npz") == f'{leads_out}"../a.npz", which leads out of it'
    assert fails(inside, file=str(tmp_path / "a.npz")).startswith(leads_out)
    (inside / "link.npz").symlink_to(tmp_path / "a.npz")
    assert fails(inside, file="link.npz") == f'{leads_out}"link.npz", which leads out of it'
    (inside / "circle.npz").symlink_to("circle.npz")
    assert "circle.npz" in fails(inside, file="circle.npz")
    (inside / "folder.npz").mkdir()
    assert fails(inside, file="folder.npz") == "expected a file that can be read at folder.npz, found a folder"
    assert fails(inside, file="none.npz") == "expected a file that can be read at none.npz, found no such file"
    os.mkfifo(inside / "pipe.npz")
    long = fails(inside, file=f"{'b' * 4000}.npz")
    assert re.fullmatch(
        r"expected a file that can be read at b{50,300}\.\.\.b+\.npz, found File name too long", long
    )
    assert fails(inside, file="pipe.npz") == "expected a file that can be read at pipe.npz, found something else"


def test_a_link_that_stays_within_the_folder_is_followed(tmp_path) -> None:
    np.savez(tmp_path / "a.npz", min=ONES, max=ONES)
    (tmp_path / "link.npz").symlink_to("a.npz")
    assert len(load(scene_in(tmp_path, file="link.npz")).primitives[0].shapes) == 4
