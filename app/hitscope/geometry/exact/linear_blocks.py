"""Compiled tests of a segment, ray or line against a block of eight primitives at once.

A block has the coordinate rows of eight primitives, in the order of `Shapes.rows`. The tests are filters with
Shewchuk's bounds (1997): a hit or a miss is certain, and the others are unsure; a hit comes
with t and a bound of its error. `refine` computes the t of hits again, right within an ulp, in double-double; so
does `enter_pairs` of many probes, each of which hits its own primitive.

They hold for coordinates and directions up to FARTHEST, and components of a direction that are zero or at least
NEAREST: then no t overflows. Importing this module imports Numba.
"""

from math import inf
from typing import Any, NamedTuple

import numpy as np

from hitscope.geometry.compiled import compiled
from hitscope.geometry.double_double import cross, dot, negative, product, quotient, size, total
from hitscope.geometry.error_free import two_difference, two_sum
from hitscope.geometry.lanes import LANES, choose, greater, inlined, lesser, load, magnitude, multiply_add, store

EPSILON = 2.0**-53
RELATIVE_3 = (7.0 + 56.0 * EPSILON) * EPSILON
"""The error of a det3 in units of the sum of its terms' magnitudes."""
UNDERFLOW = 2.0**-1068
RELATIVE_T = 8.0 * EPSILON
"""A bound of the relative error of a t after two differences, a division and a product."""
SLACK = 1.0 + 2.0**-40
"""Covers the rounding of an error bound itself."""
RELATIVE_REFINED = 2.0**-96
"""The error of a dot product with a cross product in double-double, in units of its terms' magnitudes."""
FARTHEST, NEAREST = 2.0**500, 2.0**-500
LATEST, NEVER = 2.0**1004, 2.0**1008
"""Later than any t, and finite."""
SNAP, SNAP_TURNED = 2.0**22, 2.0**31
"""An ulp of so many times the largest number is a grid on which double-double is exact: the numbers are integers
below 2**31 times its unit, or 2**22, and sums of products of three, or of four of turned boxes, have 100 bits."""
LEAST_T = 2.0**-400
"""The least t above zero whose error is as small as is said."""
TURNED = 12
"""The least width of boxes with edges of any directions."""
NEAREST_GRID = 2.0**-200
"""The least largest number on a grid for which no product of four numbers underflows."""


class BlockProbe(NamedTuple):
    """A linear probe with error bounds: origin + t * direction, t_min <= t <= t_max, |t| up to `t_extent`.

    `bound` is the rounding error of an edge's side: a little more than 42 EPSILON, times the direction's largest
    component, times the square of the largest component of a primitive's corner seen from the origin. `absolute`
    is what a det3 may lose to underflow, `least` what (bound - origin) / direction may.
    """

    ox: float
    oy: float
    oz: float
    dx: float
    dy: float
    dz: float
    t_min: float
    t_max: float
    t_extent: float
    bound: float
    absolute: float
    least: float


@inlined
def has_radius(width: int) -> bool:
    """Whether shapes of so many numbers are spheres or capsules, whose radius follows one or two points."""
    return width % 3 == 1


@inlined
def enter(width: int, blocks: Any, base: int, probe: Any, limit: float, found: Any) -> Any:
    """Return the masks of the elements that are surely hit and of those that are unsure.

    Elements surely entered beyond t = `limit` are in neither. The block begins at `base` and has `width` rows.
    Writes t and a bound of its error into `found`, eight of each.
    """
    if width == 9:
        return _triangles(blocks, base, probe, limit, found)
    if width == 6:
        return _boxes(blocks, base, probe, limit, found)
    if has_radius(width):
        return _round(width, blocks, base, probe, limit, found)
    return _turned_boxes(blocks, base, probe, limit, found)


