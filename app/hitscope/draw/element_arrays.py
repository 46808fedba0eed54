"""The elements of a scene as arrays: boxes, triangles, round shapes by their cores and radii, and half-spaces."""

import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.draw import shape_drawings
from hitscope.draw.chunks import Chunks, Indices
from hitscope.draw.extent import SMALLEST, Extent, Stage, as_points, extent_of, union
from hitscope.draw.items import Codes, Cue
from hitscope.draw.shape_drawings import BoxArrays, DrawnAs, Flags, RoundArrays
from hitscope.evaluate import Elements
from hitscope.geometry.arrays import Array, Shapes, finite
from hitscope.geometry.exact import is_bounded
from hitscope.geometry.exact.integers import over_power_of_two
from hitscope.geometry.polyhedron import planes_of, polygons_of
from hitscope.geometry.shapes import Shape, Vec3
from hitscope.geometry.traits import is_degenerate
from hitscope.geometry.vector import cross, subtract
from hitscope.scene.bulk import MeshPrimitive

BULK_BATCH_FROM = 10_000
"""A bulk item of this many shapes is in the second batch, which is kept while other items are edited."""
OPAQUE_FROM = 1_000
"""A bulk item of this many triangles is opaque as a mesh is: so many translucent ones could not be told apart."""
PICKED_TOGETHER = 128
"""The number of shapes in a chunk that picking searches."""
CORNERS_UP_TO = 2_000
"""More shapes than this nearly fill their bounds, so the corners of these stand for theirs."""
UNIT_CORNERS: Array = np.array(list(product((0.0, 1.0), repeat=3)))
A = TypeVar("A", BoxArrays, RoundArrays)
WITH_ROWS = (DrawnAs.BOX, DrawnAs.TRIANGLE, DrawnAs.ROUND)
"""The kinds of the rows of a batch."""


@dataclass(eq=False)
class Batch:
    """Arrays of boxes, triangles and round shapes, and the indices of the elements that their rows are."""

    made_of: tuple[object, ...]
    """The sequences of shapes that the rows were made of, and whether each is opaque, by identity."""
    elements: tuple[slice | Indices, ...]
    """The elements of the boxes, of the triangles and of the round shapes."""
    boxes: BoxArrays
    triangles: Array  # (m, 3, 3)
    opaque: Codes  # (m,) 1: opaque
    rounds: RoundArrays

    @cached_property
    def collinear(self) -> Flags:
        """Whether each triangle has no area; (m,), decided exactly where rounding leaves it open."""
        found = np.zeros(len(self.triangles), np.bool_)
        for chunk in progress.chunks(len(self.triangles)):
            _, exponents = np.frexp(np.abs(self.triangles[chunk]).max(axis=(1, 2), initial=0))
            # Scaled by a power of two, products neither overflow nor lose digits that count.
            a, b, c = np.ldexp(self.triangles[chunk], -exponents[:, None, None]).transpose(1, 0, 2)
            d, e = b - a, c - a
            ahead, back = (np.roll(d, -k, axis=1) * np.roll(e, k, axis=1) for k in (1, -1))
            rounding = 8 * np.finfo(np.float64).eps * (np.abs(ahead) + np.abs(back)) + SMALLEST
            found[chunk] = (np.abs(ahead - back) <= rounding).all(axis=1)
        for i in np.flatnonzero(found):
            (a, b, c), _ = over_power_of_two(self.triangles[i].tolist())
            found[i] = not any(cross(subtract(b, a), subtract(c, a)))
        return found

    @cached_property
    def kind_bounds(self) -> tuple[tuple[Array, Array], ...]:
        """The lowest and the highest coordinates, (n, 3) each, of the rows of each of the kinds `WITH_ROWS`."""
        triangles = self.triangles.min(axis=1), self.triangles.max(axis=1)
        return shape_drawings.box_extremes(self.boxes), triangles, self.rounds.extremes

    @property
    def bounds(self) -> tuple[tuple[slice | Indices, tuple[Array, Array]], ...]:
        return tuple(zip(self.elements, self.kind_bounds, strict=True))

    @cached_property
    def extent(self) -> Extent | None:
        return reduce(union, (extent_of(ends) for _, bounds in self.bounds for ends in bounds))

    @property
    def corners(self) -> Array:
        """Points (n, 3) that bound all shapes; of many shapes the corners of their bounds."""
        count = len(self.boxes.origins) + len(self.triangles) + len(self.rounds.radii)
        if self.extent is not None and count > CORNERS_UP_TO:
            return self.extent.corners
        with np.errstate(over="ignore"):
            boxes = finite(self.boxes.origins[:, None] + UNIT_CORNERS @ self.boxes.edges)
        return np.concatenate([boxes.reshape(-1, 3), self.triangles.reshape(-1, 3), self.rounds.points])

    @cached_property
    def chunks(self) -> tuple[Chunks, ...]:
        """The rows of each kind in chunks small enough for picking."""
        return tuple(Chunks(*bounds, PICKED_TOGETHER) for bounds in self.kind_bounds)


