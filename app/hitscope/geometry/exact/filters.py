"""Float filters: they decide most pairs, are never wrong, and leave the other pairs unsure.

A filter is two plain functions. `prepare` takes a probe and bounds of all the primitives, and computes what is the
same for every primitive; `decide` takes that and one primitive, and returns whether the two are surely apart and
whether they surely meet. `decide` has no branch that depends on the primitive, so that its one source runs
compiled as vector code, and on NumPy arrays in place of the primitive's numbers.

Every verdict is a conjunction of signs of sums of products. Their error bounds hold for all primitives: with eps =
2**-53, each rounded difference, product and sum is right up to a factor 1 + e, |e| <= eps; of the products
multiplied out below, the terms in eps**2 and the rounding of the bounds themselves are covered by rounding the
factors up. The last term of a bound covers products that underflow: each loses at most 2**-1075, times what it is
multiplied by. An overflow makes a bound infinite or a sum NaN, and both compare false: the pair stays unsure, as
it does where a sum is zero. A `Limit` is a bound twice: a number below -`apart` is surely negative, one above
`meets` surely positive; the two are infinities of either sign where an axis does not separate by itself.

`prepare` takes an `Arithmetic`, with which the same source runs on integers, whose errors are zero (`pair_loops`).

**Line and rectangle.** A box and a line, seen along an axis, are apart exactly if the corners extreme across the
line lie on one side of it, that is, if

    p (v - b) - q (u - a)          for a line through (a, b) with direction (p, q) and a corner (u, v)

has one sign; which corners are extreme depends on the signs of p and q alone. By Shewchuk's bound A (1997) its
error is at most (3 + 16 eps) eps (|p (v - b)| + |q (u - a)|). A line and a box are apart if they are apart seen
along one of the axes, so that the least of all six signs tells, with the sum of the bounds of the axes; for a
segment or a ray the coordinates are also compared, which is exact.

**Triangle and box** are apart exactly if one of thirteen axes separates them (Akenine-Moeller 2001): the
coordinates, the sides of its edges seen along each axis, of which the inner one is enough (Schwarz and Seidel
2010), and its plane. Seen edge-on a triangle is a line; otherwise the sense in which it winds must be certain.

**Line and triangle** of edges e, f: with u from the line's origin to the corner and the normal n = e x f the signs
of

    e . (d x u),   - f . (d x u),   n . d minus these two,   n . u,   n . d - n . u

must not differ, or the line passes beside an edge, or the segment ends before the plane, or starts behind it. With
components of d, u and the edges of at most D, R and E, d x u loses 8 eps D R, the first two signs 48 eps E D R,
n loses 8 eps E**2, n . d 48 eps E**2 D and n . u 48 eps E**2 R.

**Line and oriented box** of axes u_i and half extents e_i: in the dual coordinates n_i . (p - center), where n_i =
u_j x u_k, the box is aligned to the axes and has the half extents e_i |det u|. There the six axes of a segment and
a box separate (the coordinates, and those of line and rectangle), also if the box is flat.
With components of u_i of at most U, extents of at most E, and the sums of the components of the line's direction
and of its origin from the center D and R, n_i loses 4 eps U**2, its products with them 12 eps U**2 D and 12 eps
U**2 R, det u 30 eps U**3, and the sums for the other three axes 144 eps U**4 R D + 400 eps U**5 E D.

**Linear probe with a radius, and sphere, capsule, box or triangle.** With R the sum of both radii they meet if
some points p of the probe and q of the primitive have (p - q)**2 <= R**2, and are apart if along some w all points
of the probe are beyond all of the primitive by more than R |w|. Both hold of any p, q and w, so that it does no
harm if the nearest points, and w = p - q, are found inaccurately: the pair stays unsure. With the sums of the
components of the primitive's points and the probe's, seen from its origin, of at most F and S, and B = F + S, w
loses 24 eps B in all, w**2 53 eps B**2, R**2 3 eps R**2, and the gap along w 8 eps B (|wx| + |wy| + |wz|).
The point nearest to a sphere is at t = d . u / d**2, clamped, which is wrong by at most 14 eps |u| / |d|, and the
square of the distance by 200 eps**2 u**2 more: its sign alone decides. A ray or line comes nearest to what is
within F of its origin at |t| <= F / |d|, and is as good as a segment that ends a little beyond.
"""

from math import inf
from typing import NamedTuple, TypeAlias

