"""The rectangles of the widgets of the last frame, by their labels."""

from typing import NamedTuple

from imgui_bundle import imgui

ITEMS = (
    *("button", "checkbox", "input_text", "input_text_with_hint", "input_text_multiline", "invisible_button"),
    *("selectable", "begin_menu", "menu_item", "begin_combo"),
)
"""The functions of Dear ImGui that the panels make widgets with; the first argument of each is the label."""


class Rectangle(NamedTuple):
    """A rectangle in pixels from the top left corner of the window."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self):
        """Its middle, (x, y)."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Widgets:
    """The rectangle of every widget of the last frame, by its label without icon and without "##"."""

    def __init__(self, patch):
        """Note them from now on, until `patch` is undone; of several users, those of the one who acted last."""
        self._drawn = []
        self.focused = ""
        """The label of the widget that the keys act on; empty for none."""
        for name in ITEMS:
            patch.setattr(imgui, name, self._noting(getattr(imgui, name)))
        new_frame = imgui.new_frame

        def begin():
            self._drawn.clear()
            self.focused = ""
            new_frame()

        patch.setattr(imgui, "new_frame", begin)

    @property
    def rectangles(self):
        """The rectangles by their labels."""
        return {
            label.rpartition("##")[2].rpartition("  ")[2]: Rectangle(start.x, start.y, end.x, end.y)
            for label, start, end in self._drawn
        }

    def find(self, label):
        """The rectangle of the widget with this label, or of the first one whose label begins so; or None."""
        rectangles = self.rectangles
        if label in rectangles:
            return rectangles[label]
        return next((found for known, found in rectangles.items() if known.startswith(label)), None)

    def _noting(self, function):
        def item(label, *arguments, **options):
            answer = function(label, *arguments, **options)
            if imgui.is_item_focused():
                self.focused = label.rpartition("##")[2].rpartition("  ")[2]
            self._drawn.append((label, imgui.get_item_rect_min(), imgui.get_item_rect_max()))
            return answer

        return item
