"""The problems at the head of a panel: a few lines, and all of them on request."""

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.panels import text, widgets
from hitscope.viewer.panels.style import WARNING
from hitscope.viewer.state.state import State

SHOWN_LINES = 4
"""The number of lines shown until they are expanded."""
HIGHEST = 0.5
"""The largest part of the window's height that they take; they scroll."""


class Problems:
    """The section that shows `App.problem`."""

    def __init__(self) -> None:
        self._expanded = ""
        """The problem that is shown in full."""

    def show(self, state: State) -> None:
        """Draw the section while there is a problem."""
        if not state.messages.problem:
            return
        words = f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {state.messages.problem}"
        expanded = state.messages.problem == self._expanded
        fits = text.cut_lines(words, SHOWN_LINES) == words
        if expanded:
            most = ImVec2(imgui.get_content_region_avail().x, HIGHEST * state.display.size[1])
            imgui.set_next_window_size_constraints(ImVec2(0, 0), most)
            imgui.begin_child("problem", ImVec2(0, 0), imgui.ChildFlags_.auto_resize_y)
            text.paragraph(words, WARNING)
            imgui.end_child()
        else:
            text.paragraph(text.cut_lines(words, SHOWN_LINES), WARNING)
        escape = state.shortcuts.pressed("cancel")
        if widgets.button("Dismiss", state.display.pixel_ratio, f"{escape} does it, too." if escape else ""):
            state.messages.problem = ""
        if not fits:
            imgui.same_line()
            if widgets.button("Show less" if expanded else "Show all", state.display.pixel_ratio):
                self._expanded = "" if expanded else state.messages.problem
        imgui.separator()
