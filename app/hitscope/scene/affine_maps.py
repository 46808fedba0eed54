"""Affine maps of points, vectors and planes: a translation, a rotation about an axis, a scaling along three.

Numbers are taken as the decimals that the file shows. A map that keeps the coordinate axes is computed exactly and
rounded once: short decimals stay short, and a coordinate that does not move keeps every bit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from hitscope.errors import Fault
from hitscope.geometry.arrays import Array
from hitscope.geometry.error_free import two_product
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.geometry.vector import dot, vec3
from hitscope.scene import checked_shapes
from hitscope.scene.decimals import decimal, linear, scalar_product, tidy
from hitscope.scene.items import Quaternion

Images = Sequence[Sequence[Fraction | float]]
ACROSS = 1e-12
"""The dot product of unit axes below which they are at a right angle: stored axes are rounded."""
SMALLEST_PRODUCT = 1e-280
"""The rounding error of a smaller product may underflow."""
ORIGIN: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class AffineMap:
    """p -> pivot + M (p - pivot) + shift; row i of `images` is M applied to the unit vector i.

    `duals` are the rows of `stretch` times the inverse transpose of M, which maps normals; empty for a singular M.
    A `rough` map is for shapes that are only shown; see `decimals.linear`.
    """

    images: Images
    duals: Images
    pivot: Vec3 = ORIGIN
    shift: Vec3 = ORIGIN
    stretch: Fraction = Fraction(1)
    rough: bool = False
    length_factor: Fraction | None = Fraction(1)
    """The factor of every length; None where it depends on the direction."""

    @property
    def keeps_axes(self) -> bool:
        """Whether vectors along the coordinate axes stay along them."""
        return all(sum(map(bool, image)) <= 1 for image in self.images)

    def points(self, points: Array) -> Array:
        """Map points (n, 3)."""
        return _mapped(points, self.images, self.pivot, self.shift, self.rough)

    def vectors(self, vectors: Array) -> Array:
        """Map vectors (n, 3)."""
        return _mapped(vectors, self.images, ORIGIN, ORIGIN, self.rough)

    def unit(self, vector: Vec3) -> Vec3:
        """Map a stored unit axis, right to its last bit."""
        return vec3(_rounded_dot(vector, [float(image[k]) for image in self.images]) for k in range(3))

    def lengths(self, values: Array) -> Array:
        """Map lengths (n,) in every direction, such as radii; raises Fault where directions differ in factors."""
        if self.length_factor is None:
            raise Fault(("radius",), "the same factor along every axis, to scale what is round", "several factors")
        return linear(values, self.length_factor, Fraction(0), self.rough)

    def plane(self, normal: Vec3, offset: float) -> tuple[Vec3, float]:
        """Map the plane dot(normal, p) = offset and its inside; raises Fault where a factor is zero."""
        if not self.duals:
            raise Fault(("normal",), "factors other than zero, to scale a plane", "a factor of zero")
        mapped = vec3(_mapped(np.array([normal]), self.duals, ORIGIN, ORIGIN)[0].tolist())
        height = self.stretch * (decimal(offset) - scalar_product(normal, self.pivot))
        return mapped, rounded(height + scalar_product(mapped, self.pivot) + scalar_product(mapped, self.shift))


def translation(by: Vec3) -> AffineMap:
    return AffineMap(checked_shapes.IDENTITY, checked_shapes.IDENTITY, shift=by)


def rotation(pivot: Vec3, axis: Vec3, degrees: float) -> tuple[AffineMap, Quaternion]:
    """Return the rotation about an axis through a pivot, and its quaternion.

    Both are exact at quarter turns about coordinate axes.
    """
    about = [k for k in range(3) if axis[k]]
    assert about, "cannot rotate about the zero vector"
    if len(about) == 1:
        angle = math.copysign(degrees, degrees * axis[about[0]])
        images = checked_shapes.axes_from_euler(vec3(angle if k == about[0] else 0.0 for k in range(3)))
        s, c = _half_angle(angle)
        x, y, z = (s if k == about[0] else 0.0 for k in range(3))
    else:
        size = max(map(abs, axis))
        length = math.hypot(*(value / size for value in axis))
        s, c = _half_angle(degrees)
        x, y, z = (s * (value / size) / length for value in axis)
        images = checked_shapes.axes_from_quaternion((x, y, z, c))
    return AffineMap(images, images, pivot=pivot), (x, y, z, c)


def scaling(pivot: Vec3, factors: Vec3, frame: Frame) -> AffineMap:
    """Return the scaling from a pivot by a factor along each unit axis of a frame."""
    exact = [decimal(factor) for factor in factors]
    stretch = max(map(abs, exact))
    duals = _along([stretch / factor for factor in exact], frame) if all(exact) else []
    same = stretch if len(set(map(abs, exact))) == 1 else None
    return AffineMap(_along(exact, frame), duals, pivot=pivot, stretch=stretch, length_factor=same)


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the unit quaternion of the rotation by b and then by a."""
    (p, q, r, s), (x, y, z, w) = a, b
    i, j = s * x + p * w + q * z - r * y, s * y - p * z + q * w + r * x
    k, m = s * z + p * y - q * x + r * w, s * w - p * x - q * y - r * z
    length = math.hypot(i, j, k, m)
    return i / length + 0.0, j / length + 0.0, k / length + 0.0, m / length + 0.0


