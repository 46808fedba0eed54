"""What dragging a handle does to a probe; the handles are those of `draw.probes.handle_points`, in that order.

The start handle of a ray or line moves it as a whole; its tip, at origin + direction, turns it about its origin.
The middle of a box's face moves that face alone. A probe keeps the form in which the file gives it.
"""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.draw.extent import LARGEST
from hitscope.draw.items import Array
from hitscope.draw.probes import handle_points
from hitscope.geometry.shapes import Vec3
from hitscope.scene.model import (
    AabbProbe,
    LineProbe,
    ObbProbe,
    ParallelepipedProbe,
    PointProbe,
    RayProbe,
    SegmentProbe,
    SingleProbe,
    TriangleProbe,
)

SAFE_DIGITS = 15
"""So many significant digits survive float64."""


def rail(probe: SingleProbe, handle: int) -> Array | None:
    """Give the unit direction (3,) that a handle is bound to: a face moves along its normal. Else None."""
    if handle == 0 or not isinstance(probe, AabbProbe | ObbProbe):
        return None
    axis: Array = _axes(probe)[(handle - 1) // 2]
    return axis if handle % 2 == 0 else -axis


def moved(probe: SingleProbe, handle: int, to: Vec3) -> SingleProbe:
    """Give the probe with one of its handles at another place."""
    match probe:
        case PointProbe():
            return replace(probe, position=to)
        case SegmentProbe():
            return replace(probe, start=to) if handle == 0 else replace(probe, end=to)
        case RayProbe() | LineProbe() | ParallelepipedProbe() if handle == 0:
            return replace(probe, origin=to)
        case RayProbe() | LineProbe():
            return replace(probe, direction=_difference(to, probe.origin))
        case TriangleProbe():
            a, b, c = (to if i == handle else vertex for i, vertex in enumerate(probe.vertices))
            return replace(probe, vertices=(a, b, c))
        case ParallelepipedProbe():
            tip = _difference(to, probe.origin)
            a, b, c = (tip if i == handle - 1 else edge for i, edge in enumerate(probe.edges))
            return replace(probe, edges=(a, b, c))
        case AabbProbe() | ObbProbe() if handle == 0:
            return _centered(probe, to)
        case AabbProbe() | ObbProbe():
            return _with_face_at(probe, handle, to)


def drawn(kind: str, start: Vec3, end: Vec3) -> SingleProbe:
    """Give a new probe of a kind, drawn from one point to another; a box is a cube around the first."""
    if kind == "point":
        return PointProbe(position=end)
    if kind == "segment":
        return SegmentProbe(start=start, end=end)
    way = _difference(end, start)
    if kind == "box":
        half = max(map(abs, way))
        return AabbProbe(center=start, half_extents=(half, half, half))
    return (LineProbe if kind == "line" else RayProbe)(origin=start, direction=way)


def _centered(probe: AabbProbe | ObbProbe, to: Vec3) -> SingleProbe:
    """Move a box as a whole."""
    if probe.center is not UNSET:
        return replace(probe, center=to)
    assert isinstance(probe, AabbProbe) and probe.min is not UNSET and probe.max is not UNSET
    by = _difference(to, handle_points(probe.shape)[0])
    return replace(probe, min=_sum(probe.min, by), max=_sum(probe.max, by))


def _with_face_at(probe: AabbProbe | ObbProbe, handle: int, to: Vec3) -> SingleProbe:
    """Move one face of a box, not past the opposite one, which stays."""
    i, high = (handle - 1) // 2, handle % 2 == 0
    opposite = handle_points(probe.shape)[handle - 1 if high else handle + 1]
    outward = _axes(probe)[i] * (1 if high else -1)
    half = max(_tidy(float(np.subtract(to, opposite) @ outward), *to, *opposite), 0.0) / 2
    if probe.center is UNSET:
        assert isinstance(probe, AabbProbe) and probe.min is not UNSET and probe.max is not UNSET
        end = _replaced(probe.max if high else probe.min, i, _sum(opposite, 2 * half * outward)[i])
        return replace(probe, max=end) if high else replace(probe, min=end)
    assert probe.half_extents is not UNSET
    center = _sum(opposite, half * outward)
    if isinstance(probe, AabbProbe):
        center = _replaced(probe.center, i, center[i])
    return replace(probe, center=center, half_extents=_replaced(probe.half_extents, i, half))


def _axes(probe: AabbProbe | ObbProbe) -> Array:
    """Give the unit axes of a box, one in each row."""
    return np.eye(3) if isinstance(probe, AabbProbe) else np.array(probe.shape.axes)


def _replaced(vector: Vec3, axis: int, value: float) -> Vec3:
    x, y, z = (value if i == axis else component for i, component in enumerate(vector))
    return x, y, z


def _sum(a: Sequence[float] | Array, b: Sequence[float] | Array) -> Vec3:
    x, y, z = (_tidy(float(p) + float(q), p, q) for p, q in zip(a, b, strict=True))
    return x, y, z


def _difference(a: Sequence[float] | Array, b: Sequence[float] | Array) -> Vec3:
    return _sum(a, np.negative(b))


def _tidy(value: float, *parts: float) -> float:
    """Leave off the last digit or two, in which a sum of short decimals errs, and stay within float64."""
    largest = max(map(abs, parts))
    digits = SAFE_DIGITS - math.ceil(math.log10(largest)) if largest else 0
    return max(-LARGEST, min(LARGEST, round(value, digits) if math.isfinite(value) else value))
