"""Snapping to boundaries: the last float64 along a drag at which the probe hits an element."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from hitscope.draw.handle_targets import HandleTarget
from hitscope.geometry.exact import rounded
from hitscope.geometry.features.boundary_search import (
    StraightPath,
    bisected,
    crossing,
    gap_to,
    hull_of,
    last_accepted_near,
)
from hitscope.geometry.shapes import Shape
from hitscope.scene.affine_maps import vec3
from hitscope.viewer.tools.snapping.candidates import HOLD, REACH
from hitscope.viewer.tools.snapping.search import NO_LINES, Snap, SnapSearch, hits

MOST_BOUNDARIES = 4
"""The largest number of boundaries that are searched for."""
ROUGH_STEPS = 5
"""The number of bisections after which the interval is below a point of the screen."""


def snap_to_boundary(search: SnapSearch) -> Snap | None:
    """The last point along the drag at which the probe hits an element, the next one being a miss."""
    query, target = search.query, search.query.target
    end = vec3(rounded(Fraction(p) - Fraction(b)) for p, b in zip(query.free, target.base, strict=True))
    path = StraightPath(target.vector, end)
    if path.start == path.end:
        return None
    step = HOLD * REACH * query.screen_point(query.free)
    back, on = path.around(step)
    before, after = (target.store(path.at(value)).shape for value in (back, on))
    found = []
    for name, shape in search.candidates.touched(target.store(path.end).shape, query.free, step):
        hit = hits(before, shape)
        if hit != hits(after, shape):
            found.append((name, shape, *((back, on) if hit else (on, back))))
            if len(found) == MOST_BOUNDARIES:
                break

    def hits_at(value: float, shape: Shape) -> bool:
        return hits(target.store(path.at(value)).shape, shape)

    guesses = [_guess(target, path, shape, near, far) for _, shape, near, far in found]
    keys = [("boundary", name) for name, *_ in found]
    points = np.array([target.at(path.at(guess)) for guess in guesses]).reshape(-1, 3)
    best = search.least(keys, query.distances(points, query.free_pixel), REACH)
    if best is None:
        return None
    name, shape, near, far = found[best]
    vector = path.at(last_accepted_near(guesses[best], near, far, partial(hits_at, shape=shape)))
    words = f"on the boundary of {name}: one ulp further misses"
    return Snap(target.store(vector), target.at(vector), words, 0.0, NO_LINES, keys[best])


def snap_to_boundary_along(search: SnapSearch, found: Snap | None) -> Snap | None:
    """The point on a boundary along the axis that `found` made the probe parallel to."""
    match found, search.query.target:
        case Snap(key=("parallel", _, int(axis))), HandleTarget(pivot=pivot, base=base) if pivot is not None:
            vector = vec3(rounded(Fraction(p) - Fraction(b)) for p, b in zip(pivot, base, strict=True))
            target = search.query.target._replace(vector=vector)
            query = replace(search.query, target=target, free=found.point, axis=axis)
            both = snap_to_boundary(search._replace(query=query))
            return both and both._replace(words=f"{found.words}, {both.words}", lines=found.lines, key=found.key)
    return None


def _guess(target: HandleTarget, path: StraightPath, shape: Shape, near: float, far: float) -> float:
    """The approximate coordinate on the path, between `near` and `far`, at which a probe ceases to hit a shape."""
    gap = gap_to(shape)
    if gap is None or hull_of(target.store(path.at(near)).shape) is None:
        return bisected(near, far, lambda value: hits(target.store(path.at(value)).shape, shape), ROUGH_STEPS)

    def gap_at(value: float) -> float:
        hull = hull_of(target.store(path.at(value)).shape)
        return math.nan if hull is None else gap(hull)

    return crossing(near, far, gap_at)
