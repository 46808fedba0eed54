"""Presses, moves and releases of the mouse in the picture, and zooming by the wheel."""

import math
from collections.abc import Callable
from typing import TypeAlias

from hitscope.draw.target import Target
from hitscope.viewer.actions.selecting import select
from hitscope.viewer.actions.view import frame_selection
from hitscope.viewer.state.picture_marks import edge_arrow, wrong_mark_at
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Drag
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.picking.pick import pick
from hitscope.viewer.tools.picking.surfaces import pickable_of, surface_at

Begin: TypeAlias = Callable[[State, float, float], Drag]
"""A function that begins the drag of a press at a pixel."""
FARTHEST = 1e3
"""The largest distance, in sizes of the scene, to which the wheel moves the camera away."""
ARROW_RADIUS = 15.0
"""The radius of the disc below the arrow to a selection out of sight, in points."""


def press(state: State, begin: Begin, x: float, y: float) -> None:
    apply_pointer(state)
    state.messages.notice = state.tool.key_prefix = ""
    state.tool.selected_before = state.selection.targets
    state.tool.drag = begin(state, x, y)


def release(state: State) -> None:
    apply_pointer(state)
    tool, selection = state.tool, state.selection
    if tool.drag is not None:
        drag, tool.drag = tool.drag, None
        drag.release()
        selection.is_fresh = selection.is_fresh or selection.targets not in ((), tool.selected_before)
        tool.pointer_pending = True


def leave(state: State) -> None:
    """Hover nothing: the mouse is over a panel or out of the window."""
    tool = state.tool
    if tool.drag is None:
        tool.pointer, tool.pointer_pending, tool.gizmo_part, state.selection.hovered = None, False, None, None


def zoom(state: State, steps: float, x: float, y: float) -> None:
    """Zoom by steps of the wheel; the point under the pixel stays there."""
    apply_pointer(state)
    view = state.display.view
    surface = surface_at(pickable_of(state), x, y)
    camera = view.camera.zoom(steps, surface.near if surface else view.beside_target(x, y))
    if steps > 0 or camera.distance < FARTHEST * state.session.extent.scale:
        state.display.viewpoint.set(camera)
    state.tool.pointer_pending = True


def apply_pointer(state: State) -> None:
    """Apply the latest mouse position to the drag or, without one, to the hover."""
    move_drag(state)
    hover(state)


def move_drag(state: State) -> None:
    """Move the drag under way to the latest mouse position."""
    tool = state.tool
    if tool.drag is not None and tool.pointer is not None and tool.pointer_pending:
        tool.pointer_pending = False
        tool.drag.move(*tool.pointer)


def hover(state: State) -> None:
    """Hover the target at the latest mouse position, unless a drag is under way."""
    tool, selection = state.tool, state.selection
    if tool.drag is None and tool.pointer is not None and tool.pointer_pending:
        tool.pointer_pending = False
        tool.gizmo_part = selection.hovered = None
        if click_at(state, *tool.pointer) is None:
            gizmo = gizmo_of(state)
            tool.gizmo_part = gizmo.part_at(*tool.pointer) if gizmo else None
            if tool.gizmo_part is None:
                selection.hovered = pick(pickable_of(state), *tool.pointer)
    selection.note_hovered()


def is_on_arrow(state: State, x: float, y: float) -> bool:
    """Whether the arrow to a selection out of sight is at a pixel."""
    arrow = edge_arrow(state)
    return arrow is not None and math.dist(arrow[:2], (x, y)) <= ARROW_RADIUS * state.display.pixel_ratio


def click_at(state: State, x: float, y: float) -> Callable[[State], None] | None:
    """The action of a click on the arrow or on a mark at a pixel; None where there is neither."""
    if is_on_arrow(state, x, y):
        return frame_selection
    mark = wrong_mark_at(state.session, state.selection, state.display.view, x, y)
    if mark is None:
        return None
    pair = Target("primitive", mark.pair.primitive), Target("probe", mark.pair.probe)
    return lambda state: select(state, *pair)