from hitscope.geometry.registry import kernel
from hitscope.geometry.shapes import Aabb, Capsule, Line, Linear, Obb, Point, Ray, Segment, Sphere, Triangle, Vec3
from hitscope.geometry.vector import chosen, cross, dot, greater, lesser, subtract


class Arithmetic(NamedTuple):
    """The parts of the bounds: the errors of an operation, and a number beyond all others."""

    epsilon: float
    """The relative error of an operation."""
    underflow: float
    """More than a sum of products loses to underflow."""
    infinity: float


FLOAT64 = Arithmetic(2.0**-53, 2.0**-1060, inf)
COARSE = Arithmetic(2.0**-22, 2.0**-100, inf)
"""Errors of float32, for boxes rounded outward to it and a linear probe rounded to the nearest.

Let boxes and origin reach R along an axis, with u = 2**-24: a corner is off by 2 u R, the origin by u R, their
difference, at most 2 R, by 2 u R more, and each product with a direction by twice its own rounding: less than 11 u
|p| R in all, 16 u |p| R for bounds `lo` = -R and `hi` = R. The coordinates' comparisons stay exact: rounding is
monotone. The numbers are to be in `COARSE_SIZES`, so that no sum overflows and no direction becomes zero.
"""
COARSE_SIZES = 2.0**-90, 2.0**40

Decision: TypeAlias = tuple[bool, bool]
"""Whether a pair is surely apart, and whether it surely meets if it is not apart."""
Limit: TypeAlias = tuple[float, float]
Vec2: TypeAlias = tuple[float, float]
EdgeLine: TypeAlias = tuple[float, float, float, float, float, float]
"""A line (a, b, p, q) in a coordinate plane, through (a, b) with direction (p, q), and the limit of its sign."""
EdgeLines: TypeAlias = tuple[EdgeLine, EdgeLine, EdgeLine]
SeenLine: TypeAlias = Vec3
"""A direction (p, q), reversed if p and q have other signs, and what lifts the signs of a line seen as a point."""


class LinearByBoxes(NamedTuple):
    """A linear probe prepared for axis-aligned boxes: its bounds, and itself seen along each axis."""

    origin: Vec3
    direction: Vec3
    least: Vec3
    greatest: Vec3
    yz: SeenLine
    zx: SeenLine
    xy: SeenLine
    limit: float
    """The bound of the signs of all axes."""


@kernel
def segment_by_boxes(segment: Segment, lo: Vec3, hi: Vec3, arithmetic: Arithmetic) -> LinearByBoxes:
    """Prepare a segment for boxes between lo and hi."""
    (ax, ay, az), (bx, by, bz) = segment
    least = lesser(ax, bx), lesser(ay, by), lesser(az, bz)
    greatest = greater(ax, bx), greater(ay, by), greater(az, bz)
    return linear_by_boxes(
        segment.start, subtract(segment.end, segment.start), least, greatest, lo, hi, arithmetic
    )


@kernel
def ray_by_boxes(ray: Ray, lo: Vec3, hi: Vec3, arithmetic: Arithmetic) -> LinearByBoxes:
    """Prepare a ray for boxes between lo and hi."""
    (x, y, z), (dx, dy, dz) = ray
    far = arithmetic.infinity
    least = chosen(dx < 0, -far, x), chosen(dy < 0, -far, y), chosen(dz < 0, -far, z)
    greatest = chosen(dx > 0, far, x), chosen(dy > 0, far, y), chosen(dz > 0, far, z)
    return linear_by_boxes(ray.origin, ray.direction, least, greatest, lo, hi, arithmetic)


@kernel
def line_by_boxes(line: Line, lo: Vec3, hi: Vec3, arithmetic: Arithmetic) -> LinearByBoxes:
    """Prepare a line for boxes between lo and hi."""
    (x, y, z), (dx, dy, dz) = line
    far = arithmetic.infinity
    least = chosen(dx != 0, -far, x), chosen(dy != 0, -far, y), chosen(dz != 0, -far, z)
    greatest = chosen(dx != 0, far, x), chosen(dy != 0, far, y), chosen(dz != 0, far, z)
    return linear_by_boxes(line.origin, line.direction, least, greatest, lo, hi, arithmetic)


@kernel
def linear_by_boxes(
    origin: Vec3, direction: Vec3, least: Vec3, greatest: Vec3, lo: Vec3, hi: Vec3, arithmetic: Arithmetic
) -> LinearByBoxes:
    """Prepare a linear probe of these bounds for boxes between lo and hi."""
    x, y, z = reach(origin, lo, hi)
    dx, dy, dz = direction
    bound = abs(dx) * (y + z) + abs(dy) * (z + x) + abs(dz) * (x + y)
    limit = 4 * arithmetic.epsilon * bound + 3 * arithmetic.underflow
    yz, zx, xy = seen_line(dy, dz, arithmetic), seen_line(dz, dx, arithmetic), seen_line(dx, dy, arithmetic)
    return LinearByBoxes(origin, direction, least, greatest, yz, zx, xy, limit)


