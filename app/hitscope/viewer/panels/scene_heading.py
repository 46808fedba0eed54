"""The heading of the outliner: the scene's name and description, which a click turns into text fields."""

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.viewer.actions import inspector_edits, opening
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import ACCENT, QUIET, TEXT, pixels
from hitscope.viewer.state import dialogs, documents
from hitscope.viewer.state.state import State

LINES, LINES_IF_LOW, EDITED_LINES = 6, 2, 6
"""The number of lines of the description that are shown, also in a low window, and of its field."""
LOW = 600
"""A window lower than this, in points, is low."""
LARGEST_PART = 0.4
"""The largest part of the panel's height that an unfolded description takes; it scrolls."""
MORE = "more"
"""The words that unfold the description."""


class SceneHeading:
    """The name and the description; one that is too long is cut, and unfolded by a click on "more"."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._field = widgets.TextField()
        self._entered: dialogs.EditedHeading | None = None
        """The part whose field has got the keyboard; a dialog that closes gives it back frames later."""
        self._unfolded: documents.Document | None = None
        """The document whose whole description is shown."""

    def show(self) -> None:
        state = self._state
        document, title = state.session.document, opening.title_of(state)
        if title != document.title:  # another one is being opened
            with text.bold():
                text.paragraph(title, TEXT)
            return
        edited, scene = state.dialogs.heading, state.session.scene
        part = edited.part if edited is not None and edited.document is document else None
        with text.bold():
            if edited is not None and part == "name":
                self._edit(edited, scene.name)
            elif self._text("scene name", title, TEXT, "Click to rename the scene."):
                state.do(inspector_edits.edit_name)
        with text.small():
            if edited is not None and part == "description":
                self._edit(edited, scene.description, EDITED_LINES)
            elif scene.description:
                self._description(document, scene.description)

    def _edit(self, edited: dialogs.EditedHeading, known: str, lines: int = 1) -> None:
        if self._entered is not edited:
            imgui.set_keyboard_focus_here()
        typed = self._field.show(f"scene {edited.part}", known, imgui.get_content_region_avail().x, lines=lines)
        if imgui.is_item_active():
            self._entered = edited
        if typed is not None:
            self._state.do(inspector_edits.take_heading, edited, typed)
        if imgui.is_item_deactivated():
            self._state.do(inspector_edits.stop_heading, edited)

    def _description(self, document: documents.Document, words: str) -> None:
        display, height = self._state.display, self._state.display.layout.panel.height
        if document is self._unfolded:
            whole = imgui.calc_text_size(text.escaped(words), False, imgui.get_content_region_avail().x).y
            with widgets.scroll_area("description", min(whole, height * LARGEST_PART)):
                if self._text("scene description", words, QUIET, "Click to edit the description."):
                    self._state.do(inspector_edits.edit_description)
            if _link("less", imgui.get_cursor_screen_pos()):
                self._unfolded = None
        elif not display.is_low:
            room, start = imgui.get_content_region_avail().x, imgui.get_cursor_screen_pos()
            cut = text.cut_lines(words, LINES if height > pixels(LOW) else LINES_IF_LOW, aside=MORE)
            if self._text("scene description", cut, QUIET, f"{words}\n\nClick to edit the description."):
                self._state.do(inspector_edits.edit_description)
            if cut != text.escaped(words):
                # At the end of the last line, so that the lists below stay where they are.
                below, bottom = imgui.get_cursor_screen_pos(), imgui.get_item_rect_max().y
                corner = ImVec2(start.x + room - text.width(MORE), bottom - imgui.get_text_line_height())
                if _link(MORE, corner):
                    self._unfolded = document
                imgui.set_cursor_screen_pos(below)

    def _text(self, key: str, words: str, colour: ImVec4, meaning: str) -> bool:
        start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        words = text.escaped(words)
        height = imgui.calc_text_size(words, False, room).y
        imgui.set_next_item_allow_overlap()
        clicked = imgui.invisible_button(f"##{key}", ImVec2(max(room, 1), max(height, 1)))
        widgets.tooltip(meaning)
        if imgui.is_item_hovered():
            imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
        draw, font, shade = imgui.get_window_draw_list(), imgui.get_font(), imgui.get_color_u32(colour)
        draw.add_text(font, imgui.get_font_size(), start, shade, words, room)
        return bool(clicked)


def _link(words: str, corner: ImVec2) -> bool:
    """Draw a word that can be clicked with its top left corner at a pixel; return whether it was."""
    imgui.set_cursor_screen_pos(corner)
    size = ImVec2(text.width(words), imgui.get_text_line_height())
    clicked = imgui.invisible_button(f"##{words}", size, style.NAVIGABLE)
    if imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    text.draw_at(corner.x, corner.y, words, ACCENT)
    return bool(clicked)
