"""The modal window of the dialogs: centred, everything around it darkened, with the mouse and the keyboard."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from imgui_bundle import ImVec2, imgui, imgui_ctx

from hitscope.viewer.actions import cancel
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.style import DIM, LINE, RAISED, pixels
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.state import State

Choice: TypeAlias = tuple[str, Callable[..., object], *tuple[object, ...]]
"""The label of a button, and the action on the state that it takes, with its arguments."""


class Modal(NamedTuple):
    """A kind of dialogs: the name of its window, its class, and what draws one into the window."""

    name: str
    kind: type
    draw: Callable[[State, Gui, Any], None]
    is_whole: bool = False
    """Whether it is as large as the viewer's window."""


def show(state: State, gui: Gui, modals: Sequence[Modal]) -> None:
    """Draw the front dialog, if one is open, and the one just closed, which Dear ImGui closes from inside."""
    gui.keeps_lines = False
    dialogs, (width, height) = state.dialogs, state.display.size
    # The question before closing is in front of the dialog.
    front = dialogs.dialog if dialogs.closing is None else dialogs.closing
    for modal in modals:
        wanted = isinstance(front, modal.kind)
        if wanted and not imgui.is_popup_open(modal.name):
            imgui.open_popup(modal.name)
        if not imgui.is_popup_open(modal.name):
            continue
        imgui.set_next_window_pos(ImVec2(width / 2, height / 2), imgui.Cond_.always, ImVec2(0.5, 0.5))
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move
        if modal.is_whole:
            imgui.set_next_window_size(ImVec2(width - pixels(32), height - pixels(32)))
        else:
            flags |= imgui.WindowFlags_.always_auto_resize
        with imgui_ctx.push_style_var(imgui.StyleVar_.window_padding, ImVec2(pixels(22), pixels(18))):
            opened, _ = imgui.begin_popup_modal(modal.name, None, flags)
        if not opened:
            continue
        _dim_the_rest(state.display)
        if wanted:
            modal.draw(state, gui, front)
            # While a text field has the keyboard, no binding acts.
            if imgui.is_key_pressed(imgui.Key.escape) and imgui.get_io().want_text_input:
                state.do(cancel.cancel_topmost)
        else:
            imgui.close_current_popup()
        imgui.end_popup()


def _dim_the_rest(display: Display) -> None:
    """Darken everything around the current window at once; Dear ImGui would fade it in."""
    draw, rounding = imgui.get_window_draw_list(), imgui.get_style().popup_rounding
    start, size = imgui.get_window_pos(), imgui.get_window_size()
    end = ImVec2(start.x + size.x, start.y + size.y)
    draw.push_clip_rect_full_screen()
    draw.add_rect_filled(ImVec2(0, 0), ImVec2(*display.size), imgui.get_color_u32(DIM))
    draw.add_rect_filled(start, end, imgui.get_color_u32(RAISED), rounding)
    draw.add_rect(start, end, imgui.get_color_u32(LINE), rounding)
    draw.pop_clip_rect()


def just_appeared(name: str) -> bool:
    """Whether this was not called with the same name in the same window during the previous frame."""
    storage, key, now = imgui.get_state_storage(), imgui.get_id(f"{name} in frame"), imgui.get_frame_count()
    before = storage.get_int(key, 0)
    storage.set_int(key, now)
    return before != now - 1


def answers(state: State, *choices: Choice, default: str = "") -> None:
    """Draw buttons side by side, each of which takes an action; `default` has the keyboard when it appears."""
    for k, (label, act, *given) in enumerate(choices):
        if k:
            imgui.same_line()
        if imgui.button(label):
            state.do(act, *given)
        if label == default and just_appeared(label):
            imgui.set_keyboard_focus_here(-1)
            imgui.set_nav_cursor_visible(True)
