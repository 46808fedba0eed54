"""The surfaces under the mouse: primitives, and probes with a surface."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from hitscope.draw.chunks import Chunks, Indices
from hitscope.draw.element_arrays import Batch, elements_at
from hitscope.draw.extent import Stage
from hitscope.draw.intervals import ParametricLine, box_intervals, triangle_intervals
from hitscope.draw.picture import Picture
from hitscope.draw.shape_drawings import RoundArrays
from hitscope.draw.target import Hidden, Target, Targets
from hitscope.geometry.arrays import Array
from hitscope.render.view import View
from hitscope.viewer.state.state import State


class Pickable(NamedTuple):
    """A picture and its view, with the selection and the hidden items, for picking."""

    picture: Picture
    view: View
    selection: Targets = ()
    hidden: Hidden = frozenset()
    faces: bool = True
    """Whether the faces of boxes have handles."""

    def shows(self, target: Target) -> bool:
        return not self.hidden or target.item not in self.hidden


def pickable_of(state: State) -> Pickable:
    selection, has_faces = state.selection, state.tool.gizmo_mode is None
    return Pickable(state.session.picture, state.display.view, selection.targets, selection.hidden, has_faces)


THIN = 1e-4
"""The thickness of flat boxes and the radius of points and segments for picking, in stage units."""


class Surface(NamedTuple):
    """A surface at a pixel: its target, depth, entry point (3,) and the middle (3,) of the line of sight in it."""

    target: Target
    depth: float  # in stage units
    near: Array
    middle: Array


def surface_at(pickable: Pickable, x: float, y: float) -> Surface | None:
    """The surface of the primitive in front at a pixel."""
    hides_some = any(kind == "primitive" for kind, _ in pickable.hidden)
    return next(iter(surfaces_at(pickable, x, y, None if hides_some else 1)), None)


def surfaces_at(pickable: Pickable, x: float, y: float, most: int | None = None) -> list[Surface]:
    """The surfaces of primitives at a pixel that are shown, of at most so many, from near to far."""
    picture, stage = pickable.picture, pickable.picture.stage
    line = _sight(pickable, x, y)
    facets, elements = _facet_intervals(picture, line)
    intervals, found = list[Array](), list[Indices]()
    for batch in picture.arrays.batches:
        for intervals_of, chunks, own in zip(WITH_INTERVALS, batch.chunks, batch.elements, strict=True):
            of_kind, rows = _met(stage, line, chunks, partial(intervals_of, stage, line, batch), most)
            intervals.append(of_kind)
            found.append(elements_at(own, rows))
    met, indices = np.concatenate([*intervals, facets]), np.concatenate([*found, elements])
    every = picture.report.elements
    return _shown(pickable, line, met, lambda i: Target("primitive", every[int(indices[i])].id), most)


def _in_boxes(stage: Stage, line: ParametricLine, batch: Batch, rows: Indices) -> Array:
    """The interval (n, 2) inside each of some boxes of a batch; a flat one has a small thickness."""
    origins, edges = stage.boxes(batch.boxes.origins[rows], batch.boxes.edges[rows])
    edges[batch.boxes.degenerate[rows]] += THIN * np.eye(3)
    return box_intervals(line, origins, edges)


def _in_triangles(stage: Stage, line: ParametricLine, batch: Batch, rows: Indices) -> Array:
    return triangle_intervals(line, stage.triangles(batch.triangles[rows]))


def _in_rounds(stage: Stage, line: ParametricLine, batch: Batch, rows: Indices) -> Array:
    """The interval (n, 2) inside each of some spheres and capsules; one without a radius has a small one."""
    return RoundArrays(*(part[rows] for part in batch.rounds)).intervals(line, stage, THIN)


WITH_INTERVALS = (_in_boxes, _in_triangles, _in_rounds)
"""For each kind of the rows of a batch."""


def _met(
    stage: Stage, line: ParametricLine, chunks: Chunks, intervals_of: Callable[[Indices], Array], most: int | None
) -> tuple[Array, Indices]:
    """The intervals (n, 2) of the shapes that the line of sight meets, and the indices (n,) of the shapes.

    Of each chunk these are at most so many, the nearest; the search ends where no other can be in front of them.
    """
    intervals, met, depth = [np.empty((0, 2))], [np.empty(0, np.intp)], np.inf
    for away, indices in chunks.along(stage.to_scene(line.origin), line.direction):
        if most is not None and away / stage.scale > depth:
            break
        found = intervals_of(indices)
        front = list(islice(_in_order(found), most))
        depth = min([depth, *(at for _, at, _ in front)])
        kept = [i for i, _, _ in front]
        intervals.append(found[kept])
        met.append(indices[kept])
    return np.concatenate(intervals), np.concatenate(met)


def _facet_intervals(picture: Picture, line: ParametricLine) -> tuple[Array, Indices]:
    """The intervals (n, 2) of planes and polyhedra that the line meets where they are drawn, and the elements."""
    surfaces = picture.surfaces
    met = triangle_intervals(line, picture.stage.points(surfaces.facets.vertices))[:, 0]
    hit = ~np.isnan(met)
    elements, which = np.unique(surfaces.elements[hit], return_inverse=True)
    intervals = np.tile([np.inf, -np.inf], (len(elements), 1))
    np.minimum.at(intervals[:, 0], which, met[hit])
    np.maximum.at(intervals[:, 1], which, met[hit])
    return intervals, elements


def probe_surfaces(pickable: Pickable, x: float, y: float) -> list[Surface]:
    """The surfaces of probes at a pixel, the one in front first."""
    layouts, stage = pickable.picture.layouts, pickable.picture.stage
    batch, areas = layouts.solids, layouts.areas
    if not areas:
        return []
    line = _sight(pickable, x, y)
    rows = [np.arange(len(lows)) for lows, _ in batch.kind_bounds]
    of_kinds = zip(WITH_INTERVALS, rows, strict=True)
    intervals = np.concatenate([intervals_of(stage, line, batch, own) for intervals_of, own in of_kinds])
    indices = np.concatenate(list(map(elements_at, batch.elements, rows))).tolist()
    return _shown(pickable, line, intervals, lambda i: Target("probe", layouts.ids[areas[indices[i]].probe]), None)


def _sight(pickable: Pickable, x: float, y: float) -> ParametricLine:
    return ParametricLine(*pickable.view.ray_through(x, y).in_stage(pickable.picture.stage), 0.0, np.inf)


def _in_order(intervals: Array) -> Iterator[tuple[int, float, float]]:
    """The indices of all intervals (n, 2), the depth at which each counts, and its middle, from near to far."""
    # A shape around the eye counts from its far side, so that shapes inside it can be picked.
    depths = np.where(intervals[:, 0] > 0, intervals[:, 0], intervals[:, 1])
    met = np.flatnonzero(np.isfinite(depths))
    for i in met[np.argsort(depths[met], kind="stable")]:
        yield int(i), float(depths[i]), float(intervals[i].mean())


def _shown(
    pickable: Pickable, line: ParametricLine, met: Array, target_of: Callable[[int], Target], most: int | None
) -> list[Surface]:
    """The surfaces that are not hidden of the nearest intervals (n, 2), whose targets are asked for by index."""
    surfaces = []
    for i, depth, middle in islice(_in_order(met), most):
        near, half = (pickable.picture.stage.to_scene(line.origin + t * line.direction) for t in (depth, middle))
        surfaces.append(Surface(target_of(i), depth, near, half))
    return [surface for surface in surfaces if pickable.shows(surface.target)]
