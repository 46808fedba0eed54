"""Edits: functions from a Scene to another valid one; an edit without a valid result raises Fault.

Expectations and lessons keep their subject: a default id is written down before the item's index or its type word
changes. The expectations of an item are removed with it, and the steps of a lesson that ask something of it.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from itertools import count
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import force_setattr, replace

from hitscope.errors import Fault, quoted
from hitscope.geometry.registry import EXACT, choose
from hitscope.scene.bulk import Bulk
from hitscope.scene.bulk_rows import without_elements
from hitscope.scene.items import Item
from hitscope.scene.model import Condition, Expectation, LessonStep, MethodChoice, Named, Scene
from hitscope.scene.named_items import split

Kind: TypeAlias = Literal["primitive", "probe"]
NewName: TypeAlias = Callable[[str], str | None]
"""Returns the name that an item or an element has after an edit, by the one before; None where it is gone."""
T = TypeVar("T", Expectation, Named, Condition)


def items_of(scene: Scene, kind: Kind) -> tuple[Item, ...]:
    return scene.primitives if kind == "primitive" else scene.probes


def ids_of(scene: Scene, kind: Kind) -> tuple[str, ...]:
    """Return the id of each primitive or probe, written or default."""
    return scene.primitive_ids if kind == "primitive" else scene.probe_ids


def index_of(scene: Scene, kind: Kind, name: str) -> int:
    """Return the index of the item with an id; raises KeyError where there is none."""
    return (scene.named_primitives if kind == "primitive" else scene.named_probes).index_of(name)


def with_ids(scene: Scene, kind: Kind, indices: Iterable[int]) -> Scene:
    """Write down the default ids of items."""
    items = list(items_of(scene, kind))
    for i in indices:
        items[i] = _called(items[i], ids_of(scene, kind)[i])
    return _with_items(scene, kind, items)


def replace_items(scene: Scene, kind: Kind, changed: Mapping[int, Item]) -> Scene:
    """Replace items by index; the new ones have the ids of the old.

    The id of an item whose type word changes is written down. Expectations and steps of a lesson that name
    a method which the new type does not have are removed.
    """
    before, items, ids = items_of(scene, kind), list(items_of(scene, kind)), ids_of(scene, kind)
    others = {i for i, item in changed.items() if type(item) is not type(before[i])}
    for i, item in changed.items():
        items[i] = _called(item, ids[i] if i in others else before[i].id)
    return _with_items(scene, kind, items, **_applicable(scene, kind, ids, items) if others else {})


def add_items(scene: Scene, kind: Kind, added: Iterable[Item]) -> Scene:
    """Add items at the end; one whose id is taken gets the next free one.

    One without an id gets the first that no probe and no primitive has, from "segment-1" on. The expectations of
    all hits by a method that an added item does not have are removed.
    """
    items, ids = list(items_of(scene, kind)), list(ids_of(scene, kind))
    taken, every = set(ids), {*scene.primitive_ids, *scene.probe_ids}
    latest: dict[str, str] = {}
    for item in added:
        if not item.id:
            name = latest[item.word] = _next_free(latest.get(item.word, f"{item.word}-0"), every)
        else:
            name = _next_free(item.id, taken) if item.id in taken else item.id
        taken.add(name)
        every.add(name)
        ids.append(name)
        items.append(_called(item, name))
    return _with_items(scene, kind, items, **_applicable(scene, kind, ids, items))


def remove_items(scene: Scene, kind: Kind, indices: Collection[int]) -> Scene:
    """Remove items, their expectations, and the steps of the lesson that ask something of them."""
    if not indices:
        return scene
    gone = {ids_of(scene, kind)[i] for i in indices}
    named = with_ids(scene, kind, range(min(indices), len(items_of(scene, kind))))
    left = [item for i, item in enumerate(items_of(named, kind)) if i not in indices]
    return _with_names(scene, kind, left, lambda name: None if split(name)[0] in gone else name)


def remove_elements(scene: Scene, kind: Kind, index: int, rows: Collection[int]) -> Scene:
    """Remove elements of a bulk item, as `remove_items`; what names later elements gets their new indices."""
    item, name = items_of(scene, kind)[index], ids_of(scene, kind)[index]
    assert isinstance(item, Bulk)
    gone = set(rows)
    removed = sorted(gone)

    def after(known: str) -> str | None:
        whole, row = split(known)
        if whole != name or (row is None and len(removed) < len(item.shapes)):
            return known
        return None if row is None or row in gone else f"{name}[{row - bisect_left(removed, row)}]"

    items = list(items_of(scene, kind))
    items[index] = without_elements(item, removed)
    return _with_names(scene, kind, items, after)


def expect(scene: Scene, expectation: Expectation) -> Scene:
    """Replace the expectation of a pair by the same method or by none, or add one at the end.

    The tolerance and the reason of the old one stay.
    """
    asked = expectation.probe, expectation.primitive, expectation.method
    for index, old in enumerate(scene.expect):
        if (old.probe, old.primitive, old.method) == asked:
            new = replace(expectation, tolerance=old.tolerance, why=old.why or expectation.why)
            return replace_expectations(scene, {index: new})
    return replace(scene, expect=(*scene.expect, expectation))


def replace_expectations(scene: Scene, changed: Mapping[int, Expectation | None]) -> Scene:
    """Replace expectations by index; None removes one."""
    now = [changed.get(index, item) for index, item in enumerate(scene.expect)]
    return replace(scene, expect=tuple(item for item in now if item is not None))


def rename_item(scene: Scene, kind: Kind, index: int, name: str) -> Scene:
    """Rename an item, in its expectations and the lesson too; raises Fault for an id that it cannot have."""
    if not name or "[" in name:
        raise Fault((), 'a name that is not empty and without "["', quoted(name))
    old = ids_of(scene, kind)[index]
    items = list(items_of(scene, kind))
    items[index] = replace(items[index], id=name)

    def after(known: str) -> str:
        return name + known.removeprefix(old) if split(known)[0] == old else known

    return _with_names(scene, kind, items, after)


def show_hierarchy(scene: Scene, level: int | None) -> Scene:
    """Show a level of the hierarchies over the primitives, or none."""
    return replace(scene, view=replace(scene.view, hierarchy=level))


def decide_by(scene: Scene, pair: str, choice: MethodChoice) -> Scene:
    """Let a method decide all pairs of two types, e.g. "segment_aabb"; `exact` is not written into the file."""
    others = {name: known for name, known in scene.methods.items() if name != pair}
    return replace(scene, methods=others if choice == EXACT else {**others, pair: choice})


def _with_items(scene: Scene, kind: Kind, items: Sequence[Item], **more: Any) -> Scene:
    return replace(scene, **{"primitives" if kind == "primitive" else "probes": tuple(items)}, **more)


def _called(item: Item, name: str | UnsetType) -> Item:
    """Return an item, or its copy with another id, which keeps the computed shape."""
    if item.id == name:
        return item
    made = copy(item)
    force_setattr(made, "id", name)
    vars(made).update(vars(item))
    return made


def _next_free(name: str, taken: Collection[str]) -> str:
    """Return the first free name with a higher number than this one; a name without a number has number 1."""
    match = re.fullmatch(r"(.+)-(\d{1,18})", name)  # int refuses thousands of digits
    stem, number = (match[1], int(match[2])) if match else (name, 1)
    return next(free for n in count(number + 1) if (free := f"{stem}-{n}") not in taken)


def _with_names(scene: Scene, kind: Kind, items: Sequence[Item], after: NewName) -> Scene:
    """Return the scene with other items of a kind, some of which have other names then, or are gone."""
    view = scene.view
    if view.map is not None:
        name, _, handle = view.map.handle.rpartition(".")
        new = after(name)
        view = replace(view, map=replace(view.map, handle=f"{new}.{handle}") if new else None)
    expect = tuple(renamed for item in scene.expect if (renamed := with_names(item, kind, after)))
    lesson = tuple(left for step in scene.lesson if (left := _step_with_names(step, kind, after)))
    return _with_items(scene, kind, items, expect=expect, lesson=lesson, view=view)


def with_names(item: Expectation, kind: Kind, after: NewName) -> Expectation | None:
    """Return an expectation with new names of probes, or of primitives; None where its subject is gone."""
    if kind == "probe" or item.hits is UNSET:
        return _renamed(item, kind, after)
    hits = tuple(new for name in item.hits if (new := after(name)) is not None)
    return item if hits == item.hits else replace(item, hits=hits)


def _step_with_names(step: LessonStep, kind: Kind, after: NewName) -> LessonStep | None:
    """Return a step with new names; None where it asks something of what is gone."""
    until = _renamed(step.until, kind, after) if isinstance(step.until, Condition) else step.until
    select = step.select and _renamed(step.select, kind, after)
    if step.select and not select:  # what else it selects is still there
        other = step.select.primitive if kind == "probe" else step.select.probe
        select = None if other is UNSET else replace(step.select, **{kind: UNSET})
    return None if until is None else replace(step, until=until, select=select)


def _renamed(named: T, kind: Kind, after: NewName) -> T | None:
    old = getattr(named, kind)
    new = old if old is UNSET else after(old)
    return named if new == old else None if new is None else replace(named, **{kind: new})


def _applicable(scene: Scene, kind: Kind, ids: Sequence[str], items: Sequence[Item]) -> dict[str, tuple[Any, ...]]:
    """Return the expectations and steps whose methods exist for all their pairs, with other items of a kind."""
    if not scene.expect and not scene.lesson:
        return {}
    roles: tuple[Kind, Kind] = "primitive", "probe"
    given = [(ids, items) if role == kind else (ids_of(scene, role), items_of(scene, role)) for role in roles]
    primitives, probes = ({name: item.element_word for name, item in zip(*named, strict=True)} for named in given)

    def is_applicable(item: object) -> bool:
        """Whether every pair of an expectation or a condition has the method that it names."""
        if not isinstance(item, Expectation | Condition) or item.method is UNSET or item.probe is UNSET:
            return True  # a condition with a method names its pair
        words = set(primitives.values()) if item.primitive is UNSET else {primitives[split(item.primitive)[0]]}
        try:
            for word in words:
                choose(f"{probes[split(item.probe)[0]]}_{word}", item.method)
        except Fault:
            return False
        return True

    lesson = tuple(step for step in scene.lesson if is_applicable(step.until))
    return {"expect": tuple(filter(is_applicable, scene.expect)), "lesson": lesson}
