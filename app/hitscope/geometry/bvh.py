"""A bounding volume hierarchy: which of many boxes or triangles do probes hit, without asking about each.

That a box stands in for what is inside it, so that one cheap test spares many, is what boxes are for (Ericson 2005,
ch. 6; the article on AABBs that this project began with names hierarchies as their use). This one is a tree of nodes
with eight children whose bounds are tested at once (Wald, Benthin and Boulos 2008; Wald et al. 2014, Embree), made by
the surface area heuristic in bins (Wald 2007). Importing this module imports Numba.

**Space.** Nodes live in unit space: the root's bounds are moved to the origin and scaled by a power of two so that no
coordinate exceeds 1. A probe is brought there too: its direction is divided by its largest component, and it starts
where it enters the root's bounds, so that within them tau = (t - t of that start) * rate is in [0, 2.1]. All of it is
done in float64; what a node test needs is then rounded to float32.

**No hit is lost.** All that rounding does to a node test is to move a face of a box, in unit space and units of
2**-24, by no more than this, for every tau in [0, 2.1] and as every component of a direction is at most 1:

    a bound rounded to float32                                     1
    the direction's component d rounded as 1/d                     2.1
    or raised to 2**-24, where it is smaller (so that 1/d is finite)   2.1
    (bound - start) / d = bound * (1/d) + c: c rounded             1.1
    its product and its sum rounded, at most                       1 + 2.1

Less than 10 in all. Every box is grown by PAD = 16 * 2**-24 through c, plus 2**-50 times the distance of the probe's
origin, which covers float64's own rounding before. (Ize 2013 makes the slab test robust likewise, by a factor on
tau; a shift also covers directions of zero, and costs a node nothing.)

**No hit is invented.** What is in a leaf is tested in float64, eight elements at a time, by filters with a proven
bound (`exact.kernels` has the proofs): HIT, MISS, or left open, and what is left open is settled without rounding.
`closest` keeps t with a bound of its error; where two could be the nearest, fractions decide. So answers are those of
`exact`, at any magnitude.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf, nan
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact import meet, relation, rounded
from hitscope.geometry.exact.many import FILTERS, Many
from hitscope.geometry.lanes import (
    LANES,
    choose,
    first_bit,
    floor,
    fused,
    get,
    greater,
    lane,
    lesser,
    load,
    magnitude,
    multiply_add,
    prefetch,
    put,
    store,
    swap_halves,
    to_single,
)
from hitscope.geometry.shapes import Line, Obb, Parallelepiped, Ray, Segment, Shape

R = TypeVar("R")
inlined = register_jitable(forceinline=True)
"""Part of compiled code: a call would count the references to every array that it passes."""

MISS, HIT, OPEN, STRANGE = 0, 1, 2, 3

EPSILON = 2.0**-53
RELATIVE_3 = (7.0 + 56.0 * EPSILON) * EPSILON
"""Shewchuk's bound for det3, times the same sum with absolute values; see `exact.kernels`."""
UNDERFLOW = 2.0**-1068
SLACK = 1.0 + 2.0**-40
"""Covers the rounding of an error bound itself."""
PAD = 16.0 * 2.0**-24
LEAST_DIRECTION = 2.0**-24
RELATIVE_T = 8.0 * EPSILON
"""More than a difference or two, a division and a product may lose of a t."""
FARTHEST, NEAREST = 2.0**500, 2.0**-500
"""Between these no t overflows; a probe or elements beyond them: every element is asked."""
FARTHEST_START = 2.0**60
"""A probe that starts farther out in unit space asks every element, too."""
LATEST, NEVER = 2.0**1004, 2.0**1008
"""Later than any t, and finite."""
NONE = -(2**31)
"""The link of no child."""
NO_BLOCKS = np.empty(0, np.int32)

NODE = 64
"""A node is so many float32: lo x, hi x, lo y, ... of its eight children, their links, and a rest unused."""
LINKS = 48
DEPTH = 48
"""Deeper down, ranges are halved as they are: a bound for the stack."""
STACK = 7 * (DEPTH + 34) + 1
BINS = 16
PREPARED = 512
SLOTS = 16
ARRAYS_FROM = 50
"""So many elements, asked one by one, are better asked together."""
LEAST, MOST = 8192, 1 << 20
"""A thread takes so many probes at a time, or elements of a build."""


class Closest(NamedTuple):
    """The element that each of m probes enters first, -1 for none, and where, NaN for none."""

    element: NDArray[np.int64]
    t: NDArray[np.float64]


class Hits(NamedTuple):
    """All elements that each of m probes hits, ascending: those of probe i are elements[first[i]:first[i + 1]]."""

    first: NDArray[np.int64]
    elements: NDArray[np.int32]


class Touched(NamedTuple):
    """Which of n elements any probe hits, and which of m probes hit any element."""

    elements: NDArray[np.bool_]
    probes: NDArray[np.bool_]


class Subtree(NamedTuple):
    """The links of some nodes (8 a node), counted from 0, and where each block of theirs begins in the records."""

    links: NDArray[np.int32]
    begins: NDArray[np.int32]


class Packed(NamedTuple):
    """The tree as compiled code reads it.

    A link >= 0 is a node, another the block ~link >> 3 of (~link & 7) + 1 elements. A block has the coordinate rows
    of eight elements, `width` of them, and `ids` their indices. `frame` is x, y, z of the center, the scale, the
    greatest coordinate, what a product may lose to underflow, and the root's bounds in unit space.
    """

    nodes: Any
    links: Any
    blocks: Any
    ids: Any
    frame: Any
    width: int


class Aim(NamedTuple):
    """A linear probe as the tests of elements take it.

    o, d: origin and direction, t_min <= t <= t_max. In unit space tau = t * rate - start, start <= `reach`. `bound`
    is the error of the triangles' sides; `absolute` is what a det3 may lose to underflow, `least` what a slab's t may.
    """

    ox: float
    oy: float
    oz: float
    dx: float
    dy: float
    dz: float
    t_min: float
    t_max: float
    rate: float
    start: float
    pad: float
    reach: float
    bound: float
    absolute: float
    least: float


SINGLES, DOUBLES = 10 * LANES, 16 * LANES
"""What eight probes take of the arrays that `_prepare` writes: rows of eight."""


# What a probe is to the tests


@inlined
def _prepare(
    frame: Any,
    probes: Any,
    order: Any,
    first_probe: int,
    segments: bool,
    lines: bool,
    first: int,
    last: int,
    singles: Any,
    doubles: Any,
) -> None:
    """Bring probes order[first:last] of the rows (6, m) into unit space, clipped to the root, eight at a time.

    Writes for each node tests 1/d, the shifts c of near and of far planes, and reach, and for each element tests
    the numbers of an `Aim`; `reach` is negative where a probe passes beside the root, and NaN where its numbers are
    not in the filters' range.
    """
    m = probes.size // 6
    scale = frame[3]
    gathered = np.empty(6 * LANES)
    for start in range(first, last, LANES):
        if order.size == 0 and start + LANES <= last:
            for row in range(6):
                store(gathered, row * LANES, load(probes, row * m + first_probe + start))
        else:
            for k in range(LANES):
                n = min(start + k, last - 1)
                ahead = min(n + 3 * LANES, last - 1)
                n, ahead = (get(order, n), get(order, ahead)) if order.size > 0 else (first_probe + n, 0)
                for row in range(6):
                    put(gathered, row * LANES + k, get(probes, row * m + n))
                    prefetch(probes, row * m + ahead)
        ox, oy, oz = load(gathered, 0), load(gathered, 8), load(gathered, 16)
        dx, dy, dz = load(gathered, 24), load(gathered, 32), load(gathered, 40)
        lx, ly, lz = dx * 0.0, dx * 0.0, dx * 0.0
        if segments:
            (dx, lx), (dy, ly), (dz, lz) = (
                _two_difference(dx, ox),
                _two_difference(dy, oy),
                _two_difference(dz, oz),
            )
        sx, sy, sz = magnitude(dx), magnitude(dy), magnitude(dz)
        px, py, pz = magnitude(ox), magnitude(oy), magnitude(oz)
        length, place = greater(greater(sx, sy), sz), greater(greater(px, py), pz)
        some = 0.0 < length
        rate = length * scale
        over = 1.0 / choose(some, length, 1.0)
        ux, uy, uz = (ox - frame[0]) * scale, (oy - frame[1]) * scale, (oz - frame[2]) * scale
        vx, vy, vz = dx * over + 0.0, dy * over + 0.0, dz * over + 0.0
        ix, iy, iz = 1.0 / vx, 1.0 / vy, 1.0 / vz
        far = greater(greater(magnitude(ux), magnitude(uy)), magnitude(uz))
        pad = far * 2.0**-50 + PAD
        # A probe of length zero has tau 0 only.
        enter = rate * (-LATEST if lines else 0.0)
        leave = choose(some, rate * ((1.0 if segments else LATEST) * SLACK), 0.0) + pad
        enter = choose(some, enter, 0.0)
        enter, leave = _clip(pad * -1.0 + frame[6] - ux, pad + frame[9] - ux, ix, enter, leave)
        enter, leave = _clip(pad * -1.0 + frame[7] - uy, pad + frame[10] - uy, iy, enter, leave)
        enter, leave = _clip(pad * -1.0 + frame[8] - uz, pad + frame[11] - uz, iz, enter, leave)
        jx, jy, jz = _bounded(ix), _bounded(iy), _bounded(iz)
        cx, cy, cz = (ux + enter * vx) * jx, (uy + enter * vy) * jy, (uz + enter * vz) * jz
        gx, gy, gz = pad * magnitude(jx), pad * magnitude(jy), pad * magnitude(jz)
        reach = (leave - enter) * (1.0 + 2.0**-22)
        strange = (
            (FARTHEST < place) | (FARTHEST < length) | (far > FARTHEST_START) | _tiny(sx) | _tiny(sy) | _tiny(sz)
        )
        reach = choose(strange, nan, reach)
        size = (far + 1.0) * (SLACK / scale)
        absolute = (greater(place, length) * 2.0 + (2.0 * frame[4] + 1.0)) * UNDERFLOW
        at = (start - first) // LANES * SINGLES
        store(singles, at, to_single(jx))
        store(singles, at + 8, to_single(jy))
        store(singles, at + 16, to_single(jz))
        store(singles, at + 24, to_single((cx + gx) * -1.0))
        store(singles, at + 32, to_single((cy + gy) * -1.0))
        store(singles, at + 40, to_single((cz + gz) * -1.0))
        store(singles, at + 48, to_single(gx - cx))
        store(singles, at + 56, to_single(gy - cy))
        store(singles, at + 64, to_single(gz - cz))
        store(singles, at + 72, to_single(reach))
        at = (start - first) // LANES * DOUBLES
        store(doubles, at, ox)
        store(doubles, at + 8, oy)
        store(doubles, at + 16, oz)
        store(doubles, at + 24, dx)
        store(doubles, at + 32, dy)
        store(doubles, at + 40, dz)
        store(doubles, at + 48, rate)
        store(doubles, at + 56, enter)
        store(doubles, at + 64, pad)
        store(doubles, at + 72, reach)
        store(doubles, at + 80, length * size * size * (48.0 * SLACK * EPSILON) + absolute)
        store(doubles, at + 88, absolute)
        store(doubles, at + 104, lx)
        store(doubles, at + 112, ly)
        store(doubles, at + 120, lz)
        store(doubles, at + 96, choose(_tiny(px) | _tiny(py) | _tiny(pz), 2.0**-1074, enter * 0.0 + frame[5]))


