"""What is under the mouse: handles first, then probes near it, then the primitive in front.

Works on what is drawn, to the accuracy of a picture; it chooses a thing, it never decides a verdict.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hitscope.draw.chunks import Chunks, Indices
from hitscope.draw.element_arrays import Batch, elements_at
from hitscope.draw.extent import Stage
from hitscope.draw.intervals import ParametricLine, box_intervals, triangle_intervals
from hitscope.draw.items import Array
from hitscope.draw.picture import LAST_SELECTED, Picture
from hitscope.draw.shape_drawings import DrawnAs, drawn_as, handle_points, main_handles
from hitscope.draw.target import Faces, Hidden, Target, Targets
from hitscope.geometry.shapes import Shape
from hitscope.render.view import View
from hitscope.scene.named_items import split
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.tool import Tool
from hitscope.viewer.tools.handles import handle_places

HANDLE_REACH = 11.0
"""So many points from a handle's middle still grab it."""
PROBE_REACH = 6.0
"""So many points from a probe's line still are on it."""
PICKABLE_THIN_LINES = 1 << 17
"""A thin line can be picked among at most so many,"""
THIN_LINE_REACH = 3.0
"""within so many points,"""
TOLD_APART = 8
"""where no more than so many are."""
THIN = 1e-4
"""Flat boxes are as thick as this for the mouse, in stage units."""


class Surface(NamedTuple):
    """What is in front at a pixel, with the places where the line of sight enters it and is half through."""

    target: Target
    depth: float  # in stage units
    near: Array
    middle: Array


class Pickable(NamedTuple):
    """What can be picked: a picture as it is seen, without the items that are hidden."""

    picture: Picture
    view: View
    selection: Targets = ()
    hidden: Hidden = frozenset()
    faces: bool = True
    """Whether the faces of boxes have handles."""

    def shows(self, target: Target) -> bool:
        """Say whether a target is not hidden."""
        return not self.hidden or (target.kind, split(target.id)[0]) not in self.hidden


def pick(shown: Pickable, x: float, y: float) -> Target | None:
    """Give what the mouse is over; of handles at one place, that of what was selected last."""
    if found := handle_at(shown, x, y) or next(_lines_at(shown, x, y), None):
        return found
    surfaces = [surface for surface in (surface_at(shown, x, y), *_areas_at(shown, x, y)[:1]) if surface]
    return min(surfaces, key=_depth).target if surfaces else None


def all_at(shown: Pickable, x: float, y: float) -> list[Target]:
    """Give everything at a pixel that a click may mean, the first one being what `pick` gives; no handles.

    After an element of a bulk item comes the item as a whole.
    """
    handle = handle_at(shown, x, y)
    surfaces = sorted([*_surfaces_at(shown, x, y), *_areas_at(shown, x, y)], key=_depth)
    found = [
        *([handle._replace(handle=None)] if handle else ()),
        *_lines_at(shown, x, y),
        *(surface.target for surface in surfaces),
    ]
    return list(dict.fromkeys(meant for target in found for meant in (target, _whole(target))))


def _whole(target: Target) -> Target:
    return target._replace(id=split(target.id)[0])


def handle_at(shown: Pickable, x: float, y: float) -> Target | None:
    """Give the handle at a pixel."""
    pushed = shown.selection[-LAST_SELECTED:]
    targets: list[tuple[Target, Shape]] = []
    positions: list[Array] = []
    for target, shape in shown.picture.with_handles(shown.selection):
        if shown.shows(target):
            points = handle_places(shape, shown.view) if target in pushed else handle_points(shape)
            points = points[: None if shown.faces else main_handles(shape)]
            targets += [(target._replace(handle=handle), shape) for handle in range(len(points))]
            positions.append(points)
    if not targets:
        return None
    away = shown.view.pixels_from(np.concatenate(positions), x, y)
    preferred = shown.selection[-1][:2] if shown.selection else None
    away -= 0.5 * np.array([target[:2] == preferred for target, _ in targets])
    for i in np.argsort(away, kind="stable"):
        if away[i] > HANDLE_REACH * shown.view.pixel_ratio:
            return None
        target, shape = targets[int(i)]
        # What is not selected is only looked at closely where the mouse is.
        if target._replace(handle=None) in pushed or _is_offered(shape, target.handle or 0, shown.view):
            return target
    return None


def _is_offered(shape: Shape, handle: int, view: View) -> bool:
    """Say whether a handle of what is not selected can be told apart."""
    return not np.isnan(handle_places(shape, view, pushes=False)[handle]).any()


def faces_of(shown: Pickable, hovered: Target | None) -> Faces:
    """Give the handles of the faces of boxes that are to be drawn: of those that are selected or hovered."""
    selected = shown.selection[-LAST_SELECTED:]
    wanted = {*selected, *([hovered._replace(handle=None)] if hovered else ())}
    if not shown.faces or not wanted:
        return ()
    return tuple(
        (target, handle, (x, y, z))
        for target, shape in shown.picture.with_handles(selected)
        if target in wanted
        for handle, (x, y, z) in enumerate(handle_places(shape, shown.view, target in selected).tolist())
        if handle >= main_handles(shape) and math.isfinite(x)
    )


