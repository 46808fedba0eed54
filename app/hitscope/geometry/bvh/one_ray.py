"""The triangle that a single ray enters first, with the least overhead of a call.

Numba takes longer to unpack the arrays of a tree than a search takes: here the tree is given by the addresses of
its arrays, and the ray and the answer are one array each. The search is that of `closest`, one probe at a time.
"""

from collections.abc import Callable
from functools import partial
from math import inf, isfinite, nan
from typing import Any

import numpy as np
from numba import float32, float64, int32, types
from numba.extending import intrinsic
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from hitscope.geometry.bvh.entered import entered
from hitscope.geometry.bvh.packed_tree import LINKS, NODE, STACK, PackedTree
from hitscope.geometry.bvh.probes import DOUBLES, SINGLES, Bundle, block_probe, prepare, reach_to, single
from hitscope.geometry.bvh.traversal import signs_of, slabs, test_block
from hitscope.geometry.bvh.tree import Tree
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import LATEST, RELATIVE_REFINED, SLACK, Precision, refine
from hitscope.geometry.lanes import LANES, first_bit, get, load, magnitude, put, store

MISSED, UNDECIDED = -1, -2
"""What the search returns in place of an element: UNDECIDED of a ray that is none, or that takes fractions."""


def closest_of(tree: Tree) -> Callable[[NDArray[np.float64], NDArray[np.float64]], int]:
    """Return `closest_to_ray` of a tree over triangles, as a function of a ray and an answer.

    It is valid only as long as the tree is kept.
    """
    if tree._packed is None:
        return lambda ray, answer: UNDECIDED
    addresses = np.array([array.ctypes.data for array in tree._packed[:5]], np.int64)
    found: Callable[[NDArray[np.float64], NDArray[np.float64]], int] = partial(closest_to_ray, addresses)
    return found


def _pointer_to(kind: Any) -> Any:
    """Return the compiled function that turns an address into a pointer to numbers of a type."""

    def typed(_: Any, address: Any) -> Any:
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return types.CPointer(kind)(types.int64), emit

    return intrinsic(typed)


_single, _double, _integer = _pointer_to(float32), _pointer_to(float64), _pointer_to(int32)


@compiled
def closest_to_ray(addresses: Any, ray: Any, answer: Any) -> int:
    """Return the triangle that a ray enters first, the lowest index of several, or MISSED or UNDECIDED.

    `ray` is its origin and direction (6,). Writes t, the point and the normal into `answer` (7,), NaN for none.
    """
    answer[:] = nan
    for k in range(6):
        if not isfinite(ray[k]):
            return UNDECIDED
    # `get` and `load` check no bounds: the sizes do not count.
    tree = PackedTree(
        carray(_single(addresses[0]), (1,)),
        carray(_integer(addresses[1]), (1,)),
        carray(_double(addresses[2]), (1,)),
        carray(_integer(addresses[3]), (1,)),
        carray(_double(addresses[4]), (1,)),
        9,
    )
    bundle, order = Bundle(ray, False, False), np.empty(0, np.int64)
    singles, doubles = np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    prepare(tree.frame, bundle, order, 0, 0, 1, singles, doubles)
    reach = single(singles, 9, 0)
    if np.isnan(reach):
        return UNDECIDED
    if reach < 0:
        return MISSED
    stack, depths = np.empty(STACK, np.int32), np.empty(STACK, np.float32)
    distances, found = np.empty(LANES, np.float32), np.empty(2 * LANES)
    probe, signs = block_probe(doubles, 0, bundle), signs_of(singles, 0)
    best, best_t, best_error, unsure_t, limit = np.int64(-1), LATEST, 0.0, inf, LATEST
    put(stack, 0, np.int32(0))
    put(depths, 0, np.float32(0))
    top = 1
    while top > 0:
        top -= 1
        if get(depths, top) > reach:
            continue
        link = get(stack, top)
        if link >= 0:
            near, mask = slabs(tree.nodes, link, singles, 0, signs, reach)
            store(distances, 0, near)
            bottom = top
            while mask != 0:
                k = first_bit(mask)
                mask &= mask - 1
                distance, slot = get(distances, k), top
                while slot > bottom and get(depths, slot - 1) < distance:
                    put(depths, slot, get(depths, slot - 1))
                    put(stack, slot, get(stack, slot - 1))
                    slot -= 1
                put(depths, slot, distance)
                put(stack, slot, get(tree.links, link * NODE + LINKS + k))
                top += 1
            continue
        hit, unsure = test_block(tree, link, probe, limit, found)
        while unsure != 0:
            k = first_bit(unsure)
            unsure &= unsure - 1
            low = get(found, k) - get(found, k + LANES)
            # An unknown t makes this NaN.
            unsure_t = unsure_t if low >= unsure_t else (low if low < unsure_t else -inf)
        while hit != 0:
            k = first_bit(hit)
            hit &= hit - 1
            t, error, new = get(found, k), get(found, k + LANES), np.int64((~link >> 3) * LANES + k)
            if t - error > limit:
                continue
            if t + error < best_t - best_error:
                best, best_t, best_error = new, t, error
            else:
                unsure_t = min(unsure_t, t - error, best_t - best_error)
                if t + error < limit:
                    best, best_t, best_error = new, t, error
            limit = best_t + best_error
            reach = reach_to(doubles, singles, 0, limit)
    if unsure_t <= limit:
        return UNDECIDED
    if best < 0:
        return MISSED
    triangle = np.empty(9 * LANES)
    for row in range(9):
        for k in range(LANES):
            put(triangle, row * LANES + k, get(tree.blocks, ((best >> 3) * 9 + row) * LANES + (best & 7)))
    origin = load(doubles, 0), load(doubles, 8), load(doubles, 16)
    zero = load(doubles, 48)
    direction = (load(doubles, 24), zero), (load(doubles, 32), zero), (load(doubles, 40), zero)
    absolute = load(doubles, 104)
    precision = Precision(absolute * 0.0 + RELATIVE_REFINED, absolute * 8.0)
    sure = refine(9, triangle, origin, direction, 0.0, precision, found)
    sure &= magnitude(load(found, 0) - best_t) <= best_error * SLACK
    if sure & 1 == 0:
        return UNDECIDED
    point, normal, sure_normal = entered(
        (ray[0], ray[1], ray[2]),
        (ray[3], ray[4], ray[5]),
        found[0],
        (triangle[0], triangle[8], triangle[16]),
        (triangle[24], triangle[32], triangle[40]),
        (triangle[48], triangle[56], triangle[64]),
    )
    if not sure_normal:
        return UNDECIDED
    answer[0] = found[0]
    for axis in range(3):
        answer[1 + axis], answer[4 + axis] = point[axis], normal[axis]
    element: int = get(tree.ids, best)
    return element
