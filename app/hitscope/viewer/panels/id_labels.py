"""The ids written into the picture, the vertex numbers of the selected shape, and the points they belong to."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from hitscope.draw.element_arrays import corners_of
from hitscope.draw.items import Array
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.geometry.shapes import Aabb, Obb, Parallelepiped, Plane, Polyhedron, Segment, Shape, Triangle
from hitscope.scene.named import split
from hitscope.viewer.state.state import State

MOST = 150
"""The largest number of primitives whose ids are written beside them."""


def labels_with_points(state: State) -> Iterator[tuple[str, Array]]:
    """Texts with the points (3,) of the scene that they belong to, the most important first."""
    if state.selection.last is not None and (shape := shape_of(state, state.selection.last)) is not None:
        yield from vertex_labels(shape)
    pointed_at = (*state.selection.targets, *([state.selection.hovered] if state.selection.hovered else ()))
    done = state.selection.hidden | {target[:2] for target in pointed_at}
    for target in dict.fromkeys(target._replace(handle=None) for target in pointed_at):
        if (shape := shape_of(state, target)) is not None:
            yield target.id, center_of(shape)
    for _, probe in state.session.picture.layouts.singles:
        if ("probe", probe.id) not in done:
            yield (
                probe.id,
                handle_points(probe.shape)[0] if is_labelled_at_handle(probe.shape) else center_of(probe.shape),
            )
    for element in islice(state.session.report.elements, MOST):
        if ("primitive", element.id) not in done and (
            "primitive",
            split(element.id)[0],
        ) not in state.selection.hidden:
            yield element.id, center_of(element.shape)


def shape_of(state: State, target: Target) -> Shape | None:
    """The shape of a target; None for a bundle, which has many, and for a disabled probe."""
    if target.kind == "primitive":
        element = state.session.picture.report.elements.index_of(target.id)
        return None if element is None else state.session.report.elements[element].shape
    probe = state.session.picture.report.probes.index_of(target.id)
    return None if probe is None else state.session.report.probes[probe].shape


def vertex_labels(shape: Shape) -> Iterator[tuple[str, Array]]:
    """The vertices of a shape, (3,) each, with their index or key in the scene file."""
    match shape:
        case Triangle():
            yield from ((str(i), np.array(vertex)) for i, vertex in enumerate(shape))
        case Segment(start, end):
            yield from (("start", np.array(start)), ("end", np.array(end)))
        case Polyhedron(_, corners) if corners:
            yield from ((str(i), np.array(corner)) for i, corner in enumerate(corners))


def is_labelled_at_handle(shape: Shape) -> bool:
    """Whether a shape's id is written at its first handle, and not at its center."""
    return not isinstance(shape, Triangle | Aabb | Obb | Parallelepiped)


def center_of(shape: Shape) -> Array:
    """A point (3,) amid a shape; of a plane, the point nearest to the origin."""
    point: Array = np.zeros(3)
    match shape:
        case Aabb(lo, hi):
            point = np.array(lo) / 2 + np.array(hi) / 2
        case Obb(center, _, _):
            point = np.array(center)
        case Parallelepiped(origin, edges):
            point = np.array(origin) + np.array(edges).sum(axis=0) / 2
        case Triangle():
            point = (np.array(shape) / 3).sum(axis=0)
        case Plane(normal, offset):
            point = np.array(normal) / np.dot(normal, normal) * offset
        case Polyhedron():
            corners = corners_of(shape)
            point = np.mean(corners, axis=0) if corners else point
        case _:
            point = handle_points(shape)[0]
    return point
