"""The dialogs about files: open a scene or a mesh, save as, export a picture; and questions about documents."""

from datetime import datetime
from itertools import groupby

from imgui_bundle import ImVec2, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.scene import Scene
from hitscope.viewer.actions import cancel, closing, disk_changes, opening, recovery, saving
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.modal import answers, just_appeared
from hitscope.viewer.panels.style import FAINT, PANEL, QUIET, WARNING, pixels
from hitscope.viewer.panels.widgets import TOP, Caption, row, vertical_space
from hitscope.viewer.state import dialogs, inputs, paths, session, turntable
from hitscope.viewer.state.state import State

SIZE = (620.0, 380.0)
"""The largest width and height of the list of files, in points."""
PATH = "##path"
"""The Dear ImGui label of the text field."""
ICONS = {
    "recent": icons.ICON_FA_CLOCK_ROTATE_LEFT,
    "up": icons.ICON_FA_TURN_UP,
    "folder": icons.ICON_FA_FOLDER,
    "file": icons.ICON_FA_CUBE,
}
MESH_ICON = icons.ICON_FA_SHAPES


def show_open(state: State, _: Gui, dialog: dialogs.OpenFile) -> None:
    if dialog.native:
        _show_native(state, dialog)
        return
    width, height = (min(pixels(s), 0.75 * of) for s, of in zip(SIZE, state.display.size, strict=True))
    imgui.text_unformatted(state.commands["open"].label)
    is_new = _show_path(state, dialog, width)
    if dialog.problem:
        text.paragraph(dialog.problem, WARNING, width)
    if is_new:
        imgui.set_next_window_scroll(TOP)
    with widgets.child("files", ImVec2(width, height)):
        # Only the mouse clicks on a row: the keyboard stays in the field, whose arrow keys choose one.
        imgui.push_item_flag(imgui.ItemFlags_.no_nav, True)
        _entries(state, dialog)
        imgui.pop_item_flag()
    vertical_space()
    imgui.begin_disabled(not dialog.typed.strip() and dialog.chosen is None)
    answers(state, ("Open", opening.open_chosen, dialog))
    imgui.end_disabled()
    imgui.same_line()
    answers(state, ("Cancel", cancel.cancel_dialog, dialog))


def asks_otherwise(state: State, dialog: dialogs.SaveDialog) -> bool:
    """Draw what is asked in place of a path: the system's dialog asks, or whether to overwrite; False for none."""
    if dialog.native:
        _show_native(state, dialog)
    elif dialog.overwrites is not None:
        imgui.text_unformatted("This file already exists")
        imgui.text_colored(QUIET, text.cut_middle(str(dialog.overwrites), _width(state)))
        vertical_space()
        overwrite = "Overwrite", saving.write_to, dialog, dialog.overwrites
        answers(state, overwrite, ("Back", cancel.cancel_dialog, dialog), default="Back")
    return dialog.native or dialog.overwrites is not None


def _show_native(state: State, dialog: dialogs.OpenFile | dialogs.SaveDialog) -> None:
    """Draw a hint to the operating system's dialog, which is no part of the window."""
    imgui.text_unformatted("Choose a file in the system's file dialog")
    vertical_space()
    answers(state, ("Type a path instead", opening.type_instead, dialog), ("Cancel", cancel.cancel_dialog, dialog))


def _show_path(state: State, dialog: dialogs.OpenFile, width: float) -> bool:
    """Draw the field of the path, whose arrow keys choose in the list; Tab completes a name, Enter opens.

    Returns whether its text, or with it the folder that is listed, is new.
    """
    is_rewritten = _reload(dialog.rewritten)
    flags = imgui.InputTextFlags_.callback_history
    if dialog.typed:
        flags |= imgui.InputTextFlags_.callback_completion
    entered, typed = _field(dialog.typed, "Type to search, or a path; choose below, or drop a file", width, flags)
    if imgui.is_item_activated() and (field := imgui.internal.get_input_text_state(imgui.get_item_id())):
        field.reload_user_buf_and_move_to_end()
    if typed != dialog.typed:
        state.do(opening.type_path, dialog, typed)
    if imgui.is_item_active():
        if by := widgets.arrow_steps():
            state.do(opening.choose, dialog, by)
        elif dialog.typed and imgui.is_key_pressed(imgui.Key.tab):
            state.do(opening.complete, dialog)
    if entered:
        state.do(opening.open_chosen, dialog)
    return is_rewritten or typed != dialog.typed


