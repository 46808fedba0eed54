"""Commands that edit what is selected: one entry of the history each."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from hitscope.draw.target import Selection, Target
from hitscope.errors import HitscopeError
from hitscope.scene.edits import (
    Kind,
    add_items,
    ids_of,
    place_of,
    remove_elements,
    remove_items,
)
from hitscope.scene.items import Item, Single
from hitscope.scene.model import PRIMITIVES, PROBES, Scene
from hitscope.scene.named import split
from hitscope.scene.transforms import nudge, translate_all
from hitscope.viewer.tools.choosing import KINDS, NOTHING, name_of
from hitscope.viewer.tools.dragging import AXES, total
from hitscope.viewer.tools.gizmo import Mode
from hitscope.viewer.tools.held import Held, held
from hitscope.viewer.tools.nudging import PAUSE, Nudged, arrow, nudge_by
from hitscope.viewer.tools.pieces import Piece, chosen, piece_of, put_back, taken_in, title

if TYPE_CHECKING:
    from hitscope.viewer.app import App


def draw(kind: str) -> Callable[["App"], None]:
    """Give the command after which the next drag draws a probe of a kind."""

    def command(app: "App") -> None:
        app.tool, app.mode = kind, None

    return command


def gizmo(mode: Mode) -> Callable[["App"], None]:
    """Give the command that shows a gizmo for what is selected; Escape hides it."""

    def command(app: "App") -> None:
        app.mode, app.tool = mode, None
        if not app.selection:
            app.message = f"select what you want to {mode}"
        app.again()

    return command


def toggle_axes(app: "App") -> None:
    """Let the gizmo have the axes of the selected box or mesh, or the world's."""
    app.own_axes = not app.own_axes
    app.message = f"{'its own' if app.own_axes else 'the world' + chr(39) + 's'} axes"
    app.again()


def toggle_snapping(app: "App") -> None:
    """Let drags snap, or not."""
    app.snapping = not app.snapping
    app.message = "drags snap, Ctrl lets them go" if app.snapping else "drags are free, Ctrl snaps them"


def delete(app: "App") -> None:
    """Remove what is selected: items, and rows of those that are many shapes."""
    if not app.selection:
        app.message = NOTHING
        return
    scene, gone = app.document.scene, [(target.kind, *_place(app, target)) for target in app.selection]
    try:
        for kind in KINDS:
            whole = {place for of, place, row in gone if of == kind and row is None}
            rows: dict[int, set[int]] = {}
            for of, place, row in gone:
                if of == kind and row is not None and place not in whole:
                    rows.setdefault(place, set()).add(row)
            for place, some in rows.items():
                scene = remove_elements(scene, kind, place, some)
            scene = remove_items(scene, kind, whole)
    except HitscopeError as error:
        app.message = f"{name_of(app.selection)}: {error.message}"
        return
    name = name_of(app.selection)
    elements = any(row is not None for *_, row in gone)
    # What is behind an element that goes takes its name.
    app.change(scene, f"delete {name}", app.select if elements else lambda: None)


def duplicate(app: "App") -> None:
    """Add copies of what is selected, and select these; the copy of an element is an item of its own."""
    pieces = _pieces(app)
    scene = app.document.scene
    for kind in KINDS:
        copies = [
            item if piece.row is None else replace(item, id=f"{ids_of(scene, kind)[piece.place]}-{piece.row}")
            for piece, item in pieces.items()
            if piece.kind == kind
        ]
        scene = add_items(scene, kind, copies)
    if pieces:
        _add(app, scene, f"duplicate {title(app.document.scene, pieces)}")
        app.mode = "move"
        app.message = f"{name_of(app.selection)} is at the same place" if len(app.selection) == 1 else ""


def toggle_enabled(app: "App") -> None:
    """Let the selected probes ask, or not; if any does, none does then."""
    probes = {piece: item for piece, item in _pieces(app).items() if piece.kind == "probe"}
    if not probes:
        app.message = "select probes to enable or disable them"
        return
    enabled = not any(probe.enabled for probe in probes.values())  # type: ignore[attr-defined]
    after = {piece: replace(probe, enabled=enabled) for piece, probe in probes.items()}
    name = title(app.document.scene, probes)
    word = "enable" if enabled else "disable"
    app.edit(put_back(app.document.scene, after), f"{word} {name}")
    app.message = f"{word}d {name}"


