"""All keys and gestures, from the one table of bindings, and the hint of the first start."""

from collections.abc import Iterator

from imgui_bundle import ImVec2, imgui

from hitscope.viewer import appearance, style, text, widgets
from hitscope.viewer.app import App
from hitscope.viewer.bindings import GESTURES, keys_of
from hitscope.viewer.dialogs import Help
from hitscope.viewer.question import asked, asking
from hitscope.viewer.settings import Settings
from hitscope.viewer.style import ACCENT, FIXED, QUIET, TEXT, Fonts

GROUPS = {
    "Mouse": (),
    "Camera": ("frame", "look", "ortho", "toggle_up", "save_view"),
    "New": ("new_",),
    "Move": ("move", "rotate", "scale", "toggle_axes", "toggle_snapping", "nudge", "ulp"),
    "Files": ("save", "open", "gallery", "picture", "previous_scene", "next_scene"),
    "Window": (
        *("toggle_panels", "toggle_theme", "toggle_palette", "toggle_labels"),
        *("show_deeper", "show_shallower", "help"),
    ),
    "Select and edit": ("",),
}
"""The beginnings of the names of a group's commands; a command is in the first group that has it."""
COLUMN = 320
"""How wide a column of the help is, in points."""
KEYS_WIDTH = 118
"""How wide the keys are in it."""
HIGHEST = 0.86
"""The help takes at most so much of the window's height, and scrolls."""
GREETING = (
    ("Drag", "a round handle: the verdict follows"),
    ("Drag", "anywhere else to look around, the wheel zooms"),
    ("N", "then S, R, P, L, T or B draws a new probe"),
    ("H", "shows all keys"),
)


def grouped(settings: Settings) -> dict[str, list[tuple[str, str]]]:
    """Give every key and gesture, as the user has them, with what it does; several ways on one line."""
    found: dict[str, dict[str, list[str]]] = {group: {} for group in GROUPS}
    for gesture in GESTURES:
        found["Mouse"].setdefault(gesture.says, []).append(gesture.button.replace("+", " "))
    found["Mouse"].setdefault("zoom", []).append("Wheel")
    for key in keys_of(settings.bindings):
        group = next(group for group, names in GROUPS.items() if any(map(key.name.startswith, names)))
        found[group].setdefault(key.says, []).append(key.keys)
    return {
        group: [(", ".join(dict.fromkeys(keys)), says) for says, keys in lines.items()]
        for group, lines in found.items()
        if lines
    }


def show(app: App, fonts: Fonts) -> None:
    """Make the help's part of a frame, or the hint's."""
    _keys(app, fonts)
    if app.greets and not app.asks:
        _greet(app, fonts)


def _keys(app: App, fonts: Fonts) -> None:
    with asked(app, "Help", isinstance(asking(app), Help)) as opened:
        if not opened:
            return
        groups = grouped(app.settings)
        width, height = app.size
        line = imgui.get_text_line_height_with_spacing()
        across = max(1, min(3, int((width - 60 * app.points) // (COLUMN * app.points))))
        columns = _in_columns(groups, across)
        longest = max(sum(len(groups[group]) + 2.2 for group in column) for column in columns) + 3
        room = ImVec2(across * COLUMN * app.points, min(longest * line, HIGHEST * height - 60 * app.points))
        imgui.begin_child("keys", room)
        start = imgui.get_cursor_screen_pos()
        for i, column in enumerate(columns):
            imgui.set_cursor_screen_pos(ImVec2(start.x + i * COLUMN * app.points, start.y))
            imgui.begin_group()
            for group in column:
                with text.bold(fonts):
                    imgui.text_unformatted(group)
                for keys, says in groups[group]:
                    _line(keys, says, (COLUMN - 20) * app.points)
                widgets.gap(0.6)
            imgui.end_group()
        imgui.end_child()
        if imgui.button("Close"):
            app.dialog = None
        imgui.same_line()
        words = "Other keys can be set in the settings file, under bindings."
        imgui.align_text_to_frame_padding()
        imgui.text_colored(QUIET, text.fitted(words, room.x - 90 * app.points))


def _line(keys: str, says: str, width: float) -> None:
    """Write keys and what they do side by side, each on as many lines as it takes."""
    start = imgui.get_cursor_pos_x()
    left = KEYS_WIDTH * imgui.get_style().font_scale_dpi
    top = imgui.get_cursor_pos_y()
    bottom = top
    for x, end, words, colour in ((0.0, left - 8, keys, TEXT), (left, width, says, QUIET)):
        imgui.set_cursor_pos(ImVec2(start + x, top))
        imgui.push_text_wrap_pos(start + end)
        imgui.text_colored(colour, words)
        imgui.pop_text_wrap_pos()
        bottom = max(bottom, imgui.get_cursor_pos_y())
    imgui.set_cursor_pos(ImVec2(start, bottom))


def _in_columns(groups: dict[str, list[tuple[str, str]]], across: int) -> list[list[str]]:
    """Deal the groups out, each to the column that is shortest by then."""
    columns: list[list[str]] = [[] for _ in range(across)]

    def height(column: list[str]) -> int:
        return sum(len(groups[group]) + 2 for group in column)

    for group in _longest_first(groups):
        min(columns, key=height).append(group)
    order = list(groups)
    in_order = [sorted(column, key=order.index) for column in columns if column]
    return sorted(in_order, key=lambda column: order.index(column[0]))


def _longest_first(groups: dict[str, list[tuple[str, str]]]) -> Iterator[str]:
    yield from sorted(groups, key=lambda group: -len(groups[group]))


def _greet(app: App, fonts: Fonts) -> None:
    """Say how to begin, at the foot of the picture."""
    left, top, width, height = app.layout.picture
    room = min(380 * app.points, width - 24 * app.points)
    place = ImVec2(left + width / 2, top + height - 14 * app.points)
    imgui.set_next_window_pos(place, imgui.Cond_.always, ImVec2(0.5, 1.0))
    imgui.set_next_window_size(ImVec2(room, 0))
    imgui.push_style_color(imgui.Col_.window_bg, style.RAISED)
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 6 * app.points)
    imgui.begin("greeting", None, FIXED | imgui.WindowFlags_.always_auto_resize)
    with text.bold(fonts):
        imgui.text_unformatted("Move a probe, and see what it hits")
    for keys, says in GREETING:
        start = imgui.get_cursor_screen_pos()
        text.at(start.x, start.y, keys, ACCENT)
        column = 48 * app.points
        text.at(start.x + column, start.y, text.fitted(says, room - column - 28 * app.points), QUIET)
        imgui.dummy(ImVec2(0, imgui.get_text_line_height()))
    if widgets.button("Got it", app.points):
        appearance.understand(app)
    imgui.end()
    imgui.pop_style_var()
    imgui.pop_style_color()
