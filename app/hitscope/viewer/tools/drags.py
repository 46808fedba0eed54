"""What a held mouse button does, from press to release: one small object for each."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from hitscope.scene.named import split
from hitscope.viewer.tools.picking import seen_within

if TYPE_CHECKING:
    from hitscope.viewer.app import App

CLICK_REACH = 4.0
"""A press that moves less than so many points is a click."""
SELECTION = "selection"
"""The tool that selects by a rectangle."""


class Drag(Protocol):
    """A drag under way."""

    hint: str
    """What is to be known while it lasts."""

    def move(self, app: "App", x: float, y: float) -> None:
        """Follow the mouse to a pixel."""

    def release(self, app: "App") -> None:
        """Keep what was done."""

    def cancel(self, app: "App") -> None:
        """Bring everything back as it was before."""

    def key_down(self, app: "App", keys: str) -> bool:
        """Take a key, written as in the table of bindings, which comes again while it is held; says if it did."""
        return False

    def key_up(self, app: "App", key: str) -> None:
        """Follow a key that is let go."""
        return


Begin: TypeAlias = "Callable[[App, float, float], Drag]"
"""What a press begins, at a pixel."""


class _CameraDrag(Drag):
    """A drag that moves the camera; less than that, it is a click on what is under it."""

    hint = ""

    def __init__(self, app: "App", x: float, y: float) -> None:
        self._at = self._pressed = (x, y)
        self._before = app.viewpoint.camera
        self._moving = False

    def move(self, app: "App", x: float, y: float) -> None:
        """Follow the mouse, once it has left the place of a click."""
        dx, dy = x - self._at[0], y - self._at[1]
        self._moving = self._moving or math.hypot(dx, dy) > CLICK_REACH * app.points
        if self._moving:
            self._at = (x, y)
            self.turn(app, dx, dy)

    def turn(self, app: "App", dx: float, dy: float) -> None:
        """Move the camera as a drag by so many pixels does."""
        raise NotImplementedError

    def release(self, app: "App") -> None:
        """Select what was clicked, and of an element say how to get at the whole item."""
        if self._moving:
            return
        app.click(*self._pressed)
        name, row = split(app.selected.id) if app.selected else ("", None)
        if row is not None:
            app.message = f"one of the many of {name}; another click selects all of them"

    def cancel(self, app: "App") -> None:
        """Bring the camera back."""
        app.viewpoint.set(self._before)


class Orbit(_CameraDrag):
    """Turns the camera around its target."""

    def turn(self, app: "App", dx: float, dy: float) -> None:
        """Turn by so many pixels."""
        app.viewpoint.set(app.view.camera.orbit(dx / app.points, dy / app.points))


class Pan(_CameraDrag):
    """Moves the camera sideways."""

    def turn(self, app: "App", dx: float, dy: float) -> None:
        """Move by so many pixels."""
        app.viewpoint.set(app.view.camera.pan(dx, dy, app.view.viewport))


class SelectBox(Drag):
    """Selects what is seen in a rectangle, each item as a whole; with Shift, besides what is selected."""

    hint = "Shift adds   ·   Esc cancels"

    def __init__(self, app: "App", x: float, y: float) -> None:
        self.corners = ((x, y), (x, y))

    def move(self, app: "App", x: float, y: float) -> None:
        """Draw the rectangle to the mouse."""
        self.corners = (self.corners[0], (x, y))

    def release(self, app: "App") -> None:
        """Select what is in it."""
        app.tool = None
        before = app.selection if "Shift" in app.held else ()
        app.select(*before, *seen_within(app.shown, *self.corners))

    def cancel(self, app: "App") -> None:
        """Select nothing else."""
        app.tool = None
