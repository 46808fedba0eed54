"""Polyhedra and planes as facets: true faces and edges, and what is unbounded as far as it is drawn.

An unbounded set is clipped, exactly, by a region somewhat larger than the scene, and fades out towards its
border; a plane is a square sheet around its point nearest to the scene's centre.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from hitscope.draw.bodies import Bodies, bounded
from hitscope.draw.chunks import Indices
from hitscope.draw.extent import LARGEST, Extent
from hitscope.draw.items import Array, Ending, Facets, Side
from hitscope.geometry.exact import convex_set, rounded
from hitscope.geometry.exact.hull import Slab
from hitscope.geometry.exact.integers import Homogeneous, dot
from hitscope.geometry.exact.sets import clip_cycle
from hitscope.geometry.shapes import Aabb, Plane, Polyhedron

MARGIN = 1.25
"""A new region is so many times as large as the scene."""
LEAST_MARGIN = 1.05
"""A region is kept as long as it is so many times as large as the scene."""
FARTHEST = 8.0
"""What is not within so many times the region's size is not drawn: float32 and the depth could not hold it."""
SOLID_REACH = 1.15
SHEET_REACH = 1.3
"""What is unbounded is gone at so many half sizes from the middle: past the sides, before the corners."""


class Region(NamedTuple):
    """The cube that holds all that is drawn of unbounded sets."""

    center: Array  # (3,)
    half: float

    def holds(self, extent: Extent) -> bool:
        """Say whether the region is large enough for a scene."""
        half = self.half / LEAST_MARGIN
        return bool((extent.lo >= self.center - half).all() and (extent.hi <= self.center + half).all())


def region_of(extent: Extent) -> Region:
    """Give the region of a scene."""
    with np.errstate(over="ignore"):
        return Region(extent.center, min(MARGIN * extent.scale, LARGEST / (4 * FARTHEST)))


class Corner(NamedTuple):
    """A corner of a polygon, and what is drawn from it to the next one."""

    point: Array
    side: Side = Side.EDGE
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


def surfaces_of(bodies: Bodies, region: Region) -> Surfaces:
    """Give what is drawn of planes and polyhedra."""
    parts: list[Facets] = []
    elements: list[int] = []
    fronts: list[tuple[Array, Array]] = []
    front_elements: list[int] = []
    for element, shape in zip(bodies.body_elements.tolist(), bodies.body_shapes, strict=True):
        if isinstance(shape, Plane):
            center, normal = foot_of(shape, region.center), _unit(shape.normal)
            if np.abs(center / 2 - region.center / 2).max() > FARTHEST * region.half / 2:
                continue
            sheet = _sheet(center, normal, region.half)
            part = _facets([sheet], center, SHEET_REACH * region.half)
            fronts.append((sheet.corners[0].point * 0.84 + center * 0.16, normal))
            front_elements.append(element)
        elif bounded(shape):
            part = _facets(_faces(shape), np.zeros(3), np.inf)
        else:
            part = _facets(_clipped(shape, region), region.center, SOLID_REACH * region.half)
        parts.append(part)
        elements += [element] * len(part.sizes)
    return Surfaces(
        np.array(elements, np.intp),
        _joined(parts),
        np.array(front_elements, np.intp),
        np.array(fronts, float).reshape(-1, 2, 3),
    )


def foot_of(plane: Plane, point: Array) -> Array:
    """Give the point of a plane that is nearest to a point (3,)."""
    size = max(map(abs, plane.normal))
    normal = np.array(plane.normal) / size
    with np.errstate(over="ignore", invalid="ignore"):
        excess = plane.offset / size - float(normal @ point)
        foot = point + excess / float(normal @ normal) * normal
    return np.nan_to_num(foot)


def _sheet(center: Array, normal: Array, half: float) -> Polygon:
    """Give a square of the plane, its sides along the axes where the plane is."""
    right = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    right *= half / np.linalg.norm(right)
    up = np.cross(normal, right)
    turned = (right + up, up - right, -right - up, right - up)
    return Polygon([Corner(center + way, Side.CUT) for way in turned], normal, solid=False)


def _faces(shape: Polyhedron) -> list[Polygon]:
    """Give the faces of a bounded polyhedron."""
    found = convex_set(shape)
    return _polygons(found.faces, (), solid=not found.planes)


