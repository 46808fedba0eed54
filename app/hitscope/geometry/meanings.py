"""The meanings of the variables of a method in space, so that a value has a picture: a closed vocabulary.

A method registers meanings by name, e.g. `{"t1, t2": T_PAIR, "ab; ac": vector_from("triangle.a")}`. Names with a
comma are of one picture, those with a semicolon of one each. A name that has no meaning is shown as a number only.
A name that is set more than once, to different things, has a tuple: one for each time, the last for the rest.

An origin is a variable or an attribute of one, as `triangle.a`; a shape stands for its middle. A variable that has
a meaning itself stands for the point that it means, so that what is relative to it is in the scene's coordinates.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

MeaningKind: TypeAlias = (
    Literal["t", "t range", "t pair", "position", "local point", "multiples", "length", "fraction", "polygon"]
    | Literal["vector", "direction", "axis", "projection", "shadow", "half shadow"]
    | Literal["plane equation", "side", "face", "slab", "sum"]
)


@dataclass(frozen=True)
class Meaning:
    """The meaning of one variable, or of several; made by the functions below."""

    kind: MeaningKind
    origin: str = ""
    """The origin that it is relative to: a point of the scene; none of the scene's own origin."""
    along: tuple[str, ...] = ()
    """The vectors that it is measured along; of an axis the first of these that is in use."""
    whose: str = ""
    """The parameter that has the shadow."""
    over: str = ""
    """The divisor; a vector stands for its square."""
    sign: int = 1
    """-1 where a positive number means behind."""


Meanings: TypeAlias = Mapping[str, Meaning | tuple[Meaning, ...]]

T = Meaning("t")
"""A fraction of the probe's vector: the point origin + t * direction."""
T_RANGE = Meaning("t range")
"""The lower and the upper end of an interval of t, which is empty where they are not in this order."""
T_PAIR = Meaning("t pair")
"""Two t in any order, with the interval between them."""
POINT = Meaning("position")
POLYGON = Meaning("polygon")
"""The corners of a polygon in order."""
AXIS = Meaning("axis")
"""A vector to project on, or the index of a coordinate axis: an arrow through the middle of the pair."""
PLANE = Meaning("plane equation")
"""A normal and a number d: the points with dot(normal, p) + d = 0."""
FACE = Meaning("face")
"""The index of a feature of the primitive (see `answers`), an axis and a sign, or the plane of a face."""
SLAB = Meaning("slab")
"""The index of an axis of the primitive, with the two faces across it."""


def point_from(origin: str) -> Meaning:
    """A point relative to another."""
    return Meaning("position", origin)


def local_point(frame: str) -> Meaning:
    """A point in the coordinates of an oriented box: along its axes, from its center."""
    return Meaning("local point", frame)


def vector_from(origin: str) -> Meaning:
    """A vector that leads from a point to another."""
    return Meaning("vector", origin)


def direction_at(origin: str = "") -> Meaning:
    """A vector whose length means nothing, as a normal: at a point, by default in the middle of the pair."""
    return Meaning("direction", origin)


def side_of(origin: str, sign: int = 1) -> Meaning:
    """A number whose sign tells on which side of a plane a point is."""
    return Meaning("side", origin, sign=sign)


def projection(*along: str, origin: str = "") -> Meaning:
    """The projection of a point onto an axis: the dot product with it, from an origin."""
    return Meaning("projection", origin, along)


def shadow(*along: str, whose: str, origin: str = "") -> Meaning:
    """The least and the greatest projection of a shape onto an axis, from an origin."""
    return Meaning("shadow", origin, along, whose)


def half_shadow(*along: str, whose: str, origin: str) -> Meaning:
    """Half of the projection of a shape onto an axis, both ways from its middle."""
    return Meaning("half shadow", origin, along, whose)


def length_along(vector: str, origin: str) -> Meaning:
    """A length in scene units from a point along a vector of any length."""
    return Meaning("length", origin, (vector,))


def multiples(origin: str, *vectors: str, over: str = "") -> Meaning:
    """A point by its coordinates along vectors, one variable each, from an origin."""
    return Meaning("multiples", origin, vectors, over=over)


def fraction_of_way(start: str, end: str) -> Meaning:
    """The point start + t * (end - start) of two points."""
    return Meaning("fraction", start, (end,))


def reach_around(shape: str) -> Meaning:
    """A radius: the outline of the Minkowski sum of a shape and a sphere of this radius."""
    return Meaning("sum", shape)


PLAIN_NAMES: Meanings = {
    "t": T,
    **dict.fromkeys(("t_min, t_max", "t_near, t_far", "t_enter, t_exit", "tmin, tmax", "tnear, tfar"), T_RANGE),
    "normal": direction_at(),
    "axis": AXIS,
}
"""The names of a function without meanings of its own, a user's, that are taken to mean what they mostly do."""
ANSWER: Meanings = {"t_enter, t_exit": T_RANGE, "normal": direction_at("t_enter"), "axis": AXIS, "feature": FACE}
"""The parts of a method's answer, and the values of `exact`."""
