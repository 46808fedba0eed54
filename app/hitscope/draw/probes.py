"""Probes as strokes and handles: what is outside and inside of what they hit, and how their ends look."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hitscope.draw.bodies import box_extremes, frames_of
from hitscope.draw.extent import Extent, finite
from hitscope.draw.items import Array, Ending
from hitscope.draw.spans import Course
from hitscope.geometry.shapes import Aabb, Line, Obb, Parallelepiped, Point, Ray, Segment, Shape, Triangle


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


class Stage(NamedTuple):
    """The frame in which the scene is about one unit large."""

    anchor: Array
    scale: float

    def inward(self, points: Array) -> Array:
        """Scene units to stage units, without overflow."""
        return np.asarray((points / 2 - self.anchor / 2) / (self.scale / 2))

    def outward(self, points: Array) -> Array:
        """Stage units to scene units."""
        with np.errstate(over="ignore"):
            return finite(points * self.scale + self.anchor)


class Run(NamedTuple):
    """How far a probe is drawn: all of its course, at full strength from `solid_from` to `solid_to`."""

    course: Course
    solid_from: float
    solid_to: float


def run_of(shape: Segment | Ray | Line, stage: Stage, around: Extent) -> Run:
    """Give how far a probe is drawn.

    A ray or line reaches past `around`, and past its own tip where that is not far away, and fades after it.
    """
    start, tip = stage.inward(handle_points(shape))
    length, direction = _polar(tip - start)
    if isinstance(shape, Segment) or length == 0:
        return Run(Course(start, direction, 0.0, length), 0.0, length)
    middle = stage.inward(around.center)
    radius = max(float(np.linalg.norm(around.half / stage.scale)), 1e-3)
    along = float(direction @ (middle - start))
    ahead = max(along + radius, min(length, 2 * radius), radius / 2)
    if isinstance(shape, Ray):
        return Run(Course(start, direction, 0.0, ahead + radius), 0.0, ahead)
    behind = max(radius - along, radius / 2)
    return Run(Course(start, direction, -behind - radius, ahead + radius), -behind, ahead)


def outline_of(shape: Triangle) -> Iterator[Stroke]:
    """Give the sides of a triangle probe, so that it stands out as the other probes do."""
    for start, end in pairwise((*shape, shape.a)):
        yield Stroke(np.array(start, float), np.array(end, float), False, Ending.PLAIN)


def strokes_of(shape: Segment | Ray | Line, run: Run, spans: Array, stage: Stage) -> Iterator[Stroke]:
    """Cut a probe into pieces outside and inside of `spans`, and into its full and its fading parts."""
    course, solid_from, solid_to = run
    points = handle_points(shape)
    given = {0.0: points[0]}
    if isinstance(shape, Segment):
        given[course.t_max] = points[1]
    cuts = {float(t) for t in spans.flat if course.t_min < t < course.t_max}
    borders = sorted(cuts | {course.t_min, solid_from, solid_to, course.t_max})
    ends = [given[t] if t in given else stage.outward(course.origin + t * course.direction) for t in borders]
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
