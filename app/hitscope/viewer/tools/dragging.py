"""Drags that edit: a handle, a gizmo. They snap, keys lock them, and a number is typed instead of the mouse."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hitscope.draw.element_arrays import elements_at
from hitscope.draw.items import Array
from hitscope.draw.picture import Picture
from hitscope.draw.target import Hidden, Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Element
from hitscope.geometry.shapes import Vec3
from hitscope.render.view import View
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.edits import Kind
from hitscope.scene.items import Item, Single
from hitscope.scene.named_items import split
from hitscope.scene.transforms import became
from hitscope.viewer.state.edit_targets import (
    EditTarget,
    edit_target,
    edit_targets,
    inlined_note,
    names_of,
    replace_targets,
    title,
)
from hitscope.viewer.state.messages import HINT_SEPARATOR
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Drag, GizmoPart
from hitscope.viewer.tools.click import CLICK_REACH, click
from hitscope.viewer.tools.decimal_vectors import difference, total
from hitscope.viewer.tools.gizmo import Change, Gizmo, Move, Turn
from hitscope.viewer.tools.grid_step import grid_step_of
from hitscope.viewer.tools.handle_targets import HandleTarget, handle_target, item_target, with_coordinate
from hitscope.viewer.tools.pointer import release
from hitscope.viewer.tools.snapping.candidates import SnapCandidates
from hitscope.viewer.tools.snapping.query import SnapQuery
from hitscope.viewer.tools.snapping.search import Snap
from hitscope.viewer.tools.snapping.snap import snap
from hitscope.viewer.tools.typed import number, typed

KEYS_OF_AXES = "XYZ"
AXES = "xyz"
END_ON = 0.01
"""An axis or a plane seen at less than this sine is too steep to drag along."""
NEARBY = 150.0
"""Points on the screen that count as near the mouse."""


class Lock(NamedTuple):
    """A drag keeps to a world axis, or to the plane across it."""

    axis: int
    plane: bool = False

    @property
    def words(self) -> str:
        """Where it keeps a drag."""
        return self.words_of("the ")

    def words_of(self, whose: str) -> str:
        """Say it of axes that are "the " world's or "its own "."""
        plane = f"in {whose}{AXES.replace(AXES[self.axis], '')} plane"
        return plane if self.plane else f"along {whose.removeprefix('the ')}{AXES[self.axis]}"


class Marks(NamedTuple):
    """What is shown of a snap: lines (n, 2, 3) of the feature, and the snapped point."""

    lines: Array
    point: Vec3


