"""The slabs of a box as intervals of t: where a linear probe is between each pair of opposite faces."""

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hitscope.geometry import exact, ieee
from hitscope.geometry.exact import Bound
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.polyhedron import polygons_of
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Ray,
    Segment,
    Vec3,
    linear,
    replaced_numbers,
)
from hitscope.geometry.vector import cross, dot, subtract

BoxShape: TypeAlias = Aabb | Obb | Parallelepiped


class SlabRow(NamedTuple):
    """The part of a linear probe in one slab, as a plain slab test computes it, and the faces that bound it."""

    axis: str
    """The name of the box's axis: x, y, z, or the number of a parallelepiped's edge."""
    near: float
    """The lesser t of the two faces; infinite where the probe is parallel to them, NaN where it lies in one."""
    far: float
    parallel: str
    """"between", "outside" or "in a face" for a probe that is parallel to the faces; else empty."""
    face_names: tuple[str, str]
    """The faces at the near and at the far t."""
    faces: tuple[tuple[Vec3, ...], tuple[Vec3, ...]]
    """Their corners, in order."""
    points: tuple[Vec3 | None, Vec3 | None]
    """The points of the probe's line at the near and the far t; None where there is none."""
    t_enter: float
    """The entry into all slabs so far, and into the probe's own range."""
    t_exit: float

    @property
    def is_empty(self) -> bool:
        """Whether the slabs so far leave nothing of the probe."""
        return self.t_enter > self.t_exit


class SlabChart(NamedTuple):
    """The three slabs of a box, and what they have in common."""

    rows: tuple[SlabRow, SlabRow, SlabRow]
    t_min: float
    """The probe's own range of t."""
    t_max: float
    empty_at: int | None
    """The index of the first slab that leaves nothing; None of a hit."""
    entry: int | None
    """The index of the slab that sets the entry, of a miss until nothing is left; None of the probe's start."""
    exit: int | None
    exact_enter: Bound
    """The entry and the exit without rounding; the entry of a miss is after the exit."""
    exact_exit: Bound

    @property
    def last(self) -> SlabRow:
        """The slab after which a slab test ends."""
        return self.rows[2 if self.empty_at is None else self.empty_at]

    @property
    def hit(self) -> bool:
        """The verdict of the plain slab test, which rounding or a NaN may make wrong."""
        return self.empty_at is None


def slab_chart(probe: Segment | Ray | Line, box: BoxShape, number: type = float) -> SlabChart | None:
    """Return the slabs of a box along a linear probe, computed in `number`; None of a box without volume.

    An aabb, and an obb in the frame of its axes, are measured as they are, a parallelepiped in its edges.
    """
    unrounded = exact.box_ranges(probe, box)
    if unrounded is None:
        return None
    line = linear(probe)
    enter, leave = float(line.t_min), float(line.t_max)
    rows: list[SlabRow] = []
    entry = leaving = empty_at = None
    faces = polygons_of(box)
    with np.errstate(all="ignore"):
        measured = list(_measured(replaced_numbers(probe, number), replaced_numbers(box, number)))
        for i, (lo, hi, start, speed) in enumerate(measured):
            t_low, t_high = ieee.divide(lo - start, speed), ieee.divide(hi - start, speed)
            turned = bool(t_low > t_high)
            near, far = (float(t_high), float(t_low)) if turned else (float(t_low), float(t_high))
            is_open = empty_at is None
            if near > enter:
                enter, entry = near, i if is_open else entry
            if far < leave:
                leave, leaving = far, i if is_open else leaving
            if is_open and enter > leave:
                empty_at = i
            axis, first, second = KINDS[type(box)].axis_names[i], int(turned), int(not turned)
            rows.append(
                SlabRow(
                    axis,
                    near,
                    far,
                    _parallel(lo, hi, start) if speed == 0 else "",
                    (f"face {'-+'[first]}{axis}", f"face {'-+'[second]}{axis}"),
                    (faces[2 * i + first], faces[2 * i + second]),
                    (_at(line, near), _at(line, far)),
                    enter,
                    leave,
                )
            )
    x, y, z = rows
    exact_line = exact.linear_probe(probe)
    return SlabChart(
        (x, y, z),
        float(line.t_min),
        float(line.t_max),
        empty_at,
        entry,
        leaving,
        max(exact_line.t_min, *(near for near, _ in unrounded)),
        min(exact_line.t_max, *(far for _, far in unrounded)),
    )


Measured: TypeAlias = Iterator[tuple[Any, Any, Any, Any]]
"""The bounds of each slab, and the probe's origin and direction across it, in the same unit."""


def _of_aabb(box: Aabb, origin: Vec3, direction: Vec3) -> Measured:
    yield from zip(box.lo, box.hi, origin, direction, strict=True)


def _of_obb(box: Obb, origin: Vec3, direction: Vec3) -> Measured:
    from_center = subtract(origin, box.center)
    for axis, extent in zip(box.axes, box.half_extents, strict=True):
        yield -extent, extent, dot(axis, from_center), dot(axis, direction)


def _of_parallelepiped(box: Parallelepiped, origin: Vec3, direction: Vec3) -> Measured:
    from_corner = subtract(origin, box.origin)
    for i in range(3):
        normal = cross(box.edges[(i + 1) % 3], box.edges[(i + 2) % 3])
        volume = dot(normal, box.edges[i])
        zero, one = type(volume)(0), type(volume)(1)
        start = ieee.divide(dot(normal, from_corner), volume)
        yield zero, one, start, ieee.divide(dot(normal, direction), volume)


MEASURES: dict[type, Callable[[Any, Vec3, Vec3], Measured]] = {
    Aabb: _of_aabb,
    Obb: _of_obb,
    Parallelepiped: _of_parallelepiped,
}
"""How the slabs of each type of box are measured along a probe."""


def _measured(probe: Any, box: Any) -> Measured:
    origin, direction, *_ = linear(probe)
    return MEASURES[type(box)](box, origin, direction)


def _parallel(lo: float, hi: float, start: float) -> str:
    if start in (lo, hi):
        return "in a face"
    return "between" if lo < start < hi else "outside"


def _at(line: Any, t: float) -> Vec3 | None:
    """Return the point at t; None where it is beyond float64."""
    x, y, z = (float(o) + t * float(d) for o, d in zip(line.origin, line.direction, strict=True))
    return (x, y, z) if isfinite(x) and isfinite(y) and isfinite(z) else None
