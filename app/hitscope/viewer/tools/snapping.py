"""Snapping: the feature near the mouse that a dragged handle goes to, and the float64 numbers stored for it.

Features are looked for as the picture shows them, in floats. The place of the one that is found is exact, and what
is stored is that place where float64 has it, else a point next to it at which the probe still hits (`stored`).
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import SMALLEST
from hitscope.draw.intervals import half_space_intervals
from hitscope.draw.items import Array
from hitscope.geometry.exact import convex_set, meet, rounded
from hitscope.geometry.exact.float64_points import float64_point
from hitscope.geometry.shapes import Shape, Vec3, is_linear
from hitscope.scene.items import Single
from hitscope.viewer.state.settings import SNAP_KINDS, SnapKind
from hitscope.viewer.tools.aim import HOLD, REACH, Aim, Around
from hitscope.viewer.tools.clearance import crossing, gap_to, hull_of, last_accepted_near
from hitscope.viewer.tools.features import SHAPE_FEATURES, Face, Features, Place, features
from hitscope.viewer.tools.held import Held
from hitscope.viewer.tools.places import Way, along, between, halved, multiple_of, on_edge, on_plane, onto

Key: TypeAlias = tuple[Any, ...]
"""What a handle is snapped to, so that it is known again: the kind, and whose it is."""

Guide: TypeAlias = int | tuple[int, int] | str
"""What a probe is made parallel to: a coordinate axis, an edge by its corners, a face's normal by its name."""

PARALLEL_DEG = 3.0
"""The angle within which a direction is turned to a parallel one."""
FINEST_GRID = 4.0
"""The grid is snapped to where its step is seen as so many points."""
CHANGING = 4
"""At most so many boundaries are looked for."""
CLOSE, ANY = Fraction(1, 8), Fraction(1, 2)
"""By these parts of its length a segment, or a ray's direction, may change to be parallel exactly."""
MISSES = ": no float64 near it hits"
THIN = 1e-9
"""A body that is left after so little of the camera's distance hides nothing."""
HIDEABLE: tuple[SnapKind, ...] = ("vertex", "edge")
"""What is looked for among all that is seen first, and then among what is hidden."""
ROUGH_STEPS = 5
"""Halving the way within reach so often leaves less than a point of the screen."""
NO_LINES: Array = np.empty((0, 2, 3))
AXES = "xyz"


class Snap(NamedTuple):
    """Where a handle goes: the item with it there, its place, what it is snapped to in words, and what to mark.

    `gap` is how far what is stored is from the exact place, 0.0 only where they are equal; `lines` (n, 2, 3) show
    the feature in the picture, in scene units.
    """

    item: Single
    place: Vec3
    words: str
    gap: float
    lines: Array
    key: Key


class Near(NamedTuple):
    """An element near the mouse."""

    id: str
    shape: Shape

    @property
    def features(self) -> Features:
        """Its corners, edges and faces."""
        return features(self.shape)


class Look(NamedTuple):
    """What is known when a feature is looked for; `held_on` is what the handle was snapped to before.

    Corners and edges are those that are seen, or with `behind` those that something hides.
    """

    aim: Aim
    around: Around
    near: list[Near]
    step: float
    held_on: Key
    behind: bool = False

    def hold(self, key: Key) -> float:
        """Give how much farther than others what is snapped to already is reached for."""
        return HOLD if key == self.held_on else 1.0


def snap(
    aim: Aim,
    around: Around,
    kinds: Collection[SnapKind] = SNAP_KINDS,
    step: float = 1.0,
    previous: Snap | None = None,
) -> Snap | None:
    """Give what the handle is snapped to, of the first kind that has something within reach; else None.

    A corner or an edge that something hides comes after all that are seen, but is seen through what hides it.
    What is made parallel to an axis goes on along it to a boundary within reach, too. `step` is that of the grid.
    What `previous` was snapped to is held on to a little longer.
    """
    near = [Near(*element) for element in around.near(aim)]
    look = Look(aim, around, near, step, previous.key if previous else ())
    tries = [(kind, look._replace(behind=behind)) for behind in (False, True) for kind in HIDEABLE]
    tries += [(kind, look) for kind in SNAP_KINDS if kind not in HIDEABLE]
    found = next((found for kind, at in tries if kind in kinds and (found := _FIND[kind](at))), None)
    return (_boundary_along(look, found) if "boundary" in kinds else None) or found


