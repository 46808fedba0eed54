"""Where one document is seen from, and how that changes: at once, eased over a moment, or in flight."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from hitscope.draw.items import Array
from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import Camera, Up, Viewport
from hitscope.render.view import View
from hitscope.scene.model import View as FileView

EASE_SECONDS = 0.15
ROOM = 1.14
"""Beside panels so much more is seen to the sides than what is framed: its handles, too."""
STANDING: Vec3 = (0.0, 0.0, 0.0)


class Viewpoint:
    """The camera of one document.

    `camera` is that of the whole window. Beside panels the picture is narrower: there it is seen with a wider
    field of view, as wide as keeps in sight what was in sight at the start, so that panels cover nothing.
    """

    def __init__(self, view: FileView | None, corners: Array, full: Viewport) -> None:
        """Open as the file says, or with everything in the picture."""
        self.camera = Camera.of_view(view, corners, full)
        self.hierarchy = None if view is None else view.hierarchy
        """The level of the hierarchies over the primitives that is shown."""
        self._opening = self.camera
        self._breadth = _breadth(self.camera, corners)
        self._framed = self.camera if view is None or view.camera is None else None
        """The camera that shows everything, in a window of the size that it was framed in."""
        self._start = self.camera
        self._goal: Camera | None = None
        self._speed = STANDING
        self._began = 0.0

    def seen(self, picture: Viewport, full: Viewport) -> Camera:
        """Give the camera for the part of the window that shows the picture."""
        slope = self.camera.slope
        breadth = min(self._breadth, slope * full.width / full.height)
        wider = max(slope, breadth * picture.height / picture.width)
        return _with_view(self.camera, math.degrees(2 * math.atan(wider)))

    def set(self, camera: Camera) -> None:
        """Move at once; a move under way ends here."""
        self._goal, self._speed = None, STANDING
        self.camera = replace(camera, fov_deg=self.camera.fov_deg)

    def fly(self, camera: Camera, speed: Vec3, now: float) -> None:
        """Move at once, and go on from there ahead, right and up at a speed in scene units a second."""
        self.set(camera)
        self._start, self._speed, self._began = self.camera, speed, now

    def return_to(self, view: FileView, corners: Array, full: Viewport, now: float) -> None:
        """Go back to the scene's own view; from there, or where it has none, show everything."""
        own = replace(Camera.of_view(view, corners, full), orthographic=self.camera.orthographic)
        if view.camera is None or own == self._ahead:
            self.frame_all(corners, full, now)
        else:
            self._ease(own, now)
            self._breadth = _breadth(own, corners)

    def frame_all(self, corners: Array, full: Viewport, now: float) -> None:
        """Show everything, from the side that the document opened with."""
        opening = replace(self._opening, orthographic=self.camera.orthographic)
        self._framed = opening.frame(corners, full)
        self._ease(self._framed, now)
        self._breadth = _breadth(self._framed, corners)

    def fit(self, corners: Array, full: Viewport) -> None:
        """Show everything in a window of another size, where nobody has moved since everything was shown."""
        if self.camera == self._framed:
            self.camera = self._framed = self._framed.frame(corners, full)
            self._breadth = _breadth(self.camera, corners)

    def frame(self, corners: Array, full: Viewport, now: float) -> None:
        """Show a part of the scene, from the side that it is seen from now."""
        framed = self._ahead.frame(corners, full, about=True)
        self._ease(framed, now)
        self._breadth = _breadth(framed, corners)

    def turn(self, azimuth: float, height: float, now: float) -> None:
        """Look at the target from other angles, in radians, as the camera's `angles` are."""
        self._ease(self._ahead.seen_from(azimuth, height), now)

    def stand(self, up: Up) -> None:
        """See with this axis up, now and from where the document opened."""
        if self._opening.up != up:
            self._opening = self._opening.stood(up)
        if self.camera.up != up:
            self.settle()
            self.set(self.camera.stood(up))

    def settle(self) -> None:
        """Be where the camera is on its way to."""
        self.set(self._ahead)

    @property
    def _ahead(self) -> Camera:
        """The camera as it will be when it has come to rest."""
        return self._goal or self.camera

    def advance(self, now: float) -> bool:
        """Go on with a move that was begun; says whether there was one.

        Where the camera is follows from the time alone: it is the same however often this is asked.
        """
        if self._speed != STANDING:
            ahead, right, up = (way * (now - self._began) for way in self._speed)
            self.camera = self._start.fly(ahead, right, up)
            return True
        if self._goal is None:
            return False
        part = (now - self._began) / EASE_SECONDS
        if part >= 1:
            self.camera, self._goal = self._goal, None
        else:
            self.camera = _between(self._start, self._goal, part * part * (3 - 2 * part))
        return True

    def _ease(self, goal: Camera, now: float) -> None:
        self._speed = STANDING
        self._start, self._goal, self._began = self.camera, goal, now


@lru_cache(maxsize=4)  # many ask within a frame, for what one and the same camera then knows
def _with_view(camera: Camera, fov_deg: float) -> Camera:
    return replace(camera, fov_deg=fov_deg)


def _breadth(camera: Camera, corners: Array) -> float:
    """Give how far out to the side, at distance 1, the furthest corner is seen, with some room."""
    square = Viewport(-1, -1, 2, 2)
    x, _, depth = View(camera, square).project(corners).T
    return float(np.abs(x[depth > 0]).max(initial=0.0)) * camera.slope * ROOM


def _between(a: Camera, b: Camera, part: float) -> Camera:
    """Give a camera on the way from one to another: it goes around what it looks at, not through it."""
    target = np.array(a.target) * (1 - part) + np.array(b.target) * part
    (azimuth, height), (last_azimuth, last_height) = a.angles, b.angles
    turn = math.remainder(last_azimuth - azimuth, math.tau)
    back = replace(b, eye=(0.0, 0.0, 1.0), target=(0.0, 0.0, 0.0)).seen_from(
        azimuth + part * turn, height + part * (last_height - height)
    )
    distance = a.distance ** (1 - part) * b.distance**part
    (x, y, z), (eye_x, eye_y, eye_z) = target.tolist(), (target + distance * np.array(back.eye)).tolist()
    return replace(b, eye=(eye_x, eye_y, eye_z), target=(x, y, z))
