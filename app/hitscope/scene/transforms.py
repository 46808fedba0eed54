"""Moving, turning and scaling an item, and nudging it by one unit in the last place.

An item keeps the form in which the file gives it wherever that form can hold the result; else its type changes:
a turned aabb is an obb, a box scaled across its axes a parallelepiped (`became` says so). Numbers are taken as the
decimals that the file shows, and what is not a rotation by a general angle is reckoned exactly and rounded once:
short decimals stay short, and a coordinate that does not move keeps every bit.
"""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace
from numpy.typing import NDArray

from hitscope.errors import Fault
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.geometry.vector import dot
from hitscope.scene import forms
from hitscope.scene.bulk import Bulk
from hitscope.scene.items import AabbFields, HalfSpace, ObbFields, PlanePrimitive, Quaternion, Single
from hitscope.scene.model import PRIMITIVES, PROBES

SAFE_DIGITS = 15
"""So many significant digits survive float64."""
ACROSS = 1e-12
"""A unit axis with less than this along another is at a right angle to it: stored axes are rounded."""
LARGEST = sys.float_info.max
EXACT_POWER = 1e22
"""Of the powers of ten, float64 has those up to this one."""
EULER_TOLERANCE = 1e-14
"""Euler angles are kept where they give the turned axes to within this."""

POINTS = ("position", "start", "end", "origin", "min", "max", "center")
"""The fields that hold one point."""


def translate(item: Single, by: Vec3) -> Single:
    """Move an item by a vector."""
    return _mapped(item, _Map(forms.IDENTITY, forms.IDENTITY, shift=by))


def translate_many(item: Bulk, by: Vec3) -> Bulk:
    """Move all shapes of a bulk item by a vector; raises a Fault where they are in a file."""
    if item.file is not UNSET:
        raise Fault(("file",), "shapes that are in the scene, to move them", "a file of them")
    given = {name: getattr(item, name, UNSET) for name in (*POINTS, "vertices")}
    return replace(item, **{name: _sums(table.array, by) for name, table in given.items() if table is not UNSET})


def rotate(item: Single, pivot: Vec3, axis: Vec3, degrees: float) -> Single:
    """Turn an item about the axis through a pivot, counter-clockwise where the axis points to the eye.

    An aabb stays one at multiples of 90 degrees about a coordinate axis, and is an obb at any other angle.
    """
    images, quaternion = _rotation(axis, degrees)
    motion = _Map(images, images, pivot=pivot)
    if isinstance(item, AabbFields) and not motion.keeps_axes:
        item = _as_obb(item)
    if not isinstance(item, ObbFields):
        return _mapped(item, motion)
    return replace(item, center=motion.point(item.center), **_turned(item, motion, quaternion, axis, degrees))


def scale(item: Single, pivot: Vec3, factors: Vec3, frame: Frame = forms.IDENTITY) -> Single:
    """Scale an item from a pivot by a factor along each unit axis of a frame (rows); a factor may be negative.

    A box stays a box where each of its axes is scaled by one factor, and is a parallelepiped elsewhere. Raises a
    Fault for a factor of zero where there are planes, which have nowhere to go.
    """
    motion = _scaling(pivot, factors, frame)
    if isinstance(item, AabbFields) and not motion.keeps_axes:
        item = _as_obb(item)
    if not isinstance(item, ObbFields):
        return _mapped(item, motion)
    along = [_factor_along(axis, factors, frame) for axis in item.shape.axes]
    if None in along:
        return _as_parallelepiped(item, motion)
    extents = [
        rounded(_decimal(e) * abs(_decimal(f or 0.0))) for e, f in zip(item.half_extents, along, strict=True)
    ]
    return replace(item, center=motion.point(item.center), half_extents=_vec3(extents))


def nudge(item: Single, axis: int, up: bool) -> Single:
    """Move every point of an item to the next float64 along a coordinate axis."""

    def step(point: Vec3) -> Vec3:
        return _vec3([beside(value, up) if k == axis else value for k, value in enumerate(point)])

    def plane(normal: Vec3, offset: float) -> tuple[Vec3, float]:
        return normal, beside(offset, up == (normal[axis] > 0)) if normal[axis] else offset

    return _with(item, step, lambda vector: vector, plane)


def beside(value: float, up: bool) -> float:
    """Give the next float64 above or below; the largest has none."""
    following = math.nextafter(value, math.inf if up else -math.inf)
    return following if math.isfinite(following) else value


