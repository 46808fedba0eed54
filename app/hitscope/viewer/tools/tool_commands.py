"""Commands that choose a tool: drawing, a gizmo, the selection rectangle, snapping."""

from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.state import State, command
from hitscope.viewer.state.tool import SELECTION_BOX, ArmedShape, GizmoMode


def draw(state: State, shape: ArmedShape) -> None:
    """Draw the shape by the next drag, or place one by a click."""
    state.tool.armed, state.tool.gizmo_mode = shape, None


@command("select_by_box", "Select by box", keys="B", synonyms="rectangle marquee lasso")
def select_by_box(state: State) -> None:
    """Arm the selection rectangle for the next drag."""
    state.tool.armed = SELECTION_BOX


def show_gizmo(state: State, mode: GizmoMode) -> None:
    """Show the gizmo of the selected items; Escape hides it."""
    state.tool.gizmo_mode, state.tool.armed = mode, None
    if not state.selection.targets:
        state.messages.notice = f"Select what you want to {mode}"
    state.tool.reapply_pointer()


@command("toggle_axes", "Switch local and world axes", keys="L", synonyms="global orientation")
def toggle_axes(state: State) -> None:
    """Switch the gizmo's axes between those of the selected box or mesh and the world's."""
    tool = state.tool
    tool.own_axes = not tool.own_axes
    state.messages.notice = "Axes of the selection" if tool.own_axes else "Axes of the world"
    tool.reapply_pointer()


@command("toggle_snapping", "Turn snapping on or off", keys="S", synonyms="snap magnet grid")
def toggle_snapping(state: State) -> None:
    """Turn snapping on or off."""
    state.tool.snapping = not state.tool.snapping
    now, use = ("on", "drag freely") if state.tool.snapping else ("off", "snap")
    state.messages.notice = f"Snapping is {now}; hold {display_keys('Ctrl')} to {use}"
