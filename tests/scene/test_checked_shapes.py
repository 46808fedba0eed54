"""The forms of boxes and rotations: exact where the contract says so, and refused where it does."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hitscope.errors import Fault
from hitscope.geometry.checks import check_half_extents
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.scene.checked_shapes import (
    IDENTITY,
    aabb_from_center,
    aabb_from_corners,
    axes_from_euler,
    axes_from_quaternion,
)
from hitscope.scene.items import ObbPrimitive

finite = st.floats(allow_nan=False, allow_infinity=False)
components = st.floats(-1, 1)
QUARTERS = (0, 90, 180, 270, -90, 360, 450, 3600000090.0, 90 * 2.0**50)


def stored_axes(axes: Frame) -> Frame:
    """Return the axes of a box that stores these."""
    return ObbPrimitive(center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), axes=axes).plain.axes


def multiplied(first: Any, second: Any) -> Any:
    """The product of two matrices."""
    return tuple(tuple(sum(first[i][k] * second[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def transposed(matrix: Any) -> Any:
    return tuple(zip(*matrix, strict=True))


def sin_cos(degrees: float) -> tuple[Decimal, Decimal]:
    """The sine and cosine of float degrees by their series, to 30 digits."""
    with localcontext() as context:
        context.prec = 60
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
        x = Decimal(math.fmod(degrees, 360.0)) * pi / 180
        sine, cosine, term = Decimal(0), Decimal(0), Decimal(1)
        for n in range(1, 120):
            cosine, sine = (cosine + term, sine) if n % 2 else (cosine, sine + term)
            term = term * x / n * (1 if n % 2 else -1)
        return +sine, +cosine


def rotation(euler_xyz_deg: Vec3) -> Any:
    """The matrix Rz Ry Rx, multiplied out of its three factors."""
    (sx, cx), (sy, cy), (sz, cz) = map(sin_cos, euler_xyz_deg)
    x = ((1, 0, 0), (0, cx, -sx), (0, sx, cx))
    y = ((cy, 0, sy), (0, 1, 0), (-sy, 0, cy))
    z = ((cz, -sz, 0), (sz, cz, 0), (0, 0, 1))
    return multiplied(multiplied(z, y), x)


def sandwich(q: tuple[Fraction, ...], v: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Rotate a vector by q v q* / |q|^2, multiplied out as quaternions (x, y, z, w)."""

    def times(a: Any, b: Any) -> Any:
        (ax, ay, az, aw), (bx, by, bz, bw) = a, b
        return (
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        )

    x, y, z, w = q
    rotated = times(times(q, (*v, 0)), (-x, -y, -z, w))
    return tuple(c / (x * x + y * y + z * z + w * w) for c in rotated[:3])


def distance(first: Frame, second: Frame) -> float:
    return max(abs(a - b) for rows in zip(first, second, strict=True) for a, b in zip(*rows, strict=True))


@given(st.tuples(finite, finite, finite), st.tuples(finite, finite, finite))
def test_corners_from_a_centre_are_rounded_once(center: Vec3, extents: Vec3) -> None:
    half_extents = tuple(map(abs, extents))
    exact = [
        (Fraction(c) - Fraction(e), Fraction(c) + Fraction(e)) for c, e in zip(center, half_extents, strict=True)
    ]
    try:
        rounded = [(float(lo), float(hi)) for lo, hi in exact]
    except OverflowError:
        with pytest.raises(Fault, match="to be finite"):
            aabb_from_center(center, half_extents)
    else:
        box = aabb_from_center(center, half_extents)
        assert list(zip(box.lo, box.hi, strict=True)) == rounded


def test_half_extents_of_zero_are_legal_and_negative_ones_are_not() -> None:
    assert aabb_from_center((1, 2, 3), (0.0, -0.0, 0)) == ((1, 2, 3), (1, 2, 3))
    for box in (aabb_from_center, lambda center, extents: check_half_extents(extents)):
        for wrong in (-5e-324, math.nan, math.inf):
            with pytest.raises(Fault) as caught:
                box((0.0, 0.0, 0.0), (1.0, 1.0, wrong))
            assert caught.value.path == ("half_extents", 2)


def test_corners_that_are_equal_are_legal() -> None:
    assert aabb_from_corners((1, 2, 3), (1, 2, 3)) == ((1, 2, 3), (1, 2, 3))
    with pytest.raises(Fault) as caught:
        aabb_from_corners((1, 2, 3), (1, 2, math.nextafter(3, 0)))
    assert caught.value.path == ("max", 2)


