"""The search for the shapes around the mouse that a drag can snap to."""

import math

import numpy as np

from hitscope.draw.element_arrays import elements_at
from hitscope.draw.picture import Picture
from hitscope.draw.target import Hidden
from hitscope.evaluate import Element
from hitscope.render.view import View
from hitscope.scene.edits import Kind
from hitscope.scene.named_items import split
from hitscope.viewer.tools.snapping.candidates import SnapCandidates

NEARBY = 150.0
"""The distance in points from the mouse that counts as near."""


class CandidateFinder:
    """Finds the shapes that a drag can snap to: all that are shown when it begins, except those that it changes.

    In a scene with more than `most` elements these are the ones near the mouse.
    """

    def __init__(self, picture: Picture, hidden: Hidden, most: int) -> None:
        self._picture, self._hidden, self._most = picture, hidden, most
        self._found: tuple[tuple[float, float], SnapCandidates] | None = None

    def near(self, view: View, pixel: tuple[float, float], changed: Hidden) -> SnapCandidates:
        """The candidates with the mouse at a pixel, without those that the drag changes."""
        picture, without = self._picture, self._hidden | changed
        elements = picture.report.elements
        few = len(elements) <= self._most
        if self._found is None or (not few and math.dist(self._found[0], pixel) > NEARBY / 2 * view.pixel_ratio):
            indices = range(len(elements)) if few else _seen_near(picture, view, pixel, self._most)
            near = [element for i in indices if _is_kept(element := elements[i], "primitive", without)]
            near += [probe for _, probe in picture.layouts.single_probes if _is_kept(probe, "probe", without)]
            self._found = pixel, SnapCandidates(near)
        return self._found[1]


def _is_kept(element: Element, kind: Kind, without: Hidden) -> bool:
    return not without or not {(kind, element.id), (kind, split(element.id)[0])} & without


def _seen_near(picture: Picture, view: View, pixel: tuple[float, float], most: int) -> list[int]:
    """Indices of the frontmost elements seen near a pixel, at most `most`, and of all planes and polyhedra."""
    arrays = picture.arrays
    bounds = [part for batch in arrays.batches for part in (batch.box_bounds, batch.triangle_bounds)]
    lows, highs = (np.concatenate(part) for part in zip(*bounds, strict=True))
    owners = [part for batch in arrays.batches for part in (batch.box_elements, batch.triangle_elements)]
    elements = np.concatenate(
        [elements_at(of, np.arange(len(own))) for of, (own, _) in zip(owners, bounds, strict=True)]
    )
    with np.errstate(all="ignore"):
        centers, radii = (lows + highs) / 2, np.linalg.norm(highs - lows, axis=1) / 2
    nearest = view.frontmost_near(centers, radii, *pixel, NEARBY * view.pixel_ratio, most)
    return [*elements[nearest].tolist(), *arrays.faceted_elements.tolist()]