def _entries(state: State, dialog: dialogs.OpenFile) -> None:
    room = imgui.get_content_region_avail().x - pixels(40)
    entries, chosen = dialog.entries, dialog.chosen_entry
    folder = "." if dialog.listing is None else dialog.listing.folder
    for is_recent, group in groupby(entries, lambda entry: entry.kind == "recent"):
        with text.small():
            words = "Recent" if is_recent else text.cut_middle(folder, room)
            imgui.text_colored(QUIET, text.escaped(words))
        for entry in group:
            icon = MESH_ICON if paths.is_mesh(entry.path) and entry.kind == "file" else ICONS[entry.kind]
            kind = str(entry.path.parent) if is_recent else ""
            key = f"{entry.kind} {entry.path if is_recent else entry.name}"
            if row(key, entry.name, Caption(icon, QUIET), (), selected=entry == chosen, kind=kind):
                state.do(opening.visit, dialog, entry.path)
            if entry == chosen and widgets.arrow_steps():
                imgui.set_scroll_here_y()
        vertical_space()
    if not any(entry.kind != "recent" for entry in entries):
        imgui.text_colored(FAINT, "No name matches" if dialog.typed else "No folder, scene or mesh here")


def show_save(state: State, _: Gui, dialog: dialogs.SaveAs) -> None:
    if asks_otherwise(state, dialog):
        return
    width = _width(state)
    imgui.text_unformatted(text.cut_end(f"Save {dialog.document.path.name} as", width))
    path_field(state, dialog, width)
    answers(state, ("Save", saving.resolve_path, dialog), ("Cancel", cancel.cancel_dialog, dialog))


def _width(state: State) -> float:
    return min(pixels(SIZE[0]), 0.75 * state.display.size[0])


def path_field(state: State, dialog: dialogs.SaveDialog, width: float) -> None:
    """Draw the folder, the field for a path, in which Enter takes that, and the problem with it."""
    with text.small():
        imgui.text_colored(QUIET, text.cut_middle(f"in {dialog.folder}", width))
    _reload(dialog.rewritten)
    entered, typed = _field(dialog.typed, "Type a name or a path", width, imgui.InputTextFlags_.auto_select_all)
    if typed != dialog.typed:
        state.do(saving.type_text, dialog, typed)
    if entered:
        state.do(saving.resolve_path, dialog)
    if dialog.problem:
        text.paragraph(dialog.problem, WARNING, width)
    vertical_space()


def _reload(rewritten: int) -> bool:
    """Let the field show a text that replaced what was typed; return whether `rewritten` has changed."""
    storage, key = imgui.get_state_storage(), imgui.get_id("rewritten")
    is_new = storage.get_int(key, -1) != rewritten
    if is_new and (field := imgui.internal.get_input_text_state(imgui.get_id(PATH))):
        # Dear ImGui keeps the text of a field that has the keyboard.
        field.reload_user_buf_and_move_to_end()
    storage.set_int(key, rewritten)
    return is_new


def _field(typed: str, hint: str, width: float, flags: int) -> tuple[bool, str]:
    """Draw a text field that takes the keyboard; return whether Enter was pressed, and its text."""
    imgui.set_next_item_width(width)
    flags |= imgui.InputTextFlags_.enter_returns_true.value
    with imgui_ctx.push_style_color(imgui.Col_.frame_bg, PANEL):
        entered, now = imgui.input_text_with_hint(PATH, hint, typed, flags, lambda _: 0)
    elsewhere = imgui.is_any_item_focused() and not imgui.is_item_focused()
    # A button under a pressed mouse becomes active only when it is drawn, below.
    if just_appeared("field") or not (imgui.is_any_item_active() or elsewhere or imgui.is_any_mouse_down()):
        imgui.set_keyboard_focus_here(-1)
    return entered, now


TEXT_WIDTH, CARD_SPACE = 560, 14.0
"""The largest width of a text, and the space around the card in a corner, and inside it, in points."""


def _text_width(state: State) -> float:
    return min(pixels(TEXT_WIDTH), 0.8 * state.display.size[0])