@kernel
def seen_line(p: float, q: float, arithmetic: Arithmetic) -> SeenLine:
    """Return a direction reversed so that the corner near in u and far in v is on its left if the line cuts."""
    turned = (p < 0) != (q < 0)
    lift = chosen((p == 0) & (q == 0), arithmetic.infinity, 0 * p)
    return chosen(turned, -p, p), chosen(turned, -q, q), lift


@kernel
def reach(origin: Vec3, lo: Vec3, hi: Vec3) -> Vec3:
    """Return the greatest distance along each axis between the origin and any point between lo and hi."""
    (x0, y0, z0), (x1, y1, z1) = subtract(lo, origin), subtract(hi, origin)
    return greater(abs(x0), abs(x1)), greater(abs(y0), abs(y1)), greater(abs(z0), abs(z1))


@kernel
def linear_and_box(probe: LinearByBoxes, box: Aabb) -> Decision:
    """Decide by the bounds, and by the sides of the line that the box's extreme corners are on along each axis."""
    (x0, y0, z0), (x1, y1, z1) = subtract(box.lo, probe.origin), subtract(box.hi, probe.origin)
    dx, dy, dz = probe.direction
    near = chosen(dx < 0, x1, x0), chosen(dy < 0, y1, y0), chosen(dz < 0, z1, z0)
    far = chosen(dx < 0, x0, x1), chosen(dy < 0, y0, y1), chosen(dz < 0, z0, z1)
    beside_x = beside(probe.yz, near[1], near[2], far[1], far[2])
    beside_y = beside(probe.zx, near[2], near[0], far[2], far[0])
    beside_z = beside(probe.xy, near[0], near[1], far[0], far[1])
    # A limit that is finite tells that no number here has overflown, so that none is NaN.
    least = lesser(lesser(beside_x, beside_y), beside_z)
    apart = bounds_apart(probe.least, probe.greatest, box) | (least < -probe.limit)
    return apart, least > probe.limit


@kernel
def beside(line: SeenLine, u0: float, v0: float, u1: float, v1: float) -> float:
    """Return the lesser sign of two corners of a rectangle: negative if it is on one side of a line through 0."""
    p, q, lift = line
    least: float = lesser(p * v1 - q * u0, q * u1 - p * v0)
    return least + lift


@kernel
def bounds_apart(least: Vec3, greatest: Vec3, box: Aabb) -> bool:
    """Return whether a box is apart from the bounds of a probe, which is exact."""
    (x0, y0, z0), (x1, y1, z1) = box
    apart = (x0 > greatest[0]) | (x1 < least[0]) | (y0 > greatest[1])
    return apart | (y1 < least[1]) | (z0 > greatest[2]) | (z1 < least[2])


class ProbeBounds(NamedTuple):
    """A probe that is its own bounds: a point or an axis-aligned box."""

    least: Vec3
    greatest: Vec3


@kernel
def point_by_boxes(point: Point, lo: Vec3, hi: Vec3, arithmetic: Arithmetic) -> ProbeBounds:
    """Prepare a point for boxes between lo and hi."""
    return ProbeBounds(point.position, point.position)


@kernel
def box_by_boxes(box: Aabb, lo: Vec3, hi: Vec3, arithmetic: Arithmetic) -> ProbeBounds:
    """Prepare a box for boxes between lo and hi."""
    return ProbeBounds(box.lo, box.hi)


@kernel
def bounds_and_box(bounds: ProbeBounds, box: Aabb) -> Decision:
    """Decide by the bounds, which leave nothing unsure."""
    return bounds_apart(bounds.least, bounds.greatest, box), True


class TriangleByBoxes(NamedTuple):
    """A triangle prepared for axis-aligned boxes: its bounds, its edges seen along each axis, and its plane."""

    least: Vec3
    greatest: Vec3
    yz: EdgeLines
    zx: EdgeLines
    xy: EdgeLines
    corner: Vec3
    normal: Vec3
    plane: Limit


