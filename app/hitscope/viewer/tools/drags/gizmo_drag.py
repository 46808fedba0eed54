"""The drag of a part of a gizmo."""

from collections.abc import Mapping

import numpy as np

from hitscope.draw.handle_targets import item_target
from hitscope.draw.target import Hidden
from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import Array
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.decimals import difference, total
from hitscope.scene.items import Item, Single
from hitscope.scene.transforms import type_change
from hitscope.viewer.state.edit_targets import (
    EditTarget,
    edit_targets,
    inlined_note,
    names_of,
    replace_targets,
    title,
)
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import GizmoPart
from hitscope.viewer.tools.drags.drag_points import AXES
from hitscope.viewer.tools.drags.edit_drag import EditDrag
from hitscope.viewer.tools.gizmo import Gizmo
from hitscope.viewer.tools.gizmo_changes import GizmoChange, Rotation, Translation, gizmo_change


class GizmoDrag(EditDrag):
    """Moves, rotates or scales the selected items by a part of the gizmo, which keeps its pivot and axes."""

    def __init__(self, state: State, gizmo: Gizmo, part: GizmoPart, x: float, y: float) -> None:
        super().__init__(state, x, y)
        self._gizmo, self._part = gizmo, part
        self._rough_from = state.limits.rough_from
        self.start = gizmo.pivot
        self._items: dict[EditTarget, Item] = {}
        self._problem = ""
        """Why the items cannot be changed, or not in this way, in words."""
        self._rough_change: GizmoChange | None = None
        """The previewed change, if its numbers are rounded only when the drag ends."""
        scene = state.session.document.scene
        try:
            self._items = edit_targets(scene, state.selection.targets)
        except HitscopeError as error:
            self._problem = error.message
        verb = {"move": "move", "rotate": "turn", "scale": "scale"}[gizmo.mode]
        self.name = f"{verb} {title(scene, self._items)}"

    @property
    def typed_quantity(self) -> str:  # type: ignore[override]
        return {"move": "a distance", "rotate": "an angle", "scale": "a factor"}[self._gizmo.mode]

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
        if self.lock is None or self.part.kind == "ring":
            return ""
        return self.lock.words(self._owner)

    @property
    def _about(self) -> str:
        if self.part.axis is None:
            return "about the line of sight"
        return f"about {self._owner.removeprefix('the ')}{AXES[self.part.axis]}"

    @property
    def directions(self) -> Array:
        """The unit directions (n, 3) along which the part moves or scales, or about which it rotates."""
        part, frame = self.part, np.array(self._gizmo.frame)
        return frame[[part.axis is not None and (k == part.axis) != (part.kind == "plane") for k in range(3)]]

    def follow(self, x: float, y: float) -> None:
        """Preview the change of the selected items with the mouse at a pixel."""
        snaps, number = self._tool.snaps, self.typed_number
        if not self._items:
            self.note = self._problem
            return
        self._problem = ""
        change = gizmo_change(self._gizmo, self.part, self.press, (x, y), snaps, number, self._grid_step)
        if change is None:
            return
        if isinstance(change, Translation) and snaps and number is None and self._snap_whole(x, y):
            return
        rough = len(self._items) >= self._rough_from
        try:
            self._apply(change, rough)
        except HitscopeError as error:
            self._refuse(error)
            return
        self._rough_change = change if rough else None
        self.amount = f"{change.words} {self._about}" if isinstance(change, Rotation) else change.words

    def release(self) -> None:
        """Add the edit to the history, many items rounded only now, or say why there is none."""
        if self._rough_change is not None:
            try:
                self._apply(self._rough_change)
            except HitscopeError as error:
                self._refuse(error)
        super().release()
        self._messages.notice = self._problem or self._messages.notice

    def _refuse(self, error: HitscopeError) -> None:
        """Leave the items as they were, and say why."""
        self._session.revert()
        self._rough_change, self._problem, self.note = None, error.message, error.message

    def _apply(self, change: GizmoChange, rough: bool = False) -> None:
        after = change.apply(list(self._items.values()), rough)
        self._preview(dict(zip(self._items, after, strict=True)))

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

    def _preview(self, after: Mapping[EditTarget, Item]) -> None:
        scene = self._session.document.scene
        self._session.preview(replace_targets(scene, after))
        pairs = zip(self._items.values(), after.values(), strict=True)
        notes = [type_change(before, item) for before, item in pairs]
        self.note = next(filter(None, notes), "") or inlined_note(scene, after) or self.note

    def changed(self) -> Hidden:
        names = names_of(self._session.document.scene, self._items)
        return frozenset((key.kind, name) for key, name in zip(self._items, names, strict=True))
