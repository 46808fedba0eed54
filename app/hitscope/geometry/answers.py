"""The types that methods return: whether two shapes meet, and the other parts of an answer by name.

A method is annotated with one of these types, or with bool if it finds the verdict alone; the catalogue reads the
names of the parts from the annotation. An unknown part is NaN in each of its numbers, or NO_FEATURE.

t is a fraction of the probe's vector. Vectors need not be unit. A feature is the index of what decided: of a hit
the face that the probe enters through, of a miss a face, an edge or a plane whose inner side contains no point of
the probe, or of the part of the probe inside the other faces. A method that does not distinguish two faces of a
box returns the slab between them. `box_face` and `box_slab` number those of a box, the constants below the edges
and the plane of a triangle; the planes of a polyhedron are numbered as they are given.
"""

from typing import NamedTuple

from hitscope.geometry.registry import kernel
from hitscope.geometry.shapes import Vec3

UNKNOWN = float("nan")
"""An object of its own: a NaN that arises as a method runs is another one."""
UNKNOWN_VECTOR: Vec3 = (UNKNOWN, UNKNOWN, UNKNOWN)
NO_FEATURE = -1

EDGE_AB, EDGE_BC, EDGE_CA, TRIANGLE_PLANE = range(4)


class TRange(NamedTuple):
    """The t at which a linear probe enters and leaves."""

    hit: bool
    t_enter: float
    t_exit: float


class TRangeNormal(NamedTuple):
    """The t range, and the outward normal of the face that the probe enters; unknown of one that starts inside."""

    hit: bool
    t_enter: float
    t_exit: float
    normal: Vec3


class TRangeFeature(NamedTuple):
    """The t range, and the feature that decided."""

    hit: bool
    t_enter: float
    t_exit: float
    feature: int


class TRangeNormalFeature(NamedTuple):
    """The t range, the outward normal of the face that the probe enters, and the feature that decided."""

    hit: bool
    t_enter: float
    t_exit: float
    normal: Vec3
    feature: int


class DecidingFeature(NamedTuple):
    """The verdict, and the feature that decided."""

    hit: bool
    feature: int


class SignedDistance(NamedTuple):
    """The verdict, and the distance of a point from a surface, negative inside."""

    hit: bool
    distance: float


class Separation(NamedTuple):
    """The verdict and, of a miss, an axis that separates the shapes.

    `gap` is the distance of the projections onto the axis, times the axis' length: gap / |axis| is a length in
    scene units, at most the shapes' distance. The axis may point either way.
    """

    hit: bool
    axis: Vec3
    gap: float


NO_T_RANGE = TRange(False, UNKNOWN, UNKNOWN)
NO_T_RANGE_NORMAL = TRangeNormal(False, UNKNOWN, UNKNOWN, UNKNOWN_VECTOR)
NOT_SEPARATED = Separation(True, UNKNOWN_VECTOR, UNKNOWN)


@kernel
def no_t_range(feature: int) -> TRangeFeature:
    """A miss that a feature decided."""
    return TRangeFeature(False, UNKNOWN, UNKNOWN, feature)


@kernel
def no_t_range_normal(feature: int) -> TRangeNormalFeature:
    """A miss that a feature decided, of a method that gives the normal of a hit."""
    return TRangeNormalFeature(False, UNKNOWN, UNKNOWN, UNKNOWN_VECTOR, feature)


@kernel
def box_face(axis: int, sign: float) -> int:
    """The index of the face of a box at the lower (sign < 0) or upper end of an axis: 0 is -x, 1 +x, ..., 5 +z."""
    return 2 * axis + (1 if sign > 0 else 0)


@kernel
def box_slab(axis: int) -> int:
    """The index of the slab of a box between the two faces across an axis: 6 is x, 7 y, 8 z."""
    return 6 + axis


@kernel
def box_normal(face: int) -> Vec3:
    """The outward unit normal of the face of an axis-aligned box; unknown of NO_FEATURE."""
    sign = 1 if face % 2 else -1
    if face // 2 == 0:
        return sign, 0, 0
    if face // 2 == 1:
        return 0, sign, 0
    if face // 2 == 2:
        return 0, 0, sign
    return UNKNOWN_VECTOR
