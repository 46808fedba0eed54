"""Bundles, the bulk items among the probes: thin lines made from their arrays, for many thousands of probes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import Extent, Stage
from hitscope.draw.items import NO_THIN_LINES, Cue, ThinLines, joined
from hitscope.draw.shape_drawings import SHAPE_DRAWINGS, DrawnAs
from hitscope.evaluate import Part
from hitscope.geometry.arrays import Array, Shapes, finite
from hitscope.geometry.shapes import ENDLESS, T_RANGES


def bundle_points(shapes: Shapes, with_tips: bool = False) -> Array:
    """Points (n, 3) that bound bundles: the ends of segments, the origins of rays and, `with_tips`, their tips."""
    if shapes.kind not in ENDLESS:
        return shapes.rows.T.reshape(-1, 3)
    origins, directions = shapes.rows[:3].T, shapes.rows[3:].T
    with np.errstate(over="ignore"):
        return np.concatenate([origins, finite(origins + directions)]) if with_tips else origins


def is_of_points(part: Part) -> bool:
    return part.shapes is not None and SHAPE_DRAWINGS[part.shapes.kind].drawn_as is DrawnAs.MARKER


def thin_lines_of(bundles: Sequence[Part], hitting: NDArray[np.bool_], stage: Stage, around: Extent) -> ThinLines:
    """The segments and rays of bundles as thin lines; a ray is drawn to beyond `around`."""
    lines = []
    for part in bundles:
        shapes = part.shapes
        if shapes is None or shapes.kind not in T_RANGES:
            continue
        fades = shapes.kind in ENDLESS
        starts, others = shapes.rows[:3].T, shapes.rows[3:].T
        ends = _tips(starts, others, stage, around) if fades else others
        probes = np.arange(part.first, part.first + part.size)
        cues = np.where(hitting[probes], np.uint8(Cue.TOUCHING), np.uint8(Cue.NONE))
        lines.append(ThinLines(starts, ends, probes, cues, np.full(part.size, fades)))
    return joined(NO_THIN_LINES, *lines)


def _tips(origins: Array, directions: Array, stage: Stage, around: Extent) -> Array:
    """The points (n, 3) at which rays are cut off: past the far side of a sphere around the scene."""
    largest = np.abs(directions).max(axis=1, keepdims=True)
    unit = directions / np.where(largest > 0, largest, 1)
    length = np.linalg.norm(unit, axis=1, keepdims=True)
    unit /= np.where(length > 0, length, 1)
    start, middle = stage.to_stage(origins), stage.to_stage(around.center)
    radius = stage.radius(around)
    along = ((middle - start) * unit).sum(axis=1, keepdims=True)
    return finite(stage.to_scene(start + np.maximum(along + 2 * radius, radius) * unit))
