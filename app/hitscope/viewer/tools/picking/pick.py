"""The target under the mouse: handles first, then lines near it, then the surface in front."""

from hitscope.draw.target import Target
from hitscope.scene.named_items import split
from hitscope.viewer.tools.picking.handles import handle_at
from hitscope.viewer.tools.picking.lines import lines_at
from hitscope.viewer.tools.picking.pickable import Pickable
from hitscope.viewer.tools.picking.surfaces import depth_of, probe_surfaces_at, surface_at, surfaces_at


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
    return list(dict.fromkeys(meant for target in found for meant in (target, _whole(target))))


def _whole(target: Target) -> Target:
    return target._replace(id=split(target.id)[0])
