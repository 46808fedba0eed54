"""What the left button begins: the compass, the tool, the gizmo or handle under it, else a turn of the camera."""

from typing import TYPE_CHECKING

from hitscope.viewer.tools import compass
from hitscope.viewer.tools.dragging import MoveGizmo, MoveHandle
from hitscope.viewer.tools.drags import SELECTION, Drag, Orbit, Pan, SelectBox
from hitscope.viewer.tools.drawing import DrawNew

if TYPE_CHECKING:
    from hitscope.viewer.app import App


def begin_left(app: "App", x: float, y: float) -> Drag:
    """Begin what the left button does."""
    if (end := compass.end_at(app.view, x, y)) is not None:
        return compass.Turn(app, x, y, end)
    if app.tool == SELECTION:
        return SelectBox(app, x, y)
    if app.tool is not None:
        return DrawNew(app, app.tool, x, y)
    if (gizmo := app.gizmo) is not None and (part := gizmo.part_at(x, y)) is not None:
        return MoveGizmo(app, gizmo, part, x, y)
    target = app.target_at(x, y)
    if target is not None and target.handle is not None:
        return MoveHandle(app, target, x, y)
    return Orbit(app, x, y)


def begin_shifted(app: "App", x: float, y: float) -> Drag:
    """Begin what the left button does with Shift: the tool, else move the camera sideways."""
    return begin_left(app, x, y) if app.tool is not None else Pan(app, x, y)