def _clipped(shape: Polyhedron, region: Region) -> list[Polygon]:
    """Give the faces of an unbounded polyhedron in the region, which grows where it holds none of them."""
    found = convex_set(shape)
    half = region.half
    while half <= FARTHEST * region.half:
        (ax, ay, az), (bx, by, bz) = (region.center - half).tolist(), (region.center + half).tolist()
        walls = convex_set(Aabb((ax, ay, az), (bx, by, bz))).slabs
        cycles = [clipped for face in found.faces if (clipped := clip_cycle(face, walls))]
        if cycles:
            return _polygons(cycles, walls, solid=not found.planes)
        half *= 2
    return []


def _polygons(cycles: Iterable[Sequence[Homogeneous]], walls: Sequence[Slab], solid: bool) -> list[Polygon]:
    """Give cycles of corners as polygons; what lies in a wall is cut, what ends there fades."""
    polygons = []
    seen: set[frozenset[Homogeneous]] = set()
    for cycle in cycles:
        points = [_rounded(corner) for corner in cycle]
        touched = [_walls_at(corner, walls) for corner in cycle]
        corners = []
        for i, corner in enumerate(cycle):
            j = (i + 1) % len(cycle)
            shared = frozenset((corner, cycle[j])) in seen
            seen.add(frozenset((corner, cycle[j])))
            if shared:
                corners.append(Corner(points[i], Side.NONE))
            elif touched[i] & touched[j]:
                corners.append(Corner(points[i], Side.CUT))
            elif touched[i] and touched[j]:
                corners.append(Corner(points[i], Side.EDGE, Ending.FADE_START))
                corners.append(Corner(points[i] / 2 + points[j] / 2, Side.EDGE, Ending.FADE_END))
            else:
                ending = Ending.FADE_START * bool(touched[i]) | Ending.FADE_END * bool(touched[j])
                corners.append(Corner(points[i], Side.EDGE, Ending(ending)))
        polygons.append(Polygon(corners, _normal(np.array(points)), solid))
    return polygons


def _walls_at(corner: Homogeneous, walls: Sequence[Slab]) -> set[tuple[int, int]]:
    """Give the sides of the walls that a corner lies on."""
    return {
        (i, end)
        for i, wall in enumerate(walls)
        for end, bound in enumerate((wall.lo, wall.hi))
        if bound is not None and dot(wall.normal, corner) == bound * corner[3]
    }


def _rounded(corner: Homogeneous) -> Array:
    return np.array([rounded(Fraction(part, corner[3])) for part in corner[:3]])


def _normal(points: Array) -> Array:
    """Give the unit normal of a polygon's corners (k, 3), counter-clockwise in front (Newell's sum)."""
    arms = points / 4 - points[0] / 4
    arms /= np.abs(arms).max(initial=0) or 1.0
    return _unit(np.cross(arms, np.roll(arms, -1, axis=0)).sum(axis=0))


def _unit(vector: Sequence[float] | Array) -> Array:
    scaled = np.asarray(vector, float)
    scaled = scaled / (np.abs(scaled).max() or 1.0)
    return np.asarray(scaled / (np.linalg.norm(scaled) or 1.0))


def _facets(polygons: Sequence[Polygon], center: Array, reach: float) -> Facets:
    """Cut polygons of one shape into triangles around their middles."""
    corners = [corner for polygon in polygons for corner in polygon.corners]
    following = [c for polygon in polygons for c in (*polygon.corners[1:], polygon.corners[0])]
    of = [polygon for polygon in polygons for _ in polygon.corners]
    points = np.array([corner.point for corner in corners], float).reshape(-1, 3)
    counts = [len(polygon.corners) for polygon in polygons]
    middles = [sum(c.point / count for c in p.corners) for p, count in zip(polygons, counts, strict=True)]
    n = len(corners)
    size = float((points.max(axis=0) / 2 - points.min(axis=0) / 2).max()) * 2 if n else 0.0
    return Facets(
        vertices=np.stack(
            [
                np.repeat(np.array(middles, float).reshape(-1, 3), counts, axis=0),
                points,
                np.array([corner.point for corner in following], float).reshape(-1, 3),
            ],
            axis=1,
        ),
        normals=np.array([polygon.normal for polygon in of], float).reshape(-1, 3),
        solid=np.array([polygon.solid for polygon in of], np.bool_),
        centers=np.tile(center, (n, 1)),
        reaches=np.full(n, reach),
        sizes=np.full(n, size),
        sides=np.array([corner.side for corner in corners], np.uint8),
        endings=np.array([corner.ending for corner in corners], np.uint8),
        roles=np.zeros(n, np.uint8),
        cues=np.zeros(n, np.uint8),
    )


def _joined(parts: Sequence[Facets]) -> Facets:
    whole = [_facets((), np.zeros(3), np.inf), *parts]
    return Facets(*(np.concatenate([getattr(part, f.name) for part in whole]) for f in fields(Facets)))
