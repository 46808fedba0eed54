"""Edits of what a scene expects, and of the ids that expectations name; see `edits`."""

from collections.abc import Mapping

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import Fault, quoted
from hitscope.scene.edits import Kind, ids_of, items_of
from hitscope.scene.model import Expectation, Scene
from hitscope.scene.named import split


def expect(scene: Scene, expectation: Expectation) -> Scene:
    """Expect this of a pair in the place of what was expected of it before, or else after all others.

    Tolerance and reason stay. What is expected of a method by its name stays beside it.
    """
    place = expected_at(scene, expectation.probe, expectation.primitive)
    if place is None:
        return replace(scene, expect=(*scene.expect, expectation))
    old = scene.expect[place]
    return replace_expectations(scene, {place: replace(expectation, tolerance=old.tolerance, why=old.why)})


def expected_at(scene: Scene, probe: str, primitive: object) -> int | None:
    """Give the place of the first expectation of a pair that names no method."""
    for place, item in enumerate(scene.expect):
        if item.probe == probe and item.primitive == primitive and item.method is UNSET:
            return place
    return None


def replace_expectations(scene: Scene, changed: Mapping[int, Expectation | None]) -> Scene:
    """Put other expectations in the places of some; those with None go."""
    now = [changed.get(place, item) for place, item in enumerate(scene.expect)]
    return replace(scene, expect=tuple(item for item in now if item is not None))


def rename_item(scene: Scene, kind: Kind, index: int, name: str) -> Scene:
    """Give an item another id, which what is expected of it follows; raises a Fault where it cannot have it."""
    if not name or "[" in name:
        raise Fault((), 'a name that is not empty and without "["', quoted(name))
    old = ids_of(scene, kind)[index]
    items = list(items_of(scene, kind))
    items[index] = replace(items[index], id=name)

    def renamed(known: str) -> str:
        item, element = split(known)
        return known if item != old else name if element is None else f"{name}[{element}]"

    def follow(item: Expectation) -> Expectation:
        if kind == "probe":
            return replace(item, probe=renamed(item.probe))
        if item.primitive is not UNSET:
            return replace(item, primitive=renamed(item.primitive))
        return replace(item, hits=tuple(map(renamed, item.hits or ())))

    changed = {"primitives" if kind == "primitive" else "probes": tuple(items)}
    return replace(scene, **changed, expect=tuple(map(follow, scene.expect)))
