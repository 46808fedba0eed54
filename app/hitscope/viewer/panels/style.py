"""The style of the panels: one typeface in three sizes, greys, and the palette's colours."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import imgui_bundle
from imgui_bundle import ImVec2, ImVec4, imgui, imgui_ctx

from hitscope.draw.items import Role
from hitscope.render.palette import Theme, rgb

LARGE, BODY, SMALL = 17.0, 15.0, 12.5
_FONTS = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
_SIGNS: Final = ("latex/latinmodern-math.otf", "Inconsolata-Medium.ttf")
"""Fonts with the mathematical signs that the typeface lacks."""
_SYSTEM: Final = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-vf-fonts/NotoSansCJK-VF.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf",
    "/usr/share/fonts/truetype/nanum/NanumGothic.ttf",
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
    "C:/Windows/Fonts/arial.ttf",
    "C:/Windows/Fonts/msyh.ttc",
    "C:/Windows/Fonts/malgun.ttf",
)
"""Fonts of the operating systems with the letters of other scripts; `text.escaped` writes the rest as escapes."""


def pixels(points: float) -> float:
    """A length in points as one in pixels of the screen that the current style was applied for."""
    return points * imgui.get_style().font_scale_dpi


def colour_of(text: str, alpha: float = 1.0) -> ImVec4:
    """A colour written as #rrggbb, for Dear ImGui's style."""
    return ImVec4(*rgb(text), alpha)


def ink(colour: str, alpha: float = 1.0) -> int:
    """A colour written as #rrggbb, packed for Dear ImGui's draw lists."""
    return imgui.get_color_u32(colour_of(colour, alpha))


def faded(colour: ImVec4, alpha: float) -> ImVec4:
    return ImVec4(colour.x, colour.y, colour.z, alpha)


_GREYS: Final = {
    "text": ("#d9dee7", "#20262f"),
    "quiet": ("#9aa4b4", "#4d5765"),
    "faint": ("#8490a1", "#5f6978"),
    "panel": ("#15181d", "#f4f5f7"),
    "label": ("#0d0f13", "#ffffff"),
    "raised": ("#1d2128", "#ffffff"),
    "line": ("#272c35", "#d5d9e0"),
    "field": ("#1f242c", "#e7eaee"),
    "button": ("#2a303a", "#dfe3e9"),
    "button hovered": ("#363e4b", "#d2d7df"),
    "button pressed": ("#414b5a", "#c3c9d3"),
    "grab": ("#323946", "#c9ced7"),
    "grab hovered": ("#414a59", "#b3bac6"),
    "grab pressed": ("#4d5869", "#9da5b3"),
    "shade": ("#ffffff", "#000000"),
}
"""The panels' colours beside the palette's, for a dark and a light theme; the shade is over a hovered row."""
_DIMMED: Final = (0.5, 0.3)
"""The opacity of the black around a modal dialog, in the same themes."""

# Each is one mutable object that follows the theme, so that modules can import it by name.
TEXT, QUIET, FAINT, ACCENT, WARNING, PANEL, LABEL, RAISED, LINE, FIELD, DIM = (ImVec4() for _ in range(11))
_ROLES = tuple(ImVec4() for _ in Role)


def role(which: Role) -> ImVec4:
    return _ROLES[which]


FIXED: Final = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_bring_to_front_on_focus
)
"""The flags of a window with a fixed position and size, those of the layout."""
NAVIGABLE: Final = imgui.ButtonFlags_.enable_nav
"""The flag of a button that Tab can reach, though it draws itself."""
CORNER: Final = ImVec2(0, 0)


def fill(x: float, y: float, width: float, height: float, colour: ImVec4 | int, rounding: float = 0.0) -> None:
    """Fill a rectangle of the current window, in pixels, in a colour or in one of Dear ImGui's style."""
    end, ink = ImVec2(x + width, y + height), imgui.get_color_u32(colour)
    imgui.get_window_draw_list().add_rect_filled(ImVec2(x, y), end, ink, rounding)


def line(x: float, y: float, end_x: float, end_y: float, colour: ImVec4, width: float = 1.0) -> None:
    ink = imgui.get_color_u32(colour)
    imgui.get_window_draw_list().add_line(ImVec2(x, y), ImVec2(end_x, end_y), ink, width)


@contextmanager
def window(name: str, rect: Sequence[float], padding: tuple[float, float] | None = None) -> Iterator[None]:
    """A window without a frame at (left, top, width, height) in pixels; a `padding` of its own is in points."""
    left, top, width, height = rect
    inside = imgui.get_style().window_padding if padding is None else ImVec2(*map(pixels, padding))
    imgui.set_next_window_pos(ImVec2(left, top))
    imgui.set_next_window_size(ImVec2(width, height))
    imgui.push_style_var(imgui.StyleVar_.window_min_size, ImVec2(1, 1))
    imgui.push_style_var(imgui.StyleVar_.window_padding, inside)
    imgui.begin(name, None, FIXED)
    imgui.pop_style_var(2)
    yield
    imgui.end()


@contextmanager
def card(
    name: str, corner: ImVec2, size: ImVec2, padding: float, *, pivot: ImVec2 = CORNER, flags: int = FIXED
) -> Iterator[None]:
    """A window that lies on the picture, with `padding` points inside its round border.

    It has a `size` in pixels, and `corner` is the pixel at `pivot`, a fraction of the size.
    """
    imgui.set_next_window_pos(corner, imgui.Cond_.always, pivot)
    imgui.set_next_window_size(size)
    imgui.push_style_color(imgui.Col_.window_bg, RAISED)
    imgui.push_style_var(imgui.StyleVar_.window_rounding, pixels(8))
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(pixels(padding), pixels(padding)))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(0, 0))
    imgui.begin(name, None, flags)
    yield
    imgui.end()
    imgui.pop_style_var(4)
    imgui.pop_style_color()


