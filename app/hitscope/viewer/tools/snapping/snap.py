"""The snap of a dragged handle: to a feature of the first kind that has one within reach; the grid comes last."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from hitscope.draw.extent import SMALLEST
from hitscope.draw.handle_targets import HandleTarget
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.features import boundary_search
from hitscope.geometry.shapes import Shape
from hitscope.geometry.vector import vec3
from hitscope.scene.exact_points import along, multiple_of, on_plane
from hitscope.viewer.state.settings import SNAP_KINDS, SnapKind
from hitscope.viewer.tools.snapping.features import snap_to_corner, snap_to_edge, snap_to_face
from hitscope.viewer.tools.snapping.search import HOLD, REACH, Snap, SnapCandidates, SnapQuery, SnapSearch, hits

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
    key: tuple[object, ...]
    if best is not None:
        key = "parallel", *owners[best]
        direction, words, lines = _guide(search, *owners[best])
        # Of a ray only the direction counts, so its length may be any that float64 has.
        bound_to = ANY if query.target.base == pivot else CLOSE
        point = along(vec3(map(Fraction, pivot)), direction, free, decimals, bound_to)
    elif faces := search.faces:
        (normals,) = search.face_arrays("normals")
        slopes = np.degrees(np.arcsin(np.minimum(np.abs(normals @ way) / length, 1)))
        best = search.least([element.face_key("flat", face) for element, face in faces], slopes, PARALLEL_DEG)
        if best is None:
            return None
        element, face = faces[best]
        key, words = element.face_key("flat", face), f"parallel to {element.face_words(face)}"
        lines = element.face_outline(face)
        offset = sum((n * Fraction(p) for n, p in zip(face.normal, pivot, strict=True)), Fraction(0))
        point = on_plane(face.normal, offset, free, decimals)
    else:
        return None
    if query.level is not None and point[query.level] != query.height:
        return None
    return search.snap_to(key, point, words, None, lines)


def _guides(search: SnapSearch) -> tuple[Array, list[tuple[str, Guide]]]:
    """The unit directions (n, 3) of axes, and of near edges and normals, with their owners."""
    units = [np.eye(3)]
    owners: list[tuple[str, Guide]] = [("", k) for k in range(3)]
    for element in search.near:
        its = element.features
        starts, ends = its.corners[np.array(its.edges, int).reshape(-1, 2).T]
        lengths = np.linalg.norm(ends - starts, axis=1, keepdims=True)
        units += [(ends - starts) / np.maximum(lengths, SMALLEST), its.normals]
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
        words = f"perpendicular to {element.face_words(face)}"
        return [Fraction(n) for n in face.normal], words, element.face_outline(face)
    i, j = guide
    direction = [q - p for p, q in zip(its.exact_corners[i], its.exact_corners[j], strict=True)]
    return direction, f"parallel to an edge of {name}", its.corners[[i, j]][None]


MOST_BOUNDARIES = 4
"""The largest number of boundaries that are searched for."""
ROUGH_STEPS = 5
"""The number of bisections after which the interval is below a point of the screen."""


def snap_to_boundary(search: SnapSearch) -> Snap | None:
    """The last point along the drag at which the probe hits an element, the next one being a miss."""
    query, target = search.query, search.query.target
    end = vec3(rounded(Fraction(p) - Fraction(b)) for p, b in zip(query.free, target.base, strict=True))
    path = boundary_search.StraightPath(target.vector, end)
    if path.start == path.end:
        return None

    def shape_at(value: float) -> Shape:
        return target.store(path.at(value)).shape

    step = HOLD * REACH * query.screen_point(query.free)
    back, on = path.around(step)
    before, after = shape_at(back), shape_at(on)
    found = []
    for name, shape in search.candidates.touched(target.store(path.end).shape, query.free, step):
        hit = hits(before, shape)
        if hit != hits(after, shape):
            found.append((name, shape, *((back, on) if hit else (on, back))))
            if len(found) == MOST_BOUNDARIES:
                break
    guesses = [_guess(shape_at, shape, near, far) for _, shape, near, far in found]
    keys = [("boundary", name) for name, *_ in found]
    points = np.array([target.at(path.at(guess)) for guess in guesses]).reshape(-1, 3)
    best = search.least(keys, query.distances(points, query.free_pixel), REACH)
    if best is None:
        return None
    name, shape, near, far = found[best]
    last = boundary_search.last_accepted_near(guesses[best], near, far, lambda value: hits(shape_at(value), shape))
    words = f"on the boundary of {name}: one ulp further misses"
    return Snap(target.store(path.at(last)), target.at(path.at(last)), words, 0.0, keys[best])


def snap_to_boundary_along(search: SnapSearch, found: Snap | None) -> Snap | None:
    """The point on a boundary along the axis that `found` made the probe parallel to."""
    match found, search.query.target:
        case Snap(key=("parallel", _, int(axis))), HandleTarget(pivot=pivot, base=base) if pivot is not None:
            vector = vec3(rounded(Fraction(p) - Fraction(b)) for p, b in zip(pivot, base, strict=True))
            target = search.query.target._replace(vector=vector)
            query = replace(search.query, target=target, free=found.point, axis=axis)
            both = snap_to_boundary(search._replace(query=query))
            return both and both._replace(words=f"{found.words}, {both.words}", lines=found.lines, key=found.key)
    return None


def _guess(shape_at: Callable[[float], Shape], shape: Shape, near: float, far: float) -> float:
    """The approximate coordinate on a path, between `near` and `far`, at which a probe ceases to hit a shape."""
    gap = boundary_search.gap_to(shape)
    if gap is None or boundary_search.hull_of(shape_at(near)) is None:
        return boundary_search.bisected(near, far, lambda value: hits(shape_at(value), shape), ROUGH_STEPS)

    def gap_at(value: float) -> float:
        hull = boundary_search.hull_of(shape_at(value))
        return math.nan if hull is None else gap(hull)

    return boundary_search.crossing(near, far, gap_at)


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
    search = SnapSearch(query, candidates, candidates.near(query), step, previous.key if previous else ())
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
        return search.snap_to(("grid", *steps), vec3(steps), words, None)
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
    pixel = query.pixel if query.constraint is None else query.free_pixel
    key = ("grid", *point)
    if query.distances(np.array([point]), pixel)[0] > REACH * search.reach_factor(key):
        return None
    return search.snap_to(key, vec3(map(Fraction, point)), words, None)


_FIND: dict[SnapKind, Callable[[SnapSearch], Snap | None]] = {
    "vertex": snap_to_corner,
    "edge": snap_to_edge,
    "parallel": snap_to_parallel,
    "boundary": snap_to_boundary,
    "face": snap_to_face,
    "grid": _snap_to_grid,
}
