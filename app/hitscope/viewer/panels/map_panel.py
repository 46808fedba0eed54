"""The map over the picture: a square for each method, its wrong pixels counted, and the scale."""

from imgui_bundle import ImVec2, ImVec4, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.maps.colours import ASPECTS, Aspect, legend, square
from hitscope.maps.picture import counts, scale_text
from hitscope.maps.position_map import CODES, MethodMap, PositionMap
from hitscope.render.palette import Theme
from hitscope.viewer.actions import map_view as actions
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.style import FAINT, FIXED, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.map_view import MOST_COLUMNS, MapView
from hitscope.viewer.state.state import State

BUTTON = 46.0
"""The room of a button in the heading, in points."""
LARGEST_SQUARE, SMALLEST_SQUARE = 256.0, 96.0
"""The widths of a square, in points."""
SHORT: dict[Aspect, str] = {
    "agreement": "Agreement",
    "verdict": "Verdict",
    "differences": "Differences",
    "t": "t",
    "feature": "Feature",
    "line": "Line",
}
"""The meaning of the colours, in one word."""
MARGIN, PADDING, GAP = 14.0, 10.0, 8.0
"""In points."""


class MapPanel:
    """The panel of the map, at the foot of the picture."""

    def __init__(self, gui: Gui, state: State) -> None:
        self._gui, self._state = gui, state
        self._painted: PositionMap | None = None
        """The map that the canvases show,"""
        self._colours: tuple[Aspect, Theme] | None = None
        """and in which colours."""

    def show(self) -> None:
        """Draw the map, if it is open."""
        view = self._state.session.map_view
        if not view.is_open:
            return
        left, top, width, height = self._state.display.layout.picture
        count = len(view.found.methods) if view.found else 1
        room = width - 2 * pixels(MARGIN + PADDING)
        side = min((room - (count - 1) * pixels(GAP)) / count, pixels(LARGEST_SQUARE), 0.6 * height)
        side = max(side, pixels(SMALLEST_SQUARE))
        imgui.set_next_window_pos(
            ImVec2(left + width - pixels(MARGIN), top + height - pixels(MARGIN)), imgui.Cond_.always, ImVec2(1, 1)
        )
        wide = max(count * side + (count - 1) * pixels(GAP), min(pixels(420), room)) + 2 * pixels(PADDING)
        imgui.set_next_window_size(ImVec2(wide, 0))
        with style.card(PADDING):
            imgui.begin("map", None, FIXED)
            self._heading(view, wide)
            widgets.vertical_space(0.2)
            self._aspects(view)
            widgets.vertical_space(0.3)
            if view.found is None or view.answered is None:
                text.paragraph(view.problem or "Making the map", WARNING if view.problem else QUIET)
            else:
                self._squares(view, view.found, side)
                text.paragraph(scale_text(view.found), FAINT)
                with text.small():
                    self._legend(view.found, view.answered.aspect, wide - 2 * pixels(PADDING))
            if view.sought:
                text.paragraph(f"Looking for the nearest wrong position of {view.sought}", QUIET)
            if view.notice:
                text.paragraph(view.notice, QUIET)
            self._needs(view, wide - 2 * pixels(PADDING))
            imgui.end()

    def _heading(self, view: MapView, wide: float) -> None:
        do = self._state.do
        title = f"Map of {view.answered.handle.name}" if view.answered else "Map"
        against = f" against {view.answered.other}" if view.answered else ""
        with text.bold(self._gui.fonts):
            imgui.text_unformatted(title)
        imgui.same_line()
        imgui.push_style_color(imgui.Col_.text, QUIET)
        imgui.text_unformatted(against)
        imgui.pop_style_color()
        buttons = (
            (icons.ICON_FA_MICROSCOPE, "Zoom to one ulp a pixel, or back.", actions.zoom_to_ulps, ()),
            (f"{view.size}", "How many positions a row.", actions.next_size, ()),
            (icons.ICON_FA_PLUS, f"One method more, up to {MOST_COLUMNS}.", actions.more_columns, (1,)),
            (icons.ICON_FA_MINUS, "One method less.", actions.more_columns, (-1,)),
            (icons.ICON_FA_XMARK, "Close the map (Shift+M).", actions.close, ()),
        )
        imgui.same_line(wide - pixels(PADDING) - len(buttons) * pixels(BUTTON))
        for label, meaning, action, arguments in buttons:
            if imgui.button(label, ImVec2(pixels(BUTTON - 4), 0)):
                do(action, *arguments)
            widgets.tooltip(meaning)
            imgui.same_line(0, pixels(4))
        imgui.new_line()

    def _aspects(self, view: MapView) -> None:
        """Draw the choice of what the colours say."""
        tabs = {SHORT[aspect]: words for aspect, words in ASPECTS.items()}
        chosen = widgets.choice("aspect", tabs, SHORT[view.aspect])
        for aspect, short in SHORT.items():
            if short == chosen and aspect != view.aspect:
                self._state.do(actions.show_aspect, aspect)

    def _squares(self, view: MapView, found: PositionMap, side: float) -> None:
        aspect, theme = view.answered.aspect if view.answered else "agreement", self._state.display.theme
        if self._painted is not found or self._colours != (aspect, theme):
            self._painted, self._colours = found, (aspect, theme)
            for k, method in enumerate(found.methods):
                self._gui.canvas(f"map {k}", square(found, method, aspect, theme))
        for k, method in enumerate(found.methods):
            if k:
                imgui.same_line(0, pixels(GAP))
            imgui.begin_group()
            start = imgui.get_cursor_screen_pos()
            texture = imgui.ImTextureRef(self._gui.canvas(f"map {k}", self._gui.canvases[f"map {k}"]))
            end = ImVec2(start.x + side, start.y + side)
            imgui.get_window_draw_list().add_image(texture, start, end)
            self._mouse(found, k, start, side)
            self._cross(view, found, start, side)
            imgui.text_unformatted(text.cut_end(method.name, side))
            self._count(k, method)
            imgui.end_group()

    def _mouse(self, found: PositionMap, k: int, start: ImVec2, side: float) -> None:
        """Draw the pixel under the mouse in words; the wheel zooms, a click puts the handle there."""
        do = self._state.do
        clicked = imgui.invisible_button(f"##map {k}", ImVec2(side, side))
        if not imgui.is_item_hovered():
            return
        mouse, wheel = imgui.get_mouse_pos(), imgui.get_io().mouse_wheel
        x, y = (mouse.x - start.x) / side, 1 - (mouse.y - start.y) / side
        size = found.plane.size
        column, row = min(int(x * size), size - 1), min(int(y * size), size - 1)
        if wheel:
            do(actions.zoom, wheel, x, y)
        elif clicked:
            do(actions.go_to, column, row)
        code = CODES[int(found.methods[k].codes[row, column])]
        position = ", ".join(f"{part!r}" for part in found.plane.position(column, row))
        widgets.tooltip(f"{code} at ({position})\nClick: the handle goes there. Wheel: zoom.")

    def _cross(self, view: MapView, found: PositionMap, start: ImVec2, side: float) -> None:
        """Mark where the handle is."""
        if view.answered is None:
            return
        x, y = found.plane.pixel(found.handle.vector(view.answered.scene))
        size = found.plane.size
        if not (0 <= x < size and 0 <= y < size):
            return
        at = ImVec2(start.x + (x + 0.5) / size * side, start.y + (1 - (y + 0.5) / size) * side)
        draw = imgui.get_window_draw_list()
        draw.add_circle(at, pixels(5), imgui.get_color_u32(ImVec4(0, 0, 0, 0.8)), 0, pixels(3.2))
        draw.add_circle(at, pixels(5), imgui.get_color_u32(TEXT), 0, pixels(1.2))

    def _count(self, k: int, method: MethodMap) -> None:
        with text.small():
            imgui.align_text_to_frame_padding()
            words = f"{method.wrong:,} wrong" if method.wrong else counts(method)
            imgui.text_colored(WARNING if method.wrong else FAINT, words)
        imgui.same_line()
        with text.small():
            if imgui.button(f"{icons.ICON_FA_CROSSHAIRS}##find {k}"):
                self._state.do(actions.go_to_wrong, k)
        widgets.tooltip("Go to the nearest wrong position")

    def _needs(self, view: MapView, room: float) -> None:
        """Draw why TARGETs that the scene names are not mapped, with the command that maps each."""
        for k, (words, command) in enumerate(list(view.needs.items())[:MOST_COLUMNS]):
            text.paragraph(text.cut_lines(words, 2, room), WARNING)
            if widgets.button(f"{icons.ICON_FA_COPY}##command {k}", "Copy the command"):
                self._state.do(actions.copy_command, command)
            imgui.same_line()
            text.paragraph(text.cut_lines(command, 3), QUIET)

    def _legend(self, found: PositionMap, aspect: Aspect, room: float) -> None:
        """Draw the colours with their words, side by side as far as they fit."""
        draw, left = imgui.get_window_draw_list(), 0.0
        side = imgui.get_text_line_height() * 0.7
        for k, (colour, words, cue) in enumerate(legend(found, aspect, self._state.display.theme)):
            width = side + pixels(6) + text.width(words) + pixels(14)
            if k and left + width <= room:
                imgui.same_line(0, pixels(14))
            else:
                left = 0.0
            left += width
            start = imgui.get_cursor_screen_pos()
            top = start.y + (imgui.get_text_line_height() - side) / 2
            draw.add_rect_filled(ImVec2(start.x, top), ImVec2(start.x + side, top + side), _colour(colour))
            if cue is not None:
                draw.add_circle_filled(ImVec2(start.x + side / 2, top + side / 2), side / 5, _colour(cue))
            imgui.dummy(ImVec2(side, imgui.get_text_line_height()))
            imgui.same_line(0, pixels(6))
            imgui.push_style_color(imgui.Col_.text, FAINT)
            imgui.text_unformatted(words)
            imgui.pop_style_color()


def _colour(colour: tuple[int, int, int]) -> int:
    red, green, blue = (part / 255 for part in colour)
    return imgui.get_color_u32(ImVec4(red, green, blue, 1))
