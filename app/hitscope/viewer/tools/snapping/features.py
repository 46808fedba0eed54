"""Snapping to corners and edges, and to faces and round surfaces."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any

import numpy as np

from hitscope.draw.intervals import ParametricLine, round_intervals
from hitscope.geometry.arrays import Array
from hitscope.geometry.features.shape_features import ExactPoint, Face, features
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Shape
from hitscope.geometry.vector import vec3
from hitscope.scene.exact_points import between, on_edge, on_plane, on_surface
from hitscope.viewer.tools.snapping.search import REACH, NearElement, Snap, SnapSearch, axes_of, hits

OUTLINE_SIDES = 64


def snap_to_face(search: SnapSearch) -> Snap | None:
    """The face or surface in front at the pixel; for a handle on a line or in a plane, one near it."""
    if search.query.level is not None:
        return _face_through_plane(search) or _surface_through_plane(search)
    return _face_in_front(search) if search.query.constraint is None else _face_on_line(search)


def outward(shape: Shape, point: Sequence[float]) -> list[Fraction]:
    """The vector from a round shape's axis, or its center, to a point; near its surface the outward normal."""
    corners = features(shape).exact_corners
    start, end = corners[0], corners[-1]
    way = [q - p for p, q in zip(start, end, strict=True)]
    out = [Fraction(q) - p for p, q in zip(start, point, strict=True)]
    squared = sum(n * n for n in way)
    part = sum(n * m for n, m in zip(way, out, strict=True)) / squared if squared else 0
    return [m - n * min(max(part, 0), 1) for n, m in zip(way, out, strict=True)]


def _face_in_front(search: SnapSearch) -> Snap | None:
    ray = search.query.ray
    for depth, element, face in sorted(_crossed(search, *ray, within=True), key=itemgetter(0)):
        point = ray.at(depth)
        if depth > 0 and _is_within(element, face, point):
            break
    else:
        return None
    key, words = element.face_key("face", face), element.face_words(face)
    lines, found = _outline(search, element, face), None
    for decimals in (search.query.view.decimals(point), None):
        on_face = on_plane(face.normal, face.offset, point, decimals) if face else None
        exact = on_face or _on_surface(search, element, point, decimals)
        found = search.snap_to(key, exact, words, element, lines) if exact else found
        if found and hits(found.item.shape, element.shape):
            break  # else the point with few decimals may be beyond the face's border
    return found


def _face_on_line(search: SnapSearch) -> Snap | None:
    query, target = search.query, search.query.target
    assert query.constraint is not None
    start = np.array(target.point)
    crossed = sorted(_crossed(search, start, query.constraint), key=itemgetter(0))
    keys = [element.face_key("face", face) for _, element, face in crossed]
    points = np.array([start + depth * query.constraint for depth, _, _ in crossed]).reshape(-1, 3)
    best = search.least(keys, query.distances(points, query.free_pixel), REACH)
    if best is None:
        return None
    _, element, face = crossed[best]
    constraint = [Fraction(value) for value in query.constraint.tolist()]
    first = vec3(Fraction(b) + Fraction(v) for b, v in zip(target.base, target.vector, strict=True))
    if face is None:
        on = on_surface(element.shape, first, constraint, points[best])
        return on and _snap_onto(search, element, None, points[best], on)
    slope = sum(n * u for n, u in zip(face.normal, constraint, strict=True))
    part = (face.offset - sum(n * p for n, p in zip(face.normal, first, strict=True))) / slope
    crossing = vec3(p + part * u for p, u in zip(first, constraint, strict=True))
    return _snap_onto(search, element, face, points[best], crossing)