@inlined
def _triangles(blocks: Any, base: int, probe: Any, limit: float, found: Any) -> Any:
    """Test triangles: a line passes through one if it passes all three edges on the same side.

    The sides are the signs of det3(d, u, v), det3(d, v, w), det3(d, w, u), for the corners u, v, w seen from the
    origin; t is n . u / n . d for the normal n.
    """
    ax, ay, az = load(blocks, base), load(blocks, base + 8), load(blocks, base + 16)
    bx, by, bz = load(blocks, base + 24), load(blocks, base + 32), load(blocks, base + 40)
    cx, cy, cz = load(blocks, base + 48), load(blocks, base + 56), load(blocks, base + 64)
    ux, uy, uz = ax - probe.ox, ay - probe.oy, az - probe.oz
    vx, vy, vz = bx - probe.ox, by - probe.oy, bz - probe.oz
    wx, wy, wz = cx - probe.ox, cy - probe.oy, cz - probe.oz
    first = _det3(probe, ux, uy, uz, vx, vy, vz)
    second = _det3(probe, vx, vy, vz, wx, wy, wz)
    third = _det3(probe, wx, wy, wz, ux, uy, uz)
    least, greatest = lesser(lesser(first, second), third), greater(greater(first, second), third)
    beside = (least < -probe.bound) & (greatest > probe.bound)
    if beside == 255:
        return beside & 0, beside & 0
    through = (least > probe.bound) | (greatest < -probe.bound)
    ex, ey, ez, fx, fy, fz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    px, py, pz, qx, qy, qz = ey * fz, ez * fx, ex * fy, ez * fy, ex * fz, ey * fx
    nx, ny, nz = px - qx, py - qy, pz - qz
    mx, my, mz = magnitude(px) + magnitude(qx), magnitude(py) + magnitude(qy), magnitude(pz) + magnitude(qz)
    above = multiply_add(ux, nx, multiply_add(uy, ny, uz * nz))
    below = multiply_add(nx, probe.dx, multiply_add(ny, probe.dy, nz * probe.dz))
    above_size = multiply_add(magnitude(ux), mx, multiply_add(magnitude(uy), my, magnitude(uz) * mz))
    below_size = multiply_add(mx, abs(probe.dx), multiply_add(my, abs(probe.dy), mz * abs(probe.dz)))
    above_error, below_error = above_size * RELATIVE_3 + probe.absolute, below_size * RELATIVE_3 + probe.absolute
    # t is wrong by at most (above_error + |t| below_error) / (|below| - below_error).
    crossed = below_error * 2048.0 < magnitude(below)
    inverse = 1.0 / below
    t = above * inverse
    error = multiply_add(magnitude(t), below_error, above_error) * magnitude(inverse) * (1.0 + 2.0**-9)
    error = error + magnitude(t) * 2.0**-51 + 2.0**-1074
    store(found, 0, t)
    store(found, 8, error)
    low, high = t - error, t + error
    inside = through & crossed & (low > probe.t_min) & (high < probe.t_max)
    outside = crossed & ((high < probe.t_min) | (low > probe.t_max) | (low > limit))
    return inside & ~outside, ~(beside | outside | inside)


@inlined
def _det3(probe: Any, bx: Any, by: Any, bz: Any, cx: Any, cy: Any, cz: Any) -> Any:
    """Return det3(d, b, c)."""
    x = multiply_add(by, cz, bz * (cy * -1.0))
    y = multiply_add(bz, cx, bx * (cz * -1.0))
    z = multiply_add(bx, cy, by * (cx * -1.0))
    return multiply_add(x, probe.dx, multiply_add(y, probe.dy, z * probe.dz))


@inlined
def _boxes(blocks: Any, base: int, probe: Any, limit: float, found: Any) -> Any:
    """Test axis-aligned boxes by their slabs.

    Where a component of the direction is zero, t is infinite with the sign of bound - origin or, if the origin is
    in the face, NaN, which `greater` and `lesser` rightly ignore.
    """
    ix, iy, iz = 1.0 / (probe.dx + 0.0), 1.0 / (probe.dy + 0.0), 1.0 / (probe.dz + 0.0)
    # Near planes are those of lo, rows 0 to 2, or of hi, rows 3 to 5.
    x, y, z = 0 if ix > 0 else 24, 8 if iy > 0 else 32, 16 if iz > 0 else 40
    near = greater((load(blocks, base + x) - probe.ox) * ix, probe.t_min)
    near = greater((load(blocks, base + y) - probe.oy) * iy, near)
    near = greater((load(blocks, base + z) - probe.oz) * iz, near)
    far = lesser((load(blocks, base + 24 - x) - probe.ox) * ix, probe.t_max)
    far = lesser((load(blocks, base + 40 - y) - probe.oy) * iy, far)
    far = lesser((load(blocks, base + 56 - z) - probe.oz) * iz, far)
    return _compare(near, far, near, far, probe, limit, found)


