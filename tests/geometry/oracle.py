"""Verdict, t, state and distance of a pair, found by exact elimination without any of hitscope's geometry.

Every shape is written as an affine image of simple parameters (a segment: start + s * (end - start), 0 <= s <= 1).
Two shapes meet if the equations «same point» and the parameters' inequalities have a solution: the equations are
solved by Gauss, the inequalities by Fourier and Motzkin. With strict inequalities the same decides whether the
relative interiors meet. Distances are the least over all faces of the parameter sets. Rows and equations are kept
in coprime integers, which are much faster than fractions and equal where the rows mean the same.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from math import gcd, lcm
from typing import NamedTuple

from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
    Cast,
    Frustum,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Rounded,
    Segment,
    Sphere,
    Triangle,
)

INF = float("inf")


class Swept(NamedTuple):
    """A core that moves along a vector."""

    core: object
    motion: tuple


class Moved(NamedTuple):
    """A core that was moved by a vector."""

    core: object
    offset: tuple


class Image(NamedTuple):
    """origin + sum s_i * vectors_i, where each row (coefficients, bound) means sum c_i * s_i <= bound."""

    origin: tuple
    vectors: list
    rows: list


def image(shape) -> Image:
    if isinstance(shape, Swept | Moved):
        inner = image(shape.core)
        by = tuple(map(Fraction, shape[1]))
        if isinstance(shape, Moved):
            return inner._replace(origin=tuple(a + b for a, b in zip(inner.origin, by, strict=True)))
        rest = (0,) * len(inner.vectors)
        rows = [((1, *rest), 1), ((-1, *rest), 0), *(((0, *cs), bound) for cs, bound in inner.rows)]
        return Image(inner.origin, [by, *inner.vectors], rows)
    f = shape_in_fractions(shape)
    between = [((1,), 1), ((-1,), 0)]
    match shape:
        case Segment():
            return Image(f[0], [sub(f[1], f[0])], between)
        case Ray():
            return Image(f[0], [f[1]], between[1:])
        case Line():
            return Image(f[0], [f[1]], [])
        case Point():
            return Image(f[0], [], [])
        case Parallelepiped():
            return Image(f[0], list(f[1]), cube(0, 1))
        case Plane():
            # The point nearest to 0, and two directions across the normal.
            (n, offset), squared = f, product_sum(f[0], f[0])
            return Image(tuple(offset * x / squared for x in n), complement([n]), [])
        case Polyhedron((), _):
            first, *others = f[1]
            k = len(others)
            rows = [(tuple(-int(i == j) for j in range(k)), 0) for i in range(k)]
            return Image(first, [sub(v, first) for v in others], [*rows, ((1,) * k, 1)] if k else [])
        case Polyhedron():
            units = [tuple(int(k == i) for k in range(3)) for i in range(3)]
            return Image((0, 0, 0), units, [(n, offset) for n, offset in f[0]])
        case Triangle():
            rows = [((-1, 0), 0), ((0, -1), 0), ((1, 1), 1)]
            return Image(f[0], [sub(f[1], f[0]), sub(f[2], f[0])], rows)
        case Aabb():
            edges = [tuple((f[1][k] - f[0][k]) * (k == i) for k in range(3)) for i in range(3)]
            return Image(f[0], edges, cube(0, 1))
        case Obb():
            edges = [tuple(f[1][i] * number for number in f[2][i]) for i in range(3)]
            return Image(f[0], edges, cube(-1, 1))
    raise TypeError(shape)


def cube(lo: int, hi: int) -> list:
    units = [tuple(int(k == i) for k in range(3)) for i in range(3)]
    return [row for u in units for row in ((u, hi), (tuple(-n for n in u), -lo))]


def shape_in_fractions(value):
    return tuple(map(shape_in_fractions, value)) if isinstance(value, tuple) else Fraction(value)


def length(squared: Fraction) -> Fraction:
    """Return a length of this square, right to 300 digits."""
    with localcontext(prec=320, Emax=10**6, Emin=-(10**6)):
        return Fraction((Decimal(squared.numerator) / squared.denominator).sqrt())


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b, strict=True))


@lru_cache(1, typed=True)  # A pair's verdict and its state are asked one after the other.
def interval(probe, primitive, strict: bool = False):
    """Return the least and the greatest first parameter (t) of the common part, None if nothing is common.

    With `strict`, of the common part of the relative interiors.
    """
    a, b = image(probe), image(primitive)
    n, m = len(a.vectors), len(b.vectors)
    # A row that holds with equality on all of a flat polyhedron does not bound its relative interior.
    flat = [implied(shape) if strict else [] for shape in (probe, primitive)]
    rows = [((*cs, *(0,) * m), bound, strict and (cs, bound) not in flat[0]) for cs, bound in a.rows]
    rows += [((*(0,) * n, *cs), bound, strict and (cs, bound) not in flat[1]) for cs, bound in b.rows]
    rows = [(*whole(cs, bound), tight) for cs, bound, tight in rows]
    equations = [
        whole((*(v[k] for v in a.vectors), *(-v[k] for v in b.vectors)), b.origin[k] - a.origin[k])
        for k in range(3)
    ]
    while equations:
        equation = equations.pop()
        coefficients, right = equation
        pivot = next((k for k in reversed(range(1, n + m)) if coefficients[k]), None)
        if pivot is None:
            # Only t is left in the equation (or nothing): it is two inequalities.
            opposite = tuple(-c for c in coefficients)
            rows += [(coefficients, right, False), (opposite, -right, False)]
            continue
        equations = [solved(cs, right, equation, pivot) for cs, right in equations]
        rows = [(*solved(cs, bound, equation, pivot), tight) for cs, bound, tight in rows]
    rows = projected(rows, range(1, n + m))
    return solutions([(cs[0] if cs else 0, bound, tight) for cs, bound, tight in rows])


def whole(coefficients, right):
    """Return a row or an equation of fractions, multiplied by what makes it coprime integers."""
    common = lcm(right.denominator, *(c.denominator for c in coefficients))
    return coprime(tuple(int(c * common) for c in coefficients), int(right * common))


def coprime(coefficients, right):
    """Return a row or an equation of integers without their common divisor."""
    divisor = gcd(right, *coefficients)
    if divisor < 2:
        return coefficients, right
    return tuple([c // divisor for c in coefficients]), right // divisor


def solved(coefficients, right, equation, pivot):
    """Return a row or an equation with the parameter `pivot` substituted, by an equation that contains it."""
    by, by_right = equation
    p, q = by[pivot], coefficients[pivot]
    if p < 0:  # a row must not be multiplied by a negative number
        p, q = -p, -q
    return coprime(tuple([c * p - q * e for c, e in zip(coefficients, by, strict=True)]), right * p - q * by_right)


def projected(rows, parameters):
    """Remove parameters: every upper bound on one is at least every lower bound (Fourier and Motzkin).

    After k of them, a row that is made of more than k + 1 of the first rows follows from others (Chernikov).
    """
    made = [(row, frozenset((i,))) for i, row in enumerate(rows)]
    for most, k in enumerate((k for k in parameters if any(cs[k] for cs, _, _ in rows)), start=2):
        kept = [(row, own) for row, own in made if row[0][k] == 0]
        lowers = [(row, own) for row, own in made if row[0][k] < 0]
        for (upper, above, tight_above), first in ((row, own) for row, own in made if row[0][k] > 0):
            for (lower, below, tight_below), second in lowers:
                if len(own := first | second) <= most:
                    p, q = upper[k], -lower[k]
                    cs = tuple([u * q + v * p for u, v in zip(upper, lower, strict=True)])
                    kept.append(((*coprime(cs, above * q + below * p), tight_above or tight_below), own))
        made = list(dict.fromkeys(kept))
    return list(dict.fromkeys(row for row, _ in made))


def solutions(rows):
    """Return the ends of the set of t with c * t <= bound (or <, if tight) for every row, None if it is empty."""
    lowest, highest = -INF, INF
    for c, bound, tight in rows:
        if c == 0 and (bound < 0 or (tight and bound == 0)):
            return None
        if c > 0:
            highest = min(highest, Fraction(bound) / c)
        if c < 0:
            lowest = max(lowest, Fraction(bound) / c)
    if lowest > highest or (
        lowest == highest and any(tight and c * lowest == bound for c, bound, tight in rows if c)
    ):
        return None
    return lowest, highest


def state(probe, primitive) -> str:
    """Return the state as the scene format defines it."""
    if interval(probe, primitive) is None:
        return "apart"
    plane = hull_equations(primitive)
    if plane and isinstance(probe, Point | Segment | Ray | Line | Triangle):
        a = image(probe)
        if all(
            product_sum(n, a.origin) == offset and all(product_sum(n, v) == 0 for v in a.vectors)
            for n, offset in plane
        ):
            return "coplanar"
    starts = isinstance(probe, Point | Segment | Ray) and not plane
    if starts and interval(Point(probe[0]), primitive, strict=True) is not None:
        return "inside"
    return "touching" if interval(probe, primitive, strict=True) is None else "crossing"


def hull_equations(shape):
    """Return the equations (normal, offset) that hold on all of a flat shape; of a solid there are none."""
    if isinstance(shape, Polyhedron) and shape.planes:
        return implied(shape)
    found = image(shape)
    basis = []
    for vector in found.vectors:
        if rank([*basis, vector]) > len(basis):
            basis.append(vector)
    normals = complement(basis)
    return [(n, product_sum(n, found.origin)) for n in normals]


def implied(shape):
    """Return the rows of a polyhedron's planes that hold with equality: no point is strictly inside of them."""
    if not (isinstance(shape, Polyhedron) and shape.planes):
        return []
    _, _, rows = image(shape)
    integers = [whole(*row) for row in rows]
    return [
        row
        for i, row in enumerate(rows)
        if not feasible([(n, offset, i == j) for j, (n, offset) in enumerate(integers)])
    ]


