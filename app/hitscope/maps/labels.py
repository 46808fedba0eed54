"""The decider at each position of a map: the feature or axis, by exact geometry, or the line of a method.

Each position takes a tenth of a millisecond or more, so that such a map has fewer of them.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.evaluate.verdict import verdict
from hitscope.evaluate.verdict_words import decider_of
from hitscope.explain.trace import trace
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.registry import EXACT, Chosen, choose, pair_of
from hitscope.geometry.shapes import Shape
from hitscope.maps.handles import Handle
from hitscope.maps.plane import MapPlane

MOST_NAMES = 10
"""The most labels that are told apart; the others are one, `OTHERS`."""
OTHERS, NOTHING = "others", "nothing"


class Labels(NamedTuple):
    """A label for each position."""

    indices: NDArray[np.uint8]
    """The indices of `names`; (size, size), row 0 at the bottom."""
    names: tuple[str, ...]
    """The most frequent first."""


def deciding_features(handle: Handle, plane: MapPlane, other: Shape) -> Labels:
    """Return the feature or axis that decides at each position, by exact geometry."""

    def feature(probe: Shape, primitive: Shape) -> str:
        chosen = choose(pair_of(probe, primitive), EXACT)
        found = decider_of(verdict("probe", "primitive", probe, primitive, chosen))
        return NOTHING if found is None else found.brief

    return _labels(handle, plane, other, feature)


def deciding_lines(handle: Handle, plane: MapPlane, other: Shape, chosen: Chosen) -> Labels:
    """Return the line of a method's last comparison at each position; raises OSError without its source."""

    def line(probe: Shape, primitive: Shape) -> str:
        run = trace(chosen, probe, primitive)
        if not run.steps:
            return NOTHING
        step = run.steps[run.deciding_step]
        return f"{step.line}: {step.source.strip().splitlines()[0]}"

    return _labels(handle, plane, other, line)


def _labels(handle: Handle, plane: MapPlane, other: Shape, label_of: Callable[[Shape, Shape], str]) -> Labels:
    given = [label_of(*pair) for pair in _pairs(handle, plane, other)]
    names, counts = np.unique(np.array(given, dtype=object), return_counts=True)
    shown = [str(names[k]) for k in np.argsort(-counts, kind="stable")[:MOST_NAMES]]
    known = {name: index for index, name in enumerate(shown)}
    indices = np.array([known.get(name, len(shown)) for name in given], np.uint8)
    listed = (*shown, *([OTHERS] if len(names) > MOST_NAMES else []))
    return Labels(indices.reshape(plane.size, plane.size), listed)


def _pairs(handle: Handle, plane: MapPlane, other: Shape) -> Iterator[tuple[Shape, Shape]]:
    kind = type(handle.item.shape)
    progress.begin(plane.size * plane.size)
    for row in range(plane.size):
        for moved in Shapes(kind, handle.rows(plane.positions(slice(row, row + 1)))):
            yield (moved, other) if handle.target.kind == "probe" else (other, moved)
            progress.advance(1)
