"""The triangle that a single ray enters first, the point and the normal there, with the least overhead of a call.

Numba takes longer to unpack the arrays of a tree than a search takes: here the tree is given by the addresses of
its arrays, and the ray and the answer are one array. The search is that of `closest`, one probe at a time.
"""

from collections.abc import Callable
from math import inf, isfinite, nan, sqrt
from threading import local
from typing import Any

import numpy as np
from numba import float32, float64, int32, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from hitscope.geometry.bvh.closest import closer, push_far, refined
from hitscope.geometry.bvh.packed_tree import STACK, PackedTree, TreeAddresses, aligned, places
from hitscope.geometry.bvh.probes import DOUBLES, SINGLES, Bundle, Order, block_probe, prepare, reach_to, single
from hitscope.geometry.bvh.traversal import signs_of, slabs, test_block
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import LATEST
from hitscope.geometry.lanes import LANES, address, get, inlined, put

LOST = 8.0 * 2.0**-53
"""The relative error of a determinant of rounded differences, in units of its terms' magnitudes."""
LOST_OF_NORMAL = 1e-12
"""The relative error that a normal may have."""
LEAST, GREATEST = 2.0**-900, 2.0**900
"""The squares of lengths that neither underflow nor overflow on the way."""


@inlined
def entered(origin: Any, direction: Any, t: float, a: Any, b: Any, c: Any) -> Any:
    """Return origin + t * direction, the unit normal of the triangle towards the origin, and whether that is sure.

    It is not sure of a ray that begins on the triangle, or that perhaps lies in its plane.
    """
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    px, py, pz, qx, qy, qz = uy * vz, uz * vx, ux * vy, uz * vy, ux * vz, uy * vx
    nx, ny, nz = px - qx, py - qy, pz - qz
    mx, my, mz = abs(px) + abs(qx), abs(py) + abs(qy), abs(pz) + abs(qz)
    dx, dy, dz = direction
    speed, terms = nx * dx + ny * dy + nz * dz, mx * abs(dx) + my * abs(dy) + mz * abs(dz)
    squared = nx * nx + ny * ny + nz * nz
    length = sqrt(squared)
    sure = (
        t > 0.0
        and LEAST < squared < GREATEST
        and LEAST < terms < GREATEST
        and abs(speed) > LOST * terms
        and LOST * (mx + my + mz) < LOST_OF_NORMAL * length
    )
    over = (-1.0 if speed > 0.0 else 1.0) / length if sure else nan
    point = origin[0] + t * dx, origin[1] + t * dy, origin[2] + t * dz
    # A zero is positive.
    return point, (nx * over + 0.0, ny * over + 0.0, nz * over + 0.0), sure


@compiled
def write_entered(
    rays: Any, triangles: Any, element: Any, t: Any, first: int, last: int, points: Any, normals: Any, sure: Any
) -> None:
    """Write what `entered` returns for rays `first` to `last`, where they hit an element; NaN for the others.

    `rays` (6, m) and `triangles` (9, n) are coordinate rows; points and normals are (m, 3).
    """
    for n in range(first, last):
        k = element[n]
        sure[n] = True
        points[n, :] = nan
        normals[n, :] = nan
        if k >= 0:
            point, normal, sure[n] = entered(
                (rays[0, n], rays[1, n], rays[2, n]),
                (rays[3, n], rays[4, n], rays[5, n]),
                t[n],
                (triangles[0, k], triangles[1, k], triangles[2, k]),
                (triangles[3, k], triangles[4, k], triangles[5, k]),
                (triangles[6, k], triangles[7, k], triangles[8, k]),
            )
            for axis in range(3):
                points[n, axis], normals[n, axis] = point[axis], normal[axis]