@inlined
def _bounded(inverse: Any) -> Any:
    """Give the inverses of a direction's components, as if none were less than 2**-24."""
    return greater(lesser(inverse, 1.0 / LEAST_DIRECTION), -1.0 / LEAST_DIRECTION)


@inlined
def _tiny(number: Any) -> Any:
    """Give the mask of numbers, not negative, that are small enough for products with them to vanish, but not zero."""
    return (0.0 < number) & (number < NEAREST)


@inlined
def _clip(lo: Any, hi: Any, inverse: Any, enter: Any, leave: Any) -> Any:
    """Clip [enter, leave] by one slab."""
    one, other = lo * inverse, hi * inverse
    return greater(lesser(one, other), enter), lesser(greater(one, other), leave)


@inlined
def _aim(doubles: Any, k: int, segments: bool, lines: bool) -> Any:
    """Give probe k of those that were prepared."""
    at = (k >> 3) * DOUBLES + (k & 7)
    return Aim(
        get(doubles, at), get(doubles, at + 8), get(doubles, at + 16),
        get(doubles, at + 24), get(doubles, at + 32), get(doubles, at + 40),
        -LATEST if lines else 0.0, 1.0 if segments else LATEST,
        get(doubles, at + 48), get(doubles, at + 56), get(doubles, at + 64), get(doubles, at + 72),
        get(doubles, at + 80), get(doubles, at + 88), get(doubles, at + 96),
    )  # fmt: skip


@inlined
def _reach(aim: Any, t: float) -> Any:
    """Give the greatest tau at which a node need be entered to find what is at t or before."""
    return np.float32(min((t * aim.rate - aim.start + aim.pad) * (1.0 + 2.0**-22), aim.reach))


# The tests


@inlined
def _signs(singles: Any, k: int) -> int:
    """Give where a node's near planes of probe k are, as one number: a byte for each axis."""
    at = (k >> 3) * SINGLES + (k & 7)
    x = 0 if get(singles, at) > 0 else 8
    y = 16 if get(singles, at + 8) > 0 else 24
    z = 32 if get(singles, at + 16) > 0 else 40
    return x | y << 8 | z << 16


@inlined
def _slabs(nodes: Any, node: int, singles: Any, k: int, signs: int, reach: Any) -> Any:
    """Test a node's eight children: give where probe k enters each, and where it leaves (Kay and Kajiya 1986).

    It hits those that it does not leave before it enters.
    """
    at = (k >> 3) * SINGLES + (k & 7)
    x, y, z = node * NODE + (signs & 255), node * NODE + ((signs >> 8) & 255), node * NODE + (signs >> 16)
    rx, ry, rz = get(singles, at), get(singles, at + 8), get(singles, at + 16)
    near_x = multiply_add(load(nodes, x), rx, get(singles, at + 24))
    near_y = multiply_add(load(nodes, y), ry, get(singles, at + 32))
    near_z = multiply_add(load(nodes, z), rz, get(singles, at + 40))
    far_x = multiply_add(load(nodes, x ^ 8), rx, get(singles, at + 48))
    far_y = multiply_add(load(nodes, y ^ 8), ry, get(singles, at + 56))
    far_z = multiply_add(load(nodes, z ^ 8), rz, get(singles, at + 64))
    near = greater(greater(near_x, near_y), greater(near_z, np.float32(0)))
    far = lesser(lesser(far_x, far_y), lesser(far_z, reach))
    return near, far


@inlined
def _leaf(tree: Any, link: int, aim: Any, limit: float, found: Any) -> tuple[Any, Any]:
    """Test a block: give the masks of what is surely hit and of what is open; neither has what is surely at t > limit.

    Writes t and a bound of its error into `found`, eight of each.
    """
    valid = np.int32((2 << (~link & 7)) - 1)
    base = (~link >> 3) * tree.width * 8
    if tree.width == 9:
        hit, unsure = _triangles(tree.blocks, base, aim, limit, found)
    elif tree.width == 6:
        hit, unsure = _boxes(tree.blocks, base, aim, limit, found)
    else:
        hit, unsure = _turned_boxes(tree.blocks, base, aim, limit, found)
    return hit & valid, unsure & valid


@inlined
def _triangles(blocks: Any, base: int, aim: Any, limit: float, found: Any) -> tuple[Any, Any]:
    """Test eight triangles.

    A line passes through one if it passes its edges on one side: if det3(d, u, v), det3(d, v, w) and det3(d, w, u)
    have one sign, for the corners u, v, w seen from the probe's origin (`exact.kernels.filter_triangles`). The
    corners' components are at most `size` and those of d `length`, so `bound` is RELATIVE_3 * 6 * length * size**2
    and a little more.
    """
    ux, uy, uz = load(blocks, base) - aim.ox, load(blocks, base + 8) - aim.oy, load(blocks, base + 16) - aim.oz
    vx, vy, vz = (
        load(blocks, base + 24) - aim.ox,
        load(blocks, base + 32) - aim.oy,
        load(blocks, base + 40) - aim.oz,
    )
    wx, wy, wz = (
        load(blocks, base + 48) - aim.ox,
        load(blocks, base + 56) - aim.oy,
        load(blocks, base + 64) - aim.oz,
    )
    first = _det3(aim, ux, uy, uz, vx, vy, vz)
    second = _det3(aim, vx, vy, vz, wx, wy, wz)
    third = _det3(aim, wx, wy, wz, ux, uy, uz)
    least, greatest = lesser(lesser(first, second), third), greater(greater(first, second), third)
    beside = (least < -aim.bound) & (aim.bound < greatest)
    if beside == 255:
        return np.int32(0), np.int32(0)
    through = (aim.bound < least) | (greatest < -aim.bound)
    # t = N / D, N = n . u and D = n . d, is wrong by at most (error of N + |t| error of D) / (|D| - error of D).
    ax, ay, az = load(blocks, base), load(blocks, base + 8), load(blocks, base + 16)
    ex, ey, ez = load(blocks, base + 24) - ax, load(blocks, base + 32) - ay, load(blocks, base + 40) - az
    fx, fy, fz = load(blocks, base + 48) - ax, load(blocks, base + 56) - ay, load(blocks, base + 64) - az
    px, py, pz, qx, qy, qz = ey * fz, ez * fx, ex * fy, ez * fy, ex * fz, ey * fx
    nx, ny, nz = px - qx, py - qy, pz - qz
    mx, my, mz = magnitude(px) + magnitude(qx), magnitude(py) + magnitude(qy), magnitude(pz) + magnitude(qz)
    N = multiply_add(ux, nx, multiply_add(uy, ny, uz * nz))
    D = multiply_add(nx, aim.dx, multiply_add(ny, aim.dy, nz * aim.dz))
    size_N = multiply_add(magnitude(ux), mx, multiply_add(magnitude(uy), my, magnitude(uz) * mz))
    size_D = multiply_add(mx, abs(aim.dx), multiply_add(my, abs(aim.dy), mz * abs(aim.dz)))
    error_N, error_D = size_N * RELATIVE_3 + aim.absolute, size_D * RELATIVE_3 + aim.absolute
    inverse = 1.0 / D
    t = N * inverse
    error = multiply_add(magnitude(t), error_D, error_N) * magnitude(inverse) * (1.0 + 2.0**-9)
    error = error + magnitude(t) * 2.0**-51 + 2.0**-1074
    store(found, 0, t)
    store(found, 8, error)
    low, high = t - error, t + error
    crossed = error_D * 2048.0 < magnitude(D)
    inside = through & crossed & (aim.t_min < low) & (high < aim.t_max)
    outside = crossed & ((high < aim.t_min) | (aim.t_max < low) | (limit < low))
    return inside & ~outside, ~(beside | outside | inside)


@inlined
def _det3(aim: Any, bx: Any, by: Any, bz: Any, cx: Any, cy: Any, cz: Any) -> Any:
    """Give det3(d, b, c)."""
    x = multiply_add(by, cz, bz * (cy * -1.0))
    y = multiply_add(bz, cx, bx * (cz * -1.0))
    z = multiply_add(bx, cy, by * (cx * -1.0))
    return multiply_add(x, aim.dx, multiply_add(y, aim.dy, z * aim.dz))


