"""The positions of handles in the picture: those of a box's faces stay apart, however small the box appears."""

import numpy as np

from hitscope.draw.shape_drawings import handle_points, main_handles
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Shape
from hitscope.geometry.traits import axes_of
from hitscope.render.view import View

SPREAD = 22.0
"""The least distance in points of a face's handle from the box's middle; it is pushed out along the normal."""
APART = 12.0
"""The distance in points below which, of two handles, only the one with the longer projected normal is offered."""
END_ON = 0.15
"""The least sine of the angle to the line of sight of a normal along which a handle is pushed out."""
SIGNS = np.tile([[-1.0], [1.0]], (3, 1))


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
