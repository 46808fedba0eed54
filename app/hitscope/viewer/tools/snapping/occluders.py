"""The bounded shapes that may hide a feature."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.intervals import ParametricLine, half_space_intervals
from hitscope.geometry.arrays import Array
from hitscope.render.view import View

THIN = 1e-9
"""The least depth, as a part of the camera's distance, at which a shape in front of a point hides it."""


class Occluders(NamedTuple):
    """Bounded shapes as half-spaces by normals and points of the planes, those of each from one of `firsts` on."""

    names: list[str]
    normals: Array
    anchors: Array
    firsts: NDArray[np.intp]

    @classmethod
    def of(cls, shapes: Iterable[tuple[str, Array, Array]]) -> "Occluders":
        """The occluders among shapes, each by its name, outward normals and points of its planes (n, 3)."""
        bounded = [shape for shape in shapes if len(shape[1])]
        sizes = [len(normals) for _, normals, _ in bounded]
        return cls(
            [name for name, _, _ in bounded],
            np.concatenate([np.empty((0, 3)), *(normals for _, normals, _ in bounded)]),
            np.concatenate([np.empty((0, 3)), *(anchors for _, _, anchors in bounded)]),
            np.cumsum([0, *sizes[:-1]])[: len(sizes)],
        )

    def frontmost_before(self, point: Array, view: View) -> str:
        """The name of the frontmost shape that hides a point; "" if the point is visible."""
        # Relative to the point, so that the error does not grow with the distance from the origin.
        direction, distance = view.toward_eye(point)
        line = ParametricLine(np.zeros(3), direction, 0.0, distance)
        room = np.einsum("ni,ni->n", self.normals, self.anchors - point)
        left = half_space_intervals(line, self.normals, room, self.firsts)[:, 1]
        # A shape that ends at the point is behind it; one that contains the eye hides nothing.
        hides = (left > THIN * view.camera.distance) & (left < line.t_max)
        return self.names[np.where(hides, left, 0.0).argmax()] if hides.any() else ""
