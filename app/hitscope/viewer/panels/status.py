"""The status line: a message, or what the mouse and the most useful keys do now."""

from imgui_bundle import ImVec2, imgui

from hitscope.draw.hierarchy import unseen
from hitscope.viewer import keyboard
from hitscope.viewer.app import App
from hitscope.viewer.bindings import pressed
from hitscope.viewer.files.rebinding import Wanted
from hitscope.viewer.panels import style, text
from hitscope.viewer.panels.style import FIXED, QUIET, TEXT
from hitscope.viewer.tools.dragging import BETWEEN
from hitscope.viewer.tools.drags import SELECTION
from hitscope.viewer.tools.gizmo import Mode

MOUSE = (("Left", "Drag a handle, orbit"), ("Wheel", "Zoom"), ("Middle", "Pan"))
HINTS = (
    (("help", "all keys"),),
    (("new_segment", "new segment"),),
    (
        *(("new_ray", "ray"), ("new_line", "line"), ("new_point", "point")),
        *(("new_triangle", "triangle"), ("new_box", "box")),
    ),
    (("move", "move"), ("rotate", "rotate"), ("scale", "scale")),
    (("previous_scene", "scenes"), ("next_scene", "scenes")),
    (("frame_selection", "frame"), ("frame_all", "frame")),
    (("save", "save"),),
    (("toggle_panels", "hide panels"),),
)
"""Command names with what each does, in groups that share one hint; the most useful first."""
GIZMOS: dict[Mode, str] = {"move": "Moves along", "rotate": "Rotates about", "scale": "Scales along"}
DRAWING = {
    "point": "Click to draw a point",
    "box": "Drag to draw the base of a box; a handle on top sets its height",
}
"""How to use a drawing tool, by the word of its shape; without an entry, by a drag."""


def key_hints(wanted: Wanted) -> list[tuple[str, str]]:
    """The user's keys with what they do, in the order in which a narrow window drops them from the end."""
    found = []
    for group in HINTS:
        bound = {name: meaning for name, meaning in group if pressed(wanted, name)}
        if bound:
            found.append((pressed(wanted, *bound), ", ".join(dict.fromkeys(bound.values())).capitalize()))
    return [MOUSE[0], *found[:1], *MOUSE[1:], *found[1:]]


def status_text(app: App) -> str:
    """The message, or how to use the current drag or tool; empty where the key hints are to be shown."""
    if app.drag is not None:
        return app.drag.hint
    cancels = [f"{keys} cancels"] if (keys := pressed(app.settings.bindings, "cancel")) else []
    if app.tool == SELECTION:
        return BETWEEN.join(["Drag a box around what you want to select", "Shift adds", *cancels])
    if app.tool is not None:
        return BETWEEN.join([DRAWING.get(app.tool, f"Drag to draw a {app.tool}"), *cancels])
    if app.prefix:
        nexts = [f"{keys} {meaning}" for keys, meaning in keyboard.continuations(app)]
        return BETWEEN.join([f"{app.prefix} …", *nexts, *cancels])
    if app.message:
        return app.message
    if app.mode is not None and app.selection:
        axes, others = ("its own", "the world's") if app.own_axes else ("the world's", "its own")
        keys = pressed(app.settings.bindings, "toggle_axes")
        switch = [f"{keys} for {others}"] if keys else []
        return BETWEEN.join([f"{GIZMOS[app.mode]} {axes} axes", *switch, *cancels])
    if app.viewpoint.hierarchy is None:
        return ""
    level = app.picture.level
    if level is None:
        return unseen(app.report)
    steps = (("show_deeper", "deeper"), ("show_shallower", "less deep"))
    keys_of_steps = [f"{keys} {way}" for name, way in steps if (keys := pressed(app.settings.bindings, name))]
    return BETWEEN.join([level.words, *keys_of_steps])


def show(app: App) -> None:
    """Draw the status line."""
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
        if app.place:
            text.draw_right_aligned(right, y, app.place, QUIET)
            right -= text.width(app.place) + 16 * app.points
        if words := status_text(app):
            text.draw_at(x, y, _fitted(words, right - x), TEXT)
        else:
            _draw_key_hints(app, x, y, right)
    imgui.end()
    imgui.pop_style_var(2)


def _fitted(words: str, room: float) -> str:
    """The text without the last parts that do not fit into `room` pixels; a single part is cut."""
    parts = words.split(BETWEEN)
    while len(parts) > 1 and text.width(BETWEEN.join(parts)) > room:
        parts.pop()
    return text.cut_end(BETWEEN.join(parts), room)


def _draw_key_hints(app: App, x: float, y: float, right: float) -> None:
    """Draw as many key hints as fit."""
    for keys, meaning in key_hints(app.settings.bindings):
        width = text.width(keys) + text.width(meaning) + 6 * app.points
        if x + width > right:
            break
        text.draw_at(x, y, keys, TEXT)
        text.draw_right_aligned(x + width, y, meaning, QUIET)
        x += width + 18 * app.points
