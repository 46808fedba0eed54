"""Items and views as clipboard text.

Items are copied as a scene file of their own. The text to paste is a scene, one item, a list of items, or a view.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError, quoted
from hitscope.geometry.registry import EXACT
from hitscope.scene import Expectation, Scene, SceneError, dump, loads
from hitscope.scene.bulk import Bulk
from hitscope.scene.edits import Kind, add_items, ids_of, index_of, items_of, remove_items, with_names
from hitscope.scene.json_locations import excerpt, line_column, read_strictly
from hitscope.scene.model import PRIMITIVES, PROBES, STRUCTS, FileView
from hitscope.scene.named_items import split
from hitscope.scene.shape_items import fields_of
from hitscope.scene.validation_errors import unknown_type

NAME = "clipboard"
EXPECTED = "a scene, an item of one, a list of items, or a view"
KEYS = re.compile(r'"(?:type|version|primitives|probes|view)"\s*:')
"""A key that scenes, items and views have, and other JSON has not."""


class Pasted(NamedTuple):
    """A scene with pasted items, and the ids of these."""

    scene: Scene
    probes: tuple[str, ...]
    primitives: tuple[str, ...]


# Copying


def copied(scene: Scene, probes: Collection[str], primitives: Collection[str]) -> str:
    """Items, named by `ID` or `ID[i]`, as the text of a scene with the methods and the expectations among them."""
    clip = replace(scene, schema=UNSET, name="", description="", judged=UNSET, view=FileView(), lesson=())
    clip = _with_only(_with_only(clip, "probe", probes), "primitive", primitives)
    return dump(clip)


def copied_view(view: FileView) -> str:
    """A view as the JSON object {"view": ...}."""
    text = dump(Scene(version=1, primitives=(), probes=(), view=view))
    return json.dumps({"view": json.loads(text).get("view", {})}) + "\n"


def _with_only(scene: Scene, kind: Kind, names: Collection[str]) -> Scene:
    """The scene with only the named items of a kind; a named element of no named item becomes an item."""
    kept = set()
    for name in names:
        item, element = split(name)
        if element is None:
            kept.add(name)
        elif item not in names:
            scene = _with_element(scene, kind, item, element)
            kept.add(ids_of(scene, kind)[-1])
    return remove_items(scene, kind, {i for i, name in enumerate(ids_of(scene, kind)) if name not in kept})


def _with_element(scene: Scene, kind: Kind, name: str, element: int) -> Scene:
    """The scene with an element of a bulk item added as an item, to which the element's expectations are moved."""
    bulk = items_of(scene, kind)[index_of(scene, kind, name)]
    assert isinstance(bulk, Bulk)
    alone = STRUCTS[kind][bulk.element_word](id=f"{name}-{element}", **fields_of(bulk.shapes[element]))
    added = add_items(scene, kind, [alone])
    names = {f"{name}[{element}]": ids_of(added, kind)[-1]}
    renamed = (with_names(item, kind, lambda old: names.get(old, old)) for item in scene.expect)
    return replace(added, expect=tuple(filter(None, renamed)))


# Pasting


def is_scene_text(text: str) -> bool:
    """Whether a text is meant as a scene, items or a view, right or wrong, and not as numbers alone."""
    return not re.search(r"\d", text) or bool(text.lstrip()[:1] in ("{", "[") and KEYS.search(text))


def parsed(text: str, folder: Path) -> Scene | FileView:
    """Parse clipboard text as a view, or as items in a scene; raises HitscopeError for any other text.

    File references are relative to `folder`. A single item that could be both probe and primitive is a primitive,
    unless it has the key `enabled`.
    """
    if text.lstrip()[:1] not in ("{", "["):
        expected = f"numbers such as (1, 2, 3), or as JSON {EXPECTED}"
        raise HitscopeError(f"{NAME}: expected {expected}, found {quoted(excerpt(text.lstrip(), 0))}")
    try:
        read_strictly(text)
    except Fault as fault:
        line, column = line_column(text, fault.offset or 0)
        raise HitscopeError(f"{NAME}:{line}:{column}: {fault}") from None
    found = msgspec.json.decode(text, type=dict[str, Raw] | list[Raw])
    if isinstance(found, list):
        return _scene_of(found, folder)
    if "type" in found:
        return _scene_of([Raw(text.encode())], folder)
    if found.keys() == {"view"}:
        return _loads({"primitives": [], "probes": [], "view": found["view"]}, folder).view
    return loads(text.encode(), NAME, folder)


