"""The dialog that shows what pasted or typed numbers mean before they are taken."""

from collections.abc import Iterator
from typing import Any

from imgui_bundle import ImVec2, imgui, imgui_ctx

from hitscope import numerals
from hitscope.scene.number_readings import Found, Reading
from hitscope.viewer.actions import cancel, paste_numbers
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.modal import answers, just_appeared
from hitscope.viewer.panels.style import FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.panels.widgets import Caption, row, vertical_space
from hitscope.viewer.state.dialogs import PasteNumbers, PasteRole
from hitscope.viewer.state.state import State

WIDTH, LABEL = 480.0, 96.0
"""The largest width of the content, and the width of the names of fields, in points."""
FIELD_LINES, SHOWN_LINES = 4, 8
"""The number of visible lines of the field, and of what was read."""
MOST_ITEMS = 200
"""The most items that are listed."""
LONGEST_FIELD = 10_000
"""A text of more characters is too long for the field, which Dear ImGui would copy in every frame."""
NAMES = {"aabb": "box", "obb": "rotated box"}
"""The names that people give to types whose word is none."""
ROLES: dict[PasteRole, str] = {"change": "Change {}", "primitive": "New primitive{}", "probe": "New probe{}"}
MEANINGS: dict[PasteRole, str] = {
    "change": "The numbers of the selected item are replaced.",
    "primitive": "Probes are tested against primitives.",
    "probe": "Probes are tested against primitives.",
}


def title(reading: Reading) -> str:
    """The items of a reading in words, e.g. "3 rays"."""
    count, words = len(reading.found), sorted(reading.words)
    name = NAMES.get(words[0], words[0]) if len(words) == 1 else "item"
    return f"{count:,} {name}{'es' if name.endswith('x') else 's'}" if count > 1 else f"a {name}"


def take_label(dialog: PasteNumbers) -> str:
    if dialog.reading is None:
        return "Paste"
    if dialog.role == "change" and dialog.target is not None:
        return f"Change {dialog.target.id}"
    return f"Paste {title(dialog.reading)}"


def show(state: State, gui: Gui, dialog: PasteNumbers) -> None:
    gui.keeps_lines, width = True, min(pixels(WIDTH), 0.85 * state.display.size[0])
    # The arrows choose a reading: no button has the keyboard.
    imgui.push_item_flag(imgui.ItemFlags_.no_nav.value, not dialog.has_field)
    words = take_label(dialog) if dialog.readings else state.commands["paste_numbers"].label
    imgui.text_unformatted(text.cut_end(words, width))
    takes = _field(state, dialog, width) if dialog.has_field else imgui.is_key_pressed(imgui.Key.enter)
    if dialog.problem:
        with imgui_ctx.push_text_wrap_pos(imgui.get_cursor_pos_x() + width):
            imgui.text_colored(WARNING, text.escaped(dialog.problem))
    elif not dialog.readings:
        with text.small():
            example = "Such as (1, 2, 3), origin=(0, 0, 0) dir=(1, 0, 0), or lines of a log or table"
            imgui.text_colored(FAINT, example)
    if dialog.readings:
        _readings(state, dialog, width)
        _found(dialog, width)
    vertical_space()
    imgui.begin_disabled(not dialog.readings)
    takes |= imgui.button(text.cut_end(take_label(dialog), 0.6 * width))
    imgui.end_disabled()
    if takes and dialog.readings:
        state.do(paste_numbers.take, dialog)
    imgui.same_line()
    answers(state, ("Cancel", cancel.cancel_dialog, dialog))
    imgui.same_line()
    arrows = " ".join(["↑ ↓"] * (len(dialog.readings) > 1) + ["← →"] * (len(dialog.roles) > 1))
    choose = [f"{arrows} choose"] if arrows and not dialog.has_field else []
    with text.small():
        imgui.align_text_to_frame_padding()
        imgui.text_colored(FAINT, ", ".join(["Enter takes", *choose, "Esc discards"]))
    imgui.pop_item_flag()


def _field(state: State, dialog: PasteNumbers, width: float) -> bool:
    if len(dialog.typed) > LONGEST_FIELD:
        with text.small():
            imgui.text_colored(QUIET, f"{len(dialog.typed.splitlines()):,} lines from the clipboard")
        return bool(imgui.is_key_pressed(imgui.Key.enter))
    if just_appeared("numbers"):
        imgui.set_keyboard_focus_here()
    height = FIELD_LINES * imgui.get_text_line_height() + 2 * imgui.get_style().frame_padding.y
    flags = imgui.InputTextFlags_.ctrl_enter_for_new_line | imgui.InputTextFlags_.enter_returns_true
    flags |= imgui.InputTextFlags_.auto_select_all
    with imgui_ctx.push_style_color(imgui.Col_.frame_bg, style.PANEL):
        entered, typed = imgui.input_text_multiline("##numbers", dialog.typed, ImVec2(width, height), flags.value)
    if entered and not dialog.readings:
        imgui.set_keyboard_focus_here(-1)
    if typed != dialog.typed:
        state.do(paste_numbers.read, dialog, typed)
    return bool(entered)