@kernel
def triangle_by_boxes(triangle: Triangle, lo: Vec3, hi: Vec3, arithmetic: Arithmetic) -> TriangleByBoxes:
    """Prepare a triangle for boxes between lo and hi."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    e, f = subtract(triangle.b, triangle.a), subtract(triangle.c, triangle.a)
    x, y, z = reach(triangle.a, lo, hi)
    ex, ey, ez = greater(abs(e[0]), abs(f[0])), greater(abs(e[1]), abs(f[1])), greater(abs(e[2]), abs(f[2]))
    # A component of the normal with the wrong sign selects another corner: hence twice the bound.
    bound = 64 * arithmetic.epsilon * (x * ey * ez + y * ez * ex + z * ex * ey)
    bound = bound + arithmetic.underflow * (1 + x + y + z)
    least = lesser(lesser(ax, bx), cx), lesser(lesser(ay, by), cy), lesser(lesser(az, bz), cz)
    greatest = greater(greater(ax, bx), cx), greater(greater(ay, by), cy), greater(greater(az, bz), cz)
    yz = edges((ay, az), (by, bz), (cy, cz), (y + ey, z + ez), arithmetic)
    zx = edges((az, ax), (bz, bx), (cz, cx), (z + ez, x + ex), arithmetic)
    xy = edges((ax, ay), (bx, by), (cx, cy), (x + ex, y + ey), arithmetic)
    return TriangleByBoxes(least, greatest, yz, zx, xy, triangle.a, cross(e, f), (bound, bound))


@kernel
def edges(a: Vec2, b: Vec2, c: Vec2, reach: Vec2, arithmetic: Arithmetic) -> EdgeLines:
    """Return the lines with a projected triangle on their left; seen edge-on, one line and its reverse."""
    p, q, r, s = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
    left, right = p * s, q * r
    bound = 4 * arithmetic.epsilon * (abs(left) + abs(right)) + arithmetic.underflow
    wound = abs(left - right) > bound
    on_edge = (bound == 0) | (((p == 0) | (s == 0)) & ((q == 0) | (r == 0)))
    sign = chosen(wound & (left < right), -1, 1)
    # Seen edge-on it is the line to a corner that is not seen at a.
    is_point = (p == 0) & (q == 0)
    x, y = chosen(is_point, c[0], b[0]), chosen(is_point, c[1], b[1])
    first = chosen(wound, b[0], x), chosen(wound, b[1], y)
    second = chosen(wound, c[0], a[0]), chosen(wound, c[1], a[1])
    third = chosen(wound, a[0], x), chosen(wound, a[1], y)
    is_known = wound | on_edge
    return (
        edge(a, first, sign, is_known, reach, arithmetic),
        edge(first, second, sign, is_known, reach, arithmetic),
        edge(second, third, sign, is_known, reach, arithmetic),
    )


@kernel
def edge(a: Vec2, b: Vec2, sign: float, is_known: bool, reach: Vec2, arithmetic: Arithmetic) -> EdgeLine:
    """Return the line from a to b, reversed if `sign` is -1, with the limit of its sign if that is known.

    A line seen as a point separates nothing.
    """
    p, q = sign * (b[0] - a[0]), sign * (b[1] - a[1])
    bound = 4 * arithmetic.epsilon * (abs(p) * reach[1] + abs(q) * reach[0]) + arithmetic.underflow
    is_point, unlimited = (p == 0) & (q == 0), arithmetic.infinity
    apart, meets = chosen(is_point, unlimited, bound), chosen(is_point, -unlimited, bound)
    return a[0], a[1], p, q, chosen(is_known, apart, unlimited), chosen(is_known, meets, unlimited)


@kernel
def triangle_and_box(probe: TriangleByBoxes, box: Aabb) -> Decision:
    """Decide by the bounds, the sides of the edges and the side of the plane."""
    (x0, y0, z0), (x1, y1, z1) = box
    (ax, ay, az), (nx, ny, nz) = probe.corner, probe.normal
    far = nx * (chosen(nx > 0, x1, x0) - ax) + ny * (chosen(ny > 0, y1, y0) - ay)
    far = far + nz * (chosen(nz > 0, z1, z0) - az)
    near = nx * (ax - chosen(nx > 0, x0, x1)) + ny * (ay - chosen(ny > 0, y0, y1))
    near = near + nz * (az - chosen(nz > 0, z0, z1))
    apart_x, meets_x = edges_and_rectangle(probe.yz, y0, z0, y1, z1)
    apart_y, meets_y = edges_and_rectangle(probe.zx, z0, x0, z1, x1)
    apart_z, meets_z = edges_and_rectangle(probe.xy, x0, y0, x1, y1)
    apart = bounds_apart(probe.least, probe.greatest, box) | (far < -probe.plane[0]) | (near < -probe.plane[0])
    meets = (far > probe.plane[1]) & (near > probe.plane[1])
    return apart | apart_x | apart_y | apart_z, meets & meets_x & meets_y & meets_z


@kernel
def edges_and_rectangle(edges: EdgeLines, u0: float, v0: float, u1: float, v1: float) -> Decision:
    """Return whether a rectangle is surely right of an edge, and whether it surely reaches left of all three."""
    first, second, third = edges
    apart_1, meets_1 = on_the_left(first, u0, v0, u1, v1)
    apart_2, meets_2 = on_the_left(second, u0, v0, u1, v1)
    apart_3, meets_3 = on_the_left(third, u0, v0, u1, v1)
    return apart_1 | apart_2 | apart_3, meets_1 & meets_2 & meets_3


@kernel
def on_the_left(edge: EdgeLine, u0: float, v0: float, u1: float, v1: float) -> Decision:
    """Return whether a rectangle's leftmost corner is surely right of a line, and whether surely left of it."""
    a, b, p, q, apart, meets = edge
    left = p * (chosen(p > 0, v1, v0) - b) - q * (chosen(q > 0, u0, u1) - a)
    return left < -apart, left > meets


