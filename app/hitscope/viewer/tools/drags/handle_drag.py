"""The drag of one handle."""

import math

from hitscope.draw.handle_targets import handle_target
from hitscope.draw.target import Hidden, Target
from hitscope.geometry.arrays import Array
from hitscope.scene.decimals import difference
from hitscope.scene.items import Single
from hitscope.viewer.state.edit_targets import edit_target, inlined_note, replace_targets
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.drags.drag_points import constraint_words, dragged_point, path_words, point_at_distance
from hitscope.viewer.tools.drags.edit_drag import EditDrag


class HandleDrag(EditDrag):
    """Moves one handle, in the plane through it that faces the camera, or along an axis or its constraint."""

    def __init__(self, state: State, target: Target, x: float, y: float) -> None:
        super().__init__(state, x, y)
        assert target.handle is not None
        self._target, self._handle = target, target.handle
        self._key, item = edit_target(state.session.document.scene, target)
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
        stage, scene = self._session.picture.stage, self._session.document.scene
        free = dragged_point(self._display.view, stage, self.start, pixel, self.lock, target.constraint)
        if free is not None and (distance := self.typed_number) is not None:
            free = point_at_distance(self.start, free, distance, self.lock, target.constraint)
        if free is None:
            return
        found = self.snap(target, pixel, free)
        moved = found.item if found else target.store(difference(free, target.base))
        point = handle_target(moved, self._handle).point
        self.amount = f"{target.name} by {math.dist(self.start, point):g}"
        self.path = path_words(self.start, point)
        self._session.preview(replace_targets(scene, {self._key: moved}))
        self.note = inlined_note(scene, [self._key]) or self.note

    def release(self) -> None:
        """Add the edit to the history; after a click on the handle, show how it is nudged."""
        super().release()
        if self._selection.handle == self._target:
            self._messages.notice = f"Arrow keys nudge the {self._handle_target.name} of {self._target.id}"

    @property
    def lock_words(self) -> str:
        """The direction of the handle's motion in words; a box's face moves along its normal despite a lock."""
        constraint = self._handle_target.constraint
        return super().lock_words if constraint is None else constraint_words(constraint)

    @property
    def directions(self) -> Array:
        constraint = self._handle_target.constraint
        return super().directions if constraint is None else constraint[None]

    def changed(self) -> Hidden:
        return frozenset([self._target[:2]])
