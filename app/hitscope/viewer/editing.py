"""Commands that edit what is selected: one entry of the history each."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.scene.edits import (
    Kind,
    add_items,
    duplicate_items,
    ids_of,
    items_of,
    remove_items,
    replace_items,
)
from hitscope.scene.items import Item, Single
from hitscope.scene.model import PRIMITIVES, PROBES, Bulk, Scene
from hitscope.scene.transforms import nudge, translate, translate_many
from hitscope.viewer.choosing import KINDS, NOTHING, OF_MANY, chosen, name_of
from hitscope.viewer.dragging import total
from hitscope.viewer.gizmo import Mode
from hitscope.viewer.held import Held, held
from hitscope.viewer.nudging import arrow, nudge_by

if TYPE_CHECKING:
    from hitscope.viewer.app import App


def draw(kind: str) -> Callable[["App"], None]:
    """Give the command after which the next drag draws a probe of a kind."""

    def command(app: "App") -> None:
        app.tool = kind

    return command


def gizmo(mode: Mode) -> Callable[["App"], None]:
    """Give the command that shows a gizmo for what is selected, or hides it."""

    def command(app: "App") -> None:
        app.mode = None if app.mode == mode else mode
        if app.mode is not None and not app.selection:
            app.message = f"select what you want to {mode}"
        app.again()

    return command


def toggle_axes(app: "App") -> None:
    """Let the gizmo have the axes of the selected box, or the world's."""
    app.own_axes = not app.own_axes
    app.message = f"{'its own' if app.own_axes else 'the world' + chr(39) + 's'} axes"
    app.again()


def toggle_snapping(app: "App") -> None:
    """Let drags snap, or not."""
    app.snapping = not app.snapping
    app.message = "drags snap, Ctrl lets them go" if app.snapping else "drags are free, Ctrl snaps them"


def delete(app: "App") -> None:
    """Remove what is selected."""
    items = _whole(app)
    scene, name = app.document.scene, name_of(app.selection)
    for kind, some in items.items():
        scene = remove_items(scene, kind, set(some))
    if items:
        app.edit(scene, f"delete {name}")


def duplicate(app: "App") -> None:
    """Add copies of what is selected, and select these."""
    items = _whole(app)
    scene, name = app.document.scene, name_of(app.selection)
    for kind, some in items.items():
        scene = duplicate_items(scene, kind, some)
    if items:
        _add(app, scene, f"duplicate {name}")
        app.mode = "move"
        app.message = f"{name_of(app.selection)} is at the same place" if len(app.selection) == 1 else ""


def toggle_enabled(app: "App") -> None:
    """Let the selected probes ask, or not; if any does, none does then."""
    probes = chosen(app).get("probe", {})
    if not probes:
        app.message = "select probes to enable or disable them"
        return
    enabled = not any(probe.enabled for probe in probes.values())  # type: ignore[attr-defined]
    after = {i: replace(probe, enabled=enabled) for i, probe in probes.items()}
    name = name_of(tuple(target for target in app.selection if target.kind == "probe"))
    word = "enable" if enabled else "disable"
    app.edit(replace_items(app.document.scene, "probe", after), f"{word} {name}")
    app.message = f"{word}d {name}"


def exchange(app: "App") -> None:
    """Make probes of selected boxes and triangles that are primitives, and the other way round."""
    items, scene = _whole(app), app.document.scene
    if not items:
        return
    others: dict[Kind, list[Item]] = {}
    for kind, some in items.items():
        other: Kind = "probe" if kind == "primitive" else "primitive"
        words = PROBES if other == "probe" else PRIMITIVES
        for item in some.values():
            if not isinstance(item, Single) or item.word not in words:
                app.message = f"a {item.word} cannot be a {other}"
                return
            given = {name: getattr(item, name) for name in item.__struct_fields__ if name != "enabled"}
            others.setdefault(other, []).append(words[item.word](**given))
    name = name_of(app.selection)
    for kind, some in items.items():
        scene = remove_items(scene, kind, set(some))
    for other, made in others.items():
        scene = add_items(scene, other, made)
    selection = [Target(other, name) for other in others for name in ids_of(scene, other)[-len(others[other]) :]]
    app.edit(scene, f"make {name} a {' and a '.join(others)}")
    app.select(*selection)
    app.message = f"{name_of(app.selection)} is a {' and a '.join(others)} now"


def nudge_step(key: str) -> Callable[["App"], None]:
    """Give the command that moves what is selected, or the handle under the mouse, by a step of the grid."""

    def command(app: "App") -> None:
        by = nudge_by(app.eye.camera, key, app.grid_step)

        def step(item: Item) -> Item:
            if isinstance(item, Bulk):
                return translate_many(item, by)
            assert isinstance(item, Single)
            return translate(item, by)

        _nudge(app, step, lambda hold: hold.store(total(hold.vector, by)))

    return command


def nudge_ulp(key: str) -> Callable[["App"], None]:
    """Give the command that moves what is selected, or the handle under the mouse, to the next float64."""

    def command(app: "App") -> None:
        axis, sign = arrow(app.eye.camera, key)

        def step(item: Item) -> Item:
            if not isinstance(item, Single):
                raise HitscopeError("many shapes in one item are not moved by one ulp")
            return nudge(item, axis, sign > 0)

        _nudge(app, step, lambda hold: hold.nudged(axis, sign > 0))

    return command


def _nudge(app: "App", whole: Callable[[Item], Item], by_handle: Callable[[Held], Single]) -> None:
    scene, over = app.document.scene, app.hovered
    if over is not None and over.handle is not None and over._replace(handle=None) in app.selection:
        i = ids_of(scene, over.kind).index(over.id)
        item = items_of(scene, over.kind)[i]
        assert isinstance(item, Single)
        moved = by_handle(held(item, over.handle))
        app.edit(replace_items(scene, over.kind, {i: moved}), f"nudge {over.id}")
        return
    try:
        for kind, items in _whole(app).items():
            scene = replace_items(scene, kind, {i: whole(item) for i, item in items.items()})
    except HitscopeError as error:
        app.message = str(error)
    else:
        app.edit(scene, f"nudge {name_of(app.selection)}")


def _whole(app: "App") -> dict[Kind, dict[int, Item]]:
    """Give the selected items, or say why there is none."""
    items = chosen(app)
    number = sum(map(len, items.values()))
    if number < len(app.selection):
        element = next(target.id for target in app.selection if "[" in target.id)
        app.message = f"{element}: {OF_MANY}"
        return {}
    if not items:
        app.message = NOTHING
    return items


def _add(app: "App", scene: Scene, name: str) -> None:
    """Make an edit that added items, and select these."""
    before = app.document.scene
    added = [Target(kind, new) for kind in KINDS for new in ids_of(scene, kind)[len(ids_of(before, kind)) :]]
    app.edit(scene, name)
    app.select(*added)
