"""The elements of a scene as arrays: boxes as parallelepipeds, triangles as points, the rest as half-spaces."""

import operator
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from typing import NamedTuple

import numpy as np

from hitscope import progress
from hitscope.draw.chunks import Chunks, Indices
from hitscope.draw.extent import SMALLEST, Extent, extent_of, finite, union
from hitscope.draw.frames import NO_FRAMES, Flags, Frames, box_extremes
from hitscope.draw.items import Array, Codes, Cue
from hitscope.draw.shape_drawings import SHAPE_DRAWINGS, DrawnAs, drawn_as, frames_of
from hitscope.evaluate import Element, Elements
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact import convex_set
from hitscope.geometry.exact.integers import cross, over_power_of_two, subtract
from hitscope.geometry.polyhedron import planes_of, polygons_of
from hitscope.geometry.shapes import Shape
from hitscope.geometry.traits import is_degenerate
from hitscope.scene.items import Single

CROWD = 10_000
"""A bulk item of so many shapes is laid out apart, and stays laid out whatever is edited beside it."""
PICKED_TOGETHER = 128
"""Shapes a chunk."""
MANY = 2_000
"""So many shapes fill their bounds, or nearly so: a camera that shows these shows them."""
UNIT: Array = np.array(list(product((0.0, 1.0), repeat=3)))
"""The corners of the unit box."""
FAR = 2.0**1000
"""An unbounded set has no corners so far out: what geometry gives there stands for infinity."""


@dataclass(eq=False)
class Lot:
    """Boxes and triangles that are laid out together, and which elements they are, one after the other."""

    made_of: tuple[Sequence[Shape], ...]
    box_elements: slice | Indices
    boxes: Frames
    triangle_elements: slice | Indices
    triangles: Array  # (m, 3, 3)

    def moved(self, box_elements: slice | Indices, triangle_elements: slice | Indices) -> "Lot":
        """Give the same shapes as other elements; what was found out about them is kept."""
        lot = copy(self)
        lot.box_elements, lot.triangle_elements = box_elements, triangle_elements
        return lot

    @cached_property
    def collinear(self) -> Flags:
        """Which of the triangles have no area."""
        return _collinear(self.triangles)

    @cached_property
    def box_bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner of each box, (n, 3) each."""
        return box_extremes(self.boxes)

    @cached_property
    def triangle_bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner of what bounds each triangle, (m, 3) each."""
        return self.triangles.min(axis=1), self.triangles.max(axis=1)

    @cached_property
    def extent(self) -> Extent | None:
        """The bounds of all corners."""
        return reduce(union, map(extent_of, (*self.box_bounds, self.triangles.reshape(-1, 3))))

    @property
    def corners(self) -> Array:
        """All corners (n, 3); of many shapes those of their bounds."""
        if self.extent is not None and len(self.boxes.origins) + len(self.triangles) > MANY:
            return self.extent.corners
        with np.errstate(over="ignore"):
            boxes = finite(self.boxes.origins[:, None] + UNIT @ self.boxes.edges)
        return np.concatenate([boxes.reshape(-1, 3), self.triangles.reshape(-1, 3)])

    @cached_property
    def box_chunks(self) -> Chunks:
        """The boxes in small chunks, to find those on a line of sight."""
        return Chunks(*self.box_bounds, PICKED_TOGETHER)

    @cached_property
    def triangle_chunks(self) -> Chunks:
        """The triangles in small chunks."""
        return Chunks(*self.triangle_bounds, PICKED_TOGETHER)


