"""Commands that choose a tool: drawing, a gizmo, the selection rectangle, snapping."""

from collections.abc import Callable

from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import SELECTION_BOX, ArmedShape, GizmoMode


def draw(shape: ArmedShape) -> Callable[[State], None]:
    """The command that lets the next drag or click draw a shape."""

    def command(state: State) -> None:
        state.tool.armed, state.tool.gizmo_mode = shape, None

    return command


def select_by_box(state: State) -> None:
    """Arm the selection rectangle for the next drag."""
    state.tool.armed = SELECTION_BOX


def show_gizmo(mode: GizmoMode) -> Callable[[State], None]:
    """The command that shows a gizmo for the selected items; Escape hides it."""

    def command(state: State) -> None:
        state.tool.gizmo_mode, state.tool.armed = mode, None
        if not state.selection.targets:
            state.messages.notice = f"Select what you want to {mode}"
        state.tool.reapply_pointer()

    return command


def toggle_axes(state: State) -> None:
    """Switch the gizmo's axes between those of the selected box or mesh and the world's."""
    tool = state.tool
    tool.own_axes = not tool.own_axes
    state.messages.notice = "Axes of the selection" if tool.own_axes else "Axes of the world"
    tool.reapply_pointer()


def toggle_snapping(state: State) -> None:
    """Turn snapping on or off."""
    state.tool.snapping = not state.tool.snapping
    now = "on; hold Ctrl to drag freely" if state.tool.snapping else "off; hold Ctrl to snap"
    state.messages.notice = f"Snapping is {now}"
