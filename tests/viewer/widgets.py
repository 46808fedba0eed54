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
        self.rectangles = {}
        for name in ITEMS:
            patch.setattr(imgui, name, self._noting(getattr(imgui, name)))
        new_frame = imgui.new_frame

        def begin():
            self.rectangles.clear()
            new_frame()

        patch.setattr(imgui, "new_frame", begin)

    def find(self, label):
        """The rectangle of the widget with this label, or of the first one whose label begins so; or None."""
        if label in self.rectangles:
            return self.rectangles[label]
        return next((found for known, found in self.rectangles.items() if known.startswith(label)), None)

    def _noting(self, function):
        def item(label, *arguments, **options):
            answer = function(label, *arguments, **options)
            (left, top), (right, bottom) = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            self.rectangles[label.rpartition("##")[2].rpartition("  ")[2]] = Rectangle(left, top, right, bottom)
            return answer

        return item