@dataclass(frozen=True)
class ElementArrays:
    """The geometry of the elements: those with rows in two batches, the second one of large bulk items.

    Planes and polyhedra are drawn as facets. Each is the intersection of half-spaces dot(normal, p) <= offset;
    those of `faceted_shapes[i]` begin at `first_half_spaces[i]`.
    """

    kinds: Codes  # of DrawnAs, of each element
    in_bulk: Flags  # whether each element is in the second batch
    rows: Indices  # of each element, among those of its kind in its batch
    cues: Codes  # of each element: Cue.DEGENERATE or none
    batches: tuple[Batch, Batch]
    faceted_elements: Indices
    faceted_shapes: tuple[Shape, ...]
    first_half_spaces: Indices
    half_space_normals: Array  # (k, 3)
    half_space_offsets: Array  # (k,)
    extent: Extent | None
    """The bounds of all corners; planes have none, an unbounded polyhedron has few."""

    @property
    def corners(self) -> Array:
        """All corners (n, 3); of a batch of many shapes those of its bounds."""
        return np.concatenate([*(batch.corners for batch in self.batches), corners_of(self.faceted_shapes)])

    @property
    def bounds(self) -> tuple[Indices, Array, Array]:
        """The elements with rows, and their lowest and highest coordinates, (n, 3) each."""
        parts = [part for batch in self.batches for part in batch.bounds]
        lows, highs = (np.concatenate(part) for part in zip(*(bounds for _, bounds in parts), strict=True))
        elements = [elements_at(own, np.arange(len(lowest))) for own, (lowest, _) in parts]
        return np.concatenate(elements), lows, highs

    def half_space_offsets_in(self, stage: Stage) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return (self.half_space_offsets - self.half_space_normals @ stage.anchor) / stage.scale

    def sort(self) -> None:
        """Make the chunks now instead of at their first use, which takes long for many shapes."""
        for batch in self.batches:
            _ = batch.chunks

    def boxes_at(self, elements: Indices) -> BoxArrays:
        """The rows of elements, all of them boxes."""
        return BoxArrays(*self._rows_at(elements, [batch.boxes for batch in self.batches]))

    def rounds_at(self, elements: Indices) -> RoundArrays:
        """The rows of elements, all of them round shapes."""
        return RoundArrays(*self._rows_at(elements, [batch.rounds for batch in self.batches]))

    def triangles_at(self, elements: Indices) -> Array:
        """The vertices (n, 3, 3) of elements, all of them triangles."""
        (found,) = self._rows_at(elements, [(batch.triangles,) for batch in self.batches])
        return found

    def _rows_at(self, elements: Indices, of_batches: Sequence[Sequence[NDArray[Any]]]) -> list[NDArray[Any]]:
        found = [np.empty((len(elements), *part.shape[1:]), part.dtype) for part in of_batches[0]]
        in_bulk = self.in_bulk[elements]
        for arrays, own in zip(of_batches, (~in_bulk, in_bulk), strict=True):
            for part, given in zip(found, arrays, strict=True):
                part[own] = given[self.rows[elements[own]]]
        return found


class DrawnGroup(NamedTuple):
    """The elements of a bulk item, or the single elements, that are drawn in one kind of array."""

    drawn_as: DrawnAs
    elements: slice | Indices
    shapes: Sequence[Shape]
    opaque: bool = False


