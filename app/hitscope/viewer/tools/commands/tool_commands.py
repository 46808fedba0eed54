"""Commands that take up a tool: drawing, a gizmo, the selection rectangle, snapping."""

from collections.abc import Callable

from hitscope.viewer.state.messages import Messages
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import SELECTION_BOX, GizmoMode, Tool


def draw(tool: Tool, kind: str) -> None:
    """Let the next drag draw a probe of a kind, such as "segment"."""
    tool.armed, tool.gizmo_mode = kind, None


def select_by_box(tool: Tool) -> None:
    """Let the next drag select what is in a rectangle."""
    tool.armed = SELECTION_BOX


def show_gizmo(mode: GizmoMode) -> Callable[[State], None]:
    """The command that shows a gizmo for what is selected; Escape hides it."""

    def command(state: State) -> None:
        state.tool.gizmo_mode, state.tool.armed = mode, None
        if not state.selection.targets:
            state.messages.notice = f"Select what you want to {mode}"
        state.tool.reapply_pointer()

    return command


def toggle_axes(tool: Tool, messages: Messages) -> None:
    """Give the gizmo the axes of the selected box or mesh, or the world's."""
    tool.own_axes = not tool.own_axes
    messages.notice = "Axes of the selection" if tool.own_axes else "Axes of the world"
    tool.reapply_pointer()


def toggle_snapping(tool: Tool, messages: Messages) -> None:
    """Turn snapping on or off."""
    tool.snapping = not tool.snapping
    messages.notice = (
        "Snapping is on; hold Ctrl to drag freely" if tool.snapping else "Snapping is off; hold Ctrl to snap"
    )