MISSED, UNDECIDED = -1, -2
"""The answer of the search in place of an element: UNDECIDED of a ray that is none, or that takes fractions."""
(DOUBLES_AT, GATHERED_AT, FOUND_AT, TRIANGLE_AT, SINGLES_AT, STACK_AT, DEPTHS_AT, DISTANCES_AT, MEMORY) = places(
    *(DOUBLES, 6 * LANES, 2 * LANES, 9 * LANES),
    # Numbers of half the size:
    *(SINGLES // 2, STACK // 2 + 1, STACK // 2 + 1, LANES // 2),
)
"""The working memory, in float64."""


class _Working(local):
    """The memory of each thread that searches: making it takes a fifth of the time of a search."""

    def __init__(self) -> None:
        self.memory = aligned(MEMORY, np.float64)


_WORKING = _Working()


def closest_of(packed: PackedTree | None) -> Callable[[NDArray[np.float64]], int]:
    """Return the search of a tree over triangles, as a function of the numbers of `closest_to_ray`.

    It is valid only as long as the tree is kept.
    """
    if packed is None:
        return lambda numbers: UNDECIDED
    arrays = packed.nodes, packed.blocks, packed.ids, packed.frame
    addresses = np.array([array.ctypes.data for array in arrays], np.int64)
    return lambda numbers: closest_to_ray(addresses, _WORKING.memory, numbers)


def _pointer_to(kind: Any) -> Any:
    """Return the compiled function that turns an address into a pointer to numbers of a type."""

    def typed(_: Any, address: Any) -> Any:
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return types.CPointer(kind)(types.int64), emit

    return intrinsic(typed)


_single, _double, _integer = _pointer_to(float32), _pointer_to(float64), _pointer_to(int32)


@compiled
def closest_to_ray(addresses: Any, memory: Any, numbers: Any) -> int:
    """Return the triangle that a ray enters first, the lowest index of several, or MISSED or UNDECIDED.

    `numbers` (13,) are its origin and direction. Writes t, the point and the normal behind them, NaN for none.
    """
    for k in range(7):
        numbers[6 + k] = nan
    for k in range(6):
        if not isfinite(numbers[k]):
            return UNDECIDED
    nodes, ids = addresses[0], addresses[2]
    tree = TreeAddresses(
        _single(nodes), _double(addresses[1]), _integer(ids), _double(addresses[3]), 9, _integer(nodes)
    )
    bundle = Bundle(address(numbers, 0, np.float64), False, False, 1)
    order = Order(address(memory, 0, np.int64), False, 0)
    singles, doubles = address(memory, SINGLES_AT, np.float32), address(memory, DOUBLES_AT, np.float64)
    stack, depths = address(memory, STACK_AT, np.int32), address(memory, DEPTHS_AT, np.float32)
    distances, found = address(memory, DISTANCES_AT, np.float32), address(memory, FOUND_AT, np.float64)
    triangle = address(memory, TRIANGLE_AT, np.float64)
    prepare(tree.frame, bundle, order, 0, 1, address(memory, GATHERED_AT, np.float64), singles, doubles)
    reach = single(singles, 9, 0)
    if reach != reach:  # noqa: PLR0124 - NaN
        return UNDECIDED
    if reach < 0:
        return MISSED
    probe, signs = block_probe(doubles, 0, bundle), signs_of(singles, 0)
    best, t, error, unsure_t = np.int32(-1), LATEST, 0.0, inf
    link: Any = np.int32(0)
    top = 0
    while True:
        mask: Any = np.int32(0)
        if link >= 0:
            near, mask = slabs(tree.nodes, link, singles, 0, signs, reach)
            if mask != 0:
                link, top = push_far(tree.links, link, mask, near, distances, stack, depths, top)
        else:
            hit, unsure = test_block(tree, link, probe, t + error, found)
            if hit | unsure != 0:
                best, t, error, unsure_t = closer(tree, link, hit, unsure, found, (best, t, error, unsure_t))
                reach = reach_to(doubles, singles, 0, t + error)
        if mask == 0:
            while top > 0 and get(depths, top - 1) > reach:
                top -= 1
            if top == 0:
                break
            top -= 1
            link = get(stack, top)
    if unsure_t <= t + error:
        return UNDECIDED
    if best < 0:
        return MISSED
    for row in range(9):
        for k in range(LANES):
            put(triangle, row * LANES + k, get(tree.blocks, ((best >> 3) * 9 + row) * LANES + (best & 7)))
    if refined(9, triangle, doubles, 0, t, error, found) & 1 == 0:
        return UNDECIDED
    point, normal, sure_normal = entered(
        (numbers[0], numbers[1], numbers[2]),
        (numbers[3], numbers[4], numbers[5]),
        get(found, 0),
        (get(triangle, 0), get(triangle, 8), get(triangle, 16)),
        (get(triangle, 24), get(triangle, 32), get(triangle, 40)),
        (get(triangle, 48), get(triangle, 56), get(triangle, 64)),
    )
    if not sure_normal:
        return UNDECIDED
    numbers[6] = get(found, 0)
    for axis in range(3):
        numbers[7 + axis], numbers[10 + axis] = point[axis], normal[axis]
    element: int = get(tree.ids, best)
    return element
