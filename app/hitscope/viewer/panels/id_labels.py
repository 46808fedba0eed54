"""The ids written into the picture, the vertex numbers of the selected shape, and the points they belong to."""

from collections.abc import Iterator
from itertools import islice

from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Shape
from hitscope.scene.named_items import split
from hitscope.viewer.panels.shape_labels import labels_of
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session

MOST = 150
"""The largest number of primitives whose ids are written beside them."""


def labels_with_points(session: Session, selection: Selection) -> Iterator[tuple[str, Array]]:
    """Texts with the points (3,) of the scene that they belong to, the most important first."""
    if selection.last is not None and (shape := shape_of(session, selection.last)) is not None:
        yield from labels_of(shape).vertices(shape)
    pointed_at = (*selection.targets, *([selection.hovered] if selection.hovered else ()))
    done = selection.hidden | {target[:2] for target in pointed_at}
    for target in dict.fromkeys(target._replace(handle=None) for target in pointed_at):
        if (shape := shape_of(session, target)) is not None:
            yield target.id, labels_of(shape).center(shape)
    for _, probe in session.picture.layouts.single_probes:
        if ("probe", probe.id) not in done:
            labels = labels_of(probe.shape)
            yield probe.id, handle_points(probe.shape)[0] if labels.at_handle else labels.center(probe.shape)
    for element in islice(session.report.elements, MOST):
        if ("primitive", element.id) not in done and ("primitive", split(element.id)[0]) not in selection.hidden:
            yield element.id, labels_of(element.shape).center(element.shape)


def shape_of(session: Session, target: Target) -> Shape | None:
    """The shape of a target; None for a bundle, which has many, and for a disabled probe."""
    if target.kind == "primitive":
        element = session.picture.report.elements.find_index(target.id)
        return None if element is None else session.report.elements[element].shape
    probe = session.picture.report.probes.find_index(target.id)
    return None if probe is None else session.report.probes[probe].shape