def _face_through_plane(search: SnapSearch) -> Snap | None:
    """A snap to the line in which a face's plane meets the plane of the drag."""
    query, k = search.query, search.query.level
    assert k is not None
    owners = search.faces
    if not owners:
        return None
    normals, anchors = search.face_arrays("normals", "anchors")
    slopes = normals.copy()
    slopes[:, k] = 0.0
    with np.errstate(all="ignore"):
        ways = np.einsum("ni,ni->n", normals, anchors - query.free) / np.einsum("ni,ni->n", slopes, slopes)
        points = np.array(query.free) + ways[:, None] * slopes
    keys = [element.face_key("face", face) for element, face in owners]
    best = search.least(keys, query.distances(points, query.free_pixel), REACH)
    if best is None:
        return None
    (element, face), point = owners[best], points[best]
    slope = vec3(0 if i == k else n for i, n in enumerate(face.normal))
    offset = face.offset - face.normal[k] * query.height
    exact = list(on_plane(slope, offset, point, query.view.decimals(point)))
    exact[k] = query.height
    return _snap_onto(search, element, face, point, vec3(exact))


def _snap_onto(
    search: SnapSearch, element: NearElement, face: Face | None, near: Array, point: ExactPoint
) -> Snap:
    """Put the handle on a round surface or a plane, close to `near` (3,); outside of a face it touches nothing."""
    inside = _is_within(element, face, near)
    words = element.face_words(face) if inside else f"the plane of {element.face_words(face)}"
    lines = _outline(search, element, face)
    return search.snap_to(element.face_key("face", face), point, words, element if inside else None, lines)


def _crossed(
    search: SnapSearch, origin: Array, way: Array, within: bool = False
) -> Iterator[tuple[float, NearElement, Face | None]]:
    """The faces whose planes a line crosses, `within` their reach, and round surfaces, with the distances."""
    balls = search.balls
    for element, ends in zip(balls, _through(balls, origin, way).tolist(), strict=True):
        yield from ((depth, element, None) for depth in ends if math.isfinite(depth))
    owners = search.faces
    if not owners:
        return
    normals, anchors, reaches = search.face_arrays("normals", "anchors", "reaches")
    with np.errstate(all="ignore"):
        depths = np.einsum("ni,ni->n", normals, anchors - origin) / (normals @ way)
        kept = np.isfinite(depths)
        if within:
            kept &= ~(np.linalg.norm(origin + depths[:, None] * way - anchors, axis=1) > reaches)
    yield from ((float(depths[i]), *owners[i]) for i in np.flatnonzero(kept))


def _through(balls: Sequence[NearElement], origin: Array, way: Array) -> Array:
    """The distances (n, 2) along a line at which it enters and leaves round shapes; NaN where it passes one."""
    return round_intervals(ParametricLine(origin, way, -math.inf, math.inf), *axes_of(balls))


def _on_surface(search: SnapSearch, element: NearElement, near: Array, decimals: int | None) -> ExactPoint | None:
    """The point of a round surface with rounded coordinates of a near point (3,), in the plane of the drag."""
    level, out = search.query.level, [abs(value) for value in outward(element.shape, near.tolist())]
    values = [Fraction(value if decimals is None else round(value, decimals)) for value in near.tolist()]
    if level is not None:
        out[level], values[level] = Fraction(-1), search.query.height
    along = [Fraction(int(k == out.index(max(out)))) for k in range(3)]
    return on_surface(element.shape, vec3(values), along, near)


def _surface_through_plane(search: SnapSearch) -> Snap | None:
    """A snap to the curve in which a round surface meets the plane of the drag."""
    query, k, balls = search.query, search.query.level, search.balls
    assert k is not None
    points = np.full((len(balls), 3), np.nan)
    free = np.array(query.free)
    free[k] = float(query.height)
    for point, element in zip(points, balls, strict=True):
        out = np.array(outward(element.shape, free.tolist()), float)
        out[k] = 0.0
        with np.errstate(all="ignore"):
            way = out / np.linalg.norm(out)
            (ends,) = _through([element], free, way)
            point[:] = free + ends[np.abs(np.nan_to_num(ends)).argmin()] * way
    keys = [element.face_key("face", None) for element in balls]
    best = search.least(keys, query.distances(points, query.free_pixel), REACH)
    if best is None:
        return None
    element, near = balls[best], points[best]
    on = _on_surface(search, element, near, query.view.decimals(near)) or _on_surface(search, element, near, None)
    return on and _snap_onto(search, element, None, near, on)


