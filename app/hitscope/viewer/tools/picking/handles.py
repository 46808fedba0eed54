"""The handles under the mouse and those that are drawn."""

import math

import numpy as np

from hitscope.draw.picture import LAST_SELECTED
from hitscope.draw.shape_drawings import handle_points, main_handles
from hitscope.draw.target import FaceHandles, FaintHandles, Target
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Shape
from hitscope.viewer.tools.picking.handle_positions import handle_positions
from hitscope.viewer.tools.picking.pickable import Pickable

NEAR = 60.0
"""The distance in points from the mouse within which handles are drawn in full."""
HANDLE_REACH = 11.0
"""The largest distance in points from a handle's middle at which a press grabs it."""


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
