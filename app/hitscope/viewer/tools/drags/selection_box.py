"""The selection rectangle, and the items in it."""

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.chunks import Indices
from hitscope.draw.element_arrays import Batch, elements_at
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.geometry.arrays import Array
from hitscope.scene.named_items import split
from hitscope.viewer.state.messages import hints
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Drag, Pixel
from hitscope.viewer.tools.picking.surfaces import Pickable, pickable_of

BOX_POINTS = np.array([*product((0.0, 1.0), repeat=3), (0.5, 0.5, 0.5)])
"""The corners of a box and its middle, as multiples of its edges."""
BATCH_SIZE = 1 << 16
"""The number of shapes that are tested at once."""
LINE_POINTS = 33
"""The number of points of a line that are tested."""


class SelectionBox(Drag):
    """Selects the items visible in a rectangle, each as a whole; with Shift, adds them to the selection."""

    hint = hints("Shift adds", "Esc cancels")

    def __init__(self, state: State, x: float, y: float) -> None:
        self._state, self._selection, self._tool = state, state.selection, state.tool
        self.corners = ((x, y), (x, y))

    def move(self, x: float, y: float) -> None:
        self.corners = (self.corners[0], (x, y))

    def release(self) -> None:
        self._tool.armed = None
        before = self._selection.targets if "Shift" in self._tool.modifiers else ()
        self._selection.select(*before, *seen_within(pickable_of(self._state), *self.corners))

    def cancel(self) -> None:
        self._tool.armed = None


def seen_within(pickable: Pickable, corner: Pixel, opposite: Pixel) -> list[Target]:
    """The items of which a corner, a middle or a part of a line is seen in a rectangle of pixels."""
    picture = pickable.picture
    (left, right), (top, bottom) = (sorted(pair) for pair in zip(corner, opposite, strict=True))

    def within(points: Array) -> NDArray[np.bool_]:
        """Whether one of the k points of each row of (n, k, 3) is visible in the rectangle; (n,)."""
        x, y, depth = pickable.view.project(points.reshape(-1, 3)).T
        with np.errstate(invalid="ignore"):
            inside = (x >= left) & (x <= right) & (y >= top) & (y <= bottom) & (depth > 0)
        return np.asarray(inside.reshape(points.shape[:2]).any(axis=1))

    def which(count: int, points_of: Callable[[slice], Array]) -> Indices:
        """The indices of the shapes that are visible in the rectangle, tested in batches."""
        runs = [slice(first, first + BATCH_SIZE) for first in range(0, count, BATCH_SIZE)]
        return np.flatnonzero(np.concatenate([np.empty(0, np.bool_), *(within(points_of(run)) for run in runs)]))

    def boxes(batch: Batch, run: slice) -> Array:
        along: Array = np.einsum("ke,nej->nkj", BOX_POINTS, batch.boxes.edges[run])
        return batch.boxes.origins[run, None] + along

    def triangles(batch: Batch, run: slice) -> Array:
        vertices = batch.triangles[run]
        return np.concatenate([vertices, vertices.mean(axis=1, keepdims=True)], axis=1)

    def rounds(batch: Batch, run: slice) -> Array:
        starts, ends = batch.rounds.starts[run, None], batch.rounds.ends[run, None]
        return np.concatenate([starts, starts / 2 + ends / 2, ends], axis=1)

    inside_elements = [picture.surfaces.elements[within(picture.surfaces.facets.vertices)]]
    for batch in picture.arrays.batches:
        sizes = len(batch.boxes.origins), len(batch.triangles), len(batch.rounds.starts)
        for points_of, size, (own, _) in zip((boxes, triangles, rounds), sizes, batch.bounds, strict=True):
            inside_elements.append(elements_at(own, which(size, partial(points_of, batch))))
    elements, probes, layouts = picture.report.elements, picture.report.probes, picture.layouts
    items = sorted({elements.locate(int(i))[0] for i in np.concatenate(inside_elements)})
    found = [Target("primitive", elements.ids[k]) for k in items]
    handled = {probe.id for _, probe in layouts.drawn_probes if within(handle_points(probe.shape)[None]).any()}
    ends = np.array([(stroke.start, stroke.end) for stroke in layouts.strokes]).reshape(-1, 2, 3)
    along = ends[:, :1] + np.linspace(0, 1, LINE_POINTS)[:, None] * (ends[:, 1:] - ends[:, :1])
    lines = {split(layouts.ids[layouts.stroke_probes[i]])[0] for i in np.flatnonzero(within(along))}
    thin_lines = layouts.thin_lines
    inside = np.flatnonzero(within(np.stack([thin_lines.starts, thin_lines.ends], axis=1)))
    bundles = {probes.ids[probes.locate(int(p))[0]] for p in set(thin_lines.probes[inside].tolist())}
    every = (*probes.ids, *picture.report.disabled_probes.ids)
    found += [Target("probe", name) for name in every if name in handled | lines | bundles]
    return [target for target in found if pickable.shows(target)]
