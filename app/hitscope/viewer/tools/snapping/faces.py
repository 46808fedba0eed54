"""Snapping to faces, and which faces a line crosses."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.features.shape_features import ExactPoint, Face
from hitscope.scene.exact_points import on_plane
from hitscope.viewer.tools.snapping.query import REACH
from hitscope.viewer.tools.snapping.search import NearElement, Snap, SnapKey, SnapSearch, hits


def snap_to_face(search: SnapSearch) -> Snap | None:
    """The face in front at the pixel; for a handle on a line or in a plane, the face with a plane near it."""
    if search.query.level is not None:
        return _face_through_plane(search)
    return _face_in_front(search) if search.query.constraint is None else _face_on_line(search)


def face_key(kind: str, element: NearElement, face: Face) -> SnapKey:
    """The key of a snap to a face, or parallel to it."""
    return (kind, element.id, face.name)


def face_words(element: NearElement, face: Face) -> str:
    """The face and its element in words, e.g. "face +x of crate"; for a flat shape its id alone."""
    return f"face {face.name} of {element.id}" if face.name else element.id


def face_outline(element: NearElement, face: Face) -> Array:
    """The edges of a face as lines (n, 2, 3)."""
    corners = element.features.corners[list(face.corners)]
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)


def _face_in_front(search: SnapSearch) -> Snap | None:
    ray = search.query.ray
    for depth, element, face in _crossed(search, *ray, within=True):
        point = ray.at(depth)
        if depth > 0 and _is_within(element, face, point):
            break
    else:
        return None
    key, words = face_key("face", element, face), face_words(element, face)
    lines = face_outline(element, face)
    for decimals in (search.query.view.decimals(point), None):
        exact = on_plane(face.normal, face.offset, point, decimals)
        found = search.snap_to(key, exact, words, element, lines)
        if hits(found.item.shape, element.shape):
            break  # else the point with few decimals may be beyond the face's border
    return found


def _face_on_line(search: SnapSearch) -> Snap | None:
    query, target = search.query, search.query.target
    assert query.constraint is not None
    start = np.array(target.point)
    crossed = list(_crossed(search, start, query.constraint))
    keys = [face_key("face", element, face) for _, element, face in crossed]
    points = np.array([start + depth * query.constraint for depth, _, _ in crossed]).reshape(-1, 3)
    best = search.least(keys, query.distances(points, query.free_pixel), REACH)
    if best is None:
        return None
    _, element, face = crossed[best]
    constraint = [Fraction(value) for value in query.constraint.tolist()]
    first = [Fraction(b) + Fraction(v) for b, v in zip(target.base, target.vector, strict=True)]
    slope = sum(n * u for n, u in zip(face.normal, constraint, strict=True))
    part = (face.offset - sum(n * p for n, p in zip(face.normal, first, strict=True))) / slope
    x, y, z = (p + part * u for p, u in zip(first, constraint, strict=True))
    return _snap_to_plane(search, element, face, points[best], (x, y, z))


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
    keys = [face_key("face", element, face) for element, face in owners]
    away = np.where(np.isfinite(ways), query.distances(np.nan_to_num(points), query.free_pixel), np.inf)
    best = search.least(keys, away, REACH)
    if best is None or not any(n for i, n in enumerate(owners[best][1].normal) if i != k):
        return None
    (element, face), point = owners[best], points[best]
    a, b, c = (0 if i == k else n for i, n in enumerate(face.normal))
    offset = face.offset - face.normal[k] * query.height
    exact = list(on_plane((a, b, c), offset, point, query.view.decimals(point)))
    exact[k] = query.height
    x, y, z = exact
    return _snap_to_plane(search, element, face, point, (x, y, z))


def _snap_to_plane(search: SnapSearch, element: NearElement, face: Face, near: Array, point: ExactPoint) -> Snap:
    """Put the handle at a point of a face's plane, close to `near` (3,); outside the face it touches nothing."""
    inside = _is_within(element, face, near)
    words = face_words(element, face) if inside else f"the plane of {face_words(element, face)}"
    lines = face_outline(element, face)
    return search.snap_to(face_key("face", element, face), point, words, element if inside else None, lines)


def _crossed(
    search: SnapSearch, origin: Array, way: Array, within: bool = False
) -> Iterator[tuple[float, NearElement, Face]]:
    """The faces whose planes a line crosses, in its order, each with the distance along it.

    With `within`, faces whose polygons are too far away to be crossed are left out.
    """
    owners = search.faces
    if not owners:
        return
    normals, anchors, reaches = search.face_arrays("normals", "anchors", "reaches")
    with np.errstate(all="ignore"):
        depths = np.einsum("ni,ni->n", normals, anchors - origin) / (normals @ way)
        kept = np.isfinite(depths)
        if within:
            kept &= ~(np.linalg.norm(origin + depths[:, None] * way - anchors, axis=1) > reaches)
    for i in np.flatnonzero(kept)[np.argsort(depths[kept], kind="stable")]:
        yield float(depths[i]), *owners[i]


def _is_within(element: NearElement, face: Face, point: Array) -> bool:
    """Whether a point (3,) of a face's plane is within its polygon, in floats."""
    if not face.corners:
        return True
    corners = element.features.corners[list(face.corners)]
    turns = np.cross(np.roll(corners, -1, axis=0) - corners, point - corners)
    sides = turns @ element.features.normals[element.features.faces.index(face)]
    return bool((sides >= 0).all() or (sides <= 0).all())
