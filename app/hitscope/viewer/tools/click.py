"""The selection by a click in the picture."""

from hitscope.viewer.state.display import Display
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.tool import Tool
from hitscope.viewer.tools.picking.handles import handle_at
from hitscope.viewer.tools.picking.pick import all_at
from hitscope.viewer.tools.picking.pickable import pickable_of

CLICK_REACH = 4.0
"""The distance in points up to which a press that moves is a click."""


def click(session: Session, selection: Selection, display: Display, tool: Tool, x: float, y: float) -> None:
    """Select the target at a pixel, with a second click there the one behind it; with Shift, toggle it."""
    pickable = pickable_of(session, selection, display, tool)
    found, handle = all_at(pickable, x, y), handle_at(pickable, x, y)
    reach = CLICK_REACH * display.pixel_ratio
    selection.click(x, y, found, handle, "Shift" in tool.modifiers, reach)