class EditDrag(Drag):
    """A drag that edits items; as long as the mouse is where it was pressed, it is a click.

    A key of an axis that is held locks the drag as long as it is; one that is only struck, until it is again.
    """

    name = ""
    """What is done, for the history."""
    number_is = "a distance"
    """What a number means that is typed."""
    start: Vec3
    """Where what is dragged was when the drag began."""

    def __init__(self, state: State, x: float, y: float) -> None:
        self._state = state
        self.press = self._at = (x, y)
        self.moving = False
        self.lock = None if state.tool.axis is None else Lock(state.tool.axis)
        self.typed = ""
        self.words = ""
        """What it is snapped to, or why it cannot be done."""
        self.told = ""
        """How far it went."""
        self.where = ""
        """From where to where."""
        self.marks: Marks | None = None
        self._down = {} if state.tool.axis is None else {KEYS_OF_AXES[state.tool.axis]: True}
        self._snaps_by_ctrl = False
        self._surroundings = _Surroundings(state)
        self._snap: Snap | None = None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """What the drag does now, and as long as nothing binds it what can be done with it."""
        number_typed = f"{self.typed} typed" if self.typed else ""
        keys = f"type {self.number_is}", "Ctrl snaps", "Esc cancels"
        free = () if self.typed or self.bound else ("X Y Z axis, Shift+ plane", *keys)
        return HINT_SEPARATOR.join(
            filter(None, (number_typed, self.words, self.bound, self.told, *free, self.where))
        )

    @property
    def bound(self) -> str:
        """What the drag is locked to, in words."""
        return self.lock.words if self.lock else ""

    @property
    def ways(self) -> Array:
        """The unit directions (n, 3) that the drag is bound to."""
        if self.lock is None:
            return np.empty((0, 3))
        return np.eye(3)[[(k == self.lock.axis) != self.lock.plane for k in range(3)]]

    def move(self, x: float, y: float) -> None:
        """Follow the mouse, once it has left the place of a click or a number was typed."""
        ctrl = "Ctrl" in self._state.tool.modifiers
        self._snaps_by_ctrl = ctrl and (self._snaps_by_ctrl or (x, y) != self._at)
        if (x, y) != self._at:
            self._at = (x, y)
            self._down = dict.fromkeys(self._down, True)
        far = math.dist(self.press, (x, y)) > CLICK_REACH * self._state.display.pixel_ratio
        if not self.moving and (far or self.typed):
            self.moving = True
            self.begin()
        if self.moving:
            self.words, self.told, self.where, self.marks = "", "", "", None
            with np.errstate(all="ignore"):
                self.follow(x, y)

    def begin(self) -> None:
        """Do what is to be done once, when the mouse has left the place of a click."""

    def follow(self, x: float, y: float) -> None:
        """Show what would be with the mouse at a pixel."""
        raise NotImplementedError

    def release(self) -> None:
        """Make the edit one entry of the history."""
        if self.moving:
            self._state.session.commit(self.name)
        else:
            click(self._state, *self.press)

    def cancel(self) -> None:
        """Bring everything back."""
        self._state.session.revert()

    def key_down(self, keys: str) -> bool:
        """Lock the drag to an axis or a plane, type a number, or end the drag by Enter.

        Where Ctrl is not held to snap, Ctrl+Z is meant to undo the drag.
        """
        *modifiers, key = keys.split("+")
        text = typed(self.typed, key)
        if key == "Enter":
            release(self._state)
        elif key in KEYS_OF_AXES and "Ctrl" in modifiers and not self._snaps_by_ctrl:
            if key == "Z":
                self._state.tool.cancel_drag()
            return True
        elif key in KEYS_OF_AXES:
            if key not in self._down:
                lock = Lock(KEYS_OF_AXES.index(key), "Shift" in modifiers)
                self.lock = None if lock == self.lock else lock
                self._down = {key: False}
        elif text is not None:
            self.typed = text
        else:
            return False
        self._state.tool.reapply()
        return True

    def key_up(self, key: str) -> None:
        """Let an axis go that was held while the mouse moved."""
        if self._down.pop(key, False) and self.lock and self.lock.axis == KEYS_OF_AXES.index(key):
            self.lock = None
            self._state.tool.reapply()

    def snapped(
        self, item: HandleTarget, pixel: tuple[float, float], free: Vec3, level: int | None = None
    ) -> Snap | None:
        """Give what a held item is snapped to, where snapping is on, and say and mark it.

        `level` is the coordinate that stays, where the drag keeps to a plane without being locked to it.
        """
        if not self._state.tool.snaps or self.typed:
            self._snap = None
            return None
        axis = None
        if self.lock is not None and item.rail is None:
            axis, level = (None, self.lock.axis) if self.lock.plane else (self.lock.axis, None)
        with np.errstate(all="ignore"):  # of what is huge, a length may be infinite
            around = self._surroundings.near(self._state.display.view, pixel, self.changed())
            aim = SnapQuery(self._state.display.view, item, pixel, free, axis, level)
            self._snap = snap(
                aim,
                around,
                self._state.tool.snap_to,
                step=grid_step_of(self._state.settings, self._state.display),
                previous=self._snap,
            )
        if self._snap is not None:
            self.words = self._snap.words
            self.marks = Marks(self._snap.lines, self._snap.point)
        return self._snap

    def changed(self) -> Hidden:
        """Give the items that the drag changes, which nothing of it snaps to."""
        return frozenset()


