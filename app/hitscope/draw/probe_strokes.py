"""Linear probes as strokes, cut where they enter or leave the elements that they hit."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import isfinite, isinf
from typing import NamedTuple

import numpy as np

from hitscope.draw.extent import FAR, Extent, Stage
from hitscope.draw.intervals import ParametricLine
from hitscope.draw.items import Ending
from hitscope.draw.shape_drawings import handle_points
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import T_RANGES, Line, Ray, Segment, Triangle, linear, rational

FARTHEST = 1e150
"""The stage units beyond which nothing is drawn, so that squares are finite in float64."""


class Stroke(NamedTuple):
    """One piece of a probe, in scene units."""

    start: Array
    end: Array
    inside: bool
    ending: Ending


class DrawnRange(NamedTuple):
    """The drawn range of a linear probe, at full strength from `solid_from` to `solid_to`.

    `known` are points of it by their t, where origin + t * direction would not be as exact.
    """

    line: ParametricLine
    solid_from: float
    solid_to: float
    known: dict[float, Array]


def drawn_range(shape: Segment | Ray | Line, stage: Stage, around: Extent) -> DrawnRange:
    """The range of a linear probe that is drawn.

    A ray or line reaches past `around`, and past its own tip where that is not far away, and fades after it.
    """
    given = handle_points(shape)
    start, tip = stage.to_stage(given)
    if np.abs(start).max() > FAR:
        return _range_within_horizon(shape, stage, around)
    t_min, t_max = T_RANGES[type(shape)]
    length, direction = _polar(tip - start)
    if isinf(t_max):
        _, direction = _polar(np.array(linear(shape).direction))
    if isfinite(t_max) or not direction.any():
        return DrawnRange(
            ParametricLine(start, direction, 0.0, length), 0.0, length, {0.0: given[0], length: given[1]}
        )
    along, radius = _reach(start, direction, stage, around)
    ahead = max(along + radius, min(length, 2 * radius), radius / 2)
    if isfinite(t_min):
        return DrawnRange(ParametricLine(start, direction, 0.0, ahead + radius), 0.0, ahead, {0.0: given[0]})
    behind = max(radius - along, radius / 2)
    return DrawnRange(
        ParametricLine(start, direction, -behind - radius, ahead + radius), -behind, ahead, {0.0: given[0]}
    )


def _range_within_horizon(shape: Segment | Ray | Line, stage: Stage, around: Extent) -> DrawnRange:
    """The drawn range of a probe that begins far away; t is 0 at its exact point nearest to the anchor."""
    p, way, t_min, t_max = linear(rational(shape))
    size = max(map(abs, way))
    if size == 0:
        return DrawnRange(ParametricLine(stage.to_stage(np.array(shape[0])), np.zeros(3), 0.0, 0.0), 0.0, 0.0, {})
    unit = [Fraction(value) / Fraction(size) for value in way]
    off = [Fraction(value) - Fraction(a) for value, a in zip(stage.anchor.tolist(), p, strict=True)]
    along = sum((a * b for a, b in zip(off, unit, strict=True)), Fraction(0))
    foot = along / sum(value * value for value in unit)
    foot = max(foot, Fraction(0)) if isfinite(t_min) else foot
    foot = min(foot, Fraction(size)) if isfinite(t_max) else foot
    point = np.array([rounded(Fraction(a) + foot * value) for a, value in zip(p, unit, strict=True)])
    length, direction = _polar(np.array([float(value) for value in unit]))

    def away(distance: Fraction) -> float:
        return min(rounded(distance) * length / stage.scale, FARTHEST)

    origin = stage.to_stage(point)
    middle, radius = _reach(origin, direction, stage, around)
    low = -away(foot) if isfinite(t_min) else min(middle, 0.0) - 2 * radius
    high = away(Fraction(size) - foot) if isfinite(t_max) else max(middle, 0.0) + 2 * radius
    known = {low: np.array(shape[0])} if isfinite(t_min) else {}
    known |= {high: np.array(shape[1])} if isfinite(t_max) else {}
    return DrawnRange(ParametricLine(origin, direction, low, high), low, high, known | {0.0: point})


def _reach(start: Array, direction: Array, stage: Stage, around: Extent) -> tuple[float, float]:
    """The t along a line that is nearest to the middle of the scene, and the scene's radius, in stage units."""
    radius = min(stage.radius(around), FARTHEST)
    middle = np.clip(stage.to_stage(around.center), -FARTHEST, FARTHEST)
    return float(direction @ (middle - start)), radius


def outline_of(shape: Triangle, stage: Stage, around: Extent) -> Iterator[Stroke]:
    """The sides of a triangle probe as strokes, which make it stand out as other probes do."""
    for start, end in pairwise((*shape, shape.a)):
        side = Segment(start, end)
        yield from strokes_of(side, drawn_range(side, stage, around), np.empty((0, 2)), stage)


def strokes_of(shape: Segment | Ray | Line, drawn: DrawnRange, intervals: Array, stage: Stage) -> Iterator[Stroke]:
    """Cut a probe into pieces outside and inside of `intervals`, and into its full and its fading parts."""
    line, solid_from, solid_to, known = drawn
    t_min, t_max = T_RANGES[type(shape)]
    arrow = isfinite(t_min) and isinf(t_max)
    within = {float(t) for t in (*intervals.flat, *known) if line.t_min < t < line.t_max}
    borders = sorted(within | {line.t_min, solid_from, solid_to, line.t_max})
    ends = [known[t] if t in known else stage.to_scene(line.origin + t * line.direction) for t in borders]
    middles = (np.array(borders[1:]) + np.array(borders[:-1])) / 2
    inside = ((intervals[:, :1] <= middles) & (middles <= intervals[:, 1:])).any(axis=0)
    for i, (low, high) in enumerate(pairwise(borders)):
        ending = Ending.PLAIN
        if low >= solid_to:
            ending |= Ending.FADE_END
        if high <= solid_from:
            ending |= Ending.FADE_START
        if arrow and high == solid_to:
            ending |= Ending.ARROW_END
        yield Stroke(ends[i], ends[i + 1], bool(inside[i]), ending)


def _polar(vector: Array) -> tuple[float, Array]:
    largest = float(np.abs(vector).max())
    if largest == 0:
        return 0.0, np.zeros(3)
    scaled = vector / largest
    length = float(np.linalg.norm(scaled))
    return largest * length, scaled / length
