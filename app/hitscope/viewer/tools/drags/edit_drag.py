"""Drags that edit: they snap, keys lock them to an axis, and a typed number replaces the mouse."""

import math

import numpy as np

from hitscope.draw.handle_targets import HandleTarget
from hitscope.draw.target import Hidden
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Vec3
from hitscope.viewer.state.messages import hints
from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import AXIS_KEYS, Drag
from hitscope.viewer.tools.drags.drag_points import AxisLock, grid_step_of
from hitscope.viewer.tools.picking.pick import CLICK_REACH, click
from hitscope.viewer.tools.pointer import release
from hitscope.viewer.tools.snapping.candidates import CandidateFinder, SnapQuery
from hitscope.viewer.tools.snapping.search import Snap
from hitscope.viewer.tools.snapping.snap import snap

DIGITS = "0123456789"


class EditDrag(Drag):
    """A drag that edits items; as long as the mouse is where it was pressed, it is a click.

    An axis key that is held while the mouse moves locks the drag until the key is released; one that is only
    struck, until it is struck again.
    """

    name = ""
    """The edit's name in the history."""
    typed_quantity = "a distance"
    """The quantity that a typed number gives."""
    start: Vec3
    """The dragged point when the drag began."""

    def __init__(self, state: State, x: float, y: float) -> None:
        self._state = state
        self._session, self._selection, self._display = state.session, state.selection, state.display
        self._tool, self._messages, self._settings = state.tool, state.messages, state.settings
        self.press = self._mouse = (x, y)
        self.moving = False
        held_axis = state.tool.held_axis
        self.lock = None if held_axis is None else AxisLock(held_axis)
        self.typed = ""
        self.note = ""
        """The feature that the drag snaps to, or why it has no effect, in words."""
        self.amount = ""
        """The size of the change in words."""
        self.path = ""
        self.marks: Snap | None = None
        """The snap whose lines and point are marked."""
        self._axis_keys = {} if held_axis is None else {"XYZ"[held_axis]: True}
        """The pressed axis keys, each with whether its release ends the lock."""
        self._snaps_by_ctrl = False
        self._finder = CandidateFinder(state.session.picture, state.selection.hidden, state.limits.snap_targets)
        self._snap: Snap | None = None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """The state of the drag in words and, while nothing locks it, the keys that it takes."""
        number_typed = f"{self.typed} typed" if self.typed else ""
        keys = f"type {self.typed_quantity}", f"{display_keys('Ctrl')} snaps", "Esc cancels"
        free = () if self.typed or self.lock_words else ("X Y Z axis, Shift+ plane", *keys)
        return hints(number_typed, self.note, self.lock_words, self.amount, *free, self.path)

    @property
    def lock_words(self) -> str:
        return self.lock.words() if self.lock else ""

    @property
    def directions(self) -> Array:
        """The unit directions (n, 3) that the drag is locked to."""
        return np.empty((0, 3)) if self.lock is None else self.lock.directions

    @property
    def _grid_step(self) -> float:
        return grid_step_of(self._settings, self._display)

    def move(self, x: float, y: float) -> None:
        """Preview the edit, once the mouse has moved farther than a click may or a number was typed."""
        ctrl = "Ctrl" in self._tool.modifiers
        self._snaps_by_ctrl = ctrl and (self._snaps_by_ctrl or (x, y) != self._mouse)
        if (x, y) != self._mouse:
            self._mouse = (x, y)
            self._axis_keys = dict.fromkeys(self._axis_keys, True)
        far = math.dist(self.press, (x, y)) > CLICK_REACH * self._display.pixel_ratio
        if not self.moving and (far or self.typed):
            self.moving = True
            self.begin()
        if self.moving:
            self.note, self.amount, self.path, self.marks = "", "", "", None
            with np.errstate(all="ignore"):
                self.follow(x, y)

    def begin(self) -> None:
        """Prepare the edit, once, when the mouse has moved farther than a click may."""

    def follow(self, x: float, y: float) -> None:
        """Preview the edit with the mouse at a pixel."""
        raise NotImplementedError

    def release(self) -> None:
        """Make the previewed edit one entry of the history."""
        if self.moving:
            self._session.commit(self.name)
        else:
            click(self._state, *self.press)

    def cancel(self) -> None:
        self._session.revert()

    def key_down(self, keys: str) -> bool:
        """Lock the drag to an axis or a plane, type a number, or end the drag by Enter.

        Where Ctrl is not held to snap, Ctrl+Z undoes the drag.
        """
        *modifiers, key = keys.split("+")
        text = typed_text(self.typed, key)
        if key == "Enter":
            release(self._state)
        elif key in AXIS_KEYS and "Ctrl" in modifiers and not self._snaps_by_ctrl:
            if key == "Z":
                self._tool.cancel_drag()
            return True
        elif key in AXIS_KEYS:
            if key not in self._axis_keys:
                lock = AxisLock(AXIS_KEYS[key], "Shift" in modifiers)
                self.lock = None if lock == self.lock else lock
                self._axis_keys = {key: False}
        elif text is not None:
            self.typed = text
        else:
            return False
        self._tool.reapply_pointer()
        return True

    def key_up(self, key: str) -> None:
        """End the lock to an axis whose key was held while the mouse moved."""
        if self._axis_keys.pop(key, False) and self.lock and self.lock.axis == AXIS_KEYS[key]:
            self.lock = None
            self._tool.reapply_pointer()

    @property
    def typed_number(self) -> float | None:
        """The number that was typed; None if there is none."""
        return parse_number(self.typed)

    def snap(
        self, target: HandleTarget, pixel: tuple[float, float], free: Vec3, level: int | None = None
    ) -> Snap | None:
        """Snap a handle that would be at `free`, with a note and marks of the feature; None without a snap.

        `level` is the coordinate that does not change in a drag in a plane that is not locked to it.
        """
        if not self._tool.snaps or self.typed:
            self._snap = None
            return None
        axis = None
        if self.lock is not None and target.constraint is None:
            axis, level = (None, self.lock.axis) if self.lock.plane else (self.lock.axis, None)
        view = self._display.view
        with np.errstate(all="ignore"):  # lengths of huge shapes may be infinite
            candidates = self._finder.near(view, pixel, self.changed())
            query = SnapQuery(view, target, pixel, free, axis, level)
            self._snap = snap(query, candidates, self._tool.snap_to, self._grid_step, self._snap)
        if self._snap is not None:
            self.note = self._snap.words
            self.marks = self._snap
        return self._snap

    def changed(self) -> Hidden:
        """The items that the drag changes, and so does not snap to."""
        return frozenset()


def typed_text(text: str, key: str) -> str | None:
    """The text after a key is pressed, or None if the key is not part of a number.

    A minus inverts the sign, whenever it is typed; a second point is ignored; Backspace deletes a character.
    """
    if key in DIGITS and len(key) == 1:
        return text + key
    if key == ".":
        return text if "." in text else f"{text}."
    if key == "-":
        return text.removeprefix("-") if text.startswith("-") else f"-{text}"
    if key == "Backspace" and text:
        return text[:-1]
    return None


def parse_number(text: str) -> float | None:
    """The typed number; None before there is a digit."""
    return float(text) if any(digit in text for digit in DIGITS) else None
