"""The shapes that a drag can snap to, and the search for those near enough."""

from collections.abc import Iterable
from math import isfinite

import numpy as np

from hitscope.draw.shape_drawings import DrawnAs, drawn_as
from hitscope.geometry.arrays import Array
from hitscope.geometry.features.shape_features import bounding_spheres
from hitscope.geometry.shapes import Shape, Vec3, is_linear, linear
from hitscope.viewer.tools.snapping.query import HOLD, REACH, SnapQuery

MOST_SEARCHED = 64
"""The largest number of elements near the pixel that are searched for features, the frontmost ones."""
MOST_TOUCHED = 16
"""The largest number of elements that are tested against a probe with faces, which takes longer."""


class SnapCandidates:
    """The shapes that can be snapped to, without the dragged ones; made once, when a drag begins."""

    def __init__(self, elements: Iterable[tuple[str, Shape]]) -> None:
        """Prepare named shapes for the search, with their bounding spheres."""
        self.elements = list(elements)
        self._centers, self._radii = bounding_spheres([shape for _, shape in self.elements])

    def near(self, query: SnapQuery) -> list[tuple[str, Shape]]:
        """The elements that may be seen within reach of the pixel, the frontmost first."""
        found = self._seen(query, query.pixel)
        if query.constraint is not None:
            found = list(dict.fromkeys(found + self._seen(query, query.free_pixel)))
        return [self.elements[i] for i in found]

    def touched(self, probe: Shape, point: Vec3, step: float) -> list[tuple[str, Shape]]:
        """The elements that a probe may meet or leave when its handle, at a point, moves by `step`.

        Those nearest to the handle come first.
        """
        with np.errstate(all="ignore"):
            beside, lever = _distances_from_probe(probe, self._centers, self._radii)
            found = np.flatnonzero(~(beside > self._radii + 2 * step * lever))
            away = np.linalg.norm(self._centers[found] - point, axis=1) - self._radii[found]
        most = len(found) if drawn_as(probe) in (DrawnAs.STROKES, DrawnAs.MARKER) else MOST_TOUCHED
        order = np.argsort(np.nan_to_num(away, nan=-np.inf, neginf=-np.inf), kind="stable")
        return [self.elements[i] for i in found[order[:most]]]

    def _seen(self, query: SnapQuery, pixel: tuple[float, float]) -> list[int]:
        # At the border of a wide picture a pixel is seen larger than in its middle.
        reach = 2 * HOLD * REACH * query.view.pixel_ratio
        found = query.view.frontmost_near(self._centers, self._radii, *pixel, reach, MOST_SEARCHED)
        indices: list[int] = found.tolist()
        return indices


def _distances_from_probe(probe: Shape, centers: Array, radii: Array) -> tuple[Array, Array | float]:
    """The distances (n,) of centers (n, 3) from a probe, and its motion there as a multiple of its handle's."""
    if not is_linear(probe):
        (middle,), (radius,) = bounding_spheres([probe])
        return np.linalg.norm(centers - middle, axis=1) - radius, 1.0
    origin, direction, t_min, t_max = linear(probe)
    start, way = np.array(origin), np.array(direction)
    length = float(np.linalg.norm(way)) or 1.0
    out = centers - start
    along = out @ (way / length)
    kept = np.maximum(along, 0) if isfinite(t_min) else along
    if isfinite(t_max):
        kept = np.minimum(kept, length)
    beside = np.linalg.norm(out - kept[:, None] * (way / length), axis=1)
    if isfinite(t_max):
        return beside, 1.0
    # The motion of a ray that turns about its origin grows with the distance.
    return beside, np.maximum(1.0, (np.linalg.norm(out, axis=1) + radii) / length)