def pasted(scene: Scene, clip: Scene) -> Pasted:
    """Add the items of a scene to another, with unused ids, and their expectations.

    To keep their meaning, expectations of all hits of a probe become expectations of its pairs, and where another
    method decides in the new scene, an expectation names its own.
    """
    result = add_items(add_items(scene, "primitive", clip.primitives), "probe", clip.probes)
    primitives = result.primitive_ids[len(scene.primitives) :]
    probes = result.probe_ids[len(scene.probes) :]
    new_primitive = dict(zip(clip.primitive_ids, primitives, strict=True))
    new_probe = dict(zip(clip.probe_ids, probes, strict=True))
    expect = []
    for expectation in clip.expect:
        for pair in _pairs(expectation, clip):
            assert pair.primitive is not UNSET
            new = _new_name(pair.probe, new_probe), _new_name(pair.primitive, new_primitive)
            expect.append(replace(_with_method(pair, clip, scene), probe=new[0], primitive=new[1]))
    return Pasted(replace(result, expect=(*scene.expect, *expect)), probes, primitives)


def _scene_of(items: Sequence[Raw], folder: Path) -> Scene:
    primitives, probes = list[Raw](), list[Raw]()
    for item in items:
        try:
            head = msgspec.json.decode(item, type=_Head)
        except msgspec.ValidationError:
            expected, found = 'an item, an object with the key "type"', excerpt(bytes(item).decode(), 0)
            raise HitscopeError(f"{NAME}: expected {expected}, found {found}") from None
        if head.type not in PRIMITIVES and head.type not in PROBES:
            known = dict.fromkeys([*PRIMITIVES, *PROBES])
            raise HitscopeError(f"{NAME}: {unknown_type(('type',), 'a type of item', known, head.type).message}")
        is_probe = head.type not in PRIMITIVES or (head.type in PROBES and head.enabled is not UNSET)
        (probes if is_probe else primitives).append(item)
    return _loads({"primitives": primitives, "probes": probes}, folder)


def _loads(parts: dict[str, Any], folder: Path) -> Scene:
    """Load a scene from its parts; messages have no line numbers, which would not be those of the clipboard."""
    try:
        return loads(msgspec.json.encode({"version": 1, **parts}), NAME, folder)
    except SceneError as error:
        raise HitscopeError(re.sub(r"^(\w+):\d+:\d+: ", r"\1: ", str(error))) from None


class _Head(Struct):
    """The keys of an item that tell probes from primitives."""

    type: str
    enabled: Raw | UnsetType = UNSET


def _pairs(expectation: Expectation, clip: Scene) -> Iterable[Expectation]:
    """An expectation of a probe's hits as expectations of single pairs; one of a pair as itself."""
    if expectation.hits is UNSET:
        return [expectation]
    items_hit = {split(name)[0] for name in expectation.hits}
    verdicts = dict.fromkeys(expectation.hits, True)
    verdicts |= dict.fromkeys((name for name in clip.primitive_ids if name not in items_hit), False)
    return [replace(expectation, hits=UNSET, primitive=name, hit=is_hit) for name, is_hit in verdicts.items()]


def _with_method(expectation: Expectation, clip: Scene, scene: Scene) -> Expectation:
    """The expectation with the method that decides it in `clip` named, if another method decides in `scene`."""
    assert expectation.primitive is not UNSET
    probe = clip.named_probes.find(expectation.probe, (), "a probe").item
    primitive = clip.named_primitives.find(expectation.primitive, (), "a primitive").item
    pair = f"{probe.element_word}_{primitive.element_word}"
    method = clip.methods.get(pair, EXACT)
    if expectation.method is not UNSET or method == scene.methods.get(pair, EXACT):
        return expectation
    return replace(expectation, method=method)


def _new_name(name: str, new: Mapping[str, str]) -> str:
    """The new name of `ID` or `ID[i]`, from the new ids by the old ones."""
    item, _ = split(name)
    return new[item] + name.removeprefix(item)
