"""Drags that move the camera: orbiting, panning and flying."""

import math
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from hitscope.draw.target import Target
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import meet
from hitscope.geometry.vector import vec3
from hitscope.scene.decimals import difference
from hitscope.scene.edits import add_items
from hitscope.scene.items import RayProbe
from hitscope.scene.named_items import split
from hitscope.viewer.actions.command_palette import show_context_menu
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Drag
from hitscope.viewer.tools.picking.pick import CLICK_REACH, click, pick
from hitscope.viewer.tools.picking.surfaces import pickable_of, surface_at

FLY_KEYS: Final[dict[str, tuple[int, int, int]]] = {
    "W": (1, 0, 0),
    "S": (-1, 0, 0),
    "D": (0, 1, 0),
    "A": (0, -1, 0),
    "E": (0, 0, 1),
    "Q": (0, 0, -1),
}
"""The keys that move the camera while it flies, each with its direction: ahead, right and up."""
SPEED, FASTER = 0.8, 4.0
"""The speed of flying per second, in the camera's distances to its target, and its factor with Shift."""


class _CameraDrag(Drag):
    """A drag that moves the camera, or a click if the mouse hardly moves."""

    hint = ""

    def __init__(self, state: State, x: float, y: float, run: Callable[[State], None] | None = None) -> None:
        """Begin at a pixel; a click there will `run`, by default select."""
        self._state, self._display = state, state.display
        self._run = run or partial(_select, x=x, y=y)
        self._mouse = self._press = (x, y)
        self._before = state.display.viewpoint.camera
        self._moving = False

    def move(self, x: float, y: float) -> None:
        dx, dy = x - self._mouse[0], y - self._mouse[1]
        self._moving = self._moving or math.hypot(dx, dy) > CLICK_REACH * self._display.pixel_ratio
        if self._moving:
            self._mouse = (x, y)
            self.turn(dx, dy)

    def turn(self, dx: float, dy: float) -> None:
        raise NotImplementedError

    def release(self) -> None:
        if not self._moving:
            self._run(self._state)

    def cancel(self) -> None:
        self._display.viewpoint.set(self._before)


def _select(state: State, x: float, y: float) -> None:
    """Select the target at a pixel; for an element, show how to select the whole item."""
    click(state, x, y)
    last = state.selection.last
    name, row = split(last.id) if last else ("", None)
    if row is not None:
        state.messages.notice = f"Selected one element of {name}; click again to select all of it"


class Orbit(_CameraDrag):
    """Turns the camera around its target."""

    def turn(self, dx: float, dy: float) -> None:
        ratio = self._display.pixel_ratio
        self._display.viewpoint.set(self._display.view.camera.orbit(dx / ratio, dy / ratio))


class Pan(_CameraDrag):
    """Moves the camera sideways."""

    def turn(self, dx: float, dy: float) -> None:
        view = self._display.view
        self._display.viewpoint.set(view.camera.pan(dx, dy, view.viewport))