class LinearByTriangles(NamedTuple):
    """A linear probe prepared for triangles: the bound of the edges' signs, and the limits at start and end."""

    origin: Vec3
    direction: Vec3
    beside: float
    start: Limit
    end: Limit


@kernel
def linear_by_triangles(
    probe: Linear, lo: Vec3, hi: Vec3, edge: float, arithmetic: Arithmetic
) -> LinearByTriangles:
    """Prepare a linear probe for triangles between lo and hi, whose edges' components are at most `edge`."""
    origin, direction, t_min, t_max = probe
    x, y, z = reach(origin, lo, hi)
    far = greater(greater(x, y), z)
    size = greater(greater(abs(direction[0]), abs(direction[1])), abs(direction[2]))
    least = arithmetic.underflow * (1 + far + size + edge)
    beside = arithmetic.epsilon * (160 * edge * size * far + 96 * edge * edge * size) + least
    end = arithmetic.epsilon * (96 * edge * edge * (size + far)) + least
    limit, unlimited = (end, end), (arithmetic.infinity, -arithmetic.infinity)
    first, last = (limit if t_min == 0 else unlimited), (limit if t_max == 1 else unlimited)
    return LinearByTriangles(origin, direction, beside, first, last)


@kernel
def linear_and_triangle(probe: LinearByTriangles, triangle: Triangle) -> Decision:
    """Decide by five signs: the sides of the edges that the line passes, and those of the plane at both ends."""
    e, f = subtract(triangle.b, triangle.a), subtract(triangle.c, triangle.a)
    u = subtract(triangle.a, probe.origin)
    n, across = cross(e, f), cross(probe.direction, u)
    whole, first = dot(n, probe.direction), dot(n, u)
    ab, ca = dot(e, across), -dot(f, across)
    bc, last = whole - ab - ca, whole - first
    beside = probe.beside
    (start, start_meets), (end, end_meets) = probe.start, probe.end
    above = (ab > beside) | (bc > beside) | (ca > beside) | (first > start) | (last > end)
    below = (ab < -beside) | (bc < -beside) | (ca < -beside) | (first < -start) | (last < -end)
    up = (ab > beside) & (bc > beside) & (ca > beside) & (first > start_meets) & (last > end_meets)
    down = (ab < -beside) & (bc < -beside) & (ca < -beside) & (first < -start_meets) & (last < -end_meets)
    return above & below, up | down


class LinearByObbs(NamedTuple):
    """A linear probe or a point prepared for oriented boxes; `length` is 1 if t ends at 1, 0 if it has no end."""

    origin: Vec3
    direction: Vec3
    length: int
    faces: Limit
    edges: Limit
    volume: float


