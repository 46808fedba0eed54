"""Drawing a new shape: a drag from its start to its end, or a click, on the surfaces under the mouse."""

import math
from fractions import Fraction

import numpy as np

from hitscope.draw.handle_targets import HANDLES, HandleTarget, handle_target
from hitscope.draw.target import Target
from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.features.shape_features import direction, features
from hitscope.geometry.kinds import KINDS, innermost, word_of
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.scene.edits import add_items, ids_of
from hitscope.scene.exact_points import primitive
from hitscope.scene.items import PointProbe, Single
from hitscope.scene.model import PRIMITIVES, STRUCTS
from hitscope.viewer.state.messages import hints
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import ArmedShape, Pixel
from hitscope.viewer.tools.drags.drag_points import dragged_point, grid_step, point_at_distance, point_on_plane
from hitscope.viewer.tools.drags.edit_drag import EditDrag, parse_number
from hitscope.viewer.tools.drags.new_shapes import NEW_SHAPES, Fields, ShapeStart, point_in_plane
from hitscope.viewer.tools.picking.pick import CLICK_REACH
from hitscope.viewer.tools.picking.surfaces import pickable_of, surface_at
from hitscope.viewer.tools.snapping.features import outward
from hitscope.viewer.tools.snapping.search import SURFACE, Snap, SnapCandidates, SnapQuery
from hitscope.viewer.tools.snapping.snap import snap

HORIZON = 10.0
"""The largest distance of a point drawn on the grid, in the camera's distances to its target."""