def complement(basis):
    """Return independent vectors at right angles to all of the basis."""
    normals = []
    units = [tuple(int(k == i) for k in range(3)) for i in range(3)]
    if len(basis) == 3:
        return []
    if len(basis) == 2:
        return [cross(*basis)]
    if len(basis) == 1:
        for unit in units:
            n = cross(basis[0], unit)
            if any(n) and rank([*normals, n]) > len(normals):
                normals.append(n)
        return normals
    return units


def cross(a, b):
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def feasible(rows) -> bool:
    """Return whether some (x, y, z) satisfies every row (coefficients, bound, strict)."""
    rows = projected(rows, (2, 1))
    return solutions([(cs[0], bound, tight) for cs, bound, tight in rows]) is not None


def rank(vectors) -> int:
    """Return the number of independent vectors."""
    rows, found = [tuple(map(Fraction, vector)) for vector in vectors], 0
    for k in range(3):
        pivot = next((row for row in rows if row[k]), None)
        if pivot is None:
            continue
        found += 1
        rows.remove(pivot)
        rows = [tuple(c - row[k] / pivot[k] * p for c, p in zip(row, pivot, strict=True)) for row in rows]
    return found


@lru_cache(1, typed=True)  # Round shapes are made by the distance of their cores, which decides them next.
def squared_distance(probe, primitive) -> Fraction:
    """Return the squared distance of two sets."""
    gap = nearest_gap(probe, primitive)
    return product_sum(gap, gap)


