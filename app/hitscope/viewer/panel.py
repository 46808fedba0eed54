"""The panels at the sides: at the left what there is, at the right what is known of it, the legend below."""

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.render.camera import Viewport
from hitscope.viewer import appearance, style, text, widgets
from hitscope.viewer.app import App
from hitscope.viewer.expect_panel import ExpectPanel
from hitscope.viewer.inspector import Inspector
from hitscope.viewer.layout import NARROWEST, WIDTHS
from hitscope.viewer.outliner import Outliner
from hitscope.viewer.pair_panel import PairPanel
from hitscope.viewer.style import FIXED, QUIET, TEXT, WARNING, Fonts

LEGEND = (
    (Role.HIT, "hit", "A primitive that some probe meets. Touching counts."),
    (Role.MISS, "miss", "A primitive that no probe meets. Its edges are dashed."),
    (Role.PROBE, "probe", "What you drag. Inside of what it hits it has a bright core."),
    (Role.ENTRY, "entry", "Where a probe goes in, at t enter."),
    (Role.EXIT, "exit", "Where a probe comes out again, at t exit."),
    (Role.NORMAL, "normal", "The outward normal at the entry. A plane's own arrow shows its front."),
)
TABS = {"Scene": "", "Item": "", "Expect": ""}
"""Of a narrow window: what there is, what is selected and how it meets the others, what is expected."""
SPLITTER = 6.0
"""The edge by which a panel is dragged to another width, in points."""
LARGEST_ITEM = 0.45
"""Beside all else, the numbers of an item have at most this part of the panel's height, and scroll."""
UNBOUNDED = 1e6


class Panel:
    """The panels; what is pointed at and clicked in them is hovered and selected in the app."""

    def __init__(self, fonts: Fonts) -> None:
        self._outliner = Outliner(fonts)
        self._inspector = Inspector()
        self._pair = PairPanel(fonts)
        self._expectations = ExpectPanel()
        self._tab = "Scene"

    def show(self, app: App) -> None:
        """Make the panels' part of a frame."""
        layout = app.layout
        two = layout.outliner.width > 0
        legend = imgui.get_text_line_height_with_spacing() * 3.6
        if two:
            _begin(app, "outliner", layout.outliner)
            _problem(app)
            self._outliner.show(app, legend)
            _legend(app)
            _splitter(app, "outliner", layout.outliner)
            imgui.end()
        _begin(app, "panel", layout.panel)
        if not two:
            _problem(app)
            self._tab = widgets.choice("tab", TABS, self._tab, app.points)
        if not two and self._tab == "Scene":
            self._outliner.show(app, legend)
            _legend(app)
        else:
            imgui.begin_child("parts")
            if two or self._tab == "Item":
                self._item(app, layout.panel.height * LARGEST_ITEM if two else UNBOUNDED)
                self._pair.show(app)
            if two or self._tab == "Expect":
                self._expectations.show(app)
            imgui.end_child()
        _splitter(app, "panel", layout.panel)
        imgui.end()

    def _item(self, app: App, highest: float) -> None:
        imgui.set_next_window_size_constraints(ImVec2(0, 0), ImVec2(UNBOUNDED, highest))
        imgui.begin_child("item", ImVec2(0, 0), imgui.ChildFlags_.auto_resize_y)
        self._inspector.show(app)
        imgui.end_child()


def _begin(app: App, name: str, place: Viewport) -> None:
    left, top, width, height = place
    imgui.set_next_window_pos(ImVec2(left, top))
    imgui.set_next_window_size(ImVec2(width, height))
    imgui.begin(name, None, FIXED)


def _problem(app: App) -> None:
    if app.problem:
        text.coloured(f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {app.problem}", WARNING)
        imgui.separator()


def _splitter(app: App, name: str, place: Viewport) -> None:
    """Make the panel's inner edge, by which it is dragged to another width; a double click takes that back."""
    left, top, width, height = place
    at_left = name == "outliner"
    edge = left + width if at_left else left
    reach = SPLITTER * app.points
    imgui.set_cursor_screen_pos(ImVec2(edge - reach if at_left else edge, top))
    imgui.invisible_button(f"##{name} edge", ImVec2(reach, height))
    active = imgui.is_item_active()
    colour = style.ACCENT if active or imgui.is_item_hovered() else style.LINE
    x = edge - 1 if at_left else edge
    paper = imgui.get_window_draw_list()
    paper.add_line(
        ImVec2(x, top), ImVec2(x, top + height), imgui.get_color_u32(colour), app.points if active else 1
    )
    if active and imgui.is_mouse_dragging(0):
        mouse = imgui.get_mouse_pos().x
        wanted = (mouse - left if at_left else left + width - mouse) / app.points
        app.panel_widths = {**app.panel_widths, name: max(float(round(wanted)), NARROWEST)}
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        app.panel_widths = {**app.panel_widths, name: WIDTHS[name]}


def _legend(app: App) -> None:
    """Say what the colours mean; below, how the window looks."""
    imgui.separator()
    start = imgui.get_cursor_screen_pos()
    column = imgui.get_content_region_avail().x / 3
    line = imgui.get_text_line_height_with_spacing()
    for i, (role, name, meaning) in enumerate(LEGEND):
        x, y = start.x + i % 3 * column, start.y + i // 3 * line
        radius = imgui.get_text_line_height() * 0.3
        middle = ImVec2(x + radius + 1, y + imgui.get_text_line_height() / 2)
        imgui.get_window_draw_list().add_circle_filled(middle, radius, imgui.get_color_u32(style.role(role)))
        imgui.set_cursor_screen_pos(ImVec2(x + 3.4 * radius, y))
        text.coloured(name, QUIET)
        widgets.hint(meaning, app.points)
    imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + 2.1 * line))
    light = app.theme.name.startswith("light")
    for icon, words, says, on, command in (
        (
            icons.ICON_FA_MOON if light else icons.ICON_FA_SUN,
            "Dark" if light else "Light",
            "The dark or the light theme.",
            False,
            appearance.toggle_theme,
        ),
        (
            icons.ICON_FA_EYE_DROPPER,
            "Colours",
            "Hit and miss in green and red, or in blue and orange.",
            app.theme.name.endswith(appearance.OTHER_COLOURS),
            appearance.toggle_palette,
        ),
        (
            icons.ICON_FA_TAG,
            "Ids",
            "The ids beside all things, and the numbers of the vertices of what is selected.",
            app.labels,
            appearance.toggle_labels,
        ),
        (icons.ICON_FA_CIRCLE_QUESTION, "Help", "All keys.", False, appearance.show_help),
    ):
        with text.small():
            width, height = text.width(f"{icon} {words}"), imgui.get_text_line_height()
            place = imgui.get_cursor_screen_pos()
            if imgui.invisible_button(f"##{says}", ImVec2(width, height + 6 * app.points)):
                command(app)
            colour = TEXT if on or imgui.is_item_hovered() else QUIET
            text.at(place.x, place.y + 3 * app.points, f"{icon} {words}", colour)
        widgets.hint(says, app.points)
        imgui.same_line(0, 12 * app.points)
    imgui.new_line()
