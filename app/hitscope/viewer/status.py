"""The status line: what can be done now."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer import keyboard, style, text
from hitscope.viewer.app import App
from hitscope.viewer.style import FIXED, QUIET, TEXT
from hitscope.viewer.tools import SELECTION

HINTS = (
    ("Left", "drags a handle, orbits"),
    ("Middle", "pans"),
    ("Wheel", "zooms"),
    ("N S", "new segment"),
    ("N R L P T B", "ray, line, point, triangle, box"),
    ("W E R", "move, turn, scale"),
    ("[ ]", "scenes"),
    ("F Home", "frame"),
    ("H", "all keys"),
    ("Ctrl+S", "saves"),
    ("Tab", "hides panels"),
)
"""Keys and what they do, the most useful first: a narrow window shows fewer."""
BETWEEN = "   ·   "


def hint(app: App) -> str:
    """Give what is to be said now; nothing where nothing special is going on."""
    if app.drag is not None:
        return app.drag.hint
    if app.tool == SELECTION:
        return BETWEEN.join(["drag a box around what you want to select", "Shift adds", "Esc cancels"])
    if app.tool is not None:
        return BETWEEN.join([f"{'click' if app.tool == 'point' else 'drag'} to draw a {app.tool}", "Esc cancels"])
    if app.prefix:
        nexts = [f"{keys} {says}" for keys, says in keyboard.continuations(app)]
        return BETWEEN.join([f"{app.prefix} …", *nexts, "Esc cancels"])
    level = app.picture.level
    return app.message or (f"{level.words}{BETWEEN}V deeper{BETWEEN}Shift+V less deep" if level else "")


def show(app: App) -> None:
    """Make the status line's part of a frame."""
    left, top, width, height = app.layout.status
    imgui.set_next_window_pos(ImVec2(left, top))
    imgui.set_next_window_size(ImVec2(width, height))
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(12 * app.points, 0))
    imgui.push_style_var(imgui.StyleVar_.window_min_size, ImVec2(1, 1))
    imgui.begin("status", None, FIXED)
    edge = imgui.get_color_u32(style.LINE)
    imgui.get_window_draw_list().add_line(ImVec2(left, top), ImVec2(left + width, top), edge)
    with text.small():
        y = top + (height - imgui.get_text_line_height()) / 2
        x = left + 12 * app.points
        right = left + width - 12 * app.points
        if len(app.shelf.documents) > 1:
            place = f"{app.shelf.place + 1} / {len(app.shelf.documents)}"
            text.right_at(right, y, place, QUIET)
            right -= text.width(place) + 16 * app.points
        if said := hint(app):
            text.at(x, y, text.fitted(said, right - x), TEXT)
        else:
            _hints(x, y, right, app.points)
    imgui.end()
    imgui.pop_style_var(2)


def _hints(x: float, y: float, right: float, points: float) -> None:
    """Write as many hints as there is room for."""
    for keys, says in HINTS:
        room = text.width(keys) + text.width(says) + 6 * points
        if x + room > right:
            break
        text.at(x, y, keys, TEXT)
        text.right_at(x + room, y, says, QUIET)
        x += room + 18 * points