def exchange(app: "App") -> None:
    """Make probes of selected boxes and triangles that are primitives, and the other way round."""
    pieces, scene = _pieces(app), app.document.scene
    if not pieces:
        return
    others: dict[Kind, list[Item]] = {}
    for piece, item in pieces.items():
        other: Kind = "probe" if piece.kind == "primitive" else "primitive"
        words = PROBES if other == "probe" else PRIMITIVES
        if piece.row is not None:
            app.message = f"one of many {item.word}s cannot be a {other}; a duplicate of it is an item, which can"
            return
        if not isinstance(item, Single) or item.word not in words:
            app.message = f"a {item.word} cannot be a {other}"
            return
        given = {name: getattr(item, name) for name in item.__struct_fields__ if name != "enabled"}
        others.setdefault(other, []).append(words[item.word](**given))
    name = name_of(app.selection)
    for kind in KINDS:
        scene = remove_items(scene, kind, {piece.place for piece in pieces if piece.kind == kind})
    for other, made in others.items():
        scene = add_items(scene, other, made)
    selection = [Target(other, name) for other in others for name in ids_of(scene, other)[-len(others[other]) :]]
    app.edit(scene, f"make {name} a {' and a '.join(others)}")
    app.select(*selection)
    app.message = f"{name_of(app.selection)} is a {' and a '.join(others)} now"


def nudge_step(key: str) -> Callable[["App"], None]:
    """Give the command that moves what is selected, or the handle that was clicked, by a step of the grid."""

    def command(app: "App") -> None:
        by = nudge_by(app.view.camera, key, app.grid_step)
        way = Nudge(*arrow(app.view.camera, key), f"{app.grid_step:g}")
        _nudge(
            app,
            "nudge",
            way,
            lambda items: translate_all(items, by),
            lambda hold: hold.store(total(hold.vector, by)),
        )

    return command


def nudge_ulp(key: str) -> Callable[["App"], None]:
    """Give the command that moves what is selected, or the handle that was clicked, to the next float64."""

    def command(app: "App") -> None:
        axis, sign = arrow(app.view.camera, key)

        def step(items: Sequence[Item]) -> list[Item]:
            singles = [item for item in items if isinstance(item, Single)]
            if len(singles) < len(items):
                raise HitscopeError("many shapes in one item are not moved by one ulp")
            return [nudge(item, axis, sign > 0) for item in singles]

        way = Nudge(axis, sign, "one ulp")
        _nudge(app, "nudge by ulps", way, step, lambda hold: hold.nudged(axis, sign > 0))

    return command


class Nudge(NamedTuple):
    """Which way a nudge goes: the coordinate axis, the sign, and how far in words."""

    axis: int
    sign: int
    far: str

    @property
    def words(self) -> str:
        """What a nudge did."""
        return f"nudged by {self.far} along {'+' if self.sign > 0 else '-'}{AXES[self.axis]}"


def _nudge(
    app: "App",
    word: str,
    way: Nudge,
    change: Callable[[Sequence[Item]], list[Item]],
    by_handle: Callable[[Held], Single],
) -> None:
    scene = app.document.scene
    if app.handle is not None and app.handle.handle is not None:
        piece, item = piece_of(scene, app.handle)
        assert isinstance(item, Single)
        hold = held(item, app.handle.handle)
        name = f"{hold.name} of {app.handle.id}"
        if hold.rail is not None and not hold.rail[way.axis]:
            app.message = f"the {name} moves along its normal only"
            return
        after = put_back(scene, {piece: by_handle(hold)})
        _go_on(app, after, f"{word} {name}", (app.handle,))
        app.message = f"{name} {way.words}"
        return
    pieces = _pieces(app)
    try:
        after = put_back(scene, dict(zip(pieces, change(list(pieces.values())), strict=True)))
    except HitscopeError as error:
        app.message = error.message
        return
    if pieces:
        name = title(scene, pieces)
        app.message = "   ·   ".join(filter(None, (f"{name} {way.words}", taken_in(scene, pieces))))
        _go_on(app, after, f"{word} {name}", app.selection)


def _go_on(app: "App", after: Scene, name: str, subject: Selection) -> None:
    """Make a nudge an edit, or, where another of the same just was, a part of that one.

    A key that is struck ten times is one thing done; `undo` takes the whole run back, as that of a drag.
    """
    document, last = app.document, app.nudged
    if (
        last is not None
        and last.scene is document.scene is not document.saved
        and (last.name, last.subject) == (name, subject)
        and app.now - last.at <= PAUSE
    ):
        document.undo()
    app.edit(after, name)
    app.nudged = Nudged(document.scene, name, subject, app.now)


def _pieces(app: "App") -> dict[Piece, Item]:
    """Give what is selected, or say why there is nothing."""
    if not app.selection:
        app.message = NOTHING
    try:
        return chosen(app)
    except HitscopeError as error:
        app.message = f"{name_of(app.selection)}: {error.message}"
        return {}


def _place(app: "App", target: Target) -> tuple[int, int | None]:
    """Give the place of the item that a target belongs to, and of an element its row."""
    name, row = split(target.id)
    return place_of(app.document.scene, target.kind, name), row


def _add(app: "App", scene: Scene, name: str) -> None:
    """Make an edit that added items, and select these."""
    before = app.document.scene
    added = [Target(kind, new) for kind in KINDS for new in ids_of(scene, kind)[len(ids_of(before, kind)) :]]
    app.edit(scene, name)
    app.select(*added)
