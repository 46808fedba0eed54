"""The problems at the head of a panel: a few lines, and all of them on request."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.actions import appearance
from hitscope.viewer.panels import signs, text, widgets
from hitscope.viewer.panels.style import WARNING
from hitscope.viewer.state.commands import Commands
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.messages import Messages
from hitscope.viewer.state.state import Do

SHOWN_LINES = 4
"""The number of lines shown until they are expanded."""
HIGHEST = 0.5
"""The largest part of the window's height that they take; they scroll."""


class Problems:
    """The section of the problems in `Messages`."""

    def __init__(self, display: Display, messages: Messages, commands: Commands, do: Do) -> None:
        self._display, self._messages, self._commands, self._do = display, messages, commands, do
        self._expanded = ""
        """The problem that is shown in full."""

    def show(self) -> None:
        """Draw the section while there is a problem."""
        if not self._messages.problem:
            return
        words = f"{signs.PROBLEM} {self._messages.problem}"
        expanded = self._messages.problem == self._expanded
        fits = text.cut_lines(words, SHOWN_LINES) == words
        if expanded:
            most = ImVec2(imgui.get_content_region_avail().x, HIGHEST * self._display.size[1])
            imgui.set_next_window_size_constraints(ImVec2(0, 0), most)
            imgui.begin_child("problem", ImVec2(0, 0), imgui.ChildFlags_.auto_resize_y)
            text.paragraph(words, WARNING)
            imgui.end_child()
        else:
            text.paragraph(text.cut_lines(words, SHOWN_LINES), WARNING)
        escape = self._commands.pressed("cancel")
        if widgets.button("Dismiss", f"Close the problems ({escape})." if escape else ""):
            self._do(appearance.dismiss_problem)
        if not fits:
            imgui.same_line()
            if widgets.button("Show less" if expanded else "Show all"):
                self._expanded = "" if expanded else self._messages.problem
        imgui.separator()
