"""The gizmos that move, rotate and scale the selected items: their parts as plain lines, and the part at a pixel.

A gizmo has a constant size on the screen; `interface.overlay` draws it.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np

from hitscope.draw.builder import Builder
from hitscope.draw.selection_geometry import middle_of, own_axes_of
from hitscope.draw.target import Targets
from hitscope.evaluate import Report
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.render.view import View
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import GizmoMode, GizmoPart

SIZE = 110.0
"""The length of an axis on the screen, in points."""
SQUARE = (0.25, 0.45)
"""The begin and the end of a plane's square along its two axes, in lengths of an axis."""
VIEW_RING = 1.2
"""The radius of the ring that faces the eye, in lengths of an axis."""
REACH = 8.0
"""The distance in points within which a part is under the mouse."""
CENTER_REACH = 10.0
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
    """The drawing of a part: a polyline (n, 3) in scene units, closed or not, or a filled polygon.

    `tip` is the shape of its last point: an arrow, a cube, or nothing.
    """

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
        found: list[tuple[float, int, GizmoPart]] = []
        for order, sketch in enumerate(self.sketches()):
            projected = self.view.project(sketch.points)[:, :2]
            away = _pixels_from(projected, np.array([x, y]), sketch.closed, sketch.filled) / self.view.pixel_ratio
            if sketch.part == CENTER and away <= CENTER_REACH:
                return CENTER  # every axis begins there, and would cover it
            if away <= REACH:
                found.append((away, order, sketch.part))
        return min(found)[2] if found else None

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
        return Sketch(part, self._near_half(self._circle(np.array(self.frame[part.axis]), self.unit)))

    def _circle(self, normal: Array, radius: float) -> Array:
        """The corners (n, 3) of a ring about the pivot."""
        u = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
        u /= np.linalg.norm(u)
        v = np.cross(normal, u)
        angles = np.linspace(0, 2 * math.pi, RING_SIDES, endpoint=False)[:, None]
        return np.asarray(self.pivot + radius * (np.cos(angles) * u + np.sin(angles) * v))

    def _near_half(self, ring: Array) -> Array:
        """The half of a ring (n, 3) that is in front of the pivot, as one line."""
        near = (ring - self.pivot) @ self.sight <= 1e-9 * self.unit
        first = int(np.flatnonzero(near & ~np.roll(near, 1))[0]) if not near.all() else 0
        turned = np.roll(near, -first)
        return np.asarray(np.roll(ring, -first, axis=0)[turned])


def _pixels_from(projected: Array, at: Array, closed: bool, filled: bool) -> float:
    """The distance in pixels from a pixel (2,) to a polyline (n, 2), 0 inside of a filled one."""
    starts, ends = projected, np.roll(projected, -1, axis=0)
    if not closed and len(projected) > 1:
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


def gizmo_of(state: State) -> Gizmo | None:
    """The gizmo of the selected items; None if none is shown."""
    session, selection, tool = state.session, state.selection, state.tool
    if tool.gizmo_mode is None:
        return None
    pivot = _pivot(session.builder, session.report, selection.targets)
    if pivot is None:
        return None
    axes = own_axes_of(session.report, selection.targets[-1]) if tool.own_axes else IDENTITY
    return Gizmo(tool.gizmo_mode, pivot, state.display.view, axes)


@lru_cache(maxsize=1)  # needed several times a frame
def _pivot(builder: Builder, report: Report, targets: Targets) -> Vec3 | None:
    """The middle of targets, about which they are moved, rotated and scaled."""
    return middle_of(builder.picture(report), targets, builder.extent(report))