@dataclass(frozen=True)
class Bodies:
    """The geometry of the elements: boxes and triangles in lots, the crowd of large bulk items the last of them.

    Planes and polyhedra are bodies of half-spaces dot(normal, p) <= offset; those of body i begin at
    `first_half_spaces[i]`.
    """

    kinds: Codes  # of DrawnAs, of each element
    crowded: Flags  # of each element: is it in the crowd
    places: Indices  # of each element, among those of its kind in its lot
    cues: Codes  # of each element: is it degenerate
    lots: tuple[Lot, Lot]
    body_elements: Indices
    body_shapes: tuple[Shape, ...]
    first_half_spaces: Indices
    half_space_normals: Array  # (k, 3)
    half_space_offsets: Array  # (k,)
    extent: Extent | None
    """The bounds of all corners: planes have none, an unbounded polyhedron few."""

    @property
    def corners(self) -> Array:
        """All corners (n, 3); of a lot of many shapes those of its bounds."""
        points = [corner for shape in self.body_shapes for corner in corners_of(shape)]
        return np.concatenate([*(lot.corners for lot in self.lots), np.array(points, float).reshape(-1, 3)])

    def sort(self) -> None:
        """Sort boxes and triangles into chunks, which takes a while where there are many, ahead of need."""
        for lot in self.lots:
            _ = lot.box_chunks, lot.triangle_chunks

    def frames_at(self, elements: Indices) -> Frames:
        """Give some of the elements, all of them boxes."""
        found = Frames(*(np.empty((len(elements), *part.shape[1:]), part.dtype) for part in NO_FRAMES))
        for lot, own in self._by_lot(elements):
            for part, given in zip(found, lot.boxes, strict=True):
                part[own] = given[self.places[elements[own]]]
        return found

    def triangles_at(self, elements: Indices) -> Array:
        """Give the vertices (n, 3, 3) of some of the elements, all of them triangles."""
        found = np.empty((len(elements), 3, 3))
        for lot, own in self._by_lot(elements):
            found[own] = lot.triangles[self.places[elements[own]]]
        return found

    def _by_lot(self, elements: Indices) -> Iterator[tuple[Lot, Flags]]:
        crowded = self.crowded[elements]
        return zip(self.lots, (~crowded, crowded), strict=True)


def elements_at(elements: slice | Indices, places: Indices) -> Indices:
    """Give the elements that some of the boxes, or of the triangles, belong to."""
    return places + elements.start if isinstance(elements, slice) else elements[places]


def bodies_of(elements: Sequence[Element], previous: Bodies | None = None, apart_from: int = CROWD) -> Bodies:
    """Turn the elements into arrays; of bulk items no element becomes a Python object.

    Bulk items of at least `apart_from` shapes are the crowd, which is taken over from `previous` where it is of
    the same items.
    """
    runs: dict[tuple[DrawnAs, bool], list[Run]] = {
        (kind, crowd): [] for kind in DrawnAs for crowd in (False, True)
    }
    for run in _runs(elements):
        progress.advance(0)
        runs[run.drawn_as, isinstance(run.shapes, Shapes) and len(run.shapes) >= apart_from].append(run)
    lots = (
        _lot(runs[DrawnAs.BOX, False], runs[DrawnAs.TRIANGLE, False]),
        _lot(runs[DrawnAs.BOX, True], runs[DrawnAs.TRIANGLE, True], previous.lots[1] if previous else None),
    )
    bodies = [shape for run in runs[DrawnAs.BODY, False] for shape in run.shapes]
    body_elements = _indices(runs[DrawnAs.BODY, False])
    flat = np.array([is_degenerate(shape) for shape in bodies], np.bool_)
    kinds, crowded = np.full(len(elements), DrawnAs.BODY, np.uint8), np.zeros(len(elements), np.bool_)
    places, cues = np.empty(len(elements), np.intp), np.zeros(len(elements), np.uint8)
    parts: list[tuple[slice | Indices, Flags]] = [(body_elements, flat)]
    for crowd, lot in enumerate(lots):
        kinds[lot.box_elements], kinds[lot.triangle_elements] = DrawnAs.BOX, DrawnAs.TRIANGLE
        crowded[lot.box_elements] = crowded[lot.triangle_elements] = crowd
        parts += (lot.box_elements, lot.boxes.degenerate), (lot.triangle_elements, lot.collinear)
    for some, degenerate in parts:
        places[some] = np.arange(len(degenerate))
        cues[some] = np.where(degenerate, np.uint8(Cue.DEGENERATE), np.uint8(Cue.NONE))
    half_spaces = [planes_of(shape) for shape in bodies]
    every = [plane for planes in half_spaces for plane in planes]
    corners = np.array([corner for shape in bodies for corner in corners_of(shape)], float).reshape(-1, 3)
    progress.advance(0)
    return Bodies(
        kinds=kinds,
        crowded=crowded,
        places=places,
        cues=cues,
        lots=lots,
        body_elements=body_elements,
        body_shapes=tuple(bodies),
        first_half_spaces=np.cumsum([0, *map(len, half_spaces)], dtype=np.intp)[:-1],
        half_space_normals=np.array([plane.normal for plane in every], float).reshape(-1, 3),
        half_space_offsets=np.array([plane.offset for plane in every], float),
        extent=reduce(union, (*(lot.extent for lot in lots), extent_of(corners))),
    )


