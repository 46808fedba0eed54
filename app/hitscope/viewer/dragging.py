"""Drags that edit: a handle, a gizmo, something new. They snap, keys lock them, and a typed number is the way."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hitscope.draw.bodies import Frames, box_extremes, elements_at
from hitscope.draw.build import Picture
from hitscope.draw.items import Array
from hitscope.draw.target import Hidden, Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Element
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import UP_AXIS
from hitscope.scene.edits import Kind, add_items, ids_of, items_of, replace_items
from hitscope.scene.items import Item, Single
from hitscope.scene.model import AabbProbe, Bulk, LineProbe, PointProbe, RayProbe, SegmentProbe, TriangleProbe
from hitscope.scene.named import split
from hitscope.scene.transforms import became, translate_many
from hitscope.viewer.aim import Aim, Around
from hitscope.viewer.choosing import OF_MANY, chosen, name_of
from hitscope.viewer.gizmo import Change, Gizmo, Move, Part, Turn
from hitscope.viewer.held import Held, held, whole
from hitscope.viewer.picking import Eye, surface_at
from hitscope.viewer.places import multiple_of
from hitscope.viewer.snapping import Snap, snap
from hitscope.viewer.tools import CLICK_REACH, SELECTION, Drag, Orbit, Pan, SelectBox
from hitscope.viewer.typed import number, typed

if TYPE_CHECKING:
    from hitscope.viewer.app import App

KEYS_OF_AXES = "XYZ"
HINT = "X Y Z keep to an axis, with Shift to a plane   ·   a number is the way   ·   Ctrl snaps   ·   Esc cancels"
BEYOND = 0.1
"""A probe drawn onto a flat primitive ends behind it by this part of its length."""
END_ON = 1e-4
"""An axis seen at less than this (the square of the sine) is too steep to drag along."""
HORIZON = 10.0
"""The ground is drawn on up to so many times the camera's distance."""
MANY = 4096
"""Of more elements than these, only those near the mouse are snapped to."""
NEARBY = 150.0
"""Points on the screen that count as near the mouse."""


class Lock(NamedTuple):
    """A drag keeps to a world axis, or to the plane across it."""

    axis: int
    plane: bool = False


class Marks(NamedTuple):
    """What is shown of a snap: lines (n, 2, 3) of the feature, and the place."""

    lines: Array
    place: Vec3


class EditDrag(Drag):
    """A drag that edits items; as long as the mouse is where it was pressed, it is a click.

    A key of an axis that is held locks the drag as long as it is; one that is only struck, until it is again.
    """

    name = ""
    """What is done, for the history."""

    def __init__(self, app: "App", x: float, y: float) -> None:
        self.press = self._at = (x, y)
        self.moving = False
        self.lock = None if app.axis is None else Lock(app.axis)
        self.typed = ""
        self.words = ""
        self.marks: Marks | None = None
        self._down = {} if app.axis is None else {KEYS_OF_AXES[app.axis]: True}
        self._surroundings = _Surroundings(app)
        self._snap: Snap | None = None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """What the drag does now, else what can be done with it."""
        number_typed = f"{self.typed} typed" if self.typed else ""
        return "   ·   ".join(filter(None, (number_typed, self.words))) or HINT

    def move(self, app: "App", x: float, y: float) -> None:
        """Follow the mouse, once it has left the place of a click or a number was typed."""
        if (x, y) != self._at:
            self._at = (x, y)
            self._down = dict.fromkeys(self._down, True)
        far = math.dist(self.press, (x, y)) > CLICK_REACH * app.points
        if not self.moving and (far or self.typed):
            self.moving = True
            self.begin(app)
        if self.moving:
            self.words, self.marks = "", None
            with np.errstate(all="ignore"):
                self.follow(app, x, y)

    def begin(self, app: "App") -> None:
        """Do what is to be done once, when the mouse has left the place of a click."""

    def follow(self, app: "App", x: float, y: float) -> None:
        """Show what would be with the mouse at a pixel."""
        raise NotImplementedError

    def release(self, app: "App") -> None:
        """Make the edit one entry of the history."""
        if self.moving:
            app.commit(self.name)
        else:
            app.click(*self.press)

    def cancel(self, app: "App") -> None:
        """Bring everything back."""
        app.revert()

    def key_down(self, app: "App", keys: str) -> bool:
        """Lock the drag to an axis or a plane, type a number, or end the drag by Enter."""
        *modifiers, key = keys.split("+")
        text = typed(self.typed, key)
        if key == "Enter":
            app.release()
        elif key in KEYS_OF_AXES:
            if key not in self._down:
                lock = Lock(KEYS_OF_AXES.index(key), "Shift" in modifiers)
                self.lock = None if lock == self.lock else lock
                self._down = {key: False}
        elif text is not None:
            self.typed = text
        else:
            return False
        app.again()
        return True

    def key_up(self, app: "App", key: str) -> None:
        """Let an axis go that was held while the mouse moved."""
        if self._down.pop(key, False) and self.lock and self.lock.axis == KEYS_OF_AXES.index(key):
            self.lock = None
            app.again()

    def snapped(self, app: "App", item: Held, pixel: tuple[float, float], free: Vec3) -> Snap | None:
        """Give what a held item is snapped to, where snapping is on, and say and mark it."""
        if not app.snaps or self.typed or (self.lock is not None and self.lock.plane):
            self._snap = None
            return None
        axis = self.lock.axis if self.lock and item.rail is None else None
        with np.errstate(all="ignore"):  # of what is huge, a length may be infinite
            around = self._surroundings.near(app.eye, pixel, self.changed(app))
            aim = Aim(app.eye, item, pixel, free, axis)
            self._snap = snap(aim, around, step=app.grid_step, previous=self._snap)
        if self._snap is not None:
            self.words = self._snap.words
            self.marks = Marks(self._snap.lines, self._snap.place)
        return self._snap

    def changed(self, app: "App") -> Hidden:
        """Give the items that the drag changes, which nothing of it snaps to."""
        return frozenset()


