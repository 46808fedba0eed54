"""Snapping to corners and edges."""

from fractions import Fraction
from typing import Any

import numpy as np

from hitscope.geometry.exact import rounded
from hitscope.geometry.kinds import KINDS
from hitscope.scene.exact_points import between, on_edge
from hitscope.viewer.tools.snapping.candidates import REACH
from hitscope.viewer.tools.snapping.search import NearElement, Snap, SnapSearch


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
    query = search.query
    if query.constraint is not None:
        return None
    if query.level is not None:
        return _edge_through_plane(search)
    owners = [(element, edge) for element in search.near for edge in element.features.edges]
    if not owners:
        return None
    ends = [e.features.corners[np.array(e.features.edges)] for e in search.near if e.features.edges]
    lines = np.concatenate(ends)
    points = query.ray.nearest_on_segments(lines[:, 0], lines[:, 1])
    keys = [("edge", element.id, edge) for element, edge in owners]
    nearest = search.nearest(keys, points)
    if nearest is None:
        return None
    best, occluder = nearest
    element, (i, j) = owners[best]
    a, b = element.features.exact_corners[i], element.features.exact_corners[j]
    if query.distances(lines[best].mean(axis=0)[None])[0] <= REACH:
        point, words = between(a, b, Fraction(1, 2)), f"middle of {_edge_words(element, 'an edge')}"
    else:
        point, words = on_edge(a, b, points[best], query.view.decimals(points[best])), _edge_words(element)
    words += _occlusion_words(element, occluder)
    return search.snap_to(keys[best], point, words, element, lines[best][None])


def _edge_words(element: NearElement, edge: str = "edge") -> str:
    return f"{'the axis' if element.features.radius else edge} of {element.id}"


def _edge_through_plane(search: SnapSearch) -> Snap | None:
    """The point where an edge goes through the plane that the drag is locked to."""
    k, height = search.query.level, search.query.height
    assert k is not None
    owners, points = [], []
    for element in search.near:
        for i, j in element.features.edges:
            a, b = element.features.exact_corners[i], element.features.exact_corners[j]
            if min(a[k], b[k]) <= height <= max(a[k], b[k]) and a[k] != b[k]:
                point = between(a, b, (height - a[k]) / (b[k] - a[k]))
                owners.append((element, (i, j), point))
                points.append([rounded(value) for value in point])
    keys = [("edge", element.id, edge) for element, edge, _ in owners]
    nearest = search.nearest(keys, np.array(points).reshape(-1, 3))
    if nearest is None:
        return None
    best, occluder = nearest
    element, edge, point = owners[best]
    line = element.features.corners[list(edge)][None]
    words = _edge_words(element) + _occlusion_words(element, occluder)
    return search.snap_to(keys[best], point, words, element, line)


def _occlusion_words(element: NearElement, occluder: str) -> str:
    """The words that name the occluder of an element's feature; "" without one, and within a round shape."""
    if not occluder or (occluder == element.id and element.features.radius):
        return ""
    return ", on its far side" if occluder == element.id else f", behind {occluder}"
