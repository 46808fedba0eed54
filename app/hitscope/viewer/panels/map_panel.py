"""The map of a handle in a panel: a square for each method, its wrong pixels counted, and the scale."""

from imgui_bundle import ImVec2, ImVec4, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.maps.colours import ASPECTS, Aspect, legend, square
from hitscope.maps.picture import counts, scale_text
from hitscope.maps.position_map import CODES, MethodMap, PositionMap
from hitscope.render.palette import Theme
from hitscope.viewer.actions import map_view as actions
from hitscope.viewer.actions.clipboard import copy_text
from hitscope.viewer.panels import text, widgets
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.style import FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.map_view import MOST_COLUMNS, MapView
from hitscope.viewer.state.state import State

BUTTON, CROSS, CARET = 40.0, 24.0, 28.0
"""The widths of a button, of the one that closes the map, and of a dropdown beside its words, in points."""
LARGEST_SQUARE, SMALLEST_SQUARE, GAP = 256.0, 96.0, 8.0
"""The widths of a square, and the space between two, in points."""
SHORT: dict[Aspect, str] = {aspect: aspect if aspect == "t" else aspect.capitalize() for aspect in ASPECTS}
"""The meaning of the colours, in one word."""


class MapPanel:
    """The map, in the panel at the right or, while a method is stepped through, beside its steps."""

    def __init__(self, gui: Gui, state: State) -> None:
        self._gui, self._state = gui, state
        self._painted: PositionMap | None = None
        """The map that the canvases show,"""
        self._colours: tuple[Aspect, Theme] | None = None
        """and in which colours."""

    def show(self) -> None:
        """Draw the map into the window that was begun."""
        view, room = self._state.session.map_view, imgui.get_content_region_avail().x
        self._heading(view, room)
        if view.found is None or view.answered is None:
            text.paragraph(view.problem or "Making the map", WARNING if view.problem else QUIET)
        else:
            self._squares(view.found, view.answered.aspect, room)
            text.paragraph(scale_text(view.found), FAINT)
            with text.small():
                self._legend(view.found, view.answered.aspect, room)
        if view.sought:
            text.paragraph(f"Looking for the nearest wrong position of {view.sought}", QUIET)
        if view.notice:
            text.paragraph(view.notice, QUIET)
        # Why TARGETs that the scene names are not mapped, with the command that maps each.
        for k, (words, command) in enumerate(list(view.needs.items())[:MOST_COLUMNS]):
            text.paragraph(text.cut_lines(words, 2, room), WARNING)
            if widgets.button(f"{icons.ICON_FA_COPY}##command {k}", "Copy the command"):
                self._state.do(copy_text, command)
            imgui.same_line()
            text.paragraph(text.cut_lines(command, 3), QUIET)

    def _heading(self, view: MapView, room: float) -> None:
        """Draw what is mapped, and below it the buttons and the choice of what the colours say."""
        do, start = self._state.do, imgui.get_cursor_screen_pos()
        size = ImVec2(pixels(CROSS), imgui.get_text_line_height())
        corner = ImVec2(start.x + room - size.x, start.y)
        if widgets.flat_button("close map", corner, size, icons.ICON_FA_XMARK, "Close the map (Shift+M)."):
            do(actions.close)
        title = f"Map of {view.answered.handle.name}" if view.answered else "Map"
        against = f" against {view.answered.other}" if view.answered else ""
        x = text.draw_at(start.x, start.y, text.cut_end(title, corner.x - start.x), TEXT)
        text.draw_at(x, start.y, text.cut_end(against, max(corner.x - x, 1.0)), QUIET)
        imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + size.y + pixels(6)))
        buttons = (
            (icons.ICON_FA_MICROSCOPE, "Zoom to one ulp a pixel, or back.", actions.zoom_to_ulps, ()),
            (f"{view.size}", "The number of positions in a row and in a column.", actions.next_size, ()),
            (icons.ICON_FA_PLUS, f"One method more, up to {MOST_COLUMNS}.", actions.more_columns, (1,)),
            (icons.ICON_FA_MINUS, "One method less.", actions.more_columns, (-1,)),
        )
        with imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(pixels(4), pixels(3))):
            for label, meaning, action, arguments in buttons:
                if imgui.button(label, ImVec2(pixels(BUTTON), 0)):
                    do(action, *arguments)
                widgets.tooltip(meaning)
                imgui.same_line(0, pixels(4))
        if imgui.get_content_region_avail().x < max(map(text.width, SHORT.values())) + pixels(CARET):
            imgui.new_line()
        chosen = widgets.dropdown("aspect", SHORT, view.aspect, imgui.get_content_region_avail().x)
        widgets.tooltip(ASPECTS[view.aspect])
        if chosen != view.aspect:
            do(actions.show_aspect, chosen)
        widgets.vertical_space(0.3)

    def _squares(self, found: PositionMap, aspect: Aspect, room: float) -> None:
        """Draw the squares, as many side by side as there is room for."""
        # As high as the window leaves above two lines of text, whatever is scrolled.
        below = imgui.get_window_height() - imgui.get_cursor_pos_y() - 3 * imgui.get_text_line_height()
        highest = min(max(below, pixels(SMALLEST_SQUARE)), pixels(LARGEST_SQUARE))
        columns = max(min(len(found.methods), int((room + pixels(GAP)) / pixels(SMALLEST_SQUARE + GAP))), 1)
        width = (room - (columns - 1) * pixels(GAP)) / columns
        side, theme = min(width, highest), self._state.display.theme
        if self._painted is not found or self._colours != (aspect, theme):
            self._painted, self._colours = found, (aspect, theme)
            for k, method in enumerate(found.methods):
                self._gui.canvas(f"map {k}", square(found, method, aspect, theme))
        for k, method in enumerate(found.methods):
            if k % columns:
                imgui.same_line(k % columns * (width + pixels(GAP)))
            imgui.begin_group()
            start = imgui.get_cursor_screen_pos()
            texture = imgui.ImTextureRef(self._gui.canvas(f"map {k}", self._gui.canvases[f"map {k}"]))
            imgui.get_window_draw_list().add_image(texture, start, ImVec2(start.x + side, start.y + side))
            self._mouse(found, k, start, side)
            self._cross(found, start, side)
            imgui.text_unformatted(text.cut_end(method.name, width))
            self._count(k, method, width)
            imgui.end_group()

    def _mouse(self, found: PositionMap, k: int, start: ImVec2, side: float) -> None:
        """Draw the pixel under the mouse in words; the wheel zooms, a click puts the handle there."""
        clicked = imgui.invisible_button(f"##map {k}", ImVec2(side, side))
        if not imgui.is_item_hovered():
            return
        mouse, size = imgui.get_mouse_pos(), found.plane.size
        x, y = (mouse.x - start.x) / side, 1 - (mouse.y - start.y) / side
        column, row = (min(int(part * size), size - 1) for part in (x, y))
        if wheel := imgui.get_io().mouse_wheel:
            self._state.do(actions.zoom, wheel, x, y)
        elif clicked:
            self._state.do(actions.go_to, column, row)
        code = CODES[int(found.methods[k].codes[row, column])]
        position = ", ".join(f"{part!r}" for part in found.plane.position(column, row))
        widgets.tooltip(f"{code} at ({position})\nClick: the handle goes there. Wheel: zoom.")

    def _cross(self, found: PositionMap, start: ImVec2, side: float) -> None:
        """Mark where the handle is."""
        (x, y), size = found.plane.pixel(found.handle.numbers.vector), found.plane.size
        if 0 <= x < size and 0 <= y < size:
            at = ImVec2(start.x + (x + 0.5) / size * side, start.y + (1 - (y + 0.5) / size) * side)
            for colour, width in ((ImVec4(0, 0, 0, 0.8), 3.2), (TEXT, 1.2)):
                shade = imgui.get_color_u32(colour)
                imgui.get_window_draw_list().add_circle(at, pixels(5), shade, 0, pixels(width))

    def _count(self, k: int, method: MethodMap, width: float) -> None:
        """Draw how many pixels are wrong, and the button that goes to the nearest one."""
        with text.small():
            words = f"{method.wrong:,} wrong" if method.wrong else counts(method)
            fitted = text.cut_end(words, width - pixels(CROSS) - pixels(4))
            start, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height_with_spacing()
            text.draw_at(start.x, start.y, fitted, WARNING if method.wrong else FAINT)
            corner, size = ImVec2(start.x + width - pixels(CROSS), start.y), ImVec2(pixels(CROSS), height)
            where = "Go to the nearest wrong position"
            if widgets.flat_button(f"find {k}", corner, size, icons.ICON_FA_CROSSHAIRS, where):
                self._state.do(actions.go_to_wrong, k)
            if fitted != words and widgets.is_line_hovered(start, corner.x, height):
                imgui.set_tooltip(words)

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
            with imgui_ctx.push_style_color(imgui.Col_.text, FAINT):
                imgui.text_unformatted(words)


def _colour(colour: tuple[int, int, int]) -> int:
    red, green, blue = (part / 255 for part in colour)
    return imgui.get_color_u32(ImVec4(red, green, blue, 1))
