"""What is written into the picture: t at the hits of what is looked at, and the hint where there is no panel."""

from typing import NamedTuple

from imgui_bundle import ImVec2, imgui

from hitscope.viewer import status, style, text
from hitscope.viewer.app import App
from hitscope.viewer.pairs import labelled

MOST = 8
"""So many labels at most, the nearest hits first."""
AWAY = 12
"""From a point to its label, in points."""


class _Rect(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "_Rect") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def show(app: App) -> None:
    """Make the labels' part of a frame; one that would cover another is left out."""
    eye = app.eye
    left, top, width, height = eye.viewport
    taken: list[_Rect] = []
    for verdict in labelled(app)[:MOST]:
        if verdict.point is None or verdict.t_enter is None:
            continue
        x, y, depth = eye.camera.project(verdict.point, eye.viewport)[0].tolist()
        if depth > 0 and left <= x < left + width and top <= y < top + height:
            with text.small():
                said = f"t {text.number(verdict.t_enter, 4)}"
                _label(app, taken, x + AWAY * app.points, y - AWAY * app.points, said)
    hint = status.hint(app)
    if hint and not app.panels:
        middle = left + (width - text.width(hint)) / 2
        _label(app, taken, middle, top + height - AWAY * app.points, hint)


def _label(app: App, taken: list[_Rect], x: float, y: float, said: str) -> None:
    """Write with the lower left corner at a place, inside of the picture."""
    left, top, width, height = app.layout.picture
    pad_x, pad_y = 5 * app.points, 2 * app.points
    room_x, room_y = text.width(said) + 2 * pad_x, imgui.get_text_line_height() + 2 * pad_y
    x = max(left, min(x, left + width - room_x))
    y = max(top, min(y - room_y, top + height - room_y))
    rect = _Rect(x, y, x + room_x, y + room_y)
    if any(rect.meets(other) for other in taken):
        return
    taken.append(rect)
    paper = imgui.get_background_draw_list()
    shade = imgui.get_color_u32(style.LABEL)
    paper.add_rect_filled(ImVec2(rect.left, rect.top), ImVec2(rect.right, rect.bottom), shade, 5 * app.points)
    paper.add_text(ImVec2(round(x + pad_x), round(y + pad_y)), imgui.get_color_u32(style.TEXT), said)