@inlined
def _boxes(blocks: Any, base: int, aim: Any, limit: float, found: Any) -> tuple[Any, Any]:
    """Test eight axis-aligned boxes by their slabs.

    Along a component of zero, bound - origin is of the right sign or, where the origin is in a face, zero; that
    gives NaN, which is left out, as is right.
    """
    ix, iy, iz = 1.0 / (aim.dx + 0.0), 1.0 / (aim.dy + 0.0), 1.0 / (aim.dz + 0.0)
    # Near planes are those of lo, rows 0 to 2 of a block, or of hi, rows 3 to 5.
    x = 0 if ix > 0 else 24
    y = 8 if iy > 0 else 32
    z = 16 if iz > 0 else 40
    near = greater((load(blocks, base + x) - aim.ox) * ix, aim.t_min)
    near = greater((load(blocks, base + y) - aim.oy) * iy, near)
    near = greater((load(blocks, base + z) - aim.oz) * iz, near)
    far = lesser((load(blocks, base + 24 - x) - aim.ox) * ix, aim.t_max)
    far = lesser((load(blocks, base + 40 - y) - aim.oy) * iy, far)
    far = lesser((load(blocks, base + 56 - z) - aim.oz) * iz, far)
    return _compare(near, far, near, far, aim, limit, found)


@inlined
def _turned_boxes(blocks: Any, base: int, aim: Any, limit: float, found: Any) -> tuple[Any, Any]:
    """Test eight oriented boxes by their slabs |n . (o - center) + t n . d| <= h |n . u|, n the dual of an axis u.

    The errors of the three terms, for every t within the root, are less than `error` together: boxes so much
    larger are missed only if the box is, boxes so much smaller are hit only if it is.
    """
    last = max(abs(aim.start), abs(aim.start + aim.reach)) / aim.rate * SLACK if aim.rate > 0 else 0.0
    qx, qy, qz = load(blocks, base), load(blocks, base + 8), load(blocks, base + 16)
    qx, qy, qz = qx * -1.0 + aim.ox, qy * -1.0 + aim.oy, qz * -1.0 + aim.oz
    low_near = sure_near = qx * 0.0 + aim.t_min
    low_far = sure_far = qx * 0.0 + aim.t_max
    reach_x = magnitude(qx) + abs(aim.dx) * last
    reach_y = magnitude(qy) + abs(aim.dy) * last
    reach_z = magnitude(qz) + abs(aim.dz) * last
    for i in range(3):
        j, k = (1, 2) if i == 0 else ((2, 0) if i == 1 else (0, 1))
        a, b, c = base + 48 + 24 * i, base + 48 + 24 * j, base + 48 + 24 * k
        ax, ay, az = load(blocks, a), load(blocks, a + 8), load(blocks, a + 16)
        bx, by, bz = load(blocks, b), load(blocks, b + 8), load(blocks, b + 16)
        cx, cy, cz = load(blocks, c), load(blocks, c + 8), load(blocks, c + 16)
        half = load(blocks, base + 24 + 8 * i)
        px, py, pz, rx, ry, rz = by * cz, bz * cx, bx * cy, bz * cy, bx * cz, by * cx
        nx, ny, nz = px - rx, py - ry, pz - rz
        mx, my, mz = magnitude(px) + magnitude(rx), magnitude(py) + magnitude(ry), magnitude(pz) + magnitude(rz)
        place, speed = nx * qx + ny * qy + nz * qz, nx * aim.dx + ny * aim.dy + nz * aim.dz
        radius = magnitude(nx * ax + ny * ay + nz * az) * half
        size = mx * reach_x + my * reach_y + mz * reach_z
        size = size + (mx * magnitude(ax) + my * magnitude(ay) + mz * magnitude(az)) * half
        error = size * (9.0 * EPSILON) + (half + (last + 2.0)) * aim.absolute
        over = 1.0 / (speed + 0.0)
        one, other = ((radius + error) * -1.0 - place) * over, ((radius + error) - place) * over
        low_near, low_far = greater(lesser(one, other), low_near), lesser(greater(one, other), low_far)
        one, other = ((radius - error) * -1.0 - place) * over, ((radius - error) - place) * over
        left = error < radius
        sure_near = greater(choose(left, lesser(one, other), inf), sure_near)
        sure_far = lesser(greater(one, other), sure_far)
    return _compare(low_near, low_far, sure_near, sure_far, aim, limit, found)


@inlined
def _compare(near: Any, far: Any, sure_near: Any, sure_far: Any, aim: Any, limit: float, found: Any) -> Any:
    """Compare where slabs are entered and left: surely missed by [near, far], or surely hit by [sure_near, sure_far].

    Beside a probe along the slab they are infinite. Each t is right but for RELATIVE_T; where something is so small that a product might vanish, for `least` too.
    """
    near, sure_near, far = lesser(near, NEVER), lesser(sure_near, NEVER), greater(far, -NEVER)
    low = near - magnitude(near) * RELATIVE_T - aim.least
    high = sure_near + magnitude(sure_near) * RELATIVE_T + aim.least
    missed = far + magnitude(far) * RELATIVE_T + aim.least < low
    beyond = limit < low
    hit = high < sure_far - magnitude(sure_far) * RELATIVE_T - aim.least
    store(found, 0, sure_near)
    store(found, 8, high - low)
    return hit & ~beyond, ~(missed | beyond | hit)


# Where a probe enters what it hits first, once more, in twice float64's precision


@inlined
def _refine(
    tree: Any, doubles: Any, start: int, winners: Any, ts: Any, errors: Any, gathered: Any, found: Any
) -> int:
    """Write for eight probes t of the elements that they hit first; give the mask of those right within an ulp.

    Numbers are sums of two float64 (Dekker 1971), of which a det3 loses less than 2**-98 of the sum of its terms'
    magnitudes. What rounding makes of the quotient is right within an ulp, if that is less than an eighth of it.
    """
    for k in range(LANES):
        code = max(get(winners, start + k), 0)
        base = (code >> 3) * tree.width * LANES + (code & 7)
        for row in range(tree.width):
            put(gathered, row * LANES + k, get(tree.blocks, base + row * LANES))
    at = (start >> 3) * DOUBLES
    ox, oy, oz = load(doubles, at), load(doubles, at + 8), load(doubles, at + 16)
    dx = load(doubles, at + 24), load(doubles, at + 104)
    dy = load(doubles, at + 32), load(doubles, at + 112)
    dz = load(doubles, at + 40), load(doubles, at + 120)
    if tree.width == 9:
        t, loss = _triangle_t(gathered, ox, oy, oz, dx, dy, dz, load(doubles, at + 88))
    elif tree.width == 6:
        t, loss = _box_t(gathered, ox, oy, oz, dx, dy, dz)
    else:
        t, loss = _turned_box_t(gathered, ox, oy, oz, dx, dy, dz, load(doubles, at + 88))
    store(found, 0, t)
    size = magnitude(t)
    exact = (loss <= size * 2.0**-56) & (2.0**-400 < size) | (size <= 0.0) & (loss <= 0.0)
    return exact & (magnitude(t - load(ts, start)) <= load(errors, start) * SLACK)


@inlined
def _triangle_t(corners: Any, ox: Any, oy: Any, oz: Any, dx: Any, dy: Any, dz: Any, absolute: Any) -> Any:
    """Give t and what it may have lost, as `_triangles` does."""
    ax, ay, az = load(corners, 0), load(corners, 8), load(corners, 16)
    ex, ey, ez = (
        _two_difference(load(corners, 24), ax),
        _two_difference(load(corners, 32), ay),
        _two_difference(load(corners, 40), az),
    )
    fx, fy, fz = (
        _two_difference(load(corners, 48), ax),
        _two_difference(load(corners, 56), ay),
        _two_difference(load(corners, 64), az),
    )
    n, m = _cross(ex, ey, ez, fx, fy, fz)
    hx, hy, hz = _two_difference(ax, ox), _two_difference(ay, oy), _two_difference(az, oz)
    return _quotient(
        _dot(n, hx, hy, hz), _size(m, hx, hy, hz), _dot(n, dx, dy, dz), _size(m, dx, dy, dz), absolute
    )


@inlined
def _box_t(corners: Any, ox: Any, oy: Any, oz: Any, dx: Any, dy: Any, dz: Any) -> Any:
    """Give the greatest t at which a slab is entered, or 0; along a component of zero there is none, but NaN."""
    t = ox * 0.0
    bound = choose(dx[0] < 0.0, load(corners, 24), load(corners, 0))
    t = greater(_divided(_two_difference(bound, ox), dx), t)
    bound = choose(dy[0] < 0.0, load(corners, 32), load(corners, 8))
    t = greater(_divided(_two_difference(bound, oy), dy), t)
    bound = choose(dz[0] < 0.0, load(corners, 40), load(corners, 16))
    t = greater(_divided(_two_difference(bound, oz), dz), t)
    return t, t * 0.0


@inlined
def _turned_box_t(rows: Any, ox: Any, oy: Any, oz: Any, dx: Any, dy: Any, dz: Any, absolute: Any) -> Any:
    """Do the same for the slabs of `_turned_boxes`."""
    t, loss = ox * 0.0, ox * 0.0
    qx, qy, qz = (
        _two_difference(ox, load(rows, 0)),
        _two_difference(oy, load(rows, 8)),
        _two_difference(oz, load(rows, 16)),
    )
    for i in range(3):
        j, k = (1, 2) if i == 0 else ((2, 0) if i == 1 else (0, 1))
        a, b, c = 48 + 24 * i, 48 + 24 * j, 48 + 24 * k
        zero = ox * 0.0
        ax, ay, az = (load(rows, a), zero), (load(rows, a + 8), zero), (load(rows, a + 16), zero)
        bx, by, bz = (load(rows, b), zero), (load(rows, b + 8), zero), (load(rows, b + 16), zero)
        cx, cy, cz = (load(rows, c), zero), (load(rows, c + 8), zero), (load(rows, c + 16), zero)
        half = load(rows, 24 + 8 * i), zero
        n, m = _cross(bx, by, bz, cx, cy, cz)
        speed, volume = _dot(n, dx, dy, dz), _product(_dot(n, ax, ay, az), half)
        # -|volume| - place over the speed if that is positive, |volume| - place if it is negative.
        flip = choose((volume[0] < 0.0) ^ (speed[0] < 0.0), 1.0, zero - 1.0)
        place = _dot(n, qx, qy, qz)
        above = _sum((volume[0] * flip, volume[1] * flip), (place[0] * -1.0, place[1] * -1.0))
        size = _size(m, qx, qy, qz) + _size(m, ax, ay, az) * half[0]
        own, own_loss = _quotient(above, size, speed, _size(m, dx, dy, dz), absolute * (half[0] + 2.0))
        later = t < own
        t, loss = choose(later, own, t), choose(later, own_loss, loss)
    return t, loss


