"""What is typed into the inspector, as edits of the scene; what cannot be raises HitscopeError, in words."""

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.evaluate import Report
from hitscope.geometry.registry import Argument
from hitscope.scene import edits
from hitscope.scene.expecting import rename_item
from hitscope.scene.items import AabbFields, Item
from hitscope.scene.named import split
from hitscope.viewer import fields

if TYPE_CHECKING:
    from hitscope.viewer.app import App

T = TypeVar("T", bound=Item)


def item_at(app: "App", target: Target) -> tuple[int, Item, int | None]:
    """Give the place of the item that a target belongs to, the item, and which of its elements is meant."""
    scene = app.scene
    name, element = split(target.id)
    index = edits.ids_of(scene, target.kind).index(name)
    return index, edits.items_of(scene, target.kind)[index], element


def set_number(app: "App", target: Target, place: fields.Place, text: str) -> None:
    """Put a number that is typed in the place of one of an item's numbers."""
    index, item, _ = item_at(app, target)
    changed = fields.with_number(item, place, fields.parsed(text))
    _put(app, target, index, changed, f"set {fields.name_of(place)} of {target.id}")


def set_form(app: "App", target: Target, form: str) -> None:
    """Give a box by its corners, or by its centre; says where rounding makes it another one."""
    index, item, _ = item_at(app, target)
    assert isinstance(item, AabbFields)
    changed = fields.in_form(item, form)
    _put(app, target, index, changed, f"give {target.id} by its {form}")
    if changed.shape != item.shape:
        app.message = f"{target.id} is rounded: no float64 centre and half extents give the same corners"


def set_enabled(app: "App", target: Target, enabled: bool) -> None:
    """Let a probe be evaluated, or not."""
    index, item, _ = item_at(app, target)
    _put(app, target, index, replace(item, enabled=enabled), f"{'enable' if enabled else 'disable'} {target.id}")


def rename(app: "App", target: Target, name: str) -> None:
    """Give an item another id; it stays selected."""
    index, _, _ = item_at(app, target)
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