def _vertex(look: Look) -> Snap | None:
    """The corner nearest to the pixel."""
    owners = [(element, k) for element in look.near for k in range(len(element.features.corners))]
    corners = [element.features.corners for element in look.near]
    keys = [("vertex", element.id, k) for element, k in owners]
    nearest = _nearest(look, keys, np.concatenate([np.empty((0, 3)), *corners]))
    if nearest is None:
        return None
    best, hider = nearest
    element, k = owners[best]
    words = _corner_words(element, k) + _behind(element, hider)
    return _at(look, keys[best], element.features.places[k], words, element)


def _corner_words(element: Near, k: int) -> str:
    names = SHAPE_FEATURES[type(element.shape)].corner_names
    name = names[k] if k < len(names) else "corner"
    return f"{name} of {element.id}" if name else element.id


def _edge(look: Look) -> Snap | None:
    """The middle of an edge, or the point of it nearest to the line of sight, or in the plane of the drag."""
    aim = look.aim
    if aim.rail is not None:
        return None
    if aim.level is not None:
        return _edge_through_plane(look)
    owners = [(element, edge) for element in look.near for edge in element.features.edges]
    if not owners:
        return None
    ends = [e.features.corners[np.array(e.features.edges)] for e in look.near if e.features.edges]
    lines = np.concatenate(ends)
    points = aim.ray.nearest_on_segments(lines[:, 0], lines[:, 1])
    keys = [("edge", element.id, edge) for element, edge in owners]
    nearest = _nearest(look, keys, points)
    if nearest is None:
        return None
    best, hider = nearest
    element, (i, j) = owners[best]
    a, b = element.features.places[i], element.features.places[j]
    if aim.away(lines[best].mean(axis=0)[None])[0] <= REACH:
        place, words = between(a, b, Fraction(1, 2)), f"middle of an edge of {element.id}"
    else:
        place, words = on_edge(a, b, points[best], aim.view.decimals(points[best])), f"edge of {element.id}"
    return _at(look, keys[best], place, words + _behind(element, hider), element, lines[best][None])


def _edge_through_plane(look: Look) -> Snap | None:
    """The point where an edge goes through the plane that the drag is locked to."""
    k, height = look.aim.level, look.aim.height
    assert k is not None
    owners, points = [], []
    for element in look.near:
        for i, j in element.features.edges:
            a, b = element.features.places[i], element.features.places[j]
            if min(a[k], b[k]) <= height <= max(a[k], b[k]) and a[k] != b[k]:
                place = between(a, b, (height - a[k]) / (b[k] - a[k]))
                owners.append((element, (i, j), place))
                points.append([rounded(value) for value in place])
    keys = [("edge", element.id, edge) for element, edge, _ in owners]
    nearest = _nearest(look, keys, np.array(points).reshape(-1, 3))
    if nearest is None:
        return None
    best, hider = nearest
    element, edge, place = owners[best]
    line = element.features.corners[list(edge)][None]
    return _at(look, keys[best], place, f"edge of {element.id}{_behind(element, hider)}", element, line)


def _parallel(look: Look) -> Snap | None:
    """The direction of an axis, an edge or a face's normal that the probe's is near to, else one within a face."""
    aim = look.aim
    if aim.rail is not None or aim.held.pivot is None:
        return None
    way = np.subtract(aim.free, aim.held.pivot)
    length = float(np.linalg.norm(way))
    if not 0 < length < math.inf:
        return None
    free, decimals = np.array(aim.free), aim.view.decimals(np.array(aim.free))
    units, owners = _guides(look)
    turns = np.degrees(np.arccos(np.minimum(np.abs(units @ way) / length, 1)))
    best = _least(look, [("parallel", name, guide) for name, guide in owners], turns, PARALLEL_DEG)
    if best is not None:
        name, guide = owners[best]
        direction, words, lines = _guide(look, name, guide)
        # Of a ray only the direction counts, so its length may be any that float64 has.
        bound_to = ANY if aim.held.base == aim.held.pivot else CLOSE
        x, y, z = map(Fraction, aim.held.pivot)
        place = along((x, y, z), direction, free, decimals, bound_to)
        if aim.level is not None and place[aim.level] != aim.height:
            return None
        return _at(look, ("parallel", name, guide), place, words, None, lines)
    flats = [(element, face) for element in look.near for face in element.features.faces]
    normals = np.concatenate([np.empty((0, 3)), *(element.features.normals for element in look.near)])
    slopes = np.degrees(np.arcsin(np.minimum(np.abs(normals @ way) / length, 1)))
    best = _least(look, [_face_key("flat", *flat) for flat in flats], slopes, PARALLEL_DEG)
    if best is None:
        return None
    element, face = flats[best]
    offset = sum((n * Fraction(p) for n, p in zip(face.normal, aim.held.pivot, strict=True)), Fraction(0))
    place = on_plane(face.normal, offset, free, decimals)
    if aim.level is not None and place[aim.level] != aim.height:
        return None
    words = f"parallel to {_name(element, face)}"
    return _at(look, _face_key("flat", element, face), place, words, None, _outline(element, face))


