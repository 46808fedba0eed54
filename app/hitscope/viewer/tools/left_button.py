"""The choice of the drag that a press of the left button begins.

The compass, the armed tool, the arrow to a selection out of sight, the mark of a wrong pair, the gizmo and the
handle under the mouse come first; otherwise it turns the camera.
"""

from collections.abc import Callable
from functools import partial

from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import SELECTION_BOX, Drag
from hitscope.viewer.tools import compass
from hitscope.viewer.tools.drags.camera_drags import Orbit, Pan, shoot_ray
from hitscope.viewer.tools.drags.edit_drag import GizmoDrag, HandleDrag
from hitscope.viewer.tools.drags.new_shape_drag import NewShapeDrag
from hitscope.viewer.tools.drags.selection_box import SelectionBox
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.picking.pick import pick
from hitscope.viewer.tools.picking.surfaces import pickable_of
from hitscope.viewer.tools.pointer import click_at


def begin_left(state: State, x: float, y: float, run: Callable[[State], None] | None = None) -> Drag:
    """Begin the drag of the left button at a pixel; where it would turn the camera, a click can `run`."""
    tool = state.tool
    if (end := compass.end_at(state.display, x, y)) is not None:
        return Orbit(state, x, y, partial(compass.look_from, end=end))
    if tool.armed == SELECTION_BOX:
        return SelectionBox(state, x, y)
    if tool.armed is not None:
        return NewShapeDrag(state, tool.armed, x, y)
    if (on_mark := click_at(state, x, y)) is not None:
        return Orbit(state, x, y, on_mark)
    gizmo = gizmo_of(state)
    if gizmo is not None and (part := gizmo.part_at(x, y)) is not None:
        return GizmoDrag(state, gizmo, part, x, y)
    target = pick(pickable_of(state), x, y)
    if target is not None and target.handle is not None:
        return HandleDrag(state, target, x, y)
    return Orbit(state, x, y, run)


def begin_with_ctrl(state: State, x: float, y: float) -> Drag:
    """Begin the drag of the left button with Ctrl: where it would turn the camera, a click shoots a ray."""
    return begin_left(state, x, y, partial(shoot_ray, x=x, y=y))


def begin_shifted(state: State, x: float, y: float) -> Drag:
    """Begin the drag of the left button with Shift: that of the armed tool, else a pan."""
    return begin_left(state, x, y) if state.tool.armed is not None else Pan(state, x, y)
