"""Commands that edit what is selected: one entry of the history each."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from hitscope.draw.target import Target, Targets
from hitscope.errors import HitscopeError
from hitscope.scene.edits import (
    Kind,
    add_items,
    ids_of,
    index_of,
    remove_elements,
    remove_items,
)
from hitscope.scene.items import Item, Single
from hitscope.scene.model import PRIMITIVES, PROBES, Scene
from hitscope.scene.named_items import split
from hitscope.scene.transforms import nudge, translate_all
from hitscope.viewer.actions.opening import change
from hitscope.viewer.state.edit_targets import KINDS, Piece, chosen, piece_of, put_back, taken_in, title
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import GizmoMode, Nudge
from hitscope.viewer.tools.choosing import NOTHING, name_of
from hitscope.viewer.tools.dragging import AXES, total
from hitscope.viewer.tools.handle_targets import HandleTarget, handle_target
from hitscope.viewer.tools.nudging import PAUSE, arrow, grid_step_of, nudge_by


def draw(kind: str) -> Callable[[State], None]:
    """Give the command after which the next drag draws a probe of a kind."""

    def command(state: State) -> None:
        state.tool.armed, state.tool.gizmo_mode = kind, None

    return command


def gizmo(mode: GizmoMode) -> Callable[[State], None]:
    """Give the command that shows a gizmo for what is selected; Escape hides it."""

    def command(state: State) -> None:
        state.tool.gizmo_mode, state.tool.armed = mode, None
        if not state.selection.targets:
            state.messages.notice = f"Select what you want to {mode}"
        state.tool.reapply()

    return command


def toggle_axes(state: State) -> None:
    """Let the gizmo have the axes of the selected box or mesh, or the world's."""
    state.tool.own_axes = not state.tool.own_axes
    state.messages.notice = "Axes of the selection" if state.tool.own_axes else "Axes of the world"
    state.tool.reapply()


def toggle_snapping(state: State) -> None:
    """Let drags snap, or not."""
    state.tool.snapping = not state.tool.snapping
    state.messages.notice = (
        "Snapping is on; hold Ctrl to drag freely" if state.tool.snapping else "Snapping is off; hold Ctrl to snap"
    )


def delete(state: State) -> None:
    """Remove what is selected: items, and rows of those that are many shapes."""
    if not state.selection.targets:
        state.messages.notice = NOTHING
        return
    scene, gone = (
        state.session.document.scene,
        [(target.kind, *_place(state, target)) for target in state.selection.targets],
    )
    try:
        for kind in KINDS:
            whole = {place for of, place, row in gone if of == kind and row is None}
            rows: dict[int, set[int]] = {}
            for of, place, row in gone:
                if of == kind and row is not None and place not in whole:
                    rows.setdefault(place, set()).add(row)
            for place, some in rows.items():
                scene = remove_elements(scene, kind, place, some)
            scene = remove_items(scene, kind, whole)
    except HitscopeError as error:
        state.messages.notice = f"{name_of(state.selection.targets)}: {error.message}"
        return
    name = name_of(state.selection.targets)
    elements = any(row is not None for *_, row in gone)
    # What is behind an element that goes takes its name.
    change(state, scene, f"delete {name}", state.selection.select if elements else lambda: None)


def duplicate(state: State) -> None:
    """Add copies of what is selected, and select these; the copy of an element is an item of its own."""
    pieces = _pieces(state)
    scene = state.session.document.scene
    for kind in KINDS:
        copies = [
            item if piece.row is None else replace(item, id=f"{ids_of(scene, kind)[piece.place]}-{piece.row}")
            for piece, item in pieces.items()
            if piece.kind == kind
        ]
        scene = add_items(scene, kind, copies)
    if pieces:
        _add(state, scene, f"duplicate {title(state.session.document.scene, pieces)}")
        state.tool.gizmo_mode = "move"
        state.messages.notice = (
            f"{name_of(state.selection.targets)} lies on its original" if len(state.selection.targets) == 1 else ""
        )


def toggle_enabled(state: State) -> None:
    """Let the selected probes ask, or not; if any does, none does then."""
    probes = {piece: item for piece, item in _pieces(state).items() if piece.kind == "probe"}
    if not probes:
        state.messages.notice = "Select probes to enable or disable them"
        return
    enabled = not any(probe.enabled for probe in probes.values())  # type: ignore[attr-defined]
    after = {piece: replace(probe, enabled=enabled) for piece, probe in probes.items()}
    name = title(state.session.document.scene, probes)
    word = "enable" if enabled else "disable"
    state.session.edit(put_back(state.session.document.scene, after), f"{word} {name}")
    state.messages.notice = f"{word.capitalize()}d {name}"