def test_euler_angles_are_exact_at_multiples_of_90() -> None:
    for angles in product(QUARTERS, repeat=3):
        axes = axes_from_euler(angles)
        assert axes == tuple(tuple(map(round, row)) for row in transposed(rotation(angles)))
        assert not any(entry == 0 and str(entry) == "-0.0" for row in axes for entry in row)


def test_each_euler_angle_turns_about_its_own_axis() -> None:
    assert axes_from_euler((90, 0, 0)) == ((1, 0, 0), (0, 0, 1), (0, -1, 0))
    assert axes_from_euler((0, 90, 0)) == ((0, 0, -1), (0, 1, 0), (1, 0, 0))
    assert axes_from_euler((0, 0, 90)) == ((0, 1, 0), (-1, 0, 0), (0, 0, 1))
    # X first, then Y, then Z: the x axis goes to -z by Y and stays there by Z; the y axis goes to z, x, y.
    assert axes_from_euler((90, 90, 90)) == ((0, 0, -1), (0, 1, 0), (1, 0, 0))


@given(st.tuples(*[st.floats(-720, 720) | finite] * 3))
def test_euler_angles_are_the_product_of_three_rotations(angles: Vec3) -> None:
    exact = transposed(rotation(angles))
    assert distance(axes_from_euler(angles), tuple(tuple(map(float, row)) for row in exact)) < 1e-15


@given(st.tuples(components, components, components, components))
def test_quaternion_rotates_each_axis_rounded_once(quaternion: Any) -> None:
    assume(any(quaternion))
    q = tuple(map(Fraction, quaternion))
    exact = tuple(sandwich(q, v) for v in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert axes_from_quaternion(quaternion) == tuple(tuple(map(float, row)) for row in exact)


@given(st.tuples(*[st.floats(-360, 360)] * 3))
def test_quaternion_and_euler_angles_agree(angles: Vec3) -> None:
    (sx, cx), (sy, cy), (sz, cz) = ((math.sin(a), math.cos(a)) for a in (math.radians(d) / 2 for d in angles))
    quaternion = (
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )
    assert distance(axes_from_quaternion(quaternion), axes_from_euler(angles)) < 4e-15


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-160, 1.0, 1e160, 1e300, 1.7e308])
def test_quaternion_of_any_size_is_normalised(scale: float) -> None:
    assert axes_from_quaternion((0.0, 0.0, scale, scale)) == ((0, 1, 0), (-1, 0, 0), (0, 0, 1))
    assert axes_from_quaternion((0.0, scale, 0.0, 0.0)) == ((-1, 0, 0), (0, 1, 0), (0, 0, -1))


def test_quaternion_with_parts_of_both_extremes() -> None:
    assert axes_from_quaternion((1e-300, 0.0, 0.0, 1e300)) == IDENTITY


def test_zero_quaternion_is_refused() -> None:
    with pytest.raises(Fault) as caught:
        axes_from_quaternion((0.0, -0.0, 0.0, 0.0))
    assert caught.value.path == ("quaternion_xyzw",)


@given(st.tuples(*[st.floats(-360, 360)] * 3))
def test_axes_of_a_rotation_are_accepted_in_either_hand(angles: Vec3) -> None:
    a, b, c = axes_from_euler(angles)
    assert stored_axes((a, b, c)) == (a, b, c)
    assert stored_axes((b, a, c)) == (b, a, c)


@pytest.mark.parametrize("row", range(3))
def test_axes_may_be_off_by_a_millionth(row: int) -> None:
    def with_length(length: float) -> Frame:
        return tuple(tuple(length * x for x in axis) if i == row else axis for i, axis in enumerate(IDENTITY))

    def with_lean(lean: float) -> Frame:
        lean_row = tuple(x or (lean if j == (row + 1) % 3 else 0.0) for j, x in enumerate(IDENTITY[row]))
        return tuple(lean_row if i == row else axis for i, axis in enumerate(IDENTITY))

    for good in (with_length(1 + 4.9e-7), with_length(1 - 4.9e-7), with_lean(0.99e-6), with_lean(-0.99e-6)):
        assert stored_axes(good) == good
    for bad in (
        with_length(1 + 5.1e-7),
        with_length(0.0),
        with_lean(1.01e-6),
        with_lean(-1.01e-6),
        with_length(1e200),
    ):
        with pytest.raises(Fault):
            stored_axes(bad)