def elements_at(elements: slice | Indices, rows: Indices) -> Indices:
    """The indices of the elements in some rows of a batch; `elements` are those of all its rows."""
    return rows + elements.start if isinstance(elements, slice) else elements[rows]


def element_arrays_of(
    elements: Elements, previous: ElementArrays | None = None, bulk_batch_from: int = BULK_BATCH_FROM
) -> ElementArrays:
    """The arrays of elements; no element of a bulk item becomes a Python object.

    The second batch is of bulk items of at least `bulk_batch_from` shapes; the old one if these are the same.
    """
    groups: defaultdict[tuple[DrawnAs, bool], list[DrawnGroup]] = defaultdict(list)
    for group in _groups(elements):
        progress.advance(0)
        bulk = isinstance(group.shapes, Shapes) and len(group.shapes) >= bulk_batch_from
        groups[group.drawn_as, bulk].append(group)
    batches = (
        _batch([groups[kind, False] for kind in WITH_ROWS]),
        _batch([groups[kind, True] for kind in WITH_ROWS], previous.batches[1] if previous else None),
    )
    faceted = [shape for group in groups[DrawnAs.FACETS, False] for shape in group.shapes]
    faceted_elements = _indices(groups[DrawnAs.FACETS, False])
    flat = np.array([is_degenerate(shape) for shape in faceted], np.bool_)
    kinds, in_bulk = np.full(len(elements), DrawnAs.FACETS, np.uint8), np.zeros(len(elements), np.bool_)
    rows, cues = np.empty(len(elements), np.intp), np.zeros(len(elements), np.uint8)
    parts: list[tuple[slice | Indices, Flags]] = [(faceted_elements, flat)]
    for in_second, batch in enumerate(batches):
        flags = batch.boxes.degenerate, batch.collinear, batch.rounds.degenerate
        for kind, (own, _), degenerate in zip(WITH_ROWS, batch.bounds, flags, strict=True):
            kinds[own], in_bulk[own] = kind, bool(in_second)
            parts.append((own, degenerate))
    for own, degenerate in parts:
        rows[own] = np.arange(len(degenerate))
        cues[own] = np.where(degenerate, np.uint8(Cue.DEGENERATE), np.uint8(Cue.NONE))
    half_spaces = [planes_of(shape) for shape in faceted]
    every = [plane for planes in half_spaces for plane in planes]
    progress.advance(0)
    return ElementArrays(
        kinds=kinds,
        in_bulk=in_bulk,
        rows=rows,
        cues=cues,
        batches=batches,
        faceted_elements=faceted_elements,
        faceted_shapes=tuple(faceted),
        first_half_spaces=np.cumsum([0, *map(len, half_spaces)], dtype=np.intp)[:-1],
        half_space_normals=np.array([plane.normal for plane in every], float).reshape(-1, 3),
        half_space_offsets=np.array([plane.offset for plane in every], float),
        extent=reduce(union, (*(batch.extent for batch in batches), extent_of(corners_of(faceted)))),
    )


def batch_of(shapes: Iterable[tuple[int, Shape]]) -> Batch:
    """The batch of single shapes with their indices; those without rows are left out."""
    groups = {group.drawn_as: [group] for group in _single_groups(shapes)}
    return _batch([groups.get(kind, []) for kind in WITH_ROWS])


def _batch(groups: list[list[DrawnGroup]], previous: Batch | None = None) -> Batch:
    """The batch of the groups of each of the kinds `WITH_ROWS`; `previous` where it is of the same shapes."""
    made_of = tuple(part for of_kind in groups for group in of_kind for part in (group.shapes, group.opaque))
    elements = tuple(_as_slice(_indices(of_kind)) for of_kind in groups)
    if previous and len(made_of) == len(previous.made_of) and all(map(operator.is_, made_of, previous.made_of)):
        # The copy keeps the cached properties.
        batch = copy(previous)
        batch.elements = elements
        return batch
    boxes, triangles, rounds = groups
    vertices = [_vertices(group.shapes) for group in triangles]
    opaque = [np.full(len(group.shapes), group.opaque, np.uint8) for group in triangles]
    return Batch(
        made_of,
        elements,
        _joined(shape_drawings.NO_BOX_ARRAYS, [shape_drawings.box_arrays_of(group.shapes) for group in boxes]),
        vertices[0] if len(vertices) == 1 else np.concatenate([np.empty((0, 3, 3)), *vertices]),
        np.concatenate([np.empty(0, np.uint8), *opaque]),
        _joined(
            shape_drawings.NO_ROUND_ARRAYS, [shape_drawings.round_arrays_of(group.shapes) for group in rounds]
        ),
    )


