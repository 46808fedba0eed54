"""What is copied and pasted, as text: items of a scene, or the view.

Copied items are a scene file of their own. Pasted are a scene, an item as a scene has it, a list of such items, or
a view.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError, quoted
from hitscope.geometry.registry import EXACT
from hitscope.geometry.shapes import Aabb, Obb, Point, Ray, Segment, Triangle
from hitscope.scene import Expectation, Scene, SceneError, dump, loads
from hitscope.scene.edits import Kind, add_items, ids_of, items_of, place_of, remove_items
from hitscope.scene.model import (
    PRIMITIVES,
    PROBES,
    AabbPrimitive,
    Bulk,
    Item,
    ObbPrimitive,
    PointProbe,
    RayProbe,
    SegmentProbe,
    TrianglePrimitive,
    View,
)
from hitscope.scene.named import split
from hitscope.scene.position import excerpt, line_column, read_strictly

NAME = "clipboard"
EXPECTED = "a scene, an item of one, a list of items, or a view"


class Pasted(NamedTuple):
    """A scene with what was pasted, and the names of that, e.g. to select it."""

    scene: Scene
    probes: tuple[str, ...]
    primitives: tuple[str, ...]


# Copying


def copied(scene: Scene, probes: Collection[str], primitives: Collection[str]) -> str:
    """Give items, by `ID` or `ID[i]`, as the text of a scene, with the methods and what is expected among them."""
    clip = replace(scene, schema=UNSET, name="", description="", view=View())
    clip = _only(_only(clip, "probe", probes), "primitive", primitives)
    return dump(clip)


def copied_view(view: View) -> str:
    """Give a view as the text of a scene's key `view`, in braces."""
    text = dump(Scene(version=1, primitives=(), probes=(), view=view))
    return json.dumps({"view": json.loads(text).get("view", {})}) + "\n"


def _only(scene: Scene, kind: Kind, names: Collection[str]) -> Scene:
    """Leave of one kind only the named items; a named element becomes an item, unless all of its item stay."""
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
    """Add an element of a bulk item as an item; what is expected of it is then expected of that."""
    bulk = items_of(scene, kind)[place_of(scene, kind, name)]
    assert isinstance(bulk, Bulk)
    alone = replace(_ALONE[bulk.kind](bulk.shapes[element]), id=f"{name}-{element}")
    added = add_items(scene, kind, [alone])
    names = {f"{name}[{element}]": ids_of(added, kind)[-1]}
    renamed = (_renamed(item, kind, lambda old: names.get(old, old)) for item in scene.expect)
    return replace(added, expect=tuple(renamed))


_ALONE: dict[type, Callable[[Any], Item]] = {
    Aabb: lambda box: AabbPrimitive(min=box.lo, max=box.hi),
    Obb: lambda box: ObbPrimitive(center=box.center, half_extents=box.half_extents, axes=box.axes),
    Triangle: lambda triangle: TrianglePrimitive(vertices=tuple(triangle)),
    Segment: lambda segment: SegmentProbe(start=segment.start, end=segment.end),
    Ray: lambda ray: RayProbe(origin=ray.origin, direction=ray.direction),
    Point: lambda point: PointProbe(position=point.position),
}
"""What an element of a bulk item is as an item."""


def _renamed(expectation: Expectation, kind: Kind, name_of: Callable[[str], str]) -> Expectation:
    """Let an expectation call its probe, or its primitives, by other names."""
    if kind == "probe":
        return replace(expectation, probe=name_of(expectation.probe))
    if expectation.hits is not UNSET:
        return replace(expectation, hits=tuple(map(name_of, expectation.hits)))
    assert expectation.primitive is not UNSET
    return replace(expectation, primitive=name_of(expectation.primitive))


# Pasting


