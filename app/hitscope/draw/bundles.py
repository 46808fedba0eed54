"""Bundles of more probes than are drawn one by one: thin threads straight from their arrays, of many thousands."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import Extent, Stage, finite
from hitscope.draw.items import NO_THREADS, Array, Cue, Threads
from hitscope.draw.shape_drawings import SHAPE_DRAWINGS, DrawnAs
from hitscope.evaluate import Part
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.shapes import ENDLESS, T_RANGES


def bundle_points(shapes: Shapes) -> Array:
    """Give points (n, 3) that are surely part of the scene: the ends of segments, the origins of rays."""
    return shapes.rows[:3].T if shapes.kind in ENDLESS else shapes.rows.T.reshape(-1, 3)


def is_of_points(part: Part) -> bool:
    """Whether an item is a bundle of points."""
    return part.shapes is not None and SHAPE_DRAWINGS[part.shapes.kind].drawn_as is DrawnAs.MARKER


def threads_of(bundles: Sequence[Part], hitting: NDArray[np.bool_], stage: Stage, around: Extent) -> Threads:
    """Give the segments and rays of bundles; a ray reaches past `around`."""
    starts, ends, probes, fades = [NO_THREADS.starts], [NO_THREADS.ends], [NO_THREADS.probes], [NO_THREADS.fades]
    for part in bundles:
        shapes = part.shapes
        if shapes is None or shapes.kind not in T_RANGES:
            continue
        start, other = shapes.rows[:3].T, shapes.rows[3:].T
        ends.append(_tips(start, other, stage, around) if shapes.kind in ENDLESS else other)
        starts.append(start)
        probes.append(np.arange(part.first, part.first + part.size))
        fades.append(np.full(part.size, shapes.kind in ENDLESS))
    places = np.concatenate(probes)
    # Those that hit something stand out from those that do not.
    cues = np.where(hitting[places], np.uint8(Cue.TOUCHING), np.uint8(Cue.NONE))
    return Threads(np.concatenate(starts), np.concatenate(ends), places, cues, np.concatenate(fades))


def _tips(origins: Array, directions: Array, stage: Stage, around: Extent) -> Array:
    """Give where rays are drawn to: past the far side of a ball around the scene."""
    largest = np.abs(directions).max(axis=1, keepdims=True)
    unit = directions / np.where(largest > 0, largest, 1)
    length = np.linalg.norm(unit, axis=1, keepdims=True)
    unit /= np.where(length > 0, length, 1)
    start, middle = stage.inward(origins), stage.inward(around.center)
    radius = max(float(np.linalg.norm(around.half / stage.scale)), 1e-3)
    along = ((middle - start) * unit).sum(axis=1, keepdims=True)
    return finite(stage.outward(start + np.maximum(along + 2 * radius, radius) * unit))