def became(before: Single, after: Single) -> str:
    """Say in words how the type of an item had to change; else nothing."""
    if before.word == after.word:
        return ""
    if after.word == "obb":
        return f"a turned {before.word} is an obb"
    return f"an {before.word} scaled across its axes is a {after.word}"


@dataclass(frozen=True)
class _Map:
    """p -> pivot + M (p - pivot) + shift; row i of `images` is M applied to the unit vector i.

    `duals` are the rows of `stretch` times the inverse transpose of M, which maps normals; none where M has none.
    """

    images: Sequence[Sequence[Fraction | float]]
    duals: Sequence[Sequence[Fraction | float]]
    pivot: Vec3 = (0.0, 0.0, 0.0)
    shift: Vec3 = (0.0, 0.0, 0.0)
    stretch: Fraction = Fraction(1)

    @property
    def keeps_axes(self) -> bool:
        """Whether what is parallel to a coordinate axis stays so."""
        return all(sum(map(bool, image)) <= 1 for image in self.images)

    def point(self, point: Sequence[Fraction | float]) -> Vec3:
        pivot = [_decimal(value) for value in self.pivot]
        arm = [_decimal(value) - start for value, start in zip(point, pivot, strict=True)]
        turned = _image(arm, self.images)
        moved = [c + m + _decimal(s) for c, m, s in zip(pivot, turned, self.shift, strict=True)]
        return _vec3(map(rounded, moved))

    def vector(self, vector: Sequence[Fraction | float]) -> Vec3:
        return _vec3(map(rounded, _image([_decimal(value) for value in vector], self.images)))

    def unit(self, vector: Vec3) -> Vec3:
        """Map a unit axis as it is stored, and to its last bit."""
        entries = list(zip(vector, self.images, strict=True))
        return _vec3(
            rounded(sum((Fraction(a) * Fraction(image[k]) for a, image in entries), Fraction(0))) for k in range(3)
        )

    def plane(self, normal: Vec3, offset: float) -> tuple[Vec3, float]:
        """Map the plane dot(normal, p) = offset, and its inside."""
        if not self.duals:
            raise Fault(("normal",), "factors other than zero, to scale a plane", "a factor of zero")
        mapped = _vec3(map(rounded, _image([_decimal(value) for value in normal], self.duals)))
        height = _decimal(offset) - _dot(normal, self.pivot)
        return mapped, rounded(self.stretch * height + _dot(mapped, self.pivot) + _dot(mapped, self.shift))


def _sums(points: NDArray[np.float64], by: Vec3) -> NDArray[np.float64]:
    """Add a vector to points (..., 3), leaving off the last digits, in which a sum of short decimals errs."""
    with np.errstate(all="ignore"):
        sums = np.clip(points + by, -LARGEST, LARGEST)
        largest = np.maximum(np.abs(points), np.abs(by))
        scales = 10.0 ** (SAFE_DIGITS - np.ceil(np.log10(largest)))
        tidy = np.rint(sums * scales) / scales
    # Beyond these powers of ten float64 has no exact ones, and rounding would add an error.
    sure = (scales >= 1) & (scales <= EXACT_POWER) & np.isfinite(tidy)
    return np.where(np.equal(by, 0.0), points, np.where(sure, tidy, sums))


def _mapped(item: Single, motion: _Map) -> Single:
    """Map every point, vector and plane of an item; boxes are those whose axes the map keeps."""
    return _with(item, motion.point, motion.vector, motion.plane)


def _with(
    item: Single,
    point: Callable[[Vec3], Vec3],
    vector: Callable[[Vec3], Vec3],
    plane: Callable[[Vec3, float], tuple[Vec3, float]],
) -> Single:
    """Give the item with its points, vectors and planes changed, the corners of an aabb put in order."""
    given = {name: value for name in item.__struct_fields__ if (value := getattr(item, name)) is not UNSET}
    changes: dict[str, Any] = {name: point(given[name]) for name in POINTS if name in given}
    if "vertices" in given:
        changes["vertices"] = tuple(map(point, given["vertices"]))
    if "direction" in given:
        changes["direction"] = vector(given["direction"])
    if "edges" in given:
        changes["edges"] = tuple(map(vector, given["edges"]))
    if "half_extents" in given and isinstance(item, AabbFields):
        changes["half_extents"] = _vec3(map(abs, vector(given["half_extents"])))
    if "min" in given:
        corners = changes["min"], changes["max"]
        changes["min"], changes["max"] = _vec3(map(min, *corners)), _vec3(map(max, *corners))
    if isinstance(item, PlanePrimitive):
        changes["normal"], changes["offset"] = plane(item.normal, item.offset)
    if "planes" in given:
        mapped = [plane(half_space.normal, half_space.offset) for half_space in given["planes"]]
        changes["planes"] = tuple(HalfSpace(normal=normal, offset=offset) for normal, offset in mapped)
    return replace(item, **changes)


