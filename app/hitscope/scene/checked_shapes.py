"""Shapes from the fields of a scene file, of which the numbers are checked already, but not what they mean.

Pure functions on float64. A Fault's path leads to the field within the item.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate
from math import cos, fmod, isfinite, radians, remainder, sin
from typing import Any

from hitscope.errors import Fault
from hitscope.geometry import checks
from hitscope.geometry.exact import check_frustum, is_bounded, square_root
from hitscope.geometry.kinds import WRAPPED
from hitscope.geometry.shapes import Aabb, Frame, Frustum, Shape, Vec3, word
from hitscope.geometry.vector import cross, dot, subtract

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
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


def around(wrapper: type, field: str, shape: Shape, value: Any) -> Any:
    """Return the shape that another one is wrapped in; raises Fault at the field where that is unbounded."""
    if not is_bounded(shape):
        raise Fault((field,), f"a bounded {word(shape)} beside it", "an unbounded one", at_key=True)
    made: Any = next(k for k in WRAPPED if issubclass(k, wrapper) and k.wrapped is type(shape))
    return made._make((*shape, value))


def frustum(half_spaces: Sequence[tuple[Iterable[Any], Any]]) -> Frustum:
    """Return the frustum of five or six half-spaces, each number rounded once; raises Fault where it is empty."""
    planes = [(_rounded_once(normal), _rounded_once([offset])[0]) for normal, offset in half_spaces]
    if len(planes) < 6:
        planes.append(((0.0, 0.0, 0.0), 0.0))
    made = Frustum._make(zip(*planes, strict=True))
    check_frustum(made)
    return made


def frustum_of_matrix(matrix: Sequence[Sequence[float]], below_zero: bool) -> Frustum:
    """Return what the clip space -w <= x, y <= w and 0 <= z <= w, or -w <= z `below_zero`, is of."""
    *xy, z, w = ([Fraction(number) for number in row] for row in matrix)
    rows = [[last + sign * number for last, number in zip(w, row, strict=True)] for row in xy for sign in (1, -1)]
    rows.append([last + number for last, number in zip(w, z, strict=True)] if below_zero else z)
    rows.append([last - number for last, number in zip(w, z, strict=True)])
    try:
        return frustum([([-number for number in row[:3]], row[3]) for row in rows])
    except Fault as fault:
        raise Fault(("matrix",), fault.expected, fault.found) from None


def frustum_of_camera(
    eye: Vec3, target: Vec3, up: Vec3, fov_deg: float, aspect: float, near: float, far: float | None
) -> Frustum:
    """Return the frustum of a camera: its sides are w +- x >= 0 of the matrix, in units of the view's depth."""
    origin, to, upward = ([Fraction(number) for number in vector] for vector in (eye, target, up))
    ahead = subtract(to, origin)
    side = cross(ahead, upward)
    if not any(side):
        along_it = "up", "a direction", "the view direction"
        field, what, found = along_it if any(ahead) else ("target", "a point", "eye")
        raise Fault((field,), f"{what} other than {found}", found)
    if far is not None and far <= near:
        raise Fault(("far",), f"a number > near = {near!r}", repr(far))
    height = _tangent_of_half(fov_deg)
    depth = _scaled(ahead, 1)
    planes = []
    for way in _scaled(side, height * Fraction(aspect)), _scaled(cross(side, ahead), height):
        for sign in (1, -1):
            planes.append(([-d - sign * p for d, p in zip(depth, way, strict=True)], Fraction(0)))
    planes.append(([-d for d in depth], -Fraction(near)))
    if far is not None:
        planes.append((depth, Fraction(far)))
    return frustum([(normal, offset + dot(normal, origin)) for normal, offset in planes])


def _scaled(vector: Sequence[Fraction], divisor: Fraction | int) -> list[Fraction]:
    """Return a unit vector over a number, far more accurate than float64."""
    length = square_root(sum(number**2 for number in vector) + Fraction(0), 1 << 9)
    return [number / length / divisor for number in vector]


def _tangent_of_half(degrees: float) -> Fraction:
    """Return the tangent of half an angle below 180 degrees, far more accurate than float64."""
    if degrees == 90:
        return Fraction(1)
    with localcontext() as context:
        context.prec = 60
        angle = Decimal(degrees) * PI / 360
        terms = list(accumulate(range(1, 80), lambda term, k: term * angle / k, initial=Decimal(1)))
        sine, cosine = sum(terms[1::4]) - sum(terms[3::4]), sum(terms[0::4]) - sum(terms[2::4])
        return Fraction(sine / cosine)


def _rounded_once(numbers: Iterable[Any]) -> Any:
    """Return numbers as float64; raises Fault for what that cannot hold."""
    try:
        return tuple(float(number) + 0.0 for number in numbers)
    except OverflowError:
        raise Fault((), "planes that float64 can hold", "a number beyond it") from None


def _sin_cos_deg(degrees: float) -> tuple[float, float]:
    turn = fmod(degrees, 360.0)
    rest = remainder(turn, 90.0)  # in [-45, 45], exact, as the quotient below is
    s, c = sin(radians(rest)), cos(radians(rest))
    quarter = round((turn - rest) / 90.0) % 4
    return ((s, c), (c, -s), (-s, -c), (-c, s))[quarter]