def _readings(state: State, dialog: PasteNumbers, width: float) -> None:
    if len(dialog.readings) > 1:
        by = widgets.arrow_steps()
        if by and not dialog.has_field:
            state.do(paste_numbers.choose, dialog, (dialog.chosen + by) % len(dialog.readings))
        step = imgui.get_text_line_height_with_spacing() + imgui.get_style().item_spacing.y
        height = min(len(dialog.readings) * step, 0.3 * state.display.size[1])
        vertical_space()
        with widgets.child("readings", ImVec2(width, height)):
            for i, reading in enumerate(dialog.readings):
                name, chosen = title(reading).removeprefix("a "), i == dialog.chosen
                icon = Caption("\N{BULLET}" if chosen else "", TEXT)
                asides = [Caption(reading.note, QUIET, brief="")]
                if row(f"reading {i} {name}", text.sentence(name), icon, asides, selected=chosen):
                    state.do(paste_numbers.choose, dialog, i)
                if chosen and by:
                    imgui.set_scroll_here_y()
    if len(dialog.roles) > 1 and dialog.reading is not None:
        many = "s" if len(dialog.reading.found) > 1 else ""
        name = dialog.target.id if dialog.target is not None else ""
        labels = {role: ROLES[role].format(name if role == "change" else many) for role in dialog.roles}
        vertical_space()
        with widgets.child("roles", ImVec2(width, imgui.get_text_line_height() + pixels(8))):
            meanings = {role: MEANINGS[role] for role in dialog.roles}
            role = widgets.choice("role", meanings, dialog.role, labels=labels)
        if not dialog.has_field and (by := widgets.arrow_steps(imgui.Key.left_arrow, imgui.Key.right_arrow)):
            role = dialog.roles[(dialog.roles.index(dialog.role) + by) % len(dialog.roles)]
        if role != dialog.role:
            state.do(paste_numbers.set_role, dialog, role)


def _found(dialog: PasteNumbers, width: float) -> None:
    assert dialog.reading is not None
    found = dialog.reading.found
    lines = list(_lines(found[:MOST_ITEMS]))
    if len(found) > MOST_ITEMS:
        lines.append(("", f"and {len(found) - MOST_ITEMS:,} more"))
    vertical_space()
    with text.small():
        height = min(len(lines), SHOWN_LINES) * imgui.get_text_line_height_with_spacing() + 2 * pixels(8)
        with (
            imgui_ctx.push_style_color(imgui.Col_.child_bg, style.PANEL),
            imgui_ctx.push_style_var(imgui.StyleVar_.window_padding, ImVec2(pixels(10), pixels(8))),
            widgets.child("found", ImVec2(width, height), imgui.ChildFlags_.always_use_window_padding),
        ):
            for label, numbers in lines:
                start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
                text.draw_at(start.x, start.y, text.cut_end(label, pixels(LABEL - 6)), QUIET)
                left, colour = (pixels(LABEL), TEXT) if label else (0.0, QUIET)
                text.draw_at(start.x + left, start.y, text.cut_end(numbers, room - left), colour)
                imgui.dummy(ImVec2(room, imgui.get_text_line_height()))


def _lines(found: tuple[Found, ...]) -> Iterator[tuple[str, str]]:
    """The lines of a list of items: of a single item one for each field, else one for each item."""
    for word, values in found:
        if len(found) == 1:
            for name, value in values.items():
                parts = value if isinstance(value, tuple) and isinstance(value[0], tuple) else (value,)
                for i, part in enumerate(parts):
                    yield f"{name} {i}" if len(parts) > 1 else name, _numbers(part)
        else:
            yield NAMES.get(word, word), "    ".join(f"({_numbers(value)})" for value in values.values())


def _numbers(value: Any) -> str:
    """Numbers as the scene file has them."""
    if not isinstance(value, tuple):
        return numerals.typeset(value, None)
    parts = (f"({_numbers(part)})" if isinstance(part, tuple) else _numbers(part) for part in value)
    return ", ".join(parts)