def nearest_gap(probe, primitive) -> list:
    """Return the shortest way from the primitive to the probe, found in all faces of both."""
    a, b = moving(image(probe)), moving(image(primitive))
    n = len(a.vectors)
    vectors = [sub(a.origin, b.origin), *a.vectors, *(tuple(-c for c in v) for v in b.vectors)]
    unit = lcm(*(c.denominator for v in vectors for c in v))
    between, *vectors = [tuple(int(c * unit) for c in v) for v in vectors]
    rows = [whole((*cs, *(0,) * len(b.vectors)), bound) for cs, bound in a.rows]
    rows += [whole((*(0,) * n, *cs), bound) for cs, bound in b.rows]
    # Of parallel rows one is enough: a second one leaves the same face, or none.
    parallel: dict[tuple, list] = {}
    for cs, bound in rows:
        direction, _ = coprime(cs, 0)
        parallel.setdefault(max(direction, tuple(-c for c in direction)), [None]).append((cs, bound))
    slopes = [(*(product_sum(v, u) for u in vectors), -product_sum(v, between)) for v in vectors]
    common = gcd(*chain.from_iterable(slopes)) or 1
    slopes = [tuple(c // common for c in slope) for slope in slopes]
    # The way and its square are quotients by `over`, 0 before there is one, and compared in integers.
    best, way, over = 1, [], 0
    for choice in product(*parallel.values()):
        active = [row for row in choice if row is not None]
        point = stationary(slopes, active)
        if point is None or any(product_sum(cs, point[0]) > bound * point[1] for cs, bound in rows):
            continue
        numerators, w = point
        gap = [product_sum((w, *numerators), of_axis) for of_axis in zip(between, *vectors, strict=True)]
        squared = product_sum(gap, gap)
        if squared * over**2 < best * w**2:
            best, way, over = squared, gap, w
        if not squared:
            break
    return [Fraction(number, over * unit) for number in way]


def core(shape):
    """Return what a round shape is all points within its radius of; another shape itself."""
    if isinstance(shape, Cast):
        return Swept(core(shape.inner), shape.motion)
    if isinstance(shape, Rounded):
        return shape.inner
    if isinstance(shape, Frustum):
        return Polyhedron(planes=[pair for pair in zip(*shape, strict=True) if any(pair[0])])
    match shape:
        case Sphere():
            return Point(shape.center)
        case Capsule():
            return Segment(shape.start, shape.end)
    return getattr(shape, "core", shape)


def reach(*shapes) -> Fraction:
    """Return the sum of the radii of shapes."""
    return sum((Fraction(getattr(shape, "radius", 0)) for shape in shapes), Fraction(0))


def meets(probe, primitive) -> bool:
    """Whether a pair meets, of which one or both may be round."""
    if any(hasattr(shape, "radius") for shape in (probe, primitive)):
        return squared_distance(core(probe), core(primitive)) <= reach(probe, primitive) ** 2
    return interval(probe, primitive) is not None


def moving(shape: Image) -> Image:
    """Return the image without the parameters that move nothing; 0 is a legal value of every parameter."""
    kept = [i for i, vector in enumerate(shape.vectors) if any(vector)]
    rows = [(tuple(cs[i] for i in kept), bound) for cs, bound in shape.rows]
    return Image(shape.origin, [shape.vectors[i] for i in kept], [row for row in rows if any(row[0])])


def stationary(slopes, active):
    """Return parameters of least distance on the face of the active rows, as integers over a positive one.

    The slopes are those of half the squared distance, as a matrix and what it must give, in integers. None is
    returned where the face is empty.
    """
    n = len(slopes)
    equations = [((*row, *(cs[i] for cs, _ in active)), right) for i, (*row, right) in enumerate(slopes)]
    equations += [((*cs, *(0 for _ in active)), bound) for cs, bound in active]
    pivots = []
    for k in range(n + len(active)):
        pivot = next((equation for equation in equations if equation[0][k]), None)
        if pivot is None:
            continue  # A free parameter stays 0.
        equations.remove(pivot)
        equations = [solved(*equation, pivot, k) if equation[0][k] else equation for equation in equations]
        pivots.append((k, pivot))
    if any(right for _, right in equations):
        return None
    solution, w = [0] * (n + len(active)), 1
    for k, (cs, right) in reversed(pivots):
        found, by = right * w - product_sum(cs[k + 1 :], solution[k + 1 :]), cs[k]
        if by < 0:
            found, by = -found, -by
        solution = [number * by for number in solution]
        solution[k] = found
        numbers, w = coprime(solution, w * by)
        solution = list(numbers)
    return solution[:n], w


def product_sum(a, b):
    """Return the dot product."""
    return sum(x * y for x, y in zip(a, b, strict=True))
