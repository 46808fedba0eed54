"""What is written into the picture: t at what is looked at, distances, names, and the hint without a panel."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import Array
from hitscope.geometry.shapes import Vec3
from hitscope.viewer import status, style, text
from hitscope.viewer.app import App
from hitscope.viewer.naming import names
from hitscope.viewer.pairs import labelled, looked_at

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
    said: list[tuple[str, Array | Vec3]] = []
    for verdict in labelled(app)[:MOST]:
        if verdict.point is None or verdict.t_enter is None:
            continue
        said.append((f"t {text.number(verdict.t_enter, 4)}", verdict.point))
    gap = app.picture.gap(looked_at(app))
    if gap is not None:
        said.append((f"distance {text.number(math.dist(*gap), 4)}", np.mean(gap, axis=0)))
    if app.labels:
        with np.errstate(all="ignore"):
            said += names(app)
    _beside(app, taken, said)
    hint = status.hint(app) or app.problem.partition("\n")[0]
    if hint and not app.panels:
        middle = left + (width - text.width(hint)) / 2
        _label(app, taken, middle, top + height - AWAY * app.points, hint)


def _beside(app: App, taken: list[_Rect], said: Sequence[tuple[str, Array | Vec3]]) -> None:
    """Write beside points of the scene, where those are in the picture."""
    if not said:
        return
    eye = app.eye
    left, top, width, height = eye.viewport
    places = eye.camera.project(np.array([point for _, point in said]), eye.viewport).tolist()
    with text.small():
        for (words, _), (x, y, depth) in zip(said, places, strict=True):
            if depth > 0 and left <= x < left + width and top <= y < top + height:
                _label(app, taken, x + AWAY * app.points, y - AWAY * app.points, words)


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