class Fly(_CameraDrag):
    """Turns the camera about the eye, and moves it while keys are pressed; a click opens the context menu."""

    hint = "W A S D move   ·   Q and E down and up   ·   Shift faster   ·   Esc back"

    def __init__(self, state: State, x: float, y: float) -> None:
        state.display.viewpoint.finish()
        super().__init__(state, x, y)
        self._tool = state.tool
        self._moved = 0.0
        """The length of the mouse's way, in pixels; infinite once a key was used."""
        self._keys: dict[str, None] = {}
        """The pressed keys, in the order in which they went down."""
        self._shift = "Shift" in self._tool.modifiers

    def move(self, x: float, y: float) -> None:
        dx, dy = x - self._mouse[0], y - self._mouse[1]
        self._mouse = (x, y)
        self._moved += math.hypot(dx, dy)
        self._go(dx / self._display.pixel_ratio, dy / self._display.pixel_ratio)

    def key_down(self, keys: str) -> bool:
        """Begin to move by a key of `FLY_KEYS`."""
        key = keys.rpartition("+")[2]
        if key not in FLY_KEYS:
            return False
        self._moved = math.inf
        if key not in self._keys or self._shift != ("Shift" in self._tool.modifiers):
            self._keys[key] = None
            self._go()
        return True

    def key_up(self, key: str) -> None:
        if self._keys.pop(key, 0) is None:
            self._go()

    def _go(self, dx: float = 0.0, dy: float = 0.0) -> None:
        """Turn by a drag of (dx, dy) points, and fly on from here by the pressed keys."""
        self._shift = "Shift" in self._tool.modifiers
        camera = self._display.viewpoint.camera
        rate = SPEED * camera.distance * (FASTER if self._shift else 1.0)
        speed = vec3(math.fsum(FLY_KEYS[key][i] for key in self._keys) * rate for i in range(3))
        self._display.viewpoint.fly(camera.look(dx, dy) if dx or dy else camera, speed, self._display.now)

    def release(self) -> None:
        """Stay where the camera is; after a click, go back and open the menu of what is under the mouse."""
        self._display.viewpoint.finish()
        if self._moved <= CLICK_REACH * self._display.pixel_ratio:
            self.cancel()
            selection = self._state.selection
            target = pick(pickable_of(self._state), *self._press)
            if target is None or target._replace(handle=None) not in selection.targets:
                selection.select(target)
            show_context_menu(self._state, self._press)


DECIMALS = range(1, 8)
"""The decimals beyond the visible ones that are tried: the fewest with which the ray hits what is at the pixel."""
OUTSIDE = 0.1
"""The distance outside of the scene, in sizes of it, at which a ray begins in an orthographic picture."""


def shoot_ray(state: State, x: float, y: float) -> None:
    """Add the ray from the camera, with its tip on what is at a pixel, as a selected probe."""
    probe = camera_ray(state, x, y)
    if probe is None:
        state.messages.notice = "There are no numbers for a ray from here"
        return
    session = state.session
    session.edit(add_items(session.document.scene, "probe", [probe]), "shoot a ray")
    state.selection.select(Target("probe", session.scene.probe_ids[-1]))


def camera_ray(state: State, x: float, y: float) -> RayProbe | None:
    """The ray from the eye through a pixel, or from outside of the scene in an orthographic picture.

    Its tip is on the surface at the pixel, else as deep as the camera's target. It has as few decimals as that
    surface and the pixel allow. None where its numbers overflow.
    """
    session, view = state.session, state.display.view
    surface = surface_at(pickable_of(state), x, y)
    index = None if surface is None else session.report.elements.find_index(surface.target.id)
    element = None if index is None else session.report.elements[index]
    with np.errstate(all="ignore"):
        tip = view.beside_target(x, y) if surface is None else surface.near
        start = np.array(view.camera.eye)
        if view.camera.orthographic:  # from where the whole scene is behind
            corners, scale, back = session.extent.corners, session.extent.scale, view.camera.axes[2]
            start = tip + (max(float(((corners - tip) @ back).max()), 0.0) + OUTSIDE * scale) * back
    if not np.isfinite([start, tip]).all():
        return None
    rays = (_rounded_ray(start, tip, view.decimals(tip) + more) for more in DECIMALS)
    exact = (ray for ray in rays if ray is not None and (element is None or meet(ray.shape, element.shape)))
    return next(exact, None) or RayProbe(origin=vec3(start), direction=difference(vec3(tip), vec3(start)))


def _rounded_ray(start: Array, tip: Array, decimals: int) -> RayProbe | None:
    """The ray between two rounded points; None if they are the same."""
    origin, end = (vec3(round(value, decimals) + 0.0 for value in point.tolist()) for point in (start, tip))
    direction = difference(end, origin)
    return RayProbe(origin=origin, direction=direction) if any(direction) else None
