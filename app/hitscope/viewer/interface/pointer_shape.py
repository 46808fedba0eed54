"""The shape of the mouse pointer, which shows what a press would do."""

from hitscope.viewer.panels.gui import Pointer
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.tool import Tool
from hitscope.viewer.tools import compass
from hitscope.viewer.tools.drags.camera_drags import Fly, Pan
from hitscope.viewer.tools.drags.gizmo_drag import GizmoDrag
from hitscope.viewer.tools.drags.handle_drag import HandleDrag
from hitscope.viewer.tools.overlay_clicks import click_at


def over_picture(
    session: Session, selection: Selection, display: Display, tool: Tool, pixel: tuple[float, float]
) -> Pointer:
    """The shape at a pixel of the picture."""
    drag, hovered = tool.drag, selection.hovered
    if isinstance(drag, Pan | Fly):
        return "all_ways"
    if isinstance(drag, HandleDrag | GizmoDrag):
        return "hand"
    if tool.armed is not None:
        return "cross"
    if drag is not None:
        return "arrow"
    grabs = tool.gizmo_part is not None or compass.end_at(display.view, *pixel) is not None
    grabs = grabs or click_at(session, selection, display, *pixel) is not None
    return "hand" if grabs or (hovered is not None and hovered.handle is not None) else "arrow"
