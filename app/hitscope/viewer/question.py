"""The question before the window closes with changes that are not saved."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer import commands, text
from hitscope.viewer.app import App
from hitscope.viewer.style import QUIET

NAME = "Save changes?"


def show(app: App) -> None:
    """Ask, while the app asks to close."""
    if not app.asks_to_close:
        return
    if not imgui.is_popup_open(NAME):
        imgui.open_popup(NAME)
    width, height = app.size
    imgui.set_next_window_pos(ImVec2(width / 2, height / 2), imgui.Cond_.always, ImVec2(0.5, 0.5))
    flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_move
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(22 * app.points, 18 * app.points))
    opened, _ = imgui.begin_popup_modal(NAME, None, flags)
    if opened:
        imgui.text_unformatted("Save the changes before closing?")
        for document in app.unsaved:
            imgui.text_colored(QUIET, text.fitted(document.title, min(380 * app.points, 0.7 * width)))
        imgui.dummy(ImVec2(0, 6 * app.points))
        if imgui.button("Save"):
            commands.save_all_and_close(app)
        imgui.same_line()
        if imgui.button("Discard"):
            app.done = True
        imgui.same_line()
        if imgui.button("Cancel"):
            app.asks_to_close = False
        if not app.asks_to_close:
            imgui.close_current_popup()
        imgui.end_popup()
    imgui.pop_style_var()