def _joined(none: A, parts: list[A]) -> A:
    return parts[0] if len(parts) == 1 else type(none)(*map(np.concatenate, zip(none, *parts, strict=True)))


def extent_within(arrays: ElementArrays, elements: Indices) -> Extent | None:
    """The bounds of all corners of elements."""
    kinds = arrays.kinds[elements]
    boxes, triangles, rounds, faceted = (elements[kinds == kind] for kind in (*WITH_ROWS, DrawnAs.FACETS))
    bounds = [*shape_drawings.box_extremes(arrays.boxes_at(boxes)), *arrays.rounds_at(rounds).extremes]
    corners = corners_of(arrays.faceted_shapes[i] for i in arrays.rows[faceted])
    return reduce(union, map(extent_of, (*bounds, arrays.triangles_at(triangles).reshape(-1, 3), corners)))


def clearance(arrays: ElementArrays, extent: Extent) -> float:
    """The gap between an extent and the nearest shape with rows apart from it, along an axis; inf for none."""
    bounds = [ends for batch in arrays.batches for _, ends in batch.bounds]
    with np.errstate(over="ignore"):
        gaps = [np.maximum(lows - extent.hi, extent.lo - highs).max(axis=1) for lows, highs in bounds]
    apart = np.concatenate(gaps)
    return float(apart[apart > 0].min(initial=np.inf))


def corners_of(shapes: Iterable[Shape]) -> Array:
    """The corners (n, 3) of planes and polyhedra that are not infinitely far."""
    corners: list[Vec3] = []
    for shape in shapes:
        of_shape = [corner for polygon in polygons_of(shape) for corner in polygon]
        corners += (
            of_shape if is_bounded(shape) else [c for c in of_shape if max(map(abs, c)) < shape_drawings.FAR]
        )
    return as_points(corners)


def _groups(elements: Elements) -> Iterator[DrawnGroup]:
    """The single elements of each kind, and then those of each bulk item, in their order."""
    yield from _single_groups((part.first, part.shape) for part in elements.parts if part.shape is not None)
    for part in elements.parts:
        if part.shapes:
            kind = shape_drawings.SHAPE_DRAWINGS[part.shapes.kind].drawn_as
            is_opaque = isinstance(part.item, MeshPrimitive) or part.size >= OPAQUE_FROM
            yield DrawnGroup(kind, part.indices, part.shapes, kind == DrawnAs.TRIANGLE and is_opaque)


def _single_groups(shapes: Iterable[tuple[int, Shape]]) -> Iterator[DrawnGroup]:
    groups: defaultdict[DrawnAs, list[tuple[int, Shape]]] = defaultdict(list)
    for index, shape in shapes:
        groups[shape_drawings.drawn_as(shape)].append((index, shape))
    for kind, group in groups.items():
        indices, own = zip(*group, strict=True)
        yield DrawnGroup(kind, np.array(indices, np.intp), own)


def _indices(groups: list[DrawnGroup]) -> Indices:
    parts = (group.elements for group in groups)
    arrays = (np.arange(part.start, part.stop) if isinstance(part, slice) else part for part in parts)
    return np.concatenate([np.empty(0, np.intp), *arrays])


def _as_slice(indices: Indices) -> slice | Indices:
    """Consecutive indices as a slice, which takes from an array without a copy; others as they are."""
    if len(indices) and (np.diff(indices) == 1).all():
        return slice(int(indices[0]), int(indices[-1]) + 1)
    return indices


def _vertices(shapes: Sequence[Shape]) -> Array:
    numbers = shapes.rows.T if isinstance(shapes, Shapes) else np.array(shapes, float)
    return numbers.reshape(-1, 3, 3)