def _boundary(look: Look) -> Snap | None:
    """The last place along the way of the drag at which the probe hits an element, the next one being a miss."""
    aim, held = look.aim, look.aim.held
    x, y, z = (rounded(Fraction(p) - Fraction(b)) for p, b in zip(aim.free, held.base, strict=True))
    way = Way(held.vector, (x, y, z))
    if way.start == way.goal:
        return None
    step = HOLD * REACH * aim.point_size(aim.free)
    back, on = way.around(step)
    before, after = (held.store(way.at(value)).shape for value in (back, on))
    found = []
    for name, shape in look.around.touched(held.store(way.goal).shape, aim.free, step):
        hit = _hits(before, shape)
        if hit != _hits(after, shape):
            found.append((name, shape, *((back, on) if hit else (on, back))))
            if len(found) == CHANGING:
                break

    def hits(value: float, shape: Shape) -> bool:
        return _hits(held.store(way.at(value)).shape, shape)

    guesses = [_guess(held, way, shape, near, far) for _, shape, near, far in found]
    keys = [("boundary", name) for name, *_ in found]
    places = np.array([held.at(way.at(guess)) for guess in guesses]).reshape(-1, 3)
    best = _least(look, keys, aim.away(places, aim.free_pixel), REACH)
    if best is None:
        return None
    name, shape, near, far = found[best]
    vector = way.at(last_accepted_near(guesses[best], near, far, partial(hits, shape=shape)))
    words = f"on the boundary of {name}: one ulp further misses"
    return Snap(held.store(vector), held.at(vector), words, 0.0, NO_LINES, keys[best])


def _boundary_along(look: Look, found: Snap | None) -> Snap | None:
    """The place on a boundary along the axis that something was made parallel to."""
    match found, look.aim.held:
        case Snap(key=("parallel", _, int(axis))), Held(pivot=pivot, base=base) if pivot is not None:
            x, y, z = (rounded(Fraction(p) - Fraction(b)) for p, b in zip(pivot, base, strict=True))
            held = look.aim.held._replace(vector=(x, y, z))
            both = _boundary(look._replace(aim=replace(look.aim, held=held, free=found.place, axis=axis)))
            return both and both._replace(words=f"{found.words}, {both.words}", lines=found.lines, key=found.key)
    return None


def _guess(held: Held, way: Way, shape: Shape, near: float, far: float) -> float:
    """Give about where on the way a probe that hits a shape no longer does: within a point of the screen."""
    gap = gap_to(shape)
    if gap is None or hull_of(held.store(way.at(near)).shape) is None:
        return halved(near, far, lambda value: _hits(held.store(way.at(value)).shape, shape), ROUGH_STEPS)[0]

    def gap_at(value: float) -> float:
        hull = hull_of(held.store(way.at(value)).shape)
        return math.nan if hull is None else gap(hull)

    return crossing(near, far, gap_at)


def _face(look: Look) -> Snap | None:
    """The face in front at the pixel; on a rail or in a plane, the face whose plane the handle is near to."""
    if look.aim.level is not None:
        return _face_through_plane(look)
    return _face_in_front(look) if look.aim.rail is None else _face_on_rail(look)


def _face_in_front(look: Look) -> Snap | None:
    ray = look.aim.ray
    for depth, element, face in _crossed(look.near, *ray, within=True):
        point = ray.at(depth)
        if depth > 0 and _within(element, face, point):
            break
    else:
        return None
    key, words, lines = _face_key("face", element, face), _name(element, face), _outline(element, face)
    for decimals in (look.aim.view.decimals(point), None):
        place = on_plane(face.normal, face.offset, point, decimals)
        found = _at(look, key, place, words, element, lines)
        if _hits(found.item.shape, element.shape):
            break  # else the point with few decimals may be beyond the face's border
    return found


