"""Pairs of which one number is moved by a few ulps."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.check.judge.drawing.drawn_shapes import DRAWN_SHAPES
from hitscope.check.judge.drawing.random_blocks import RandomBlock
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Shape

Kinds: TypeAlias = tuple[type[Shape], type[Shape]]
"""The types of the probes and of the primitives."""
Pairs: TypeAlias = tuple[Array, Array]
"""The rows of the probes and of the primitives."""


ZEROS_OF_SIZE = 0.96875
"""How often an ulp of a zero is that of the shape's largest number. A denormal one is rare in users' numbers, and
takes fractions to decide."""


def move_one_number(random: RandomBlock, kinds: Kinds, pairs: Pairs, ulps: Array) -> None:
    """Add ulps (n,), of its own or of the shape's largest number, to one number of each pair, in place.

    A pair stays as it is if a scene file could not hold the result, such as a box with min > max.
    """
    of_probe = random.chance(0.5)
    for kind, rows, chosen in zip(kinds, pairs, (of_probe, ~of_probe), strict=True):
        index, by = DRAWN_SHAPES[kind].movable(random, rows, ulps)
        columns = np.flatnonzero(chosen & (by != 0))
        own = rows[index, np.arange(rows.shape[1])]
        of_size = random.unit() < np.where(own == 0, ZEROS_OF_SIZE, 0.5)
        rows[:, columns] = _moved(
            kind, rows[:, columns], index[columns], by[columns], of_size[columns], random.precision.real
        )


def _moved(
    kind: type[Shape],
    rows: Array,
    index: NDArray[np.intp],
    ulps: Array,
    of_size: NDArray[np.bool_],
    real: str,
) -> Array:
    columns = np.arange(rows.shape[1])
    sizes = np.where(of_size, np.fmax.reduce(np.abs(rows), axis=0), np.abs(rows[index, columns]))
    moved = rows.copy()
    moved[index, columns] += ulps * np.spacing(sizes.astype(real)).astype(np.float64)
    sound = DRAWN_SHAPES[kind].sound(moved.astype(real).astype(np.float64))
    return np.where(sound, moved, rows)
