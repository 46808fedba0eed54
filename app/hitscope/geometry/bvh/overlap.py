"""The elements near a probe that is not linear: those of blocks whose bounds meet the probe's."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.bvh.packed_tree import NODE, STACK, PackedTree, addresses
from hitscope.geometry.bvh.probes import PAD
from hitscope.geometry.bvh.traversal import push_all, with_room
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import LANES, get, load
from hitscope.geometry.shapes import Shape
from hitscope.geometry.traits import bounds_of


def overlapping(packed: PackedTree, probe: Shape, most: int) -> NDArray[np.int32] | None:
    """Return the elements, ascending, of all blocks whose bounds meet a probe's; None if more than `most`."""
    center, scale = packed.frame[:3], packed.frame[3]
    with np.errstate(over="ignore", invalid="ignore"):
        lo, hi = ((side - center) * scale for side in bounds_of(probe))
        pad = PAD + max(np.abs(lo).max(), np.abs(hi).max()) * 2.0**-50
        lo, hi = np.nan_to_num(lo - pad, nan=-inf), np.nan_to_num(hi + pad, nan=inf)
        found: NDArray[np.int32] = overlap(packed, lo.astype(np.float32), hi.astype(np.float32), most)
    return np.sort(found) if found.size <= most else None


@compiled
def overlap(packed: Any, lo: Any, hi: Any, most: int) -> Any:
    """Return the elements of all blocks whose bounds meet a box in unit space; some if more than `most`."""
    tree = addresses(packed)
    stack, top = np.zeros(STACK, np.int32), 1
    found, size = np.empty(1024, np.int32), 0
    while top > 0 and size <= most:
        top -= 1
        link = stack[top]
        if link < 0:
            found = with_room(found, size)
            for k in range((~link & 7) + 1):
                found[size + k] = get(tree.ids, (~link >> 3) * LANES + k)
            size += (~link & 7) + 1
            continue
        mask: Any = np.int32(255)
        for axis in range(3):
            low = load(tree.nodes, link * NODE + 2 * axis * LANES)
            high = load(tree.nodes, link * NODE + (2 * axis + 1) * LANES)
            # A child that does not exist has low > high.
            mask &= (low <= hi[axis]) & (high > lo[axis]) & (low <= high)
        top = push_all(tree.links, link, mask, stack, top)
    return found[:size].copy()
