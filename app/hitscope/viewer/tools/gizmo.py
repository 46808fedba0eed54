"""The gizmos that move, turn and scale what is selected: their parts, which part a pixel is on, what a drag means.

A gizmo has a constant size on the screen. It says what is to be drawn as plain lines; it draws nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from hitscope.draw.builder import Builder
from hitscope.draw.items import Array
from hitscope.draw.target import Targets
from hitscope.evaluate import Report
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.render.view import View
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.items import Item
from hitscope.scene.transforms import rotate_all, scale_all, translate_all
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.selection_geometry import middle_of, own_axes_of
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.tool import GizmoMode, GizmoPart, Tool

Pixel: TypeAlias = tuple[float, float]

SIZE = 90.0
"""The length of an axis on the screen, in points."""
SQUARE = (0.25, 0.45)
"""Where a plane's square begins and ends along its two axes, in lengths of an axis."""
VIEW_RING = 1.2
"""The radius of the ring that faces the eye, in lengths of an axis."""
REACH = 8.0
"""Points within which a part is under the mouse."""
CENTER_REACH = 10.0
RING_SIDES = 64
END_ON = 0.15
"""An axis is not offered where it is seen at less than this sine, nor a plane or ring where it is seen so flat."""
FLAT = 0.25
"""A ring seen flatter than this is turned by a drag along its tangent."""
NEAR_PIVOT = 0.2
"""A scaling that begins nearer to the pivot than this, in lengths of an axis, is measured from where it begins."""
SNAP_DEG = 15.0
SNAP_FACTOR = 0.1
ANGLE_DECIMALS, FACTOR_DECIMALS = 1, 2
"""What a drag is rounded to where nothing snaps."""


CENTER = GizmoPart("center")
"""Moves in the plane that faces the eye, or scales evenly."""
VIEW = GizmoPart("view")
"""Turns about the line of sight."""
PARTS: dict[GizmoMode, tuple[GizmoPart, ...]] = {
    "move": (CENTER, *(GizmoPart("axis", k) for k in range(3)), *(GizmoPart("plane", k) for k in range(3))),
    "rotate": (*(GizmoPart("ring", k) for k in range(3)), VIEW),
    "scale": (CENTER, *(GizmoPart("axis", k) for k in range(3)), *(GizmoPart("plane", k) for k in range(3))),
}
"""The parts of each gizmo; of two under the mouse the middle counts, else the nearer one, else the first."""


class Sketch(NamedTuple):
    """A part to be drawn: a polyline (n, 3) in scene units, closed or not, a filled polygon where it says so.

    `tip` is how its last point ends: an arrow, a cube, or nothing.
    """

    part: GizmoPart
    points: Array
    closed: bool = False
    filled: bool = False
    tip: Literal["arrow", "cube", ""] = ""


@dataclass(frozen=True)
class Move:
    """A translation."""

    by: Vec3

    def apply(self, items: Sequence[Item], rough: bool = False) -> list[Item]:
        """Give the moved items, `rough` ones to be seen only; may raise a Fault."""
        return translate_all(items, self.by, rough)


@dataclass(frozen=True)
class Turn:
    """A rotation."""

    pivot: Vec3
    axis: Vec3
    degrees: float

    def apply(self, items: Sequence[Item], rough: bool = False) -> list[Item]:
        """Give the turned items, `rough` ones to be seen only; may raise a Fault."""
        return rotate_all(items, self.pivot, self.axis, self.degrees, rough)


@dataclass(frozen=True)
class Stretch:
    """A scaling along the axes of a frame."""

    pivot: Vec3
    factors: Vec3
    frame: Frame

    def apply(self, items: Sequence[Item], rough: bool = False) -> list[Item]:
        """Give the scaled items, `rough` ones to be seen only; may raise a Fault."""
        return scale_all(items, self.pivot, self.factors, self.frame, rough)


Change: TypeAlias = Move | Turn | Stretch
"""What a drag of a gizmo does to each selected item."""


