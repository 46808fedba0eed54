"""The handles under the mouse and those that are drawn."""

import math

import numpy as np

from hitscope.draw.picture import LAST_SELECTED
from hitscope.draw.shape_drawings import handle_points, main_handles
from hitscope.draw.target import FaceHandles, FaintHandles, Target
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Shape
from hitscope.geometry.traits import axes_of
from hitscope.render.view import View
from hitscope.viewer.tools.picking.surfaces import Pickable

NEAR = 60.0
"""The distance in points from the mouse within which handles are drawn in full."""
HANDLE_REACH = 11.0
"""The largest distance in points from a handle's middle at which a press grabs it."""
SPREAD = 22.0
"""The least distance in points of a face's handle from the box's middle; it is pushed out along the normal."""
APART = 12.0
"""The distance in points below which, of two handles, only the one with the longer projected normal is offered."""
END_ON = 0.15
"""The least sine of the angle to the line of sight of a normal along which a handle is pushed out."""
SIGNS = np.tile([[-1.0], [1.0]], (3, 1))


def handle_at(pickable: Pickable, x: float, y: float) -> Target | None:
    """The handle at a pixel; of two at one pixel, that of the target selected last."""
    pushed = pickable.selection[-LAST_SELECTED:]
    targets: list[tuple[Target, Shape]] = []
    positions: list[Array] = []
    for target, shape in pickable.picture.with_handles(pickable.selection):
        if pickable.shows(target):
            points = handle_positions(shape, pickable.view) if target in pushed else handle_points(shape)
            points = points[: None if pickable.faces else main_handles(shape)]
            targets += [(target._replace(handle=handle), shape) for handle in range(len(points))]
            positions.append(points)
    if not targets:
        return None
    away = pickable.view.pixels_from(np.concatenate(positions), x, y)
    preferred = pickable.selection[-1][:2] if pickable.selection else None
    away -= 0.5 * np.array([target[:2] == preferred for target, _ in targets])
    for i in np.argsort(away, kind="stable"):
        if away[i] > HANDLE_REACH * pickable.view.pixel_ratio:
            return None
        target, shape = targets[int(i)]
        # Of a target that is not selected, this handle alone is tested for being apart from the others.
        if target._replace(handle=None) in pushed:
            return target
        if not np.isnan(handle_positions(shape, pickable.view, pushes=False)[target.handle or 0]).any():
            return target
    return None


def drawn_face_handles(pickable: Pickable, hovered: Target | None) -> FaceHandles:
    """The face handles that are drawn, each with its item and point: of boxes that are selected or hovered."""
    selected = pickable.selection[-LAST_SELECTED:]
    wanted = {*selected, *([hovered._replace(handle=None)] if hovered else ())}
    if not pickable.faces or not wanted:
        return ()
    return tuple(
        (target, handle, (x, y, z))
        for target, shape in pickable.picture.with_handles(selected)
        if target in wanted
        for handle, (x, y, z) in enumerate(handle_positions(shape, pickable.view, target in selected).tolist())
        if handle >= main_handles(shape) and math.isfinite(x)
    )


def faint_handles(pickable: Pickable, faces: FaceHandles, mouse: tuple[float, float] | None) -> FaintHandles:
    """The drawn handles of primitives and of faces that are not near the mouse: many would hide the shapes."""
    if not pickable.selection and not faces:
        return frozenset()
    own = [
        (target._replace(handle=handle), point)
        for target, shape in pickable.picture.with_handles(pickable.selection)
        if target.kind == "primitive"
        for handle, point in enumerate(handle_points(shape)[: main_handles(shape)])
    ]
    own += [(target._replace(handle=handle), np.array(point)) for target, handle, point in faces]
    if not own or mouse is None:
        return frozenset(handle for handle, _ in own)
    away = pickable.view.pixels_from(np.array([point for _, point in own]), *mouse)
    far = away > NEAR * pickable.view.pixel_ratio
    return frozenset(handle for (handle, _), is_far in zip(own, far.tolist(), strict=True) if is_far)


def handle_point(pickable: Pickable, handle: Target) -> Array | None:
    """The point (3,) of a handle of a selected target; None where it is not offered."""
    offered = pickable.picture.with_handles(pickable.selection)
    shapes = [shape for target, shape in offered if target[:2] == handle[:2]]
    if not shapes or handle.handle is None or not pickable.shows(handle):
        return None
    point = handle_positions(shapes[0], pickable.view)[handle.handle]
    return None if np.isnan(point).any() else point


def handle_positions(shape: Shape, view: View, pushes: bool = True) -> Array:
    """The points (k, 3) of a shape's handles in a view, ordered as `handle_points`; NaN where one is not offered.

    Without `pushes` those of a box's faces stay on the faces, and fewer are offered of a small box.
    """
    points = handle_points(shape)
    if len(points) > (main := main_handles(shape)):
        with np.errstate(all="ignore"):
            points[main:] = _spread(shape, points[0], points[main:], view, pushes)
    return points


def _spread(shape: Shape, center: Array, faces: Array, view: View, pushes: bool) -> Array:
    """The points (6, 3) of the handles of a box's faces, apart from its middle and from one another."""
    middle = view.project(center)[0]
    normals = SIGNS * np.repeat(np.array(axes_of(shape)), 2, axis=0)
    _, sight = view.ray_through(middle[0], middle[1])
    sines = np.linalg.norm(np.cross(normals, sight), axis=1, keepdims=True)
    length = SPREAD * view.pixel_ratio * view.pixel_size_at(float(middle[2]))
    pushed = np.where(sines < END_ON, np.nan, center + normals * (length / sines))
    away = np.linalg.norm(view.project(faces)[:, :2] - middle[:2], axis=1, keepdims=True)
    points = np.where(pushes & (away < SPREAD * view.pixel_ratio), pushed, faces)
    projected = view.project(points)
    kept = [middle[:2]]
    for i in np.lexsort((projected[:, 2], -np.round(sines[:, 0], 9))):
        if (np.linalg.norm(projected[i, :2] - kept, axis=1) < APART * view.pixel_ratio).any():
            points[i] = np.nan
        else:
            kept.append(projected[i, :2])
    return points
