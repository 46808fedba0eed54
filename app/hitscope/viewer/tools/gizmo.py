"""The gizmos that move, rotate and scale the selected items: their parts as plain lines, and what drags change.

A gizmo has a constant size on the screen; `interface.overlay` draws it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from hitscope.draw.builder import Builder
from hitscope.draw.selection_geometry import middle_of, own_axes_of
from hitscope.draw.target import Targets
from hitscope.evaluate import Report
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.geometry.vector import vec3
from hitscope.render.view import View
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.exact_points import multiple_of
from hitscope.scene.items import Item
from hitscope.scene.transforms import rotate_all, scale_all, translate_all
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import GizmoMode, GizmoPart, Pixel

SIZE = 110.0
"""The length of an axis on the screen, in points."""
SQUARE = (0.25, 0.45)
"""The begin and the end of a plane's square along its two axes, in lengths of an axis."""
VIEW_RING = 1.2
"""The radius of the ring that faces the eye, in lengths of an axis."""
REACH, CENTER_REACH = 8.0, 10.0
"""The distances in points within which a part, and the center, is under the mouse."""
RING_SIDES = 64
END_ON = 0.15
"""The least sine of the angle to the line of sight at which an axis, a plane or a ring is offered."""
CENTER = GizmoPart("center")
"""Moves in the plane that faces the eye, or scales evenly."""
VIEW = GizmoPart("view")
"""Rotates about the line of sight."""
PARTS: dict[GizmoMode, tuple[GizmoPart, ...]] = {
    "move": (CENTER, *(GizmoPart("axis", k) for k in range(3)), *(GizmoPart("plane", k) for k in range(3))),
    "rotate": (*(GizmoPart("ring", k) for k in range(3)), VIEW),
    "scale": (CENTER, *(GizmoPart("axis", k) for k in range(3)), *(GizmoPart("plane", k) for k in range(3))),
}
"""The parts of each gizmo; of two under the mouse the center is chosen, else the nearer one, else the first."""


class Sketch(NamedTuple):
    """The drawing of a part: a polyline (n, 3) in scene units, with a `tip` at its end, or a filled polygon."""

    part: GizmoPart
    points: Array
    closed: bool = False
    filled: bool = False
    tip: Literal["arrow", "cube", ""] = ""


@dataclass(frozen=True)
class Gizmo:
    """A gizmo at a pivot; its axes are the rows of a frame: the world's, or those of the selected shape."""

    mode: GizmoMode
    pivot: Vec3
    view: View
    frame: Frame = IDENTITY

    @cached_property
    def unit(self) -> float:
        """The length of an axis, in scene units."""
        return SIZE * self.view.pixel_ratio * self.pixel_size

    @cached_property
    def pixel_size(self) -> float:
        """The height of a pixel at the pivot, in scene units; not positive behind the eye."""
        return self.view.pixel_size(self.pivot)

    @cached_property
    def sight(self) -> Array:
        """The unit vector from the eye to the pivot."""
        return np.asarray(-self.view.toward_eye(self.pivot)[0])

    @property
    def visible(self) -> bool:
        return self.pixel_size > 0

    def sketches(self) -> list[Sketch]:
        """The drawings of the parts; those seen end on, and the far half of each ring, are left out."""
        return [sketch for part in PARTS[self.mode] if (sketch := self._sketch(part)) is not None]

    def part_at(self, x: float, y: float) -> GizmoPart | None:
        if not self.visible:
            return None
        away = {sketch.part: round(_pixels_from(self.view, sketch, (x, y)), 6) for sketch in self.sketches()}
        if away.get(CENTER, math.inf) <= CENTER_REACH * self.view.pixel_ratio:
            return CENTER  # every axis begins there, and would cover it
        part = min(away, key=away.__getitem__, default=None)
        return part if part and away[part] <= REACH * self.view.pixel_ratio else None

    def locked(self, axis: int, plane: bool = False) -> GizmoPart:
        """The part that a drag uses while an axis key is pressed, with Shift that of the plane across the axis."""
        if self.mode == "rotate":
            return GizmoPart("ring", axis)
        return GizmoPart("plane" if plane else "axis", axis)

    def _sketch(self, part: GizmoPart) -> Sketch | None:
        pivot, axes = np.array(self.pivot), np.array(self.frame) * self.unit
        if part == CENTER:
            return Sketch(part, pivot[None])
        if part == VIEW:
            return Sketch(part, self._circle(self.sight, VIEW_RING * self.unit), closed=True)
        assert part.axis is not None
        facing = abs(float(self.sight @ np.array(self.frame[part.axis])))
        if part.kind == "axis":
            if facing > math.sqrt(1 - END_ON**2):
                return None
            tip: Literal["arrow", "cube"] = "arrow" if self.mode == "move" else "cube"
            return Sketch(part, np.array([pivot, pivot + axes[part.axis]]), tip=tip)
        if part.kind == "plane":
            if facing < END_ON:
                return None
            u, v = (axes[k] for k in range(3) if k != part.axis)
            near, far = SQUARE
            corners = [near * u + near * v, far * u + near * v, far * u + far * v, near * u + far * v]
            return Sketch(part, pivot + corners, closed=True, filled=True)
        ring = self._circle(np.array(self.frame[part.axis]), self.unit)
        # Its half that is in front of the pivot, as one line.
        near = (ring - pivot) @ self.sight <= 1e-9 * self.unit
        first = int(np.flatnonzero(near & ~np.roll(near, 1))[0]) if not near.all() else 0
        return Sketch(part, np.roll(ring, -first, axis=0)[np.roll(near, -first)])

    def _circle(self, normal: Array, radius: float) -> Array:
        """The corners (n, 3) of a ring about the pivot."""
        u = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
        u /= np.linalg.norm(u)
        v = np.cross(normal, u)
        angles = np.linspace(0, 2 * math.pi, RING_SIDES, endpoint=False)[:, None]
        return np.asarray(self.pivot + radius * (np.cos(angles) * u + np.sin(angles) * v))