def _face_on_rail(look: Look) -> Snap | None:
    aim = look.aim
    assert aim.rail is not None
    start = np.array(aim.held.place)
    crossed = list(_crossed(look.near, start, aim.rail))
    keys = [_face_key("face", element, face) for _, element, face in crossed]
    points = np.array([start + depth * aim.rail for depth, _, _ in crossed]).reshape(-1, 3)
    best = _least(look, keys, aim.away(points, aim.free_pixel), REACH)
    if best is None:
        return None
    _, element, face = crossed[best]
    rail = [Fraction(value) for value in aim.rail.tolist()]
    first = [Fraction(b) + Fraction(v) for b, v in zip(aim.held.base, aim.held.vector, strict=True)]
    slope = sum(n * u for n, u in zip(face.normal, rail, strict=True))
    part = (face.offset - sum(n * p for n, p in zip(face.normal, first, strict=True))) / slope
    x, y, z = (p + part * u for p, u in zip(first, rail, strict=True))
    inside = _within(element, face, points[best])
    words = _name(element, face) if inside else f"the plane of {_name(element, face)}"
    return _at(look, keys[best], (x, y, z), words, element if inside else None, _outline(element, face))


def _face_through_plane(look: Look) -> Snap | None:
    """The line in which a face's plane goes through the one that the drag is locked to."""
    aim, k = look.aim, look.aim.level
    assert k is not None
    flats = [(element, face) for element in look.near for face in element.features.faces]
    if not flats:
        return None
    normals, anchors = (
        np.concatenate([getattr(element.features, name) for element in look.near])
        for name in ("normals", "anchors")
    )
    slopes = normals.copy()
    slopes[:, k] = 0.0
    with np.errstate(all="ignore"):
        ways = np.einsum("ni,ni->n", normals, anchors - aim.free) / np.einsum("ni,ni->n", slopes, slopes)
        points = np.array(aim.free) + ways[:, None] * slopes
    keys = [_face_key("face", element, face) for element, face in flats]
    away = np.where(np.isfinite(ways), aim.away(np.nan_to_num(points), aim.free_pixel), np.inf)
    best = _least(look, keys, away, REACH)
    if best is None or not any(n for i, n in enumerate(flats[best][1].normal) if i != k):
        return None
    (element, face), point = flats[best], points[best]
    a, b, c = (0 if i == k else n for i, n in enumerate(face.normal))
    place = list(on_plane((a, b, c), face.offset - face.normal[k] * aim.height, point, aim.view.decimals(point)))
    place[k] = aim.height
    x, y, z = place
    inside = _within(element, face, point)
    words = _name(element, face) if inside else f"the plane of {_name(element, face)}"
    return _at(look, keys[best], (x, y, z), words, element if inside else None, _outline(element, face))


def _grid(look: Look) -> Snap | None:
    """The point of the grid at the pixel; on a coordinate axis or in a plane, the nearest multiples."""
    aim, words = look.aim, f"grid {look.step:g}"
    if aim.level is not None:
        steps = [Fraction(multiple_of(look.step, value)) for value in aim.free]
        steps[aim.level] = aim.height
        in_plane = steps[0], steps[1], steps[2]
        return _at(look, ("grid", *in_plane), in_plane, words, None)
    if aim.locked_axis is not None:
        place = list(aim.held.place)
        place[aim.locked_axis] = multiple_of(look.step, aim.free[aim.locked_axis])
    elif aim.rail is not None:
        return None
    else:
        across = aim.view.camera.grid_axis
        depth = aim.ray.depth_on_plane((0.0, 0.0, 0.0), np.eye(3)[across])
        if depth is None or not np.isfinite(point := aim.ray.at(depth)).all():
            return None
        if look.step < FINEST_GRID * aim.point_size(point):
            return None
        place = [0.0 if k == across else multiple_of(look.step, value) for k, value in enumerate(point.tolist())]
        if AXES[across] != aim.view.camera.up:
            words += f" at {AXES[across]} = 0"
    x, y, z = place
    pixel = aim.pixel if aim.rail is None else aim.free_pixel
    key = ("grid", x, y, z)
    if aim.away(np.array([place]), pixel)[0] > REACH * look.hold(key):
        return None
    return _at(look, key, (Fraction(x), Fraction(y), Fraction(z)), words, None)


