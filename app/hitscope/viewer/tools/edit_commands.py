"""Commands that edit the selection: one entry of the history each.

The arrow keys nudge: a grid step, or one ulp, along the axes nearest to the picture's directions.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace

from hitscope.draw.handle_targets import HandleTarget, handle_target
from hitscope.draw.target import Target, Targets
from hitscope.errors import HitscopeError
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.render.camera import Camera
from hitscope.scene import Scene
from hitscope.scene.conversions import OTHER, exchange_roles
from hitscope.scene.decimals import total
from hitscope.scene.edits import Kind, add_items, ids_of, remove_elements, remove_items
from hitscope.scene.items import Item, Single
from hitscope.scene.transforms import nudge, translate_all
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.actions.selecting import NOTHING, has_selection
from hitscope.viewer.state import edit_targets
from hitscope.viewer.state.messages import hints
from hitscope.viewer.state.state import State, command
from hitscope.viewer.state.tool import Nudge
from hitscope.viewer.tools.drags.drag_points import constraint_words, grid_step_of


@command("delete", "Delete", keys=("Delete", "Backspace"), synonyms="remove erase", is_possible=has_selection)
def delete(state: State) -> None:
    """Remove the selected items, and rows of bulk items."""
    targets, scene = state.selection.targets, state.session.document.scene
    if not targets:
        raise HitscopeError(NOTHING)
    name = state.selection.title
    removed = [(target.kind, *edit_targets.find_item(scene, target)) for target in targets]
    rows = [(kind, index, row) for kind, index, _, row in removed if row is not None]
    try:
        for kind in edit_targets.KINDS:
            whole = {index for of, index, _, row in removed if of == kind and row is None}
            for index in {index for of, index, _ in rows if of == kind} - whole:
                scene = remove_elements(scene, kind, index, {row for *at, row in rows if at == [kind, index]})
            scene = remove_items(scene, kind, whole)
    except HitscopeError as error:
        raise HitscopeError(f"{name}: {error.message}") from None

    def take() -> None:
        if rows:  # later ones get the names of those that were removed
            state.selection.select()
        state.messages.notice = f"Deleted {name}{state.commands.phrase('undo', 'undoes it', '; ')}"

    change(state, scene, f"delete {name}", take)


@command("duplicate", "Duplicate", keys="Ctrl+D", synonyms="clone", is_possible=has_selection)
def duplicate(state: State) -> None:
    """Add copies of the selected items, and select the copies; the copy of an element is an item of its own."""
    session, selection = state.session, state.selection
    targets, scene = selected_items(state), session.document.scene
    before, added = scene, list[Target]()
    for kind in edit_targets.KINDS:
        ids = ids_of(before, kind)
        copies = [
            item if of.row is None else replace(item, id=f"{ids[of.item_index]}-{of.row}")
            for of, item in targets.items()
            if of.kind == kind
        ]
        scene = add_items(scene, kind, copies)
        added += [Target(kind, new) for new in ids_of(scene, kind)[len(ids) :]]
    session.edit(scene, f"duplicate {edit_targets.title(edit_targets.names_of(before, targets))}")
    selection.select(*added)
    state.tool.gizmo_mode = "move"
    state.messages.notice = f"{selection.title} is a copy at the same position" if len(added) == 1 else ""


@command("toggle_enabled", "Enable or disable the probe", keys="Shift+E", synonyms="mute off ignore")
def toggle_enabled(state: State) -> None:
    """Enable the selected probes; if any is enabled, disable all of them."""
    if all(target.kind != "probe" for target in state.selection.targets):
        raise HitscopeError("Select probes to enable or disable them")
    scene = state.session.document.scene
    probes = {target: item for target, item in selected_items(state).items() if target.kind == "probe"}
    enabled = not any(probe.enabled for probe in probes.values())  # type: ignore[attr-defined]
    after = {target: replace(probe, enabled=enabled) for target, probe in probes.items()}
    name = edit_targets.title(edit_targets.names_of(scene, probes))
    word = "enable" if enabled else "disable"
    state.session.edit(edit_targets.replace_targets(scene, after), f"{word} {name}")
    state.messages.notice = f"{word.capitalize()}d {name}"


@command(
    "exchange",
    "Turn a probe into a primitive, or back",
    keys="M",
    synonyms="role swap convert",
    is_possible=has_selection,
)
def exchange(state: State) -> None:
    """Turn the selected primitives into probes, and the selected probes into primitives."""
    session, selection = state.session, state.selection
    name, chosen = selection.title, dict[Kind, list[int]]()
    for target, item in selected_items(state).items():
        if target.row is not None:
            other = OTHER[target.kind]
            raise HitscopeError(f"Cannot turn one element of {item.word}s into a {other}: duplicate it first")
        chosen.setdefault(target.kind, []).append(target.item_index)
    scene = exchange_roles(session.document.scene, chosen)
    others = {OTHER[kind]: len(indices) for kind, indices in chosen.items()}
    added = [Target(other, new) for other, count in others.items() for new in ids_of(scene, other)[-count:]]
    session.edit(scene, f"make {name} a {' and a '.join(others)}")
    selection.select(*added)
    state.messages.notice = f"{selection.title} is a {' and a '.join(others)} now"


def selected_items(state: State) -> dict[edit_targets.EditTarget, Item]:
    """The selected items; raises HitscopeError if nothing is selected or an element cannot be an item."""
    if not state.selection.targets:
        raise HitscopeError(NOTHING)
    try:
        return edit_targets.edit_targets(state.session.document.scene, state.selection.targets)
    except HitscopeError as error:
        raise HitscopeError(f"{state.selection.title}: {error.message}") from None


ARROWS = {"Right": (0, 1), "Left": (0, -1), "Up": (1, 1), "Down": (1, -1), "PageUp": (2, 1), "PageDown": (2, -1)}
"""The row of the camera's axes that each key moves along, and the sign; PageUp moves towards the eye."""
PAUSE = 1.0
"""Seconds without a nudge after which the next one is an entry of the history of its own."""


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
    camera, step = state.display.view.camera, grid_step_of(state)
    by = nudge_by(camera, key, step)
    _nudge(
        state,
        "nudge",
        arrow(camera, key),
        f"{step:g}",
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

    _nudge(state, "nudge by ulps", (axis, sign), "one ulp", by_ulp, lambda target: target.nudged(axis, sign > 0))


def _nudge(
    state: State,
    verb: str,
    way: tuple[int, int],
    length: str,
    move_items: Callable[[Sequence[Item]], list[Item]],
    move_handle: Callable[[HandleTarget], Single],
) -> None:
    """Move the handle, or the selected items, and say the coordinate axis and sign of the `way` and its length."""
    axis, sign = way
    nudged = f"nudged by {length} along {'+' if sign > 0 else '-'}{'xyz'[axis]}"
    scene, handle = state.session.document.scene, state.selection.handle
    if handle is not None and handle.handle is not None:
        key, item = edit_targets.edit_target(scene, handle)
        assert isinstance(item, Single)
        target = handle_target(item, handle.handle)
        name = f"{target.name} of {handle.id}"
        if target.constraint is not None and not target.constraint[axis]:
            raise HitscopeError(f"The {name} moves only {constraint_words(target.constraint)}")
        after = edit_targets.replace_targets(scene, {key: move_handle(target)})
        _continue(state, after, f"{verb} {name}", (handle,))
        state.messages.notice = f"{name} {nudged}"
        return
    targets = selected_items(state)
    moved = zip(targets, move_items([*targets.values()]), strict=True)
    name = edit_targets.title(edit_targets.names_of(scene, targets))
    _continue(state, edit_targets.replace_targets(scene, dict(moved)), f"{verb} {name}", state.selection.targets)
    state.messages.notice = hints(f"{name} {nudged}", edit_targets.inlined_note(scene, targets))


def _continue(state: State, after: Scene, name: str, targets: Targets) -> None:
    """Make a nudge an edit, or a part of the last if that was the same just before: one undo takes all back."""
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
