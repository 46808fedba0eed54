"""Edits of items in the inspector, which raise HitscopeError for a wrong value, and of the scene's heading."""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report
from hitscope.geometry.registry import Argument, pair_of
from hitscope.scene import conversions, edits, fields
from hitscope.scene.items import Item, Single
from hitscope.viewer.actions.selecting import has_selection
from hitscope.viewer.state.dialogs import EditedHeading
from hitscope.viewer.state.edit_targets import edit_target, find_item, inlined_note, replace_targets
from hitscope.viewer.state.state import State, command

FORM_WORDS = {
    "corners": "by min and max",
    "center": "by center and half extents",
    "none": "without a rotation",
    "axes": "with axes",
    "quaternion": "with a quaternion",
    "Euler": "with Euler angles",
    "one scale": "with one scale",
    "three scales": "with three scales",
}
"""How an item is stored in each form, in the names of edits; see `fields`."""


def set_numbers(state: State, target: Target, texts: Mapping[fields.NumberPath, str]) -> None:
    """Set numbers of an item, or of the element that the target names, to typed texts."""
    key, item = edit_target(state.session.scene, target)
    changed = {key: fields.with_numbers(item, {path: fields.parse_number(text) for path, text in texts.items()})}
    message = inlined_note(state.session.scene, changed)
    names = dict.fromkeys(fields.name_of(path) if len(texts) == 1 else fields.name_of(path[:1]) for path in texts)
    after = replace_targets(state.session.document.scene, changed)
    state.session.edit(after, f"set {' and '.join(names)} of {target.id}")
    state.messages.notice = message or state.messages.notice


def set_form(state: State, target: Target, form: str) -> None:
    """Store an item in another form; a notice says what rounding changed."""
    index, item, _ = find_item(state.session.scene, target)
    changed = fields.in_form(item, form)
    _put(state, target, index, changed, f"store {target.id} {FORM_WORDS[form]}")
    if note := fields.rounding_note(item, changed):
        state.messages.notice = f"{target.id} is rounded: {note}"


def set_type(state: State, target: Target, word: str) -> None:
    """Make an item one of another type, with the same id; a notice says what became of its set."""
    index, item, _ = find_item(state.session.scene, target)
    assert isinstance(item, Single)
    changed = conversions.as_type(item, word)
    _put(state, target, index, changed, f"make {target.id} a {word}")
    words = f"{target.id} is of type {word} now", conversions.loss(item, changed)
    state.messages.notice = ": ".join(filter(None, words))


def set_role(state: State, target: Target, role: edits.Kind) -> None:
    """Turn a probe into a primitive, or back; it stays selected."""
    index, _, _ = find_item(state.session.scene, target)
    scene = conversions.exchange_roles(state.session.document.scene, {target.kind: [index]})
    turned = Target(role, edits.ids_of(scene, role)[-1])
    state.session.edit(scene, f"make {target.id} a {role}")
    state.selection.select(turned)
    state.messages.notice = f"{turned.id} is a {role} now"


def set_enabled(state: State, target: Target, enabled: bool) -> None:
    index, item, _ = find_item(state.session.scene, target)
    _put(state, target, index, replace(item, enabled=enabled), f"{'enable' if enabled else 'disable'} {target.id}")


def rename(state: State, target: Target, name: str) -> None:
    if name == target.id:
        return
    index, _, _ = find_item(state.session.scene, target)
    # Before the edit, which deselects what no longer exists.
    selection = [target._replace(id=name) if other == target else other for other in state.selection.targets]
    state.session.edit(
        edits.rename_item(state.session.document.scene, target.kind, index, name), f"rename {target.id}"
    )
    state.selection.select(*selection)


def set_argument(state: State, pair: str, report: Report, name: str, value: Argument) -> None:
    """Set a named argument of the method that decides a pair of types, such as "segment_aabb"."""
    choice = report.scene.methods[pair]
    known = {"name": choice} if isinstance(choice, str) else choice
    changed = edits.decide_by(state.session.document.scene, pair, {**known, name: value})
    state.session.edit(changed, f"set {name} of {known['name']}")


def _put(state: State, target: Target, index: int, item: Item, name: str) -> None:
    state.session.edit(edits.replace_items(state.session.document.scene, target.kind, {index: item}), name)


def decide_by(state: State, pair: str, method: str) -> None:
    """Let a method decide all pairs of two types, such as "segment_aabb"; in place of the user's own for now."""
    session, own = state.session, state.session.own
    if not own.decides(pair):
        session.edit(edits.decide_by(session.document.scene, pair, method), f"decide by {method}")
        return
    own.looks.pop(pair, None)
    if own.answered is not None and own.answered.methods[pair].method.name != method:
        own.looks[pair] = method


def decide_by_neighbour(state: State, by: int) -> None:
    """Let the next or the previous method of the list decide all pairs of these types."""
    pair, report = state.selection.pair(state.session.picture), state.session.report
    if pair is None:
        raise HitscopeError("Select a probe and a primitive to choose the method for them")
    verdict = report.verdict(*pair)
    types = pair_of(*verdict.shapes)
    names = list(report.methods_of(types))
    name = names[(names.index(verdict.method) + by) % len(names)]
    decide_by(state, types, name)
    state.messages.notice = f"{name} decides"


@command(
    "type_numbers",
    "Type the numbers of the item",
    keys="F9",
    synonyms="inspector field edit coordinates value",
    is_possible=has_selection,
)
def type_numbers(state: State) -> None:
    """Give the keyboard to the first number of the selected item."""
    if state.selection.last is None:
        raise HitscopeError("Select a probe or a primitive to type its numbers")
    state.display.panels = True
    state.display.closed_parts -= {"Item"}
    state.dialogs.types_numbers = True


def stop_typing_numbers(state: State) -> None:
    """Note that the field has the keyboard, or that there is none."""
    state.dialogs.types_numbers = False


@command("rename_scene", "Rename the scene", keys="F2", synonyms="title name")
def edit_name(state: State) -> None:
    """Show a text field in place of the scene's name."""
    _edit_heading(state, "name")


@command("describe_scene", "Describe the scene", keys="Shift+F2", synonyms="description text note")
def edit_description(state: State) -> None:
    """Show a text field in place of the scene's description."""
    _edit_heading(state, "description")


def _edit_heading(state: State, part: Literal["name", "description"]) -> None:
    state.display.panels = True
    state.dialogs.heading = EditedHeading(state.session.document, part)


def stop_heading(state: State, heading: EditedHeading) -> None:
    if state.dialogs.heading == heading:
        state.dialogs.heading = None


def take_heading(state: State, heading: EditedHeading, typed: str) -> None:
    session = state.session
    if heading.document is session.document:
        verb = "rename" if heading.part == "name" else "describe"
        session.edit(replace(session.document.scene, **{heading.part: typed.strip()}), f"{verb} the scene")
