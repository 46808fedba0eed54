"""The selection by a click in the picture."""

from hitscope.viewer.state.display import Display
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.tool import Tool
from hitscope.viewer.tools.picking.handles import handle_at
from hitscope.viewer.tools.picking.pick import all_at
from hitscope.viewer.tools.picking.pickable import pickable_of

CLICK_REACH = 4.0
"""A press that moves less than so many points is a click."""


def click(session: Session, selection: Selection, display: Display, tool: Tool, x: float, y: float) -> None:
    """Select what is at a pixel, at the second click there what is behind it; with Shift, besides the rest."""
    pickable = pickable_of(session, selection, display, tool)
    found, handle = all_at(pickable, x, y), handle_at(pickable, x, y)
    reach = CLICK_REACH * display.pixel_ratio
    selection.click(x, y, found, handle, "Shift" in tool.modifiers, reach)