@contextmanager
def strip(name: str, rect: Sequence[float], padding: float) -> Iterator[None]:
    """A window of its own shade below the picture, at (left, top, width, height), with `padding` points inside."""
    left, top, width, height = rect
    with window(name, rect, (padding, padding)):
        fill(left, top, width, height, RAISED)
        line(left, top, left + width, top, LINE)
        with imgui_ctx.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(0, 0)):
            yield


TYPEFACES: Final = ("Roboto/Roboto-Regular.ttf", "Roboto/Roboto-Bold.ttf", "Inconsolata-Medium.ttf")
_, BOLD, MONO = range(3)
"""The indices of the bold typeface and the monospaced one, of hex numbers; the first is the default."""


def font(index: int) -> imgui.ImFont:
    """One of the `TYPEFACES` in Dear ImGui's present context."""
    return imgui.get_io().fonts.fonts[index]


def load_fonts() -> None:
    """Load the typefaces, each with the icons, into Dear ImGui's present context."""
    atlas, icons, more = imgui.get_io().fonts, imgui.ImFontConfig(), imgui.ImFontConfig()
    icons.merge_mode = more.merge_mode = True
    icons.glyph_min_advance_x = BODY
    system = [path for path in _SYSTEM if os.access(path, os.R_OK)]
    for name in TYPEFACES:
        atlas.add_font_from_file_ttf(str(_FONTS / name), BODY)
        for signs in _SIGNS:
            atlas.add_font_from_file_ttf(str(_FONTS / signs), BODY, more)
        atlas.add_font_from_file_ttf(str(_FONTS / "Font_Awesome_6_Free-Solid-900.otf"), BODY * 0.95, icons)
        for path in system:
            atlas.add_font_from_file_ttf(path, BODY, more)


def apply(pixel_ratio: float, theme: Theme) -> None:
    """Set Dear ImGui's style for a theme and a screen with `pixel_ratio` pixels per point."""
    is_light = theme.name.startswith("light")
    greys = {name: shades[is_light] for name, shades in _GREYS.items()}
    accent = theme.roles[Role.PROBE]
    for which, text in (
        *((TEXT, greys["text"]), (QUIET, greys["quiet"]), (FAINT, greys["faint"]), (LINE, greys["line"])),
        *((PANEL, greys["panel"]), (LABEL, greys["label"]), (RAISED, greys["raised"]), (FIELD, greys["field"])),
        *((ACCENT, accent), (WARNING, theme.warning), (DIM, "#000000")),
        *zip(_ROLES, theme.roles, strict=True),
    ):
        which.x, which.y, which.z = rgb(text)
        which.w = 0.82 if which is LABEL else _DIMMED[is_light] if which is DIM else 1.0
    style = imgui.get_style()
    style.font_size_base = BODY
    style.font_scale_dpi = pixel_ratio
    style.window_padding = ImVec2(14 * pixel_ratio, 12 * pixel_ratio)
    style.item_spacing = ImVec2(8 * pixel_ratio, 4 * pixel_ratio)
    style.frame_padding = ImVec2(12 * pixel_ratio, 6 * pixel_ratio)
    style.window_rounding = style.child_rounding = 0
    style.frame_rounding = style.popup_rounding = 5 * pixel_ratio
    style.scrollbar_size = 8 * pixel_ratio
    style.scrollbar_rounding = 4 * pixel_ratio
    style.window_border_size = style.child_border_size = 0
    style.popup_border_size = 1
    for part, colour in {
        imgui.Col_.text: TEXT,
        imgui.Col_.window_bg: PANEL,
        imgui.Col_.child_bg: colour_of("#000000", 0),
        imgui.Col_.popup_bg: RAISED,
        imgui.Col_.border: LINE,
        imgui.Col_.separator: LINE,
        imgui.Col_.frame_bg: FIELD,
        imgui.Col_.frame_bg_hovered: colour_of(greys["button"]),
        imgui.Col_.frame_bg_active: colour_of(greys["button"]),
        imgui.Col_.check_mark: TEXT,
        imgui.Col_.checkbox_selected_bg: colour_of(greys["button hovered"]),
        imgui.Col_.text_selected_bg: colour_of(accent, 0.35),
        imgui.Col_.nav_cursor: colour_of(accent, 0.6),
        imgui.Col_.header: colour_of(accent, 0.24),
        imgui.Col_.header_hovered: colour_of(greys["shade"], 0.07),
        imgui.Col_.header_active: colour_of(accent, 0.34),
        imgui.Col_.button: colour_of(greys["button"]),
        imgui.Col_.button_hovered: colour_of(greys["button hovered"]),
        imgui.Col_.button_active: colour_of(greys["button pressed"]),
        imgui.Col_.scrollbar_bg: colour_of("#000000", 0),
        imgui.Col_.scrollbar_grab: colour_of(greys["grab"]),
        imgui.Col_.scrollbar_grab_hovered: colour_of(greys["grab hovered"]),
        imgui.Col_.scrollbar_grab_active: colour_of(greys["grab pressed"]),
        # Dear ImGui would fade it in; `modal` darkens at once.
        imgui.Col_.modal_window_dim_bg: colour_of("#000000", 0),
    }.items():
        style.set_color_(part, colour)
