"""The targets of edits: items of a scene, and elements of bulk items as items of their own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from hitscope.draw.target import Target, Targets
from hitscope.scene import Scene
from hitscope.scene.bulk import Bulk, MeshPrimitive
from hitscope.scene.bulk_rows import element, inline, with_elements
from hitscope.scene.edits import Kind, ids_of, index_of, items_of, replace_items
from hitscope.scene.items import Item, Single
from hitscope.scene.named_items import split

KINDS: tuple[Kind, ...] = ("primitive", "probe")


class EditTarget(NamedTuple):
    """An item, by its index among those of its kind, or the element in a row of it."""

    kind: Kind
    item_index: int
    row: int | None = None


def find_item(scene: Scene, target: Target) -> tuple[int, Item, int | None]:
    """The index of the item that a target belongs to, the item, and the index of the element it names, if any."""
    kind, name = target.item
    index = index_of(scene, kind, name)
    return index, items_of(scene, kind)[index], split(target.id)[1]


def edit_targets(scene: Scene, targets: Targets) -> dict[EditTarget, Item]:
    """The items that targets stand for; the whole mesh for any of its triangles, which only its file can change.

    Raises HitscopeError where an element cannot be an item of its own.
    """
    found: dict[EditTarget, Item] = {}
    bulks: dict[tuple[Kind, int], Bulk] = {}
    for target in targets:
        kind, (index, item, row) = target.kind, find_item(scene, target)
        if row is None or not isinstance(item, Bulk) or isinstance(item, MeshPrimitive):
            found[EditTarget(kind, index)] = item
            continue
        if (kind, index) not in bulks:
            bulks[kind, index] = inline(item)
        found[EditTarget(kind, index, row)] = element(bulks[kind, index], row)
    return {key: item for key, item in found.items() if key.row is None or EditTarget(*key[:2]) not in found}


def edit_target(scene: Scene, target: Target) -> tuple[EditTarget, Item]:
    """The edit target of a target, and its item; raises HitscopeError as `edit_targets` does."""
    index, item, row = find_item(scene, target)
    if row is None or not isinstance(item, Bulk):
        return EditTarget(target.kind, index), item
    return EditTarget(target.kind, index, row), element(item, row)


def names_of(scene: Scene, targets: Iterable[EditTarget]) -> list[str]:
    """The names of edit targets, `ID` or `ID[i]`."""
    return [ids_of(scene, kind)[index] + ("" if row is None else f"[{row}]") for kind, index, row in targets]


def title(names: Sequence[str]) -> str:
    """The only one of the names, else their number, e.g. "12 items"."""
    return names[0] if len(names) == 1 else f"{len(names):,} items"


def replace_targets(scene: Scene, changed: Mapping[EditTarget, Item]) -> Scene:
    """The scene with edit targets replaced; raises HitscopeError where a bulk item cannot hold an element."""
    for kind in KINDS:
        items: dict[int, Item] = {}
        elements: dict[int, dict[int, Single]] = {}
        for (of, index, row), item in changed.items():
            if of == kind and row is None:
                items[index] = item
            elif of == kind and row is not None and isinstance(item, Single):
                elements.setdefault(index, {})[row] = item
        for index, rows in elements.items():
            bulk = items_of(scene, kind)[index]
            assert isinstance(bulk, Bulk)
            items[index] = with_elements(bulk, rows)
        if items:
            scene = replace_items(scene, kind, items)
    return scene


def inlined_note(scene: Scene, targets: Iterable[EditTarget]) -> str:
    """A message that an edit of these targets copies the rows of files into the scene; "" where it copies none."""
    items = [items_of(scene, target.kind)[target.item_index] for target in targets]
    files = dict.fromkeys(
        f"{len(item.shapes):,} rows of {item.file.name}"
        for item in items
        if isinstance(item, Bulk) and not isinstance(item, MeshPrimitive) and item.file is not UNSET
    )
    return f"Copied {' and '.join(files)} into the scene" if files else ""
