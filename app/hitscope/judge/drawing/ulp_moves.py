"""Pairs of which one number is moved by a few ulps."""

from functools import reduce
from typing import TypeAlias

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.precisions import greater
from hitscope.geometry.shapes import Shape
from hitscope.judge.drawing.drawn_shapes import DRAWN_SHAPES
from hitscope.judge.drawing.random_blocks import RandomBlock

Kinds: TypeAlias = tuple[type[Shape], type[Shape]]
"""The types of the probes and of the primitives."""
Pairs: TypeAlias = tuple[Array, Array]
"""The rows of the probes and of the primitives."""


ZEROS_OF_SIZE = 0.9921875
"""How often an ulp of a zero is that of the shape's largest number. A denormal one is rare in users' numbers, and
takes fractions to decide."""


def move_one_number(random: RandomBlock, kinds: Kinds, pairs: Pairs, ulps: Array) -> None:
    """Add ulps (n,), of its own or of the shape's largest number, to one number of each pair, in place.

    A pair stays as it is if a scene file could not hold the result, such as a box with min > max.
    """
    of_probe = random.chance(0.5)
    for kind, rows, chosen in zip(kinds, pairs, (of_probe, ~of_probe), strict=True):
        index, by = DRAWN_SHAPES[kind].movable(random, rows, ulps)
        own = np.take_along_axis(rows, index[None], axis=0)[0]
        of_size = random.unit() < np.where(own == 0, ZEROS_OF_SIZE, 0.5)
        sizes = np.where(of_size, reduce(greater, np.abs(rows)), np.abs(own))
        further = rows + by * random.precision.ulps(sizes)
        moved = np.where(np.arange(len(rows))[:, None] == index, further, rows)
        sound = DRAWN_SHAPES[kind].sound(random.precision.rounded(moved))
        rows[:] = np.where(sound & chosen & (by != 0), moved, rows)