@inlined
def _turned_boxes(blocks: Any, base: int, probe: Any, limit: float, found: Any) -> Any:
    """Test oriented boxes by their slabs |n . (o - center) + t n . d| <= h |n . u|, n the dual of the axis u.

    For every t up to `t_extent` the errors of the three terms add up to less than `error`: a slab wider by that is
    missed only if the slab is missed, and one narrower by that is hit only if the slab is hit.
    """
    extent = probe.t_extent
    qx, qy, qz = load(blocks, base), load(blocks, base + 8), load(blocks, base + 16)
    qx, qy, qz = qx * -1.0 + probe.ox, qy * -1.0 + probe.oy, qz * -1.0 + probe.oz
    reach_x = magnitude(qx) + abs(probe.dx) * extent
    reach_y = magnitude(qy) + abs(probe.dy) * extent
    reach_z = magnitude(qz) + abs(probe.dz) * extent
    near = sure_near = qx * 0.0 + probe.t_min
    far = sure_far = qx * 0.0 + probe.t_max
    for i in range(3):
        a, b, c = _edges(base + 48, i)
        ax, ay, az = load(blocks, a), load(blocks, a + 8), load(blocks, a + 16)
        bx, by, bz = load(blocks, b), load(blocks, b + 8), load(blocks, b + 16)
        cx, cy, cz = load(blocks, c), load(blocks, c + 8), load(blocks, c + 16)
        half = load(blocks, base + 24 + 8 * i)
        px, py, pz, rx, ry, rz = by * cz, bz * cx, bx * cy, bz * cy, bx * cz, by * cx
        nx, ny, nz = px - rx, py - ry, pz - rz
        mx = magnitude(px) + magnitude(rx)
        my = magnitude(py) + magnitude(ry)
        mz = magnitude(pz) + magnitude(rz)
        height, speed = nx * qx + ny * qy + nz * qz, nx * probe.dx + ny * probe.dy + nz * probe.dz
        radius = magnitude(nx * ax + ny * ay + nz * az) * half
        terms = mx * reach_x + my * reach_y + mz * reach_z
        terms = terms + (mx * magnitude(ax) + my * magnitude(ay) + mz * magnitude(az)) * half
        error = terms * (9.0 * EPSILON) + (half + (extent + 2.0)) * probe.absolute
        over = 1.0 / (speed + 0.0)
        wide, narrow = radius + error, radius - error
        one, other = (wide * -1.0 - height) * over, (wide - height) * over
        near, far = greater(lesser(one, other), near), lesser(greater(one, other), far)
        one, other = (narrow * -1.0 - height) * over, (narrow - height) * over
        sure_near = greater(choose(narrow > 0.0, lesser(one, other), inf), sure_near)
        sure_far = lesser(greater(one, other), sure_far)
    return _compare(near, far, sure_near, sure_far, probe, limit, found)


