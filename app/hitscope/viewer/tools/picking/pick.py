"""The target under the mouse: handles first, then lines near it, then the surface in front."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from hitscope.draw.chunks import Indices
from hitscope.draw.target import Target
from hitscope.geometry.arrays import Array
from hitscope.render.view import View
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.picking.handles import handle_at
from hitscope.viewer.tools.picking.surfaces import (
    Pickable,
    depth_of,
    pickable_of,
    probe_surfaces_at,
    surface_at,
    surfaces_at,
)

PROBE_REACH = 6.0
"""The largest distance in points from a probe's line at which the mouse is on it."""
PICKABLE_THIN_LINES = 1 << 17
"""The largest number of thin lines in a picture in which they can be picked."""
THIN_LINE_REACH = 3.0
"""The largest distance in points from a thin line at which the mouse is on it."""
MOST_THIN_LINES_AT = 8
"""The most thin lines at a pixel of which one is picked; of more, none is."""
CLICK_REACH = 4.0
"""The distance in points up to which a press that moves is a click."""


def pick(pickable: Pickable, x: float, y: float) -> Target | None:
    """The target at a pixel; None if there is none."""
    if found := handle_at(pickable, x, y) or next(lines_at(pickable, x, y), None):
        return found
    of_probe = probe_surfaces_at(pickable, x, y)[:1]
    surfaces = [surface for surface in (surface_at(pickable, x, y), *of_probe) if surface]
    return min(surfaces, key=depth_of).target if surfaces else None


def all_at(pickable: Pickable, x: float, y: float) -> list[Target]:
    """All targets at a pixel that a click may select, first the one that `pick` returns; no handles.

    After an element of a bulk item comes the item as a whole.
    """
    handle = handle_at(pickable, x, y)
    surfaces = sorted([*surfaces_at(pickable, x, y), *probe_surfaces_at(pickable, x, y)], key=depth_of)
    found = [
        *([handle._replace(handle=None)] if handle else ()),
        *lines_at(pickable, x, y),
        *(surface.target for surface in surfaces),
    ]
    return list(dict.fromkeys(meant for target in found for meant in (target, Target(*target.item))))


def lines_at(pickable: Pickable, x: float, y: float) -> Iterator[Target]:
    """The segments, rays and lines near a pixel, the nearest first, after them those drawn as thin lines."""
    picture, layouts = pickable.picture, pickable.picture.layouts
    given = [np.array([stroke[i] for stroke in layouts.strokes]).reshape(-1, 3) for i in (0, 1)]
    near = _near(pickable, x, y, given[0], given[1], PROBE_REACH)
    names = [layouts.ids[layouts.stroke_probes[i]] for i in near]
    thin_lines = layouts.thin_lines
    if len(thin_lines.starts) <= PICKABLE_THIN_LINES:
        candidates = _beside(pickable.view, x, y, thin_lines.starts, thin_lines.ends)
        near = candidates[
            _near(pickable, x, y, thin_lines.starts[candidates], thin_lines.ends[candidates], THIN_LINE_REACH)
        ]
        if len(near) <= MOST_THIN_LINES_AT:
            names += [picture.report.probes[int(p)].id for p in thin_lines.probes[near]]
    return (target for name in names if pickable.shows(target := Target("probe", name)))


def _near(pickable: Pickable, x: float, y: float, starts: Array, ends: Array, reach: float) -> Indices:
    """Indices of the lines, by their ends (n, 3), seen within `reach` points of a pixel, the nearest first."""
    stage = pickable.picture.stage
    if not len(starts):
        return np.empty(0, np.intp)
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
