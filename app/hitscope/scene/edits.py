"""Edits: functions from a Scene to another. Whatever an edit gives is a valid scene, or it raises a Fault.

Expectations keep their subject: before positions move, the default ids of what moves are written down.
"""

from itertools import count

from msgspec.structs import replace

from hitscope.geometry.registry import EXACT
from hitscope.scene.model import AnyProbe, MethodChoice, Scene


def replace_probe(scene: Scene, index: int, probe: AnyProbe) -> Scene:
    """Put `probe` in the place of the probe at `index`."""
    return replace(scene, probes=(*scene.probes[:index], probe, *scene.probes[index + 1 :]))


def add_probe(scene: Scene, probe: AnyProbe) -> Scene:
    """Add a probe as the last one; where its id, or its default id, is taken, it gets the next free one."""
    position, word = len(scene.probes), probe.word
    if (probe.id or f"{word}-{position}") in scene.probe_ids:
        names = (f"{word}-{number}" for number in count(position))
        probe = replace(probe, id=next(name for name in names if name not in scene.probe_ids))
    return replace(scene, probes=(*scene.probes, probe))


def remove_probe(scene: Scene, index: int) -> Scene:
    """Remove the probe at `index` and the expectations of it."""
    named = [
        probe if probe.id else replace(probe, id=name)
        for probe, name in zip(scene.probes[index + 1 :], scene.probe_ids[index + 1 :], strict=True)
    ]
    return replace(
        scene,
        probes=(*scene.probes[:index], *named),
        expect=tuple(item for item in scene.expect if item.probe != scene.probe_ids[index]),
    )


def show_hierarchy(scene: Scene, level: int | None) -> Scene:
    """Show a level of the hierarchies over the primitives, or none of them."""
    return replace(scene, view=replace(scene.view, hierarchy=level))


def decide_by(scene: Scene, pair: str, choice: MethodChoice) -> Scene:
    """Let a method decide all pairs of two types, e.g. of "segment_aabb"; `exact` needs no mention in the file."""
    others = {name: known for name, known in scene.methods.items() if name != pair}
    return replace(scene, methods=others if choice == EXACT else {**others, pair: choice})
