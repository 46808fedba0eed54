"""Commands that edit the selection: one entry of the history each."""

from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.scene.conversions import OTHER, exchange_roles
from hitscope.scene.edits import Kind, add_items, ids_of, index_of, remove_elements, remove_items
from hitscope.scene.items import Item
from hitscope.scene.named_items import split
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.actions.selecting import has_selection
from hitscope.viewer.state.edit_targets import KINDS, EditTarget, edit_targets, replace_targets, title
from hitscope.viewer.state.state import State, command
from hitscope.viewer.tools.commands.selection_commands import NOTHING, name_of


@command("delete", "Delete", keys=("Delete", "Backspace"), synonyms="remove erase", is_possible=has_selection)
def delete(state: State) -> None:
    """Remove the selected items, and rows of bulk items."""
    targets, scene = state.selection.targets, state.session.document.scene
    if not targets:
        state.messages.notice = NOTHING
        return
    name = name_of(targets)
    named = [(target.kind, *split(target.id)) for target in targets]
    removed = [(kind, index_of(scene, kind, item), row) for kind, item, row in named]
    try:
        for kind in KINDS:
            whole = {index for of, index, row in removed if of == kind and row is None}
            rows: dict[int, set[int]] = {}
            for of, index, row in removed:
                if of == kind and row is not None and index not in whole:
                    rows.setdefault(index, set()).add(row)
            for index, removed_rows in rows.items():
                scene = remove_elements(scene, kind, index, removed_rows)
            scene = remove_items(scene, kind, whole)
    except HitscopeError as error:
        state.messages.notice = f"{name}: {error.message}"
        return
    elements = any(row is not None for *_, row in removed)

    def take() -> None:
        if elements:  # later ones get the names of those that were removed
            state.selection.select()
        state.messages.notice = f"Deleted {name}{state.commands.phrase('undo', 'undoes it', '; ')}"

    change(state, scene, f"delete {name}", take)


@command("duplicate", "Duplicate", keys="Ctrl+D", synonyms="clone", is_possible=has_selection)
def duplicate(state: State) -> None:
    """Add copies of the selected items, and select the copies; the copy of an element is an item of its own."""
    session, selection, messages = state.session, state.selection, state.messages
    targets, scene = selected_items(state), session.document.scene
    if not targets:
        return
    for kind in KINDS:
        copies = [
            item if of.row is None else replace(item, id=f"{ids_of(scene, kind)[of.item_index]}-{of.row}")
            for of, item in targets.items()
            if of.kind == kind
        ]
        scene = add_items(scene, kind, copies)
    before = session.document.scene
    added = [Target(kind, new) for kind in KINDS for new in ids_of(scene, kind)[len(ids_of(before, kind)) :]]
    session.edit(scene, f"duplicate {title(before, targets)}")
    selection.select(*added)
    state.tool.gizmo_mode = "move"
    messages.notice = (
        f"{name_of(selection.targets)} is a copy at the same position" if len(selection.targets) == 1 else ""
    )


@command("toggle_enabled", "Enable or disable the probe", keys="Shift+E", synonyms="mute off ignore")
def toggle_enabled(state: State) -> None:
    """Enable the selected probes; if any is enabled, disable all of them."""
    session, messages = state.session, state.messages
    targets, scene = selected_items(state), session.document.scene
    probes = {target: item for target, item in targets.items() if target.kind == "probe"}
    if not probes:
        messages.notice = "Select probes to enable or disable them"
        return
    enabled = not any(probe.enabled for probe in probes.values())  # type: ignore[attr-defined]
    after = {target: replace(probe, enabled=enabled) for target, probe in probes.items()}
    name = title(scene, probes)
    word = "enable" if enabled else "disable"
    session.edit(replace_targets(scene, after), f"{word} {name}")
    messages.notice = f"{word.capitalize()}d {name}"


@command(
    "exchange",
    "Turn a probe into a primitive, or back",
    keys="M",
    synonyms="role swap convert",
    is_possible=has_selection,
)
def exchange(state: State) -> None:
    """Turn the selected primitives into probes, and the selected probes into primitives."""
    session, selection, messages = state.session, state.selection, state.messages
    targets, scene = selected_items(state), session.document.scene
    if not targets:
        return
    name, chosen = name_of(selection.targets), dict[Kind, list[int]]()
    for target, item in targets.items():
        if target.row is not None:
            other = OTHER[target.kind]
            messages.notice = f"Cannot turn one element of {item.word}s into a {other}: duplicate it first"
            return
        chosen.setdefault(target.kind, []).append(target.item_index)
    try:
        scene = exchange_roles(scene, chosen)
    except HitscopeError as error:
        messages.notice = error.message
        return
    others = {OTHER[kind]: len(indices) for kind, indices in chosen.items()}
    added = [Target(other, new) for other, count in others.items() for new in ids_of(scene, other)[-count:]]
    session.edit(scene, f"make {name} a {' and a '.join(others)}")
    selection.select(*added)
    messages.notice = f"{name_of(selection.targets)} is a {' and a '.join(others)} now"


def selected_items(state: State) -> dict[EditTarget, Item]:
    """The selected items; none, with a notice, if nothing is selected or an element cannot be an item."""
    selection, messages = state.selection, state.messages
    if not selection.targets:
        messages.notice = NOTHING
    try:
        return edit_targets(state.session.document.scene, selection.targets)
    except HitscopeError as error:
        messages.notice = f"{name_of(selection.targets)}: {error.message}"
        return {}