@kernel
def linear_by_obbs(
    probe: Linear, lo: Vec3, hi: Vec3, sizes: tuple[float, float], arithmetic: Arithmetic
) -> LinearByObbs:
    """Prepare a linear probe or point for boxes with centers between lo and hi, extents and axes up to `sizes`.

    The faces separate one that starts, the edges one that has a direction.
    """
    (origin, direction, t_min, t_max), (extent, axis) = probe, sizes
    x, y, z = reach(origin, lo, hi)
    dx, dy, dz = direction
    far, size = x + y + z, abs(dx) + abs(dy) + abs(dz)
    squared = axis * axis
    cubed = squared * axis
    epsilon, unlimited = arithmetic.epsilon, arithmetic.infinity
    least = arithmetic.underflow * (1 + axis) * (1 + squared) * (1 + far) * (1 + size) * (1 + extent)
    faces = epsilon * (32 * squared * (far + size) + 64 * cubed * extent) + least
    edges = epsilon * (squared * squared * size * (256 * far + 640 * axis * extent)) + least
    is_still = (dx == 0) & (dy == 0) & (dz == 0)
    starts = (t_min == 0) | is_still
    # A probe of zero direction ends where it starts.
    length = chosen(is_still, 1, 1 if t_max == 1 else 0)
    of_faces = chosen(starts, faces, unlimited), chosen(starts, faces, -unlimited)
    of_edges = chosen(is_still, unlimited, edges), chosen(is_still, -unlimited, edges)
    return LinearByObbs(origin, direction, length, of_faces, of_edges, epsilon * (64 * cubed) + least)


@kernel
def linear_and_obb(probe: LinearByObbs, box: Obb) -> Decision:
    """Decide by the six axes of a segment and a box, in the dual coordinates of the box."""
    u, v, w = box.axes
    n0, n1, n2 = cross(v, w), cross(w, u), cross(u, v)
    volume = abs(dot(n0, u))
    e0, e1, e2 = box.half_extents[0] * volume, box.half_extents[1] * volume, box.half_extents[2] * volume
    from_center = subtract(probe.origin, box.center)
    a0, a1, a2 = dot(n0, from_center), dot(n1, from_center), dot(n2, from_center)
    d0, d1, d2 = dot(n0, probe.direction), dot(n1, probe.direction), dot(n2, probe.direction)
    apart_0, meets_0 = within(a0, d0, e0, probe.length, probe.faces)
    apart_1, meets_1 = within(a1, d1, e1, probe.length, probe.faces)
    apart_2, meets_2 = within(a2, d2, e2, probe.length, probe.faces)
    # Wide integers have twice the bits from here on, since only these products need them; the limits are infinite
    # where all products are zero.
    edges, edges_meet = +probe.edges[0], +probe.edges[1]
    e0, e1, e2, a0, a1, a2, d0, d1, d2 = +e0, +e1, +e2, +a0, +a1, +a2, +d0, +d1, +d2
    rest_0 = e1 * abs(d2) + e2 * abs(d1) - abs(d1 * a2 - d2 * a1)
    rest_1 = e2 * abs(d0) + e0 * abs(d2) - abs(d2 * a0 - d0 * a2)
    rest_2 = e0 * abs(d1) + e1 * abs(d0) - abs(d0 * a1 - d1 * a0)
    apart = apart_0 | apart_1 | apart_2 | (rest_0 < -edges) | (rest_1 < -edges) | (rest_2 < -edges)
    meets = meets_0 & meets_1 & meets_2 & (rest_0 > edges_meet) & (rest_1 > edges_meet) & (rest_2 > edges_meet)
    return apart, meets & (volume > probe.volume)


@kernel
def within(a: float, d: float, extent: float, length: float, limit: Limit) -> Decision:
    """Decide between an interval from a to a + d, unbounded if `length` is 0, and the slab of this half extent."""
    apart, meets = limit
    b, bound = length * a + d, length * extent
    beyond = ((a - extent > apart) & (b - bound > apart)) | ((a + extent < -apart) & (b + bound < -apart))
    from_below = (a - extent < -meets) | (b - bound < -meets)
    from_above = (a + extent > meets) | (b + bound > meets)
    return beyond, from_below & from_above


class RoundLinear(NamedTuple):
    """A linear probe or a point, with a radius."""

    origin: Vec3
    direction: Vec3
    t_min: float
    t_max: float
    radius: float


@kernel
def linear_and_sphere_exactly(probe: RoundLinear, sphere: Sphere) -> Decision:
    """Decide by exact signs: the distances of start, end and line, and where the line is closest."""
    starts, ends = probe.t_min == 0, probe.t_max == 1
    u = subtract(sphere.center, probe.origin)
    v, across = subtract(u, probe.direction), cross(probe.direction, u)
    squared, along = dot(probe.direction, probe.direction), dot(u, probe.direction)
    reach = probe.radius + sphere.radius
    left, start, end = squared - along, dot(u, u) - reach * reach, dot(v, v) - reach * reach
    line = dot(across, across) - reach * reach * squared
    is_outside = (start > 0) & ((end > 0) | (not ends))
    is_beside = (line > 0) | (squared == 0) | (starts & (along < 0)) | (ends & (left < 0))
    goes_through = (line < 0) & ((along > 0) | (not starts)) & ((left > 0) | (not ends))
    return is_outside & is_beside, (start < 0) | (ends & (end < 0)) | goes_through


