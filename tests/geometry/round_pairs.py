"""Assertions of what `exact` says of a pair with a round shape, against the distance of the cores."""

import math
import sys
from fractions import Fraction

from hitscope.geometry import exact
from hitscope.geometry.shapes import Line, Point, Ray, Segment
from tests.geometry import oracle


def assert_right(probe, primitive):
    """Compare verdict, state and distance of a pair with a round shape, or two, with the distance of the cores."""
    squared = oracle.squared_distance(oracle.core(probe), oracle.core(primitive))
    reach = oracle.reach(probe, primitive)
    found = exact.relation(probe, primitive)
    assert found.hit == exact.meet(probe, primitive) == (squared <= reach**2)
    if reach:
        start = Point(probe[0]) if isinstance(probe, Point | Segment | Ray) else None
        inside = start and oracle.squared_distance(start, oracle.core(primitive)) < reach**2
        state = "apart" if squared > reach**2 else "touching" if squared == reach**2 else "crossing"
        assert found.state == ("inside" if inside else state)
    expected = oracle.length(squared) - reach
    is_signed = isinstance(probe, Point)
    distance = Fraction(exact.distance(probe, primitive))
    if squared > reach**2 or is_signed:
        assert abs(distance - expected) <= max(abs(expected) / 10**12, Fraction(5e-324))
        assert (distance == 0) == (squared == reach**2)
    else:
        assert distance == 0


def gap_at(probe, primitive, t):
    """Return the squared distance of the point of a probe at t from a core, less the square of the radius."""
    origin, other = (tuple(map(Fraction, vector)) for vector in probe)
    way = tuple(b - a for a, b in zip(origin, other, strict=True)) if isinstance(probe, Segment) else other
    at = tuple(o + t * d for o, d in zip(origin, way, strict=True))
    return oracle.squared_distance(Point._make((at,)), oracle.core(primitive)) - oracle.reach(primitive) ** 2


def assert_range_is_right(probe, primitive):
    """Assert that a t is that of the first or last point in a round shape, correctly rounded."""
    found = exact.relation(probe, primitive)
    t_min = {Segment: 0, Ray: 0, Line: -math.inf}[type(probe)]
    t_max = 1 if isinstance(probe, Segment) else math.inf
    inner = (Fraction(found.t_enter) + Fraction(found.t_exit)) / 2
    for t, end, away in ((found.t_enter, t_min, -math.inf), (found.t_exit, t_max, math.inf)):
        if t == end:
            assert gap_at(probe, primitive, Fraction(t)) <= 0
            continue
        near = exact.rounded(t)
        if abs(near) == sys.float_info.max:
            assert abs(Fraction(t)) >= near  # there is no float64 beyond
            continue
        outwards, inwards = ((Fraction(near) + Fraction(math.nextafter(near, way))) / 2 for way in (away, -away))
        assert gap_at(probe, primitive, outwards) >= 0
        is_past = (inner - inwards) * (1 if away > 0 else -1) >= 0
        assert is_past or gap_at(probe, primitive, inwards) <= 0
    return found
