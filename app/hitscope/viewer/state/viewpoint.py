"""The camera of a document and its motion: at once, eased over a moment, or in flight."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View
from hitscope.scene.model import FileView, Up

EASE_SECONDS = 0.15
ROOM = 1.14
"""The factor by which a picture beside panels is wider than the framed scene, with space for handles."""
STANDING: Vec3 = (0.0, 0.0, 0.0)


class Viewpoint:
    """The camera of one document.

    `camera` is that of the whole window. Beside panels the picture is narrower and its field of view wider, so
    that whatever was visible at the start stays visible.
    """

    def __init__(self, view: FileView | None, corners: Array, full: Viewport) -> None:
        """Begin with the camera of the scene file, or with the whole scene framed."""
        self.camera = Camera.of_view(view, corners, full)
        self.hierarchy = None if view is None else view.hierarchy
        """The level of the hierarchies over the primitives that is shown."""
        self._opening = self.camera
        self._breadth = _breadth(self.camera, corners)
        self._framed = self.camera if view is None or view.camera is None else None
        """The camera that frames the whole scene in the window's size at that time."""
        self._start = self.camera
        self._goal: Camera | None = None
        self._speed = STANDING
        self._began = 0.0

    def camera_for(self, picture: Viewport, full: Viewport) -> Camera:
        """The camera for the rectangle `picture` of the window, whose full rectangle is `full`."""
        slope = self.camera.slope
        breadth = min(self._breadth, slope * full.width / full.height)
        wider = max(slope, breadth * picture.height / picture.width)
        return _with_view(self.camera, math.degrees(2 * math.atan(wider)))

    def set(self, camera: Camera) -> None:
        """Move the camera at once and end its motion."""
        self._goal, self._speed = None, STANDING
        self.camera = replace(camera, fov_deg=self.camera.fov_deg)

    def fly(self, camera: Camera, speed: Vec3, now: float) -> None:
        """Move the camera at once, and fly on at a speed ahead, right and up, in scene units per second."""
        self.set(camera)
        self._start, self._speed, self._began = self.camera, speed, now

    def return_to(self, view: FileView, corners: Array, full: Viewport, now: float) -> None:
        """Ease to the scene's own view; in that view, or without one, to the whole scene."""
        own = replace(Camera.of_view(view, corners, full), orthographic=self.camera.orthographic)
        if view.camera is None or own == self._ahead:
            self.frame_all(corners, full, now)
        else:
            self._ease(own, now, corners)

    def go_to(self, view: FileView, corners: Array, full: Viewport, now: float) -> None:
        """Show what another view of the scene shows, and ease to its camera, if it has one; `up` stays."""
        self.hierarchy = view.hierarchy
        if view.camera is not None:
            camera = Camera.of_view(view, corners, full)
            self._ease(replace(camera, up=self.camera.up, orthographic=self.camera.orthographic), now, corners)

    def frame_all(self, corners: Array, full: Viewport, now: float) -> None:
        """Ease to the whole scene, from the side that the document opened with."""
        opening = replace(self._opening, orthographic=self.camera.orthographic)
        self._framed = opening.frame(corners, full)
        self._ease(self._framed, now, corners)

    def fit(self, corners: Array, full: Viewport) -> None:
        """Frame the whole scene in a window of another size, unless the camera has moved since it was framed."""
        if self.camera == self._framed:
            self.camera = self._framed = self._framed.frame(corners, full)
            self._breadth = _breadth(self.camera, corners)

    def frame(self, corners: Array, full: Viewport, now: float) -> None:
        """Ease to a part of the scene, bounded by corners (n, 3), from the present side."""
        self._ease(self._ahead.frame(corners, full, about=True), now, corners)

    def turn(self, azimuth: float, height: float, now: float) -> None:
        """Ease to other angles about the target, in radians, as the camera's `angles`."""
        self._ease(self._ahead.seen_from(azimuth, height), now)

    def set_up(self, up: Up) -> None:
        """Use this axis as up, now and in the opening view."""
        if self._opening.up != up:
            self._opening = self._opening.with_up(up)
        if self.camera.up != up:
            self.finish()
            self.set(self.camera.with_up(up))

    def finish(self) -> None:
        self.set(self._ahead)

    @property
    def _ahead(self) -> Camera:
        """The camera at the end of its motion."""
        return self._goal or self.camera

    def advance(self, now: float) -> bool:
        """Move the camera to where it is at a time in seconds, whatever was asked before; True if it goes on."""
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

    def _ease(self, goal: Camera, now: float, corners: Array | None = None) -> None:
        """Ease to a camera, which keeps in sight what is between the corners (n, 3), if they are given."""
        if corners is not None:
            self._breadth = _breadth(goal, corners)
        self._speed = STANDING
        self._start, self._goal, self._began = self.camera, goal, now


@lru_cache(maxsize=4)  # many ask within a frame, for what one and the same camera then knows
def _with_view(camera: Camera, fov_deg: float) -> Camera:
    return replace(camera, fov_deg=fov_deg)


def _breadth(camera: Camera, corners: Array) -> float:
    """The offset to the side of the farthest corner at distance 1, with a margin."""
    square = Viewport(-1, -1, 2, 2)
    x, _, depth = View(camera, square).project(corners).T
    return float(np.abs(x[depth > 0]).max(initial=0.0)) * camera.slope * ROOM


def _between(a: Camera, b: Camera, part: float) -> Camera:
    """The camera at a fraction of the way from one to another, around its target, not through it."""
    target = np.array(a.target) * (1 - part) + np.array(b.target) * part
    (azimuth, height), (last_azimuth, last_height) = a.angles, b.angles
    turn = math.remainder(last_azimuth - azimuth, math.tau)
    beside_origin = replace(b, eye=(0.0, 0.0, 1.0), target=(0.0, 0.0, 0.0))
    back = beside_origin.seen_from(azimuth + part * turn, height + part * (last_height - height))
    distance = a.distance ** (1 - part) * b.distance**part
    (x, y, z), (eye_x, eye_y, eye_z) = target.tolist(), (target + distance * np.array(back.eye)).tolist()
    return replace(b, eye=(eye_x, eye_y, eye_z), target=(x, y, z))
