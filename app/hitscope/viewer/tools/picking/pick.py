"""The target under the mouse: handles first, then lines near it, then the surface in front; and the handles."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from hitscope.draw.chunks import Indices
from hitscope.draw.picture import LAST_SELECTED
from hitscope.draw.shape_drawings import Handled, handle_points, main_handles, shape_with_handles
from hitscope.draw.target import FaceHandles, FaintHandles, Target
from hitscope.geometry.arrays import Array
from hitscope.geometry.traits import axes_of
from hitscope.render.view import View
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.picking.surfaces import Pickable, pickable_of, probe_surfaces, surface_at, surfaces_at

NEAR = 60.0
"""The distance in points from the mouse within which handles are drawn in full."""
HANDLE_REACH = 11.0
"""The largest distance in points from a handle's middle at which a press grabs it."""
SPREAD = 22.0
"""The least distance in points of a face's handle from the box's middle; it is pushed out along the normal."""
APART = 12.0
"""The distance in points below which, of two handles, only the one with the longer projected normal is offered."""
END_ON = 0.15
"""The least sine of the angle to the line of sight of a normal along which a handle is pushed out."""
SIGNS = np.tile([[-1.0], [1.0]], (3, 1))


def handle_at(pickable: Pickable, x: float, y: float) -> Target | None:
    """The handle at a pixel; of two at one pixel, that of the target selected last."""
    pushed = pickable.selection[-LAST_SELECTED:]
    targets: list[tuple[Target, Handled]] = []
    positions: list[Array] = []
    for target, handled in pickable.picture.with_handles(pickable.selection):
        if pickable.shows(target):
            points = handle_positions(handled, pickable.view) if target in pushed else handle_points(handled)
            points = points[: None if pickable.faces else main_handles(handled)]
            targets += [(target._replace(handle=handle), handled) for handle in range(len(points))]
            positions.append(points)
    if not targets:
        return None
    away = pickable.view.pixels_from(np.concatenate(positions), x, y)
    preferred = pickable.selection[-1][:2] if pickable.selection else None
    away -= 0.5 * np.array([target[:2] == preferred for target, _ in targets])
    for i in np.argsort(away, kind="stable"):
        if away[i] > HANDLE_REACH * pickable.view.pixel_ratio:
            return None
        target, handled = targets[int(i)]
        # Of a target that is not selected, this handle alone is tested for being apart from the others.
        if target._replace(handle=None) in pushed:
            return target
        if not np.isnan(handle_positions(handled, pickable.view, pushes=False)[target.handle or 0]).any():
            return target
    return None


def drawn_face_handles(pickable: Pickable, hovered: Target | None) -> FaceHandles:
    """The face handles that are drawn, each with its item and point: of boxes that are selected or hovered."""
    selected = pickable.selection[-LAST_SELECTED:]
    wanted = {*selected, *([hovered._replace(handle=None)] if hovered else ())}
    if not pickable.faces or not wanted:
        return ()
    return tuple(
        (target, handle, (x, y, z))
        for target, handled in pickable.picture.with_handles(selected)
        if target in wanted
        for handle, (x, y, z) in enumerate(handle_positions(handled, pickable.view, target in selected).tolist())
        if handle >= main_handles(handled) and math.isfinite(x)
    )


def faint_handles(pickable: Pickable, faces: FaceHandles, mouse: tuple[float, float] | None) -> FaintHandles:
    """The drawn handles of primitives and of faces that are not near the mouse: many would hide the shapes."""
    if not pickable.selection and not faces:
        return frozenset()
    own = [
        (target._replace(handle=handle), point)
        for target, handled in pickable.picture.with_handles(pickable.selection)
        if target.kind == "primitive"
        for handle, point in enumerate(handle_points(handled)[: main_handles(handled)])
    ]
    own += [(target._replace(handle=handle), np.array(point)) for target, handle, point in faces]
    if not own or mouse is None:
        return frozenset(handle for handle, _ in own)
    away = pickable.view.pixels_from(np.array([point for _, point in own]), *mouse)
    far = away > NEAR * pickable.view.pixel_ratio
    return frozenset(handle for (handle, _), is_far in zip(own, far.tolist(), strict=True) if is_far)


def handle_point(pickable: Pickable, handle: Target) -> Array | None:
    """The point (3,) of a handle of a selected target; None where it is not offered."""
    offered = pickable.picture.with_handles(pickable.selection)
    found = [handled for target, handled in offered if target[:2] == handle[:2]]
    if not found or handle.handle is None or not pickable.shows(handle):
        return None
    point = handle_positions(found[0], pickable.view)[handle.handle]
    return None if np.isnan(point).any() else point


def handle_positions(handled: Handled, view: View, pushes: bool = True) -> Array:
    """The points (k, 3) of a shape's handles in a view, ordered as `handle_points`; NaN where one is not offered.

    Without `pushes` those of a box's faces stay on the faces, and fewer are offered of a small box.
    """
    points = handle_points(handled)
    if len(points) > (main := main_handles(handled)):
        with np.errstate(all="ignore"):
            points[main:] = _spread(handled, points[0], points[main:], view, pushes)
    return points


