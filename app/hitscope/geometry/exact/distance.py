"""The Euclidean distance of two sets, exact up to the final rounding, and their nearest points."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from hitscope.float_mode import in_default_mode
from hitscope.geometry.exact.gaps import core_gap, height_over
from hitscope.geometry.exact.hull import Slab
from hitscope.geometry.exact.integers import Homogeneous, length_of, rounded
from hitscope.geometry.exact.relation import reach_of
from hitscope.geometry.exact.roots import Root, sign_of
from hitscope.geometry.exact.sets import convex_set, radius_of
from hitscope.geometry.shapes import Plane, Point, Shape, Vec3
from hitscope.geometry.vector import dot


@lru_cache(maxsize=1 << 10, typed=True)  # The verdicts of all methods of a pair have the same distance.
def distance(probe: Shape, primitive: Shape) -> float:
    """Return the distance, right within an ulp, and 0 only if the sets meet.

    A point's distance is signed: negative behind a plane and inside a solid (there it is to the nearest face).
    """
    gap, reach = core_gap(probe, primitive), reach_of(probe, primitive)
    squared = Fraction(0) if gap is None else gap.squared
    if not isinstance(probe, Point):
        return shortened(squared, reach) if squared > reach**2 else 0.0
    if isinstance(primitive, Plane):
        behind = height_over(convex_set(primitive).planes[0], _position(probe)) < 0
        return -shortened(squared, reach) if behind else shortened(squared, reach)
    if gap is not None:
        return shortened(squared, reach)
    return -shortened(_squared_depth(probe, primitive), -reach) + 0.0  # 0.0 rather than -0.0


def shortened(squared: Fraction, reach: Fraction | int) -> float:
    """Return the root of a squared length minus a distance, rounded once; it is 0 only if that is."""
    if not reach:
        return length_of(squared)
    sign = sign_of(-reach, 1, squared)
    return (rounded(Root(-reach, 1, squared).approximated()) or sign * 5e-324) if sign else 0.0


@in_default_mode
def nearest(probe: Shape, primitive: Shape) -> tuple[Vec3, Vec3] | None:
    """Return the nearest point of each set to the other, rounded once; None if they meet."""
    gap = core_gap(probe, primitive)
    if gap is None or gap.squared <= reach_of(probe, primitive) ** 2:
        return None
    p, q = gap.points()
    return _towards(p, q, radius_of(probe), gap.squared), _towards(q, p, radius_of(primitive), gap.squared)


def _towards(p: Sequence[Fraction], q: Sequence[Fraction], radius: Fraction | int, squared: Fraction) -> Vec3:
    """Return the point at a distance from p on the way to q, rounded once."""
    x, y, z = (
        rounded(Root(a, radius * (b - a) / squared, squared).approximated()) for a, b in zip(p, q, strict=True)
    )
    return x, y, z


def _position(point: Point) -> Homogeneous:
    return convex_set(point).vertices[0]


def _squared_depth(probe: Point, primitive: Shape) -> Fraction:
    """Return the squared distance from a point inside a core to its nearest face; 0 for a flat one."""
    target, point = convex_set(primitive), _position(probe)
    gaps: list[Fraction] = []
    walls: Sequence[Slab] = () if target.planes else target.walls
    if walls and target.is_large:
        walls = target.sides.nearest(point)
    for wall in walls:
        height = Fraction(dot(wall.normal, point), point[3])
        squared = dot(wall.normal, wall.normal)
        gaps += [(bound - height) ** 2 / squared for bound in (wall.lo, wall.hi) if bound is not None]
    return min(gaps, default=Fraction(0))