def place_of(shown: Pickable, handle: Target) -> Array | None:
    """Give where a handle of something selected is; None where it is not offered."""
    shapes = [shape for target, shape in shown.picture.with_handles(shown.selection) if target[:2] == handle[:2]]
    if not shapes or handle.handle is None or not shown.shows(handle):
        return None
    place = handle_places(shapes[0], shown.view)[handle.handle]
    return None if np.isnan(place).any() else place


def surface_at(shown: Pickable, x: float, y: float) -> Surface | None:
    """Give the primitive in front at a pixel."""
    if any(kind == "primitive" for kind, _ in shown.hidden):
        return min(_surfaces_at(shown, x, y), key=_depth, default=None)
    return next(iter(_surfaces(shown, x, y, all_of_them=False)), None)


def _surfaces_at(shown: Pickable, x: float, y: float) -> list[Surface]:
    return [surface for surface in _surfaces(shown, x, y, all_of_them=True) if shown.shows(surface.target)]


def _depth(surface: Surface) -> float:
    return surface.depth


def _surfaces(shown: Pickable, x: float, y: float, all_of_them: bool) -> list[Surface]:
    """Give all primitives at a pixel, hidden ones too, or the one in front."""
    picture, stage = shown.picture, shown.picture.stage
    line = _sight(shown, x, y)

    def boxes(batch: Batch, places: Indices) -> Array:
        origins, edges = stage.boxes(batch.boxes.origins[places], batch.boxes.edges[places])
        edges[batch.boxes.degenerate[places]] += THIN * np.eye(3)
        return box_intervals(line, origins, edges)

    def triangles(batch: Batch, places: Indices) -> Array:
        return triangle_intervals(line, stage.triangles(batch.triangles[places]))

    facets, elements = _facet_intervals(picture, line)
    look = _every if all_of_them else _nearest
    intervals, found = list[Array](), list[Indices]()
    for batch in picture.arrays.batches:
        box, box_places = look(stage, line, batch.box_chunks, partial(boxes, batch))
        triangle, triangle_places = look(stage, line, batch.triangle_chunks, partial(triangles, batch))
        intervals += [box, triangle]
        found += [
            elements_at(batch.box_elements, box_places),
            elements_at(batch.triangle_elements, triangle_places),
        ]
    met, places = np.concatenate([*intervals, facets]), np.concatenate([*found, elements])
    return [
        _surface(picture, line, Target("primitive", picture.report.elements[int(places[i])].id), depth, middle)
        for i, depth, middle in (_in_order(met) if all_of_them else filter(None, [_front(met)]))
    ]


def _every(
    stage: Stage, line: ParametricLine, chunks: Chunks, intervals_of: Callable[[Indices], Array]
) -> tuple[Array, Indices]:
    """Give the intervals (n, 2) of all shapes that the line of sight meets, and which they are."""
    intervals, met = [np.empty((0, 2))], [np.empty(0, np.intp)]
    for _, places in chunks.along(stage.to_scene(line.origin), line.direction):
        some = intervals_of(places)
        kept = [i for i, _, _ in _in_order(some)]
        intervals.append(some[kept])
        met.append(places[kept])
    return np.concatenate(intervals), np.concatenate(met)


def _nearest(
    stage: Stage, line: ParametricLine, chunks: Chunks, intervals_of: Callable[[Indices], Array]
) -> tuple[Array, Indices]:
    """Give the interval (1, 2) of the shape in front, and which shape it is; (0, 2) where none is."""
    best, depth, place = np.empty((0, 2)), np.inf, np.empty(0, np.intp)
    for away, places in chunks.along(stage.to_scene(line.origin), line.direction):
        if away / stage.scale > depth:
            break
        intervals = intervals_of(places)
        front = _front(intervals)
        if front is not None and front[1] < depth:
            i, depth, _ = front
            best, place = intervals[i : i + 1], places[i : i + 1]
    return best, place


def _facet_intervals(picture: Picture, line: ParametricLine) -> tuple[Array, Indices]:
    """Give, of each plane and polyhedron that the line meets where it is drawn, the interval and the element."""
    surfaces = picture.surfaces
    met = triangle_intervals(line, picture.stage.points(surfaces.facets.vertices))[:, 0]
    hit = ~np.isnan(met)
    elements, which = np.unique(surfaces.elements[hit], return_inverse=True)
    intervals = np.tile([np.inf, -np.inf], (len(elements), 1))
    np.minimum.at(intervals[:, 0], which, met[hit])
    np.maximum.at(intervals[:, 1], which, met[hit])
    return intervals, elements


