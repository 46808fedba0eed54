"""The ids written into the picture, the vertex numbers of the selected shape, and the points they belong to."""

from collections.abc import Iterator
from itertools import islice

from hitscope.draw.items import Array
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.geometry.shapes import Shape
from hitscope.scene.named import split
from hitscope.viewer.panels.shape_labels import labels_of
from hitscope.viewer.state.state import State

MOST = 150
"""The largest number of primitives whose ids are written beside them."""


def labels_with_points(state: State) -> Iterator[tuple[str, Array]]:
    """Texts with the points (3,) of the scene that they belong to, the most important first."""
    if state.selection.last is not None and (shape := shape_of(state, state.selection.last)) is not None:
        yield from labels_of(shape).vertices(shape)
    pointed_at = (*state.selection.targets, *([state.selection.hovered] if state.selection.hovered else ()))
    done = state.selection.hidden | {target[:2] for target in pointed_at}
    for target in dict.fromkeys(target._replace(handle=None) for target in pointed_at):
        if (shape := shape_of(state, target)) is not None:
            yield target.id, labels_of(shape).center(shape)
    for _, probe in state.session.picture.layouts.singles:
        if ("probe", probe.id) not in done:
            labels = labels_of(probe.shape)
            yield probe.id, handle_points(probe.shape)[0] if labels.at_handle else labels.center(probe.shape)
    for element in islice(state.session.report.elements, MOST):
        if ("primitive", element.id) not in done and (
            "primitive",
            split(element.id)[0],
        ) not in state.selection.hidden:
            yield element.id, labels_of(element.shape).center(element.shape)


def shape_of(state: State, target: Target) -> Shape | None:
    """The shape of a target; None for a bundle, which has many, and for a disabled probe."""
    if target.kind == "primitive":
        element = state.session.picture.report.elements.find_index(target.id)
        return None if element is None else state.session.report.elements[element].shape
    probe = state.session.picture.report.probes.find_index(target.id)
    return None if probe is None else state.session.report.probes[probe].shape