class ByDistance(NamedTuple):
    """A linear probe with a radius, from `first` to `last` times its direction, prepared for other shapes."""

    origin: Vec3
    direction: Vec3
    inverse: float
    """1 / direction**2, 0 of a direction of zero."""
    first: float
    last: float
    radius: float
    limit: float
    """The bound of the sign of a squared distance."""
    noise: float
    """The bound of a gap along a vector, times the sum of that one's components, but for `least`."""
    least: float


@kernel
def by_distance(probe: RoundLinear, lo: Vec3, hi: Vec3, radius: float, arithmetic: Arithmetic) -> ByDistance:
    """Prepare a linear probe for primitives with cores between lo and hi and radii up to `radius`."""
    origin, direction, t_min, t_max, own = probe
    x, y, z = reach(origin, lo, hi)
    dx, dy, dz = direction
    far, size, squared = x + y + z, abs(dx) + abs(dy) + abs(dz), dot(direction, direction)
    # Nothing here underflows, or overflows, for other directions.
    is_plain = (squared > 2.0**-960) & (squared < 2.0**960)
    inverse = chosen(is_plain, 1 / chosen(is_plain, squared, 1.0), 0.0)
    end = 1.01 * far * size * inverse
    first, last = chosen(t_min == 0, 0.0, -end), chosen(t_max == 1, 1.0, end)
    bound = far + chosen(is_plain | (size == 0), greater(last, -first) * size, arithmetic.infinity)
    both, epsilon = own + radius, arithmetic.epsilon
    limit = 128 * (bound * bound + both * both) * epsilon + arithmetic.underflow * (1 + bound)
    least = arithmetic.underflow * (1 + last - first)
    return ByDistance(origin, direction, inverse, first, last, own, limit, 16 * bound * epsilon, least)


@kernel
def clamped(t: float, low: float, high: float) -> float:
    """Return a number between two bounds; the lower one instead of NaN."""
    number: float = lesser(greater(t, low), high)
    return number


@kernel
def ratio(a: float, b: float) -> float:
    """Return a / b, or a where b is not positive."""
    quotient: float = a / chosen(b > 0, b, 1.0)
    return quotient


@kernel
def along_from(t: float, way: Vec3, start: Vec3) -> Vec3:
    """Return t * way - start."""
    return t * way[0] - start[0], t * way[1] - start[1], t * way[2] - start[2]


@kernel
def round_and_sphere(probe: ByDistance, sphere: Sphere) -> Decision:
    """Decide by the squared distance alone."""
    u = subtract(sphere.center, probe.origin)
    t = clamped(dot(u, probe.direction) * probe.inverse, probe.first, probe.last)
    way, both = along_from(t, probe.direction, u), probe.radius + sphere.radius
    beyond = dot(way, way) - both * both
    return beyond > probe.limit, beyond < -probe.limit


@kernel
def parted(probe: ByDistance, way: Vec3, most: float, radius: float) -> Decision:
    """Decide by the vector from the primitive's core to the probe, along which that one reaches up to `most`."""
    both, squared, slope = probe.radius + radius, dot(way, way), dot(way, probe.direction)
    size = abs(way[0]) + abs(way[1]) + abs(way[2])
    gap = lesser(probe.first * slope, probe.last * slope) - most - (probe.noise * size + probe.least)
    lengths = both * both * squared * (1 + 2.0**-40) + 2.0**-1060 * (1 + squared)
    return (gap > 0) & (gap * gap > lengths), squared < both * both - probe.limit


@kernel
def nearer(a: Vec3, b: Vec3) -> Vec3:
    """Return the shorter of two vectors."""
    is_shorter = dot(a, a) < dot(b, b)
    return chosen(is_shorter, a[0], b[0]), chosen(is_shorter, a[1], b[1]), chosen(is_shorter, a[2], b[2])