class MoveHandle(EditDrag):
    """Moves one handle, in the plane through it that faces the camera, or along an axis or its own rail."""

    def __init__(self, app: "App", target: Target, x: float, y: float) -> None:
        super().__init__(app, x, y)
        assert target.handle is not None
        self._target = target
        scene = app.document.scene
        self._index = ids_of(scene, target.kind).index(target.id)
        item = items_of(scene, target.kind)[self._index]
        assert isinstance(item, Single), "bulk items have no handles"
        self._held = held(item, target.handle)
        self.name = f"move {target.id}"
        seen_x, seen_y, _ = app.eye.camera.project(self._held.place, app.eye.viewport)[0]
        self._grip = (seen_x - x, seen_y - y)

    def begin(self, app: "App") -> None:
        """Select what the handle belongs to."""
        if self._target._replace(handle=None) not in app.selection:
            app.select(self._target)

    def follow(self, app: "App", x: float, y: float) -> None:
        """Put the handle under the mouse, as it was gripped."""
        item, pixel = self._held, (x + self._grip[0], y + self._grip[1])
        free = dragged(app, item.place, pixel, self.lock, item.rail)
        if free is not None and (way := number(self.typed)) is not None:
            free = _at_distance(item.place, free, way, self.lock, item.rail)
        if free is None:
            return
        if app.snaps and self.lock and self.lock.plane:
            free = _on_grid(free, self.lock.axis, app.grid_step)
        found = self.snapped(app, item, pixel, free)
        moved = found.item if found else item.store(difference(free, item.base))
        app.preview(replace_items(app.document.scene, self._target.kind, {self._index: moved}))

    def changed(self, app: "App") -> Hidden:
        """Give the item."""
        return frozenset([self._target[:2]])