def _pixels_from(view: View, sketch: Sketch, at: Pixel) -> float:
    """The distance in pixels from a pixel to a part, 0 inside of a filled one."""
    starts = view.project(sketch.points)[:, :2]
    ways, out = np.roll(starts, -1, axis=0) - starts, np.array(at) - starts
    if not sketch.closed and len(starts) > 1:
        ways, out = ways[:-1], out[:-1]
    if sketch.filled:
        turns = ways[:, 0] * out[:, 1] - ways[:, 1] * out[:, 0]
        if (turns >= 0).all() or (turns <= 0).all():
            return 0.0
    squared = np.einsum("ni,ni->n", ways, ways)
    parts = np.clip(np.einsum("ni,ni->n", out, ways) / np.where(squared > 0, squared, 1.0), 0, 1)
    away = np.linalg.norm(out - parts[:, None] * ways, axis=1)
    return float(np.nan_to_num(away, nan=np.inf).min())


def gizmo_of(state: State) -> Gizmo | None:
    """The gizmo of the selected items; None if none is shown."""
    session, selection, tool = state.session, state.selection, state.tool
    if tool.gizmo_mode is None or (pivot := _pivot(session.builder, session.report, selection.targets)) is None:
        return None
    axes = own_axes_of(session.report, selection.targets[-1]) if tool.own_axes else IDENTITY
    return Gizmo(tool.gizmo_mode, pivot, state.display.view, axes)


@lru_cache(maxsize=1)  # needed several times a frame
def _pivot(builder: Builder, report: Report, targets: Targets) -> Vec3 | None:
    """The middle of targets, about which they are moved, rotated and scaled."""
    return middle_of(builder.picture(report), targets, builder.extent(report))


FLAT = 0.25
"""The sine of the angle to the line of sight below which a ring is turned by a drag along its tangent."""
NEAR_PIVOT = 0.2
"""The distance from the pivot, in lengths of an axis, below which a scaling is measured from its press."""
GRAINS: dict[GizmoMode, tuple[float, float]] = {"rotate": (0.1, 15.0), "scale": (0.01, 0.1)}
"""The numbers that angles in degrees and factors are multiples of, freely and while they snap."""


class Translation(NamedTuple):
    by: Vec3

    def apply(self, items: Sequence[Item], rough: bool = False) -> list[Item]:
        return translate_all(items, self.by, rough)

    @property
    def words(self) -> str:
        x, y, z = self.by
        return f"by {x:g}  {y:g}  {z:g}"


class Rotation(NamedTuple):
    pivot: Vec3
    axis: Vec3
    degrees: float

    def apply(self, items: Sequence[Item], rough: bool = False) -> list[Item]:
        return rotate_all(items, self.pivot, self.axis, self.degrees, rough)

    @property
    def words(self) -> str:
        return f"by {self.degrees:g}°"


class Scaling(NamedTuple):
    """A scaling along the axes of a frame."""

    pivot: Vec3
    factors: Vec3
    frame: Frame

    def apply(self, items: Sequence[Item], rough: bool = False) -> list[Item]:
        return scale_all(items, self.pivot, self.factors, self.frame, rough)

    @property
    def words(self) -> str:
        even = len(set(self.factors)) == 1
        return "× " + "  ".join(f"{factor:g}" for factor in self.factors[: 1 if even else 3])


GizmoChange: TypeAlias = Translation | Rotation | Scaling
"""Applied to items, with `rough` for display only, it raises HitscopeError where one cannot be changed so."""


def gizmo_change(
    gizmo: Gizmo,
    part: GizmoPart,
    press: Pixel,
    now: Pixel,
    snap: bool = False,
    number: float | None = None,
    step: float = 1.0,
) -> GizmoChange | None:
    """The change by a drag of a part of a gizmo from one pixel to another.

    None if the drag has no defined direction or factor.
    `snap` is for multiples of `step` (of 15 degrees, of 0.1). A typed `number` replaces the mouse: as the distance
    (in a free translation, along the mouse's direction), in degrees, or as the factor.
    """
    if gizmo.mode == "move":
        return _translation(gizmo, part, press, now, snap, number, step)
    axis = -gizmo.sight if part == VIEW else np.array(gizmo.frame[part.axis or 0])
    if (value := number) is None:
        value = _angle(gizmo, axis, press, now) if gizmo.mode == "rotate" else _ratio(gizmo, part, press, now)
    if value is None or not math.isfinite(value):
        return None
    if number is None:
        value = multiple_of(GRAINS[gizmo.mode][snap], value)
    if gizmo.mode == "rotate":
        return Rotation(gizmo.pivot, vec3((axis + 0.0).tolist()), value)
    scaled = range(3) if part.axis is None else [k for k in range(3) if (k == part.axis) == (part.kind == "axis")]
    return Scaling(gizmo.pivot, vec3(value if k in scaled else 1.0 for k in range(3)), gizmo.frame)


