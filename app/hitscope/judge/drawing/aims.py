"""Probes moved or turned so that they come near the primitive, where hits and misses are both frequent."""

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Shape
from hitscope.judge.drawing.drawn_shapes import DRAWN_SHAPES, move
from hitscope.judge.drawing.random_blocks import RandomBlock
from hitscope.judge.drawing.samplers import Sampler, unit_vectors

FARTHEST = 3.0
"""How far from a primitive's middle the targets are at most, in its own half sizes."""


def move_half(kind: type[Shape], probes: Array, primitive: type[Shape], solids: Array, sampler: Sampler) -> None:
    """Move half of the probes, in place, by multiples of the sampler's step, onto points in or near primitives."""
    random = sampler.random
    own = DRAWN_SHAPES[kind].at(probes, _coordinates(kind, random, 1.0))
    by = _targets(primitive, solids, own, sampler) - own
    if sampler.step is not None:
        by = np.rint(by / sampler.step) * sampler.step
    move(kind, probes, np.where(np.isfinite(by).all(axis=0) & random.chance(0.5), by, 0.0))


def turn_half(kind: type[Shape], probes: Array, primitive: type[Shape], solids: Array, sampler: Sampler) -> None:
    """Turn half of linear probes, in place, to points in or near primitives; segments end before or behind."""
    target = _targets(primitive, solids, sampler.point(), sampler)
    random, start = sampler.random, probes[:3]
    if DRAWN_SHAPES[kind].points == 1:
        turned = unit_vectors(target - start)
    else:
        turned = start + (target - start) * (2 * random.unit())
    probes[3:] = np.where(random.chance(0.5), turned, probes[3:])


def _targets(kind: type[Shape], solids: Array, own: Array, sampler: Sampler) -> Array:
    """Draw points in and around primitives, a third of them surely inside; of planes those closest to `own`."""
    drawn = DRAWN_SHAPES[kind]
    if drawn.target is not None:
        return drawn.target(solids, own)
    return drawn.at(solids, _coordinates(kind, sampler.random, FARTHEST * sampler.random.unit()))


def _coordinates(kind: type[Shape], random: RandomBlock, stretch: Array | float) -> Array:
    """Draw the coordinates of points of shapes, their distances from the middle times `stretch`."""
    count = DRAWN_SHAPES[kind].coordinates
    inner, middle = random.unit(count), 0.5
    if count == 2:
        inner, middle = np.where(inner.sum(axis=0) > 1, 1 - inner, inner), 1 / 3
    coordinates: Array = middle + stretch * (inner - middle)
    return coordinates
