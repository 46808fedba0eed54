"""The marks of a pair: a hit's entry, exit and normal, and a miss's separating axis."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from hitscope.draw.items import Role
from hitscope.evaluate.verdict import Verdict
from hitscope.geometry import exact
from hitscope.geometry.arrays import Array, finite
from hitscope.geometry.shapes import Shape, Vec3, is_linear, linear


class Mark(NamedTuple):
    """An entry or exit point, with the normal at an entry where there is one."""

    position: Array
    role: Role
    normal: Array | None


def marks_of(shape: Shape, verdict: Verdict) -> Iterator[Mark]:
    """The marks of one hit; where a probe starts or ends inside it has a handle instead of a mark."""
    if not is_linear(shape) or not verdict.hit:
        return
    line = linear(shape)
    enter, leave = verdict.t_enter, verdict.t_exit
    if verdict.point is not None and (verdict.normal is not None or (enter or 0) > line.t_min):
        normal = None if verdict.normal is None else np.array(verdict.normal)
        yield Mark(np.array(verdict.point), Role.ENTRY, normal)
    if leave is not None and leave != enter and leave < line.t_max:
        with np.errstate(over="ignore", invalid="ignore"):
            position = finite(np.array(line.origin) + leave * np.array(line.direction))
        yield Mark(position, Role.EXIT, None)


def axis_between(gap: tuple[Vec3, Vec3], probe: Shape, primitive: Shape) -> tuple[Array, Array] | None:
    """The point on the primitive where the separating axis is drawn, and its unit direction; None for a hit."""
    found = exact.witness(probe, primitive)
    direction = exact.unit(found.vector) if isinstance(found, exact.Axis) else None
    return None if direction is None else (np.array(gap[1]), np.array(direction))
