"""Random pairs with frusta, polyhedra as probes, and what is rounded or cast, against the oracle."""

import math
from contextlib import suppress
from fractions import Fraction
from random import Random

from hitscope.errors import HitscopeError
from hitscope.geometry import exact
from hitscope.geometry.kinds import innermost, word_of
from hitscope.geometry.registry import KINDS_OF_PAIR
from hitscope.geometry.shapes import Cast, Frustum, Point, Ray, Rounded, Segment, is_linear
from tests.geometry import cases, oracle
from tests.geometry.round_pairs import assert_range_is_right

PAIRS = [pair for pair in KINDS_OF_PAIR if pair not in cases.PAIRS]


def shape(kind, random: Random, point):
    """Return a shape of a type; the radius of a round one is 0."""
    word = word_of(innermost(kind))
    while True:
        with suppress(HitscopeError):
            made = frustum(random, point) if word == "frustum" else cases.shape(word, random, point)
            if issubclass(kind, Rounded) or (issubclass(kind, Cast) and issubclass(kind.wrapped, Rounded)):
                made = Rounded(made, 0.0)
            return Cast(made, cases.motion(random, point)) if issubclass(kind, Cast) else made


def frustum(random: Random, point):
    """Return the common part of six half-spaces, now and then without the last one."""
    planes = [cases.plane(random, point) for _ in range(6)]
    if random.random() < 0.4:
        lo, hi = (tuple(map(pick, point(), point())) for pick in (min, max))
        sides = [(axis, sign) for axis in range(3) for sign in (-1.0, 1.0)]
        normals = [tuple(sign * (k == axis) + 0.0 for k in range(3)) for axis, sign in sides]
        offsets = [sign * (hi if sign > 0 else lo)[axis] for axis, sign in sides]
        return Frustum(normals, offsets)
    normals, offsets = (list(part) for part in zip(*planes, strict=True))
    if random.random() < 0.3:
        normals[5], offsets[5] = (0.0, 0.0, 0.0), 1.0
    return Frustum(normals, offsets)


def with_radius(made, radius):
    """Return a shape with another radius, if it has one."""
    return made._replace(radius=radius) if hasattr(made, "radius") else made


def pair(name: str, seed: int):
    """Return case number `seed` of a pair; what has a radius touches in many cases, or nearly."""
    random = Random(f"wrapped {name} {seed}")
    point = cases.points(random)
    found = [shape(kind, random, point) for kind in KINDS_OF_PAIR[name]]
    if not any(hasattr(made, "radius") for made in found):
        return found
    squared = oracle.squared_distance(*map(oracle.core, found))
    reach = cases.radius(random, squared)
    part = random.choice((0.0, reach / 2, reach / 4, reach))
    both = all(hasattr(made, "radius") for made in found)
    radii = (part, reach - part) if both else (reach, reach)
    return [with_radius(made, r) for made, r in zip(found, radii, strict=True)]


def any_pair(name: str, seed: int):
    """Return case number `seed` of any pair, also of one of `cases`."""
    return cases.pair(name, seed) if name in cases.PAIRS else pair(name, seed)


def core_at(probe, t):
    """Return the core of a cast at some t."""
    return oracle.Moved(oracle.core(probe.inner), tuple(Fraction(t) * Fraction(number) for number in probe.motion))


def assert_right(probe, primitive):
    """Compare verdict, state, t and distance with the distance of the cores."""
    target, reach = oracle.core(primitive), oracle.reach(probe, primitive)
    squared = oracle.squared_distance(oracle.core(probe), target)
    found = exact.relation(probe, primitive)
    assert found.hit == exact.meet(probe, primitive) == (squared <= reach**2)
    distance, expected = Fraction(exact.distance(probe, primitive)), oracle.length(squared) - reach
    if squared > reach**2:
        assert abs(distance - expected) <= max(abs(expected) / 10**12, Fraction(5e-324))
        assert distance > 0
        assert found.state == "apart"
        return
    assert distance <= 0 if isinstance(probe, Point) else distance == 0
    if reach:
        start = core_at(probe, 0) if isinstance(probe, Cast) else None
        if isinstance(probe, Point | Segment | Ray):
            start = Point(probe[0])
        starts = start is not None and oracle.squared_distance(start, target) < reach**2
        assert found.state == ("inside" if starts else "touching" if squared == reach**2 else "crossing")
    elif not isinstance(probe, Cast) and not any(hasattr(made, "radius") for made in (probe, primitive)):
        assert found.state == oracle.state(oracle.core(probe), oracle.core(primitive))
    if isinstance(probe, Cast):
        assert_t_is_right(probe, primitive, found, reach)
        assert_contact_is_right(probe, primitive, found)
    elif reach and is_linear(probe) and any(exact.linear_probe(probe).direction):
        assert_range_is_right(probe, primitive)


def assert_contact_is_right(probe, primitive, found):
    """Compare the point of a cast with both sets, and the normal on a round part with the shortest way between."""
    t, there, target = Fraction(found.t_enter), core_at(probe, found.t_enter), oracle.core(primitive)
    point = Point._make((tuple(exact.contact(probe, primitive, t, found.normal).point),))
    # An approximated t moves a point at the origin, too.
    slack = Fraction(oracle.reach(probe, primitive) + max(map(abs, point.position))) / 10**12
    for core, made in ((there, probe), (target, primitive)):
        assert oracle.squared_distance(point, core) <= (oracle.reach(made) + slack) ** 2
    gap = oracle.nearest_gap(there, target)
    if t > 0 and any(gap):
        length = oracle.length(oracle.product_sum(gap, gap))
        for number, part in zip(exact.unit(found.normal), gap, strict=True):
            assert math.isclose(number, part / length, rel_tol=1e-15, abs_tol=1e-300)


def assert_t_is_right(probe, primitive, found, reach):
    """Compare t of a cast: without radii with the solutions of inequalities, else with gaps just beside it."""
    target = oracle.core(primitive)
    if not reach:
        assert (found.t_enter, found.t_exit) == oracle.interval(oracle.core(probe), target)
        return

    def gap(t):
        return oracle.squared_distance(core_at(probe, t), target) - reach**2

    inner = (Fraction(found.t_enter) + Fraction(found.t_exit)) / 2
    for t, end, away in ((found.t_enter, 0, -math.inf), (found.t_exit, 1, math.inf)):
        if t == end:
            assert gap(t) <= 0
            continue
        near = exact.rounded(t)
        outwards, inwards = ((Fraction(near) + Fraction(math.nextafter(near, way))) / 2 for way in (away, -away))
        assert gap(outwards) >= 0
        assert (inner - inwards) * (1 if away > 0 else -1) >= 0 or gap(inwards) <= 0
