"""The toast: what was just done, or why it was not, beside the mouse, else at the top of the picture."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.panels import style, text
from hitscope.viewer.panels.style import pixels
from hitscope.viewer.state.state import State

SECONDS = 4.0
"""How long a toast is shown, unless a key or a press in the picture replaces it before."""
WIDEST, PADDING, AWAY = 340.0, 7.0, 16.0
"""The width at which it is wrapped, the space inside it, and that to the mouse or the top, in points."""


class Toast:
    """The message of the state, where the mouse was when it came; the status line keeps it."""

    def __init__(self) -> None:
        self._notice = ""
        self._since = 0.0
        self.pixel: tuple[float, float] | None = None
        """Where the mouse was in the picture when the message came; None where it was elsewhere."""
        self.shown = ""
        """The message of the last frame; empty for none."""

    def show(self, state: State, mouse: tuple[float, float] | None) -> None:
        """Draw the toast; `mouse` is the pixel of the mouse while that is in the picture."""
        notice, now = state.messages.notice, state.display.now
        if notice is not self._notice:
            self._notice, self._since, self.pixel = notice, now, mouse
        is_over = now - self._since >= SECONDS or state.tool.drag is not None
        self.shown = "" if is_over else notice
        if not self.shown:
            return
        left, top, width, height = state.display.layout.picture
        with text.small():
            room = min(pixels(WIDEST), width - 4 * pixels(PADDING))
            words, inside = text.wrapped(notice, room), pixels(PADDING)
            size = imgui.calc_text_size(words)
            wide, high = size.x + 2 * inside, size.y + 2 * inside
            if self.pixel is None:
                x, y = left + (width - wide) / 2, top + pixels(AWAY)
            else:
                x, y = (place + pixels(AWAY) for place in self.pixel)
            x, y = min(x, left + width - wide), min(y, top + height - high)
            draw, end = imgui.get_background_draw_list(), ImVec2(x + wide, y + high)
            draw.add_rect_filled(ImVec2(x, y), end, imgui.get_color_u32(style.RAISED), inside)
            draw.add_rect(ImVec2(x, y), end, imgui.get_color_u32(style.LINE), inside)
            draw.add_text(ImVec2(round(x + inside), round(y + inside)), imgui.get_color_u32(style.TEXT), words)
