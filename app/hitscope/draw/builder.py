"""Draw lists of one report after another."""

import math
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from hitscope.draw.bundles import bundle_points
from hitscope.draw.element_arrays import BULK_BATCH_FROM, ElementArrays, element_arrays_of
from hitscope.draw.extent import Extent, Stage, as_points, extent_of, stage_extent, union, with_margin
from hitscope.draw.facets import Region, Surfaces, feet_of, region_of, surfaces_of
from hitscope.draw.items import Codes, DrawList, Role, with_old_arrays
from hitscope.draw.picture import Picture
from hitscope.draw.shape_drawings import bounding_points, handle_points
from hitscope.draw.target import UNMARKED, Marked
from hitscope.evaluate import Elements, Part, Report
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import ENDLESS, Vec3

PLANE_SHOWN = 3.0
"""The distance of a plane from the scene's center, in sizes of the scene, below which it counts for the bounds."""


class Builder:
    """Builds one draw list after another, and reuses each array that did not change."""

    def __init__(self, previous: "Builder | None" = None, bulk_batch_from: int = BULK_BATCH_FROM) -> None:
        """Take over the second batch of `previous`, that of bulk items of at least `bulk_batch_from` shapes."""
        self._bulk_batch_from = bulk_batch_from
        self._elements: object = None
        self._arrays: ElementArrays = previous._arrays if previous else element_arrays_of(Elements((), ()))
        self._region: Region | None = None
        self._surfaces: Surfaces | None = None
        self._picture: Picture | None = None
        self._camera: tuple[Vec3, Vec3] | None = None
        self._picture_camera: tuple[Vec3, Vec3] | None = None
        self._measured: tuple[Report, Stage, Extent] | None = None
        self._last_arguments: tuple[Picture, Marked] | None = None
        self._last: DrawList | None = None

    def build(self, report: Report, marked: Marked = UNMARKED) -> DrawList:
        """The draw list of a report."""
        arguments = self.picture(report), marked
        if self._last is None or arguments != self._last_arguments:
            new = arguments[0].draw_list(marked)
            self._last = new if self._last is None else with_old_arrays(new, self._last)
            self._last_arguments = arguments
        return self._last

    def extent(self, report: Report) -> Extent:
        """The bounds of the whole scene."""
        arrays = self._arrays_of(report)
        corners = union(arrays.extent, extent_of(_probe_corners(report, arrays.extent)))
        if corners is not None and len(report.elements) + len(report.probes) + len(report.disabled_probes) == 1:
            return with_margin(corners)
        base = corners or stage_extent(None, None)
        feet = feet_of(arrays.faceted_shapes, base.center)
        reach = PLANE_SHOWN * base.scale
        near = [foot for foot in feet if not corners or np.abs(foot - base.center).max() < reach]
        return union(corners, extent_of(as_points(near))) or base

    def corners(self, report: Report) -> Array:
        """Points (n, 3) whose convex hull contains the scene, for framing it."""
        arrays = self._arrays_of(report)
        own = np.concatenate([arrays.corners, _probe_corners(report, arrays.extent)])
        own_extent, bounds = extent_of(own), self.extent(report)
        # The bounds have a margin around a single shape, and reach to planes.
        fits = own_extent is not None and (own_extent.lo <= bounds.lo).all() and (own_extent.hi >= bounds.hi).all()
        return own if fits else bounds.corners

    def _arrays_of(self, report: Report) -> ElementArrays:
        if self._elements is not report.elements:
            self._elements = report.elements
            self._arrays = element_arrays_of(report.elements, self._arrays, self._bulk_batch_from)
            self._region = None
        return self._arrays

    def set_camera(self, eye: Vec3, target: Vec3) -> None:
        """Set the camera's eye and target: later pictures are precise near the target, in a scene of any size."""
        self._camera = eye, target

    def picture(self, report: Report) -> Picture:
        """The picture of a report; the same object as long as the report and the stage are the same."""
        if self._picture is not None and self._picture.report is report and self._picture_camera == self._camera:
            return self._picture
        self._arrays_of(report)
        if self._measured is None or self._measured[0] is not report:
            probes = extent_of(_probe_corners(report, self._arrays.extent))
            bounds = stage_extent(self._arrays.extent, probes)
            base, around = Stage(bounds.center, bounds.scale), union(bounds, probes) or bounds
            if self._measured is not None:
                base, around = old_if_equal(base, self._measured[1]), old_if_equal(around, self._measured[2])
            self._measured = report, base, around
        _, base, around = self._measured
        stage = self._stage(base, around)
        if self._picture is None or self._picture.report is not report or self._picture.stage is not stage:
            region, surfaces = self._unbounded(report, stage, around)
            before = self._picture
            roles = before.element_roles if before and before.report is report else _roles_of(report)
            self._picture = Picture(report, self._arrays, region, surfaces, roles, stage, around, before)
        self._picture_camera = self._camera
        return self._picture

    def _stage(self, base: Stage, around: Extent) -> Stage:
        """The stage of the whole scene, or one around the camera's target where that is drawn more precisely."""
        if self._camera is None:
            return base
        eye, target = map(np.array, self._camera)
        if base.is_precise_at(eye, target, around):
            return base
        if self._picture is not None and self._picture.stage.is_precise_at(eye, target, around):
            return self._picture.stage
        return Stage(target, math.dist(eye, target) or 1.0)

    def _unbounded(self, report: Report, stage: Stage, around: Extent) -> tuple[Region, Surfaces]:
        """The facets of planes and polyhedra, and the region that they are clipped by."""
        region = region_of(stage, around)
        if self._region is None or self._surfaces is None or not self._region.serves(region, around):
            self._region, self._surfaces = region, surfaces_of(self._arrays, region, report.elements)
        return self._region, self._surfaces