def _spread(handled: Handled, center: Array, faces: Array, view: View, pushes: bool) -> Array:
    """The points (6, 3) of the handles of a box's faces, apart from its middle and from one another."""
    middle = view.project(center)[0]
    normals = SIGNS * np.repeat(np.array(axes_of(shape_with_handles(handled))), 2, axis=0)
    _, sight = view.ray_through(middle[0], middle[1])
    sines = np.linalg.norm(np.cross(normals, sight), axis=1, keepdims=True)
    length = SPREAD * view.pixel_ratio * view.pixel_size_at(float(middle[2]))
    pushed = np.where(sines < END_ON, np.nan, center + normals * (length / sines))
    away = np.linalg.norm(view.project(faces)[:, :2] - middle[:2], axis=1, keepdims=True)
    points = np.where(pushes & (away < SPREAD * view.pixel_ratio), pushed, faces)
    projected = view.project(points)
    kept = [middle[:2]]
    for i in np.lexsort((projected[:, 2], -np.round(sines[:, 0], 9))):
        if (np.linalg.norm(projected[i, :2] - kept, axis=1) < APART * view.pixel_ratio).any():
            points[i] = np.nan
        else:
            kept.append(projected[i, :2])
    return points


PROBE_REACH, THIN_LINE_REACH = 6.0, 3.0
"""The largest distances in points from a probe's line, and a thin one, at which the mouse is on it."""
PICKABLE_THIN_LINES = 1 << 17
"""The largest number of thin lines in a picture in which they can be picked."""
MOST_THIN_LINES_AT = 8
"""The most thin lines at a pixel of which one is picked; of more, none is."""
CLICK_REACH = 4.0
"""The distance in points up to which a press that moves is a click."""


def pick(pickable: Pickable, x: float, y: float) -> Target | None:
    """The target at a pixel; None if there is none."""
    if found := handle_at(pickable, x, y) or next(lines_at(pickable, x, y), None):
        return found
    surfaces = filter(None, (surface_at(pickable, x, y), *probe_surfaces(pickable, x, y)))
    front = min(surfaces, key=lambda surface: surface.depth, default=None)
    return front and front.target


def all_at(pickable: Pickable, x: float, y: float) -> list[Target]:
    """All targets at a pixel that a click may select, first that of `pick`; after an element its whole item."""
    handle = handle_at(pickable, x, y)
    surfaces = [*surfaces_at(pickable, x, y), *probe_surfaces(pickable, x, y)]
    found = [
        *([handle._replace(handle=None)] if handle else ()),
        *lines_at(pickable, x, y),
        *(surface.target for surface in sorted(surfaces, key=lambda surface: surface.depth)),
    ]
    return list(dict.fromkeys(meant for target in found for meant in (target, Target(*target.item))))


def lines_at(pickable: Pickable, x: float, y: float) -> Iterator[Target]:
    """The segments, rays and lines near a pixel, the nearest first, after them those drawn as thin lines."""
    picture, layouts = pickable.picture, pickable.picture.layouts
    strokes = np.array([stroke[:2] for stroke in layouts.strokes]).reshape(-1, 2, 3)
    near = _near(pickable, x, y, strokes[:, 0], strokes[:, 1], PROBE_REACH)
    names = [layouts.ids[layouts.stroke_probes[i]] for i in near]
    starts, ends = layouts.thin_lines.starts, layouts.thin_lines.ends
    if len(starts) <= PICKABLE_THIN_LINES:
        beside = _beside(pickable.view, x, y, starts, ends)
        near = beside[_near(pickable, x, y, starts[beside], ends[beside], THIN_LINE_REACH)]
        if len(near) <= MOST_THIN_LINES_AT:
            names += [picture.report.probes[int(p)].id for p in layouts.thin_lines.probes[near]]
    return (target for name in names if pickable.shows(target := Target("probe", name)))


def _near(pickable: Pickable, x: float, y: float, starts: Array, ends: Array, reach: float) -> Indices:
    """Indices of the lines, by their ends (n, 3), seen within `reach` points of a pixel, the nearest first."""
    stage = pickable.picture.stage
    ray = pickable.view.ray_through(x, y).in_stage(stage)
    closest = ray.nearest_on_segments(*stage.lines(starts, ends))
    away = pickable.view.pixels_from(stage.to_scene(closest), x, y)
    order = np.argsort(away, kind="stable")
    return order[away[order] <= reach * pickable.view.pixel_ratio]


def _beside(view: View, x: float, y: float, starts: Array, ends: Array) -> Indices:
    """Indices of lines that may be near a pixel: those not outside a side of a square frustum around it."""
    camera, reach = view.camera, 2 * THIN_LINE_REACH * view.pixel_ratio
    corners = [(x + i * reach, y + j * reach) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    rays = [view.ray_through(*corner) for corner in corners]
    target, beyond = np.array(camera.target), np.zeros(len(starts), np.bool_)
    with np.errstate(all="ignore"):
        starts, ends = starts - target, ends - target
        for (origin, way), (following, its_way) in pairwise([*rays, rays[0]]):
            outward = np.cross(following + its_way - origin, way)
            beyond |= np.minimum(starts @ outward, ends @ outward) > (origin - target) @ outward
    return np.flatnonzero(~beyond)


def click(state: State, x: float, y: float) -> None:
    """Select the target at a pixel, with a second click there the one behind it; with Shift, toggle it."""
    pickable = pickable_of(state)
    found, handle = all_at(pickable, x, y), handle_at(pickable, x, y)
    reach = CLICK_REACH * state.display.pixel_ratio
    state.selection.click(x, y, found, handle, "Shift" in state.tool.modifiers, reach)
