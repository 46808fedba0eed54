"""The ray that a click shoots from the camera through a pixel."""

import numpy as np

from hitscope.draw.target import Target
from hitscope.evaluate import Element
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import meet
from hitscope.geometry.shapes import Vec3
from hitscope.scene.affine_maps import vec3
from hitscope.scene.decimals import difference
from hitscope.scene.edits import add_items
from hitscope.scene.model import RayProbe
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.drags.camera_drags import Orbit
from hitscope.viewer.tools.picking.pickable import pickable_of
from hitscope.viewer.tools.picking.surfaces import surface_at

DECIMALS = range(1, 8)
"""The decimals beyond the visible ones that are tried: the fewest with which the ray hits what is at the pixel."""
OUTSIDE = 0.1
"""The distance outside of the scene, in sizes of it, at which a ray begins in an orthographic picture."""


class CameraRay(Orbit):
    """Turns the camera, or, if the mouse hardly moves, shoots a ray from it through the pixel."""

    def release(self) -> None:
        """Add the ray, with its tip on what is at the pixel, as a selected probe."""
        if self._moving:
            return
        probe = camera_ray(self._state, *self._press)
        if probe is None:
            self._messages.notice = "There are no numbers for a ray from here"
            return
        session = self._session
        session.edit(add_items(session.document.scene, "probe", [probe]), "shoot a ray")
        self._selection.select(Target("probe", session.scene.probe_ids[-1]))


def camera_ray(state: State, x: float, y: float) -> RayProbe | None:
    """The ray from the eye through a pixel, or from outside of the scene in an orthographic picture.

    Its tip is on the surface at the pixel, else as deep as the camera's target. It has as few decimals as that
    surface and the pixel allow. None where its numbers overflow.
    """
    session, display = state.session, state.display
    view = display.view
    surface = surface_at(pickable_of(state), x, y)
    index = None if surface is None else session.report.elements.find_index(surface.target.id)
    element = None if index is None else session.report.elements[index]
    with np.errstate(all="ignore"):
        tip = view.beside_target(x, y) if surface is None else surface.near
        start = _before_scene(state, tip) if view.camera.orthographic else np.array(view.camera.eye)
    if not np.isfinite([start, tip]).all():
        return None
    rays = (_rounded_ray(start, tip, view.decimals(tip) + more) for more in DECIMALS)
    exact = (ray for ray in rays if ray is not None and _hits(ray, element))
    return next(exact, None) or RayProbe(origin=vec3(start), direction=difference(vec3(tip), vec3(start)))


def _before_scene(state: State, point: Array) -> Array:
    """The point before a point (3,), as the orthographic camera sees it, at which the whole scene is behind."""
    back, extent = state.display.view.camera.axes[2], state.session.extent
    away = max(float(((extent.corners - point) @ back).max()), 0.0) + OUTSIDE * extent.scale
    return np.asarray(point + away * back)


def _rounded_ray(start: Array, tip: Array, decimals: int) -> RayProbe | None:
    """The ray between two rounded points; None if they are the same."""
    origin, end = (vec3(round(value, decimals) + 0.0 for value in point.tolist()) for point in (start, tip))
    direction: Vec3 = difference(end, origin)
    return RayProbe(origin=origin, direction=direction) if any(direction) else None


def _hits(ray: RayProbe, element: Element | None) -> bool:
    return element is None or meet(ray.shape, element.shape)