def factors_along(axes: Frame, factors: Vec3, frame: Frame) -> Vec3 | None:
    """Return the factor of each axis under a scaling along a frame; None where the scaling turns one of them."""
    found = []
    for axis in axes:
        parts = [dot(axis, row) for row in frame]
        along = {factor for factor, part in zip(factors, parts, strict=True) if abs(part) > ACROSS}
        if len(along) != 1:
            return None
        found.append(along.pop())
    return vec3(found)


def _mapped(rows: Array, images: Images, pivot: Vec3, shift: Vec3, rough: bool = False) -> Array:
    """Map rows (n, 3); a component that is a sum is rounded to its significant digits."""
    middle = [decimal(value) for value in pivot]
    arms: dict[int, Array] = {}
    results = np.empty(rows.shape)
    for k in range(3):
        sources = [j for j in range(3) if images[j][k]]
        end = middle[k] + decimal(shift[k])
        if len(sources) == 1:
            (j,) = sources
            factor = Fraction(images[j][k])
            results[:, k] = linear(rows[:, j], factor, end - factor * middle[j], rough)
            continue
        if rough:
            with np.errstate(over="ignore", invalid="ignore"):
                ways = [(rows[:, j] - pivot[j]) * float(images[j][k]) for j in sources]
                results[:, k] = np.nan_to_num(np.sum(ways, axis=0) + rounded(end))
            continue
        for j in sources:
            if j not in arms:
                arms[j] = linear(rows[:, j], Fraction(1), -middle[j], rough)
        with np.errstate(over="ignore", invalid="ignore"):
            terms = np.array([arms[j] * float(images[j][k]) for j in sources]).reshape(len(sources), len(rows))
            sums = tidy(terms.sum(axis=0), np.abs(terms).max(axis=0, initial=0.0))
        results[:, k] = linear(np.nan_to_num(sums), Fraction(1), end, rough)
    return results


def _along(factors: Sequence[Fraction], frame: Frame) -> Sequence[Sequence[Fraction]]:
    """Return the rows of sum_j factor_j * axis_j axis_j^T."""
    if factors[0] == factors[1] == factors[2]:
        frame = checked_shapes.IDENTITY
    axes = [[Fraction(value) for value in axis] for axis in frame]
    scaled = [[f * value for value in axis] for f, axis in zip(factors, axes, strict=True)]
    return [[dot(first, second) for second in zip(*axes, strict=True)] for first in zip(*scaled, strict=True)]


def _rounded_dot(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the dot product of vectors of about unit length, rounded once, by exact products (Dekker 1971)."""
    terms: list[float] = []
    for x, y in zip(a, b, strict=True):
        product, low = two_product(x, y)
        if abs(product) < SMALLEST_PRODUCT and x and y:
            return rounded(sum((Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True)), Fraction(0)))
        terms += product, low
    return math.fsum(terms)


def _half_angle(degrees: float) -> tuple[float, float]:
    """Return sine and cosine of half an angle; at quarter turns, integers in the same ratio."""
    turn = math.fmod(degrees, 360.0)
    if turn % 90.0 == 0:
        return ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (1.0, -1.0))[int(turn // 90.0) % 4]
    half = math.radians(turn / 2)
    return math.sin(half), math.cos(half)
