"""The unit of how wrong a verdict is: the spacing of the cases' numbers."""

import numpy as np

from hitscope.geometry.arrays import has_width, length_rows, width
from hitscope.targets.cases import PART_WIDTH, Reals, kinds


def pair_ulps(pair: str, numbers: Reals) -> Reals:
    """Return an ulp of each of n cases (n, k): the spacing of their precision at its largest length; (n,)."""
    precision = np.finfo(numbers.dtype)
    least = precision.smallest_subnormal
    # Not np.spacing, which is infinite at the largest number of float32.
    exponents = np.frexp(np.maximum(largest_lengths(pair, numbers), least))[1] - precision.nmant - 1
    found: Reals = np.maximum(np.ldexp(numbers.dtype.type(1), exponents), least)
    return found


def largest_lengths(pair: str, numbers: Reals) -> Reals:
    """Return the largest length of each of n cases (n, k), regardless of its sign; (n,).

    Lengths are the numbers of points, extents, edges and offsets; those of directions, axes and normals are not.
    """
    probe, primitive = kinds(pair)
    sizes = np.abs(numbers)
    lengths = sizes[:, : width(probe)][:, length_rows(probe)]
    others = sizes[:, width(probe) :]
    if not has_width(primitive):
        parts = others.reshape(len(numbers), -1, PART_WIDTH)
        is_plane = ~np.isnan(parts[:, :, -1:])
        parts[:, :, :-1][np.broadcast_to(is_plane, parts[:, :, :-1].shape)] = np.nan
        others = parts.reshape(len(numbers), -1)
    else:
        others = others[:, length_rows(primitive)]
    largest: Reals = np.fmax.reduce(np.concatenate([lengths, others], axis=1), axis=1)
    return largest
