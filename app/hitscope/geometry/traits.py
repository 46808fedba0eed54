"""The geometry of each type of shape: its bounds and axes, its features' names, whether it is degenerate."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact.features import normals
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.polyhedron import polygons_of
from hitscope.geometry.shapes import (
    Aabb,
    Frame,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Shape,
    Triangle,
)

Bounds: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The lowest and the highest coordinates, (3,) each."""
COORDINATE_AXES: Frame = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Traits(NamedTuple):
    """The geometry of one type of shape."""

    bounds: Callable[[Any], Bounds]
    """The bounds of a shape, a little wider where they are rounded; infinite where it is unbounded."""
    is_degenerate: Callable[[Any], bool]
    """Whether a shape has fewer dimensions than its type: a segment of no length, a box of no volume. Exact."""
    axes: Callable[[Any], Frame] = lambda shape: COORDINATE_AXES
    """The axes that a shape stores, else the coordinate axes."""
    feature_names: Callable[[Any], Sequence[str]] = lambda shape: ()
    """The names of the features that methods answer with, by their indices (see `answers`)."""
    in_hierarchy: bool = False
    """Whether a `bvh.Tree` can be built over many such shapes."""


def bounds_of(shape: Shape) -> Bounds:
    """Return `Traits.bounds` of a shape."""
    return TRAITS[type(shape)].bounds(shape)


def is_degenerate(shape: Shape) -> bool:
    """Return `Traits.is_degenerate` of a shape."""
    return TRAITS[type(shape)].is_degenerate(shape)


def axes_of(shape: Shape) -> Frame:
    """Return `Traits.axes` of a shape."""
    return TRAITS[type(shape)].axes(shape)


def feature_name(shape: Shape, feature: int) -> str | None:
    """Return the name of the feature that a method answered with, e.g. "face +x"; None of NO_FEATURE."""
    names = TRAITS[type(shape)].feature_names(shape)
    return names[feature] if 0 <= feature < len(names) else None


def _of_points(points: Sequence[Sequence[float]]) -> Bounds:
    corners = np.array(points)
    return corners.min(axis=0), corners.max(axis=0)


def _of_obb(box: Obb) -> Bounds:
    sides = np.abs(box.axes) * np.array(box.half_extents)[:, np.newaxis]
    reach = sides.sum(axis=0)
    return _widened(box.center - reach, box.center + reach, np.abs(box.center) + reach)


def _of_parallelepiped(body: Parallelepiped) -> Bounds:
    sides = np.array(body.edges)
    lo, hi = np.minimum(sides, 0).sum(axis=0), np.maximum(sides, 0).sum(axis=0)
    return _widened(body.origin + lo, body.origin + hi, np.abs(body.origin) + np.abs(sides).sum(axis=0))


def _of_polyhedron(body: Polyhedron) -> Bounds:
    if body.vertices:
        return _of_points(body.vertices)
    if not convex_set(body).bounded:
        return _everywhere(body)
    lo, hi = _of_points([corner for polygon in polygons_of(body) for corner in polygon])
    return _widened(lo, hi, np.maximum(np.abs(lo), np.abs(hi)))


def _everywhere(_: Shape) -> Bounds:
    return np.full(3, -np.inf), np.full(3, np.inf)


def _widened(lo: NDArray[np.float64], hi: NDArray[np.float64], size: NDArray[np.float64]) -> Bounds:
    """Move bounds apart by more than rounding errs in sums of numbers of this size."""
    lost = size * 2.0**-48
    return lo - lost, hi + lost


def _never(_: Shape) -> bool:
    return False


def _is_flat(solid: Shape) -> bool:
    return bool(convex_set(solid).planes)


def _box_faces(_: Aabb | Obb) -> Sequence[str]:
    return "face -x", "face +x", "face -y", "face +y", "face -z", "face +z", "slab x", "slab y", "slab z"


def _triangle_features(_: Triangle) -> Sequence[str]:
    return "edge 0-1", "edge 1-2", "edge 0-2", "plane"


def _parallelepiped_features(body: Parallelepiped) -> Sequence[str]:
    return () if _is_flat(body) else (*_plane_names(body), "slab 0", "slab 1", "slab 2")


def _plane_names(body: Parallelepiped | Polyhedron) -> Sequence[str]:
    """Return the names of the planes in the order of `planes_of`; the last ones of a flat hull have no names."""
    names = []
    for slab, normal in zip(convex_set(body).slabs, normals(body), strict=False):
        names += [normal.ahead] * (slab.hi is not None) + [normal.behind] * (slab.lo is not None)
    return names


TRAITS: dict[type[Shape], Traits] = {
    Point: Traits(_of_points, _never),
    Segment: Traits(_of_points, lambda segment: segment.start == segment.end),
    Ray: Traits(_everywhere, lambda ray: not any(ray.direction)),
    Line: Traits(_everywhere, lambda line: not any(line.direction)),
    Triangle: Traits(
        _of_points,
        lambda triangle: len(convex_set(triangle).planes) > 1,
        feature_names=_triangle_features,
        in_hierarchy=True,
    ),
    Aabb: Traits(_of_points, _is_flat, feature_names=_box_faces, in_hierarchy=True),
    Obb: Traits(_of_obb, _is_flat, axes=lambda box: box.axes, feature_names=_box_faces, in_hierarchy=True),
    Parallelepiped: Traits(_of_parallelepiped, _is_flat, feature_names=_parallelepiped_features),
    Plane: Traits(_everywhere, _never),
    Polyhedron: Traits(_of_polyhedron, _is_flat, feature_names=_plane_names),
}
"""The entry of each type of shape."""