def _as_obb(item: AabbFields) -> ObbFields:
    """Give an aabb as the obb without a rotation."""
    center, extents = item.center, item.half_extents
    if item.min is not UNSET and item.max is not UNSET:
        lo, hi = ([_decimal(value) for value in corner] for corner in (item.min, item.max))
        center = _vec3(rounded((a + b) / 2) for a, b in zip(lo, hi, strict=True))
        extents = _vec3(rounded((b - a) / 2) for a, b in zip(lo, hi, strict=True))
    made = _as("obb", item, center=center, half_extents=extents)
    assert isinstance(made, ObbFields)
    return made


def _as_parallelepiped(item: ObbFields, motion: _Map) -> Single:
    """Give the image of an obb under any map."""
    edges = [
        [2 * _decimal(extent) * _decimal(value) for value in axis]
        for extent, axis in zip(item.half_extents, item.shape.axes, strict=True)
    ]
    corner = [_decimal(c) - sum(along) / 2 for c, *along in zip(item.center, *edges, strict=True)]
    return _as("parallelepiped", item, origin=motion.point(corner), edges=tuple(map(motion.vector, edges)))


def _as(word: str, item: Single, **fields: Any) -> Single:
    """Make an item of another type with the same id."""
    kinds = PROBES if hasattr(item, "enabled") else PRIMITIVES
    more = {"enabled": item.enabled} if hasattr(item, "enabled") else {}
    made = kinds[word](id=item.id, **fields, **more)
    assert isinstance(made, Single)
    return made


def _turned(item: ObbFields, motion: _Map, by: Quaternion, axis: Vec3, degrees: float) -> dict[str, Any]:
    """Give the field that holds the axes of a turned box, in the form of the file where it can.

    A box without a rotation gets Euler angles about a coordinate axis, and a quaternion about any other.
    """
    about = [k for k in range(3) if axis[k]]
    plain = item.axes is UNSET and item.quaternion_xyzw is UNSET and item.euler_xyz_deg is UNSET
    if item.quaternion_xyzw is not UNSET or (plain and len(about) > 1):
        own = (0.0, 0.0, 0.0, 1.0) if item.quaternion_xyzw is UNSET else item.quaternion_xyzw
        return {"quaternion_xyzw": _product(by, own)}
    rows = _frame(motion.unit(row) for row in item.shape.axes)
    if item.axes is not UNSET:
        return {"axes": rows}
    angles = (0.0, 0.0, 0.0) if item.euler_xyz_deg is UNSET else item.euler_xyz_deg
    if len(about) == 1 and not any(math.fmod(angle, 360.0) for angle in angles[about[0] + 1 :]):
        # R = Rz Ry Rx: turning about an axis that no later factor turns adds to its angle.
        more = _decimal(math.copysign(degrees, degrees * axis[about[0]]))
        added = [_decimal(angle) + (more if k == about[0] else 0) for k, angle in enumerate(angles)]
        return {"euler_xyz_deg": _vec3(rounded(_wrapped(angle)) for angle in added)}
    (a, b, c), (_, _, f), (_, _, i) = rows
    radians = math.atan2(f, i), math.atan2(-c, math.hypot(a, b)), math.atan2(b, a)
    found = _vec3(round(math.degrees(angle), SAFE_DIGITS - 2) + 0.0 for angle in radians)
    near = zip(forms.axes_from_euler(found), rows, strict=True)
    if all(abs(p - q) <= EULER_TOLERANCE for row, wanted in near for p, q in zip(row, wanted, strict=True)):
        return {"euler_xyz_deg": found}
    return {"euler_xyz_deg": UNSET, "axes": rows}


def _wrapped(degrees: Fraction) -> Fraction:
    """Give the same angle within (-180, 180]; one that is there stays."""
    return degrees if -180 < degrees <= 180 else 180 - (180 - degrees) % 360


