"""The buttons that bring something into a scene: in the middle of an empty one, and in a list without items."""

from typing import Final

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import QUIET, pixels
from hitscope.viewer.state.state import State

PRIMITIVES, PROBES = "Add a primitive", "Add a probe that tests it"
ROWS: Final = {
    PRIMITIVES: {
        "new_box_primitive": (icons.ICON_FA_CUBE, "Box"),
        "new_obb_primitive": (icons.ICON_FA_DICE_D6, "Oriented box"),
        "new_sphere_primitive": (icons.ICON_FA_CIRCLE, "Sphere"),
        "new_triangle_primitive": (icons.ICON_FA_PLAY, "Triangle"),
        "new_plane": (icons.ICON_FA_SQUARE, "Plane"),
    },
    PROBES: {
        "new_segment": (icons.ICON_FA_MINUS, "Segment"),
        "new_ray": (icons.ICON_FA_ARROW_RIGHT, "Ray"),
    },
    "Or begin with": {
        "gallery": (icons.ICON_FA_TABLE_CELLS_LARGE, "An example"),
        "open": (icons.ICON_FA_FOLDER_OPEN, "A mesh"),
        "paste_numbers": (icons.ICON_FA_PASTE, "Pasted numbers"),
    },
}
"""The rows of buttons by the names of their commands; one whose command the viewer lacks is left out."""
BETWEEN, ROW_GAP, PADDING = 8.0, 12.0, 18.0
"""Between two buttons, between two rows, and around them, in points."""


def is_offered(state: State) -> bool:
    """Whether the scene is empty, and nothing is under way that brings something into it."""
    session, display = state.session, state.display
    is_empty = not (session.scene.primitives or session.scene.probes)
    is_awaited = state.tool.armed is not None or state.jobs.opening is not None
    has_room = display.panels and not display.is_low
    return state.messages.introduction.offers and has_room and is_empty and not is_awaited


def show(state: State) -> None:
    if not is_offered(state):
        return
    left, top, width, height = state.display.layout.picture
    rows = {title: _lines(state, title, width - 2 * pixels(BETWEEN + PADDING)) for title in ROWS}
    wide = max(_line_width(line) for lines in rows.values() for line in lines)
    center, size = ImVec2(left + width / 2, top + height / 2), ImVec2(wide + 2 * pixels(PADDING), 0)
    with style.card("empty scene", center, size, PADDING, pivot=ImVec2(0.5, 0.5)):
        for i, (title, lines) in enumerate(rows.items()):
            if i > 0:
                imgui.dummy(ImVec2(0, pixels(ROW_GAP)))
            with text.small():
                text.draw_centred(center.x, imgui.get_cursor_screen_pos().y, title, QUIET)
                imgui.dummy(ImVec2(0, imgui.get_text_line_height() + pixels(6)))
            for n, line in enumerate(lines):
                imgui.dummy(ImVec2(0, pixels(BETWEEN if n > 0 else 0)))
                _buttons(state, line, center.x - _line_width(line) / 2)


def offer(state: State, title: str) -> None:
    """Draw the buttons of a row into a list that has nothing yet."""
    start = imgui.get_cursor_screen_pos()
    with text.small():
        for line in _lines(state, title, imgui.get_content_region_avail().x):
            imgui.dummy(ImVec2(0, pixels(2)))
            _buttons(state, line, start.x)


def _line_width(labels: dict[str, str]) -> float:
    return sum(map(widgets.button_width, labels.values())) + pixels(BETWEEN) * (len(labels) - 1)


def _lines(state: State, title: str, room: float) -> list[dict[str, str]]:
    """The labels of a row by their commands, in the fewest lines whose buttons fit into `room` pixels."""
    known = {command.name for command in state.commands.all}
    labels = [(name, f"{icon}  {words}") for name, (icon, words) in ROWS[title].items() if name in known]
    for count in range(1, len(labels) + 1):
        each = -(-len(labels) // count)
        lines = [dict(labels[i : i + each]) for i in range(0, len(labels), each)]
        if all(_line_width(line) <= room for line in lines):
            break
    return lines


def _buttons(state: State, labels: dict[str, str], x: float) -> None:
    """Draw a line of buttons from the pixel `x` on."""
    y = imgui.get_cursor_screen_pos().y
    for name, label in labels.items():
        imgui.set_cursor_screen_pos(ImVec2(x, y))
        widgets.command_button(state, name, label)
        x += widgets.button_width(label) + pixels(BETWEEN)
