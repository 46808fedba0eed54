"""Polyhedra and planes as facets: their true faces and edges, and the drawn part of unbounded ones.

An unbounded set is clipped, exactly, by a region somewhat larger than the scene, and fades out towards its
border; a plane is a square sheet around its point nearest to the scene's centre. Where the scene reaches beyond
the horizon of the stage, the region ends there, and bounded shapes that do not are clipped and fade, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from hitscope.draw.chunks import Indices
from hitscope.draw.element_arrays import ElementArrays, elements_at
from hitscope.draw.extent import FAR, HORIZON, Extent, Stage, as_points, beyond_horizon, extent_of
from hitscope.draw.items import NO_FACETS, Cue, Ending, Facets, FacetSide, Role, from_rows, joined
from hitscope.evaluate import Elements
from hitscope.geometry import exact
from hitscope.geometry.arrays import LARGEST, Array, finite, polar
from hitscope.geometry.exact.integers import Homogeneous
from hitscope.geometry.shapes import Aabb, Plane, Shape

MARGIN = 1.25
"""The size of a new region, in sizes of the scene."""
LEAST_MARGIN = 1.05
"""The size, in sizes of the scene, below which a region is replaced."""
FARTHEST = 8.0
"""The sizes of the region beyond which nothing is drawn: float32 and the depth buffer could not hold it."""
FARTHER = 1e3
"""The factor by which a region that ends at the horizon grows until it holds some of a shape."""
MOST_CUT = 256
"""The most boxes, and triangles, of a batch that are cut at the horizon; the rest is drawn uncut."""
SOLID_REACH = 1.15
SHEET_REACH = 1.3
"""The half sizes from the middle at which unbounded sets have faded out: past the sides, before the corners."""


class Region(NamedTuple):
    """The cube by which unbounded sets are clipped."""

    center: Array  # (3,)
    half: float
    ends_at_horizon: bool = False
    """Whether it ends at the horizon: then a shape farther away has a region of its own."""

    def serves(self, new: "Region", extent: Extent) -> bool:
        """Whether the region does in place of the new one of an extent: in a drag it is kept if large enough."""
        if self.ends_at_horizon or new.ends_at_horizon:
            return np.array_equal(self.center, new.center) and self[1:] == new[1:]
        half = self.half / LEAST_MARGIN
        return bool((extent.lo >= self.center - half).all() and (extent.hi <= self.center + half).all())


def region_of(stage: Stage, extent: Extent) -> Region:
    """The region of a scene with these bounds, up to the horizon of the stage where they reach beyond it."""
    beyond = stage.reach(extent) > HORIZON
    with np.errstate(over="ignore"):
        half = HORIZON * stage.scale if beyond else MARGIN * extent.scale
    return Region(stage.anchor if beyond else extent.center, min(half, LARGEST / (4 * FARTHEST)), beyond)


def _around(region: Region, away: float) -> Region:
    """The region for a shape at a distance from the middle of a region that ends at the horizon."""
    widest = max(FAR / HORIZON * region.half, 2 * min(away, LARGEST / 2))
    half = min(max(region.half, HORIZON * min(away, LARGEST / HORIZON)), widest)
    return region._replace(half=min(half, LARGEST / (4 * FARTHEST)))


class Corner(NamedTuple):
    """A corner of a polygon, and how the side from it to the next one is drawn."""

    point: Array
    side: FacetSide = FacetSide.EDGE
    ending: Ending = Ending.PLAIN


class Polygon(NamedTuple):
    """One face; the normal is 0 for a segment or point, which have none."""

    corners: list[Corner]
    normal: Array
    solid: bool


class Surfaces(NamedTuple):
    """The facets of planes and polyhedra, and the element that each belongs to."""

    elements: Indices
    facets: Facets
    front_elements: Indices
    fronts: Array  # (m, 2, 3): where a plane's arrow is, and its direction
    cut_elements: Indices
    """The boxes and triangles that are drawn as facets because they are cut at the horizon."""


def surfaces_of(arrays: ElementArrays, region: Region, elements: Elements) -> Surfaces:
    """The facets of planes and polyhedra, and of those boxes and triangles that end at the horizon."""
    parts: list[tuple[int, Facets]] = []
    cut = _cut_at_horizon(arrays, region) if region.ends_at_horizon else []
    fronts: list[tuple[int, tuple[Array, Array]]] = []
    own = zip(arrays.faceted_elements.tolist(), arrays.faceted_shapes, strict=True)
    for element, shape in chain(own, ((i, elements[i].shape) for i in cut)):
        if isinstance(shape, Plane):
            center, (_, normal) = foot_of(shape, region.center), polar(shape.normal)
            away = 2 * float(np.abs(center / 2 - region.center / 2).max())
            if not region.ends_at_horizon and away > FARTHEST * region.half:
                continue
            half = _around(region, away).half if region.ends_at_horizon else region.half
            sheet = _sheet(center, normal, half)
            part = triangles_of([sheet], center, SHEET_REACH * half)
            fronts.append((element, (sheet.corners[0].point * 0.84 + center * 0.16, normal)))
        else:
            part = facets_of(shape, region)
        parts.append((element, part))
    return Surfaces(
        np.array([element for element, part in parts for _ in part.sizes], np.intp),
        joined(NO_FACETS, *(part for _, part in parts)),
        np.array([element for element, _ in fronts], np.intp),
        np.array([front for _, front in fronts], float).reshape(-1, 2, 3),
        np.array(cut, np.intp),
    )


def facets_of(shape: Shape, region: Region) -> Facets:
    """The facets of a shape other than a plane: all where float32 can hold them, else those in the region."""
    if not exact.is_bounded(shape):
        return triangles_of(_clipped(shape, region), region.center, SOLID_REACH * region.half)
    whole = part_within_horizon(shape, region)
    return whole or triangles_of(_polygons(shape, exact.faces(shape)), np.zeros(3), np.inf)


def moved(facets: Facets, way: Array) -> Facets:
    with np.errstate(over="ignore"):
        return replace(facets, vertices=finite(facets.vertices + way), centers=finite(facets.centers + way))


def part_within_horizon(shape: Shape, region: Region) -> Facets | None:
    """The facets of a bounded shape, clipped by the region; None where float32 can hold the whole shape."""
    if not region.ends_at_horizon:
        return None
    extent = extent_of(np.array(list(map(exact.rounded_point, exact.corners(shape)))))
    assert extent is not None
    beyond, away = beyond_horizon(extent.lo, extent.hi, region.center, region.half)
    if not beyond:
        return None
    own = _around(region, float(away))
    return triangles_of(_clipped(shape, own), own.center, SOLID_REACH * own.half)


def _cut_at_horizon(arrays: ElementArrays, region: Region) -> list[int]:
    """The indices of the elements that are boxes or triangles and end at the horizon."""
    found: list[int] = []
    for batch in arrays.batches:
        for elements, (lows, highs) in batch.bounds[:2]:
            beyond, _ = beyond_horizon(lows, highs, region.center, region.half)
            found += elements_at(elements, np.flatnonzero(beyond)[:MOST_CUT]).tolist()
    return found


def feet_of(shapes: Iterable[Shape], point: Array) -> list[Array]:
    """The point nearest to a point (3,) of each plane among shapes."""
    return [foot_of(shape, point) for shape in shapes if isinstance(shape, Plane)]


def foot_of(shape: Shape, point: Array) -> Array:
    """The point of a plane nearest to a point (3,); for any other shape that point itself."""
    if not isinstance(shape, Plane):
        return point
    size = max(map(abs, shape.normal))
    normal = np.array(shape.normal) / size
    with np.errstate(over="ignore", invalid="ignore"):
        excess = shape.offset / size - float(normal @ point)
        return np.nan_to_num(point + excess / float(normal @ normal) * normal)


def _sheet(center: Array, normal: Array, half: float) -> Polygon:
    """A square of a plane, with sides along coordinate axes if the plane is across one."""
    right = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    right *= half / np.linalg.norm(right)
    up = np.cross(normal, right)
    turned = (right + up, up - right, -right - up, right - up)
    return Polygon([Corner(center + way, FacetSide.CUT) for way in turned], normal, solid=False)


def _clipped(shape: Shape, region: Region) -> list[Polygon]:
    """The faces of a shape clipped by the region, which grows until it holds some of them."""
    half = region.half
    farthest, growth = (LARGEST / 8, FARTHER) if region.ends_at_horizon else (FARTHEST * region.half, 2.0)
    while half <= farthest:
        (ax, ay, az), (bx, by, bz) = (region.center - half).tolist(), (region.center + half).tolist()
        box = Aabb._make(((ax, ay, az), (bx, by, bz)))
        if cycles := exact.faces(shape, box):
            return _polygons(shape, cycles, box)
        half *= growth
    return []


def _polygons(shape: Shape, cycles: Sequence[Sequence[Homogeneous]], box: Aabb | None = None) -> list[Polygon]:
    """Polygons of cycles of corners, cut by a box; a side in its side is a cut, an edge that ends there fades."""
    solid = exact.dimension(shape) == 3
    rounded_corners = {corner: np.array(exact.rounded_point(corner)) for corner in {*chain(*cycles)}}
    of_polygons = [[rounded_corners[corner] for corner in cycle] for cycle in cycles]
    polygons = []
    seen: set[frozenset[Homogeneous]] = set()
    for cycle, points, normal in zip(cycles, of_polygons, _normals(of_polygons), strict=True):
        touched = [exact.box_sides_at(box, corner) if box else set() for corner in cycle]
        corners = []
        for i, corner in enumerate(cycle):
            j = (i + 1) % len(cycle)
            side = frozenset((corner, cycle[j]))
            if side in seen:
                corners.append(Corner(points[i], FacetSide.NONE))
            elif touched[i] & touched[j]:
                corners.append(Corner(points[i], FacetSide.CUT))
            elif touched[i] and touched[j]:
                corners.append(Corner(points[i], FacetSide.EDGE, Ending.FADE_START))
                corners.append(Corner(points[i] / 2 + points[j] / 2, FacetSide.EDGE, Ending.FADE_END))
            else:
                ending = Ending.FADE_START * bool(touched[i]) | Ending.FADE_END * bool(touched[j])
                corners.append(Corner(points[i], FacetSide.EDGE, Ending(ending)))
            seen.add(side)
        polygons.append(Polygon(corners, normal, solid))
    return polygons


def _normals(polygons: Sequence[Sequence[Array]]) -> Array:
    """The unit normals (m, 3) of polygons, counter-clockwise in front (Newell's sums); 0 of those without area."""
    if not polygons:
        return np.empty((0, 3))
    counts = np.array([len(points) for points in polygons])
    starts = np.cumsum(counts) - counts
    points = np.array([point for polygon in polygons for point in polygon]) / 4
    arms = points - np.repeat(points[starts], counts, axis=0)
    arms /= np.repeat(_or_one(np.maximum.reduceat(np.abs(arms).max(axis=1), starts)), counts)[:, None]
    # The first arm of each polygon is 0, so that no product is of two polygons.
    sums = np.add.reduceat(np.cross(arms, np.roll(arms, -1, axis=0)), starts)
    sums /= _or_one(np.abs(sums).max(axis=1))[:, None]
    return np.asarray(sums / _or_one(np.linalg.norm(sums, axis=1))[:, None])


def _or_one(sizes: Array) -> Array:
    return np.where(sizes > 0, sizes, 1.0)


def triangles_of(polygons: Sequence[Polygon], center: Array, reach: float) -> Facets:
    """Cut polygons of one shape into triangles around their middles."""
    bounds = extent_of(as_points(corner.point for polygon in polygons for corner in polygon.corners))
    size = 0.0 if bounds is None else 2 * float(bounds.half.max())
    rows = []
    for corners, normal, solid in polygons:
        middle = sum(corner.point / len(corners) for corner in corners)
        for (point, side, ending), following in zip(corners, (*corners[1:], corners[0]), strict=True):
            vertices = middle, point, following.point
            rows.append((vertices, normal, solid, center, reach, size, side, ending, Role.HIT, Cue.NONE))
    return from_rows(NO_FACETS, rows)