_FIND: dict[SnapKind, Callable[[Look], Snap | None]] = {
    "vertex": _vertex,
    "edge": _edge,
    "parallel": _parallel,
    "boundary": _boundary,
    "face": _face,
    "grid": _grid,
}


def _at(look: Look, key: Key, place: Place, words: str, touching: Near | None, lines: Array = NO_LINES) -> Snap:
    """Put the handle at an exact place, or where it still hits the element that it touches.

    On a rail or in a plane it goes no further than that lets it: along a coordinate axis, level with the place.
    """
    held, rail, axis, level = look.aim.held, look.aim.rail, look.aim.locked_axis, look.aim.level
    free = True, True, True
    exact = [p - Fraction(b) for p, b in zip(place, held.base, strict=True)]
    if axis is not None or level is not None:
        free = (axis == 0, axis == 1, axis == 2) if axis is not None else (level != 0, level != 1, level != 2)
        exact = [e if may else Fraction(v) for e, v, may in zip(exact, held.vector, free, strict=True)]
    elif rail is not None:
        exact = onto(exact, held.vector, rail)
    if any(p - Fraction(b) != e for p, b, e in zip(place, held.base, exact, strict=True)):
        words, touching = f"level with {words}", None
    shape = None if touching is None else touching.shape

    def accept(vector: Vec3) -> bool:
        return shape is None or _hits(held.store(vector).shape, shape)

    found = float64_point(exact, accept, free)
    if found.error:
        words += f", {found.error:.2g} {_side(held.base, found.point, shape)}"
    if not found.accepted:
        words += MISSES
    return Snap(held.store(found.point), held.at(found.point), words, found.error, lines, key)


def _hits(probe: Shape, shape: Shape) -> bool:
    """Say exactly whether a probe hits an element; another linear probe is nothing to hit."""
    return is_linear(shape) or meet(probe, shape)


def _side(base: Vec3, vector: Vec3, shape: Shape | None) -> str:
    if shape is None or is_linear(shape):
        return "off"
    place = [Fraction(b) + Fraction(v) for b, v in zip(base, vector, strict=True)]
    return "inside" if _contains(shape, place) else "off"


def _contains(shape: Shape, place: Sequence[Fraction]) -> bool:
    for slab in convex_set(shape).slabs:
        height = sum(n * p for n, p in zip(slab.normal, place, strict=True))
        if (slab.lo is not None and height < slab.lo) or (slab.hi is not None and height > slab.hi):
            return False
    return True


def _nearest(look: Look, keys: Sequence[Key], points: Array) -> tuple[int, str] | None:
    """Give the index of the point nearest to the pixel, within reach, and what hides it, if that is looked for.

    Of two at one pixel it is the one in front.
    """
    if not keys:
        return None
    away = look.aim.away(points) / np.array([look.hold(key) for key in keys])
    found = np.flatnonzero(away <= REACH)
    if not len(found):
        return None
    depths = look.aim.view.project(points[found])[:, 2]
    bodies = _Bodies.of(look.near)
    for i in found[np.lexsort((depths, np.round(away[found])))].tolist():
        hider = bodies.before(points[i], look.aim)
        if bool(hider) == look.behind:
            return i, hider
    return None


class _Bodies(NamedTuple):
    """Bounded shapes as half-spaces by normals and points of the planes, those of each from one of `firsts` on."""

    names: list[str]
    normals: Array
    anchors: Array
    firsts: NDArray[np.intp]

    @classmethod
    def of(cls, near: Sequence[Near]) -> "_Bodies":
        """Give those of elements."""
        solid = [(element.id, *element.features.half_spaces) for element in near]
        solid = [body for body in solid if len(body[2])]
        sizes = [len(normals) for _, normals, _ in solid]
        return cls(
            [name for name, _, _ in solid],
            np.concatenate([np.empty((0, 3)), *(normals for _, normals, _ in solid)]),
            np.concatenate([np.empty((0, 3)), *(anchors for _, _, anchors in solid)]),
            np.cumsum([0, *sizes[:-1]])[: len(sizes)],
        )

    def before(self, point: Array, aim: Aim) -> str:
        """Give the name of the frontmost one that hides a point; "" where it is seen."""
        # Seen from the point, so that what is far from the origin is as exact.
        line = aim.to_eye(point)._replace(origin=np.zeros(3))
        room = np.einsum("ni,ni->n", self.normals, self.anchors - point)
        left = half_space_intervals(line, self.normals, room, self.firsts)[:, 1]
        # One that is left where the point is has it in front, one that is not left before the eye has that inside.
        hides = (left > THIN * aim.view.camera.distance) & (left < line.t_max)
        return self.names[np.where(hides, left, 0.0).argmax()] if hides.any() else ""


