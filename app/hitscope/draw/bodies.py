"""The elements of a scene as arrays: every box a parallelepiped, every triangle three points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import Extent, extent_of, finite
from hitscope.draw.items import Array
from hitscope.evaluate.report import Element
from hitscope.geometry.shapes import Aabb, Obb, Triangle

Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Bodies:
    """Geometry in element order: `box_elements[i]` is the index of the element that box i belongs to."""

    indices: dict[str, int]  # element id -> index
    box_elements: Indices
    box_origins: Array  # (n, 3)
    box_edges: Array  # (n, 3, 3)
    box_degenerate: Flags
    triangle_elements: Indices
    triangle_vertices: Array  # (m, 3, 3)
    triangle_degenerate: Flags
    extent: Extent | None


def bodies_of(elements: tuple[Element, ...]) -> Bodies:
    """Turn the elements into arrays."""
    aabbs = {i: element.shape for i, element in enumerate(elements) if isinstance(element.shape, Aabb)}
    obbs = {i: element.shape for i, element in enumerate(elements) if isinstance(element.shape, Obb)}
    triangles = {i: element.shape for i, element in enumerate(elements) if isinstance(element.shape, Triangle)}
    with np.errstate(over="ignore", invalid="ignore"):
        aabb_origins, aabb_edges = _aabb_frames(np.array(list(aabbs.values()), float))
        obb_origins, obb_edges = _obb_frames(list(obbs.values()))
    box_elements = np.array([*aabbs, *obbs], np.intp)
    order = np.argsort(box_elements)
    origins = np.concatenate([aabb_origins, obb_origins])[order]
    edges = np.concatenate([aabb_edges, obb_edges])[order]
    vertices = np.array(list(triangles.values()), float).reshape(-1, 3, 3)
    return Bodies(
        indices={element.id: i for i, element in enumerate(elements)},
        box_elements=box_elements[order],
        box_origins=origins,
        box_edges=edges,
        box_degenerate=(np.abs(edges).max(axis=2) == 0).any(axis=1),
        triangle_elements=np.array(list(triangles), np.intp),
        triangle_vertices=vertices,
        triangle_degenerate=_collinear(vertices),
        extent=extent_of(_extremes(origins, edges, vertices)),
    )


def _aabb_frames(corners: Array) -> tuple[Array, Array]:
    corners = corners.reshape(-1, 2, 3)
    edges = np.zeros((len(corners), 3, 3))
    edges[:, range(3), range(3)] = finite(corners[:, 1] - corners[:, 0])
    return corners[:, 0], edges


def _obb_frames(shapes: list[Obb]) -> tuple[Array, Array]:
    centers = np.array([shape.center for shape in shapes], float).reshape(-1, 3)
    half_extents = np.array([shape.half_extents for shape in shapes], float).reshape(-1, 3, 1)
    halves = half_extents * np.array([shape.axes for shape in shapes], float).reshape(-1, 3, 3)
    return finite(centers - halves.sum(axis=1)), finite(2 * halves)


def _extremes(origins: Array, edges: Array, vertices: Array) -> Array:
    with np.errstate(over="ignore"):
        lows = origins + np.minimum(edges, 0).sum(axis=1)
        highs = origins + np.maximum(edges, 0).sum(axis=1)
    return np.concatenate([lows, highs, vertices.reshape(-1, 3)])


def _collinear(vertices: Array) -> Flags:
    sizes = np.abs(vertices).max(axis=(1, 2), initial=0)
    sizes[sizes == 0] = 1
    a, b, c = (vertices / sizes[:, None, None]).transpose(1, 0, 2)
    return np.asarray((np.cross(b - a, c - a) == 0).all(axis=1))
