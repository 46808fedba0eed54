"""The known deviations of answers: where a method is right about hit or miss, and wrong about another part of it.

A method with an unrounded reading is run on fractions with every tolerance at zero, so that its logic alone is put
against exact geometry, and any difference counts. The others are run in float64 and may be off by TOLERANCE.
Run as a script it writes `answer_deviations.json` anew; what changed there is what changed in the methods.
"""

import math
from fractions import Fraction
from pathlib import Path

from hitscope.geometry import exact
from hitscope.geometry.answers import NO_FEATURE, TRIANGLE_PLANE, box_slab
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.registry import of_pair, pairs
from hitscope.geometry.shapes import Aabb, Obb, Plane, Point, Segment, Triangle, linear, rational
from hitscope.geometry.vector import add, cross, dot, subtract
from hitscope.judge.drawing import GENERATORS
from tests.judge import known_deviations
from tests.judge.seeded_cases import generate

FILE = Path(__file__).with_name("answer_deviations.json")
SEEDS = range(250)
REWRITE = "write answer_deviations.json with: .venv/bin/python tests/judge/answer_deviations.py"
TOLERANCE = 1e-9


def methods_of(pair):
    """Return the methods of a pair that answer more than the verdict, but for `exact`."""
    return [method for method in of_pair(pair).values() if method.name != "exact" and method.parts]


def wrong_parts(method, probe, primitive):
    """Return the names of the parts of a method's answer that exact geometry contradicts.

    None of a wrong verdict is right or wrong: that deviation is known elsewhere.
    """
    truth = exact.relation(probe, primitive)
    if "unrounded" in method.readings:
        zeros = dict.fromkeys(method.arguments, Fraction(0))
        answer, same = method(rational(probe), rational(primitive), **zeros), _equal
    else:
        answer, same = method(probe, primitive), _close
    if answer.hit != truth.hit:
        return []
    parts = answer._asdict()
    wrong = []
    if truth.hit:
        wrong += [
            name for name in ("t_enter", "t_exit") if name in parts and not same(parts[name], getattr(truth, name))
        ]
        if "normal" in parts and not _same_direction(parts["normal"], truth.normal):
            wrong.append("normal")
    elif "axis" in parts:
        apart = gap_along(answer.axis, rational(probe), rational(primitive))
        wrong += [name for name, fails in (("axis", apart <= 0), ("gap", apart != answer.gap)) if fails]
    if "distance" in parts and not same(answer.distance, exact.distance(probe, primitive)):
        wrong.append("distance")
    if "feature" in parts and answer.feature != NO_FEATURE:
        outside = heights_over(primitive, answer.feature, rational(probe), truth.t_enter)
        if not (outside == (0, True) if truth.hit else outside[0] > 0):
            wrong.append("feature")
    return wrong


def heights_over(primitive, feature, probe, t_enter):
    """Return the height of a probe over the face, edge or plane of a feature, and whether it enters there.

    Of a hit it is that of the point where the probe enters, of a miss the greatest of the probe or, with a
    triangle's edge, that of the point where the probe meets the plane. Only its sign counts.
    """
    if isinstance(primitive, Triangle):
        return _heights_over_triangle(rational(primitive), feature, probe)
    spaces = half_spaces(primitive)
    if feature >= len(spaces):
        slab = 2 * (feature - box_slab(0))
        sides = slab, slab + 1
        return max(_height_over(spaces[side], probe, t_enter) for side in sides)
    return _height_over(spaces[feature], probe, t_enter)


def _height_over(space, probe, t_enter):
    normal, offset = space
    if isinstance(probe, Point):
        return dot(normal, probe.position) - offset, False
    line = linear(probe)
    height, slope = dot(normal, line.origin) - offset, dot(normal, line.direction)
    if t_enter is not None:
        return height + t_enter * slope, slope < 0
    if slope == 0:
        return height, False
    highest = line.t_max if slope > 0 else line.t_min
    return (height + highest * slope if math.isfinite(highest) else math.inf), False


def _heights_over_triangle(triangle, feature, probe):
    normal = cross(subtract(triangle.b, triangle.a), subtract(triangle.c, triangle.a))
    if isinstance(probe, Point):
        point, reaches = probe.position, dot(normal, subtract(probe.position, triangle.a)) == 0
    else:
        line = linear(probe)
        slope = dot(normal, line.direction)
        if slope == 0:
            return (1 if feature == TRIANGLE_PLANE else 0), False
        t = dot(normal, subtract(triangle.a, line.origin)) / slope
        point = add(line.origin, tuple(t * number for number in line.direction))
        reaches = line.t_min <= t <= line.t_max
    if feature == TRIANGLE_PLANE:
        return (0 if reaches and any(normal) else 1), False
    start, end = triangle[feature], triangle[(feature + 1) % 3]
    return -dot(normal, cross(subtract(end, start), subtract(point, start))), False


def half_spaces(body):
    """Return each (outward normal, offset): of a box in the order of `box_face`, else in that of the planes."""
    spaces = []
    for normal, lo, hi in convex_set(body).slabs:
        below, above = ((-normal[0], -normal[1], -normal[2]), None if lo is None else -lo), (normal, hi)
        sides = (below, above) if isinstance(body, Aabb | Obb) else (above, below)
        spaces += [(side, Fraction(bound)) for side, bound in sides if bound is not None]
    return spaces


def gap_along(axis, probe, primitive):
    """Return how far apart the projections onto an axis are, times its length; at most 0 where they overlap."""
    (a, b), (c, d) = _ends_along(axis, probe), _ends_along(axis, primitive)
    return max(c - b, a - d)


def _ends_along(axis, shape):
    """Return the least and the greatest dot product of an axis with the points of a shape in fractions."""
    match shape:
        case Plane(normal, offset):
            # Onto any axis but its normal, a plane's projection is everything.
            if any(cross(axis, normal)):
                return -math.inf, math.inf
            heights = [offset * dot(axis, normal) / dot(normal, normal)]
        case Point() | Segment():
            heights = [dot(axis, point) for point in shape]
        case _:
            heights = [Fraction(dot(axis, (x, y, z)), w) for x, y, z, w in exact.corners(shape)]
    return min(heights), max(heights)


def _equal(found, truth):
    return found == truth


def _close(found, truth):
    return math.isclose(found, exact.rounded(truth), rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _same_direction(normal, truth):
    """Whether two normals point the same way; an unknown one is the same as none."""
    if any(isinstance(number, float) and math.isnan(number) for number in normal):
        return truth is None
    return truth is not None and not any(cross(normal, truth)) and dot(normal, truth) > 0


def found(pair, seeds):
    """Return {method: {part: {generator: [pair, seed]}}} of a pair, the first case of each as its witness."""
    deviations = {method.name: {} for method in methods_of(pair)}
    for generator in GENERATORS:
        for seed in seeds:
            shapes = generate(generator, pair, seed)
            for method in methods_of(pair):
                for part in wrong_parts(method, *shapes):
                    deviations[method.name].setdefault(part, {}).setdefault(generator, [pair, seed])
    return deviations


def found_in_all(seeds):
    """Return the deviations of every pair together."""
    deviations = {}
    for pair in pairs():
        for name, parts in found(pair, seeds).items():
            entry = deviations.setdefault(name, {})
            for part, witnesses in parts.items():
                for generator, witness in witnesses.items():
                    entry.setdefault(part, {}).setdefault(generator, witness)
    return deviations


if __name__ == "__main__":
    FILE.write_text(known_deviations.text(found_in_all(SEEDS)), encoding="utf-8")