class MoveGizmo(EditDrag):
    """Moves, turns or scales all that is selected, by a part of the gizmo as it was when it was pressed."""

    def __init__(self, app: "App", gizmo: Gizmo, part: Part, x: float, y: float) -> None:
        super().__init__(app, x, y)
        self._gizmo, self._part = gizmo, part
        self._items = chosen(app)
        verb = {"move": "move", "rotate": "turn", "scale": "scale"}[gizmo.mode]
        self.name = f"{verb} {name_of(app.selection)}"

    @property
    def part(self) -> Part:
        """The part of the gizmo that counts."""
        return self._gizmo.locked(*self.lock) if self.lock else self._part

    def follow(self, app: "App", x: float, y: float) -> None:
        """Change what is selected as the mouse goes."""
        gizmo, way = self._gizmo, number(self.typed)
        if not any(self._items.values()):
            self.words = f"{name_of(app.selection)}: {OF_MANY}"
            return
        change = gizmo.drag(self.part, self.press, (x, y), app.snaps, way, app.grid_step)
        if change is None:
            return
        if isinstance(change, Move) and app.snaps and way is None and self._snap_whole(app, x, y):
            return
        try:
            after = {
                kind: {i: _changed(item, change) for i, item in items.items()}
                for kind, items in self._items.items()
            }
        except HitscopeError as error:
            self.words = str(error)
            return
        self._show(app, after)
        self.words = self.words or words_of(change)

    def _snap_whole(self, app: "App", x: float, y: float) -> bool:
        """Snap a single item by its pivot; says whether there was something to snap to."""
        only, *others = [(kind, i, item) for kind, items in self._items.items() for i, item in items.items()]
        kind, i, item = only
        if others or not isinstance(item, Single) or self.part.kind not in ("axis", "center"):
            return False
        free = self._gizmo.drag(self.part, self.press, (x, y))
        if not isinstance(free, Move):
            return False
        hold = whole(item, self._gizmo.pivot)
        if self.part.axis is not None:
            hold = hold._replace(rail=np.array(self._gizmo.frame[self.part.axis]))
        eye = app.eye
        seen_x, seen_y, _ = eye.camera.project(self._gizmo.pivot, eye.viewport)[0].tolist()
        pixel = seen_x + x - self.press[0], seen_y + y - self.press[1]
        found = self.snapped(app, hold, pixel, total(self._gizmo.pivot, free.by))
        if found is None:
            return False
        self._show(app, {kind: {i: found.item}})
        return True

    def _show(self, app: "App", after: Mapping[Kind, Mapping[int, Item]]) -> None:
        scene = app.document.scene
        for kind, items in after.items():
            scene = replace_items(scene, kind, items)
            for i, item in items.items():
                before = self._items[kind][i]
                if isinstance(before, Single) and isinstance(item, Single):
                    self.words = became(before, item) or self.words
        app.preview(scene)

    def changed(self, app: "App") -> Hidden:
        """Give what is selected."""
        return frozenset(target[:2] for target in app.selection)


class DrawNew(EditDrag):
    """Draws a new probe.

    It starts on the surface of the primitive under the mouse, else on the ground. It ends in the middle of the
    primitive under the mouse, so that drawing onto something hits it, else in the plane through its start that
    faces the camera. A triangle's third corner is above the other two in the picture.
    """

    def __init__(self, app: "App", kind: str, x: float, y: float) -> None:
        super().__init__(app, x, y)
        self._kind = kind
        self.name = f"draw a {kind}"
        surface = surface_at(app.shown, x, y)
        start = short(app, surface.near if surface else _on_ground(app, x, y))
        found = self.snapped(app, held(PointProbe(position=start), 0), (x, y), start)
        self._start = found.place if found else start
        if kind == "point":
            self._preview(app, PointProbe(position=self._start))

    def follow(self, app: "App", x: float, y: float) -> None:
        """End the probe under the mouse."""
        end = self._end(app, x, y)
        if end is not None and (way := number(self.typed)) is not None:
            end = _at_distance(self._start, end, way, self.lock, None)
        if end is None:
            return
        if app.snaps and self.lock and self.lock.plane:
            end = _on_grid(end, self.lock.axis, app.grid_step)
        made = self._made(app, end)
        by_tip = isinstance(made, SegmentProbe | RayProbe | LineProbe)
        hold = held(made, 1) if by_tip else held(PointProbe(position=self._start), 0)
        found = self.snapped(app, hold, (x, y), end)
        if found is not None:
            made = found.item if by_tip else self._made(app, found.place)
        self._preview(app, made)

    def _made(self, app: "App", end: Vec3) -> Single:
        """Give what is drawn from the start to an end."""
        start = self._start
        match self._kind:
            case "point":
                return PointProbe(position=end)
            case "segment":
                return SegmentProbe(start=start, end=end)
            case "ray":
                return RayProbe(origin=start, direction=difference(end, start))
            case "line":
                return LineProbe(origin=start, direction=difference(end, start))
            case "box":
                half = max(map(abs, difference(end, start)))
                return AabbProbe(center=start, half_extents=(half, half, half))
            case _:
                _, up, back = app.eye.camera.axes
                rise = np.cross(back, np.subtract(end, start))
                rise *= -1 if rise @ up < 0 else 1
                return TriangleProbe(vertices=(start, end, short(app, np.add(start, end) / 2 + rise)))

    def _preview(self, app: "App", item: Item) -> None:
        app.preview(add_items(app.document.scene, "probe", [item]))

    def _end(self, app: "App", x: float, y: float) -> Vec3 | None:
        surface = surface_at(app.shown, x, y)
        if surface is None or self.lock is not None:
            return dragged(app, self._start, (x, y), self.lock)
        flat = np.array_equal(surface.near, surface.middle)
        return short(app, surface.middle + (BEYOND * (surface.middle - self._start) if flat else 0))

    def release(self, app: "App") -> None:
        """Keep the probe and select it; a click draws nothing but a point, and the tool stays."""
        if app.commit(self.name):
            app.tool = None
            name = app.scene.probe_ids[-1]
            app.select(Target("probe", name))
            if self._kind in ("box", "triangle"):
                app.message = f"{name} is a probe; M makes it a primitive"


