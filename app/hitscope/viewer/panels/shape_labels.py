"""The ids and vertex numbers written into the picture, with their points, by type of shape."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hitscope.draw.element_arrays import corners_of
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.geometry import shapes
from hitscope.geometry.arrays import Array
from hitscope.geometry.kinds import ShapeTable
from hitscope.geometry.shapes import Shape
from hitscope.scene.named_items import split
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session

MOST = 150
"""The largest number of primitives whose ids are written beside them."""
Labels: TypeAlias = Iterator[tuple[str, Array]]
"""Texts with the points (3,) that they belong to."""


class ShapeLabels(NamedTuple):
    """The points of the labels of one type of shape."""

    center: Callable[[Any], Array]
    """A point (3,) amid a shape; of a plane, the point nearest to the origin."""
    at_handle: bool = True
    """Whether a shape's id is written at its first handle, if it has one, and not at its center."""
    vertices: Callable[[Any], Labels] = lambda shape: iter(())
    """The vertices of a shape that are named, with their index or key in the scene file."""


def labels_of(shape: shapes.Shape) -> ShapeLabels:
    return SHAPE_LABELS[type(shape)]


def _first_handle(shape: shapes.Shape) -> Array:
    return np.asarray(handle_points(shape)[0])


def _foot(plane: shapes.Plane) -> Array:
    normal = np.array(plane.normal)
    return np.asarray(normal / np.dot(normal, normal) * plane.offset)


def _numbered(points: tuple[shapes.Vec3, ...]) -> Labels:
    yield from ((str(i), np.array(point)) for i, point in enumerate(points))


SHAPE_LABELS: ShapeTable[ShapeLabels] = ShapeTable(
    f"{__name__}.SHAPE_LABELS",
    {
        shapes.Point: ShapeLabels(_first_handle),
        shapes.Segment: ShapeLabels(
            _first_handle, vertices=lambda line: zip(line._fields, map(np.array, line), strict=True)
        ),
        shapes.Ray: ShapeLabels(_first_handle),
        shapes.Line: ShapeLabels(_first_handle),
        shapes.Triangle: ShapeLabels(
            lambda triangle: (np.array(triangle) / 3).sum(axis=0), at_handle=False, vertices=_numbered
        ),
        shapes.Aabb: ShapeLabels(lambda box: np.array(box.lo) / 2 + np.array(box.hi) / 2, at_handle=False),
        shapes.Obb: ShapeLabels(lambda shape: np.array(shape.center), at_handle=False),
        shapes.Parallelepiped: ShapeLabels(
            lambda body: np.array(body.origin) + np.array(body.edges).sum(axis=0) / 2, at_handle=False
        ),
        shapes.Plane: ShapeLabels(_foot),
        shapes.Polyhedron: ShapeLabels(
            lambda body: np.mean(corners_of(body) or np.zeros((1, 3)), axis=0),
            vertices=lambda body: _numbered(body.vertices),
        ),
        shapes.Sphere: ShapeLabels(lambda shape: np.array(shape.center), at_handle=False),
    },
)


def labels_with_points(session: Session, selection: Selection) -> Iterator[tuple[str, Array]]:
    """Texts with the points (3,) of the scene that they belong to, the most important first."""
    if selection.last is not None and (shape := labelled_shape(session, selection.last)) is not None:
        yield from labels_of(shape).vertices(shape)
    pointed_at = (*selection.targets, *([selection.hovered] if selection.hovered else ()))
    done = selection.hidden | {target[:2] for target in pointed_at}
    for target in dict.fromkeys(target._replace(handle=None) for target in pointed_at):
        if (shape := labelled_shape(session, target)) is not None:
            yield target.id, labels_of(shape).center(shape)
    for _, probe in session.picture.layouts.single_probes:
        if ("probe", probe.id) not in done:
            labels = labels_of(probe.shape)
            yield probe.id, handle_points(probe.shape)[0] if labels.at_handle else labels.center(probe.shape)
    for element in islice(session.report.elements, MOST):
        if ("primitive", element.id) not in done and ("primitive", split(element.id)[0]) not in selection.hidden:
            yield element.id, labels_of(element.shape).center(element.shape)


def labelled_shape(session: Session, target: Target) -> Shape | None:
    """The shape of a target; None for a bundle, which has many, and for a disabled probe."""
    if target.kind == "primitive":
        element = session.picture.report.elements.find_index(target.id)
        return None if element is None else session.report.elements[element].shape
    probe = session.picture.report.probes.find_index(target.id)
    return None if probe is None else session.report.probes[probe].shape