def _lot(boxes: "list[Run]", triangles: "list[Run]", previous: Lot | None = None) -> Lot:
    """Lay out runs of boxes and of triangles, unless that was done of the same shapes before."""
    made_of = tuple(run.shapes for run in (*boxes, *triangles))
    places = [_as_slice(_indices(runs)) for runs in (boxes, triangles)]
    known = previous.made_of if previous else ()
    if previous is not None and len(made_of) == len(known) and all(map(operator.is_, made_of, known)):
        return previous.moved(*places)
    frames = [frames_of(run.shapes) for run in boxes]
    vertices = [_vertices(run.shapes) for run in triangles]
    return Lot(
        made_of,
        places[0],
        frames[0] if len(frames) == 1 else Frames(*map(np.concatenate, zip(NO_FRAMES, *frames, strict=True))),
        places[1],
        vertices[0] if len(vertices) == 1 else np.concatenate([np.empty((0, 3, 3)), *vertices]),
    )


def extent_within(bodies: Bodies, elements: Indices) -> Extent | None:
    """Give the bounds of all corners of some of the elements."""
    kinds = bodies.kinds[elements]
    boxes, triangles, others = (elements[kinds == kind] for kind in (DrawnAs.BOX, DrawnAs.TRIANGLE, DrawnAs.BODY))
    corners = [corner for i in bodies.places[others] for corner in corners_of(bodies.body_shapes[i])]
    points = [*box_extremes(bodies.frames_at(boxes)), bodies.triangles_at(triangles).reshape(-1, 3)]
    return reduce(union, map(extent_of, [*points, np.array(corners, float).reshape(-1, 3)]))


def clearance(bodies: Bodies, extent: Extent) -> float:
    """Give how far from an extent the nearest box or triangle begins that is apart from it; infinite for none."""
    bounds = [some for lot in bodies.lots for some in (lot.box_bounds, lot.triangle_bounds)]
    with np.errstate(over="ignore"):
        gaps = [np.maximum(lows - extent.hi, extent.lo - highs).max(axis=1) for lows, highs in bounds]
    apart = np.concatenate(gaps)
    return float(apart[apart > 0].min(initial=np.inf))


def corners_of(shape: Shape) -> list[tuple[float, float, float]]:
    """Give the corners of a plane or polyhedron that are not infinitely far."""
    corners = [corner for polygon in polygons_of(shape) for corner in polygon]
    return corners if bounded(shape) else [corner for corner in corners if max(map(abs, corner)) < FAR]


def bounded(shape: Shape) -> bool:
    """Say whether a shape that is not linear ends everywhere."""
    return convex_set(shape).bounded


class Run(NamedTuple):
    """Elements that are drawn alike: those of a bulk item, or single ones."""

    drawn_as: DrawnAs
    elements: slice | Indices
    shapes: Sequence[Shape]


def _runs(elements: Sequence[Element]) -> Iterator[Run]:
    """Give the single elements of each kind, and then those of each bulk item, in their order."""
    singles: dict[DrawnAs, list[tuple[int, Shape]]] = {kind: [] for kind in DrawnAs}
    bulk: list[Run] = []
    for first, shape in _shapes(elements):
        if isinstance(shape, Shapes):
            bulk.append(Run(SHAPE_DRAWINGS[shape.kind].drawn_as, slice(first, first + len(shape)), shape))
        else:
            singles[drawn_as(shape)].append((first, shape))
    for kind, some in singles.items():
        if some:
            places, shapes = zip(*some, strict=True)
            yield Run(kind, np.array(places, np.intp), shapes)
    yield from bulk


def _shapes(elements: Sequence[Element]) -> Iterator[tuple[int, Shape | Shapes]]:
    """Give the shape of each item, or its shapes if there are any, and the place of the first."""
    if not isinstance(elements, Elements):
        yield from ((i, element.shape) for i, element in enumerate(elements))
        return
    for part in elements.parts:
        if isinstance(part.item, Single):
            yield part.first, part.item.shape
        elif part.shapes:
            yield part.first, part.shapes


def _indices(runs: list[Run]) -> Indices:
    """Give the elements of runs."""
    parts = (run.elements for run in runs)
    arrays = (np.arange(part.start, part.stop) if isinstance(part, slice) else part for part in parts)
    return np.concatenate([np.empty(0, np.intp), *arrays])


def _as_slice(places: Indices) -> slice | Indices:
    """Give places that follow one another as a slice, which takes from an array without a copy."""
    if len(places) and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _vertices(shapes: Sequence[Shape]) -> Array:
    if isinstance(shapes, Shapes):
        return shapes.rows.T.reshape(-1, 3, 3)
    return np.array(shapes, float).reshape(-1, 3, 3)


def _collinear(vertices: Array) -> Flags:
    """Say which triangles have no area: exactly, where what float64 gives may be rounded to that."""
    found = np.zeros(len(vertices), np.bool_)
    for some in progress.chunks(len(vertices)):
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
