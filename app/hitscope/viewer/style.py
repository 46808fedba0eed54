"""How the panels look: one typeface in two sizes, quiet greys, and the palette's colours."""

from pathlib import Path
from typing import Final

import imgui_bundle
from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.draw.items import Role
from hitscope.render.palette import DARK, rgb

BODY: Final = 15.0
SMALL: Final = 12.5
_FONTS = Path(imgui_bundle.__file__).parent / "assets" / "fonts"

THEME = DARK


def colour_of(text: str, alpha: float = 1.0) -> ImVec4:
    """Give a colour written as #rrggbb."""
    return ImVec4(*rgb(text), alpha)


TEXT = colour_of("#d9dee7")
QUIET = colour_of("#8a93a3")
FAINT = colour_of("#565f6d")
ACCENT = colour_of(THEME.roles[Role.PROBE])
WARNING = colour_of(THEME.warning)
PANEL = colour_of("#15181d")
LABEL = colour_of("#0d0f13", 0.82)
RAISED = colour_of("#1d2128")
LINE = colour_of("#272c35")


def role(which: Role) -> ImVec4:
    """Give a role's colour, as in the picture."""
    return colour_of(THEME.roles[which])


FIXED: Final = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_bring_to_front_on_focus
    | imgui.WindowFlags_.no_nav
)
"""A window that lies where the layout says."""


class Fonts:
    """The two weights of the typeface; icons are part of both."""

    def __init__(self) -> None:
        self.regular = _font("Roboto/Roboto-Regular.ttf")
        self.bold = _font("Roboto/Roboto-Bold.ttf")


def _font(name: str) -> imgui.ImFont:
    atlas = imgui.get_io().fonts
    font = atlas.add_font_from_file_ttf(str(_FONTS / name), BODY)
    icons = imgui.ImFontConfig()
    icons.merge_mode = True
    icons.glyph_min_advance_x = BODY
    atlas.add_font_from_file_ttf(str(_FONTS / "Font_Awesome_6_Free-Solid-900.otf"), BODY * 0.95, icons)
    return font


def apply(points: float) -> None:
    """Set Dear ImGui's style for a screen with so many pixels a point."""
    style = imgui.get_style()
    style.font_size_base = BODY
    style.font_scale_dpi = points
    style.window_padding = ImVec2(14 * points, 12 * points)
    style.item_spacing = ImVec2(8 * points, 4 * points)
    style.frame_padding = ImVec2(12 * points, 6 * points)
    style.window_rounding = style.child_rounding = 0
    style.frame_rounding = style.popup_rounding = 5 * points
    style.scrollbar_size = 8 * points
    style.scrollbar_rounding = 4 * points
    style.window_border_size = style.child_border_size = 0
    style.popup_border_size = 1
    for which, colour in {
        imgui.Col_.text: TEXT,
        imgui.Col_.window_bg: PANEL,
        imgui.Col_.child_bg: colour_of("#000000", 0),
        imgui.Col_.popup_bg: RAISED,
        imgui.Col_.border: LINE,
        imgui.Col_.separator: LINE,
        imgui.Col_.header: colour_of(THEME.roles[Role.PROBE], 0.24),
        imgui.Col_.header_hovered: colour_of("#ffffff", 0.07),
        imgui.Col_.header_active: colour_of(THEME.roles[Role.PROBE], 0.34),
        imgui.Col_.button: colour_of("#2a303a"),
        imgui.Col_.button_hovered: colour_of("#363e4b"),
        imgui.Col_.button_active: colour_of("#414b5a"),
        imgui.Col_.scrollbar_bg: colour_of("#000000", 0),
        imgui.Col_.scrollbar_grab: colour_of("#323946"),
        imgui.Col_.scrollbar_grab_hovered: colour_of("#414a59"),
        imgui.Col_.scrollbar_grab_active: colour_of("#4d5869"),
        imgui.Col_.modal_window_dim_bg: colour_of("#000000", 0.55),
    }.items():
        style.set_color_(which, colour)