def _roles_of(report: Report) -> Codes:
    """The role of each element; (N,)."""
    if not len(report.probes):
        return np.full(len(report.elements), Role.NEUTRAL, np.uint8)
    if report.nearest_only:
        return np.where(report.shown_hits, np.uint8(Role.HIT), np.uint8(Role.NEUTRAL))
    # In one pass over bytes, of which there may be a million: HIT is 0 and MISS is 1.
    return np.bitwise_xor(report.hit_elements.view(np.uint8), np.uint8(Role.MISS))


def _probe_corners(report: Report, elements: Extent | None) -> Array:
    """Points (n, 3) that bound the probes, beside elements with these bounds.

    A ray counts by its origin; where no shape of the scene has a size, by its tip, too, as nothing else tells how
    large the picture is. Disabled probes count where there is nothing else.
    """
    parts = report.probes.parts if elements is not None or report.probes.parts else report.disabled_probes.parts
    points = [_part_corners(part) for part in parts]
    if not any(extent is not None and extent.half.any() for extent in (elements, *map(extent_of, points))):
        points = [_part_corners(part, with_tips=True) for part in parts]
    return np.concatenate([as_points(()), *points])


def _part_corners(part: Part, with_tips: bool = False) -> Array:
    """Points (n, 3) that bound one item among the probes; of a large one the corners of its bounds."""
    if part.shapes is not None:
        extent = extent_of(bundle_points(part.shapes, with_tips))
        return as_points(()) if extent is None else extent.corners
    assert part.shape is not None
    # An endless shape has its tip among its handles, and is bounded by its origin only.
    return handle_points(part.shape) if with_tips and type(part.shape) in ENDLESS else bounding_points(part.shape)


P = TypeVar("P", Stage, Extent)


def old_if_equal(new: P, old: P) -> P:
    pairs: Iterable[tuple[Any, Any]] = zip(new, old, strict=True)
    return old if all(np.array_equal(a, b) for a, b in pairs) else new