@inlined
def _round(width: int, blocks: Any, base: int, probe: Any, limit: float, found: Any) -> Any:
    """Test spheres or capsules by a point of each shape and by a direction, as `filters` do and with its bounds.

    t is between that of the point, which is inside, and the least of all points of the element.
    """
    dx, dy, dz, eps = probe.dx, probe.dy, probe.dz, EPSILON
    other, radius = base + 8 * (width - 4), load(blocks, base + 8 * (width - 1))
    ux, uy, uz = load(blocks, base), load(blocks, base + 8), load(blocks, base + 16)
    vx, vy, vz = load(blocks, other), load(blocks, other + 8), load(blocks, other + 16)
    ux, uy, uz, vx, vy, vz = (
        ux - probe.ox,
        uy - probe.oy,
        uz - probe.oz,
        vx - probe.ox,
        vy - probe.oy,
        vz - probe.oz,
    )
    ex, ey, ez = vx - ux, vy - uy, vz - uz
    squared, size = dx * dx + dy * dy + dz * dz, abs(dx) + abs(dy) + abs(dz)
    inverse = 1.0 / squared if squared > 0.0 else 0.0
    far = greater(magnitude(ux) + magnitude(uy) + magnitude(uz), magnitude(vx) + magnitude(vy) + magnitude(vz))
    end = far * (size * inverse * 1.01)
    first, last = greater(end * -1.0, probe.t_min), lesser(end, probe.t_max)
    length, slope = ex * ex + ey * ey + ez * ez, ex * dx + ey * dy + ez * dz
    ahead, across, behind = ux * dx + uy * dy + uz * dz, ux * ex + uy * ey + uz * ez, vx * dx + vy * dy + vz * dz
    straight, turned = choose(length > 0.0, length, 1.0), length * squared - slope * slope
    t = (ahead * length - slope * across) / choose(turned > 0.0, turned, 1.0)
    s = lesser(greater((lesser(greater(t, first), last) * slope - across) / straight, 0.0), 1.0)
    t = lesser(greater((ahead + s * slope) * inverse, first), last)
    s = lesser(greater((t * slope - across) / straight, 0.0), 1.0)
    wx, wy, wz = t * dx - (ux + s * ex), t * dy - (uy + s * ey), t * dz - (uz + s * ez)
    gap, rate, both = wx * wx + wy * wy + wz * wz, wx * dx + wy * dy + wz * dz, radius * radius
    most = greater(wx * ux + wy * uy + wz * uz, wx * vx + wy * vy + wz * vz)
    bound = far + (last - first) * size
    noise = (magnitude(wx) + magnitude(wy) + magnitude(wz)) * bound * (16.0 * eps)
    over = lesser(first * rate, last * rate) - most - noise - (last - first + 1.0) * probe.absolute
    apart = (over > 0.0) & (over * over > both * gap * SLACK + (gap + 1.0) * 2.0**-1060)
    hit = gap < both - ((bound * bound + both) * (128.0 * eps) + (bound + 1.0) * probe.absolute)
    reach = (radius + far * 2.0**-48) * (squared**0.5 * SLACK)
    low = greater((lesser(ahead, behind) - reach - probe.absolute) * inverse, probe.t_min)
    beyond = low > limit
    store(found, 0, t)
    store(found, 8, (t - low) * SLACK + magnitude(t) * 2.0**-51)
    return hit & ~beyond, ~(apart | beyond | hit)


@inlined
def _edges(first: int, i: int) -> tuple[int, int, int]:
    """Return where edge or axis i of boxes begins in a block, and the two after it, from where the first does."""
    return first + 24 * i, first + 24 * ((i + 1) % 3), first + 24 * ((i + 2) % 3)


@inlined
def _compare(near: Any, far: Any, sure_near: Any, sure_far: Any, probe: Any, limit: float, found: Any) -> Any:
    """Return the masks of `enter` and write t, from the t ranges inside the slabs of eight boxes.

    An empty [near, far] is a sure miss, a [sure_near, sure_far] that is not empty a sure hit. Both are infinite
    where the probe runs parallel to a slab and outside it.
    """
    near, sure_near, far = lesser(near, NEVER), lesser(sure_near, NEVER), greater(far, -NEVER)
    low = near - magnitude(near) * RELATIVE_T - probe.least
    high = sure_near + magnitude(sure_near) * RELATIVE_T + probe.least
    missed = far + magnitude(far) * RELATIVE_T + probe.least < low
    beyond = low > limit
    hit = high < sure_far - magnitude(sure_far) * RELATIVE_T - probe.least
    store(found, 0, sure_near)
    store(found, 8, high - low)
    return hit & ~beyond, ~(missed | beyond | hit)


class Precision(NamedTuple):
    """The loss of a dot product with a cross product: `relative` times its terms' magnitudes, and `absolute`.

    Both are vectors, and zero where nothing is rounded.
    """

    relative: Any
    absolute: Any


@inlined
def refine(
    width: int, block: Any, origin: Any, direction: Any, t_min: float, precision: Precision, found: Any
) -> Any:
    """Write the t, at least `t_min`, at which each of eight probes enters its own element of a block into `found`.

    Behind them it writes bounds of their errors before they are rounded. Returns the mask of those right within an
    ulp: their error is below an eighth of an ulp. `direction` has double-double numbers. The probes are known to
    hit.
    """
    if width == 4:
        t, loss = _plane_t(block, origin, direction, precision)
    elif width == 6:
        t, loss = _box_t(block, origin, direction, t_min)
    elif width == 9:
        t, loss = _triangle_t(block, origin, direction, precision)
    else:
        t, loss = _turned_box_t(width, block, origin, direction, t_min, precision)
    store(found, 0, t)
    store(found, 8, loss)
    far = magnitude(t)
    return (loss <= far * 2.0**-56) & (far > 2.0**-400) & (far < inf) | (far <= 0.0) & (loss <= 0.0)