@inlined
def _quotient(above: Any, above_size: Any, below: Any, below_size: Any, absolute: Any) -> Any:
    """Give a quotient of det3, and what they may have lost of it, given the sums of their terms' magnitudes."""
    t = _divided(above, below)
    lost, least = above_size * 2.0**-98 + absolute * 8.0, below_size * 2.0**-98 + absolute * 8.0
    return t, (lost + magnitude(t) * least) / (magnitude(below[0]) - least)


@inlined
def _two_sum(x: Any, y: Any) -> Any:
    """Give x + y and what rounding lost (Knuth)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


@inlined
def _two_difference(x: Any, y: Any) -> Any:
    """Give x - y and what rounding lost (Knuth)."""
    difference = x - y
    back = x - difference
    return difference, (x - (difference + back)) + (back - y)


@inlined
def _sum(x: Any, y: Any) -> Any:
    """Give the sum of two doubled numbers."""
    total, low = _two_sum(x[0], y[0])
    low = low + (x[1] + y[1])
    high = total + low
    return high, low - (high - total)


@inlined
def _product(x: Any, y: Any) -> Any:
    """Give the product of two doubled numbers."""
    product = x[0] * y[0]
    low = fused(x[0], y[0], product * -1.0) + (x[0] * y[1] + x[1] * y[0])
    high = product + low
    return high, low - (high - product)


@inlined
def _divided(x: Any, y: Any) -> Any:
    """Give the quotient of two doubled numbers, rounded."""
    quotient = x[0] / y[0]
    rest = fused(quotient * -1.0, y[0], x[0]) + (x[1] - quotient * y[1])
    return quotient + rest / y[0]


@inlined
def _cross(ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any) -> Any:
    """Give the cross product of doubled vectors, and the sums of its terms' magnitudes."""
    return (_minor(ay, bz, az, by), _minor(az, bx, ax, bz), _minor(ax, by, ay, bx)), (
        magnitude(ay[0] * bz[0]) + magnitude(az[0] * by[0]),
        magnitude(az[0] * bx[0]) + magnitude(ax[0] * bz[0]),
        magnitude(ax[0] * by[0]) + magnitude(ay[0] * bx[0]),
    )


