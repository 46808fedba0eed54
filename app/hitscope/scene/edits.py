"""Edits: functions from a Scene to another. Whatever an edit gives is a valid scene, or it raises a Fault.

Expectations keep their subject: a default id is written down before its position or its type word changes. What
an expectation says of an item that goes, goes with it.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from itertools import count
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, UnsetType
from msgspec.structs import force_setattr, replace

from hitscope.errors import Fault
from hitscope.geometry.registry import EXACT, choose
from hitscope.scene.bulk_rows import without_elements
from hitscope.scene.model import Bulk, Expectation, Item, MethodChoice, Scene
from hitscope.scene.named import split

Kind: TypeAlias = Literal["primitive", "probe"]


def items_of(scene: Scene, kind: Kind) -> tuple[Item, ...]:
    """Give the primitives or the probes."""
    return scene.primitives if kind == "primitive" else scene.probes


def ids_of(scene: Scene, kind: Kind) -> tuple[str, ...]:
    """Give the id of each, written or default."""
    return scene.primitive_ids if kind == "primitive" else scene.probe_ids


def place_of(scene: Scene, kind: Kind, name: str) -> int:
    """Give the place of the item with an id; raises KeyError where there is none."""
    return (scene.named_primitives if kind == "primitive" else scene.named_probes).place(name)


def with_ids(scene: Scene, kind: Kind, indices: Iterable[int]) -> Scene:
    """Write down the default ids of items."""
    items = list(items_of(scene, kind))
    for i in indices:
        if not items[i].id:
            items[i] = _called(items[i], ids_of(scene, kind)[i])
    return _with_items(scene, kind, items)


def replace_items(scene: Scene, kind: Kind, changed: Mapping[int, Item]) -> Scene:
    """Put other items in the places of some; they keep the ids.

    An item whose type word changes has its id written down, and of the expectations those go that ask a method
    which the new type does not have.
    """
    before, items, ids = items_of(scene, kind), list(items_of(scene, kind)), ids_of(scene, kind)
    others = False
    for i, item in changed.items():
        same = type(item) is type(before[i])
        name = before[i].id if same else ids[i]
        items[i] = item if item.id == name else _called(item, name)
        others = others or not same
    if not others:
        return _with_items(scene, kind, items)
    return _with_items(scene, kind, items, expect=_askable(scene, kind, ids, items))


def add_items(scene: Scene, kind: Kind, added: Iterable[Item]) -> Scene:
    """Add items as the last ones; one whose id is taken gets the next free one.

    One without an id gets the first that is free of probes and primitives alike, from "segment-1" on.
    What is expected of all hits by a method goes where that method cannot be asked about what is added.
    """
    items, ids = list(items_of(scene, kind)), list(ids_of(scene, kind))
    taken, every = set(ids), {*scene.primitive_ids, *scene.probe_ids}
    latest: dict[str, str] = {}
    for item in added:
        if not item.id:
            name = latest[item.word] = _next_free(latest.get(item.word, f"{item.word}-0"), every)
        elif item.id in taken:
            name = _next_free(item.id, taken)
        else:
            name = item.id
        given = item if item.id == name else _called(item, name)
        taken.add(name)
        every.add(name)
        ids.append(name)
        items.append(given)
    return _with_items(scene, kind, items, expect=_askable(scene, kind, ids, items))


def duplicate_items(scene: Scene, kind: Kind, indices: Iterable[int]) -> Scene:
    """Add copies of items as the last ones: of "crate" it is "crate-2", of that "crate-3"."""
    return add_items(scene, kind, [items_of(scene, kind)[i] for i in indices])


def remove_items(scene: Scene, kind: Kind, indices: Collection[int]) -> Scene:
    """Remove items, and what is expected of them."""
    if not indices:
        return scene
    gone = {ids_of(scene, kind)[i] for i in indices}
    named = with_ids(scene, kind, range(min(indices), len(items_of(scene, kind))))
    left = [item for i, item in enumerate(items_of(named, kind)) if i not in indices]
    expect = tuple(kept for item in scene.expect if (kept := _without(item, kind, gone)))
    return _with_items(scene, kind, left, expect=expect)


def remove_elements(scene: Scene, kind: Kind, index: int, rows: Collection[int]) -> Scene:
    """Remove elements of a bulk item, and what is expected of them; of those behind them the numbers follow."""
    item, name = items_of(scene, kind)[index], ids_of(scene, kind)[index]
    assert isinstance(item, Bulk)
    removed = sorted(set(rows))
    gone = {f"{name}[{row}]" for row in removed} | ({name} if len(removed) == len(item.shapes) else set())

    def after(of: str) -> str:
        whole, row = split(of)
        return of if whole != name or row is None else f"{name}[{row - bisect_left(removed, row)}]"

    kept = [found for expectation in scene.expect if (found := _without(expectation, kind, gone))]
    items = list(items_of(scene, kind))
    items[index] = without_elements(item, removed)
    return _with_items(scene, kind, items, expect=tuple(_renamed(found, kind, after) for found in kept))


def show_hierarchy(scene: Scene, level: int | None) -> Scene:
    """Show a level of the hierarchies over the primitives, or none of them."""
    return replace(scene, view=replace(scene.view, hierarchy=level))


def decide_by(scene: Scene, pair: str, choice: MethodChoice) -> Scene:
    """Let a method decide all pairs of two types, e.g. of "segment_aabb"; `exact` needs no mention in the file."""
    others = {name: known for name, known in scene.methods.items() if name != pair}
    return replace(scene, methods=others if choice == EXACT else {**others, pair: choice})


def _with_items(scene: Scene, kind: Kind, items: Sequence[Item], **more: Any) -> Scene:
    return replace(scene, **{"primitives" if kind == "primitive" else "probes": tuple(items)}, **more)


def _called(item: Item, name: str | UnsetType) -> Item:
    """Give an item with another id; what its numbers define is not found out again."""
    made = copy(item)
    force_setattr(made, "id", name)
    vars(made).update(vars(item))
    return made


def _next_free(name: str, taken: Collection[str]) -> str:
    """Give the first name after this one that is free: its number counts on, one without is the first."""
    match = re.fullmatch(r"(.+)-(\d+)", name)
    stem, number = (match[1], int(match[2])) if match else (name, 1)
    return next(free for n in count(number + 1) if (free := f"{stem}-{n}") not in taken)


def _without(item: Expectation, kind: Kind, gone: set[str]) -> Expectation | None:
    """Give an expectation without what it says of items that go; None where nothing is left."""
    if kind == "probe":
        return None if _is_of(item.probe, gone) else item
    if item.hits is UNSET:
        return None if item.primitive is not UNSET and _is_of(item.primitive, gone) else item
    hits = tuple(name for name in item.hits if not _is_of(name, gone))
    return item if hits == item.hits else replace(item, hits=hits)


def _is_of(name: str, some: Collection[str]) -> bool:
    """Say whether a name is one of some, or that of an element of one of them."""
    return name in some or split(name)[0] in some


def _renamed(item: Expectation, kind: Kind, after: Callable[[str], str]) -> Expectation:
    """Give an expectation with other names of elements."""
    if kind == "probe":
        return replace(item, probe=after(item.probe))
    if item.hits is UNSET:
        return item if item.primitive is UNSET else replace(item, primitive=after(item.primitive))
    return replace(item, hits=tuple(map(after, item.hits)))


def _askable(scene: Scene, kind: Kind, ids: Sequence[str], items: Sequence[Item]) -> tuple[Expectation, ...]:
    """Give the expectations that can still be asked with other items of a kind."""
    if not scene.expect:
        return ()
    primitives = _words(scene.primitive_ids, scene.primitives) if kind == "probe" else _words(ids, items)
    probes = _words(scene.probe_ids, scene.probes) if kind == "primitive" else _words(ids, items)
    return tuple(item for item in scene.expect if _can_be_asked(item, probes, primitives))


def _words(ids: Sequence[str], items: Sequence[Item]) -> dict[str, str]:
    return {name: item.element_word for name, item in zip(ids, items, strict=True)}


def _can_be_asked(item: Expectation, probes: Mapping[str, str], primitives: Mapping[str, str]) -> bool:
    """Say whether every pair that an expectation asks about has the method that it names."""
    if item.method is UNSET:
        return True
    asked = set(primitives.values()) if item.primitive is UNSET else {primitives[split(item.primitive)[0]]}
    try:
        for word in asked:
            choose(f"{probes[split(item.probe)[0]]}_{word}", item.method)
    except Fault:
        return False
    return True