@inlined
def _relative(block: Any, at: int, point: Any) -> Any:
    """Return the point in the rows from `at` on, minus another, as double-double numbers."""
    x, y, z = point
    return (
        two_difference(load(block, at), x),
        two_difference(load(block, at + 8), y),
        two_difference(load(block, at + 16), z),
    )


@inlined
def _plane_t(block: Any, origin: Any, direction: Any, precision: Precision) -> Any:
    offset = load(block, 24)
    zero = offset * 0.0
    (ox, oy, oz), normal = origin, _vector(block, 0, zero)
    start = (ox, zero), (oy, zero), (oz, zero)
    sizes = magnitude(load(block, 0)), magnitude(load(block, 8)), magnitude(load(block, 16))
    above = total((offset, zero), negative(dot(normal, start)))
    terms = size(sizes, start) + magnitude(offset)
    return _ratio(above, terms, dot(normal, direction), size(sizes, direction), precision)


@inlined
def _triangle_t(block: Any, origin: Any, direction: Any, precision: Precision) -> Any:
    a = load(block, 0), load(block, 8), load(block, 16)
    normal, sizes = cross(_relative(block, 24, a), _relative(block, 48, a))
    u = _relative(block, 0, origin)
    return _ratio(dot(normal, u), size(sizes, u), dot(normal, direction), size(sizes, direction), precision)


@inlined
def _box_t(block: Any, origin: Any, direction: Any, t_min: float) -> Any:
    """Return the greatest t at which a slab is entered, at least `t_min`, and its error 0."""
    (ox, oy, oz), (dx, dy, dz) = origin, direction
    x = choose(dx[0] < 0.0, load(block, 24), load(block, 0))
    y = choose(dy[0] < 0.0, load(block, 32), load(block, 8))
    z = choose(dz[0] < 0.0, load(block, 40), load(block, 16))
    t = greater(quotient(two_difference(x, ox), dx), ox * 0.0 + t_min)
    t = greater(quotient(two_difference(y, oy), dy), t)
    t = greater(quotient(two_difference(z, oz), dz), t)
    return t, t * 0.0


@inlined
def _turned_box_t(width: int, block: Any, origin: Any, direction: Any, t_min: float, precision: Precision) -> Any:
    """Return the t at which the last of three slabs is entered, at least `t_min`, and a bound of its error.

    The slabs are those of oriented boxes, or of parallelepipeds if `width` is 12. None is entered after `latest`.
    """
    zero = origin[0] * 0.0
    t, loss, latest = zero + t_min, zero, zero + t_min
    first = _relative(block, 0, origin)
    for i in range(3):
        # A slab lies between the center plus and minus a half edge, or between the origin plus an edge and itself.
        a, b, c = _edges(48 if width == 15 else 24, i)
        half = load(block, 24 + 8 * i) if width == 15 else zero + 1.0
        axis = _vector(block, a, zero)
        normal, sizes = cross(_vector(block, b, zero), _vector(block, c, zero))
        radius = product(dot(normal, axis), (half, zero))
        speed, height = dot(normal, direction), dot(normal, first)
        radius_terms = size(sizes, axis) * half
        terms, speed_terms = size(sizes, first) + radius_terms, size(sizes, direction)
        scaled = Precision(precision.relative, precision.absolute * (half + 2.0))
        other_side = -1.0 if width == 15 else 0.0
        near_side = choose((radius[0] < 0.0) ^ (speed[0] < 0.0), 1.0, zero + other_side)
        above = total((radius[0] * near_side, radius[1] * near_side), height)
        own, own_loss = _ratio(above, terms, speed, speed_terms, scaled)
        # A probe that is, as far as is known, parallel to the slab and inside it, entered it long ago.
        one, other = height[0] + radius[0], height[0] + radius[0] * other_side
        margin = lesser(magnitude(one), magnitude(other)) - _roughly_lost(terms, scaled)
        inside = ((one < 0.0) ^ (other < 0.0)) & (margin > 0.0)
        before = choose(inside, margin / _lost(speed_terms, scaled) * -0.5, inf)
        before = choose(precision.relative > 0.0, before, -inf)
        unsided = (magnitude(radius[0]) <= _roughly_lost(radius_terms, scaled)) & (half > 0.0)
        sure = own_loss < inf
        until = choose(unsided, inf, choose(sure, own + own_loss, before))
        latest = greater(choose(until < inf, until, inf), latest)
        later = sure & (own > t)
        t, loss = choose(later, own, t), choose(later, own_loss, loss)
    return t, greater(latest - t, loss)