def exchange(state: State) -> None:
    """Make probes of selected boxes and triangles that are primitives, and the other way round."""
    pieces, scene = _pieces(state), state.session.document.scene
    if not pieces:
        return
    others: dict[Kind, list[Item]] = {}
    for piece, item in pieces.items():
        other: Kind = "probe" if piece.kind == "primitive" else "primitive"
        words = PROBES if other == "probe" else PRIMITIVES
        if piece.row is not None:
            state.messages.notice = f"Cannot turn one element of {item.word}s into a {other}: duplicate it first"
            return
        if not isinstance(item, Single) or item.word not in words:
            state.messages.notice = f"A {item.word} cannot be a {other}"
            return
        given = {name: getattr(item, name) for name in item.__struct_fields__ if name != "enabled"}
        others.setdefault(other, []).append(words[item.word](**given))
    name = name_of(state.selection.targets)
    for kind in KINDS:
        scene = remove_items(scene, kind, {piece.place for piece in pieces if piece.kind == kind})
    for other, made in others.items():
        scene = add_items(scene, other, made)
    selection = [Target(other, name) for other in others for name in ids_of(scene, other)[-len(others[other]) :]]
    state.session.edit(scene, f"make {name} a {' and a '.join(others)}")
    state.selection.select(*selection)
    state.messages.notice = f"{name_of(state.selection.targets)} is a {' and a '.join(others)} now"


def nudge_step(key: str) -> Callable[[State], None]:
    """Give the command that moves what is selected, or the handle that was clicked, by a step of the grid."""

    def command(state: State) -> None:
        by = nudge_by(state.display.view.camera, key, grid_step_of(state.settings, state.display))
        way = NudgeStep(*arrow(state.display.view.camera, key), f"{grid_step_of(state.settings, state.display):g}")
        _nudge(
            state,
            "nudge",
            way,
            lambda items: translate_all(items, by),
            lambda hold: hold.store(total(hold.vector, by)),
        )

    return command


def nudge_ulp(key: str) -> Callable[[State], None]:
    """Give the command that moves what is selected, or the handle that was clicked, to the next float64."""

    def command(state: State) -> None:
        axis, sign = arrow(state.display.view.camera, key)

        def step(items: Sequence[Item]) -> list[Item]:
            singles = [item for item in items if isinstance(item, Single)]
            if len(singles) < len(items):
                raise HitscopeError("Cannot nudge many shapes in one item by one ulp")
            return [nudge(item, axis, sign > 0) for item in singles]

        way = NudgeStep(axis, sign, "one ulp")
        _nudge(state, "nudge by ulps", way, step, lambda hold: hold.nudged(axis, sign > 0))

    return command


class NudgeStep(NamedTuple):
    """Which way a nudge goes: the coordinate axis, the sign, and how far in words."""

    axis: int
    sign: int
    far: str

    @property
    def words(self) -> str:
        """What a nudge did."""
        return f"nudged by {self.far} along {'+' if self.sign > 0 else '-'}{AXES[self.axis]}"


def _nudge(
    state: State,
    word: str,
    way: NudgeStep,
    change: Callable[[Sequence[Item]], list[Item]],
    by_handle: Callable[[HandleTarget], Single],
) -> None:
    scene = state.session.document.scene
    if state.selection.handle is not None and state.selection.handle.handle is not None:
        piece, item = piece_of(scene, state.selection.handle)
        assert isinstance(item, Single)
        hold = handle_target(item, state.selection.handle.handle)
        name = f"{hold.name} of {state.selection.handle.id}"
        if hold.rail is not None and not hold.rail[way.axis]:
            state.messages.notice = f"The {name} moves only along its normal"
            return
        after = put_back(scene, {piece: by_handle(hold)})
        _go_on(state, after, f"{word} {name}", (state.selection.handle,))
        state.messages.notice = f"{name} {way.words}"
        return
    pieces = _pieces(state)
    try:
        after = put_back(scene, dict(zip(pieces, change(list(pieces.values())), strict=True)))
    except HitscopeError as error:
        state.messages.notice = error.message
        return
    if pieces:
        name = title(scene, pieces)
        state.messages.notice = "   ·   ".join(filter(None, (f"{name} {way.words}", taken_in(scene, pieces))))
        _go_on(state, after, f"{word} {name}", state.selection.targets)


def _go_on(state: State, after: Scene, name: str, subject: Targets) -> None:
    """Make a nudge an edit, or, where another of the same just was, a part of that one.

    A key that is struck ten times is one thing done; `undo` takes the whole run back, as that of a drag.
    """
    document, last = state.session.document, state.tool.last_nudge
    if (
        last is not None
        and last.scene is document.scene is not document.saved
        and (last.name, last.targets) == (name, subject)
        and state.display.now - last.at <= PAUSE
    ):
        document.undo()
    state.session.edit(after, name)
    state.tool.last_nudge = Nudge(document.scene, name, subject, state.display.now)


def _pieces(state: State) -> dict[Piece, Item]:
    """Give what is selected, or say why there is nothing."""
    if not state.selection.targets:
        state.messages.notice = NOTHING
    try:
        return chosen(state.session.document.scene, state.selection.targets)
    except HitscopeError as error:
        state.messages.notice = f"{name_of(state.selection.targets)}: {error.message}"
        return {}


def _place(state: State, target: Target) -> tuple[int, int | None]:
    """Give the place of the item that a target belongs to, and of an element its row."""
    name, row = split(target.id)
    return index_of(state.session.document.scene, target.kind, name), row


def _add(state: State, scene: Scene, name: str) -> None:
    """Make an edit that added items, and select these."""
    before = state.session.document.scene
    added = [Target(kind, new) for kind in KINDS for new in ids_of(scene, kind)[len(ids_of(before, kind)) :]]
    state.session.edit(scene, name)
    state.selection.select(*added)
