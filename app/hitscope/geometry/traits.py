"""A shape's bounds and axes, its features' names, and whether it is degenerate: what its record says of it."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Shapes, numbers_of
from hitscope.geometry.exact.features import normals
from hitscope.geometry.exact.integers import rounded_point
from hitscope.geometry.exact.questions import corners, dimension, is_bounded
from hitscope.geometry.exact.sets import convex_set, radius_of
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.kinds.record import grown, of_points
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.geometry.shapes import Frame, Shape

Bounds: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The lowest and the highest coordinates, (3,) each."""


def bounds_of(shape: Shape) -> Bounds:
    """Return the bounds of a shape, a little wider where they are rounded; infinite where it is unbounded."""
    kind = KINDS[type(shape)]
    if kind.bounds is not None or (kind.points(shape) and not isinstance(shape, Wrapped)):
        with np.errstate(over="ignore", invalid="ignore"):
            lo, hi = (kind.bounds or of_points)(np.array(numbers_of(shape), float)[:, None])
    elif is_bounded(shape):
        lo, hi = of_points(np.array(list(map(rounded_point, corners(shape)))).reshape(-1, 1))
        radius = float(radius_of(shape))
        with np.errstate(over="ignore", invalid="ignore"):
            lo, hi = grown(lo, hi, -radius, radius)
    else:
        return np.full(3, -np.inf), np.full(3, np.inf)
    return lo[:, 0], hi[:, 0]


def all_bounds(shapes: Sequence[Shape]) -> NDArray[np.float64]:
    """Return the bounds of many shapes, (n, 2, 3)."""
    found = np.empty((len(shapes), 2, 3))
    for kind in dict.fromkeys(map(type, shapes)):
        indices = [i for i, shape in enumerate(shapes) if type(shape) is kind]
        if (bounds := KINDS[kind].bounds) is None:
            found[indices] = [bounds_of(shapes[i]) for i in indices]
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                ends = bounds(Shapes.of([shapes[i] for i in indices]).rows)
            found[indices] = np.stack(ends).transpose(2, 0, 1)
    return found


def is_degenerate(shape: Shape) -> bool:
    """Whether a shape has fewer dimensions than its type: a segment of no length, a box of no volume. Exact."""
    return dimension(shape) < KINDS[type(shape)].dimension


def axes_of(shape: Shape) -> Frame:
    """Return the axes that a shape stores, else the coordinate axes."""
    return KINDS[type(shape)].axes(shape)


def feature_name(shape: Shape, feature: int) -> str | None:
    """Return the name of the feature that a method answered with, e.g. "face +x"; None of NO_FEATURE."""
    if (names := KINDS[type(shape)].feature_names) is None:
        names = _names_of_planes(shape)
    return names[feature] if 0 <= feature < len(names) else None


def _names_of_planes(shape: Shape) -> tuple[str, ...]:
    """Return the names of the planes in the order of `planes_of`; the last ones of a flat hull have no names."""
    axis_names = KINDS[type(shape)].axis_names
    if axis_names and dimension(shape) < 3:
        return ()
    names = []
    for slab, normal in zip(convex_set(shape).slabs, normals(shape), strict=False):
        names += [normal.ahead] * (slab.hi is not None) + [normal.behind] * (slab.lo is not None)
    return *names, *(f"slab {name}" for name in axis_names)
