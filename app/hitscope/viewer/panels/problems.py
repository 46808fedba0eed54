"""What is wrong with what the user gave, at the head of a panel: a few lines until all of them are asked for."""

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.app import App
from hitscope.viewer.bindings import pressed
from hitscope.viewer.panels import text, widgets
from hitscope.viewer.panels.style import WARNING

FEW = 4
"""So many lines are shown at once."""
HIGHEST = 0.5
"""All of them take at most so much of the window's height, and scroll."""


class Problems:
    """The part of the panel; what is told there is `App.problem`."""

    def __init__(self) -> None:
        self._whole = ""
        """Of what all is shown."""

    def show(self, app: App) -> None:
        """Make the part, while something is wrong."""
        if not app.problem:
            return
        said = f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {app.problem}"
        whole = app.problem == self._whole
        fits = text.cut_lines(said, FEW) == said
        if whole:
            most = ImVec2(imgui.get_content_region_avail().x, HIGHEST * app.size[1])
            imgui.set_next_window_size_constraints(ImVec2(0, 0), most)
            imgui.begin_child("problem", ImVec2(0, 0), imgui.ChildFlags_.auto_resize_y)
            text.paragraph(said, WARNING)
            imgui.end_child()
        else:
            text.paragraph(text.cut_lines(said, FEW), WARNING)
        escape = pressed(app.settings.bindings, "cancel")
        if widgets.button("Dismiss", app.points, f"{escape} does it, too." if escape else ""):
            app.problem = ""
        if not fits:
            imgui.same_line()
            if widgets.button("Show less" if whole else "Show all", app.points):
                self._whole = "" if whole else app.problem
        imgui.separator()
