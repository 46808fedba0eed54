"""What is under the mouse: handles first, then probes near it, then the primitive in front.

Works on what is drawn, to the accuracy of a picture; it chooses a thing, it never decides a verdict.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hitscope.draw.bodies import elements_at
from hitscope.draw.build import Picture
from hitscope.draw.chunks import Chunks, Indices
from hitscope.draw.items import Array
from hitscope.draw.probes import Stage, handle_points
from hitscope.draw.spans import Course, box_spans, triangle_spans
from hitscope.draw.target import Target
from hitscope.geometry.shapes import Triangle
from hitscope.render.camera import Camera, Viewport

HANDLE_REACH = 11.0
"""So many points from a handle's middle still grab it."""
PROBE_REACH = 6.0
"""So many points from a probe's line still are on it."""
THIN = 1e-4
"""Flat boxes are as thick as this for the mouse, in stage units."""


class Eye(NamedTuple):
    """How the picture is seen; `points` is how many pixels a point has."""

    camera: Camera
    viewport: Viewport
    points: float = 1.0


class Surface(NamedTuple):
    """What is in front at a pixel, with the places where the line of sight enters it and is half through."""

    target: Target
    depth: float  # in stage units
    near: Array
    middle: Array


def pick(picture: Picture, eye: Eye, x: float, y: float, preferred: str | None = None) -> Target | None:
    """Give what a click at a pixel means; of handles at one place, that of the probe `preferred`."""
    if found := handle_at(picture, eye, x, y, preferred) or _line_at(picture, eye, x, y):
        return found
    surfaces = [surface for surface in (surface_at(picture, eye, x, y), _area_at(picture, eye, x, y)) if surface]
    return min(surfaces, key=lambda surface: surface.depth).target if surfaces else None


def handle_at(picture: Picture, eye: Eye, x: float, y: float, preferred: str | None = None) -> Target | None:
    """Give the handle at a pixel."""
    targets, positions = [], []
    for _, element in picture.singles:
        for handle, position in enumerate(handle_points(element.shape)):
            targets.append(Target("probe", element.id, handle))
            positions.append(position)
    if not targets:
        return None
    away = _pixels_away(np.array(positions), eye, x, y)
    away -= 0.5 * np.array([target.id == preferred for target in targets])
    nearest = int(away.argmin())
    return targets[nearest] if away[nearest] <= HANDLE_REACH * eye.points else None


def surface_at(picture: Picture, eye: Eye, x: float, y: float) -> Surface | None:
    """Give the primitive in front at a pixel."""
    bodies, course = picture.bodies, _sight(picture, eye, x, y)
    stage = picture.stage

    def boxes(places: Indices) -> Array:
        edges = bodies.box_edges[places] / stage.scale
        edges[bodies.box_degenerate[places]] += THIN * np.eye(3)
        return box_spans(course, stage.inward(bodies.box_origins[places]), edges)

    def triangles(places: Indices) -> Array:
        return triangle_spans(course, stage.inward(bodies.triangle_vertices[places]))

    facets, elements = _facet_spans(picture, course)
    box, box_places = _nearest(stage, course, bodies.box_chunks, boxes)
    triangle, triangle_places = _nearest(stage, course, bodies.triangle_chunks, triangles)
    front = _front(np.concatenate([box, triangle, facets]))
    if front is None:
        return None
    i, depth, middle = front
    found = [
        *elements_at(bodies.box_elements, box_places),
        *elements_at(bodies.triangle_elements, triangle_places),
        *elements,
    ]
    target = Target("primitive", picture.report.elements[int(found[i])].id)
    return _surface(picture, course, target, depth, middle)


def _nearest(
    stage: Stage, course: Course, chunks: Chunks, spans_of: Callable[[Indices], Array]
) -> tuple[Array, Indices]:
    """Give the span (1, 2) of the shape in front, and which shape it is; (0, 2) where none is."""
    best, depth, place = np.empty((0, 2)), np.inf, np.empty(0, np.intp)
    for away, places in chunks.along(stage.outward(course.origin), course.direction):
        if away / stage.scale > depth:
            break
        spans = spans_of(places)
        front = _front(spans)
        if front is not None and front[1] < depth:
            i, depth, _ = front
            best, place = spans[i : i + 1], places[i : i + 1]
    return best, place


