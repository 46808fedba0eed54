"""Exact verdicts of one probe against the few primitives that a filter left unsure.

Pairs that have predicates are decided by these, in expansions (`predicates`). The pairs that they leave unsure in
turn, and all other pairs, are decided in integers and fractions, one by one.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import inf, isfinite
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Shapes
from hitscope.geometry.error_free import two_difference
from hitscope.geometry.exact.integers import over_power_of_two
from hitscope.geometry.exact.relation import meet
from hitscope.geometry.exact.verdict_codes import UNSURE
from hitscope.geometry.shapes import Aabb, Line, Ray, Segment, Shape, Triangle, Vec3
from hitscope.geometry.vector import cross, subtract

VerdictCodes: TypeAlias = NDArray[np.uint8]

PLANES = ((0, 1), (1, 2), (2, 0))


class SideCondition(NamedTuple):
    """A condition for a hit: sign * det2 >= 0 at the corner whose coordinates are in the rows u and v.

    The line goes through (a, b) with direction (p, q), of which rounding lost `low`.
    """

    a: float
    b: float
    p: float
    q: float
    low: tuple[float, float]
    u: NDArray[np.float64]
    v: NDArray[np.float64]
    sign: int


def resolve_unsure(probe: Shape, primitives: Shapes, compiled: bool) -> NDArray[np.bool_]:
    """Return which primitives the probe meets, with compiled predicates if `compiled`; (n,)."""
    predicates = PREDICATES.get((type(probe), primitives.kind)) if compiled else None
    if predicates is None:
        return np.array([meet(probe, primitive) for primitive in primitives], dtype=np.bool_)
    verdicts = np.ones(len(primitives), dtype=np.uint8)
    predicates(verdicts, probe, primitives.rows)
    for n in np.flatnonzero(verdicts == UNSURE).tolist():
        verdicts[n] = meet(probe, primitives[n])
    return verdicts.view(np.bool_)


def _line_and_boxes(verdicts: VerdictCodes, probe: Segment | Ray | Line, rows: NDArray[np.float64]) -> None:
    """Decide a linear probe and boxes: by the bounds, and by both sides of the line seen along each axis."""
    if isinstance(probe, Segment):
        _require_bounds(verdicts, zip(*probe, strict=True), rows)
    else:
        both = isinstance(probe, Line)
        ends = (
            (-inf if d < 0 or (both and d) else o, inf if d > 0 or (both and d) else o)
            for o, d in zip(*probe, strict=True)
        )
        _require_bounds(verdicts, ends, rows)
    for plane in PLANES:
        _require_sides(verdicts, _line_sides(plane, probe[0], _direction(probe), rows))


def _triangle_and_boxes(verdicts: VerdictCodes, triangle: Triangle, rows: NDArray[np.float64]) -> None:
    """Decide a triangle and boxes: by the bounds, the sides of the projected edges, and the sides of the plane.

    A triangle that is seen edge-on is a line.
    """
    from hitscope.geometry.exact.predicates import require_orient3d

    _require_bounds(verdicts, zip(*triangle, strict=True), rows)
    exact, _ = over_power_of_two(triangle)
    normal = cross(subtract(exact[1], exact[0]), subtract(exact[2], exact[0]))
    for plane in PLANES:
        # Seen along an axis, the triangle winds by the sign of that component of the normal.
        winding = normal[3 - sum(plane)]
        for start, end in pairwise([*triangle, triangle.a]):
            sides = _line_sides(plane, start, _differences(end, start), rows)
            if winding:
                _require_sides(verdicts, sides[:1] if winding > 0 else sides[1:])
            elif sides:
                _require_sides(verdicts, sides)
                break
    for sign in (1, -1) if any(normal) else ():
        x, y, z = (rows[k + 3] if sign * normal[k] > 0 else rows[k] for k in range(3))
        require_orient3d(verdicts, triangle.a, triangle.b, triangle.c, sign, x, y, z)


def _line_and_triangles(verdicts: VerdictCodes, probe: Segment | Ray | Line, rows: NDArray[np.float64]) -> None:
    from hitscope.geometry.exact.predicates import linear_triangle_verdicts

    direction, low = zip(*_direction(probe), strict=True)
    linear_triangle_verdicts(verdicts, probe[0], (*direction, *low), probe[1], KINDS[type(probe)], rows)


KINDS: dict[type, int] = {Segment: 0, Ray: 1, Line: 2}
PREDICATES: dict[tuple[type, type], Callable[..., None]] = {
    **{(kind, Aabb): _line_and_boxes for kind in KINDS},
    **{(kind, Triangle): _line_and_triangles for kind in KINDS},
    (Triangle, Aabb): _triangle_and_boxes,
}


def _line_sides(
    plane: tuple[int, int], start: Vec3, direction: Sequence[tuple[float, float]], rows: NDArray[np.float64]
) -> list[SideCondition]:
    """Return the two conditions that a line crosses the rectangle of each box; none if it is seen as a point.

    Each component of the direction is given with its rounding error.
    """
    i, j = plane
    (p, p_low), (q, q_low) = direction[i], direction[j]
    if p == q == 0:
        return []
    u = (rows[i], rows[i + 3]) if q > 0 else (rows[i + 3], rows[i])
    v = (rows[j + 3], rows[j]) if p > 0 else (rows[j], rows[j + 3])
    line = start[i], start[j], p, q, (p_low, q_low)
    return [SideCondition(*line, u[0], v[0], 1), SideCondition(*line, u[1], v[1], -1)]


def _require_bounds(
    verdicts: VerdictCodes, coordinates: Iterable[Sequence[float]], rows: NDArray[np.float64]
) -> None:
    """Write 0 for the boxes that are apart from the probe's coordinates along an axis."""
    for k, numbers in enumerate(coordinates):
        verdicts[(rows[k] > max(numbers)) | (rows[k + 3] < min(numbers))] = 0


def _require_sides(verdicts: VerdictCodes, sides: Iterable[SideCondition]) -> None:
    from hitscope.geometry.exact.predicates import require_orient2d

    for side in sides:
        require_orient2d(verdicts, *side)


def _direction(probe: Segment | Ray | Line) -> list[tuple[float, float]]:
    """Return the components of the probe's direction, each with its rounding error."""
    if isinstance(probe, Segment):
        return _differences(probe.end, probe.start)
    return [(number, 0.0) for number in probe.direction]


def _differences(end: Vec3, start: Vec3) -> list[tuple[float, float]]:
    """Return the components of end - start, each with its rounding error, 0 if it overflows."""
    found = [two_difference(x, y) for x, y in zip(end, start, strict=True)]
    return [(high, low if isfinite(low) else 0.0) for high, low in found]