class MoveHandle(EditDrag):
    """Moves one handle, in the plane through it that faces the camera, or along an axis or its own rail."""

    def __init__(self, state: State, target: Target, x: float, y: float) -> None:
        super().__init__(state, x, y)
        assert target.handle is not None
        self._target, self._handle = target, target.handle
        self._piece, item = edit_target(state.session.document.scene, target)
        assert isinstance(item, Single), "bulk items have no handles"
        self._held = handle_target(item, self._handle)
        self.name = f"move {target.id}"
        self.start = self._held.point
        seen_x, seen_y, _ = state.display.view.project(self.start)[0]
        self._grip = (seen_x - x, seen_y - y)

    def begin(self) -> None:
        """Select what the handle belongs to."""
        if self._target._replace(handle=None) not in self._state.selection.targets:
            self._state.selection.select(self._target)

    def follow(self, x: float, y: float) -> None:
        """Put the handle under the mouse, as it was gripped."""
        item, pixel = self._held, (x + self._grip[0], y + self._grip[1])
        free = dragged(self._state, item.point, pixel, self.lock, item.rail)
        if free is not None and (way := number(self.typed)) is not None:
            free = at_distance(item.point, free, way, self.lock, item.rail)
        if free is None:
            return
        found = self.snapped(item, pixel, free)
        moved = found.item if found else item.store(difference(free, item.base))
        place = handle_target(moved, self._handle).point
        self.told, self.where = f"{item.name} by {math.dist(self.start, place):g}", way_words(self.start, place)
        self._state.session.preview(replace_targets(self._state.session.document.scene, {self._piece: moved}))
        self.words = inlined_note(self._state.session.document.scene, [self._piece]) or self.words

    def release(self) -> None:
        """Make the edit; of a handle that is clicked, say what it is good for."""
        super().release()
        if self._state.selection.handle == self._target:
            self._state.messages.notice = f"Arrow keys nudge the {self._held.name} of {self._target.id}"

    @property
    def bound(self) -> str:
        """What the handle is bound to, in words; a box's face goes along its normal, whatever is locked."""
        rail = self._held.rail
        if rail is None:
            return super().bound
        axes = np.flatnonzero(rail)
        return Lock(int(axes[0])).words if len(axes) == 1 else "along its normal"

    @property
    def ways(self) -> Array:
        """The unit directions (n, 3) that the handle is bound to."""
        return super().ways if self._held.rail is None else self._held.rail[None]

    def changed(self) -> Hidden:
        """Give the item."""
        return frozenset([self._target[:2]])