def _facet_spans(picture: Picture, course: Course) -> tuple[Array, Indices]:
    """Give, of each plane and polyhedron that the course meets where it is drawn, the span and the element."""
    surfaces = picture.surfaces
    met = triangle_spans(course, picture.stage.inward(surfaces.facets.vertices))[:, 0]
    hit = ~np.isnan(met)
    elements, which = np.unique(surfaces.elements[hit], return_inverse=True)
    spans = np.tile([np.inf, -np.inf], (len(elements), 1))
    np.minimum.at(spans[:, 0], which, met[hit])
    np.maximum.at(spans[:, 1], which, met[hit])
    return spans, elements


def _area_at(picture: Picture, eye: Eye, x: float, y: float) -> Surface | None:
    """Give the triangle or box probe in front at a pixel."""
    course, stage = _sight(picture, eye, x, y), picture.stage
    flat = [p for p, probe in picture.singles if isinstance(probe.shape, Triangle)]
    vertices = np.array([picture.laid[p].shape for p in flat], float).reshape(-1, 3, 3)
    frames = picture.box_frames
    edges = frames.edges / stage.scale
    edges[frames.degenerate] += THIN * np.eye(3)
    boxes = box_spans(course, stage.inward(frames.origins), edges)
    front = _front(np.concatenate([triangle_spans(course, stage.inward(vertices)), boxes]))
    if front is None:
        return None
    i, depth, middle = front
    found = [*flat, *(p for p, _ in picture.box_probes)][i]
    return _surface(picture, course, Target("probe", picture.report.probes[found].id), depth, middle)


def _line_at(picture: Picture, eye: Eye, x: float, y: float) -> Target | None:
    """Give the segment, ray or line near a pixel."""
    if not picture.strokes:
        return None
    starts = picture.stage.inward(np.array([stroke.start for stroke in picture.strokes]))
    ends = picture.stage.inward(np.array([stroke.end for stroke in picture.strokes]))
    closest = _closest_points(_sight(picture, eye, x, y), starts, ends)
    away = _pixels_away(picture.stage.outward(closest), eye, x, y)
    nearest = int(away.argmin())
    if away[nearest] > PROBE_REACH * eye.points:
        return None
    return Target("probe", picture.report.probes[picture.stroke_probes[nearest]].id)


def _sight(picture: Picture, eye: Eye, x: float, y: float) -> Course:
    origin, direction = eye.camera.ray_through(x, y, eye.viewport)
    return Course(picture.stage.inward(origin), direction, 0.0, np.inf)


def _front(spans: Array) -> tuple[int, float, float] | None:
    """Give the index of the first span, the depth at which it counts, and its middle."""
    # What the eye is inside of counts from its far side, so that what it encloses can be picked.
    depths = np.where(spans[:, 0] > 0, spans[:, 0], spans[:, 1])
    depths = np.where(np.isfinite(depths), depths, np.inf)
    if depths.min(initial=np.inf) == np.inf:
        return None
    i = int(depths.argmin())
    return i, float(depths[i]), float(spans[i].mean())


def _surface(picture: Picture, course: Course, target: Target, depth: float, middle: float) -> Surface:
    near, half = (picture.stage.outward(course.origin + t * course.direction) for t in (depth, middle))
    return Surface(target, depth, near, half)


def _closest_points(course: Course, starts: Array, ends: Array) -> Array:
    """Give, of each line from start to end, the point nearest to the line of sight."""
    along = ends - starts
    to_start = starts - course.origin
    # Without their part along the line of sight, what is left is seen by the eye from the side.
    flat_along = along - np.outer(along @ course.direction, course.direction)
    flat_start = to_start - np.outer(to_start @ course.direction, course.direction)
    with np.errstate(all="ignore"):
        s = -np.einsum("ni,ni->n", flat_start, flat_along) / np.einsum("ni,ni->n", flat_along, flat_along)
    return np.asarray(starts + np.clip(np.nan_to_num(s), 0, 1)[:, None] * along)


def _pixels_away(points: Array, eye: Eye, x: float, y: float) -> Array:
    """Give how far points are from a pixel; behind the eye, infinitely."""
    seen = eye.camera.project(points, eye.viewport)
    with np.errstate(all="ignore"):
        away = np.hypot(seen[:, 0] - x, seen[:, 1] - y)
    return np.where(seen[:, 2] > 0, np.nan_to_num(away, nan=np.inf), np.inf)