@inlined
def _vector(block: Any, at: int, zero: Any) -> Any:
    """Return the vector in the rows from `at` on, as double-double numbers."""
    return (load(block, at), zero), (load(block, at + 8), zero), (load(block, at + 16), zero)


@inlined
def _ratio(above: Any, above_terms: Any, below: Any, below_terms: Any, precision: Precision) -> Any:
    """Return the quotient of two double-double numbers, and a bound of the error that both bring into it.

    It is infinite where `below` may be zero.
    """
    # After cancellation the low part may be as great as the high one, but `quotient` needs it small.
    above, below = two_sum(above[0], above[1]), two_sum(below[0], below[1])
    t = quotient(above, below)
    lost, least = _lost(above_terms, precision), _lost(below_terms, precision)
    sure = magnitude(below[0]) * 0.5 > least
    return t, choose(sure, (lost + magnitude(t) * least) / (magnitude(below[0]) - least), inf)


@inlined
def _lost(terms: Any, precision: Precision) -> Any:
    """Return a bound of the error of a dot product with a cross product, from the sum of its terms' magnitudes."""
    return terms * precision.relative + precision.absolute


@inlined
def _roughly_lost(terms: Any, precision: Precision) -> Any:
    """Return a bound of the same where the low parts are left out; they have 2**-49 of the terms."""
    return terms * (precision.relative * 2.0**48) + precision.absolute


@compiled
def enter_pairs(
    width: int, probes: Any, primitives: Any, segments: bool, t_min: float, ts: Any, errors: Any
) -> None:
    """Write the t of n >= 8 pairs that hit, and a bound of its error before it is rounded, into arrays (n,).

    The bound is 0 where t is right within an ulp, and infinite where nothing is known.

    `probes` has the six rows of n segments, rays or lines, `primitives` the rows of n primitives, one after the
    other.
    """
    n = ts.size
    block, found = np.empty(width * LANES), np.empty(2 * LANES)
    for start in range(0, n, LANES):
        i = min(start, n - LANES)  # The last eight may overlap those before.
        ox, oy, oz = load(probes, i), load(probes, n + i), load(probes, 2 * n + i)
        px, py, pz = load(probes, 3 * n + i), load(probes, 4 * n + i), load(probes, 5 * n + i)
        far = greater(greater(magnitude(ox), magnitude(oy)), magnitude(oz))
        far = greater(greater(magnitude(px), magnitude(py)), greater(magnitude(pz), far))
        for row in range(width):
            numbers = load(primitives, row * n + i)
            store(block, row * LANES, numbers)
            far = greater(magnitude(numbers), far)
        snap = far * (SNAP if width < TURNED else SNAP_TURNED)
        on_grid = _on_grid(ox, snap) & _on_grid(oy, snap) & _on_grid(oz, snap)
        on_grid &= _on_grid(px, snap) & _on_grid(py, snap) & _on_grid(pz, snap)
        for row in range(width):
            on_grid &= _on_grid(load(block, row * LANES), snap)
        zero = ox * 0.0
        if segments:
            dx, dy, dz = two_difference(px, ox), two_difference(py, oy), two_difference(pz, oz)
        else:
            dx, dy, dz = (px, zero), (py, zero), (pz, zero)
        relative, absolute = zero + RELATIVE_REFINED, (far * 4.0 + 1.0) * (8.0 * UNDERFLOW)
        on_grid &= far > NEAREST_GRID
        precision = Precision(choose(on_grid, zero, relative), choose(on_grid, zero, absolute))
        in_range = (far <= FARTHEST) & _in_range(dx[0]) & _in_range(dy[0]) & _in_range(dz[0])
        sure = refine(width, block, (ox, oy, oz), (dx, dy, dz), t_min, precision, found)
        t, error = load(found, 0), load(found, LANES)
        far = magnitude(t)
        known = in_range & (error < inf) & (far > LEAST_T) & (far < inf)
        store(ts, i, t)
        store(errors, i, choose(in_range & sure, zero, choose(known, error, inf)))


@inlined
def _on_grid(number: Any, snap: Any) -> Any:
    """Return the mask of the multiples of an ulp of `snap`."""
    return magnitude(number + snap - snap - number) <= 0.0


@inlined
def _in_range(component: Any) -> Any:
    """Return the mask of a direction's components for which no t overflows."""
    size = magnitude(component)
    return (size > NEAREST) | (size <= 0.0)