def begin_left(app: "App", x: float, y: float) -> Drag:
    """Begin what the left button does: the tool, else drag the gizmo or handle there, else turn the camera."""
    if app.tool == SELECTION:
        return SelectBox(app, x, y)
    if app.tool is not None:
        return DrawNew(app, app.tool, x, y)
    if (gizmo := app.gizmo) is not None and (part := gizmo.part_at(x, y)) is not None:
        return MoveGizmo(app, gizmo, part, x, y)
    target = app.target_at(x, y)
    if target is not None and target.handle is not None:
        return MoveHandle(app, target, x, y)
    return Orbit(app, x, y)


def begin_shifted(app: "App", x: float, y: float) -> Drag:
    """Begin what the left button does with Shift: the tool, else move the camera sideways."""
    return begin_left(app, x, y) if app.tool is not None else Pan(app, x, y)


def _changed(item: Item, change: Change) -> Item:
    """Give an item as a gizmo changes it; a bulk item is only moved. May raise a HitscopeError."""
    if isinstance(item, Bulk):
        if not isinstance(change, Move):
            raise HitscopeError("many shapes in one item can be moved, but neither turned nor scaled")
        return translate_many(item, change.by)
    assert isinstance(item, Single)
    return change.apply(item)


def words_of(change: Change) -> str:
    """Say what a gizmo does."""
    if isinstance(change, Move):
        x, y, z = change.by
        return f"by {x:g}  {y:g}  {z:g}"
    if isinstance(change, Turn):
        return f"by {change.degrees:g}°"
    return "× " + "  ".join(f"{factor:g}" for factor in dict.fromkeys(change.factors))


# Where the mouse drags something to


def dragged(
    app: "App", start: Vec3, pixel: tuple[float, float], lock: Lock | None, rail: Array | None = None
) -> Vec3 | None:
    """Give where a point is dragged to: along `rail`, as the lock says, else facing the camera."""
    stage, camera = app.picture.stage, app.eye.camera
    origin, sight = camera.ray_through(*pixel, app.eye.viewport)
    eye, point = stage.inward(origin), stage.inward(np.array(start))
    axis = rail if rail is not None else None if lock is None else np.eye(3)[lock.axis]
    if axis is None or (rail is None and lock is not None and lock.plane):
        across = camera.axes[2] if axis is None else axis
        slope = float(sight @ across)
        depth = float((point - eye) @ across / slope) if slope * slope > END_ON else -1.0
        if not 0 < depth < math.inf:
            return None
        free = short(app, stage.outward(eye + depth * sight))
        return free if lock is None else _with(free, lock.axis, start[lock.axis])
    slant = float(axis @ sight)
    if 1 - slant * slant < END_ON:
        return None
    # The point of the axis that is nearest to the line of sight.
    along = float(((point - eye) @ sight * slant - (point - eye) @ axis) / (1 - slant * slant))
    to = short(app, stage.outward(point + along * axis))
    x, y, z = (new if way else old for new, old, way in zip(to, start, axis, strict=True))
    return x, y, z


def _at_distance(start: Vec3, free: Vec3, way: float, lock: Lock | None, rail: Array | None) -> Vec3 | None:
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


def _on_grid(free: Vec3, across: int, step: float) -> Vec3:
    """Give the nearest point of the grid in the plane across an axis."""
    x, y, z = (value if k == across else multiple_of(step, value) for k, value in enumerate(free))
    return x, y, z


