"""The snap of a dragged handle: to a feature of the first kind that has one within reach; the grid comes last."""

from collections.abc import Callable, Collection
from fractions import Fraction

import numpy as np

from hitscope.scene.exact_points import multiple_of
from hitscope.viewer.state.settings import SNAP_KINDS, SnapKind
from hitscope.viewer.tools.snapping.boundaries import snap_to_boundary, snap_to_boundary_along
from hitscope.viewer.tools.snapping.candidates import REACH, SnapCandidates, SnapQuery
from hitscope.viewer.tools.snapping.corners_and_edges import snap_to_corner, snap_to_edge
from hitscope.viewer.tools.snapping.faces import snap_to_face
from hitscope.viewer.tools.snapping.parallels import AXES, snap_to_parallel
from hitscope.viewer.tools.snapping.search import NearElement, Snap, SnapSearch

FINEST_GRID = 4.0
"""The least size of a grid step on the screen, in points, at which the grid is snapped to."""
HIDEABLE: tuple[SnapKind, ...] = ("vertex", "edge")
"""Snap kinds searched among visible elements first, then among occluded ones."""


def snap(
    query: SnapQuery,
    candidates: SnapCandidates,
    kinds: Collection[SnapKind] = SNAP_KINDS,
    step: float = 1.0,
    previous: Snap | None = None,
) -> Snap | None:
    """The snap to a feature of the first kind that has one within reach; None where no kind has.

    Hidden corners and edges come after all visible features; a snap to one shows it through the occluder.
    A direction made parallel to an axis is also extended along it to a boundary in reach. `step` is the grid's.
    The feature of `previous` has a larger reach.
    """
    near = [NearElement(*element) for element in candidates.near(query)]
    search = SnapSearch(query, candidates, near, step, previous.key if previous else ())
    tries = [(kind, search._replace(occluded=occluded)) for occluded in (False, True) for kind in HIDEABLE]
    tries += [(kind, search) for kind in SNAP_KINDS if kind not in HIDEABLE]
    found = next((found for kind, at in tries if kind in kinds and (found := _FIND[kind](at))), None)
    return (snap_to_boundary_along(search, found) if "boundary" in kinds else None) or found


def _snap_to_grid(search: SnapSearch) -> Snap | None:
    """The point of the grid at the pixel; on a coordinate axis or in a plane, the nearest multiples."""
    query, words = search.query, f"grid {search.step:g}"
    if query.level is not None:
        steps = [Fraction(multiple_of(search.step, value)) for value in query.free]
        steps[query.level] = query.height
        in_plane = steps[0], steps[1], steps[2]
        return search.snap_to(("grid", *in_plane), in_plane, words, None)
    if query.locked_axis is not None:
        point = list(query.target.point)
        point[query.locked_axis] = multiple_of(search.step, query.free[query.locked_axis])
    elif query.constraint is not None:
        return None
    else:
        across = query.view.camera.grid_axis
        depth = query.ray.depth_on_plane((0.0, 0.0, 0.0), np.eye(3)[across])
        if depth is None or not np.isfinite(at_pixel := query.ray.at(depth)).all():
            return None
        if search.step < FINEST_GRID * query.screen_point(at_pixel):
            return None
        point = [
            0.0 if k == across else multiple_of(search.step, value) for k, value in enumerate(at_pixel.tolist())
        ]
        if AXES[across] != query.view.camera.up:
            words += f" at {AXES[across]} = 0"
    x, y, z = point
    pixel = query.pixel if query.constraint is None else query.free_pixel
    key = ("grid", x, y, z)
    if query.distances(np.array([point]), pixel)[0] > REACH * search.reach_factor(key):
        return None
    return search.snap_to(key, (Fraction(x), Fraction(y), Fraction(z)), words, None)


_FIND: dict[SnapKind, Callable[[SnapSearch], Snap | None]] = {
    "vertex": snap_to_corner,
    "edge": snap_to_edge,
    "parallel": snap_to_parallel,
    "boundary": snap_to_boundary,
    "face": snap_to_face,
    "grid": _snap_to_grid,
}