class MoveGizmo(EditDrag):
    """Moves, turns or scales all that is selected, by a part of the gizmo as it was when it was pressed."""

    def __init__(self, state: State, gizmo: Gizmo, part: GizmoPart, x: float, y: float) -> None:
        super().__init__(state, x, y)
        self._gizmo, self._part = gizmo, part
        self.start = gizmo.pivot
        self._items: dict[EditTarget, Item] = {}
        self._problem = ""
        self._shown: Change | None = None
        """The change that is shown, where it is only shown roughly."""
        try:
            self._items = edit_targets(state.session.document.scene, state.selection.targets)
        except HitscopeError as error:
            self._problem = error.message
        verb = {"move": "move", "rotate": "turn", "scale": "scale"}[gizmo.mode]
        self.name = f"{verb} {title(state.session.document.scene, self._items)}"

    @property
    def number_is(self) -> str:  # type: ignore[override]
        """What a number means that is typed."""
        return {"move": "a distance", "rotate": "an angle", "scale": "a factor"}[self._gizmo.mode]

    @property
    def part(self) -> GizmoPart:
        """The part of the gizmo that counts."""
        return self._gizmo.locked(*self.lock) if self.lock else self._part

    @property
    def bound(self) -> str:
        """What the drag is locked to, in words, of an oriented box by its own axes."""
        if self.lock is None or self.part.kind == "ring":
            return ""
        return self.lock.words_of("the " if self._gizmo.frame == IDENTITY else "its own ")

    @property
    def _about(self) -> str:
        """What is turned about, in words."""
        if self.part.axis is None:
            return "about the line of sight"
        return f"about {'' if self._gizmo.frame == IDENTITY else 'its own '}{AXES[self.part.axis]}"

    @property
    def ways(self) -> Array:
        """The unit directions (n, 3) along which the part that counts moves or scales, or about which it turns."""
        part = self.part
        return np.array(self._gizmo.frame)[
            [part.axis is not None and (k == part.axis) != (part.kind == "plane") for k in range(3)]
        ]

    def follow(self, x: float, y: float) -> None:
        """Change what is selected as the mouse goes."""
        gizmo, way = self._gizmo, number(self.typed)
        if self._problem:
            self.words = self._problem
            return
        change = gizmo.drag(
            self.part,
            self.press,
            (x, y),
            self._state.tool.snaps,
            way,
            grid_step_of(self._state.settings, self._state.display),
        )
        if change is None:
            return
        if isinstance(change, Move) and self._state.tool.snaps and way is None and self._snap_whole(x, y):
            return
        try:
            rough = len(self._items) >= self._state.limits.rough_from
            self._apply(change, rough)
        except HitscopeError as error:
            self.words = error.message
            return
        self._shown = change if rough else None
        self.told = f"{words_of(change)} {self._about}" if isinstance(change, Turn) else words_of(change)

    def release(self) -> None:
        """Make the edit, of many items with the numbers that they are to have."""
        if self._shown is not None:
            try:
                self._apply(self._shown)
            except HitscopeError as error:
                self._state.session.revert()
                self._state.messages.notice = error.message
        super().release()

    def _apply(self, change: Change, rough: bool = False) -> None:
        after = change.apply(list(self._items.values()), rough)
        self._show(dict(zip(self._items, after, strict=True)))

    def _snap_whole(self, x: float, y: float) -> bool:
        """Snap a single item by its pivot; says whether there was something to snap to."""
        (piece, item), *others = self._items.items()
        part, straight = self.part, self._gizmo.frame == IDENTITY
        if others or not isinstance(item, Single) or (part.kind == "plane" and not straight):
            return False
        free = self._gizmo.drag(self.part, self.press, (x, y))
        if not isinstance(free, Move):
            return False
        hold = item_target(item, self._gizmo.pivot)
        if part.kind == "axis" and part.axis is not None:
            hold = hold._replace(rail=np.array(self._gizmo.frame[part.axis]))
        seen_x, seen_y, _ = self._state.display.view.project(self._gizmo.pivot)[0].tolist()
        pixel = seen_x + x - self.press[0], seen_y + y - self.press[1]
        level = part.axis if part.kind == "plane" else None
        found = self.snapped(hold, pixel, total(self._gizmo.pivot, free.by), level)
        if found is None:
            return False
        self._show({piece: found.item})
        self.told = words_of(Move(difference(found.point, self._gizmo.pivot)))
        return True

    def _show(self, after: Mapping[EditTarget, Item]) -> None:
        scene = self._state.session.document.scene
        self._state.session.preview(replace_targets(scene, after))
        said = [became(before, item) for before, item in zip(self._items.values(), after.values(), strict=True)]
        self.words = next(filter(None, said), "") or inlined_note(scene, after) or self.words

    def changed(self) -> Hidden:
        """Give what is changed, items and elements."""
        names = names_of(self._state.session.document.scene, self._items)
        return frozenset((piece.kind, name) for piece, name in zip(self._items, names, strict=True))


def words_of(change: Change) -> str:
    """Say what a gizmo does."""
    if isinstance(change, Move):
        x, y, z = change.by
        return f"by {x:g}  {y:g}  {z:g}"
    if isinstance(change, Turn):
        return f"by {change.degrees:g}°"
    even = len(set(change.factors)) == 1
    return "× " + "  ".join(f"{factor:g}" for factor in change.factors[: 1 if even else 3])


def way_words(start: Vec3, place: Vec3) -> str:
    """Say from where to where it is."""
    return f"from {point_words(start)} to {point_words(place)}"


def point_words(point: Vec3) -> str:
    """Say where a point is."""
    x, y, z = point
    return f"({x:g}, {y:g}, {z:g})"


# Where the mouse drags something to


