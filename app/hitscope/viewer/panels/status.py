"""The status line: what can be done now."""

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

MOUSE = (("Left", "drags a handle, orbits"), ("Wheel", "zooms"), ("Middle", "pans"))
HINTS = (
    (("help", "all keys"),),
    (("new_segment", "new segment"),),
    (
        *(("new_ray", "ray"), ("new_line", "line"), ("new_point", "point")),
        *(("new_triangle", "triangle"), ("new_box", "box")),
    ),
    (("move", "move"), ("rotate", "turn"), ("scale", "scale")),
    (("previous_scene", "scenes"), ("next_scene", "scenes")),
    (("frame_selection", "frame"), ("frame_all", "frame")),
    (("save", "saves"),),
    (("toggle_panels", "hides panels"),),
)
"""Commands, by name, that are told together, and what each does; the most useful first."""
GIZMOS: dict[Mode, str] = {"move": "moves along", "rotate": "turns about", "scale": "scales along"}
DRAWS = {
    "point": "click to draw a point",
    "box": "drag to draw the base of a box; a handle on top sets its height",
}


def key_hints(wanted: Wanted) -> list[tuple[str, str]]:
    """Give keys, as the user has them, and what they do; a narrow window shows fewer."""
    found = []
    for several in HINTS:
        bound = {name: says for name, says in several if pressed(wanted, name)}
        if bound:
            found.append((pressed(wanted, *bound), ", ".join(dict.fromkeys(bound.values()))))
    return [MOUSE[0], *found[:1], *MOUSE[1:], *found[1:]]


def status_text(app: App) -> str:
    """Give what is to be said now; nothing where nothing special is going on."""
    if app.drag is not None:
        return app.drag.hint
    cancels = [f"{keys} cancels"] if (keys := pressed(app.settings.bindings, "cancel")) else []
    if app.tool == SELECTION:
        return BETWEEN.join(["drag a box around what you want to select", "Shift adds", *cancels])
    if app.tool is not None:
        return BETWEEN.join([DRAWS.get(app.tool, f"drag to draw a {app.tool}"), *cancels])
    if app.prefix:
        nexts = [f"{keys} {says}" for keys, says in keyboard.continuations(app)]
        return BETWEEN.join([f"{app.prefix} …", *nexts, *cancels])
    if app.message:
        return app.message
    if app.mode is not None and app.selection:
        axes, others = ("its own", "the world's") if app.own_axes else ("the world's", "its own")
        keys = pressed(app.settings.bindings, "toggle_axes")
        turned = [f"{keys} for {others}"] if keys else []
        return BETWEEN.join([f"{GIZMOS[app.mode]} {axes} axes", *turned, *cancels])
    if app.viewpoint.hierarchy is None:
        return ""
    level = app.picture.level
    if level is None:
        return unseen(app.report)
    ways = (("show_deeper", "deeper"), ("show_shallower", "less deep"))
    told = [f"{keys} {says}" for name, says in ways if (keys := pressed(app.settings.bindings, name))]
    return BETWEEN.join([level.words, *told])


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
        if app.place:
            text.draw_right_aligned(right, y, app.place, QUIET)
            right -= text.width(app.place) + 16 * app.points
        if said := status_text(app):
            text.draw_at(x, y, _fitted(said, right - x), TEXT)
        else:
            _hints(app, x, y, right)
    imgui.end()
    imgui.pop_style_var(2)


def _fitted(said: str, room: float) -> str:
    """Leave out the last parts for which there is no room; the first is cut rather than left out."""
    parts = said.split(BETWEEN)
    while len(parts) > 1 and text.width(BETWEEN.join(parts)) > room:
        parts.pop()
    return text.cut_end(BETWEEN.join(parts), room)


def _hints(app: App, x: float, y: float, right: float) -> None:
    """Write as many hints as there is room for."""
    for keys, says in key_hints(app.settings.bindings):
        room = text.width(keys) + text.width(says) + 6 * app.points
        if x + room > right:
            break
        text.draw_at(x, y, keys, TEXT)
        text.draw_right_aligned(x + room, y, says, QUIET)
        x += room + 18 * app.points
