"""The names of the features that methods answer with, as `exact.features` and the scene format have them."""

from collections.abc import Callable, Sequence
from typing import Any

from hitscope.geometry.exact.features import normals
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Aabb, Obb, Parallelepiped, Plane, Polyhedron, Shape, Triangle


def feature_name(primitive: Shape, feature: int) -> str | None:
    """The name of a primitive's feature by its index in `answers`, e.g. "face +x"; None of NO_FEATURE."""
    names = FEATURE_NAMES[type(primitive)](primitive)
    return names[feature] if 0 <= feature < len(names) else None


def _plane_names(body: Parallelepiped | Polyhedron) -> list[str]:
    """The names of the planes in the order of `polyhedron.planes_of`; of a flat hull those across it have none."""
    names = []
    for slab, normal in zip(convex_set(body).slabs, normals(body), strict=False):
        names += [normal.ahead] * (slab.hi is not None) + [normal.behind] * (slab.lo is not None)
    return names


def _box_faces(_: Shape) -> Sequence[str]:
    return "face -x", "face +x", "face -y", "face +y", "face -z", "face +z"


def _triangle_features(_: Triangle) -> Sequence[str]:
    return "edge 0-1", "edge 1-2", "edge 0-2", "plane"


FEATURE_NAMES: dict[type[Shape], Callable[[Any], Sequence[str]]] = {
    Aabb: _box_faces,
    Obb: _box_faces,
    Parallelepiped: _plane_names,
    Triangle: _triangle_features,
    Plane: lambda _: ("plane",),
    Polyhedron: _plane_names,
}
"""The names of the features of each type of primitive, by their indices."""
