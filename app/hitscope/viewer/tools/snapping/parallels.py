"""Snapping the direction of a probe: parallel to an axis, an edge or a face, or perpendicular to a face."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from hitscope.draw.extent import SMALLEST
from hitscope.geometry.arrays import Array
from hitscope.scene.exact_points import along, on_plane
from hitscope.viewer.tools.snapping.faces import face_key, face_outline, face_words
from hitscope.viewer.tools.snapping.search import Snap, SnapSearch

Guide: TypeAlias = int | tuple[int, int] | str
"""The direction to be parallel to: a coordinate axis, an edge by its corners, a face's normal by its name."""

PARALLEL_DEG = 3.0
"""The angle within which a direction snaps to a parallel one."""
CLOSE, ANY = Fraction(1, 8), Fraction(1, 2)
"""The parts of its length by which a segment, or a ray's direction, may change to be parallel exactly."""
AXES = "xyz"


def snap_to_parallel(search: SnapSearch) -> Snap | None:
    """The snap of the probe's direction to a near axis, edge or normal, else to a near direction in a face."""
    query, pivot = search.query, search.query.target.pivot
    if query.constraint is not None or pivot is None:
        return None
    way = np.subtract(query.free, pivot)
    length = float(np.linalg.norm(way))
    if not 0 < length < math.inf:
        return None
    free, decimals = np.array(query.free), query.view.decimals(np.array(query.free))
    units, owners = _guides(search)
    turns = np.degrees(np.arccos(np.minimum(np.abs(units @ way) / length, 1)))
    best = search.least([("parallel", name, guide) for name, guide in owners], turns, PARALLEL_DEG)
    if best is not None:
        name, guide = owners[best]
        direction, words, lines = _guide(search, name, guide)
        # Of a ray only the direction counts, so its length may be any that float64 has.
        bound_to = ANY if query.target.base == pivot else CLOSE
        x, y, z = map(Fraction, pivot)
        point = along((x, y, z), direction, free, decimals, bound_to)
        if query.level is not None and point[query.level] != query.height:
            return None
        return search.snap_to(("parallel", name, guide), point, words, None, lines)
    faces = search.faces
    if not faces:
        return None
    (normals,) = search.face_arrays("normals")
    slopes = np.degrees(np.arcsin(np.minimum(np.abs(normals @ way) / length, 1)))
    best = search.least([face_key("flat", *owner) for owner in faces], slopes, PARALLEL_DEG)
    if best is None:
        return None
    element, face = faces[best]
    offset = sum((n * Fraction(p) for n, p in zip(face.normal, pivot, strict=True)), Fraction(0))
    point = on_plane(face.normal, offset, free, decimals)
    if query.level is not None and point[query.level] != query.height:
        return None
    words, lines = f"parallel to {face_words(element, face)}", face_outline(element, face)
    return search.snap_to(face_key("flat", element, face), point, words, None, lines)


def _guides(search: SnapSearch) -> tuple[Array, list[tuple[str, Guide]]]:
    """The unit directions (n, 3) of axes, and of near edges and normals, with their owners."""
    units = [np.eye(3)]
    owners: list[tuple[str, Guide]] = [("", k) for k in range(3)]
    for element in search.near:
        its = element.features
        if its.edges:
            ends = its.corners[np.array(its.edges)]
            ways = ends[:, 1] - ends[:, 0]
            units.append(ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), SMALLEST))
        units.append(its.normals)
        owners += [(element.id, edge) for edge in its.edges]
        owners += [(element.id, face.name) for face in its.faces]
    return np.concatenate(units), owners


def _guide(search: SnapSearch, name: str, guide: Guide) -> tuple[Sequence[Fraction], str, Array]:
    """The exact direction of an axis, an edge or a normal, the words for it and the lines (n, 2, 3) to mark."""
    if isinstance(guide, int):
        line = np.array([[search.query.target.pivot, search.query.free]])
        return [Fraction(int(k == guide)) for k in range(3)], f"parallel to the {AXES[guide]} axis", line
    element = next(element for element in search.near if element.id == name)
    its = element.features
    if isinstance(guide, str):
        face = next(face for face in its.faces if face.name == guide)
        words = f"perpendicular to {face_words(element, face)}"
        return [Fraction(n) for n in face.normal], words, face_outline(element, face)
    i, j = guide
    direction = [q - p for p, q in zip(its.exact_corners[i], its.exact_corners[j], strict=True)]
    return direction, f"parallel to an edge of {name}", its.corners[[i, j]][None]
