"""Drags that edit, in general and of a handle or a gizmo: they snap, and keys and typed numbers steer them."""

import math
from collections.abc import Mapping

import numpy as np

from hitscope.draw.handle_targets import HandleTarget, handle_target, item_target
from hitscope.draw.target import Hidden, Target
from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Vec3
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.decimals import difference, total
from hitscope.scene.items import Item, Single
from hitscope.scene.transforms import type_change
from hitscope.viewer.state import edit_targets
from hitscope.viewer.state.messages import hints
from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import AXIS_KEYS, Drag, GizmoPart, Pixel
from hitscope.viewer.tools.drags import drag_points
from hitscope.viewer.tools.gizmo import Gizmo, GizmoChange, Rotation, Translation, gizmo_change
from hitscope.viewer.tools.picking.pick import CLICK_REACH, click
from hitscope.viewer.tools.pointer import release
from hitscope.viewer.tools.snapping.search import CandidateFinder, Snap, SnapQuery
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
    start: Vec3
    """The dragged point when the drag began."""
    _changed: Hidden = frozenset()
    """The items that the drag changes, and so does not snap to."""

    def __init__(self, state: State, x: float, y: float) -> None:
        self._state = state
        self._session, self._selection, self._display = state.session, state.selection, state.display
        self._tool, self._messages = state.tool, state.messages
        self.press = self._mouse = (x, y)
        self.moving = False
        held_axis = state.tool.held_axis
        self.lock = None if held_axis is None else drag_points.AxisLock(held_axis)
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
        keys = f"type {self.typed_quantity}", f"{display_keys('Ctrl')} snaps", "Esc cancels"
        free = () if self.typed or self.lock_words else ("X Y Z axis, Shift+ plane", *keys)
        return hints(
            self.typed and f"{self.typed} typed", self.note, self.lock_words, self.amount, *free, self.path
        )

    @property
    def lock_words(self) -> str:
        return self.lock.words() if self.lock else ""

    @property
    def directions(self) -> Array:
        """The unit directions (n, 3) that the drag is locked to."""
        return np.empty((0, 3)) if self.lock is None else self.lock.directions

    def move(self, x: float, y: float) -> None:
        """Preview the edit, once the mouse has moved farther than a click may or a number was typed."""
        self._snaps_by_ctrl = "Ctrl" in self._tool.modifiers and (self._snaps_by_ctrl or (x, y) != self._mouse)
        if (x, y) != self._mouse:
            self._mouse = (x, y)
            self._axis_keys = dict.fromkeys(self._axis_keys, True)
        far = math.dist(self.press, (x, y)) > CLICK_REACH * self._display.pixel_ratio
        if not self.moving and (far or self.typed):
            self.moving = True
            self.begin()
        if self.moving:
            self.note, self.amount, self.path, self.marks = "", "", "", None
            with np.errstate(all="ignore"):  # lengths of huge shapes may be infinite
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
        """Lock to an axis or plane, type a number, end by Enter or, without Ctrl held to snap, undo by Ctrl+Z."""
        *modifiers, key = keys.split("+")
        if key == "Enter":
            release(self._state)
        elif key in AXIS_KEYS and "Ctrl" in modifiers and not self._snaps_by_ctrl:
            if key == "Z":
                self._tool.cancel_drag()
            return True
        elif key in AXIS_KEYS:
            if key not in self._axis_keys:
                lock = drag_points.AxisLock(AXIS_KEYS[key], "Shift" in modifiers)
                self.lock = None if lock == self.lock else lock
                self._axis_keys = {key: False}
        elif (text := typed_text(self.typed, key)) is not None:
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

    def snap(self, target: HandleTarget, pixel: Pixel, free: Vec3, level: int | None = None) -> Snap | None:
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
        candidates = self._finder.near(view, pixel, self._changed)
        query = SnapQuery(view, target, pixel, free, axis, level)
        self._snap = snap(query, candidates, self._tool.snap_to, drag_points.grid_step_of(self._state), self._snap)
        if self._snap is not None:
            self.note, self.marks = self._snap.words, self._snap
        return self._snap


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


