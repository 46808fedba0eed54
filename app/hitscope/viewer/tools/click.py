"""A click in the picture selects."""

from hitscope.viewer.state.state import State
from hitscope.viewer.tools.picking import all_at, handle_at, pickable

CLICK_REACH = 4.0
"""A press that moves less than so many points is a click."""


def click(state: State, x: float, y: float) -> None:
    """Select what is at a pixel, at the second click there what is behind it; with Shift, besides the rest."""
    shown = pickable(state.session, state.selection, state.display, state.tool)
    found, handle = all_at(shown, x, y), handle_at(shown, x, y)
    reach = CLICK_REACH * state.display.pixel_ratio
    state.selection.click(x, y, found, handle, "Shift" in state.tool.modifiers, reach)
