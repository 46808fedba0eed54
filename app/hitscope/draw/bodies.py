"""The elements of a scene as arrays: boxes as parallelepipeds, triangles as points, the rest as half-spaces."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import Extent, extent_of, finite
from hitscope.draw.items import Array
from hitscope.evaluate.report import Element
from hitscope.geometry.exact import convex_set
from hitscope.geometry.polyhedron import planes_of, polygons_of
from hitscope.geometry.shapes import Aabb, Obb, Parallelepiped, Plane, Polyhedron, Shape, Triangle

Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]

FAR = 2.0**1000
"""An unbounded set has no corners so far out: what geometry gives there stands for infinity."""


@dataclass(frozen=True)
class Frames:
    """Boxes of any kind as parallelepipeds."""

    origins: Array  # (n, 3)
    edges: Array  # (n, 3, 3)
    degenerate: Flags  # (n,) without volume


@dataclass(frozen=True)
class Bodies:
    """Geometry in element order: `box_elements[i]` is the index of the element that box i belongs to.

    Planes and polyhedra are bodies of half-spaces dot(normal, p) <= offset; those of body i begin at
    `first_half_spaces[i]`.
    """

    indices: dict[str, int]  # element id -> index
    box_elements: Indices
    box_origins: Array  # (n, 3)
    box_edges: Array  # (n, 3, 3)
    box_degenerate: Flags
    triangle_elements: Indices
    triangle_vertices: Array  # (m, 3, 3)
    triangle_degenerate: Flags
    body_elements: Indices
    body_shapes: tuple[Plane | Polyhedron, ...]
    body_degenerate: Flags
    first_half_spaces: Indices
    half_space_normals: Array  # (k, 3)
    half_space_offsets: Array  # (k,)
    extent: Extent | None
    """The bounds of all corners: planes have none, an unbounded polyhedron few."""


def bodies_of(elements: tuple[Element, ...]) -> Bodies:
    """Turn the elements into arrays."""
    boxes: list[tuple[int, Aabb | Obb | Parallelepiped]] = []
    triangles: list[tuple[int, Triangle]] = []
    bodies: list[tuple[int, Plane | Polyhedron]] = []
    for i, element in enumerate(elements):
        match element.shape:
            case Aabb() | Obb() | Parallelepiped() as shape:
                boxes.append((i, shape))
            case Triangle() as shape:
                triangles.append((i, shape))
            case Plane() | Polyhedron() as shape:
                bodies.append((i, shape))
    frames = frames_of([shape for _, shape in boxes])
    vertices = np.array([shape for _, shape in triangles], float).reshape(-1, 3, 3)
    half_spaces = [planes_of(shape) for _, shape in bodies]
    every = [plane for planes in half_spaces for plane in planes]
    corners = np.array([corner for _, shape in bodies for corner in corners_of(shape)], float).reshape(-1, 3)
    return Bodies(
        indices={element.id: i for i, element in enumerate(elements)},
        box_elements=_places(boxes),
        box_origins=frames.origins,
        box_edges=frames.edges,
        box_degenerate=frames.degenerate,
        triangle_elements=_places(triangles),
        triangle_vertices=vertices,
        triangle_degenerate=_collinear(vertices),
        body_elements=_places(bodies),
        body_shapes=tuple(shape for _, shape in bodies),
        body_degenerate=np.array([_flat(shape) for _, shape in bodies], bool),
        first_half_spaces=np.cumsum([0, *map(len, half_spaces)], dtype=np.intp)[:-1],
        half_space_normals=np.array([plane.normal for plane in every], float).reshape(-1, 3),
        half_space_offsets=np.array([plane.offset for plane in every], float),
        extent=extent_of(np.concatenate([*box_extremes(frames), vertices.reshape(-1, 3), corners])),
    )


def frames_of(shapes: Sequence[Aabb | Obb | Parallelepiped]) -> Frames:
    """Give boxes of any kind as arrays, in their order."""
    kinds = [np.array([isinstance(s, kind) for s in shapes], bool) for kind in (Aabb, Obb, Parallelepiped)]
    origins, edges = np.empty((len(shapes), 3)), np.empty((len(shapes), 3, 3))
    with np.errstate(over="ignore", invalid="ignore"):
        corners = np.array([s for s in shapes if isinstance(s, Aabb)], float)
        origins[kinds[0]], edges[kinds[0]] = _aabb_frames(corners)
        origins[kinds[1]], edges[kinds[1]] = _obb_frames([s for s in shapes if isinstance(s, Obb)])
    skew = [s for s in shapes if isinstance(s, Parallelepiped)]
    origins[kinds[2]] = np.array([s.origin for s in skew], float).reshape(-1, 3)
    edges[kinds[2]] = np.array([s.edges for s in skew], float).reshape(-1, 3, 3)
    degenerate: Flags = (np.abs(edges).max(axis=2) == 0).any(axis=1)
    # Edges may be long and yet lie in one plane, which only exact arithmetic can tell.
    degenerate[kinds[2]] = [bool(convex_set(s).planes) for s in skew]
    return Frames(origins, edges, degenerate)


def box_extremes(frames: Frames) -> tuple[Array, Array]:
    """Give the lowest and the highest corner of each box, (n, 3) each."""
    with np.errstate(over="ignore"):
        lows = frames.origins + np.minimum(frames.edges, 0).sum(axis=1)
        highs = frames.origins + np.maximum(frames.edges, 0).sum(axis=1)
    return finite(lows), finite(highs)


def corners_of(shape: Plane | Polyhedron) -> list[tuple[float, float, float]]:
    """Give the corners of a plane or polyhedron that are not infinitely far."""
    corners = [corner for polygon in polygons_of(shape) for corner in polygon]
    return corners if bounded(shape) else [corner for corner in corners if max(map(abs, corner)) < FAR]


def bounded(shape: Shape) -> bool:
    """Say whether a shape that is not linear ends everywhere."""
    return convex_set(shape).bounded


def _flat(shape: Plane | Polyhedron) -> bool:
    return isinstance(shape, Polyhedron) and bool(convex_set(shape).planes)


def _places(found: Sequence[tuple[int, Shape]]) -> Indices:
    return np.array([i for i, _ in found], np.intp)


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


def _collinear(vertices: Array) -> Flags:
    sizes = np.abs(vertices).max(axis=(1, 2), initial=0)
    sizes[sizes == 0] = 1
    a, b, c = (vertices / sizes[:, None, None]).transpose(1, 0, 2)
    return np.asarray((np.cross(b - a, c - a) == 0).all(axis=1))
