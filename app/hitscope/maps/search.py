"""The nearest position at which a method is wrong, looked for outwards through the scales."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from hitscope.geometry.shapes import Vec3
from hitscope.maps.plane import MapPlane, plane_facing
from hitscope.maps.position_map import Code, MethodMap

SOUGHT = 128
"""The positions of a row that are looked at on each scale."""
ZOOM = 16.0
"""How much larger each scale is than the one before: the squares overlap, so that nothing lies between them."""


class WrongPosition(NamedTuple):
    """A position at which a method is wrong."""

    vector: Vec3
    """The stored numbers of the handle there."""
    plane: MapPlane
    """The square on which it was found; `pixel` is its pixel there, x and y."""
    pixel: tuple[int, int]
    code: int
    """Of `Code`."""


def nearest_wrong(
    judge: Callable[[MapPlane], MethodMap], around: MapPlane, largest: float
) -> WrongPosition | None:
    """Return the wrong position nearest to the middle of a plane; None if none is found up to a scale.

    `judge` makes the map of one method on a plane. The first square has one ulp a pixel, the last `largest` scene
    units a pixel; on each scale only its own pixels are looked at, so that a large scale is a sample.
    """
    for plane in planes_outwards(around, largest):
        found = judge(plane)
        y, x = np.nonzero((found.codes == Code.WRONG_HIT) | (found.codes == Code.WRONG_MISS))
        if len(x):
            half = plane.size // 2
            k = int(np.argmin((x - half) ** 2 + (y - half) ** 2))
            pixel = int(x[k]), int(y[k])
            return WrongPosition(plane.position(*pixel), plane, pixel, int(found.codes[y[k], x[k]]))
    return None


def planes_outwards(around: MapPlane, largest: float) -> Iterator[MapPlane]:
    """Yield the squares around the middle of a plane, from one ulp a pixel to `largest` scene units a pixel."""
    center, axes = around.center, around.axes
    plane = plane_facing(center, *axes, np.finfo(float).tiny, SOUGHT)
    while plane.scale < largest:
        yield plane
        plane = plane_facing(center, *axes, plane.scale * ZOOM, SOUGHT)
    yield plane_facing(center, *axes, largest, SOUGHT)
