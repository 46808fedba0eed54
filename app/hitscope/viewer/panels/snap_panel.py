"""What drags snap to, at the top of the picture while they do: a word each, which a click turns on or off."""

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.app import App
from hitscope.viewer.files.settings import SNAP_KINDS, SnapKind
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import FAINT, FIXED, QUIET, TEXT

WORDS: dict[SnapKind, tuple[str, str]] = {
    "vertex": ("corners", "The corners of shapes, the ends of segments, the origins of rays."),
    "edge": ("edges", "The middle of an edge, or any point of it."),
    "parallel": ("parallel", "Directions: parallel to an axis, an edge or a face, or perpendicular to one."),
    "boundary": ("boundary", "The last place where the probe still hits: one ulp further, it misses."),
    "face": ("faces", "The faces of shapes, and their planes."),
    "grid": ("grid", "The points of the grid: of the ground, or of an upright one where you look along an axis."),
}
HEIGHT, AROUND, BETWEEN = 28.0, 10.0, 12.0
"""In points."""
COMPASS = 130.0
"""The corner at the top right, so many points wide and high, is the compass's."""


def show(app: App) -> None:
    """Make the part of a frame, while drags snap."""
    if not app.snapping:
        return
    left, upper, width, _ = app.layout.picture
    points, label = app.points, "snaps to"
    boxes = {kind: icons.ICON_FA_SQUARE_CHECK if kind in app.snap_to else icons.ICON_FA_SQUARE for kind in WORDS}
    said = {kind: f"{boxes[kind]} {words}" for kind, (words, _) in WORDS.items()}
    with text.small():
        wanted = text.width(label) + sum(text.width(words) + BETWEEN * points for words in said.values())
    room = ImVec2(wanted + 2 * AROUND * points, HEIGHT * points)
    if room.x > width - 2 * AROUND * points:
        return
    beside_compass = room.x < width - COMPASS * points
    top = upper + (AROUND if beside_compass else COMPASS) * points
    imgui.set_next_window_pos(ImVec2(left + AROUND * points, top))
    imgui.set_next_window_size(room)
    imgui.push_style_color(imgui.Col_.window_bg, style.RAISED)
    imgui.push_style_var(imgui.StyleVar_.window_min_size, ImVec2(1, 1))
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
    imgui.begin("snapping", None, FIXED)
    with text.small():
        y = top + (room.y - imgui.get_text_line_height()) / 2
        x = left + 2 * AROUND * points
        text.draw_at(x, y, label, QUIET)
        x += text.width(label) + BETWEEN * points
        for kind in SNAP_KINDS:
            along = text.width(said[kind])
            text.draw_at(x, y, said[kind], TEXT if kind in app.snap_to else FAINT)
            imgui.set_cursor_screen_pos(ImVec2(x - BETWEEN / 2 * points, top))
            if imgui.invisible_button(kind, ImVec2(along + BETWEEN * points, room.y)):
                app.snap_to ^= {kind}
            widgets.tooltip(f"{WORDS[kind][1]}\nA click lets drags snap to it, or not.", points)
            x += along + BETWEEN * points
    imgui.end()
    imgui.pop_style_var(2)
    imgui.pop_style_color()
