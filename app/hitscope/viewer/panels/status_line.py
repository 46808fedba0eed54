"""The status line: a message, or hints to the mouse and the most useful keys; and the toast, which comes first.

A toast says beside the mouse, else at the top of the picture, what was just done, or why it was not.
"""

from functools import lru_cache

from imgui_bundle import ImVec2, imgui

from hitscope.draw.hierarchy import missing_level_reason
from hitscope.viewer.panels import style, text
from hitscope.viewer.panels.style import QUIET, TEXT, pixels
from hitscope.viewer.state.messages import HINT_SEPARATOR, hints
from hitscope.viewer.state.picture_marks import edge_arrow
from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.state import Commands, State
from hitscope.viewer.state.tool import SELECTION_BOX, GizmoMode

MOUSE = (("Left", "Drag a handle, orbit"), ("Wheel", "Zoom"), ("Middle", "Pan"))
HINTS = (
    (("help", "all keys"),),
    (("new_segment", "new segment"),),
    (
        *(("new_ray", "ray"), ("new_line", "line"), ("new_point", "point")),
        *(("new_triangle", "triangle"), ("new_box", "box"), ("new_sphere", "sphere")),
    ),
    (("move", "move"), ("rotate", "rotate"), ("scale", "scale")),
    (("previous_scene", "scenes"), ("next_scene", "scenes")),
    (("frame_selection", "frame"), ("frame_all", "frame")),
    (("step_through", "step through the method"),),
    (("save", "save"),),
    (("toggle_panels", "hide panels"),),
)
"""Command names with descriptions, in groups that share one hint; the most useful first."""
STEPPING = (
    (("step_back", "step"), ("step_forward", "step")),
    (("next_pass", "next pass"),),
    (("play_steps", "play"),),
    (("to_decision", "decision"),),
    (("step_through", "close the steps"),),
)
"""The commands shown while a method is stepped through, with their words."""
GIZMOS: dict[GizmoMode, str] = {"move": "Moves along", "rotate": "Rotates about", "scale": "Scales along"}
DRAWING = {
    "point": "Click to place",
    "aabb": "Drag the base of",
    "plane": "Drag the normal of",
    "sphere": "Drag the radius of",
    "capsule": "Drag the axis of",
    "polyhedron": "Drag the base of",
    "frustum": "Drag the view of",
    "cast_sphere": "Drag the radius of",
}
"""The beginning of the instruction for a drawing tool, by the type word of its shape; others are just dragged."""


@lru_cache(maxsize=2)  # every frame asks
def key_hints(commands: Commands, stepping: bool = False) -> list[tuple[str, str]]:
    """The user's keys with descriptions; a narrow window leaves out the last ones."""
    found = []
    for group in STEPPING if stepping else HINTS:
        if bound := {name: meaning for name, meaning in group if commands.pressed(name)}:
            found.append((commands.pressed(*bound), ", ".join(dict.fromkeys(bound.values())).capitalize()))
    return found if stepping else [MOUSE[0], *found[:1], *MOUSE[1:], *found[1:]]


def status_text(state: State) -> str:
    """The message, or how to use the current drag or tool; empty where the key hints are to be shown."""
    tool, commands = state.tool, state.commands
    if tool.drag is not None:
        return tool.drag.hint
    cancels = commands.phrase("cancel", "cancels")
    if tool.armed == SELECTION_BOX:
        return hints("Drag a box around what you want to select", "Shift adds", cancels)
    if tool.armed is not None:
        how = f"{DRAWING.get(tool.armed.word, 'Drag to draw')} {tool.armed.with_article}"
        click = "" if how.startswith("Click") else "Click to place one"
        return hints(how, click, "Shift places several", cancels)
    if tool.key_prefix:
        nexts = [f"{display_keys(keys)} {meaning}" for keys, meaning in commands.continuations(tool.key_prefix)]
        return hints(f"{display_keys(tool.key_prefix)} …", *nexts, cancels)
    if notices := hints(state.messages.notice, _out_of_sight(state)):
        return notices
    if tool.gizmo_mode is not None and state.selection.targets:
        axes, others = ("its own", "the world's") if tool.own_axes else ("the world's", "its own")
        switch = commands.phrase("toggle_axes", f"for {others}")
        return hints(f"{GIZMOS[tool.gizmo_mode]} {axes} axes", switch, cancels)
    if state.display.viewpoint.hierarchy is None:
        return ""
    level = state.session.picture.level
    if level is None:
        return missing_level_reason(state.session.report)
    deeper, higher = commands.phrase("show_deeper", "deeper"), commands.phrase("show_shallower", "less deep")
    return hints(level.words, deeper, higher)


