"""The dialog that shows what pasted or typed numbers mean, and adding pasted items to the scene."""

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.scene import Scene
from hitscope.scene.clipboard_text import NAME, is_scene_text, pasted
from hitscope.scene.items import Single
from hitscope.scene.model import PROBES
from hitscope.scene.number_readings import Reading, as_scene, fits, readings_of, with_fields
from hitscope.viewer.actions import view
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.state.dialogs import PasteNumbers, PasteRole
from hitscope.viewer.state.edit_targets import edit_target, inlined_note, replace_targets, title
from hitscope.viewer.state.state import State, command


@command("paste_numbers", "Paste or type numbers", synonyms="coordinates vector log csv table import")
def show(state: State) -> None:
    """Show the dialog with a field to type or paste numbers; numbers that are on the clipboard are in it."""
    dialog = PasteNumbers(state.selection.last, has_field=True)
    if not is_scene_text(state.host.clipboard):
        read(state, dialog, state.host.clipboard)
    state.dialogs.dialog = dialog if dialog.readings else PasteNumbers(state.selection.last, has_field=True)


def preview(state: State, text: str) -> None:
    """Show what numbers in a text mean; raises HitscopeError where there are none."""
    dialog = PasteNumbers(state.selection.last)
    read(state, dialog, text)
    if not dialog.readings:
        raise HitscopeError(f"{NAME}: {dialog.problem}")
    state.messages.problem = ""
    state.dialogs.dialog = dialog


def read(state: State, dialog: PasteNumbers, typed: str) -> None:
    """Read another text; numbers that fit the selected item change it, unless they are named as something else."""
    dialog.typed, dialog.problem, dialog.readings = typed, "", []
    item = _item(state, dialog.target)
    try:
        dialog.readings = readings_of(typed, item) if typed.strip() else []
    except HitscopeError as error:
        dialog.problem = str(error)
        return
    named = any(reading.is_named for reading in dialog.readings[:1])
    fitting = [i for i, reading in enumerate(dialog.readings) if item is not None and fits(reading, item)]
    choose(state, dialog, 0 if named or not fitting else fitting[0])


def choose(state: State, dialog: PasteNumbers, chosen: int) -> None:
    dialog.chosen = chosen
    if dialog.reading is not None:
        dialog.roles = _roles(dialog.reading, _item(state, dialog.target))
        dialog.role = dialog.roles[0]


def set_role(state: State, dialog: PasteNumbers, role: PasteRole) -> None:
    dialog.role = role


def take(state: State, dialog: PasteNumbers) -> None:
    reading, target = dialog.reading, dialog.target
    if reading is None:
        return
    try:
        if dialog.role == "change" and target is not None:
            _change(state, target, reading)
        elif dialog.role != "change":
            add(state, as_scene(reading, dialog.role), shows=True)
    except HitscopeError as error:
        dialog.problem = error.message
        return
    state.dialogs.dialog = None


def _change(state: State, target: Target, reading: Reading) -> None:
    scene = state.session.document.scene
    key, item = edit_target(scene, target)
    assert isinstance(item, Single)
    changed = {key: with_fields(item, reading)}
    notes = f"Pasted into {target.id}", inlined_note(scene, changed)
    state.session.edit(replace_targets(scene, changed), f"paste into {target.id}")
    state.messages.notice = ", ".join(filter(None, notes))


def _item(state: State, target: Target | None) -> Single | None:
    """The item of a target, if its numbers can be changed."""
    if target is None or not state.session.exists(target):
        return None
    try:
        _, item = edit_target(state.session.document.scene, target)
    except HitscopeError:
        return None
    return item if isinstance(item, Single) else None


def _roles(reading: Reading, item: Single | None) -> tuple[PasteRole, ...]:
    """The possible uses of a reading; the likeliest first."""
    change: tuple[PasteRole, ...] = ("change",) if item is not None and fits(reading, item) else ()
    if reading.is_partial:
        return change
    if reading.has_role:
        return (*change, "primitive", "probe")
    return (*change, "probe" if reading.words <= PROBES.keys() else "primitive")


def add(state: State, clip: Scene, *, shows: bool = False) -> None:
    """Add the items of a scene to the one that is shown, and select them; with `shows` they come in sight."""
    before = state.session.document.scene
    shows = shows or not (before.primitives or before.probes)
    result = pasted(before, clip)
    name = title([*result.probes, *result.primitives])

    def select() -> None:
        targets = [Target("probe", name) for name in result.probes]
        state.selection.select(*targets, *(Target("primitive", name) for name in result.primitives))
        state.messages.notice = f"Pasted {name}"
        if shows:
            refresh(state)  # the picture has to know them
            view.show_selection(state)

    change(state, result.scene, f"paste {name}", select)
