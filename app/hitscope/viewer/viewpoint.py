"""Where one document is seen from, and how that changes: at once, or eased over a moment."""

import math
from dataclasses import replace

import numpy as np

from hitscope.draw.extent import Extent
from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import Camera, Viewport
from hitscope.scene.model import View

FLIGHT_SECONDS = 0.15


class Viewpoint:
    """The camera of one document.

    `camera` is that of the whole window. Beside panels the picture is narrower: there it is seen with a wider
    field of view, as wide as keeps in sight what was in sight at the start, so that panels cover nothing.
    """

    def __init__(self, view: View | None, extent: Extent, full: Viewport) -> None:
        """Open as the file says, or with everything in the picture."""
        self.camera = Camera.of_view(view, *extent, full)
        self._opening = self.camera
        self._breadth = _breadth(self.camera, extent)
        self._start = self.camera
        self._goal: Camera | None = None
        self._started = 0.0

    def seen(self, picture: Viewport, full: Viewport) -> Camera:
        """Give the camera for the part of the window that shows the picture."""
        slope = self.camera.slope
        breadth = min(self._breadth, slope * full.width / full.height)
        wider = max(slope, breadth * picture.height / picture.width)
        return replace(self.camera, fov_deg=math.degrees(2 * math.atan(wider)))

    def set(self, camera: Camera) -> None:
        """Move at once; a move under way ends here."""
        self._goal = None
        self.camera = replace(camera, fov_deg=self.camera.fov_deg)

    def frame_all(self, extent: Extent, full: Viewport, now: float) -> None:
        """Show everything, from the side that the document opened with."""
        self._fly(self._opening.frame(*extent, full), now)
        self._breadth = _breadth(self._goal or self.camera, extent)

    def frame(self, extent: Extent, full: Viewport, now: float) -> None:
        """Show a part of the scene, from the side that it is seen from now."""
        self._fly(self.camera.frame(*extent, full), now)

    def advance(self, now: float) -> bool:
        """Go on with a move that was begun; says whether there was one."""
        if self._goal is None:
            return False
        part = (now - self._started) / FLIGHT_SECONDS
        if part >= 1:
            self.camera, self._goal = self._goal, None
        else:
            eased = part * part * (3 - 2 * part)
            eye = _between(self._start.eye, self._goal.eye, eased)
            self.camera = replace(
                self._goal, eye=eye, target=_between(self._start.target, self._goal.target, eased)
            )
        return True

    def _fly(self, goal: Camera, now: float) -> None:
        self._start, self._goal, self._started = self.camera, goal, now


def _breadth(camera: Camera, extent: Extent) -> float:
    """Give how far out to the side, at distance 1, the furthest corner of an extent is seen."""
    corners = np.array(np.meshgrid(*zip(*extent, strict=True))).reshape(3, -1).T
    square = Viewport(-1, -1, 2, 2)
    x, _, depth = camera.project(corners, square).T
    return float(np.abs(x[depth > 0]).max(initial=0.0)) * camera.slope


def _between(a: Vec3, b: Vec3, part: float) -> Vec3:
    x, y, z = (np.array(a) * (1 - part) + np.array(b) * part).tolist()
    return x, y, z