def parsed(text: str, folder: Path) -> Scene | View:
    """Read what was copied: items as a scene, or a view; raises HitscopeError for anything else.

    The files that items refer to are looked for from `folder`. A bare item that could be both is a primitive,
    unless it says whether it is `enabled`.
    """
    if text.lstrip()[:1] not in ("{", "["):
        raise HitscopeError(f"{NAME}: expected {EXPECTED}, as JSON, found {quoted(excerpt(text.lstrip(), 0))}")
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
    """Add the items of a scene to another, their ids made free, and what is expected of them.

    What was expected of all hits of a probe becomes what is expected of its pairs, and where other methods decide
    here, an expectation names its own: so each means what it meant.
    """
    result = add_items(add_items(scene, "primitive", clip.primitives), "probe", clip.probes)
    primitives = result.primitive_ids[len(scene.primitives) :]
    probes = result.probe_ids[len(scene.probes) :]
    new_primitive = dict(zip(clip.primitive_ids, primitives, strict=True))
    new_probe = dict(zip(clip.probe_ids, probes, strict=True))
    expect = []
    for expectation in clip.expect:
        for pair in _pairs(expectation, clip):
            asking = _with_method(pair, clip, scene)
            asking = _renamed(asking, "probe", lambda name: _elsewhere(name, new_probe))
            expect.append(_renamed(asking, "primitive", lambda name: _elsewhere(name, new_primitive)))
    return Pasted(replace(result, expect=(*scene.expect, *expect)), probes, primitives)


def _scene_of(items: Sequence[Raw], folder: Path) -> Scene:
    """Make a scene of bare items."""
    primitives: list[Raw] = []
    probes: list[Raw] = []
    for item in items:
        try:
            head = msgspec.json.decode(item, type=_Head)
        except msgspec.ValidationError:
            found = excerpt(bytes(item).decode(), 0)
            raise HitscopeError(
                f'{NAME}: expected an item, an object with the key "type", found {found}'
            ) from None
        if head.type not in PRIMITIVES and head.type not in PROBES:
            known = dict.fromkeys([*PRIMITIVES, *PROBES])
            raise HitscopeError(f"{NAME}: {Fault.unknown(('type',), 'a type of item', known, head.type).message}")
        is_probe = head.type not in PRIMITIVES or (head.type in PROBES and head.enabled is not UNSET)
        (probes if is_probe else primitives).append(item)
    return _loads({"primitives": primitives, "probes": probes}, folder)


def _loads(parts: dict[str, Any], folder: Path) -> Scene:
    """Load a scene made of parts of a text; a message has no line, because it would not be one of that text."""
    try:
        return loads(msgspec.json.encode({"version": 1, **parts}), NAME, folder)
    except SceneError as error:
        raise HitscopeError(re.sub(r"^(\w+):\d+:\d+: ", r"\1: ", str(error))) from None


class _Head(Struct):
    """What of a bare item says where it belongs."""

    type: str
    enabled: Raw | UnsetType = UNSET


def _pairs(expectation: Expectation, clip: Scene) -> Iterable[Expectation]:
    """Give an expectation as ones of a pair each."""
    if expectation.hits is UNSET:
        return [expectation]
    hit = dict.fromkeys(expectation.hits)
    items_hit = {split(name)[0] for name in hit}
    missed = [name for name in clip.primitive_ids if name not in items_hit]
    asked = [(name, True) for name in hit] + [(name, False) for name in missed]
    return [replace(expectation, hits=UNSET, primitive=name, hit=said) for name, said in asked]


def _with_method(expectation: Expectation, clip: Scene, scene: Scene) -> Expectation:
    """Let an expectation of a pair name the method that decides where it comes from, if another decides here."""
    assert expectation.primitive is not UNSET
    probe = clip.named_probes.find(expectation.probe, (), "a probe").item
    primitive = clip.named_primitives.find(expectation.primitive, (), "a primitive").item
    pair = f"{probe.element_word}_{primitive.element_word}"
    method = clip.methods.get(pair, EXACT)
    if expectation.method is not UNSET or method == scene.methods.get(pair, EXACT):
        return expectation
    return replace(expectation, method=method)


def _elsewhere(name: str, new: Mapping[str, str]) -> str:
    """Give the new name of `ID` or `ID[i]`."""
    item, _ = split(name)
    return new[item] + name.removeprefix(item)
