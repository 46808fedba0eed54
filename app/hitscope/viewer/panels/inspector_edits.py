"""Edits that the inspector makes of the scene; each raises HitscopeError for a value that the item cannot have."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.evaluate import Report
from hitscope.geometry.registry import Argument
from hitscope.scene import edits
from hitscope.scene.bulk_rows import element
from hitscope.scene.expecting import rename_item
from hitscope.scene.items import Item
from hitscope.scene.model import Bulk
from hitscope.scene.named import split
from hitscope.viewer.panels import fields
from hitscope.viewer.tools.pieces import Piece, put_back, taken_in

if TYPE_CHECKING:
    from hitscope.viewer.app import App

T = TypeVar("T", bound=Item)


def find_item(app: "App", target: Target) -> tuple[int, Item, int | None]:
    """The index of the item that a target belongs to, the item, and the index of the element it names, if any."""
    scene = app.scene
    name, element = split(target.id)
    index = edits.place_of(scene, target.kind, name)
    return index, edits.items_of(scene, target.kind)[index], element


def set_numbers(app: "App", target: Target, texts: Mapping[fields.NumberPath, str]) -> None:
    """Set numbers of an item, or of the element that the target names, to typed texts."""
    index, item, row = find_item(app, target)
    edited = element(item, row) if row is not None and isinstance(item, Bulk) else item
    values = {path: fields.parse_number(text) for path, text in texts.items()}
    changed = {Piece(target.kind, index, row): fields.with_numbers(edited, values)}
    message = taken_in(app.scene, changed)
    names = [fields.name_of(path) if len(texts) == 1 else str(path[0]) for path in texts]
    app.edit(put_back(app.document.scene, changed), f"set {' and '.join(dict.fromkeys(names))} of {target.id}")
    app.message = message or app.message


def set_form(app: "App", target: Target, form: str) -> None:
    """Store an item in another form; a message tells where rounding changes it."""
    index, item, _ = find_item(app, target)
    changed = fields.in_form(item, form)
    _put(app, target, index, changed, f"give {target.id} by {form}")
    if note := fields.rounding_note(item, changed):
        app.message = f"{target.id} is rounded: {note}"


def set_enabled(app: "App", target: Target, enabled: bool) -> None:
    """Enable or disable a probe; a disabled one is not evaluated."""
    index, item, _ = find_item(app, target)
    _put(app, target, index, replace(item, enabled=enabled), f"{'enable' if enabled else 'disable'} {target.id}")


def rename(app: "App", target: Target, name: str) -> None:
    """Rename an item, which stays selected."""
    index, _, _ = find_item(app, target)
    if name == target.id:
        return
    # Before the edit, which deselects what no longer exists.
    selection = [target._replace(id=name) if other == target else other for other in app.selection]
    app.edit(rename_item(app.document.scene, target.kind, index, name), f"rename {target.id}")
    app.select(*selection)


def set_argument(app: "App", pair: str, report: Report, name: str, value: Argument) -> None:
    """Set a named argument of the method that decides a pair of types, such as "segment_aabb"."""
    choice = report.scene.methods[pair]
    known = {"name": choice} if isinstance(choice, str) else choice
    changed = edits.decide_by(app.document.scene, pair, {**known, name: value})
    app.edit(changed, f"set {name} of {known['name']}")


def _put(app: "App", target: Target, index: int, item: Item, name: str) -> None:
    app.edit(edits.replace_items(app.document.scene, target.kind, {index: item}), name)
