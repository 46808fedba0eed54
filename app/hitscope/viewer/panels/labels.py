"""What is written into the picture: t at what is looked at, distances, names, and the hint without a panel."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope.draw.extent import Stage
from hitscope.draw.items import Array, Cue
from hitscope.geometry import exact
from hitscope.geometry.shapes import Shape, Vec3
from hitscope.render.ink import HANDLE, RADII, SIGN_ABOVE, WARNING_SIGN, degenerate_places
from hitscope.viewer.app import App
from hitscope.viewer.panels import status, style, text
from hitscope.viewer.panels.id_labels import labels_with_points
from hitscope.viewer.panels.pair_details import contradiction, labelled_hits

MOST = 8
"""So many labels at most, the nearest hits first."""
AWAY, FARTHER = 12, 32
"""From a point to its label, in points; the latter where no side has room nearer."""
WIDEST = 180
"""A longer name is cut, in points."""
PAD = (5, 2)
"""Around the words of a label, in points."""
HANDLE_REACH = RADII[HANDLE] + 1.5


class _OccupiedAreas:
    """The parts of the picture that nothing may be written over: rectangles by left, top, right and bottom."""

    def __init__(self, rects: Array) -> None:
        self._rects = rects

    def claim(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Take a rectangle, if it is free, and say so."""
        lefts, tops, rights, bottoms = self._rects.T
        if ((lefts < right) & (left < rights) & (tops < bottom) & (top < bottoms)).any():
            return False
        self._rects = np.vstack([self._rects, (left, top, right, bottom)])
        return True


def show(app: App) -> None:
    """Make the labels' part of a frame: none covers another, a handle, a point or a sign.

    Without panels, what they would tell of problems is told at the lower edge.
    """
    view = app.view
    left, top, width, height = view.viewport
    said: list[tuple[str, Array | Vec3]] = []
    gap = app.picture.pairs.gap(app.pair)
    if gap is not None:
        said.append((f"distance {text.number(math.dist(*gap), 4)}", np.mean(gap, axis=0)))
    for verdict in labelled_hits(app)[:MOST]:
        if verdict.point is None or verdict.t_enter is None:
            continue
        inside = verdict.t_enter == 0 and _starts_inside(*verdict.shapes)
        said.append(("inside" if inside else f"t {text.number(verdict.t_enter, 4)}", verdict.point))
    if app.labels:
        with np.errstate(all="ignore"):
            said += labels_with_points(app)
    occupied = _OccupiedAreas(_drawn(app) if said else np.empty((0, 4)))
    _beside(app, occupied, said)
    if app.panels:
        return
    bottom = top + height - AWAY * app.points
    for line in filter(None, (status.status_text(app), *app.problem.split("\n"), contradiction(app))):
        fitted = text.cut_end(line, width - 2 * AWAY * app.points)
        _label(app, occupied, left + (width - text.width(fitted)) / 2, bottom, fitted)
        bottom -= 1.5 * imgui.get_text_line_height()


def _drawn(app: App) -> Array:
    """Give where in the picture handles, points and warning signs are, (n, 4)."""
    draw_list, view, points = app.draw_list(), app.view, app.points
    stage, markers = Stage(draw_list.anchor, draw_list.scale), draw_list.markers
    shown = (markers.cues & Cue.HIDDEN) == 0
    signs = stage.to_scene(degenerate_places(draw_list, stage))
    discs = np.concatenate([markers.positions[shown], draw_list.gap.reshape(-1, 3)])
    seen = view.project(np.concatenate([discs, signs]))
    reach = np.repeat([HANDLE_REACH, RADII[WARNING_SIGN]], [len(discs), len(signs)]) * points
    middles = seen[:, :2] - np.repeat([0.0, SIGN_ABOVE], [len(discs), len(signs)])[:, None] * (0.0, points)
    rects: Array = np.hstack([middles - reach[:, None], middles + reach[:, None]])
    return rects[seen[:, 2] > 0]


def _starts_inside(probe: Shape, primitive: Shape) -> bool:
    """Say whether a probe that has met a primitive at once is in its interior there, not on its boundary."""
    found = exact.witness(probe, primitive)
    return isinstance(found, exact.Entry) and found.starts and found.feature == "interior"


def _beside(app: App, occupied: _OccupiedAreas, said: Sequence[tuple[str, Array | Vec3]]) -> None:
    """Write beside points of the scene, where those are in the picture: on the first side where there is room."""
    if not said:
        return
    view = app.view
    left, top, width, height = view.viewport
    places = view.project(np.array([point for _, point in said])).tolist()
    with text.small():
        for (words, _), (x, y, depth) in zip(said, places, strict=True):
            if not (depth > 0 and left <= x < left + width and top <= y < top + height):
                continue
            fitted = text.cut_middle(words, WIDEST * app.points)
            room_x, room_y = _size(app, fitted)
            for away, below, before in product((AWAY, FARTHER), (False, True), (False, True)):
                corner_x = x - away * app.points - room_x if before else x + away * app.points
                corner_y = y + away * app.points + room_y if below else y - away * app.points
                if _label(app, occupied, corner_x, corner_y, fitted):
                    break


def _size(app: App, said: str) -> tuple[float, float]:
    """Give the width and height of a label."""
    return text.width(said) + 2 * PAD[0] * app.points, imgui.get_text_line_height() + 2 * PAD[1] * app.points


def _label(app: App, occupied: _OccupiedAreas, x: float, y: float, said: str) -> bool:
    """Write with the lower left corner at a place, but inside of the picture, if it is free, and say so."""
    left, top, width, height = app.layout.picture
    said = text.escaped(said)
    room_x, room_y = _size(app, said)
    x = max(left, min(x, left + width - room_x))
    y = max(top, min(y - room_y, top + height - room_y))
    if not occupied.claim(x, y, x + room_x, y + room_y):
        return False
    paper = imgui.get_background_draw_list()
    shade = imgui.get_color_u32(style.LABEL)
    paper.add_rect_filled(ImVec2(x, y), ImVec2(x + room_x, y + room_y), shade, PAD[0] * app.points)
    place = ImVec2(round(x + PAD[0] * app.points), round(y + PAD[1] * app.points))
    paper.add_text(place, imgui.get_color_u32(style.TEXT), said)
    return True
