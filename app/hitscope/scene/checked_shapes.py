"""Shapes from the fields of a scene file, of which the numbers are checked already, but not what they mean.

Pure functions on float64. A Fault's path leads to the field within the item.
"""

from collections.abc import Sequence
from math import cos, fmod, isfinite, radians, remainder, sin

from hitscope.errors import Fault
from hitscope.geometry import checks
from hitscope.geometry.exact import check_half_spaces
from hitscope.geometry.shapes import Aabb, Frame, Obb, Plane, Polyhedron, Vec3

IDENTITY: Frame = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def aabb_from_corners(lo: Vec3, hi: Vec3) -> Aabb:
    """Return the box of the fields `min` and `max`; raises Fault for min > max."""
    checks.check_corners(lo, hi, "min", "max")
    return Aabb._make((lo, hi))


def aabb_from_center(center: Vec3, half_extents: Vec3) -> Aabb:
    """Return the box centre -+ half extents, rounded to nearest; raises Fault for a negative one and overflow."""
    checks.check_half_extents(half_extents)
    (cx, cy, cz), (ex, ey, ez) = center, half_extents
    box = Aabb._make(((cx - ex, cy - ey, cz - ez), (cx + ex, cy + ey, cz + ez)))
    for i in range(3):
        if not (isfinite(box.lo[i]) and isfinite(box.hi[i])):
            expected = f"center[{i}] -+ half_extents[{i}] to be finite"
            raise Fault(("half_extents", i), expected, f"{center[i]!r} -+ {half_extents[i]!r}")
    return box


def obb(center: Vec3, half_extents: Vec3, axes: Frame) -> Obb:
    """Return the box center + sum s_i * half_extents_i * axes_i; raises Fault for a negative half extent."""
    checks.check_half_extents(half_extents)
    return Obb._make((center, half_extents, axes))


def checked_axes(axes: Frame) -> Frame:
    """Return stored axes (rows), of either handedness; raises Fault unless max|A A^T - I| <= 1e-6."""
    checks.check_axes(axes)
    return axes


def axes_from_quaternion(quaternion_xyzw: tuple[float, float, float, float]) -> Frame:
    """Return a rotation's axes, row i being the rotated unit vector i; raises Fault for the zero quaternion.

    Every entry is a ratio of polynomials of the components, so it is computed in integers and rounded once:
    it is right for components of any size.
    """
    ratios = [component.as_integer_ratio() for component in quaternion_xyzw]
    scale = max(denominator for _, denominator in ratios)  # all denominators are powers of two
    x, y, z, w = (numerator * (scale // denominator) for numerator, denominator in ratios)
    norm = x * x + y * y + z * z + w * w
    if norm == 0:
        raise Fault(("quaternion_xyzw",), "a quaternion other than zero", "[0, 0, 0, 0]")
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    return (
        ((ww + xx - yy - zz) / norm, 2 * (x * y + z * w) / norm, 2 * (x * z - y * w) / norm),
        (2 * (x * y - z * w) / norm, (ww - xx + yy - zz) / norm, 2 * (y * z + x * w) / norm),
        (2 * (x * z + y * w) / norm, 2 * (y * z - x * w) / norm, (ww - xx - yy + zz) / norm),
    )


def axes_from_euler(euler_xyz_deg: Vec3) -> Frame:
    """Return the axes of R = Rz Ry Rx, row i being R applied to the unit vector i; exact at multiples of 90."""
    (sx, cx), (sy, cy), (sz, cz) = map(_sin_cos_deg, euler_xyz_deg)
    rows = (
        (cz * cy, sz * cy, -sy),
        (cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx),
        (cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx),
    )
    a, b, c = ((x + 0.0, y + 0.0, z + 0.0) for x, y, z in rows)  # -0.0 + 0.0 is 0.0
    return a, b, c


def plane(normal: Vec3, offset: float) -> Plane:
    """Return the plane; raises Fault for a zero normal."""
    checks.check_normal(normal)
    return Plane._make((normal, offset))


def polyhedron(half_spaces: Sequence[tuple[Vec3, float]]) -> Polyhedron:
    """Return the intersection of half-spaces; raises Fault for a zero normal and for an empty intersection.

    Whether it is empty is decided exactly.
    """
    body = Polyhedron._make((tuple(map(Plane._make, half_spaces)), ()))
    check_half_spaces(body)
    return body


def _sin_cos_deg(degrees: float) -> tuple[float, float]:
    turn = fmod(degrees, 360.0)
    rest = remainder(turn, 90.0)  # in [-45, 45], exact, as the quotient below is
    s, c = sin(radians(rest)), cos(radians(rest))
    quarter = round((turn - rest) / 90.0) % 4
    return ((s, c), (c, -s), (-s, -c), (-c, s))[quarter]
