"""The known deviations of answers: where a method is right about hit or miss, and wrong about another part of it.

A method with an unrounded reading is run on fractions with every tolerance at zero, so that its logic alone is put
against exact geometry, and any difference counts. The others are run in float64 and may be off by TOLERANCE.
Run as a script it writes `answer_deviations.json` anew; what changed there is what changed in the methods.
"""

import math
from fractions import Fraction
from pathlib import Path

import known_deviations

from hitscope.check.judge import GENERATORS, generate
from hitscope.geometry import exact
from hitscope.geometry.registry import of_pair, pairs
from hitscope.geometry.shapes import Plane, Point, Segment, rational
from hitscope.geometry.vector import cross, dot

FILE = Path(__file__).with_name("answer_deviations.json")
SEEDS = range(200)
TOLERANCE = 1e-9
PARTS = ("t_enter", "t_exit", "normal", "distance", "axis", "gap")


def methods_of(pair):
    """Return the methods of a pair that answer more than the verdict and a feature, but for `exact`."""
    return [m for m in of_pair(pair).values() if m.name != "exact" and set(m.parts) & set(PARTS)]


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
    return wrong


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
            heights = [Fraction(dot(axis, (x, y, z)), w) for x, y, z, w in exact.convex_set(shape).vertices]
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