@kernel
def from_edge(probe: ByDistance, start: Vec3, along: Vec3) -> Vec3:
    """Return the vector to the probe from the point nearest to it of an edge, which begins at `start`."""
    d = probe.direction
    length, slope = dot(along, along), dot(along, d)
    ahead, across = dot(start, d), dot(start, along)
    t = ratio(ahead * length - slope * across, dot(d, d) * length - slope * slope)
    s = clamped(ratio(clamped(t, probe.first, probe.last) * slope - across, length), 0.0, 1.0)
    t = clamped((ahead + s * slope) * probe.inverse, probe.first, probe.last)
    # Points of the edge beyond its ends are not nearest to ends of the probe that were reached just now.
    s = clamped(ratio(t * slope - across, length), 0.0, 1.0)
    return along_from(t, d, (start[0] + s * along[0], start[1] + s * along[1], start[2] + s * along[2]))


@kernel
def round_and_capsule(probe: ByDistance, capsule: Capsule) -> Decision:
    """Decide by the nearest points of two lines."""
    u, v = subtract(capsule.start, probe.origin), subtract(capsule.end, probe.origin)
    way = from_edge(probe, u, subtract(v, u))
    return parted(probe, way, greater(dot(way, u), dot(way, v)), capsule.radius)


@kernel
def from_face(probe: ByDistance, t: float, corner: Vec3, e: Vec3, f: Vec3, n: Vec3) -> Vec3:
    """Return the vector to the probe at t from its foot on a triangle of edges e, f and normal n.

    A foot beyond an edge is moved to some point of the triangle.
    """
    t = clamped(t, probe.first, probe.last)
    over, squared = along_from(t, probe.direction, corner), dot(n, n)
    v = clamped(ratio(dot(cross(over, f), n), squared), 0.0, 1.0)
    w = clamped(ratio(dot(cross(e, over), n), squared), 0.0, 1.0 - v)
    return over[0] - (v * e[0] + w * f[0]), over[1] - (v * e[1] + w * f[1]), over[2] - (v * e[2] + w * f[2])


@kernel
def round_and_triangle(probe: ByDistance, triangle: Triangle) -> Decision:
    """Decide by the nearest of the edges, and of the feet of both ends and of the crossing with the plane."""
    a, b = subtract(triangle.a, probe.origin), subtract(triangle.b, probe.origin)
    c = subtract(triangle.c, probe.origin)
    e, f = subtract(b, a), subtract(c, a)
    n = cross(e, f)
    climb = dot(n, probe.direction)
    crossing = dot(n, a) / chosen(climb == 0, 1.0, climb)
    way = nearer(from_edge(probe, a, e), nearer(from_edge(probe, a, f), from_edge(probe, b, subtract(c, b))))
    way = nearer(from_face(probe, probe.first, a, e, f, n), way)
    way = nearer(from_face(probe, probe.last, a, e, f, n), way)
    way = nearer(from_face(probe, crossing, a, e, f, n), way)
    return parted(probe, way, greater(greater(dot(way, a), dot(way, b)), dot(way, c)), 0.0)


@kernel
def from_box(t: float, direction: Vec3, lo: Vec3, hi: Vec3) -> Vec3:
    """Return the vector to a point t * direction from the point of a box that is nearest to it."""
    x, y, z = t * direction[0], t * direction[1], t * direction[2]
    return x - clamped(x, lo[0], hi[0]), y - clamped(y, lo[1], hi[1]), z - clamped(z, lo[2], hi[2])


@kernel
def round_and_box(probe: ByDistance, box: Aabb) -> Decision:
    """Decide by the nearest point of the probe, whose squared distance is convex, with kinks at the faces."""
    lo, hi, d = subtract(box.lo, probe.origin), subtract(box.hi, probe.origin), probe.direction
    low, high = probe.first, probe.last
    falling, rising = dot(from_box(low, d, lo, hi), d), dot(from_box(high, d, lo, hi), d)
    for bound in (lo, hi):
        for k in range(3):
            t = clamped(bound[k] / chosen(d[k] == 0, 1.0, d[k]), probe.first, probe.last)
            slope = dot(from_box(t, d, lo, hi), d)
            is_before, is_behind = (slope <= 0) & (t > low), (slope >= 0) & (t < high)
            low, falling = chosen(is_before, t, low), chosen(is_before, slope, falling)
            high, rising = chosen(is_behind, t, high), chosen(is_behind, slope, rising)
    # Between two kinks the slope is linear.
    t = low + (high - low) * clamped(ratio(-falling, rising - falling), 0.0, 1.0)
    way = from_box(clamped(t, probe.first, probe.last), d, lo, hi)
    x, y, z = way
    most = greater(x * lo[0], x * hi[0]) + greater(y * lo[1], y * hi[1]) + greater(z * lo[2], z * hi[2])
    return parted(probe, way, most, 0.0)