def _areas_at(shown: Pickable, x: float, y: float) -> list[Surface]:
    """Give the triangle and box probes at a pixel, the one in front first."""
    picture, stage = shown.picture, shown.picture.stage
    line = _sight(shown, x, y)
    flat = [p for p, probe in picture.layouts.drawn_probes if drawn_as(probe.shape) is DrawnAs.TRIANGLE]
    vertices = np.array([picture.layouts.by_probe[p].shape for p in flat], float).reshape(-1, 3, 3)
    boxes = picture.layouts.box_arrays
    origins, edges = stage.boxes(boxes.origins, boxes.edges)
    edges[boxes.degenerate] += THIN * np.eye(3)
    through_boxes = box_intervals(line, origins, edges)
    places = [*flat, *(p for p, _ in picture.layouts.boxes)]
    intervals = np.concatenate([triangle_intervals(line, stage.triangles(vertices)), through_boxes])
    found = [
        _surface(picture, line, Target("probe", picture.layouts.ids[places[i]]), depth, middle)
        for i, depth, middle in _in_order(intervals)
    ]
    return [surface for surface in found if shown.shows(surface.target)]


def _lines_at(shown: Pickable, x: float, y: float) -> Iterator[Target]:
    """Give the segments, rays and lines near a pixel, the nearest first, after them those drawn as thin lines."""
    picture, layouts = shown.picture, shown.picture.layouts
    given = [np.array([stroke[i] for stroke in layouts.strokes]).reshape(-1, 3) for i in (0, 1)]
    near = _near(shown, x, y, given[0], given[1], PROBE_REACH)
    names = [layouts.ids[layouts.stroke_probes[i]] for i in near]
    thin_lines = layouts.thin_lines
    if len(thin_lines.starts) <= PICKABLE_THIN_LINES:
        some = _beside(shown.view, x, y, thin_lines.starts, thin_lines.ends)
        near = some[_near(shown, x, y, thin_lines.starts[some], thin_lines.ends[some], THIN_LINE_REACH)]
        if len(near) <= TOLD_APART:
            names += [picture.report.probes[int(p)].id for p in thin_lines.probes[near]]
    return (target for name in names if shown.shows(target := Target("probe", name)))


def _near(shown: Pickable, x: float, y: float, starts: Array, ends: Array, reach: float) -> Indices:
    """Give which lines, by their ends (n, 3), are seen within so many points of a pixel, the nearest first."""
    stage = shown.picture.stage
    if not len(starts):
        return np.empty(0, np.intp)
    ray = shown.view.ray_through(x, y).in_stage(stage)
    closest = ray.nearest_on_segments(*stage.lines(starts, ends))
    away = shown.view.pixels_from(stage.to_scene(closest), x, y)
    order = np.argsort(away, kind="stable")
    return order[away[order] <= reach * shown.view.pixel_ratio]


def _beside(view: View, x: float, y: float, starts: Array, ends: Array) -> Indices:
    """Give which lines may be near a pixel: those not beyond a plane through a side of a square around it."""
    camera, reach = view.camera, 2 * THIN_LINE_REACH * view.pixel_ratio
    corners = [(x + i * reach, y + j * reach) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    rays = [view.ray_through(*corner) for corner in corners]
    target, beyond = np.array(camera.target), np.zeros(len(starts), np.bool_)
    with np.errstate(all="ignore"):
        starts, ends = starts - target, ends - target
        for (origin, way), (following, its_way) in pairwise([*rays, rays[0]]):
            outward = np.cross(following + its_way - origin, way)
            beyond |= np.minimum(starts @ outward, ends @ outward) > (origin - target) @ outward
    return np.flatnonzero(~beyond)


def _sight(shown: Pickable, x: float, y: float) -> ParametricLine:
    return ParametricLine(*shown.view.ray_through(x, y).in_stage(shown.picture.stage), 0.0, np.inf)


def _front(intervals: Array) -> tuple[int, float, float] | None:
    """Give the index of the first interval, the depth at which it counts, and its middle."""
    depths = _depths(intervals)
    if depths.min(initial=np.inf) == np.inf:
        return None
    i = int(depths.argmin())
    return i, float(depths[i]), float(intervals[i].mean())


def _in_order(intervals: Array) -> Iterator[tuple[int, float, float]]:
    """Give what `_front` does of all intervals, from near to far."""
    depths = _depths(intervals)
    for i in np.argsort(depths, kind="stable")[: int(np.isfinite(depths).sum())]:
        yield int(i), float(depths[i]), float(intervals[i].mean())


def _depths(intervals: Array) -> Array:
    """Give the depth at which each interval counts, infinite where there is none."""
    # What the eye is inside of counts from its far side, so that what it encloses can be picked.
    depths = np.where(intervals[:, 0] > 0, intervals[:, 0], intervals[:, 1])
    return np.where(np.isfinite(depths), depths, np.inf)


def _surface(picture: Picture, line: ParametricLine, target: Target, depth: float, middle: float) -> Surface:
    near, half = (picture.stage.to_scene(line.origin + t * line.direction) for t in (depth, middle))
    return Surface(target, depth, near, half)


def pickable(session: Session, selection: Selection, display: Display, tool: Tool) -> Pickable:
    """What can be picked in the picture as it is seen now."""
    return Pickable(
        session.picture, display.view, selection.targets, selection.hidden, faces=tool.gizmo_mode is None
    )
