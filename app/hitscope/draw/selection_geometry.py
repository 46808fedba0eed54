"""The geometry of targets in a report: their shapes, bounds and middle."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import cast

import numpy as np

from hitscope.draw.bundles import bundle_points
from hitscope.draw.element_arrays import clearance, extent_within
from hitscope.draw.extent import SMALLEST, Extent, extent_of, union, with_margin
from hitscope.draw.facets import foot_of
from hitscope.draw.picture import Picture
from hitscope.draw.shape_drawings import Handled, bounding_points, handle_points, shape_with_handles
from hitscope.draw.target import Target, Targets
from hitscope.evaluate import Elements, Report
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import ENDLESS, Frame, Obb, Shape, Sphere, Vec3
from hitscope.geometry.traits import axes_of
from hitscope.geometry.vector import vec3
from hitscope.scene.bulk import MeshPrimitive
from hitscope.scene.checked_shapes import IDENTITY, axes_from_quaternion
from hitscope.scene.items import Single
from hitscope.scene.named_items import split

SMALLEST_SIZE = 1e-12
"""The size of a shape, as a part of its coordinates, below which it is framed as a point."""
SMALLEST_FRAME = 0.05
"""The margin around a framed point, as a part of the scene's size."""
CLEARANCES = 5.0
"""The margin as a multiple of the distance to the nearest shape, where that is less."""


def elements_of(report: Report, target: Target) -> Elements:
    """The elements or the probes of a report, whichever has the target."""
    if target.kind == "primitive":
        return report.elements
    return report.disabled_probes if split(target.id)[0] in report.disabled_probes.ids else report.probes


def indices_of(report: Report, target: Target) -> range:
    """The indices of a target, of a bulk item those of all its elements, among the report's elements or probes."""
    try:
        return elements_of(report, target).indices_of(target.id)
    except KeyError:
        return range(0)


def handled_of(report: Report, target: Target) -> Handled | None:
    """The item of a target; of a bulk item the shape of its first element; None if there is none."""
    elements = elements_of(report, target)
    found = ((elements.items[elements.locate(i)[0]], i) for i in indices_of(report, target)[:1])
    return next((item if isinstance(item, Single) else elements[i].shape for item, i in found), None)


def shape_of(report: Report, target: Target) -> Shape | None:
    """The shape of a target; of a bulk item that of its first element; None if there is none."""
    handled = handled_of(report, target)
    return None if handled is None else shape_with_handles(handled)


def own_axes_of(report: Report, target: Target) -> Frame:
    """The target's own axes in rows, those of a rotated box or mesh; else the world's."""
    shape = shape_of(report, target)
    if shape is None:
        return IDENTITY
    elements = elements_of(report, target)
    item = elements.items[elements.item_and_row(target.id)[0]]
    if isinstance(item, MeshPrimitive):
        return axes_from_quaternion(item.quaternion_xyzw) if item.quaternion_xyzw else IDENTITY
    return axes_of(shape)


def bounds_of(picture: Picture, targets: Sequence[Target]) -> Extent | None:
    """The bounds of targets; None if they are unbounded or there are none."""
    report = picture.report
    indices = report.elements.indices_of_all(target.id for target in targets if target.kind == "primitive")
    bounds = extent_within(picture.arrays, indices) if len(indices) else None
    names = {target.id for target in targets if target.kind == "probe"}
    points: list[Array] = []
    for part in (*report.probes.parts, *report.disabled_probes.parts) if names else ():
        if part.id in names and part.shapes is not None:
            points.append(bundle_points(part.shapes))
        elif part.id in names and part.shape is not None:
            points += handle_points(part.shape), bounding_points(part.shape)
    rows = (report.probes.find_index(name) for name in names if split(name)[1] is not None)
    points += (handle_points(report.probes[index].shape) for index in rows if index is not None)
    return reduce(union, map(extent_of, points), bounds)


def framed(picture: Picture, targets: Sequence[Target], whole: Extent) -> Extent:
    """The extent that framing targets shows, with room around them; `whole` are the bounds of the scene."""
    own = bounds_of(picture, targets)
    if own is None:
        return whole
    if own.half.max() > max(SMALLEST_SIZE * np.abs(own.center).max(), SMALLEST):
        return with_margin(own)
    margin = min(SMALLEST_FRAME * whole.scale, CLEARANCES * clearance(picture.arrays, own))
    return Extent(own.lo - margin, own.hi + margin)


def middle_of(picture: Picture, selection: Targets, whole: Extent) -> Vec3 | None:
    """The middle of targets, of a ray or line its origin; None for none. `whole` are the bounds of the scene."""
    if not selection:
        return None
    bounds, last = bounds_of(picture, selection), selection[-1]
    shape = shape_of(picture.report, last)
    if bounds is None:
        # What is unbounded has no middle.
        bounds = extent_of((foot_of(shape, whole.center) if shape is not None else whole.center)[None])
    elif shape is not None and len(selection) == 1:
        if type(shape) in ENDLESS:
            bounds = extent_of(handle_points(shape)[:1])
        elif "center" in shape._fields and len(indices_of(picture.report, last)) == 1:
            # The stored center keeps every bit when the shape is turned about it.
            return cast(Obb | Sphere, shape).center
    assert bounds is not None
    sides = zip(bounds.lo.tolist(), bounds.hi.tolist(), strict=True)
    return vec3(rounded((Fraction(repr(lo)) + Fraction(repr(hi))) / 2) for lo, hi in sides)