def _outline(search: SnapSearch, element: NearElement, face: Face | None) -> Array:
    """The lines (n, 2, 3) that mark a face by its edges, a round shape by its outline as it is seen."""
    if face is not None:
        return element.face_outline(face)
    angles = np.linspace(0, 2 * math.pi, OUTLINE_SIDES, endpoint=False)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ search.query.view.camera.axes[:2]
    start, end = element.features.corners[[0, -1]]
    centers = np.where((around @ (end - start) > 0)[:, None], end, start)
    points = centers + element.features.radius * around
    return np.stack([points, np.roll(points, -1, axis=0)], axis=1)


def _is_within(element: NearElement, face: Face | None, point: Array) -> bool:
    """Whether a point (3,) of a face's plane is within its polygon, in floats."""
    if face is None or not face.corners:
        return True
    corners = element.features.corners[list(face.corners)]
    turns = np.cross(np.roll(corners, -1, axis=0) - corners, point - corners)
    sides = turns @ element.features.normals[element.features.faces.index(face)]
    return bool((sides >= 0).all() or (sides <= 0).all())


def snap_to_corner(search: SnapSearch) -> Snap | None:
    owners = [(element, k) for element in search.near for k in range(len(element.features.corners))]
    corners = [element.features.corners for element in search.near]
    keys = [("vertex", element.id, k) for element, k in owners]
    nearest = search.nearest(keys, np.concatenate([np.empty((0, 3)), *corners]))
    if nearest is None:
        return None
    best, occluder = nearest
    element, k = owners[best]
    words = _corner_words(element, k) + _occlusion_words(element, occluder)
    return search.snap_to(keys[best], element.features.exact_corners[k], words, element)


def _corner_words(element: NearElement, k: int) -> str:
    # The first fields are the points that have names, of which the ends of an axis are found in another order.
    shape: Any = element.shape
    named = zip(shape, KINDS[type(element.shape)].corner_names, strict=False)
    corner = element.features.exact_corners[k]
    name = next((name for point, name in named if tuple(map(Fraction, point)) == corner), "corner")
    return f"{name} of {element.id}" if name else element.id


def snap_to_edge(search: SnapSearch) -> Snap | None:
    """The middle of an edge, or the point of it nearest to the line of sight, or in the plane of the drag."""
    query, k = search.query, search.query.level
    if query.constraint is not None:
        return None
    owners = [(element, edge) for element in search.near for edge in element.features.edges]
    ends = [e.features.corners[np.array(e.features.edges)] for e in search.near if e.features.edges]
    lines = np.concatenate([np.empty((0, 2, 3)), *ends])
    starts, ways = lines[:, 0], lines[:, 1] - lines[:, 0]
    if k is None:
        points = query.ray.nearest_on_segments(starts, lines[:, 1])
    else:
        with np.errstate(all="ignore"):
            parts = (float(query.height) - starts[:, k]) / ways[:, k]
            parts[~((parts >= 0) & (parts <= 1))] = np.nan
            points = starts + parts[:, None] * ways
    keys = [("edge", element.id, edge) for element, edge in owners]
    nearest = search.nearest(keys, points)
    if nearest is None:
        return None
    best, occluder = nearest
    element, (i, j) = owners[best]
    a, b = element.features.exact_corners[i], element.features.exact_corners[j]
    words = _edge_words(element)
    if k is not None:
        point = between(a, b, (query.height - a[k]) / (b[k] - a[k]))
    elif query.distances(lines[best].mean(axis=0)[None])[0] <= REACH:
        point, words = between(a, b, Fraction(1, 2)), f"middle of {_edge_words(element, 'an edge')}"
    else:
        point = on_edge(a, b, points[best], query.view.decimals(points[best]))
    words += _occlusion_words(element, occluder)
    return search.snap_to(keys[best], point, words, element, lines[best][None])


def _edge_words(element: NearElement, edge: str = "edge") -> str:
    return f"{'the axis' if element.features.radius else edge} of {element.id}"


def _occlusion_words(element: NearElement, occluder: str) -> str:
    """The words that name the occluder of an element's feature; "" without one, and within a round shape."""
    if not occluder or (occluder == element.id and element.features.radius):
        return ""
    return ", on its far side" if occluder == element.id else f", behind {occluder}"