class HandleDrag(EditDrag):
    """Moves one handle, in the plane through it that faces the camera, or along an axis or its constraint."""

    def __init__(self, state: State, target: Target, x: float, y: float) -> None:
        super().__init__(state, x, y)
        assert target.handle is not None
        self._target, self._handle = target, target.handle
        self._changed = frozenset([target[:2]])
        self._key, item = edit_targets.edit_target(state.session.document.scene, target)
        assert isinstance(item, Single), "bulk items have no handles"
        self._handle_target = handle_target(item, self._handle)
        self.name = f"move {target.id}"
        self.start = self._handle_target.point
        seen_x, seen_y, _ = state.display.view.project(self.start)[0]
        self._grip = (seen_x - x, seen_y - y)

    def begin(self) -> None:
        if self._target._replace(handle=None) not in self._selection.targets:
            self._selection.select(self._target)

    def follow(self, x: float, y: float) -> None:
        """Move the handle with the mouse, keeping its offset from the press."""
        target, pixel = self._handle_target, (x + self._grip[0], y + self._grip[1])
        view, stage, scene = self._display.view, self._session.picture.stage, self._session.document.scene
        free = drag_points.dragged_point(view, stage, self.start, pixel, self.lock, target.constraint)
        if free is not None and (distance := parse_number(self.typed)) is not None:
            free = drag_points.point_at_distance(self.start, free, distance, self.lock, target.constraint)
        if free is None:
            return
        found = self.snap(target, pixel, free)
        moved = found.item if found else target.store(difference(free, target.base))
        point = handle_target(moved, self._handle).point
        self.amount = f"{target.name} by {math.dist(self.start, point):g}"
        self.path = drag_points.path_words(self.start, point)
        self._session.preview(edit_targets.replace_targets(scene, {self._key: moved}))
        self.note = edit_targets.inlined_note(scene, [self._key]) or self.note

    def release(self) -> None:
        """Add the edit to the history; after a click on the handle, show how it is nudged."""
        super().release()
        if self._selection.handle == self._target:
            self._messages.notice = f"Arrow keys nudge the {self._handle_target.name} of {self._target.id}"

    @property
    def lock_words(self) -> str:
        """The direction of the handle's motion in words; a box's face moves along its normal despite a lock."""
        constraint = self._handle_target.constraint
        return super().lock_words if constraint is None else drag_points.constraint_words(constraint)

    @property
    def directions(self) -> Array:
        constraint = self._handle_target.constraint
        return super().directions if constraint is None else constraint[None]


