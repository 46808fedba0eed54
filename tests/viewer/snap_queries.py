"""Snap queries of a drag to a pixel, without a viewer."""

import numpy as np

from hitscope.geometry.shapes import Aabb, Obb, Triangle
from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View
from hitscope.scene.checked_shapes import axes_from_euler
from hitscope.scene.items import SegmentProbe
from hitscope.viewer.tools.snapping.search import SnapQuery

VIEWPORT = Viewport(0, 0, 1280, 800)
VIEW = View(Camera((3.0, 4.0, 12.0), (0.0, 0.0, 0.0)), VIEWPORT)
BOX = Aabb((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
CRATE = [("crate", BOX)]
SLANTED = Obb((0.3, 0.2, 0.1), (1.1, 0.9, 0.7), axes_from_euler((20.0, 30.0, 40.0)))
TRIANGLE = Triangle((-2.0, -0.5, 0.25), (1.5, -1.0, 0.5), (0.5, 1.75, -0.5))
SEGMENT = SegmentProbe(start=(-4.0, 2.0, 0.5), end=(4.0, 2.5, 0.25))


def pixel(point, view=VIEW):
    """The pixel of a point, (x, y)."""
    x, y, _ = view.project(point)[0].tolist()
    return x, y


def query(target, point, beside=(0.0, 0.0), axis=None, free=None, view=VIEW):
    """The query of a handle that is dragged to the pixel of a point, `beside` pixels from it."""
    x, y = pixel(point, view)
    shifted = x + beside[0], y + beside[1]
    origin, sight = view.ray_through(*shifted)
    depth = np.subtract(point, origin) @ sight
    return SnapQuery(
        view, target, shifted, tuple((origin + depth * sight).tolist()) if free is None else free, axis
    )
