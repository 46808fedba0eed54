"""The plane of a map that faces the camera of a scene."""

import numpy as np

from hitscope.draw.builder import Builder
from hitscope.evaluate import evaluate
from hitscope.maps.handles import Handle
from hitscope.maps.plane import SIZE, MapPlane, plane_facing
from hitscope.render.camera import Camera, Viewport
from hitscope.scene.affine_maps import vec3
from hitscope.scene.model import Scene


def plane_of(scene: Scene, handle: Handle, scale: float | None = None, size: int = SIZE) -> MapPlane:
    """Return the plane through a handle that faces the scene's camera, as large as its picture unless scaled."""
    camera = Camera.of_view(scene.view, Builder().corners(evaluate(scene)), Viewport(0, 0, size, size))
    vector = handle.vector(scene)
    right, up, back = (vec3(row) for row in camera.axes.tolist())
    if scale is None:
        point = np.add(handle.base(scene), vector)
        depth = float(np.dot(np.subtract(camera.eye, point), back))
        scale = camera.pixel_size(max(depth, camera.distance * 1e-3), size)
    return plane_facing(vector, right, up, scale, size)