def show_unsaved(state: State, _: Gui, dialog: dialogs.Closing) -> None:
    imgui.text_unformatted("Save changes before closing?")
    for document in dialog.unsaved:
        imgui.text_colored(QUIET, text.cut_end(document.title, _text_width(state)))
    vertical_space()
    save, discard = ("Save", closing.save_and_close, dialog), ("Discard", closing.discard_and_close, dialog)
    answers(state, save, discard, ("Cancel", cancel.cancel_topmost), default="Save")


def show_conflict(state: State, _: Gui, conflict: dialogs.Conflict) -> None:
    name = conflict.document.path.name
    imgui.text_unformatted(text.cut_end(f"{name} was changed both on disk and here.", _text_width(state)))
    imgui.text_colored(QUIET, "Load from disk: replaces your changes; undo brings them back.")
    imgui.text_colored(QUIET, "Keep mine: the next save overwrites the file.")
    vertical_space()
    load = "Load from disk", disk_changes.take_theirs, conflict
    answers(state, load, ("Keep mine", disk_changes.keep_mine, conflict), default="Load from disk")


def show_overwrite(state: State, _: Gui, dialog: dialogs.Overwrite) -> None:
    question = f"{dialog.document.path.name} was changed on disk and can no longer be read."
    imgui.text_unformatted(text.cut_end(question, _text_width(state)))
    imgui.text_colored(QUIET, "Overwrite: the file's present content is lost.")
    imgui.text_colored(QUIET, "Cancel: the file stays, and is loaded again once it is valid.")
    vertical_space()
    overwrite = "Overwrite", saving.overwrite, dialog.document
    answers(state, overwrite, ("Cancel", cancel.cancel_dialog, dialog), default="Cancel")


def offer_recovery(state: State) -> None:
    """Draw the card in a corner of the picture that offers to restore autosaves which were found late."""
    if state.dialogs.late_recovery is None:
        return
    left, top, _, height = state.display.layout.picture
    corner = ImVec2(left + pixels(CARD_SPACE), top + height - pixels(CARD_SPACE))
    with style.card("recovery", corner, ImVec2(0, 0), CARD_SPACE, pivot=ImVec2(0, 1)):
        imgui.text_unformatted("hitscope ended before all changes were saved")
        vertical_space()
        if widgets.button("Show them…", "Show what was not saved, to restore or discard it.", main=True):
            state.do(recovery.answer_offer, True)
        imgui.same_line(0, pixels(8))
        if widgets.button("Later", "Ask again at the next start."):
            state.do(recovery.answer_offer, False)


def show_recovery(state: State, _: Gui, dialog: dialogs.Recovery) -> None:
    width = _text_width(state)
    imgui.text_unformatted("hitscope ended before these changes were saved")
    vertical_space()
    imgui.set_next_window_size_constraints(ImVec2(width, 0), ImVec2(width, 0.6 * state.display.size[1]))
    flags = imgui.ChildFlags_.auto_resize_y | imgui.ChildFlags_.nav_flattened
    with widgets.child("autosaves", ImVec2(width, 0), flags):
        for leftover in dialog.leftovers:
            with imgui_ctx.push_id(leftover.autosave):
                _show_leftover(state, dialog, leftover)
    vertical_space()
    if len(dialog.leftovers) > 1:
        restore = "Restore all", recovery.restore_all, dialog
        answers(state, restore, ("Discard all", recovery.discard, *dialog.unanswered))
        vertical_space()
    if widgets.button("Later", "Ask again at the next start (Esc)."):
        state.do(cancel.cancel_dialog, dialog)


def _show_leftover(state: State, dialog: dialogs.Recovery, leftover: inputs.Leftover) -> None:
    """Draw the row of an autosave, as high with the answer as with the buttons."""
    room = imgui.get_content_region_avail().x
    vertical_space()
    imgui.text_unformatted(text.cut_middle(leftover.path, room))
    with text.small():
        words = f"{datetime.fromtimestamp(leftover.time):%d %b %Y %H:%M:%S}: {leftover.difference}"
        imgui.text_colored(QUIET, text.cut_end(words, room))
        if leftover.outdated:
            imgui.text_colored(WARNING, "The file has changed since")
    vertical_space()
    if (answered := dialog.answers.get(leftover)) is not None:
        imgui.align_text_to_frame_padding()
        imgui.text_colored(QUIET, answered.capitalize())
    else:
        default = "Restore" if leftover == dialog.leftovers[0] else ""
        restore, discard = ("Restore", recovery.restore, leftover), ("Discard", recovery.discard, leftover)
        answers(state, restore, discard, default=default)
    vertical_space()


