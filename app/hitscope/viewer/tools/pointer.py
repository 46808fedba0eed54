"""The shape of the mouse's pointer, which tells what a press would do."""

from typing import Final, Literal, TypeAlias

from imgui_bundle import imgui

from hitscope.viewer.app import App
from hitscope.viewer.tools import compass
from hitscope.viewer.tools.dragging import MoveGizmo, MoveHandle
from hitscope.viewer.tools.drags import Pan
from hitscope.viewer.tools.flying import Fly

Pointer: TypeAlias = Literal["arrow", "hand", "cross", "all_ways", "sideways", "text"]

_OF_PANELS: Final[dict[int, Pointer]] = {
    imgui.MouseCursor_.text_input: "text",
    imgui.MouseCursor_.resize_ew: "sideways",
    imgui.MouseCursor_.resize_all: "all_ways",
    imgui.MouseCursor_.hand: "hand",
}


def over_panels() -> Pointer:
    """Give the shape that Dear ImGui asks for."""
    return _OF_PANELS.get(imgui.get_mouse_cursor(), "arrow")


def over_picture(app: App, place: tuple[float, float]) -> Pointer:
    """Give the shape at a pixel of the picture."""
    drag, hovered = app.drag, app.hovered
    if isinstance(drag, Pan | Fly):
        return "all_ways"
    if isinstance(drag, MoveHandle | MoveGizmo):
        return "hand"
    if app.tool is not None:
        return "cross"
    if drag is not None:
        return "arrow"
    grabs = app.part is not None or compass.end_at(app.view, *place) is not None
    return "hand" if grabs or (hovered is not None and hovered.handle is not None) else "arrow"