@dataclass(frozen=True)
class Gizmo:
    """A gizmo at a pivot, its axes the rows of a frame: the world's, or those of what is selected."""

    mode: GizmoMode
    pivot: Vec3
    view: View
    frame: Frame = IDENTITY

    @cached_property
    def unit(self) -> float:
        """The length of an axis, in scene units."""
        return SIZE * self.view.pixel_ratio * self._pixel

    @cached_property
    def _pixel(self) -> float:
        return self.view.pixel_size(self.pivot)

    @cached_property
    def _sight(self) -> Array:
        """The unit vector from the eye to the pivot."""
        return np.asarray(-self.view.toward_eye(self.pivot)[0])

    @property
    def visible(self) -> bool:
        """Whether the pivot is in front of the eye."""
        return self._pixel > 0

    def sketches(self) -> list[Sketch]:
        """Give what is to be drawn; parts seen end on are left out, and the far half of each ring."""
        return [sketch for part in PARTS[self.mode] if (sketch := self._sketch(part)) is not None]

    def part_at(self, x: float, y: float) -> GizmoPart | None:
        """Give the part under a pixel."""
        if not self.visible:
            return None
        found: list[tuple[float, int, GizmoPart]] = []
        for place, sketch in enumerate(self.sketches()):
            seen = self.view.project(sketch.points)[:, :2]
            away = _pixels_from(seen, np.array([x, y]), sketch.closed, sketch.filled) / self.view.pixel_ratio
            if sketch.part == CENTER and away <= CENTER_REACH:
                return CENTER  # every axis begins there, and none would leave anything of it
            if away <= REACH:
                found.append((away, place, sketch.part))
        return min(found)[2] if found else None

    def locked(self, axis: int, plane: bool = False) -> GizmoPart:
        """Give the part that a drag goes on with when an axis key is held, with Shift the plane across it."""
        if self.mode == "rotate":
            return GizmoPart("ring", axis)
        return GizmoPart("plane" if plane else "axis", axis)

    def drag(
        self,
        part: GizmoPart,
        press: Pixel,
        now: Pixel,
        snap: bool = False,
        number: float | None = None,
        step: float = 1.0,
    ) -> Change | None:
        """Give what a drag of a part from one pixel to another does; None where that cannot be told.

        `snap` is for multiples of `step` (of 15 degrees, of 0.1). A number that was typed counts in place of the
        mouse: as the distance (along the way of the mouse, where that is free), in degrees, or as the factor.
        """
        if self.mode == "move":
            return self._moved(part, press, now, snap, number, step)
        if self.mode == "rotate":
            return self._turned(part, press, now, snap, number)
        return self._scaled(part, press, now, snap, number)

    # What a drag means

    def _moved(
        self,
        part: GizmoPart,
        press: Pixel,
        now: Pixel,
        snap: bool,
        number: float | None,
        step: float,
    ) -> Move | None:
        if part.kind == "axis":
            amounts = self._along(part, press, now)
            if number is not None:
                amounts = np.eye(3)[part.axis or 0] * number
        else:
            amounts = self._across(part, press, now)
            size = 0.0 if amounts is None else float(np.linalg.norm(amounts))
            if number is not None:
                amounts = amounts / size * number if amounts is not None and size else None
        if amounts is None or not np.isfinite(amounts).all():
            return None
        if number is None:
            grain = step if snap else 10.0 ** -self.view.decimals(self.pivot)
            amounts = np.array([_rounded(float(value), grain) for value in amounts])
        frame = self.frame if part != CENTER else IDENTITY
        return Move(_vec3(_combined(amounts, frame)))

    def _turned(self, part: GizmoPart, press: Pixel, now: Pixel, snap: bool, number: float | None) -> Turn | None:
        axis = -self._sight if part == VIEW else np.array(self.frame[part.axis or 0])
        degrees = number if number is not None else self._angle(axis, press, now)
        if degrees is None or not math.isfinite(degrees):
            return None
        if number is None:
            degrees = _rounded(degrees, SNAP_DEG if snap else 10.0**-ANGLE_DECIMALS)
        return Turn(self.pivot, _vec3(axis), degrees)

    def _scaled(
        self, part: GizmoPart, press: Pixel, now: Pixel, snap: bool, number: float | None
    ) -> Stretch | None:
        factor = number if number is not None else self._ratio(part, press, now)
        if factor is None or not math.isfinite(factor):
            return None
        if number is None:
            factor = _rounded(factor, SNAP_FACTOR if snap else 10.0**-FACTOR_DECIMALS)
        scaled = (
            range(3) if part.axis is None else [k for k in range(3) if (k == part.axis) == (part.kind == "axis")]
        )
        x, y, z = (factor if k in scaled else 1.0 for k in range(3))
        return Stretch(self.pivot, (x, y, z), self.frame)

    def _ratio(self, part: GizmoPart, press: Pixel, now: Pixel) -> float | None:
        """Give how many times as far from the pivot the mouse is, along the axis or on the screen.

        From near the pivot, where there is no ratio, the way of an axis's length is one more time the size.
        """
        if part == CENTER:
            before, after = 0.0, (now[0] - press[0] - now[1] + press[1]) * self._pixel
        elif part.kind == "axis":
            axis = np.array(self.frame[part.axis or 0])
            a, b = self._on_line(axis, press), self._on_line(axis, now)
            if a is None or b is None:
                return None
            before, after = a, b
        else:
            center = self.view.project(self.pivot)[0, :2]
            before, after = (math.dist(pixel, center) * self._pixel for pixel in (press, now))
        if abs(before) < NEAR_PIVOT * self.unit:
            return 1 + (after - before) / self.unit
        return after / before

    def _angle(self, axis: Array, press: Pixel, now: Pixel) -> float | None:
        """Give the angle in degrees that the mouse goes about the pivot, in (-180, 180]."""
        if abs(float(axis @ self._sight)) < FLAT:
            # Seen from its side, a ring is turned as its near half is pulled along.
            tangent = np.cross(self._sight, axis)
            across = self.view.camera.axes[:2] @ tangent
            across /= np.linalg.norm(across) or 1.0
            pixels = (now[0] - press[0]) * across[0] - (now[1] - press[1]) * across[1]
            return math.degrees(pixels / (SIZE * self.view.pixel_ratio))
        a, b = self._on_plane(axis, press), self._on_plane(axis, now)
        if a is None or b is None:
            return None
        turned = math.degrees(math.atan2(float(np.cross(a, b) @ axis), float(a @ b)))
        return 180.0 if turned == -180.0 else turned

    def _along(self, part: GizmoPart, press: Pixel, now: Pixel) -> Array | None:
        """Give the way along one axis, as amounts of the frame's."""
        axis = np.array(self.frame[part.axis or 0])
        a, b = self._on_line(axis, press), self._on_line(axis, now)
        return None if a is None or b is None else np.eye(3)[part.axis or 0] * (b - a)

    def _across(self, part: GizmoPart, press: Pixel, now: Pixel) -> Array | None:
        """Give the way in a plane, as amounts of the frame's axes; facing the eye, of the world's."""
        normal = self.view.camera.axes[2] if part.axis is None else np.array(self.frame[part.axis])
        a, b = self._on_plane(normal, press), self._on_plane(normal, now)
        if a is None or b is None:
            return None
        way: Array = b - a
        if part.axis is None:
            return way
        amounts = np.array(self.frame) @ way
        amounts[part.axis] = 0.0
        return amounts

    def _on_line(self, axis: Array, pixel: Pixel) -> float | None:
        """Give where on the line of an axis the mouse is, from the pivot; None where it is seen end on."""
        return self.view.ray_through(*pixel).nearest_on_line(self.pivot, axis, END_ON)

    def _on_plane(self, normal: Array, pixel: Pixel) -> Array | None:
        """Give where in a plane through the pivot the mouse is, from the pivot; None beyond the horizon."""
        ray = self.view.ray_through(*pixel)
        depth = ray.depth_on_plane(self.pivot, normal)
        return None if depth is None else np.asarray(ray.origin - self.pivot + depth * ray.direction)

    # How the parts look

    def _sketch(self, part: GizmoPart) -> Sketch | None:
        pivot, axes = np.array(self.pivot), np.array(self.frame) * self.unit
        if part == CENTER:
            return Sketch(part, pivot[None])
        if part == VIEW:
            return Sketch(part, self._circle(self._sight, VIEW_RING * self.unit), closed=True)
        assert part.axis is not None
        facing = abs(float(self._sight @ np.array(self.frame[part.axis])))
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
        return Sketch(part, self._near_half(self._circle(np.array(self.frame[part.axis]), self.unit)))

    def _circle(self, normal: Array, radius: float) -> Array:
        """Give the corners (n, 3) of a ring about the pivot."""
        u = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
        u /= np.linalg.norm(u)
        v = np.cross(normal, u)
        angles = np.linspace(0, 2 * math.pi, RING_SIDES, endpoint=False)[:, None]
        return np.asarray(self.pivot + radius * (np.cos(angles) * u + np.sin(angles) * v))

    def _near_half(self, ring: Array) -> Array:
        """Give the half of a ring that is in front of the pivot, as one line."""
        near = (ring - self.pivot) @ self._sight <= 1e-9 * self.unit
        first = int(np.flatnonzero(near & ~np.roll(near, 1))[0]) if not near.all() else 0
        turned = np.roll(near, -first)
        return np.asarray(np.roll(ring, -first, axis=0)[turned])