@inlined
def _minor(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Give a * b - c * d."""
    return _sum(_product(a, b), _product((c[0] * -1.0, c[1] * -1.0), d))


@inlined
def _dot(n: Any, x: Any, y: Any, z: Any) -> Any:
    """Give a dot product of doubled vectors."""
    return _sum(_sum(_product(n[0], x), _product(n[1], y)), _product(n[2], z))


@inlined
def _size(m: Any, x: Any, y: Any, z: Any) -> Any:
    """Give the same of magnitudes."""
    return m[0] * magnitude(x[0]) + m[1] * magnitude(y[0]) + m[2] * magnitude(z[0])


# The queries


@inlined
def _push(links: Any, node: int, mask: int, near: Any, scratch: Any, stack: Any, depths: Any, top: int) -> int:
    """Push the children in the mask, the nearest last; give the new height of the stack."""
    store(scratch, 0, near)
    bottom = top
    while mask != 0:
        k = first_bit(mask)
        mask &= mask - 1
        distance, link = get(scratch, k), get(links, node * NODE + LINKS + k)
        place = top
        while place > bottom and get(depths, place - 1) < distance:
            put(depths, place, get(depths, place - 1))
            put(stack, place, get(stack, place - 1))
            place -= 1
        put(depths, place, distance)
        put(stack, place, link)
        top += 1
    return top


@inlined
def _arrange(frame: Any, probes: Any, segments: bool, first: int, last: int) -> Any:
    """Give the order in which to take probes, sorted so that those that visit the same nodes follow each other.

    By the cells, of eight along each axis, in which each enters and leaves the root, the bits of both interleaved as
    on a Morton curve; in two passes of a radix sort. Nothing where neighbours are alike already.
    """
    size = last - first
    codes, keys = np.empty(size + LANES, np.int64), np.empty(2 * LANES)
    spread = np.empty(512, np.int64)
    for k in range(512):
        spread[k] = 0
        for bit in range(9):
            spread[k] |= ((k >> bit) & 1) << (2 * (3 * (bit % 3) + bit // 3))
    samples = size // 64
    jumps = 0
    for sample in range(min(samples, 64)):
        start = first + sample * (samples // min(samples, 64)) * 64
        _keys(frame, probes, segments, start, keys)
        for k in range(1, LANES):
            jumps += keys[k] != keys[k - 1] or keys[LANES + k] != keys[LANES + k - 1]
    if 2 * jumps < LANES * min(samples, 64) or size < 4096:
        return codes[:0]
    low, high = np.zeros(512, np.int64), np.zeros(512, np.int64)
    for start in range(0, size, LANES):
        at = min(start, size - LANES)
        _keys(frame, probes, segments, first + at, keys)
        for k in range(start - at, LANES):
            key = get(spread, int(get(keys, k))) << 1 | get(spread, int(get(keys, LANES + k)))
            low[key & 511] += 1
            high[key >> 9] += 1
            put(codes, at + k, key << 32 | first + at + k)
    between = np.empty(size + LANES, np.int64)
    below, above = 0, 0
    for k in range(512):
        below, low[k] = below + low[k], below
        above, high[k] = above + high[k], above
    for n in range(size):
        code = get(codes, n)
        k = (code >> 32) & 511
        place = get(low, k)
        put(low, k, place + 1)
        put(between, place, code)
    for n in range(size):
        code = get(between, n)
        k = code >> 41
        place = get(high, k)
        put(high, k, place + 1)
        put(codes, place, code & 0xFFFFFFFF)
    return codes[:size]


@inlined
def _keys(frame: Any, probes: Any, segments: bool, n: int, keys: Any) -> None:
    """Write the cells, 64 x + 8 y + z, in which eight probes enter the root and, eight further on, leave it."""
    m = probes.size // 6
    scale = frame[3]
    ox, oy, oz = load(probes, n), load(probes, m + n), load(probes, 2 * m + n)
    dx, dy, dz = load(probes, 3 * m + n), load(probes, 4 * m + n), load(probes, 5 * m + n)
    if segments:
        dx, dy, dz = dx - ox, dy - oy, dz - oz
    ux, uy, uz = (ox - frame[0]) * scale, (oy - frame[1]) * scale, (oz - frame[2]) * scale
    vx, vy, vz = dx * scale, dy * scale, dz * scale
    enter, leave = ux * 0.0, ux * 0.0 + (1.0 if segments else LATEST)
    enter, leave = _clip(frame[6] - ux, frame[9] - ux, 1.0 / vx, enter, leave)
    enter, leave = _clip(frame[7] - uy, frame[10] - uy, 1.0 / vy, enter, leave)
    enter, leave = _clip(frame[8] - uz, frame[11] - uz, 1.0 / vz, enter, leave)
    store(keys, 0, _cell(ux + enter * vx) * 64.0 + _cell(uy + enter * vy) * 8.0 + _cell(uz + enter * vz))
    store(keys, LANES, _cell(ux + leave * vx) * 64.0 + _cell(uy + leave * vy) * 8.0 + _cell(uz + leave * vz))


@inlined
def _cell(x: Any) -> Any:
    """Give which eighth of [-1, 1] a number is in, 0 to 7."""
    return floor(lesser(greater(x * 4.0 + 4.0, 0.0), 7.0))


@inlined
def _ask(tree: Any, link: int) -> None:
    if link >= 0:
        for k in range(4):
            prefetch(tree.nodes, link * NODE + 16 * k)
    else:
        at = (~link >> 3) * tree.width * 8
        for k in range(9):
            prefetch(tree.blocks, at + 8 * k)


@compiled
def closest(
    tree: Any, probes: Any, segments: bool, first: int, last: int, element: Any, t: Any, state: Any
) -> None:
    """Write for probes order[first:last] the closest element and t, or, for those left OPEN, t's upper bound."""
    stack, depths = np.empty(SLOTS * STACK, np.int32), np.empty(SLOTS * STACK, np.float32)
    scratch, found = np.empty(LANES, np.float32), np.empty(2 * LANES)
    singles, doubles = np.empty(PREPARED // 8 * SINGLES, np.float32), np.empty(PREPARED // 8 * DOUBLES)
    order = _arrange(tree.frame, probes, segments, first, last)
    slots = SLOTS if order.size > 0 else 1
    links, rays, tops = np.empty(SLOTS, np.int32), np.empty(SLOTS, np.int64), np.empty(SLOTS, np.int64)
    all_signs = np.empty(SLOTS, np.int64)
    reaches, bests = np.empty(SLOTS, np.float32), np.empty(SLOTS, np.int32)
    ts, errors, opens = np.empty(SLOTS), np.empty(SLOTS), np.empty(SLOTS)
    winners = np.full(PREPARED + LANES, -1, np.int32)
    winner_ts, winner_errors = np.zeros(PREPARED + LANES), np.zeros(PREPARED + LANES)
    verdicts, gathered = np.empty(PREPARED, np.int8), np.zeros(15 * LANES)
    for chunk in range(0, last - first, PREPARED):
        size = min(PREPARED, last - first - chunk)
        _prepare(tree.frame, probes, order, first, segments, False, chunk, chunk + size, singles, doubles)
        busy, waiting, slot = 0, 0, 0
        while True:
            while busy < slots and waiting < size:
                reach = get(singles, (waiting >> 3) * SINGLES + 72 + (waiting & 7))
                if reach >= 0:
                    put(all_signs, busy, _signs(singles, waiting))
                    put(reaches, busy, reach)
                    put(links, busy, np.int32(0))
                    put(rays, busy, waiting)
                    put(tops, busy, busy * STACK)
                    put(bests, busy, np.int32(-1))
                    put(ts, busy, LATEST)
                    put(errors, busy, 0.0)
                    put(opens, busy, inf)
                    busy += 1
                else:
                    put(winners, waiting, np.int32(-1))
                    put(verdicts, waiting, np.int8(HIT if reach == reach else STRANGE))
                waiting += 1
            if busy == 0:
                break
            slot = slot if slot < busy else 0
            link, n, top, reach = get(links, slot), get(rays, slot), get(tops, slot), get(reaches, slot)
            signs = get(all_signs, slot)
            while True:
                pop = True
                if link >= 0:
                    near, far = _slabs(tree.nodes, link, singles, n, signs, reach)
                    mask = near <= far
                    if mask != 0:
                        pop = False
                        children = link * NODE + LINKS
                        k, rest = first_bit(mask), mask & (mask - 1)
                        link = get(tree.links, children + k)
                        if rest != 0:
                            store(scratch, 0, near)
                            nearest = get(scratch, k)
                            bottom = top
                            while rest != 0:
                                k = first_bit(rest)
                                rest &= rest - 1
                                other, distance = get(tree.links, children + k), get(scratch, k)
                                swap = distance < nearest
                                farther, far_link = nearest if swap else distance, link if swap else other
                                nearest, link = distance if swap else nearest, other if swap else link
                                place = top
                                while place > bottom and get(depths, place - 1) < farther:
                                    put(depths, place, get(depths, place - 1))
                                    put(stack, place, get(stack, place - 1))
                                    place -= 1
                                put(depths, place, farther)
                                put(stack, place, far_link)
                                top += 1
                else:
                    aim = _aim(doubles, n, segments, False)
                    best, best_t, best_error, open_t = (
                        get(bests, slot),
                        get(ts, slot),
                        get(errors, slot),
                        get(opens, slot),
                    )
                    limit = best_t + best_error
                    hit, unsure = _leaf(tree, link, aim, limit, found)
                    if hit | unsure != 0:
                        while unsure != 0:
                            k = first_bit(unsure)
                            unsure &= unsure - 1
                            low = get(found, k) - get(found, k + 8)
                            open_t = low if low < open_t else (open_t if low == low else -inf)
                        while hit != 0:
                            k = first_bit(hit)
                            hit &= hit - 1
                            new_t, error = get(found, k), get(found, k + 8)
                            index = np.int32((~link >> 3) * LANES + k)
                            if new_t - error > limit:
                                continue
                            if new_t + error < best_t - best_error or best < 0:
                                best, best_t, best_error = index, new_t, error
                            elif error == 0 and best_error == 0 and new_t == best_t:
                                best = index if get(tree.ids, index) < get(tree.ids, best) else best
                            else:
                                open_t = min(open_t, new_t - error, best_t - best_error)
                                if new_t + error < limit:
                                    best, best_t, best_error = index, new_t, error
                            limit = best_t + best_error
                        reach = _reach(aim, limit)
                        put(reaches, slot, reach)
                        put(bests, slot, best)
                        put(ts, slot, best_t)
                        put(errors, slot, best_error)
                        put(opens, slot, open_t)
                if pop:
                    while top > slot * STACK and get(depths, top - 1) > reach:
                        top -= 1
                    if top == slot * STACK:
                        best, best_t, best_error = get(bests, slot), get(ts, slot), get(errors, slot)
                        put(winners, n, best)
                        put(winner_ts, n, best_t)
                        put(winner_errors, n, best_error)
                        put(verdicts, n, np.int8(HIT if get(opens, slot) > best_t + best_error else OPEN))
                        # The last slot moves here.
                        busy -= 1
                        if slot < busy:
                            put(all_signs, slot, get(all_signs, busy))
                            put(links, slot, get(links, busy))
                            put(rays, slot, get(rays, busy))
                            put(reaches, slot, get(reaches, busy))
                            put(bests, slot, get(bests, busy))
                            put(ts, slot, get(ts, busy))
                            put(errors, slot, get(errors, busy))
                            put(opens, slot, get(opens, busy))
                            height = get(tops, busy) - busy * STACK
                            for k in range(height):
                                put(stack, slot * STACK + k, get(stack, busy * STACK + k))
                                put(depths, slot * STACK + k, get(depths, busy * STACK + k))
                            put(tops, slot, slot * STACK + height)
                        break
                    top -= 1
                    link = get(stack, top)
                if slots > 1:
                    _ask(tree, link)
                    put(links, slot, link)
                    put(tops, slot, top)
                    slot += 1
                    break
        for start in range(0, size, LANES):
            highest = get(winners, start)
            for n in range(start + 1, start + LANES):
                highest = max(highest, get(winners, n))
            sure = np.int32(0)
            if highest >= 0:
                sure = _refine(tree, doubles, start, winners, winner_ts, winner_errors, gathered, found)
            for n in range(start, min(start + LANES, size)):
                place = get(order, chunk + n) if order.size > 0 else first + chunk + n
                code, verdict = get(winners, n), get(verdicts, n)
                if code >= 0:
                    put(element, place, np.int64(get(tree.ids, code)))
                    verdict = verdict if (sure >> (n & 7)) & 1 else np.int8(OPEN)
                    put(
                        t,
                        place,
                        get(found, n & 7) if verdict == HIT else get(winner_ts, n) + get(winner_errors, n),
                    )
                else:
                    put(element, place, -1)
                    put(t, place, nan if verdict == HIT else LATEST)
                put(state, place, verdict)


@compiled
def collect(
    tree: Any, probes: Any, segments: bool, lines: bool, first: int, last: int, limits: Any, counts: Any
) -> Any:
    """Give 2 * element + (1 if that is open) for all that each probe hits up to its limit, ascending; count them.

    A STRANGE probe has the count -1, and nothing.
    """
    stack, found = np.empty(STACK, np.int32), np.empty(2 * LANES)
    codes, size = np.empty(1024, np.int32), 0
    singles, doubles = np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    order = np.empty(0, np.int64)
    for chunk in range(0, last - first, LANES):
        _prepare(
            tree.frame,
            probes,
            order,
            first,
            segments,
            lines,
            chunk,
            min(chunk + LANES, last - first),
            singles,
            doubles,
        )
        for n in range(min(LANES, last - first - chunk)):
            aim, signs = _aim(doubles, n, segments, lines), _signs(singles, n)
            start, limit = size, limits[first + chunk + n]
            reach = _reach(aim, limit)
            stack[0], top = 0, 1 if aim.reach >= 0 else 0
            while top > 0:
                top -= 1
                link = get(stack, top)
                if link >= 0:
                    near, far = _slabs(tree.nodes, link, singles, n, signs, reach)
                    mask = near <= far
                    while mask != 0:
                        put(stack, top, get(tree.links, link * NODE + LINKS + first_bit(mask)))
                        mask &= mask - 1
                        top += 1
                    continue
                hit, unsure = _leaf(tree, link, aim, limit, found)
                if size + LANES > codes.size:
                    grown = np.empty(2 * codes.size, np.int32)
                    grown[:size] = codes[:size]
                    codes = grown
                either = hit | unsure
                while either != 0:
                    k = first_bit(either)
                    either &= either - 1
                    codes[size] = 2 * get(tree.ids, (~link >> 3) * LANES + k) + ((unsure >> k) & 1)
                    size += 1
            if size > start + 1:
                codes[start:size].sort()
            counts[first + chunk + n] = size - start if aim.reach == aim.reach else -1
    return codes[:size].copy()


@compiled
def touch(
    tree: Any,
    probes: Any,
    segments: bool,
    lines: bool,
    first: int,
    last: int,
    first_only: bool,
    marks: Any,
    state: Any,
) -> Any:
    """Mark the elements that a probe surely hits and write each probe's HIT, MISS, OPEN or STRANGE; give open pairs.

    With `first_only` a probe ends at its first hit, and neither elements nor pairs are noted.
    """
    stack, found = np.empty(STACK, np.int32), np.empty(2 * LANES)
    pairs, size = np.empty((64, 2), np.int64), 0
    singles, doubles = np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    order = np.empty(0, np.int64)
    for chunk in range(0, last - first, LANES):
        _prepare(
            tree.frame,
            probes,
            order,
            first,
            segments,
            lines,
            chunk,
            min(chunk + LANES, last - first),
            singles,
            doubles,
        )
        for n in range(min(LANES, last - first - chunk)):
            aim, signs = _aim(doubles, n, segments, lines), _signs(singles, n)
            reach = np.float32(aim.reach)
            verdict = MISS if reach == reach else STRANGE
            stack[0], top = 0, 1 if aim.reach >= 0 else 0
            while top > 0:
                top -= 1
                link = get(stack, top)
                if link >= 0:
                    near, far = _slabs(tree.nodes, link, singles, n, signs, reach)
                    mask = near <= far
                    while mask != 0:
                        put(stack, top, get(tree.links, link * NODE + LINKS + first_bit(mask)))
                        mask &= mask - 1
                        top += 1
                    continue
                hit, unsure = _leaf(tree, link, aim, LATEST, found)
                if hit != 0:
                    verdict = HIT
                elif unsure != 0 and verdict == MISS:
                    verdict = OPEN
                if first_only:
                    top = 0 if verdict == HIT else top
                    continue
                while hit != 0:
                    marks[get(tree.ids, (~link >> 3) * LANES + first_bit(hit))] = True
                    hit &= hit - 1
                while unsure != 0:
                    if size == len(pairs):
                        grown = np.empty((2 * size, 2), np.int64)
                        grown[:size] = pairs
                        pairs = grown
                    pairs[size, 0] = first + chunk + n
                    pairs[size, 1] = get(tree.ids, (~link >> 3) * LANES + first_bit(unsure))
                    unsure &= unsure - 1
                    size += 1
            state[first + chunk + n] = verdict
    return pairs[:size].copy()


@compiled
def overlapping(tree: Any, lo: Any, hi: Any) -> Any:
    """Give the elements in blocks whose bounds meet a box in unit space, grown already; ascending."""
    stack = np.empty(STACK, np.int32)
    found, size = np.empty(1024, np.int32), 0
    stack[0], top = 0, 1
    while top > 0:
        top -= 1
        link = stack[top]
        if link < 0:
            count = (~link & 7) + 1
            if size + LANES > found.size:
                grown = np.empty(2 * found.size, np.int32)
                grown[:size] = found[:size]
                found = grown
            found[size : size + count] = tree.ids[(~link >> 3) * LANES : (~link >> 3) * LANES + count]
            size += count
            continue
        base = link * NODE
        mask = np.int32(255)
        for axis in range(3):
            mask &= load(tree.nodes, base + 16 * axis) <= hi[axis]
            mask &= lo[axis] <= load(tree.nodes, base + 16 * axis + 8)
        while mask != 0:
            stack[top] = tree.links[base + LINKS + first_bit(mask)]
            mask &= mask - 1
            top += 1 if stack[top] != NONE else 0
    return np.sort(found[:size])


# The build


@inlined
def _bounds(rows: Any, n: int) -> tuple[float, float, float, float, float, float]:
    """Give the bounds lo x, y, z, hi x, y, z of an element of the rows; those of an oriented box a little larger."""
    if rows.shape[0] == 6:
        return rows[0, n], rows[1, n], rows[2, n], rows[3, n], rows[4, n], rows[5, n]
    if rows.shape[0] == 9:
        return (
            min(rows[0, n], rows[3, n], rows[6, n]),
            min(rows[1, n], rows[4, n], rows[7, n]),
            min(rows[2, n], rows[5, n], rows[8, n]),
            max(rows[0, n], rows[3, n], rows[6, n]),
            max(rows[1, n], rows[4, n], rows[7, n]),
            max(rows[2, n], rows[5, n], rows[8, n]),
        )
    x, y, z = rows[0, n], rows[1, n], rows[2, n]
    a, b, c = rows[3, n], rows[4, n], rows[5, n]
    dx = a * abs(rows[6, n]) + b * abs(rows[9, n]) + c * abs(rows[12, n])
    dy = a * abs(rows[7, n]) + b * abs(rows[10, n]) + c * abs(rows[13, n])
    dz = a * abs(rows[8, n]) + b * abs(rows[11, n]) + c * abs(rows[14, n])
    dx, dy, dz = dx + (dx + abs(x)) * 2.0**-50, dy + (dy + abs(y)) * 2.0**-50, dz + (dz + abs(z)) * 2.0**-50
    return x - dx, y - dy, z - dz, x + dx, y + dy, z + dz


@compiled
def measure(rows: Any, first: int, last: int) -> Any:
    """Give the bounds of some elements, and the least number among their coordinates that is not zero; (7,)."""
    box = np.array([inf, inf, inf, -inf, -inf, -inf, inf])
    least = inf
    for n in range(first, last):
        lx, ly, lz, hx, hy, hz = _bounds(rows, n)
        box[0], box[1], box[2] = min(box[0], lx), min(box[1], ly), min(box[2], lz)
        box[3], box[4], box[5] = max(box[3], hx), max(box[4], hy), max(box[5], hz)
        for k in range(rows.shape[0]):
            number = abs(rows[k, n])
            least = number if 0 < number < least else least
    box[6] = least
    return box


@compiled
def make_records(rows: Any, frame: Any, first: int, last: int, records: Any, words: Any) -> None:
    """Write of each element a record of eight float32: lo x, y, z, its index (in `words`), -hi x, y, z, 0.

    In unit space; with -hi, the bounds of two records are the lesser of each number.
    """
    x, y, z, scale = frame[0], frame[1], frame[2], frame[3]
    for n in range(first, last):
        lx, ly, lz, hx, hy, hz = _bounds(rows, n)
        at = n * 8
        records[at], records[at + 1], records[at + 2] = (lx - x) * scale, (ly - y) * scale, (lz - z) * scale
        records[at + 4], records[at + 5], records[at + 6] = (x - hx) * scale, (y - hy) * scale, (z - hz) * scale
        records[at + 7] = 0
        words[at + 3] = n


@inlined
def _half_area(box: Any) -> float:
    """Give half the surface area of bounds in the form of a record."""
    sides = box + swap_halves(box)
    x, y, z = lane(sides, 0), lane(sides, 1), lane(sides, 2)
    return x * y + y * z + z * x


@inlined
def _blocks_of(count: int) -> float:
    return np.float32((count + LANES - 1) // LANES)


@inlined
def _halve(
    records: Any, at: int, ranges: Any, boxes: Any, centers: Any, new: int, bins: Any, counts: Any, areas: Any
) -> None:
    """Split range `at` of a node's children in two, the second becoming range `new`.

    Of 16 bins of the centers along each axis, that split is taken which makes the least sum of area times blocks
    (Wald 2007); where the centers are one point, or it has gone deep, the range is halved as it is.
    """
    begin, end = ranges[at, 0], ranges[at, 1]
    center = load(centers, at * 8)
    span = center + swap_halves(center)
    # One more than the greatest index would be reached at the upper end.
    scale_x, scale_y, scale_z = _bin_scale(lane(span, 0)), _bin_scale(lane(span, 1)), _bin_scale(lane(span, 2))
    low_x, low_y, low_z = lane(center, 0), lane(center, 1), lane(center, 2)
    empty = center * np.float32(0) + np.float32(inf)
    best_axis, best_bin, best_cost = -1, 0, np.float32(inf)
    if max(scale_x, scale_y, scale_z) > 0 and end - begin > LANES:
        for k in range(3 * BINS):
            store(bins, k * 8, empty)
            counts[k] = 0
        for n in range(begin, end):
            record = load(records, n * 8)
            middle = record - swap_halves(record)
            i = int((lane(middle, 0) - low_x) * scale_x)
            j = int((lane(middle, 1) - low_y) * scale_y) + BINS
            k = int((lane(middle, 2) - low_z) * scale_z) + 2 * BINS
            store(bins, i * 8, lesser(load(bins, i * 8), record))
            store(bins, j * 8, lesser(load(bins, j * 8), record))
            store(bins, k * 8, lesser(load(bins, k * 8), record))
            counts[i] += 1
            counts[j] += 1
            counts[k] += 1
        for axis in range(3):
            if (scale_x if axis == 0 else (scale_y if axis == 1 else scale_z)) == 0:
                continue
            box, count = empty, 0
            for k in range(BINS - 1, 0, -1):
                count += counts[axis * BINS + k]
                box = lesser(box, load(bins, (axis * BINS + k) * 8))
                areas[k] = _half_area(box) * _blocks_of(count) if count > 0 else np.float32(0)
            box, count = empty, 0
            for k in range(BINS - 1):
                count += counts[axis * BINS + k]
                if count == 0 or count == end - begin:
                    continue
                box = lesser(box, load(bins, (axis * BINS + k) * 8))
                cost = _half_area(box) * _blocks_of(count) + areas[k + 1]
                if cost < best_cost:
                    best_axis, best_bin, best_cost = axis, k, cost
    left, right, left_center, right_center = empty, empty, empty, empty
    i, j = begin, end
    if best_axis < 0:
        i = j = (begin + end) // 2
        for n in range(begin, end):
            record = load(records, n * 8)
            middle = record - swap_halves(record)
            if n < i:
                left, left_center = lesser(left, record), lesser(left_center, middle)
            else:
                right, right_center = lesser(right, record), lesser(right_center, middle)
    low = low_x if best_axis == 0 else (low_y if best_axis == 1 else low_z)
    scale = scale_x if best_axis == 0 else (scale_y if best_axis == 1 else scale_z)
    while i < j:
        record = load(records, i * 8)
        middle = record - swap_halves(record)
        if int((lane(middle, best_axis) - low) * scale) <= best_bin:
            left, left_center = lesser(left, record), lesser(left_center, middle)
            i += 1
        else:
            right, right_center = lesser(right, record), lesser(right_center, middle)
            j -= 1
            store(records, i * 8, load(records, j * 8))
            store(records, j * 8, record)
    ranges[at, 1], ranges[new, 0], ranges[new, 1] = i, i, end
    store(boxes, at * 8, left)
    store(boxes, new * 8, right)
    store(centers, at * 8, left_center)
    store(centers, new * 8, right_center)


@inlined
def _bin_scale(span: Any) -> Any:
    """Give the factor from a center's distance to its bin, for centers that span -span; 0 for a span of zero."""
    return np.float32(BINS * (1.0 - 2.0**-20)) / -span if -span > np.float32(2.0**-100) else np.float32(0)


@inlined
def _branch(records: Any, ranges: Any, boxes: Any, centers: Any, bins: Any, counts: Any, areas: Any) -> int:
    """Split range 0 into up to eight, the one of the largest area each time; give how many (Wald et al. 2008)."""
    size = 1
    while size < LANES:
        largest, area = -1, np.float32(-1)
        for k in range(size):
            if ranges[k, 1] - ranges[k, 0] > LANES:
                own = _half_area(load(boxes, k * 8))
                if own > area:
                    largest, area = k, own
        if largest < 0:
            break
        _halve(records, largest, ranges, boxes, centers, size, bins, counts, areas)
        size += 1
    return size


@compiled
def branch(records: Any, ranges: Any, boxes: Any, centers: Any) -> int:
    """Split all records, range 0, into the root's children; give how many there are."""
    bins, counts, areas = (
        np.empty(3 * BINS * 8, np.float32),
        np.empty(3 * BINS, np.int64),
        np.empty(BINS, np.float32),
    )
    box = load(records, 0)
    center = box - swap_halves(box)
    for n in range(ranges[0, 0], ranges[0, 1]):
        record = load(records, n * 8)
        box, center = lesser(box, record), lesser(center, record - swap_halves(record))
    store(boxes, 0, box)
    store(centers, 0, center)
    return _branch(records, ranges, boxes, centers, bins, counts, areas)


@compiled
def grow(records: Any, first: int, last: int, box: Any, center: Any, links: Any, begins: Any) -> Any:
    """Build a subtree over some records; give how many nodes and blocks it has.

    Writes the links of each node's children (8 a node), those of the subtree counted from 0, and where in the
    records each block begins. A node comes before its children.
    """
    ranges, boxes, centers = np.empty((8, 2), np.int64), np.empty(64, np.float32), np.empty(64, np.float32)
    bins, counts, areas = (
        np.empty(3 * BINS * 8, np.float32),
        np.empty(3 * BINS, np.int64),
        np.empty(BINS, np.float32),
    )
    # What waits: its node, depth, range, and bounds.
    waiting, bounds = np.empty((STACK, 4), np.int64), np.empty(STACK * 16, np.float32)
    waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3] = 0, 0, first, last
    store(bounds, 0, load(box, 0))
    store(bounds, 8, load(center, 0))
    top, nodes, blocks = 1, 1, 0
    while top > 0:
        top -= 1
        node, depth = waiting[top, 0], waiting[top, 1]
        ranges[0, 0], ranges[0, 1] = waiting[top, 2], waiting[top, 3]
        store(boxes, 0, load(bounds, top * 16))
        middle = load(bounds, top * 16 + 8)
        store(centers, 0, middle if depth < DEPTH else middle * np.float32(0))
        size = _branch(records, ranges, boxes, centers, bins, counts, areas)
        for k in range(LANES):
            begin, end = ranges[k, 0], ranges[k, 1]
            if k >= size:
                links[node * LANES + k] = NONE
            elif end - begin <= LANES:
                links[node * LANES + k] = ~(blocks * LANES + end - begin - 1)
                begins[blocks] = begin
                blocks += 1
            else:
                links[node * LANES + k] = nodes
                waiting[top, 0], waiting[top, 1], waiting[top, 2], waiting[top, 3] = nodes, depth + 1, begin, end
                store(bounds, top * 16, load(boxes, k * 8))
                store(bounds, top * 16 + 8, load(centers, k * 8))
                nodes += 1
                top += 1
    return nodes, blocks


@compiled
def attach(tree: Any, links: Any, node: int, block: int, begins: Any, words: Any) -> None:
    """Copy a subtree into the tree, its nodes counted on from `node` and its blocks from `block`, and write their ids."""
    for place in range(links.size):
        link = links[place]
        if link >= 0:
            link += node
        elif link != NONE:
            link -= block * LANES
            begin = begins[(~links[place]) >> 3]
            for i in range((~link & 7) + 1):
                tree.ids[(~link >> 3) * LANES + i] = words[(begin + i) * LANES + 3]
        tree.links[(node + place // LANES) * NODE + LINKS + place % LANES] = link


@compiled
def fill(tree: Any, rows: Any, first: int, last: int) -> None:
    """Write the blocks of some nodes, and their bounds."""
    x, y, z, scale = tree.frame[0], tree.frame[1], tree.frame[2], tree.frame[3]
    for node in range(first, last):
        base = node * NODE
        for k in range(LANES):
            link = tree.links[base + LINKS + k]
            lx = ly = lz = inf
            hx = hy = hz = -inf
            if link < 0 and link != NONE:
                block, count = ~link >> 3, (~link & 7) + 1
                for i in range(LANES):
                    # Lanes without an element repeat the last; they are masked out.
                    n = tree.ids[block * LANES + min(i, count - 1)]
                    for row in range(rows.shape[0]):
                        tree.blocks[(block * rows.shape[0] + row) * LANES + i] = rows[row, n]
                    ax, ay, az, bx, by, bz = _bounds(rows, n)
                    lx, ly, lz, hx, hy, hz = (
                        min(lx, ax),
                        min(ly, ay),
                        min(lz, az),
                        max(hx, bx),
                        max(hy, by),
                        max(hz, bz),
                    )
                lx, ly, lz = (lx - x) * scale, (ly - y) * scale, (lz - z) * scale
                hx, hy, hz = (hx - x) * scale, (hy - y) * scale, (hz - z) * scale
            tree.nodes[base + k], tree.nodes[base + 8 + k] = lx, hx
            tree.nodes[base + 16 + k], tree.nodes[base + 24 + k] = ly, hy
            tree.nodes[base + 32 + k], tree.nodes[base + 40 + k] = lz, hz


@compiled
def fold(tree: Any) -> None:
    """Write the bounds of what is no block, from the last node to the first."""
    for node in range(tree.links.size // NODE - 1, -1, -1):
        for k in range(LANES):
            link = tree.links[node * NODE + LINKS + k]
            if link <= 0:
                continue
            for row in range(6):
                number = tree.nodes[link * NODE + row * 8]
                for i in range(1, LANES):
                    other = tree.nodes[link * NODE + row * 8 + i]
                    number = min(number, other) if row % 2 == 0 else max(number, other)
                tree.nodes[node * NODE + row * 8 + k] = number


@compiled
def visit(tree: Any, probes: Any, segments: bool, lines: bool) -> Any:
    """Give the places, node * 8 + child, of all children that probe 0 enters."""
    stack, singles, doubles = np.empty(STACK, np.int32), np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    places, size = np.empty(tree.links.size // NODE * LANES, np.int64), 0
    _prepare(tree.frame, probes, np.empty(0, np.int64), 0, segments, lines, 0, 1, singles, doubles)
    reach, signs = get(singles, 72), _signs(singles, 0)
    stack[0], top = 0, 1 if reach >= 0 else 0
    while top > 0:
        top -= 1
        node = get(stack, top)
        near, far = _slabs(tree.nodes, node, singles, 0, signs, reach)
        mask = near <= far
        while mask != 0:
            k = first_bit(mask)
            mask &= mask - 1
            places[size] = node * LANES + k
            size += 1
            if tree.links[node * NODE + LINKS + k] >= 0:
                stack[top] = tree.links[node * NODE + LINKS + k]
                top += 1
    return places[:size].copy()


class Tree:
    """A hierarchy over n axis-aligned boxes, oriented boxes or triangles."""

    def __init__(self, shapes: Shapes) -> None:
        """Build it, in O(n log n)."""
        frame = _frame(shapes)
        self.shapes = shapes
        self._packed = None if frame is None else _build(shapes, frame)

    def refit(self, shapes: Shapes) -> "Tree":
        """Give a tree of the same nodes over the same elements elsewhere, in O(n); slower if they moved far apart."""
        frame = _frame(shapes)
        if self._packed is None or frame is None:
            return Tree(shapes)
        old = self._packed
        nodes = _aligned(old.nodes.size, np.float32)
        nodes[:] = old.nodes
        tree = object.__new__(Tree)
        tree.shapes = shapes
        blocks = _aligned(old.blocks.size, np.float64)
        tree._packed = old._replace(nodes=nodes, links=nodes.view(np.int32), blocks=blocks, frame=frame)
        _fit(tree._packed, shapes)
        return tree

    def hits(self, probe: Shape) -> NDArray[np.intp]:
        """Give the indices of all elements that a probe has a point in common with, ascending."""
        if isinstance(probe, Segment | Ray | Line):
            return self.all(Shapes.of([probe])).elements.astype(np.intp)
        if self._packed is None:
            return self._asked(probe)
        lo, hi = _probe_bounds(probe)
        frame = self._packed.frame
        with np.errstate(over="ignore", invalid="ignore"):
            lo, hi = ((side - frame[:3]) * frame[3] for side in (lo, hi))
            pad = PAD + max(np.abs(lo).max(), np.abs(hi).max()) * 2.0**-50
            lo, hi = np.nan_to_num(lo - pad, nan=-inf), np.nan_to_num(hi + pad, nan=inf)
            found = overlapping(self._packed, lo.astype(np.float32), hi.astype(np.float32))
        return found[self._asked(probe, found)].astype(np.intp)

    def closest(self, probes: Shapes) -> Closest:
        """Give of each segment or ray the element that it enters first, the lowest index of several, and t there."""
        m = len(probes)
        element, t, state = np.empty(m, np.int64), np.empty(m), np.empty(m, np.int8)
        if self._packed is None:
            state[:] = STRANGE
        else:
            packed, flat, segments = self._packed, probes.rows.reshape(-1), probes.kind is Segment
            _each(m, lambda first, last: closest(packed, flat, segments, first, last, element, t, state))
        for n in np.flatnonzero(state == STRANGE).tolist():
            element[n], t[n] = self._first(probes[n], self._asked(probes[n]))
        places = np.flatnonzero(state == OPEN)
        found = self._collect(_some(probes, places), t[places])
        for k, n in enumerate(places.tolist()):
            element[n], t[n] = self._first(probes[n], found.elements[found.first[k] : found.first[k + 1]])
        return Closest(element, t)

    def all(self, probes: Shapes) -> Hits:
        """Give all elements that each segment, ray or line hits."""
        return self._collect(probes, np.full(len(probes), LATEST))

    def any(self, probes: Shapes) -> NDArray[np.bool_]:
        """Say of each segment, ray or line whether it hits anything; (m,)."""
        _, state, _ = self._touch(probes, True)
        places = np.flatnonzero(state >= OPEN)
        state[places] = np.diff(self.all(_some(probes, places)).first) > 0
        return state.view(np.bool_)

    def touched(self, probes: Shapes) -> Touched:
        """Give what any of the segments, rays or lines hits, and which of them hit, without keeping the pairs."""
        marks, state, pairs = self._touch(probes, False)
        for n, elements in _grouped(pairs):
            hits = elements[self._asked(probes[n], elements)]
            marks[hits] = True
            state[n] = HIT if hits.size or state[n] == HIT else MISS
        for n in np.flatnonzero(state == STRANGE).tolist():
            hits = self._asked(probes[n])
            marks[hits] = True
            state[n] = HIT if hits.size else MISS
        return Touched(marks, state.view(np.bool_))

    def levels(self) -> list[NDArray[np.float64]]:
        """Give the boxes (q, 2, 3), lo and hi, of each level, from the root's one to the last blocks'."""
        return [] if self._packed is None else self._by_level(np.ones(self._packed.ids.size, np.bool_))

    def visited(self, probe: Segment | Ray | Line) -> list[NDArray[np.float64]]:
        """Give the boxes of each level that a search for all hits enters."""
        if self._packed is None:
            return []
        places = visit(
            self._packed,
            Shapes.of([probe]).rows.reshape(-1),
            isinstance(probe, Segment),
            isinstance(probe, Line),
        )
        entered = np.zeros(self._packed.nodes.size // NODE * LANES, np.bool_)
        entered[places] = True
        return self._by_level(entered)

    def _by_level(self, entered: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
        assert self._packed is not None
        frame = self._packed.frame
        bounds = self._packed.nodes.reshape(-1, NODE)[:, :LINKS].reshape(-1, 3, 2, LANES)
        boxes = bounds.transpose(0, 3, 2, 1).reshape(-1, 2, 3) / frame[3] + frame[:3]
        links = self._packed.links.reshape(-1, NODE)[:, LINKS : LINKS + LANES].reshape(-1)
        levels = [(frame[6:] / frame[3]).reshape(1, 2, 3) + frame[:3]]
        nodes = np.zeros(1, np.int64)
        while nodes.size:
            places = (nodes[:, None] * LANES + np.arange(LANES)).reshape(-1)
            places = places[(links[places] != NONE) & entered[places]]
            levels.append(boxes[places])
            nodes = links[places][links[places] >= 0].astype(np.int64)
        return levels

    def _touch(
        self, probes: Shapes, first_only: bool
    ) -> tuple[NDArray[np.bool_], NDArray[np.int8], NDArray[np.int64]]:
        """Give what is surely touched, what of each probe is found, and the open pairs."""
        m = len(probes)
        marks, state = np.zeros(len(self.shapes), np.bool_), np.full(m, STRANGE, np.int8)
        if self._packed is None:
            return marks, state, np.empty((0, 2), np.int64)
        packed, flat = self._packed, probes.rows.reshape(-1)
        segments, lines = probes.kind is Segment, probes.kind is Line
        parts = _each(m, lambda a, b: touch(packed, flat, segments, lines, a, b, first_only, marks, state))
        return marks, state, np.concatenate([np.empty((0, 2), np.int64), *parts])

    def _collect(self, probes: Shapes, limits: NDArray[np.float64]) -> Hits:
        """Give all hits at t up to the limits, and perhaps some beyond."""
        m = len(probes)
        counts, parts = np.full(m, -1, np.int64), []
        if self._packed is not None:
            packed, flat = self._packed, probes.rows.reshape(-1)
            segments, lines = probes.kind is Segment, probes.kind is Line
            parts = _each(m, lambda a, b: collect(packed, flat, segments, lines, a, b, limits, counts))
        codes = np.concatenate([np.empty(0, np.int32), *parts])
        strange = np.flatnonzero(counts < 0)
        counts[strange] = 0
        elements, unsettled = codes >> 1, np.flatnonzero(codes & 1)
        if unsettled.size:
            owner, kept = np.repeat(np.arange(m), counts), np.ones(codes.size, np.bool_)
            for n, places in _grouped(np.stack([owner[unsettled], unsettled], axis=1)):
                kept[places] = False
                kept[places[self._asked(probes[n], elements[places])]] = True
            elements, counts = elements[kept], np.bincount(owner[kept], minlength=m)
        for n in strange.tolist():
            hits = self._asked(probes[n])
            elements = np.insert(elements, counts[:n].sum(), hits)
            counts[n] = hits.size
        return Hits(np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]), elements)

    def _asked(self, probe: Shape, places: NDArray[Any] | None = None) -> NDArray[np.intp]:
        """Give which of the elements, all or those at some places, a probe meets, by asking every one."""
        shapes = self.shapes if places is None else _some(self.shapes, places)
        if len(shapes) < ARRAYS_FROM or (type(probe), shapes.kind) not in FILTERS:
            return np.flatnonzero([meet(probe, shape) for shape in shapes])
        verdicts = np.empty((1, len(shapes)), np.bool_)
        Many(shapes).decide(Shapes.of([probe]), slice(0, 1), slice(0, len(shapes)), False, verdicts)
        return np.flatnonzero(verdicts[0])

    def _first(self, probe: Shape, candidates: NDArray[Any]) -> tuple[int, float]:
        """Give which candidate a probe enters first, and t, rounded once; -1 and NaN of none."""
        found = [(relation(probe, self.shapes[k]).t_enter, k) for k in candidates.tolist()]
        t, k = min(((t, k) for t, k in found if t is not None), default=(nan, -1))
        return k, rounded(t)


def _some(shapes: Shapes, places: NDArray[Any]) -> Shapes:
    return Shapes(shapes.kind, np.ascontiguousarray(shapes.rows[:, places]))


def _grouped(pairs: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Give the seconds of pairs that have the same first, one after the other."""
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    starts = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
    for first, last in pairwise([*starts.tolist(), len(pairs)]):
        yield int(pairs[first, 0]), pairs[first:last, 1]


def _each(count: int, work: Callable[[int, int], R]) -> list[R]:
    """Do the work on ranges of a count, on all threads if there is enough of it; give the results in order."""
    parts = (
        min(max(2 * threads.count(), -(-count // MOST)), count // LEAST)
        if threads.count() > 1
        else -(-count // MOST)
    )
    parts = max(parts, 1)
    bounds = [count * part // parts for part in range(parts + 1)]
    results = threads.each if parts > 1 and threads.count() > 1 else map
    return list(results(lambda ends: work(*ends), pairwise(bounds))) if count else []


def _probe_bounds(probe: Shape) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give lo and hi of a point, a triangle or a box, those of a turned one a little larger."""
    match probe:
        case Obb(center, half_extents, axes):
            sides = np.abs(axes) * np.array(half_extents)[:, None]
            lo, hi = center - sides.sum(axis=0), center + sides.sum(axis=0)
        case Parallelepiped(origin, edges):
            sides = np.array(edges)
            lo, hi = origin + np.minimum(sides, 0).sum(axis=0), origin + np.maximum(sides, 0).sum(axis=0)
        case _:
            corners = np.array(probe)
            return corners.min(axis=0), corners.max(axis=0)
    lost = (np.abs(probe[0]) + np.abs(sides).sum(axis=0)) * 2.0**-48
    return lo - lost, hi + lost


def _aligned(size: int, dtype: Any) -> NDArray[Any]:
    """Give an array that begins with a cache line."""
    bytes_ = np.empty(size * np.dtype(dtype).itemsize + 64, np.uint8)
    start = -bytes_.ctypes.data % 64
    return bytes_[start : start + size * np.dtype(dtype).itemsize].view(dtype)


def _frame(shapes: Shapes) -> NDArray[np.float64] | None:
    """Give the frame of elements as `Packed` has it; None where there are none, or their numbers are too large."""
    if not len(shapes):
        return None
    parts = np.array(_each(len(shapes), lambda first, last: measure(shapes.rows, first, last)))
    lo, hi, least = parts[:, :3].min(axis=0), parts[:, 3:6].max(axis=0), parts[:, 6].min()
    largest = max(np.abs(lo).max(), np.abs(hi).max())
    if not largest < FARTHEST:
        return None
    center = lo / 2 + hi / 2
    half = max(np.abs(lo - center).max(), np.abs(hi - center).max(), NEAREST)
    scale = 2.0 ** -int(np.frexp(half)[1])
    vanishing = 2.0**-1074 if least < NEAREST else 0.0
    return np.array([*center, scale, largest, vanishing, *((lo - center) * scale), *((hi - center) * scale)])


def _build(shapes: Shapes, frame: NDArray[np.float64]) -> Packed:
    """Build the tree: the root's children on one thread, what is below them on all."""
    n = len(shapes)
    records = _aligned(n * LANES, np.float32)
    words = records.view(np.int32)
    _each(n, lambda first, last: make_records(shapes.rows, frame, first, last, records, words))
    ranges, boxes, centers = (
        np.array([[0, n]] * LANES),
        np.zeros((LANES, 8), np.float32),
        np.zeros((LANES, 8), np.float32),
    )
    size = branch(records, ranges, boxes.reshape(-1), centers.reshape(-1))

    def subtree(k: int) -> Subtree:
        first, last = ranges[k].tolist()
        links, begins = np.empty((last - first) * LANES, np.int32), np.empty(last - first, np.int32)
        nodes, blocks = grow(records, first, last, boxes[k], centers[k], links, begins)
        return Subtree(links[: nodes * LANES].copy(), begins[:blocks].copy())

    order = np.argsort(ranges[:size, 0] - ranges[:size, 1])
    subtrees = list(threads.each(subtree, order.tolist()))
    root = np.full(LANES, NONE, np.int32)
    # The nodes of the subtrees follow the root, and each other.
    nodes = np.cumsum([1, *(part.links.size // LANES for part in subtrees)])
    blocks = np.cumsum([0, *(part.begins.size for part in subtrees)])
    root[: len(subtrees)] = nodes[:-1]
    kept = _aligned(int(nodes[-1]) * NODE, np.float32)
    packed = Packed(
        kept,
        kept.view(np.int32),
        _aligned(int(blocks[-1]) * len(shapes.rows) * LANES, np.float64),
        np.zeros(int(blocks[-1]) * LANES, np.int32),
        frame,
        len(shapes.rows),
    )
    for part, node, block in zip([Subtree(root, NO_BLOCKS), *subtrees], [0, *nodes], [0, *blocks], strict=False):
        attach(packed, part.links, int(node), int(block), part.begins, words)
    _fit(packed, shapes)
    return packed


def _fit(packed: Packed, shapes: Shapes) -> None:
    """Write the bounds and blocks of the elements."""
    _each(packed.nodes.size // NODE, lambda first, last: fill(packed, shapes.rows, first, last))
    fold(packed)
