"""The elements of a scene as arrays: boxes as parallelepipeds, triangles as points, the rest as half-spaces."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, reduce
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.draw.chunks import Chunks, Indices
from hitscope.draw.extent import SMALLEST, Extent, extent_of, finite, union
from hitscope.draw.items import Array, Codes, Cue
from hitscope.evaluate import Element, Elements
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact import convex_set
from hitscope.geometry.exact.integers import cross, over_power_of_two, subtract
from hitscope.geometry.polyhedron import planes_of, polygons_of
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Polyhedron,
    Ray,
    Segment,
    Shape,
    Triangle,
)

Flags = NDArray[np.bool_]

PICKED_TOGETHER = 128
"""Shapes a chunk."""
FAR = 2.0**1000
"""An unbounded set has no corners so far out: what geometry gives there stands for infinity."""


class Frames(NamedTuple):
    """Boxes of any kind as parallelepipeds."""

    origins: Array  # (n, 3)
    edges: Array  # (n, 3, 3)
    degenerate: Flags  # (n,) without volume


NO_FRAMES = Frames(np.empty((0, 3)), np.empty((0, 3, 3)), np.empty(0, np.bool_))


class Kind(IntEnum):
    """How a shape is drawn."""

    BOX = 0
    TRIANGLE = 1
    BODY = 2


@dataclass(frozen=True)
class Bodies:
    """Geometry in element order: `box_elements` says which elements the boxes belong to, one after the other.

    Planes and polyhedra are bodies of half-spaces dot(normal, p) <= offset; those of body i begin at
    `first_half_spaces[i]`.
    """

    kinds: Codes  # of Kind, of each element
    places: Indices  # of each element, among those of its kind
    cues: Codes  # of each element: is it degenerate
    box_elements: slice | Indices
    box_origins: Array  # (n, 3)
    box_edges: Array  # (n, 3, 3)
    box_degenerate: Flags
    triangle_elements: slice | Indices
    triangle_vertices: Array  # (m, 3, 3)
    body_elements: Indices
    body_shapes: tuple[Plane | Polyhedron, ...]
    first_half_spaces: Indices
    half_space_normals: Array  # (k, 3)
    half_space_offsets: Array  # (k,)
    extent: Extent | None
    """The bounds of all corners: planes have none, an unbounded polyhedron few."""

    def sort(self) -> None:
        """Sort boxes and triangles into chunks, which takes a while where there are many, ahead of need."""
        _ = self.box_chunks, self.triangle_chunks

    @cached_property
    def box_chunks(self) -> Chunks:
        """The boxes in small chunks, to find those on a line of sight."""
        frames = Frames(self.box_origins, self.box_edges, self.box_degenerate)
        return Chunks(*box_extremes(frames), PICKED_TOGETHER)

    @cached_property
    def triangle_chunks(self) -> Chunks:
        """The triangles in small chunks."""
        return Chunks(self.triangle_vertices.min(axis=1), self.triangle_vertices.max(axis=1), PICKED_TOGETHER)


def elements_at(elements: slice | Indices, places: Indices) -> Indices:
    """Give the elements that some of the boxes, or of the triangles, belong to."""
    return places + elements.start if isinstance(elements, slice) else elements[places]


def bodies_of(elements: Sequence[Element]) -> Bodies:
    """Turn the elements into arrays; of bulk items no element becomes a Python object."""
    kinds = np.zeros(len(elements), np.uint8)
    frames: list[Frames] = []
    vertices: list[Array] = []
    bodies: list[Plane | Polyhedron] = []
    for run, shapes in _runs(elements):
        progress.advance(0)
        drawn_as = _drawn_as(shapes[0])
        kinds[run] = drawn_as
        if drawn_as is Kind.TRIANGLE:
            vertices.append(_vertices(shapes))
        elif drawn_as is Kind.BODY:
            bodies += [shape for shape in shapes if isinstance(shape, Plane | Polyhedron)]
        else:
            frames.append(frames_of(shapes))
    boxes = frames[0] if len(frames) == 1 else Frames(*map(np.concatenate, zip(NO_FRAMES, *frames, strict=True)))
    triangles = vertices[0] if len(vertices) == 1 else np.concatenate([np.empty((0, 3, 3)), *vertices])
    collinear = _collinear(triangles)
    half_spaces = [planes_of(shape) for shape in bodies]
    every = [plane for planes in half_spaces for plane in planes]
    corners = np.array([corner for shape in bodies for corner in corners_of(shape)], float).reshape(-1, 3)
    progress.advance(0)
    of_kind = {kind: np.flatnonzero(kinds == kind) for kind in Kind}
    places = np.empty(len(elements), np.intp)
    cues = np.zeros(len(elements), np.uint8)
    flat = np.array([is_degenerate(shape) for shape in bodies], np.bool_)
    for kind, degenerate in zip(Kind, (boxes.degenerate, collinear, flat), strict=True):
        places[of_kind[kind]] = np.arange(len(of_kind[kind]))
        cues[of_kind[kind][degenerate]] = Cue.DEGENERATE
    progress.advance(0)
    extents = [extent_of(points) for points in (*box_extremes(boxes), triangles.reshape(-1, 3), corners)]
    return Bodies(
        kinds=kinds,
        places=places,
        cues=cues,
        box_elements=_as_slice(of_kind[Kind.BOX]),
        box_origins=boxes.origins,
        box_edges=boxes.edges,
        box_degenerate=boxes.degenerate,
        triangle_elements=_as_slice(of_kind[Kind.TRIANGLE]),
        triangle_vertices=triangles,
        body_elements=of_kind[Kind.BODY],
        body_shapes=tuple(bodies),
        first_half_spaces=np.cumsum([0, *map(len, half_spaces)], dtype=np.intp)[:-1],
        half_space_normals=np.array([plane.normal for plane in every], float).reshape(-1, 3),
        half_space_offsets=np.array([plane.offset for plane in every], float),
        extent=reduce(union, extents),
    )


def frames_of(shapes: Sequence[Shape]) -> Frames:
    """Give boxes of any kind as arrays, in their order."""
    if isinstance(shapes, Shapes):
        with np.errstate(over="ignore", invalid="ignore"):
            origins, edges = (_aabb_frames if shapes.kind is Aabb else _obb_frames)(shapes.rows.T)
        progress.advance(0)
        return Frames(origins, edges, (edges == 0).all(axis=2).any(axis=1))
    kinds = [np.array([isinstance(s, kind) for s in shapes], bool) for kind in (Aabb, Obb, Parallelepiped)]
    origins, edges = np.empty((len(shapes), 3)), np.empty((len(shapes), 3, 3))
    for kind, chosen, frames in zip((Aabb, Obb), kinds, (_aabb_frames, _obb_frames), strict=False):
        if chosen.any():
            with np.errstate(over="ignore", invalid="ignore"):
                rows = Shapes.of([s for s in shapes if isinstance(s, kind)]).rows.T
                origins[chosen], edges[chosen] = frames(rows)
    skew = [s for s in shapes if isinstance(s, Parallelepiped)]
    origins[kinds[2]] = np.array([s.origin for s in skew], float).reshape(-1, 3)
    edges[kinds[2]] = np.array([s.edges for s in skew], float).reshape(-1, 3, 3)
    degenerate: Flags = (edges == 0).all(axis=2).any(axis=1)
    # Edges may be long and yet lie in one plane, which only exact arithmetic can tell.
    degenerate[kinds[2]] = [bool(convex_set(s).planes) for s in skew]
    return Frames(origins, edges, degenerate)


def box_extremes(frames: Frames) -> tuple[Array, Array]:
    """Give the lowest and the highest corner of each box, (n, 3) each."""
    lows, highs = np.empty(frames.origins.shape), np.empty(frames.origins.shape)
    with np.errstate(over="ignore"):
        for some in progress.pieces(len(lows)):
            lows[some] = finite(frames.origins[some] + np.minimum(frames.edges[some], 0).sum(axis=1))
            highs[some] = finite(frames.origins[some] + np.maximum(frames.edges[some], 0).sum(axis=1))
    return lows, highs


def extent_within(bodies: Bodies, elements: Indices) -> Extent | None:
    """Give the bounds of all corners of some of the elements."""
    kinds = bodies.kinds[elements]
    boxes, triangles, others = (bodies.places[elements[kinds == kind]] for kind in Kind)
    frames = Frames(bodies.box_origins[boxes], bodies.box_edges[boxes], bodies.box_degenerate[boxes])
    corners = [corner for i in others for corner in corners_of(bodies.body_shapes[i])]
    points = [*box_extremes(frames), bodies.triangle_vertices[triangles].reshape(-1, 3)]
    return reduce(union, map(extent_of, [*points, np.array(corners, float).reshape(-1, 3)]))


def clearance(bodies: Bodies, extent: Extent) -> float:
    """Give how far from an extent the nearest box or triangle begins that is apart from it; infinite for none."""
    boxes = box_extremes(Frames(bodies.box_origins, bodies.box_edges, bodies.box_degenerate))
    triangles = bodies.triangle_vertices.min(axis=1), bodies.triangle_vertices.max(axis=1)
    with np.errstate(over="ignore"):
        gaps = [np.maximum(lows - extent.hi, extent.lo - highs).max(axis=1) for lows, highs in (boxes, triangles)]
    apart = np.concatenate(gaps)
    return float(apart[apart > 0].min(initial=np.inf))


def corners_of(shape: Plane | Polyhedron) -> list[tuple[float, float, float]]:
    """Give the corners of a plane or polyhedron that are not infinitely far."""
    corners = [corner for polygon in polygons_of(shape) for corner in polygon]
    return corners if bounded(shape) else [corner for corner in corners if max(map(abs, corner)) < FAR]


def bounded(shape: Shape) -> bool:
    """Say whether a shape that is not linear ends everywhere."""
    return convex_set(shape).bounded


def is_degenerate(shape: Shape) -> bool:
    """Say whether a shape has fewer dimensions than its kind: a segment of no length, a box of no volume."""
    match shape:
        case Segment(start, end):
            return start == end
        case Ray(_, direction) | Line(_, direction):
            return not any(direction)
        case Triangle():
            return bool(_collinear(np.array([shape], float))[0])
        case Aabb() | Obb() | Parallelepiped():
            return bool(frames_of([shape]).degenerate[0])
        case Polyhedron():
            return bool(convex_set(shape).planes)
        case _:
            return False


def _runs(elements: Sequence[Element]) -> Iterator[tuple[slice, Sequence[Shape]]]:
    """Give the elements in their order: each bulk item, and between them those that are drawn alike."""
    found: Iterable[tuple[int, Any]]
    if isinstance(elements, Elements):
        found = ((part.first, part.shapes or part.shape) for part in elements.parts if part.size)
    else:
        found = ((i, element.shape) for i, element in enumerate(elements))
    for _, run in groupby(found, lambda one: (one[0], None) if isinstance(one[1], Shapes) else _drawn_as(one[1])):
        firsts, shapes = zip(*run, strict=True)
        if isinstance(shapes[0], Shapes):
            yield slice(firsts[0], firsts[0] + len(shapes[0])), shapes[0]
        else:
            yield slice(firsts[0], firsts[-1] + 1), shapes


def _drawn_as(shape: Shape) -> Kind:
    if isinstance(shape, Triangle):
        return Kind.TRIANGLE
    return Kind.BODY if isinstance(shape, Plane | Polyhedron) else Kind.BOX


def _as_slice(places: Indices) -> slice | Indices:
    """Give places that follow one another as a slice, which takes from an array without a copy."""
    if len(places) and places[-1] - places[0] + 1 == len(places):
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _vertices(shapes: Sequence[Shape]) -> Array:
    if isinstance(shapes, Shapes):
        return shapes.rows.T.reshape(-1, 3, 3)
    return np.array(shapes, float).reshape(-1, 3, 3)


def _aabb_frames(rows: Array) -> tuple[Array, Array]:
    """Take (n, 6): lowest and highest corner."""
    edges = np.zeros((len(rows), 3, 3))
    edges[:, range(3), range(3)] = finite(rows[:, 3:] - rows[:, :3])
    return rows[:, :3], edges


def _obb_frames(rows: Array) -> tuple[Array, Array]:
    """Take (n, 15): centre, half extents and the three axes."""
    halves = rows[:, 3:6, None] * rows[:, 6:].reshape(-1, 3, 3)
    return finite(rows[:, :3] - halves.sum(axis=1)), finite(2 * halves)


def _collinear(vertices: Array) -> Flags:
    """Say which triangles have no area: exactly, where what float64 gives may be rounded to that."""
    found = np.zeros(len(vertices), np.bool_)
    for some in progress.pieces(len(vertices)):
        _, exponents = np.frexp(np.abs(vertices[some]).max(axis=(1, 2), initial=0))
        # Scaled by a power of two, products neither overflow nor lose digits that count.
        a, b, c = np.ldexp(vertices[some], -exponents[:, None, None]).transpose(1, 0, 2)
        d, e = b - a, c - a
        ahead, back = (np.roll(d, -k, axis=1) * np.roll(e, k, axis=1) for k in (1, -1))
        rounding = 8 * np.finfo(np.float64).eps * (np.abs(ahead) + np.abs(back)) + SMALLEST
        found[some] = (np.abs(ahead - back) <= rounding).all(axis=1)
    for i in np.flatnonzero(found):
        (a, b, c), _ = over_power_of_two(vertices[i].tolist())
        found[i] = not any(cross(subtract(b, a), subtract(c, a)))
    return found
