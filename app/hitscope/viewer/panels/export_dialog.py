"""The dialog that exports a picture or a turntable: its choices, and where to."""

from imgui_bundle import ImVec2, imgui

from hitscope.scene import Scene
from hitscope.viewer.actions import cancel, saving
from hitscope.viewer.panels import file_dialogs, text, widgets
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.modal import answer, vertical_space
from hitscope.viewer.panels.style import PANEL, QUIET, pixels
from hitscope.viewer.state.dialogs import SCALES, SECONDS, ExportPicture, Form, PictureOptions, in_pixels
from hitscope.viewer.state.session import size_of
from hitscope.viewer.state.state import State
from hitscope.viewer.state.turntable import estimated_bytes

WIDTH = 420.0
"""The width of the dialog's content, in points."""
FORMS: dict[Form, tuple[str, str]] = {
    ".png": ("Picture", "A picture of the present view, as a PNG file."),
    ".gif": ("Turntable, GIF", "The scene turning once, as a file that every page and issue shows."),
    ".mp4": ("Turntable, MP4", "The scene turning once, as a smaller and smoother file for slides."),
}
"""The kinds of export: label and tooltip."""
CHOICES = {
    "grid": ("Grid", "The grid with its two axes."),
    "transparent": ("Transparent background", "For slides and paper: only what is drawn covers the page."),
    "labels": ("Labels", "The ids, and t at the hits of what is selected."),
    "legend": ("Legend below", "What the colours and lines mean."),
    "verdicts": ("Verdicts below", "What each probe hits and misses."),
}
"""The checkboxes, by field of `PictureOptions`: label and tooltip; a turntable has the first one."""


def show(state: State, _: Gui, dialog: ExportPicture) -> None:
    if file_dialogs.asks_otherwise(state, dialog):
        return
    display, do, options = state.display, state.do, state.dialogs.picture
    width = min(pixels(WIDTH), 0.85 * display.size[0])
    if not display.is_low:
        imgui.text_unformatted(state.commands["export_picture"].label.rstrip("…"))
        vertical_space()
    wanted = _form(options, width)
    wanted = _scale(state, dialog.document.scene, wanted, width)
    wanted = _seconds(wanted, width) if options.turns else wanted
    wanted = _checkboxes(wanted, width)
    if wanted != options:
        do(saving.choose_picture, wanted)
    vertical_space()
    entered = file_dialogs.path_field(state, dialog, width)
    vertical_space()
    if answer("Save") or entered:
        do(saving.resolve_path, dialog)
    imgui.same_line()
    if answer("Browse"):
        do(saving.browse, dialog)
    imgui.same_line()
    imgui.begin_disabled(options.turns)
    if answer("Copy"):
        do(saving.copy_picture)
    widgets.tooltip("Copy the picture to the clipboard.")
    imgui.end_disabled()
    imgui.same_line()
    if answer("Cancel"):
        do(cancel.cancel_dialog, dialog)


def _form(options: PictureOptions, width: float) -> PictureOptions:
    names = {label: form for form, (label, _) in FORMS.items()}
    chosen = widgets.choice("form", dict(FORMS.values()), FORMS[options.form][0], width)
    vertical_space()
    return options._replace(form=names[chosen])


def _scale(state: State, scene: Scene, options: PictureOptions, width: float) -> PictureOptions:
    """Draw the choice of the size, and below it the size in pixels, and about that of a turntable's file."""
    names = {("½×" if scale < 1 else f"{scale}×"): scale for scale in SCALES[options.form]}
    now = next((name for name, scale in names.items() if scale == options.factor), "1×")
    chosen = widgets.choice("scale", dict.fromkeys(names, ""), now, width)
    size = saving.size_in_pixels(state, options)
    words = in_pixels(*size) + (", and the text below" if options.legend or options.verdicts else "")
    if options.turns:
        about = estimated_bytes(options.form, size, options.seconds, size_of(scene) + len(scene.probes))
        words = f"{in_pixels(*size)}, about {max(round(about / 1e6), 1):,} MB"
    with text.small():
        imgui.text_colored(QUIET, words)
    vertical_space()
    scale = names[chosen]
    return options._replace(turn_scale=scale) if options.turns else options._replace(scale=scale)


def _seconds(options: PictureOptions, width: float) -> PictureOptions:
    names = {f"{seconds} s": seconds for seconds in SECONDS}
    meanings = dict.fromkeys(names, "How long a turn takes.")
    chosen = widgets.choice("seconds", meanings, f"{options.seconds} s", width)
    vertical_space()
    return options._replace(seconds=names[chosen])


def _checkboxes(options: PictureOptions, width: float) -> PictureOptions:
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