EXPORT_WIDTH = 420.0
"""The width of the dialog's content, in points."""
FORM_LABELS: dict[dialogs.Form, str] = {".png": "Picture", ".gif": "Turntable, GIF", ".mp4": "Turntable, MP4"}
FORMS: dict[dialogs.Form, str] = {
    ".png": "A picture of the present view, as a PNG file.",
    ".gif": "The scene turning once, as a file that every page and issue shows.",
    ".mp4": "The scene turning once, as a smaller and smoother file for slides.",
}
"""The kinds of export, with their tooltips."""
CHOICES = {
    "grid": ("Grid", "The grid with its two axes."),
    "transparent": ("Transparent background", "For slides and paper: only what is drawn covers the page."),
    "labels": ("Labels", "The ids, and t at the hits of what is selected."),
    "legend": ("Legend below", "What the colours and lines mean."),
    "verdicts": ("Verdicts below", "What each probe hits and misses."),
}
"""The checkboxes, by field of `PictureOptions`: label and tooltip; a turntable has the first one."""


def show_export(state: State, _: Gui, dialog: dialogs.ExportPicture) -> None:
    if asks_otherwise(state, dialog):
        return
    display, options = state.display, state.dialogs.picture
    width = min(pixels(EXPORT_WIDTH), 0.85 * display.size[0])
    if not display.is_low:
        imgui.text_unformatted(state.commands["export_picture"].label.rstrip("…"))
        vertical_space()
    wanted = options._replace(form=widgets.choice("form", FORMS, options.form, width, FORM_LABELS))
    vertical_space()
    wanted = _scale(state, dialog.document.scene, wanted, width)
    if options.turns:
        labels = {seconds: f"{seconds} s" for seconds in dialogs.SECONDS}
        meanings = dict.fromkeys(labels, "How long a turn takes.")
        wanted = wanted._replace(seconds=widgets.choice("seconds", meanings, options.seconds, width, labels))
        vertical_space()
    wanted = _checkboxes(wanted, width)
    if wanted != options:
        state.do(saving.choose_picture, wanted)
    vertical_space()
    path_field(state, dialog, width)
    answers(state, ("Save", saving.resolve_path, dialog), ("Browse", saving.browse, dialog))
    imgui.same_line()
    imgui.begin_disabled(options.turns)
    answers(state, ("Copy", saving.copy_picture))
    widgets.tooltip("Copy the picture to the clipboard.")
    imgui.end_disabled()
    imgui.same_line()
    answers(state, ("Cancel", cancel.cancel_dialog, dialog))


def _scale(state: State, scene: Scene, options: dialogs.PictureOptions, width: float) -> dialogs.PictureOptions:
    """Draw the choice of the size, and below it the size in pixels, and about that of a turntable's file."""
    labels = {scale: "½×" if scale < 1 else f"{scale}×" for scale in dialogs.SCALES[options.form]}
    scale = widgets.choice("scale", dict.fromkeys(labels, ""), options.factor, width, labels)
    size = saving.size_in_pixels(state, options)
    words = dialogs.in_pixels(*size) + (", and the text below" if options.legend or options.verdicts else "")
    if options.turns:
        items = session.size_of(scene) + len(scene.probes)
        about = turntable.estimated_bytes(options.form, size, options.seconds, items)
        words = f"{dialogs.in_pixels(*size)}, about {max(round(about / 1e6), 1):,} MB"
    with text.small():
        imgui.text_colored(QUIET, words)
    vertical_space()
    return options._replace(turn_scale=scale) if options.turns else options._replace(scale=scale)


def _checkboxes(options: dialogs.PictureOptions, width: float) -> dialogs.PictureOptions:
    left = imgui.get_cursor_pos_x()
    imgui.push_style_color(imgui.Col_.frame_bg, PANEL)
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, pixels(1))
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(pixels(4), pixels(4)))
    for i, (name, (label, meaning)) in enumerate(list(CHOICES.items())[: 1 if options.turns else None]):
        if i % 2:
            imgui.same_line(left + width / 2)
        _, value = imgui.checkbox(label, getattr(options, name))
        widgets.tooltip(meaning)
        options = options._replace(**{name: value})  # type: ignore[arg-type]
    imgui.pop_style_var(2)
    imgui.pop_style_color()
    return options
