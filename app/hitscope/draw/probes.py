"""Probes as strokes and handles: what is outside and inside of what they hit, and how their ends look."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hitscope.draw.bodies import box_extremes, frames_of
from hitscope.draw.extent import FAR, Extent, Stage, finite
from hitscope.draw.items import Array, Ending
from hitscope.draw.spans import Course
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Aabb, Line, Obb, Parallelepiped, Point, Ray, Segment, Shape, Triangle

FARTHEST = 1e150
"""Nothing is laid out farther than so many stage units, whose squares are float64 numbers yet."""


class Stroke(NamedTuple):
    """One piece of a probe, in scene units."""

    start: Array
    end: Array
    inside: bool
    ending: Ending


def handle_points(shape: Shape) -> Array:
    """Give the draggable points (k, 3).

    A segment's ends, a ray's origin and tip, a triangle's corners; of a box by its centre that and the middle of
    each face (low and high along each axis in turn), of a parallelepiped its origin and the tips of its edges.
    """
    with np.errstate(over="ignore"):
        match shape:
            case Point(position):
                return np.array([position], float)
            case Segment(start, end):
                return np.array([start, end], float)
            case Ray(origin, direction) | Line(origin, direction):
                return np.array([origin, finite(np.add(origin, direction, dtype=float))], float)
            case Triangle():
                return np.array(shape, float)
            case Aabb() | Obb():
                frames = frames_of([shape])
                edges = frames.edges[0]
                center = frames.origins[0] + edges.sum(axis=0) / 2
                faces = [center + sign * edge / 2 for edge in edges for sign in (-1, 1)]
                return finite(np.array([shape.center if isinstance(shape, Obb) else center, *faces]))
            case Parallelepiped(origin, edges):
                return finite(np.add([(0.0, 0.0, 0.0), *edges], origin, dtype=float))
            case _:
                return np.empty((0, 3))


def main_handles(shape: Shape) -> int:
    """Give how many of the handles, the first ones, are more than the middles of faces."""
    return 1 if isinstance(shape, Aabb | Obb) else len(handle_points(shape))


def solid_points(shape: Shape) -> Array:
    """Give points that bound what is surely part of the scene: a ray's tip may be anywhere along it."""
    if isinstance(shape, Aabb | Obb | Parallelepiped):
        return np.concatenate(box_extremes(frames_of([shape])))
    points = handle_points(shape)
    return points[:1] if isinstance(shape, Ray | Line) else points


class Run(NamedTuple):
    """How far a probe is drawn: all of its course, at full strength from `solid_from` to `solid_to`.

    Known are points of it by their t, beside which float64 would not place them.
    """

    course: Course
    solid_from: float
    solid_to: float
    known: dict[float, Array]


def run_of(shape: Segment | Ray | Line, stage: Stage, around: Extent) -> Run:
    """Give how far a probe is drawn.

    A ray or line reaches past `around`, and past its own tip where that is not far away, and fades after it.
    """
    given = handle_points(shape)
    start, tip = stage.inward(given)
    if np.abs(start).max() > FAR:
        return _run_nearby(shape, stage, around)
    length, direction = _polar(tip - start)
    if isinstance(shape, Segment):
        return Run(Course(start, direction, 0.0, length), 0.0, length, {0.0: given[0], length: given[1]})
    _, direction = _polar(np.array(shape.direction))
    if not direction.any():
        return Run(Course(start, direction, 0.0, length), 0.0, length, {0.0: given[0], length: given[1]})
    along, radius = _reach(start, direction, stage, around)
    ahead = max(along + radius, min(length, 2 * radius), radius / 2)
    if isinstance(shape, Ray):
        return Run(Course(start, direction, 0.0, ahead + radius), 0.0, ahead, {0.0: given[0]})
    behind = max(radius - along, radius / 2)
    return Run(Course(start, direction, -behind - radius, ahead + radius), -behind, ahead, {0.0: given[0]})