def _out_of_sight(state: State) -> str:
    """The message that the selection is outside of the picture; empty where it is not."""
    if edge_arrow(state) is None:
        return ""
    targets = state.selection.targets
    name = targets[0].id if len(targets) == 1 else "The selection"
    return f"{name} is out of the picture{state.commands.phrase('frame_selection', 'frames it', ': ')}"


def show(state: State, toast: str) -> None:
    """Draw the line; what a toast tells in the picture comes to stand here when that is gone."""
    left, top, width, height = rect = state.display.layout.status
    with style.window("status", rect, (12, 0)), text.small():
        style.line(left, top, left + width, top, style.LINE)
        y = top + (height - imgui.get_text_line_height()) / 2
        x, right = left + pixels(12), left + width - pixels(12)
        seconds = state.host.picture_seconds
        if state.host.shows_rate and seconds:
            rate = f"{1 / seconds:.0f} pictures/s, {1000 * seconds:.0f} ms each"
            right = text.draw_right_aligned(right, y, rate, QUIET) - pixels(18)
        words = status_text(state)
        if words and words != toast:
            text.draw_at(x, y, _fitted(words, right - x), TEXT)
            return
        for keys, meaning in key_hints(state.commands, state.display.stepping.is_open):
            if x + text.width(keys) + text.width(meaning) + pixels(6) > right:
                break
            x = text.draw_at(x, y, keys, TEXT) + pixels(6)
            x = text.draw_at(x, y, meaning, QUIET) + pixels(18)


def _fitted(words: str, room: float) -> str:
    """The text without the last parts that do not fit into `room` pixels; a single part is cut."""
    parts = words.split(HINT_SEPARATOR)
    while len(parts) > 1 and text.width(HINT_SEPARATOR.join(parts)) > room:
        parts.pop()
    return text.cut_end(HINT_SEPARATOR.join(parts), room)


SECONDS = 4.0
"""How long a toast is shown, unless a key or a press in the picture replaces it before."""
WIDEST, PADDING, AWAY = 340.0, 7.0, 16.0
"""The width at which it is wrapped, the space inside it, and that to the mouse or the top, in points."""


class Toast:
    """The message of the state, where the mouse was when it came; the status line keeps it."""

    def __init__(self) -> None:
        self._notice, self._since = "", 0.0
        self.pixel: tuple[float, float] | None = None
        """Where the mouse was in the picture when the message came; None where it was elsewhere."""
        self.shown = ""
        """The message of the last frame; empty for none."""

    def show(self, state: State, mouse: tuple[float, float] | None) -> None:
        """Draw the toast; `mouse` is the pixel of the mouse while that is in the picture."""
        notice, now = state.messages.notice, state.display.now
        if notice is not self._notice:
            self._notice, self._since, self.pixel = notice, now, mouse
        is_over = now - self._since >= SECONDS or state.tool.drag is not None
        self.shown = "" if is_over else notice
        if not self.shown:
            return
        left, top, width, height = state.display.layout.picture
        with text.small():
            room = min(pixels(WIDEST), width - 4 * pixels(PADDING))
            words, inside = text.wrapped(notice, room), pixels(PADDING)
            size = imgui.calc_text_size(words)
            wide, high = size.x + 2 * inside, size.y + 2 * inside
            if self.pixel is None:
                x, y = left + (width - wide) / 2, top + pixels(AWAY)
            else:
                x, y = (place + pixels(AWAY) for place in self.pixel)
            x, y = min(x, left + width - wide), min(y, top + height - high)
            draw, start, end = imgui.get_background_draw_list(), ImVec2(x, y), ImVec2(x + wide, y + high)
            draw.add_rect_filled(start, end, imgui.get_color_u32(style.RAISED), inside)
            draw.add_rect(start, end, imgui.get_color_u32(style.LINE), inside)
            draw.add_text(ImVec2(round(x + inside), round(y + inside)), imgui.get_color_u32(style.TEXT), words)
