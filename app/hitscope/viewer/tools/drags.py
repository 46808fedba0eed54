"""What a held mouse button does, from press to release: one small object for each."""

import math

from hitscope.scene.named_items import split
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Drag
from hitscope.viewer.tools.click import CLICK_REACH, click
from hitscope.viewer.tools.picking import pickable, seen_within


class _CameraDrag(Drag):
    """A drag that moves the camera; less than that, it is a click on what is under it."""

    hint = ""

    def __init__(self, state: State, x: float, y: float) -> None:
        self._state = state
        self._at = self._pressed = (x, y)
        self._before = state.display.viewpoint.camera
        self._moving = False

    def move(self, x: float, y: float) -> None:
        """Follow the mouse, once it has left the place of a click."""
        dx, dy = x - self._at[0], y - self._at[1]
        self._moving = self._moving or math.hypot(dx, dy) > CLICK_REACH * self._state.display.pixel_ratio
        if self._moving:
            self._at = (x, y)
            self.turn(dx, dy)

    def turn(self, dx: float, dy: float) -> None:
        """Move the camera as a drag by so many pixels does."""
        raise NotImplementedError

    def release(self) -> None:
        """Select what was clicked, and of an element say how to get at the whole item."""
        if self._moving:
            return
        click(self._state, *self._pressed)
        name, row = split(self._state.selection.last.id) if self._state.selection.last else ("", None)
        if row is not None:
            self._state.messages.notice = f"Selected one element of {name}; click again to select all of it"

    def cancel(self) -> None:
        """Bring the camera back."""
        self._state.display.viewpoint.set(self._before)


class Orbit(_CameraDrag):
    """Turns the camera around its target."""

    def turn(self, dx: float, dy: float) -> None:
        """Turn by so many pixels."""
        self._state.display.viewpoint.set(
            self._state.display.view.camera.orbit(
                dx / self._state.display.pixel_ratio, dy / self._state.display.pixel_ratio
            )
        )


class Pan(_CameraDrag):
    """Moves the camera sideways."""

    def turn(self, dx: float, dy: float) -> None:
        """Move by so many pixels."""
        self._state.display.viewpoint.set(
            self._state.display.view.camera.pan(dx, dy, self._state.display.view.viewport)
        )


class SelectBox(Drag):
    """Selects what is seen in a rectangle, each item as a whole; with Shift, besides what is selected."""

    hint = "Shift adds   ·   Esc cancels"

    def __init__(self, state: State, x: float, y: float) -> None:
        self._state = state
        self.corners = ((x, y), (x, y))

    def move(self, x: float, y: float) -> None:
        """Draw the rectangle to the mouse."""
        self.corners = (self.corners[0], (x, y))

    def release(self) -> None:
        """Select what is in it."""
        self._state.tool.armed = None
        before = self._state.selection.targets if "Shift" in self._state.tool.modifiers else ()
        self._state.selection.select(
            *before,
            *seen_within(
                pickable(self._state.session, self._state.selection, self._state.display, self._state.tool),
                *self.corners,
            ),
        )

    def cancel(self) -> None:
        """Select nothing else."""
        self._state.tool.armed = None