class NewShapeDrag(EditDrag):
    """Draws a new probe or primitive.

    It starts on the surface of the primitive under the mouse, else on the grid: the ground, or upright in a view
    straight along an axis. Where the nearest shape does not reach the grid, it starts as high as its middle.
    A line or point ends on the surface under the mouse too, else in the plane of the grid or face where it began;
    the others keep to that plane. Where there is none, in the sky, it is the plane that faces the camera. A click
    places one of a default size there. Shift keeps the tool for the next one.
    """

    def __init__(self, state: State, armed: ArmedShape, x: float, y: float, previews: bool = True) -> None:
        """Begin at a pixel; unless it `previews`, only to know where the shape would start."""
        super().__init__(state, x, y)
        self._armed, self._drawn = armed, NEW_SHAPES[armed.kind]
        self._dimension = KINDS[innermost(armed.kind)].dimension
        self.name = f"draw {armed.with_article}"
        self._before = state.selection.targets, state.selection.pairing
        with np.errstate(all="ignore"):
            self.start, self._normal = self._begun(x, y)
        if previews and not self._dimension:  # a point has no end besides its start
            self._preview(self._make(self.start))

    def _begun(self, x: float, y: float) -> tuple[Vec3, Vector | None]:
        """The start of the shape, and the normal of the surface that it starts on."""
        view, normal = self._display.view, None
        sight = view.ray_through(x, y).direction
        if (on := self._snap_to_face(_point_target((0.0, 0.0, 0.0)), x, y)) is not None:
            start, normal = on.point, self._normal_of(on)
            if np.dot(direction(normal), sight) > 0:
                normal = vec3(-value for value in normal)
        elif on_grid := self._on_grid(self._height(x, y), (x, y)) or self._on_grid(0.0, (x, y)):
            start, normal = on_grid, self._grid_normal
        else:
            start = view.rounded(np.nan_to_num(view.beside_target(x, y)))
        if self._drawn.is_axis_aligned:
            # The coordinate axis nearest to it.
            toward = np.array(sight) if normal is None else direction(normal)
            k = int(np.abs(toward).argmax())
            normal = vec3(int(math.copysign(i == k, toward[k])) for i in range(3))
        found = self.snap(_point_target(start), (x, y), start)
        return (found.point if found else start), normal

    def _height(self, x: float, y: float) -> float:
        """The height over the grid of the middle of the shape nearest to a pixel; 0 if that reaches the grid."""
        if len(self._session.report.elements) > self._state.limits.snap_targets:
            return 0.0
        _, lows, highs = self._session.picture.arrays.bounds
        away = self._display.view.pixels_from(lows / 2 + highs / 2, x, y)
        if not np.isfinite(away).any():
            return 0.0
        axis, k = self._display.view.camera.grid_axis, int(away.argmin())
        low, high = lows[k, axis], highs[k, axis]
        return 0.0 if low <= 0 <= high else round(float(low / 2 + high / 2), self._grid_decimals)

    @property
    def _grid_decimals(self) -> int:
        """The decimals of tenths of the grid's step: round numbers, close to the mouse."""
        return 1 - round(math.log10(grid_step(self._display.view.camera)))

    def follow(self, x: float, y: float) -> None:
        """Move the shape's end to the mouse."""
        free = end = dragged_point(self._display.view, self._session.picture.stage, self.start, (x, y), self.lock)
        if self._normal is not None and self.lock is None:
            end = self._on_plane(self.start, self._normal, (x, y))
            free = end or free  # beyond the horizon, there may be something to end on
        side, found = parse_number(self.typed), None
        if side is not None:
            if end is not None and not self._drawn.is_axis_aligned:
                end = point_at_distance(self.start, end, side, self.lock)
        elif free is not None:
            target_of = self._drawn.end_target
            target = target_of(self._make(free)) if target_of else _point_target(self.start)
            found = self.snap(target, (x, y), free)
            if found is None and self.lock is None and self._dimension < 2:
                found = self._snap_to_face(target, x, y)
        if found is not None and self._drawn.end_target:
            shape = found.item
        elif (point := found.point if found else self._without_sliver(end)) is not None:
            shape = self._make(point, side)
        else:
            return  # beyond the horizon it stays as it was
        self.amount, self.path = self._drawn.texts(shape)
        self._preview(shape)

    def _make(self, end: Vec3, side: float | None = None) -> Single:
        return self._item(self._drawn.make(self._shape_start, end, side))

    def _item(self, fields: Fields) -> Single:
        item = STRUCTS[self._armed.role][word_of(innermost(self._armed.kind))](**fields)
        assert isinstance(item, Single)
        return item

    @property
    def _shape_start(self) -> ShapeStart:
        return ShapeStart(self.start, self._normal, self._display.view)

    def _without_sliver(self, end: Vec3 | None) -> Vec3 | None:
        """The box's end, with sides shorter than a click's reach flattened to zero."""
        if end is None or not self._drawn.is_axis_aligned:
            return end
        sides = np.diag(np.subtract(end, self.start))
        projected = self._display.view.project([self.start, *(self.start + sides)])[:, :2]
        slivers = np.linalg.norm(projected[1:] - projected[0], axis=1) < CLICK_REACH * self._display.pixel_ratio
        return vec3(p if sliver else q for p, q, sliver in zip(self.start, end, slivers, strict=True))

    def _preview(self, shape: Single) -> None:
        role = self._armed.role
        self._session.preview(add_items(self._session.document.scene, role, [shape]))
        if (drawn := Target(role, ids_of(self._session.scene, role)[-1])) != self._selection.last:
            self._selection.select(drawn)

    def cancel(self) -> None:
        super().cancel()
        self._selection.targets, self._selection.pairing = self._before

    def release(self) -> None:
        """Keep the shape and select it; a click places one of a default size."""
        if not self.moving and self._dimension:
            with np.errstate(all="ignore"):
                self._preview(self._item(self._drawn.place(self._drawn.make, self._shape_start)))
        if not self._session.commit(self.name):
            return
        if "Shift" not in self._tool.modifiers:
            self._tool.armed = None
        if HANDLES[self._armed.kind] is None:
            self._tool.gizmo_mode = "move"
        if self._armed.role == "probe" and self._armed.word in PRIMITIVES:
            exchange = self._state.commands.phrase("exchange", "makes it a primitive")
            self._messages.notice = hints(f"{self._session.scene.probe_ids[-1]} is a probe", exchange)

    def _snap_to_face(self, target: HandleTarget, x: float, y: float) -> Snap | None:
        """Put a handle on the face of the primitive in front at a pixel, so that it touches it."""
        surface, elements = surface_at(pickable_of(self._state), x, y), self._session.report.elements
        index = None if surface is None else elements.find_index(surface.target.id)
        if index is None:
            return None
        query = SnapQuery(self._display.view, target, (x, y), target.point)
        if found := snap(query, SnapCandidates([elements[index]]), frozenset({"face"})):
            self.note = f"on {found.words}"
        return found

    def _normal_of(self, on: Snap) -> Vector:
        """The normal of the face or round surface that a snap put a handle on."""
        _, name, face = on.key
        elements = self._session.report.elements
        shape = elements[elements.index_of(name)].shape
        if face == SURFACE:
            return primitive(outward(shape, on.point))
        return next(found.normal for found in features(shape).faces if found.name == face)

    @property
    def _grid_normal(self) -> Vector:
        return vec3(int(k == self._display.view.camera.grid_axis) for k in range(3))

    def _on_grid(self, height: float, pixel: Pixel) -> Vec3 | None:
        return self._on_plane(vec3(height * n for n in self._grid_normal), self._grid_normal, pixel)

    def _on_plane(self, start: Vec3, normal: Vector, pixel: Pixel) -> Vec3 | None:
        """The point at a pixel of a plane through a start, with few decimals; None beyond the horizon."""
        view = self._display.view
        near = point_on_plane(view, self._session.picture.stage, start, direction(normal), pixel)
        distance, target = view.camera.distance, np.array(view.camera.target)
        with np.errstate(all="ignore"):
            if near is None or not np.linalg.norm(near / distance - target / distance) < HORIZON:
                return None
        decimals = view.decimals(near)
        if normal == self._grid_normal:
            decimals = min(decimals, self._grid_decimals)
        return point_in_plane(normal, [Fraction(p) for p in start], near, decimals)


def _point_target(point: Vec3) -> HandleTarget:
    """A point as a handle, of a shape that does not exist yet."""
    return handle_target(PointProbe(position=point), 0)