def _on_ground(app: "App", x: float, y: float) -> Array:
    """Give the point of the ground at a pixel; where the ground is not in front, at the depth of the target."""
    stage, camera = app.picture.stage, app.eye.camera
    origin, sight = camera.ray_through(x, y, app.eye.viewport)
    eye, up = stage.inward(origin), np.array(UP_AXIS[camera.up])
    with np.errstate(all="ignore"):
        depth = float((stage.inward(np.zeros(3)) - eye) @ up / (sight @ up))
    if not 0 < depth * stage.scale < HORIZON * camera.distance:
        depth = camera.distance / stage.scale
    return stage.outward(eye + depth * sight)


def short(app: "App", point: Array) -> Vec3:
    """Give a point with no more decimals than the picture shows."""
    _, _, depth = app.eye.camera.project(point, app.eye.viewport)[0]
    pixel = 2 * app.eye.camera.slope * depth / app.eye.viewport.height
    decimals = math.ceil(-math.log10(pixel)) if 0 < pixel < math.inf else 0
    x, y, z = (round(value, decimals) + 0.0 for value in point.tolist())
    return x, y, z


def difference(p: Vec3, q: Vec3) -> Vec3:
    """Give p - q of the decimals that the file shows, rounded once."""
    x, y, z = (rounded(Fraction(repr(a)) - Fraction(repr(b))) for a, b in zip(p, q, strict=True))
    return x, y, z


def total(p: Vec3, q: Vec3) -> Vec3:
    """Give p + q of the decimals that the file shows, rounded once."""
    x, y, z = (rounded(Fraction(repr(a)) + Fraction(repr(b))) for a, b in zip(p, q, strict=True))
    return x, y, z


def _with(vector: Vec3, axis: int, value: float) -> Vec3:
    x, y, z = (value if k == axis else old for k, old in enumerate(vector))
    return x, y, z


# What there is to snap to


class _Surroundings:
    """What a drag can snap to: all that is shown when it begins, but for what it changes.

    Where that is a great deal, it is what is near the mouse.
    """

    def __init__(self, app: "App") -> None:
        self._hidden = app.hidden
        self._picture = app.picture
        self._found: tuple[tuple[float, float], Around] | None = None

    def near(self, eye: Eye, pixel: tuple[float, float], changed: Hidden) -> Around:
        """Give what may be snapped to with the mouse at a pixel, but for what is changed."""
        picture, without = self._picture, self._hidden | changed
        elements = picture.report.elements
        few = len(elements) <= MANY
        if self._found is None or (not few and math.dist(self._found[0], pixel) > NEARBY / 2 * eye.points):
            places = range(len(elements)) if few else _seen_near(picture, eye, pixel)
            near = [element for place in places if _is_kept(element := elements[place], "primitive", without)]
            near += [probe for _, probe in picture.singles if _is_kept(probe, "probe", without)]
            self._found = pixel, Around(near)
        return self._found[1]


def _is_kept(element: Element, kind: Kind, without: Hidden) -> bool:
    return not without or (kind, split(element.id)[0]) not in without


def _seen_near(picture: Picture, eye: Eye, pixel: tuple[float, float]) -> list[int]:
    """Give the frontmost elements that are seen near a pixel; planes and polyhedra, which are few, all of them."""
    bodies = picture.bodies
    boxes = box_extremes(Frames(bodies.box_origins, bodies.box_edges, bodies.box_degenerate))
    corners = bodies.triangle_vertices.min(axis=1), bodies.triangle_vertices.max(axis=1)
    lows, highs = (np.concatenate(pair) for pair in zip(boxes, corners, strict=True))
    elements = np.concatenate(
        [
            elements_at(bodies.box_elements, np.arange(len(boxes[0]))),
            elements_at(bodies.triangle_elements, np.arange(len(corners[0]))),
        ]
    )
    origin, sight = eye.camera.ray_through(*pixel, eye.viewport)
    spread = NEARBY * eye.points * 2 * eye.camera.slope / eye.viewport.height
    with np.errstate(all="ignore"):
        out = (lows + highs) / 2 - origin
        radii = np.linalg.norm(highs - lows, axis=1) / 2
        along = out @ sight
        beside = np.linalg.norm(out - along[:, None] * sight, axis=1)
        found = np.flatnonzero((along + radii > 0) & (beside <= radii + spread * (along + radii)))
    nearest = found[np.argsort(along[found] - radii[found], kind="stable")][:MANY]
    return [*elements[nearest].tolist(), *bodies.body_elements.tolist()]
