"""The triangles of an STL file, text or binary, read by trimesh, which keeps their order."""

import warnings
from pathlib import Path

import numpy as np

from hitscope.errors import Fault
from hitscope.scene.mesh.polygons import Corners

_BINARY_HEADER, _BINARY_TRIANGLE = 84, 50


def read(path: Path) -> Corners:
    """Return the corners of the triangles, (n, 3, 3); raises trimesh's errors."""
    from trimesh.exchange.stl import load_stl

    with path.open("rb") as file:
        start = file.read(_BINARY_HEADER)
    if not start.lstrip().startswith(b"solid"):
        size = int.from_bytes(start[-4:], "little") * _BINARY_TRIANGLE + _BINARY_HEADER
        if size != path.stat().st_size:
            expected = f"{size} bytes, after the number of triangles that its header gives, or the word solid,"
            raise Fault((), expected, str(path.stat().st_size))
    with path.open("rb") as file, warnings.catch_warnings():
        # NumPy only warns of text that is no number; a broken file has to be an error.
        warnings.simplefilter("error")
        found = load_stl(file)
    parts = found["geometry"].values() if "geometry" in found else [found]
    corners = [np.asarray(part["vertices"], np.float64)[part["faces"]] for part in parts]
    if not corners:
        raise Fault((), "at least one triangle", "none")
    return np.concatenate(corners)
