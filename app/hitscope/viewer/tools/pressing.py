"""What the left button begins: the compass, the tool, the gizmo or handle under it, else a turn of the camera."""

from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import SELECTION_BOX, Drag
from hitscope.viewer.tools import compass
from hitscope.viewer.tools.dragging import MoveGizmo, MoveHandle
from hitscope.viewer.tools.drags import Orbit, Pan, SelectBox
from hitscope.viewer.tools.drawing import DrawNew
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.picking import target_at


def begin_left(state: State, x: float, y: float) -> Drag:
    """Begin what the left button does."""
    if (end := compass.end_at(state.display.view, x, y)) is not None:
        return compass.Turn(state, x, y, end)
    if state.tool.armed == SELECTION_BOX:
        return SelectBox(state, x, y)
    if state.tool.armed is not None:
        return DrawNew(state, state.tool.armed, x, y)
    if (gizmo := gizmo_of(state.session, state.selection, state.display, state.tool)) is not None and (
        part := gizmo.part_at(x, y)
    ) is not None:
        return MoveGizmo(state, gizmo, part, x, y)
    target = target_at(state, x, y)
    if target is not None and target.handle is not None:
        return MoveHandle(state, target, x, y)
    return Orbit(state, x, y)


def begin_shifted(state: State, x: float, y: float) -> Drag:
    """Begin what the left button does with Shift: the tool, else move the camera sideways."""
    return begin_left(state, x, y) if state.tool.armed is not None else Pan(state, x, y)