def _run_nearby(shape: Segment | Ray | Line, stage: Stage, around: Extent) -> Run:
    """Give how far a probe from far away is drawn; t is 0 where it is nearest to the anchor, found exactly."""
    p = [Fraction(value) for value in shape[0]]
    ahead = [Fraction(value) for value in shape[1]]
    way = [b - a for a, b in zip(p, ahead, strict=True)] if isinstance(shape, Segment) else ahead
    size = max(map(abs, way))
    if size == 0:
        return Run(Course(stage.inward(np.array(shape[0])), np.zeros(3), 0.0, 0.0), 0.0, 0.0, {})
    way = [value / size for value in way]
    off = [Fraction(value) - a for value, a in zip(stage.anchor.tolist(), p, strict=True)]
    along = sum((a * b for a, b in zip(off, way, strict=True)), Fraction(0))
    foot = along / sum(value * value for value in way)
    foot = foot if isinstance(shape, Line) else max(foot, Fraction(0))
    foot = min(foot, size) if isinstance(shape, Segment) else foot
    point = np.array([rounded(a + foot * value) for a, value in zip(p, way, strict=True)])
    length, direction = _polar(np.array([float(value) for value in way]))

    def away(distance: Fraction) -> float:
        return min(rounded(distance) * length / stage.scale, FARTHEST)

    origin = stage.inward(point)
    middle, radius = _reach(origin, direction, stage, around)
    low, high = -away(foot), away(size - foot) if isinstance(shape, Segment) else max(middle, 0.0) + 2 * radius
    low = min(middle, 0.0) - 2 * radius if isinstance(shape, Line) else low
    known = {low: np.array(shape[0])} if not isinstance(shape, Line) else {}
    known |= {high: np.array(shape[1])} if isinstance(shape, Segment) else {}
    return Run(Course(origin, direction, low, high), low, high, known | {0.0: point})


def _reach(start: Array, direction: Array, stage: Stage, around: Extent) -> tuple[float, float]:
    """Give how far along a course the middle of a scene is, and how far from there its end, in stage units."""
    with np.errstate(over="ignore"):
        radius = min(max(_polar(finite(around.half / stage.scale))[0], 1e-3), FARTHEST)
    middle = np.clip(stage.inward(around.center), -FARTHEST, FARTHEST)
    return float(direction @ (middle - start)), radius


def outline_of(shape: Triangle, stage: Stage, around: Extent) -> Iterator[Stroke]:
    """Give the sides of a triangle probe, so that it stands out as the other probes do."""
    for start, end in pairwise((*shape, shape.a)):
        side = Segment(start, end)
        yield from strokes_of(side, run_of(side, stage, around), np.empty((0, 2)), stage)


def strokes_of(shape: Segment | Ray | Line, run: Run, spans: Array, stage: Stage) -> Iterator[Stroke]:
    """Cut a probe into pieces outside and inside of `spans`, and into its full and its fading parts."""
    course, solid_from, solid_to, known = run
    within = {float(t) for t in (*spans.flat, *known) if course.t_min < t < course.t_max}
    borders = sorted(within | {course.t_min, solid_from, solid_to, course.t_max})
    ends = [known[t] if t in known else stage.outward(course.origin + t * course.direction) for t in borders]
    middles = (np.array(borders[1:]) + np.array(borders[:-1])) / 2
    inside = ((spans[:, :1] <= middles) & (middles <= spans[:, 1:])).any(axis=0)
    for i, (low, high) in enumerate(pairwise(borders)):
        ending = Ending.PLAIN
        if low >= solid_to:
            ending |= Ending.FADE_END
        if high <= solid_from:
            ending |= Ending.FADE_START
        if isinstance(shape, Ray) and high == solid_to:
            ending |= Ending.ARROW_END
        yield Stroke(ends[i], ends[i + 1], bool(inside[i]), ending)


def _polar(vector: Array) -> tuple[float, Array]:
    largest = float(np.abs(vector).max())
    if largest == 0:
        return 0.0, np.zeros(3)
    scaled = vector / largest
    length = float(np.linalg.norm(scaled))
    return largest * length, scaled / length