def _behind(element: Near, hider: str) -> str:
    """Say what hides a feature of an element."""
    return "" if not hider else ", on its far side" if hider == element.id else f", behind {hider}"


def _least(look: Look, keys: Sequence[Key], away: Array, reach: float) -> int | None:
    """Give the index of the least value within reach, of equal ones the first.

    What is held on to counts as nearer than it is.
    """
    if not keys:
        return None
    away = away / np.array([look.hold(key) for key in keys])
    best = int(np.round(away, 3).argmin())
    return best if away[best] <= reach else None


def _guides(look: Look) -> tuple[Array, list[tuple[str, Guide]]]:
    """Give the unit directions (n, 3) of axes, and of edges and normals of what is near, and whose they are."""
    units = [np.eye(3)]
    owners: list[tuple[str, Guide]] = [("", k) for k in range(3)]
    for element in look.near:
        its = element.features
        if its.edges:
            ends = its.corners[np.array(its.edges)]
            ways = ends[:, 1] - ends[:, 0]
            units.append(ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), SMALLEST))
        units.append(its.normals)
        owners += [(element.id, edge) for edge in its.edges]
        owners += [(element.id, face.name) for face in its.faces]
    return np.concatenate(units), owners


def _guide(look: Look, name: str, guide: Guide) -> tuple[Sequence[Fraction], str, Array]:
    """Give the exact direction of an axis, an edge or a normal, what to say and what to mark."""
    if isinstance(guide, int):
        line = np.array([[look.aim.held.pivot, look.aim.free]])
        return [Fraction(int(k == guide)) for k in range(3)], f"parallel to the {AXES[guide]} axis", line
    element = next(element for element in look.near if element.id == name)
    its = element.features
    if isinstance(guide, str):
        face = next(face for face in its.faces if face.name == guide)
        return (
            [Fraction(n) for n in face.normal],
            f"perpendicular to {_name(element, face)}",
            _outline(element, face),
        )
    i, j = guide
    direction = [q - p for p, q in zip(its.places[i], its.places[j], strict=True)]
    return direction, f"parallel to an edge of {name}", its.corners[[i, j]][None]


def _crossed(
    near: Sequence[Near], origin: Array, way: Array, within: bool = False
) -> Iterator[tuple[float, Near, Face]]:
    """Give the faces whose planes a line crosses, with the distance along it, in its order.

    With `within`, those are left out whose polygons are too far away to be crossed themselves.
    """
    flats = [(element, face) for element in near for face in element.features.faces]
    if not flats:
        return
    normals, anchors, reaches = (
        np.concatenate([getattr(element.features, name) for element in near])
        for name in ("normals", "anchors", "reaches")
    )
    with np.errstate(all="ignore"):
        depths = np.einsum("ni,ni->n", normals, anchors - origin) / (normals @ way)
        kept = np.isfinite(depths)
        if within:
            kept &= ~(np.linalg.norm(origin + depths[:, None] * way - anchors, axis=1) > reaches)
    for i in np.flatnonzero(kept)[np.argsort(depths[kept], kind="stable")]:
        yield float(depths[i]), *flats[i]


def _within(element: Near, face: Face, point: Array) -> bool:
    """Say, in floats, whether a point of a face's plane is within its polygon."""
    if not face.corners:
        return True
    corners = element.features.corners[list(face.corners)]
    turns = np.cross(np.roll(corners, -1, axis=0) - corners, point - corners)
    sides = turns @ element.features.normals[element.features.faces.index(face)]
    return bool((sides >= 0).all() or (sides <= 0).all())


def _name(element: Near, face: Face) -> str:
    return f"face {face.name} of {element.id}" if face.name else element.id


def _face_key(what: str, element: Near, face: Face) -> Key:
    return (what, element.id, face.name)


def _outline(element: Near, face: Face) -> Array:
    corners = element.features.corners[list(face.corners)]
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