def _pixels_from(seen: Array, at: Array, closed: bool, filled: bool) -> float:
    """Give how far a pixel is from a polyline (n, 2), 0 inside of a filled one."""
    starts, ends = seen, np.roll(seen, -1, axis=0)
    if not closed and len(seen) > 1:
        starts, ends = starts[:-1], ends[:-1]
    ways, out = ends - starts, at - starts
    if filled:
        turns = ways[:, 0] * out[:, 1] - ways[:, 1] * out[:, 0]
        if (turns >= 0).all() or (turns <= 0).all():
            return 0.0
    squared = np.einsum("ni,ni->n", ways, ways)
    parts = np.clip(np.einsum("ni,ni->n", out, ways) / np.where(squared > 0, squared, 1.0), 0, 1)
    away = np.linalg.norm(out - parts[:, None] * ways, axis=1)
    return float(np.nan_to_num(away, nan=np.inf).min())


def _combined(amounts: Array, frame: Frame) -> Array:
    """Give the sum of amounts of a frame's axes; of the world's, the amounts to their last bit."""
    return amounts if frame == IDENTITY else amounts @ np.array(frame)


def _rounded(value: float, grain: float) -> float:
    """Give the nearest multiple of a step, as the decimal that is written for it."""
    return float(round(round(value / grain) * grain, 12)) + 0.0


def _vec3(values: Array) -> Vec3:
    x, y, z = (values + 0.0).tolist()
    return x, y, z


def gizmo_of(session: Session, selection: Selection, display: Display, tool: Tool) -> Gizmo | None:
    """The gizmo that moves, turns or scales what is selected, where one is shown."""
    if tool.gizmo_mode is None:
        return None
    pivot = _pivot(session.builder, session.report, selection.targets)
    if pivot is None:
        return None
    axes = own_axes_of(session.report, selection.targets[-1]) if tool.own_axes else IDENTITY
    return Gizmo(tool.gizmo_mode, pivot, display.view, axes)


@lru_cache(maxsize=1)  # asked for several times a frame
def _pivot(builder: Builder, report: Report, targets: Targets) -> Vec3 | None:
    """Give the middle of targets, about which they are moved, turned and scaled."""
    return middle_of(builder.picture(report), targets, builder.extent(report))