class GizmoDrag(EditDrag):
    """Moves, rotates or scales the selected items by a part of the gizmo, which keeps its pivot and axes."""

    def __init__(self, state: State, gizmo: Gizmo, part: GizmoPart, x: float, y: float) -> None:
        super().__init__(state, x, y)
        self._gizmo, self._part = gizmo, part
        self.start = gizmo.pivot
        self._items: dict[edit_targets.EditTarget, Item] = {}
        self._problem = ""
        """Why the items cannot be changed, or not in this way, in words."""
        self._rough_change: GizmoChange | None = None
        """The previewed change, if its numbers are rounded only when the drag ends."""
        scene = state.session.document.scene
        try:
            self._items = edit_targets.edit_targets(scene, state.selection.targets)
        except HitscopeError as error:
            self._problem = error.message
        self.typed_quantity = {"move": "a distance", "rotate": "an angle", "scale": "a factor"}[gizmo.mode]
        verb = {"move": "move", "rotate": "turn", "scale": "scale"}[gizmo.mode]
        names = edit_targets.names_of(scene, self._items)
        self.name = f"{verb} {edit_targets.title(names)}"
        self._changed = frozenset((key.kind, name) for key, name in zip(self._items, names, strict=True))

    @property
    def part(self) -> GizmoPart:
        """The part of the gizmo that is dragged; a lock replaces the one that was pressed."""
        return self._gizmo.locked(*self.lock) if self.lock else self._part

    @property
    def _owner(self) -> str:
        """The owner of the gizmo's axes: "the " for the world's, or "its own "."""
        return "the " if self._gizmo.frame == IDENTITY else "its own "

    @property
    def lock_words(self) -> str:
        """The lock of the drag in words, for an oriented box by its own axes."""
        return self.lock.words(self._owner) if self.lock and self.part.kind != "ring" else ""

    @property
    def directions(self) -> Array:
        """The unit directions (n, 3) along which the part moves or scales, or about which it rotates."""
        part, frame = self.part, np.array(self._gizmo.frame)
        return frame[[part.axis is not None and (k == part.axis) != (part.kind == "plane") for k in range(3)]]

    def follow(self, x: float, y: float) -> None:
        """Preview the change of the selected items with the mouse at a pixel."""
        snaps, number = self._tool.snaps, parse_number(self.typed)
        if not self._items:
            self.note = self._problem
            return
        self._problem = ""
        step = drag_points.grid_step_of(self._state)
        change = gizmo_change(self._gizmo, self.part, self.press, (x, y), snaps, number, step)
        if change is None:
            return
        if isinstance(change, Translation) and snaps and number is None and self._snap_whole(x, y):
            return
        rough = len(self._items) >= self._state.limits.rough_from
        if not self._apply(change, rough):
            return
        self._rough_change = change if rough else None
        self.amount = change.words
        if isinstance(change, Rotation):
            axis, owner = self.part.axis, self._owner.removeprefix("the ")
            self.amount += " about the line of sight" if axis is None else f" about {owner}{'xyz'[axis]}"

    def release(self) -> None:
        """Add the edit to the history, many items rounded only now, or say why there is none."""
        if self._rough_change is not None:
            self._apply(self._rough_change)
        super().release()
        self._messages.notice = self._problem or self._messages.notice

    def _apply(self, change: GizmoChange, rough: bool = False) -> bool:
        """Change the items or, where that is impossible, leave them as they were, say why, and return False."""
        try:
            after = change.apply(list(self._items.values()), rough)
            self._preview(dict(zip(self._items, after, strict=True)))
        except HitscopeError as error:
            self._session.revert()
            self._rough_change, self._problem, self.note = None, error.message, error.message
            return False
        return True

    def _snap_whole(self, x: float, y: float) -> bool:
        """Snap a single item by its pivot; True if there was something to snap to."""
        gizmo, part = self._gizmo, self.part
        (key, item), *others = self._items.items()
        if others or not isinstance(item, Single) or (part.kind == "plane" and gizmo.frame != IDENTITY):
            return False
        free = gizmo_change(gizmo, part, self.press, (x, y))
        if not isinstance(free, Translation):
            return False
        target = item_target(item, gizmo.pivot)
        if part.kind == "axis" and part.axis is not None:
            target = target._replace(constraint=np.array(gizmo.frame[part.axis]))
        seen_x, seen_y, _ = self._display.view.project(gizmo.pivot)[0].tolist()
        pixel = seen_x + x - self.press[0], seen_y + y - self.press[1]
        level = part.axis if part.kind == "plane" else None
        found = self.snap(target, pixel, total(gizmo.pivot, free.by), level)
        if found is None:
            return False
        self._preview({key: found.item})
        self.amount = Translation(difference(found.point, gizmo.pivot)).words
        return True

    def _preview(self, after: Mapping[edit_targets.EditTarget, Item]) -> None:
        scene = self._session.document.scene
        self._session.preview(edit_targets.replace_targets(scene, after))
        notes = map(type_change, self._items.values(), after.values())
        self.note = next(filter(None, notes), "") or edit_targets.inlined_note(scene, after) or self.note
