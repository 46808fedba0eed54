"""Where handles are in the picture: those of a box's faces apart from one another, however small it is seen."""

from typing import TYPE_CHECKING

import numpy as np

from hitscope.draw.items import Array
from hitscope.draw.probes import handle_points
from hitscope.geometry.shapes import Aabb, Obb, Shape
from hitscope.scene.forms import IDENTITY

if TYPE_CHECKING:
    from hitscope.viewer.tools.picking import Eye

SPREAD = 22.0
"""The handle of a face is at least so many points from the box's middle, pushed out along the face's normal."""
APART = 12.0
"""Of handles that are nearer to one another only that is offered whose normal is seen the least foreshortened."""
END_ON = 0.15
"""No handle is pushed out along a normal that is seen at less than this sine."""
SIGNS = np.tile([[-1.0], [1.0]], (3, 1))


def handle_places(shape: Shape, eye: "Eye", pushes: bool = True) -> Array:
    """Give where the handles of a shape are (k, 3), in the order of `handle_points`; NaN where one is not offered.

    Without `pushes` those of a box's faces are where they belong, and fewer are offered of a small one.
    """
    points = handle_points(shape)
    if isinstance(shape, Aabb | Obb):
        with np.errstate(all="ignore"):
            points[1:] = _spread(shape, points[0], points[1:], eye, pushes)
    return points


def _spread(shape: Aabb | Obb, center: Array, faces: Array, eye: "Eye", pushes: bool) -> Array:
    """Give where the handles of a box's faces are (6, 3), apart from its middle and from one another."""
    camera, viewport = eye.camera, eye.viewport
    middle = camera.project(center, viewport)[0]
    normals = SIGNS * np.repeat(np.array(shape.axes if isinstance(shape, Obb) else IDENTITY), 2, axis=0)
    _, sight = camera.ray_through(middle[0], middle[1], viewport)
    sines = np.linalg.norm(np.cross(normals, sight), axis=1, keepdims=True)
    length = SPREAD * eye.points * camera.pixel(float(middle[2]), viewport)
    pushed = np.where(sines < END_ON, np.nan, center + normals * (length / sines))
    away = np.linalg.norm(camera.project(faces, viewport)[:, :2] - middle[:2], axis=1, keepdims=True)
    places = np.where(pushes & (away < SPREAD * eye.points), pushed, faces)
    seen = camera.project(places, viewport)
    kept = [middle[:2]]
    for i in np.lexsort((seen[:, 2], -np.round(sines[:, 0], 9))):
        if (np.linalg.norm(seen[i, :2] - kept, axis=1) < APART * eye.points).any():
            places[i] = np.nan
        else:
            kept.append(seen[i, :2])
    return places
