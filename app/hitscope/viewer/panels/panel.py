"""The two side panels: the outliner with the legend at the left; item, pair and expectations at the right."""

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.render.camera import Viewport
from hitscope.viewer.actions import appearance
from hitscope.viewer.panels import help, legend, style, text, widgets
from hitscope.viewer.panels.expectations_panel import ExpectationsPanel
from hitscope.viewer.panels.inspector import Inspector
from hitscope.viewer.panels.outliner import Outliner
from hitscope.viewer.panels.pair_panel import PairPanel
from hitscope.viewer.panels.problems import Problems
from hitscope.viewer.panels.style import FIXED, QUIET, TEXT, Fonts
from hitscope.viewer.state.layout import NARROWEST, WIDTHS, is_low
from hitscope.viewer.state.state import State

TABS = {
    "Scene": "The probes and primitives.",
    "Item": "The numbers of the selected item, and how the current pair meets.",
    "Expect": "The expectations of the scene, and which of them fail.",
}
"""The tabs of the one panel of a narrow window, with their tooltips."""
BUTTONS_HEIGHT = 36.0
"""The height of the row of buttons below the legend, in points."""
BETWEEN = 12.0
"""The space between two buttons, in points."""
SPLITTER = 6.0
"""The width of the edge by which a panel is resized, in points."""
LARGEST_ITEM = 0.45
"""The largest part of the panel's height that the item's numbers take beside the other sections; they scroll."""
UNBOUNDED = 1e6


class Panel:
    """The side panels, one in a narrow window."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._problems = Problems()
        self._outliner = Outliner(fonts)
        self._inspector = Inspector(fonts)
        self._pair = PairPanel(fonts)
        self._expectations = ExpectationsPanel()
        self._tab = "Scene"

    def show(self, state: State) -> None:
        """Draw the panels."""
        layout = state.display.layout
        two = layout.outliner.width > 0
        if two:
            _begin(state, "outliner", layout.outliner)
            self._problems.show(state)
            self._outliner.show(state, _footer_height(state))
            _draw_footer(state)
            _splitter(state, "outliner", layout.outliner)
            imgui.end()
        _begin(state, "panel", layout.panel)
        if state.messages.greets:
            help.greet(state, self._fonts)
        if not two:
            self._problems.show(state)
            self._tab = widgets.choice("tab", TABS, self._tab, state.display.pixel_ratio)
        if not two and self._tab == "Scene":
            self._outliner.show(state, _footer_height(state))
            _draw_footer(state)
        else:
            # The expectations are at the foot, so that they stay in position for any pair.
            foot = self._expectations.height(state) if two else 0.0
            if two or self._tab == "Item":
                height = imgui.get_content_region_avail().y - foot
                with widgets.scroll_area("parts", height, state.display.pixel_ratio):
                    self._item(state, layout.panel.height * LARGEST_ITEM if two else UNBOUNDED)
                    self._pair.show(state)
            if two or self._tab == "Expect":
                with widgets.scroll_area("expectations", 0, state.display.pixel_ratio):
                    self._expectations.show(state)
        _splitter(state, "panel", layout.panel)
        imgui.end()

    def _item(self, state: State, highest: float) -> None:
        imgui.set_next_window_size_constraints(ImVec2(0, 0), ImVec2(UNBOUNDED, highest))
        imgui.begin_child("item", ImVec2(0, 0), imgui.ChildFlags_.auto_resize_y)
        self._inspector.show(state)
        imgui.end_child()


def _begin(state: State, name: str, rect: Viewport) -> None:
    left, top, width, height = rect
    imgui.set_next_window_pos(ImVec2(left, top))
    imgui.set_next_window_size(ImVec2(width, height))
    imgui.begin(name, None, FIXED)


def _splitter(state: State, name: str, rect: Viewport) -> None:
    """Draw the panel's inner edge: a drag resizes the panel, a double click resets its width."""
    left, top, width, height = rect
    at_left = name == "outliner"
    edge = left + width if at_left else left
    reach = SPLITTER * state.display.pixel_ratio
    imgui.set_cursor_screen_pos(ImVec2(edge - reach if at_left else edge, top))
    imgui.invisible_button(f"##{name} edge", ImVec2(reach, height))
    active = imgui.is_item_active()
    if active or imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    colour = style.ACCENT if active or imgui.is_item_hovered() else style.LINE
    x = edge - 1 if at_left else edge
    draw = imgui.get_window_draw_list()
    draw.add_line(
        ImVec2(x, top),
        ImVec2(x, top + height),
        imgui.get_color_u32(colour),
        state.display.pixel_ratio if active else 1,
    )
    if active and imgui.is_mouse_dragging(0):
        mouse = imgui.get_mouse_pos().x
        wanted = (mouse - left if at_left else left + width - mouse) / state.display.pixel_ratio
        state.display.panel_widths = {**state.display.panel_widths, name: max(float(round(wanted)), NARROWEST)}
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        state.display.panel_widths = {**state.display.panel_widths, name: WIDTHS[name]}


def _footer_height(state: State) -> float:
    """The height of legend and buttons below the lists, in pixels."""
    legend_height = 0.0 if is_low(state.display.size[1], state.display.pixel_ratio) else legend.height(state)
    return legend_height + BUTTONS_HEIGHT * state.display.pixel_ratio


def _draw_footer(state: State) -> None:
    """Draw the legend, if the window is not too low, and below it the buttons of theme, colours, ids and help."""
    imgui.separator()
    if not is_low(state.display.size[1], state.display.pixel_ratio):
        legend.show(state)
    room = imgui.get_content_region_avail().x
    light = state.display.theme.name.startswith("light")
    buttons = (
        (
            icons.ICON_FA_MOON if light else icons.ICON_FA_SUN,
            "Dark" if light else "Light",
            "Switch to the dark theme." if light else "Switch to the light theme.",
            False,
            appearance.toggle_theme,
        ),
        (
            icons.ICON_FA_EYE_DROPPER,
            "Colours",
            "Show hit and miss in green and red, or in blue and orange.",
            state.display.theme.name.endswith(appearance.OTHER_COLOURS),
            appearance.toggle_palette,
        ),
        (
            icons.ICON_FA_TAG,
            "Ids",
            "Show all ids, and the vertex numbers of the selected shape.",
            state.display.labels,
            appearance.toggle_labels,
        ),
        (icons.ICON_FA_CIRCLE_QUESTION, "Help", "Show all keys.", False, appearance.toggle_help),
    )
    with text.small():
        wanted = sum(
            text.width(f"{icon} {words}") + BETWEEN * state.display.pixel_ratio for icon, words, *_ in buttons
        )
    worded = wanted - BETWEEN * state.display.pixel_ratio <= room
    for icon, words, meaning, on, command in buttons:
        with text.small():
            label = f"{icon} {words}" if worded else icon
            width, height = text.width(label), imgui.get_text_line_height()
            start = imgui.get_cursor_screen_pos()
            if imgui.invisible_button(
                f"##{command.__name__}", ImVec2(width, height + 6 * state.display.pixel_ratio)
            ):
                command(state)
            colour = TEXT if on or imgui.is_item_hovered() else QUIET
            text.draw_at(start.x, start.y + 3 * state.display.pixel_ratio, label, colour)
        widgets.tooltip(meaning, state.display.pixel_ratio)
        imgui.same_line(0, BETWEEN * state.display.pixel_ratio)
    imgui.new_line()
