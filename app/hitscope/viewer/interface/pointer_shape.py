"""The shape of the mouse's pointer, which tells what a press would do."""

from hitscope.viewer.panels.gui import Pointer
from hitscope.viewer.state.state import State
from hitscope.viewer.tools import compass
from hitscope.viewer.tools.drags.camera_drags import Fly, Pan
from hitscope.viewer.tools.drags.gizmo_drag import GizmoDrag
from hitscope.viewer.tools.drags.handle_drag import HandleDrag


def over_picture(state: State, place: tuple[float, float]) -> Pointer:
    """Give the shape at a pixel of the picture."""
    drag, hovered = state.tool.drag, state.selection.hovered
    if isinstance(drag, Pan | Fly):
        return "all_ways"
    if isinstance(drag, HandleDrag | GizmoDrag):
        return "hand"
    if state.tool.armed is not None:
        return "cross"
    if drag is not None:
        return "arrow"
    grabs = state.tool.gizmo_part is not None or compass.end_at(state.display.view, *place) is not None
    return "hand" if grabs or (hovered is not None and hovered.handle is not None) else "arrow"
