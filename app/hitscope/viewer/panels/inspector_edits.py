"""What is typed into the inspector, as edits of the scene; what cannot be raises HitscopeError, in words."""

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
    """Give the place of the item that a target belongs to, the item, and which of its elements is meant."""
    scene = app.scene
    name, row = split(target.id)
    index = edits.place_of(scene, target.kind, name)
    return index, edits.items_of(scene, target.kind)[index], row


def set_numbers(app: "App", target: Target, texts: Mapping[fields.NumberPath, str]) -> None:
    """Put numbers that are typed in the place of some of an item's numbers, or of those of one of its elements."""
    index, item, row = find_item(app, target)
    one = element(item, row) if row is not None and isinstance(item, Bulk) else item
    values = {place: fields.parse_number(text) for place, text in texts.items()}
    changed = {Piece(target.kind, index, row): fields.with_numbers(one, values)}
    message = taken_in(app.scene, changed)
    places = [fields.name_of(place) if len(texts) == 1 else str(place[0]) for place in texts]
    app.edit(put_back(app.document.scene, changed), f"set {' and '.join(dict.fromkeys(places))} of {target.id}")
    app.message = message or app.message


def set_form(app: "App", target: Target, form: str) -> None:
    """Give an item in another form; says where rounding makes it another set."""
    index, item, _ = find_item(app, target)
    changed = fields.in_form(item, form)
    _put(app, target, index, changed, f"give {target.id} by {form}")
    if moved := fields.rounding_note(item, changed):
        app.message = f"{target.id} is rounded: {moved}"


def set_enabled(app: "App", target: Target, enabled: bool) -> None:
    """Let a probe be evaluated, or not."""
    index, item, _ = find_item(app, target)
    _put(app, target, index, replace(item, enabled=enabled), f"{'enable' if enabled else 'disable'} {target.id}")


def rename(app: "App", target: Target, name: str) -> None:
    """Give an item another id; it stays selected."""
    index, _, _ = find_item(app, target)
    if name == target.id:
        return
    # Before the edit, which lets go of what is selected and no longer there.
    selection = [target._replace(id=name) if other == target else other for other in app.selection]
    app.edit(rename_item(app.document.scene, target.kind, index, name), f"rename {target.id}")
    app.select(*selection)


def set_argument(app: "App", pair: str, report: Report, name: str, value: Argument) -> None:
    """Set a named argument of the method that decides a pair of types."""
    choice = report.scene.methods[pair]
    known = {"name": choice} if isinstance(choice, str) else choice
    changed = edits.decide_by(app.document.scene, pair, {**known, name: value})
    app.edit(changed, f"set {name} of {known['name']}")


def _put(app: "App", target: Target, index: int, item: Item, name: str) -> None:
    app.edit(edits.replace_items(app.document.scene, target.kind, {index: item}), name)