def _translation(
    gizmo: Gizmo, part: GizmoPart, press: Pixel, now: Pixel, snap: bool, number: float | None, step: float
) -> Translation | None:
    if part.kind == "axis":
        away = (0.0, number) if number is not None else _moved_along(gizmo, part, press, now)
        amounts = np.eye(3)[part.axis or 0] * (away[1] - away[0]) if away else None
    else:
        amounts = _across_plane(gizmo, part, press, now)
        if amounts is not None and number is not None:
            size = float(np.linalg.norm(amounts))
            amounts = amounts / size * number if size else None
    if amounts is None or not np.isfinite(amounts).all():
        return None
    if number is None:
        grain = step if snap else 10.0 ** -gizmo.view.decimals(gizmo.pivot)
        amounts = np.array([multiple_of(grain, value) for value in amounts.tolist()])
    # Of the world's axes the amounts to their last bit.
    own = part != CENTER and gizmo.frame != IDENTITY
    return Translation(vec3(((amounts @ np.array(gizmo.frame) if own else amounts) + 0.0).tolist()))


def _ratio(gizmo: Gizmo, part: GizmoPart, press: Pixel, now: Pixel) -> float | None:
    """The ratio of the mouse's distances from the pivot now and at the press, along the axis or on the screen.

    For a press near the pivot, where the ratio is ill-conditioned, each length of an axis adds 1 to the factor.
    """
    if part == CENTER:
        before, after = 0.0, (now[0] - press[0] - now[1] + press[1]) * gizmo.pixel_size
    elif part.kind == "axis":
        moved = _moved_along(gizmo, part, press, now)
        if moved is None:
            return None
        before, after = moved
    else:
        center = gizmo.view.project(gizmo.pivot)[0, :2]
        before, after = (math.dist(pixel, center) * gizmo.pixel_size for pixel in (press, now))
    if abs(before) < NEAR_PIVOT * gizmo.unit:
        return 1 + (after - before) / gizmo.unit
    return after / before


def _angle(gizmo: Gizmo, axis: Array, press: Pixel, now: Pixel) -> float | None:
    """The angle in degrees of the mouse's movement about the pivot, in (-180, 180]."""
    if abs(float(axis @ gizmo.sight)) < FLAT:
        # Seen from its side, a ring is turned as its near half is pulled along.
        tangent = np.cross(gizmo.sight, axis)
        across = gizmo.view.camera.axes[:2] @ tangent
        across /= np.linalg.norm(across) or 1.0
        pixels = (now[0] - press[0]) * across[0] - (now[1] - press[1]) * across[1]
        return math.degrees(pixels / (SIZE * gizmo.view.pixel_ratio))
    a, b = _on_plane(gizmo, axis, press), _on_plane(gizmo, axis, now)
    if a is None or b is None:
        return None
    turned = math.degrees(math.atan2(float(np.cross(a, b) @ axis), float(a @ b)))
    return 180.0 if turned == -180.0 else turned


def _moved_along(gizmo: Gizmo, part: GizmoPart, press: Pixel, now: Pixel) -> tuple[float, float] | None:
    """The distances from the pivot along an axis, at the press and now; None where the axis is seen end on."""
    axis = np.array(gizmo.frame[part.axis or 0])
    a, b = (gizmo.view.ray_through(*at).nearest_on_line(gizmo.pivot, axis, END_ON) for at in (press, now))
    return None if a is None or b is None else (a, b)


def _across_plane(gizmo: Gizmo, part: GizmoPart, press: Pixel, now: Pixel) -> Array | None:
    """The translation (3,) in a plane, in amounts of the frame's axes or, facing the eye, of the world's."""
    normal = gizmo.view.camera.axes[2] if part.axis is None else np.array(gizmo.frame[part.axis])
    a, b = _on_plane(gizmo, normal, press), _on_plane(gizmo, normal, now)
    if a is None or b is None:
        return None
    if part.axis is None:
        return np.asarray(b - a)
    amounts = np.array(gizmo.frame) @ (b - a)
    amounts[part.axis] = 0.0
    return np.asarray(amounts)


def _on_plane(gizmo: Gizmo, normal: Array, pixel: Pixel) -> Array | None:
    """The vector (3,) from the pivot to the mouse, in a plane through the pivot; None beyond the horizon."""
    ray = gizmo.view.ray_through(*pixel)
    depth = ray.depth_on_plane(gizmo.pivot, normal)
    return None if depth is None else np.asarray(ray.origin - gizmo.pivot + depth * ray.direction)