def _rotation(axis: Vec3, degrees: float) -> tuple[Frame, Quaternion]:
    """Give the images of the unit vectors and the quaternion; exact at quarter turns about coordinate axes."""
    about = [k for k in range(3) if axis[k]]
    assert about, "there is no turning about the zero vector"
    if len(about) == 1:
        angle = math.copysign(degrees, degrees * axis[about[0]])
        images = forms.axes_from_euler(_vec3(angle if k == about[0] else 0.0 for k in range(3)))
        s, c = _half_angle(angle)
        x, y, z = (s if k == about[0] else 0.0 for k in range(3))
        return images, (x, y, z, c)
    size = max(map(abs, axis))
    length = math.hypot(*(value / size for value in axis))
    s, c = _half_angle(degrees)
    x, y, z = (s * (value / size) / length for value in axis)
    return forms.axes_from_quaternion((x, y, z, c)), (x, y, z, c)


def _half_angle(degrees: float) -> tuple[float, float]:
    """Give sine and cosine of half an angle, or at quarters of a turn integers in the same ratio."""
    turn = math.fmod(degrees, 360.0)
    if turn % 90.0 == 0:
        return ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (1.0, -1.0))[int(turn // 90.0) % 4]
    half = math.radians(turn / 2)
    return math.sin(half), math.cos(half)


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Give the quaternion that turns by b and then by a, of length one."""
    (p, q, r, s), (x, y, z, w) = a, b
    product = (
        s * x + p * w + q * z - r * y,
        s * y - p * z + q * w + r * x,
        s * z + p * y - q * x + r * w,
        s * w - p * x - q * y - r * z,
    )
    length = math.hypot(*product)
    i, j, k, m = (value / length + 0.0 for value in product)
    return i, j, k, m


def _scaling(pivot: Vec3, factors: Vec3, frame: Frame) -> _Map:
    """Give the map; stretched by the largest factor, normals keep their size where all factors are one."""
    exact = [_decimal(factor) for factor in factors]
    stretch = max(map(abs, exact))
    duals = _along([stretch / factor for factor in exact], frame) if all(exact) else []
    return _Map(_along(exact, frame), duals, pivot=pivot, stretch=stretch)


def _along(factors: Sequence[Fraction], frame: Frame) -> Sequence[Sequence[Fraction]]:
    """Give the rows of sum_j factor_j * axis_j axis_j^T."""
    if factors[0] == factors[1] == factors[2]:
        frame = forms.IDENTITY
    axes = [[Fraction(value) for value in axis] for axis in frame]
    return [
        [
            sum((f * axis[i] * axis[k] for f, axis in zip(factors, axes, strict=True)), Fraction(0))
            for k in range(3)
        ]
        for i in range(3)
    ]


def _factor_along(axis: Vec3, factors: Vec3, frame: Frame) -> float | None:
    """Give the factor by which a map scales along an axis, None where the axis turns."""
    parts = [dot(axis, row) for row in frame]
    found = {factor for factor, part in zip(factors, parts, strict=True) if abs(part) > ACROSS}
    return found.pop() if len(found) == 1 else None


def _image(vector: Sequence[Fraction], images: Sequence[Sequence[Fraction | float]]) -> list[Fraction]:
    """Map a vector; a component that is a sum is rounded to the digits that are worth something."""
    components = []
    for k in range(3):
        parts = [value * Fraction(image[k]) for value, image in zip(vector, images, strict=True) if image[k]]
        total = sum(parts, Fraction(0))
        components.append(_tidy(total, max(map(abs, parts))) if len(parts) > 1 else total)
    return components


def _tidy(value: Fraction, largest: Fraction) -> Fraction:
    size = rounded(largest)
    digits = SAFE_DIGITS - math.ceil(math.log10(size)) if size else 0
    return round(value, digits)


def _decimal(value: Fraction | float) -> Fraction:
    """Give the number that is written for a float64."""
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))


def _dot(a: Vec3, b: Vec3) -> Fraction:
    return sum((_decimal(p) * _decimal(q) for p, q in zip(a, b, strict=True)), Fraction(0))


def _vec3(values: Any) -> Vec3:
    x, y, z = values
    return x, y, z


def _frame(rows: Any) -> Frame:
    a, b, c = rows
    return a, b, c
