"""The dialog that exports a picture: its choices, and where to."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.actions import cancel, saving
from hitscope.viewer.panels import file_dialogs, text, widgets
from hitscope.viewer.panels.modal import answer, front_dialog, modal, vertical_space
from hitscope.viewer.panels.style import PANEL, QUIET, pixels
from hitscope.viewer.state.dialogs import SCALES, Dialogs, ExportPicture, PictureOptions, in_pixels
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.state import Do

WIDTH = 420.0
"""The width of the dialog's content, in points."""
CHOICES = {
    "transparent": ("Transparent background", "For slides and paper: only what is drawn covers the page."),
    "labels": ("Labels", "The ids, and t at the hits of what is selected."),
    "grid": ("Grid", "The grid with its two axes."),
    "legend": ("Legend below", "What the colours and lines mean."),
    "verdicts": ("Verdicts below", "What each probe hits and misses."),
}
"""The choices that are on or off, by field of `PictureOptions`: label and tooltip."""


def show(display: Display, dialogs: Dialogs, do: Do) -> None:
    """Draw the dialog, if it is open."""
    dialog = front_dialog(dialogs)
    with modal(display, do, "Export a picture", isinstance(dialog, ExportPicture)) as opened:
        if opened and isinstance(dialog, ExportPicture):
            if dialog.native:
                file_dialogs.show_native(do, dialog)
            elif dialog.overwrites is not None:
                file_dialogs.ask_to_overwrite(display, do, dialog, dialog.overwrites)
            else:
                _show(display, do, dialog, dialogs.picture)


def _show(display: Display, do: Do, dialog: ExportPicture, options: PictureOptions) -> None:
    width = min(pixels(WIDTH), 0.85 * display.size[0])
    imgui.text_unformatted("Export a picture")
    vertical_space()
    names = {f"{scale}×": "" for scale in SCALES}
    chosen = widgets.choice("scale", names, f"{options.scale}×", width)
    picture = display.layout.picture
    size = in_pixels(picture.width * options.scale, picture.height * options.scale)
    with text.small():
        imgui.text_colored(QUIET, size + (", and the text below" if options.legend or options.verdicts else ""))
    vertical_space()
    wanted = options._replace(scale=int(chosen.removesuffix("×")))
    left = imgui.get_cursor_pos_x()
    imgui.push_style_color(imgui.Col_.frame_bg, PANEL)
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, pixels(1))
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(pixels(4), pixels(4)))
    for i, (name, (label, meaning)) in enumerate(CHOICES.items()):
        if i % 2:
            imgui.same_line(left + width / 2)
        _, value = imgui.checkbox(label, getattr(options, name))
        widgets.tooltip(meaning)
        wanted = wanted._replace(**{name: value})
    imgui.pop_style_var(2)
    imgui.pop_style_color()
    if wanted != options:
        do(saving.choose_picture, wanted)
    vertical_space()
    entered = file_dialogs.path_field(do, dialog, width)
    vertical_space()
    if answer("Save") or entered:
        do(saving.resolve_path, dialog)
    imgui.same_line()
    if answer("Browse"):
        do(saving.browse, dialog)
    imgui.same_line()
    if answer("Copy"):
        do(saving.copy_picture)
    widgets.tooltip("Copy the picture to the clipboard.")
    imgui.same_line()
    if answer("Cancel"):
        do(cancel.cancel_dialog, dialog)
