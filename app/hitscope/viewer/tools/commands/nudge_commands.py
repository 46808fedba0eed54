"""Nudging by the arrow keys: a grid step, or one ulp, along the axes nearest to the picture's directions."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hitscope.draw.handle_targets import HandleTarget, handle_target
from hitscope.draw.target import Targets
from hitscope.errors import HitscopeError
from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import Camera
from hitscope.scene import Scene
from hitscope.scene.affine_maps import vec3
from hitscope.scene.decimals import total
from hitscope.scene.items import Item, Single
from hitscope.scene.transforms import nudge, translate_all
from hitscope.viewer.state.edit_targets import edit_target, inlined_note, replace_targets, title
from hitscope.viewer.state.messages import hints
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Nudge
from hitscope.viewer.tools.commands.edit_commands import selected_items
from hitscope.viewer.tools.drags.drag_points import constraint_words, grid_step_of

ARROWS = {"Right": (0, 1), "Left": (0, -1), "Up": (1, 1), "Down": (1, -1), "PageUp": (2, 1), "PageDown": (2, -1)}
"""The row of the camera's axes that each key moves along, and the sign; PageUp moves towards the eye."""
PAUSE = 1.0
"""Seconds without a nudge after which the next one is an entry of the history of its own."""


class NudgeStep(NamedTuple):
    """A nudge along a coordinate axis: the axis, the sign, and how far in words."""

    axis: int
    sign: int
    length: str

    @property
    def words(self) -> str:
        """The nudge in words, e.g. "nudged by 0.1 along +x"."""
        return f"nudged by {self.length} along {'+' if self.sign > 0 else '-'}{'xyz'[self.axis]}"


def arrow(camera: Camera, key: str) -> tuple[int, int]:
    """The coordinate axis that a key moves along in this view, and the sign; every axis has two keys."""
    row, way = ARROWS[key]
    left = [0, 1, 2]
    for view_axis in camera.axes[: row + 1]:
        axis = max(left, key=lambda k: abs(float(view_axis[k])))
        left.remove(axis)
    return axis, way * (1 if camera.axes[row][axis] >= 0 else -1)


def nudge_by(camera: Camera, key: str, step: float) -> Vec3:
    axis, sign = arrow(camera, key)
    return vec3((np.eye(3)[axis] * sign * step + 0.0).tolist())


def nudge_step(state: State, key: str) -> None:
    """Move the selected items, or the clicked handle, by a step of the grid."""
    camera, step = state.display.view.camera, grid_step_of(state.settings, state.display)
    by = nudge_by(camera, key, step)
    _nudge(
        state,
        "nudge",
        NudgeStep(*arrow(camera, key), f"{step:g}"),
        lambda items: translate_all(items, by),
        lambda target: target.store(total(target.vector, by)),
    )


def nudge_ulp(state: State, key: str) -> None:
    """Move the selected items, or the clicked handle, to the next float64."""
    axis, sign = arrow(state.display.view.camera, key)

    def by_ulp(items: Sequence[Item]) -> list[Item]:
        singles = [item for item in items if isinstance(item, Single)]
        if len(singles) < len(items):
            raise HitscopeError("Cannot nudge many shapes in one item by one ulp")
        return [nudge(item, axis, sign > 0) for item in singles]

    step = NudgeStep(axis, sign, "one ulp")
    _nudge(state, "nudge by ulps", step, by_ulp, lambda target: target.nudged(axis, sign > 0))


def _nudge(
    state: State,
    verb: str,
    step: NudgeStep,
    move_items: Callable[[Sequence[Item]], list[Item]],
    move_handle: Callable[[HandleTarget], Single],
) -> None:
    session, selection, messages = state.session, state.selection, state.messages
    scene, handle = session.document.scene, selection.handle
    if handle is not None and handle.handle is not None:
        key, item = edit_target(scene, handle)
        assert isinstance(item, Single)
        target = handle_target(item, handle.handle)
        name = f"{target.name} of {handle.id}"
        if target.constraint is not None and not target.constraint[step.axis]:
            messages.notice = f"The {name} moves only {constraint_words(target.constraint)}"
            return
        _continue(state, replace_targets(scene, {key: move_handle(target)}), f"{verb} {name}", (handle,))
        messages.notice = f"{name} {step.words}"
        return
    targets = selected_items(state)
    try:
        after = replace_targets(scene, dict(zip(targets, move_items(list(targets.values())), strict=True)))
    except HitscopeError as error:
        messages.notice = error.message
        return
    if targets:
        name = title(scene, targets)
        messages.notice = hints(f"{name} {step.words}", inlined_note(scene, targets))
        _continue(state, after, f"{verb} {name}", selection.targets)


def _continue(state: State, after: Scene, name: str, targets: Targets) -> None:
    """Make a nudge an edit, or a part of the last edit if that was the same nudge just before.

    Ten presses of a key in a row are one edit, which `undo` undoes as a whole, like a drag.
    """
    session, tool, now = state.session, state.tool, state.display.now
    document, last = session.document, tool.last_nudge
    if (
        last is not None
        and last.scene is document.scene is not document.saved
        and (last.name, last.targets) == (name, targets)
        and now - last.at <= PAUSE
    ):
        document.step(-1)
    session.edit(after, name)
    tool.last_nudge = Nudge(document.scene, name, targets, now)