def dragged(
    state: State, start: Vec3, pixel: tuple[float, float], lock: Lock | None, rail: Array | None = None
) -> Vec3 | None:
    """Give where a point is dragged to: along `rail`, as the lock says, else facing the camera."""
    stage, view = state.session.picture.stage, state.display.view
    ray, point = view.ray_through(*pixel).in_stage(stage), stage.to_stage(np.array(start))
    if not np.isfinite(ray.origin).all():
        return None
    axis = rail if rail is not None else None if lock is None else np.eye(3)[lock.axis]
    if axis is None or (rail is None and lock is not None and lock.plane):
        depth = ray.depth_on_plane(point, view.camera.axes[2] if axis is None else axis, END_ON)
        if depth is None:
            return None
        free = view.rounded(stage.to_scene(ray.at(depth)))
        return free if lock is None else with_coordinate(free, lock.axis, start[lock.axis])
    along = ray.nearest_on_line(point, axis, END_ON)
    if along is None:
        return None
    to = view.rounded(stage.to_scene(point + along * axis))
    x, y, z = (new if way else old for new, old, way in zip(to, start, axis, strict=True))
    return x, y, z


def at_distance(start: Vec3, free: Vec3, way: float, lock: Lock | None, rail: Array | None) -> Vec3 | None:
    """Give the point at a distance from a start: along the rail or axis, else towards where the mouse is."""
    direction = np.array(difference(free, start))
    if rail is not None:
        direction = rail
    elif lock is not None and not lock.plane:
        direction = np.eye(3)[lock.axis]
    length = float(np.linalg.norm(direction))
    if not 0 < length < math.inf:
        return None
    x, y, z = (way * value / length + 0.0 for value in direction.tolist())
    return total(start, (x, y, z))


# What there is to snap to


class _Surroundings:
    """What a drag can snap to: all that is shown when it begins, but for what it changes.

    Where that is a great deal, it is what is near the mouse.
    """

    def __init__(self, state: State) -> None:
        self._hidden = state.selection.hidden
        self._picture = state.session.picture
        self._most = state.limits.snap_targets
        self._found: tuple[tuple[float, float], SnapCandidates] | None = None

    def near(self, view: View, pixel: tuple[float, float], changed: Hidden) -> SnapCandidates:
        """Give what may be snapped to with the mouse at a pixel, but for what is changed."""
        picture, without = self._picture, self._hidden | changed
        elements = picture.report.elements
        few = len(elements) <= self._most
        if self._found is None or (not few and math.dist(self._found[0], pixel) > NEARBY / 2 * view.pixel_ratio):
            places = range(len(elements)) if few else _seen_near(picture, view, pixel, self._most)
            near = [element for place in places if _is_kept(element := elements[place], "primitive", without)]
            near += [probe for _, probe in picture.layouts.single_probes if _is_kept(probe, "probe", without)]
            self._found = pixel, SnapCandidates(near)
        return self._found[1]


def _is_kept(element: Element, kind: Kind, without: Hidden) -> bool:
    return not without or not {(kind, element.id), (kind, split(element.id)[0])} & without


def _seen_near(picture: Picture, view: View, pixel: tuple[float, float], most: int) -> list[int]:
    """The frontmost elements that are seen near a pixel, at most `most`, and all planes and polyhedra."""
    arrays = picture.arrays
    bounds = [some for batch in arrays.batches for some in (batch.box_bounds, batch.triangle_bounds)]
    lows, highs = (np.concatenate(some) for some in zip(*bounds, strict=True))
    places = [some for batch in arrays.batches for some in (batch.box_elements, batch.triangle_elements)]
    elements = np.concatenate(
        [elements_at(of, np.arange(len(own))) for of, (own, _) in zip(places, bounds, strict=True)]
    )
    with np.errstate(all="ignore"):
        centers, radii = (lows + highs) / 2, np.linalg.norm(highs - lows, axis=1) / 2
    nearest = view.frontmost_near(centers, radii, *pixel, NEARBY * view.pixel_ratio, most)
    return [*elements[nearest].tolist(), *arrays.faceted_elements.tolist()]
