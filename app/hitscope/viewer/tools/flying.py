"""Flying: the right button looks around, and held keys move the camera."""

import math
from typing import Final

from hitscope.geometry.shapes import Vec3
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Drag

WAYS: Final[dict[str, tuple[int, int, int]]] = {
    "W": (1, 0, 0),
    "S": (-1, 0, 0),
    "D": (0, 1, 0),
    "A": (0, -1, 0),
    "E": (0, 0, 1),
    "Q": (0, 0, -1),
}
"""The keys that move the camera while it flies: ahead, right and up."""
SPEED = 0.8
"""Of the camera's distance to its target, each second."""
FASTER = 4.0
"""So many times, with Shift."""


class Fly(Drag):
    """Looks around where the camera stands, and moves it as long as keys are held."""

    hint = "W A S D move   ·   Q and E down and up   ·   Shift faster   ·   Esc back"

    def __init__(self, state: State, x: float, y: float) -> None:
        self._state = state
        state.display.viewpoint.finish()
        self._at = (x, y)
        self._before = state.display.viewpoint.camera
        self._held: dict[str, None] = {}
        self._shift = "Shift" in state.tool.modifiers

    def move(self, x: float, y: float) -> None:
        """Look where the mouse goes."""
        dx, dy = x - self._at[0], y - self._at[1]
        self._at = (x, y)
        self._go(dx / self._state.display.pixel_ratio, dy / self._state.display.pixel_ratio)

    def key_down(self, keys: str) -> bool:
        """Move as long as a key is held."""
        key = keys.rpartition("+")[2]
        if key not in WAYS:
            return False
        if key not in self._held or self._shift != ("Shift" in self._state.tool.modifiers):
            self._held[key] = None
            self._go()
        return True

    def key_up(self, key: str) -> None:
        """Stop what a key did."""
        if self._held.pop(key, 0) is None:
            self._go()

    def _go(self, dx: float = 0.0, dy: float = 0.0) -> None:
        """Go on from here: turned by so many points, and to where the keys say now."""
        self._shift = "Shift" in self._state.tool.modifiers
        camera = self._state.display.viewpoint.camera
        rate = SPEED * camera.distance * (FASTER if self._shift else 1.0)
        ways = [WAYS[key] for key in self._held]
        ahead, right, up = (math.fsum(way[i] for way in ways) * rate for i in range(3))
        speed: Vec3 = (ahead, right, up)
        self._state.display.viewpoint.fly(
            camera.look(dx, dy) if dx or dy else camera, speed, self._state.display.now
        )

    def release(self) -> None:
        """Stay where the camera is."""
        self._state.display.viewpoint.finish()

    def cancel(self) -> None:
        """Bring the camera back."""
        self._state.display.viewpoint.set(self._before)
