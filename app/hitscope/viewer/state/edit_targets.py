"""What an edit applies to: items of a scene, and elements of bulk items as items of their own."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from msgspec import UNSET

from hitscope.draw.target import Target, Targets
from hitscope.scene import Scene
from hitscope.scene.bulk_rows import element, inline, with_elements
from hitscope.scene.edits import Kind, ids_of, index_of, items_of, replace_items
from hitscope.scene.items import Item, Single
from hitscope.scene.model import Bulk, MeshPrimitive
from hitscope.scene.named_items import split

KINDS: tuple[Kind, ...] = ("primitive", "probe")


class Piece(NamedTuple):
    """The item at a place, or the element in a row of it."""

    kind: Kind
    place: int
    row: int | None = None


def chosen(scene: Scene, targets: Targets) -> dict[Piece, Item]:
    """Give what is selected; of a mesh, whose triangles are its file's, the whole where one of them is.

    Raises HitscopeError where an element cannot be an item of its own.
    """
    found: dict[Piece, Item] = {}
    bulks: dict[tuple[Kind, int], Bulk] = {}
    for target in targets:
        name, row = split(target.id)
        kind, place = target.kind, index_of(scene, target.kind, name)
        item = items_of(scene, kind)[place]
        if row is None or not isinstance(item, Bulk) or isinstance(item, MeshPrimitive):
            found[Piece(kind, place)] = item
            continue
        if (kind, place) not in bulks:
            bulks[kind, place] = inline(item)
        found[Piece(kind, place, row)] = element(bulks[kind, place], row)
    return {piece: item for piece, item in found.items() if piece.row is None or Piece(*piece[:2]) not in found}


def piece_of(scene: Scene, target: Target) -> tuple[Piece, Item]:
    """Give a target as an edit takes it; raises HitscopeError as `chosen` does."""
    name, row = split(target.id)
    place = index_of(scene, target.kind, name)
    item = items_of(scene, target.kind)[place]
    if row is None or not isinstance(item, Bulk):
        return Piece(target.kind, place), item
    return Piece(target.kind, place, row), element(item, row)


def names_of(scene: Scene, pieces: Iterable[Piece]) -> list[str]:
    """Give the names of pieces, `ID` or `ID[i]`."""
    return [ids_of(scene, kind)[place] + ("" if row is None else f"[{row}]") for kind, place, row in pieces]


def title(scene: Scene, pieces: Collection[Piece]) -> str:
    """Give the name of the only piece, or how many they are."""
    return names_of(scene, pieces)[0] if len(pieces) == 1 else f"{len(pieces):,} items"


def put_back(scene: Scene, changed: Mapping[Piece, Item]) -> Scene:
    """Give the scene with pieces changed; HitscopeError where a bulk item cannot hold an element."""
    for kind in KINDS:
        items: dict[int, Item] = {}
        elements: dict[int, dict[int, Single]] = {}
        for (of, place, row), item in changed.items():
            if of == kind and row is None:
                items[place] = item
            elif of == kind and row is not None and isinstance(item, Single):
                elements.setdefault(place, {})[row] = item
        for place, rows in elements.items():
            bulk = items_of(scene, kind)[place]
            assert isinstance(bulk, Bulk)
            items[place] = with_elements(bulk, rows)
        if items:
            scene = replace_items(scene, kind, items)
    return scene


def taken_in(scene: Scene, pieces: Iterable[Piece]) -> str:
    """Say which numbers of files are in the scene from now on, where these pieces are changed; else nothing."""
    items = [items_of(scene, piece.kind)[piece.place] for piece in pieces]
    files = dict.fromkeys(
        f"the {len(item.shapes):,} rows of {item.file.name}"
        for item in items
        if isinstance(item, Bulk) and not isinstance(item, MeshPrimitive) and item.file is not UNSET
    )
    return f"{' and '.join(files)} are in the scene now" if files else ""
