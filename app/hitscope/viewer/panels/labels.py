"""Labels in the picture: t at hits, the distance of the pair, ids, wrong answers; and the notes of a file."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple, TypeAlias

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope import numerals
from hitscope.draw import element_arrays, facets, shape_drawings
from hitscope.draw.items import Cue, DrawList
from hitscope.draw.picture import Picture
from hitscope.draw.target import Target
from hitscope.evaluate import Report
from hitscope.evaluate.verdict_words import contradiction
from hitscope.geometry import exact
from hitscope.geometry.arrays import Array
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.geometry.shapes import Shape, Vec3
from hitscope.render.camera import Viewport
from hitscope.render.lines_and_markers import HANDLE, RADII, SIGN_ABOVE, WARNING_SIGN, warning_sign_points
from hitscope.render.view import View
from hitscope.viewer.panels import legend, snapping_bar, status_line, style, text, widgets
from hitscope.viewer.panels.style import TEXT, pixels
from hitscope.viewer.state import dialogs, picture_marks
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State

MOST_VALUES, MOST_HITS = 8, 8
"""The largest numbers of labelled values of a step, and of labelled hits, the nearest first."""
NEAR, FAR = 12, 32
"""From a point to its label, in points; `FAR` where no side has space for the near one."""
WIDEST, PADDING = 180, (5, 2)
"""The width at which a name is cut, and the space around the text of a label, in points."""
Texts: TypeAlias = list[tuple[str, Array | Vec3]]
"""Texts with the points (3,) of the scene that they are written beside, the most important first."""


class _OccupiedAreas:
    """The rectangles of the picture (left, top, right, bottom) that labels must not cover."""

    def __init__(self, rects: Array) -> None:
        self._rects = rects

    def claim(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Reserve a rectangle if it overlaps no other one, and return whether it was free."""
        lefts, tops, rights, bottoms = self._rects.T
        if ((lefts < right) & (left < rights) & (tops < bottom) & (top < bottoms)).any():
            return False
        self._rects = np.vstack([self._rects, (left, top, right, bottom)])
        return True


class Labels(NamedTuple):
    """The texts of the labels, and what they must not cover."""

    beside: Texts
    wrong: list[picture_marks.WrongMark]
    contradiction: str
    """How the current pair's method contradicts exact geometry, while the panels are hidden; else empty."""
    markers: Array
    """The rectangles (n, 4) of handles, points and warning signs, (left, top, right, bottom) in pixels."""


def labels_of(state: State, draw_list: DrawList) -> Labels:
    """The labels of the draw list that is shown; called before a frame, which only draws them."""
    session, selection, display = state.session, state.selection, state.display
    report, builder = state.messages.review.drawn(session)
    stepping, beside = display.stepping, Texts()
    if stepping.shown_step is not None and stepping.shown is not None:
        # The names that the step has set or reads.
        values = (label for label in stepping.shown.marks.labels if label.stands_out)
        beside += [(f"{label.name} = {label.text}", label.point) for label in islice(values, MOST_VALUES)]
    beside += texts_with_points(state, draw_list, display.labels, builder.picture(report))
    pair = None if display.panels else selection.pair(session.picture)
    words = "" if pair is None else contradiction(session.report.verdict(*pair))
    markers = marker_rects(display.view, draw_list, beside)
    return Labels(beside, picture_marks.wrong_marks(session, selection, display.view), words, markers)


def texts_with_points(state: State, draw_list: DrawList, ids: bool, picture: Picture) -> Texts:
    """The texts of a draw list, with `ids` those of its items, too, and their points."""
    labels: Texts = [(f"distance {numerals.label(math.dist(*gap))}", gap.mean(axis=0)) for gap in draw_list.gap]
    names = {target.id for target in (state.selection.hovered, state.selection.last) if target is not None}
    near = [hit for hit in picture.verdicts.by_pair.values() if hit.hit and names & {hit.probe, hit.primitive}]
    for verdict in near[:MOST_HITS]:
        if verdict.point is None or verdict.t_enter is None:
            continue
        found = exact.witness(*verdict.shapes) if verdict.t_enter == 0 else None
        # It starts in the interior of the primitive, not on its boundary.
        inside = isinstance(found, exact.EntryFeature) and found.starts and found.feature == "interior"
        labels.append(("inside" if inside else f"t {numerals.label(verdict.t_enter)}", verdict.point))
    if ids:
        with np.errstate(all="ignore"):
            labels += labels_with_points(state.session, state.selection)
    return labels


def show(state: State, labels: Labels) -> None:
    """Draw the labels; none covers another one, a handle, a point or a warning sign.

    While the panels are hidden, status and problems are written at the lower edge.
    """
    view, (left, top, width, _) = state.display.view, state.display.layout.picture
    corner = pixels(snapping_bar.COMPASS)
    compass = [(left + width - corner, top, left + width, top + corner)]
    occupied = draw(view, np.concatenate([labels.markers, compass]), labels.beside, labels.wrong)
    if state.display.panels:
        return
    left, top, width, height = view.viewport
    bottom = top + height - pixels(NEAR)
    lines = [status_line.status_text(state), *state.messages.problem.split("\n"), labels.contradiction]
    for line in filter(None, lines):
        fitted = text.cut_end(line, width - 2 * pixels(NEAR))
        _label(view.viewport, occupied, left + (width - text.width(fitted)) / 2, bottom, fitted)
        bottom -= 1.5 * imgui.get_text_line_height()


def marker_rects(view: View, draw_list: DrawList, beside: Texts) -> Array:
    """The rectangles (n, 4) that the texts `beside` must not cover, in pixels; none if there are no texts."""
    if not beside:
        return np.empty((0, 4))
    stage, markers = draw_list.stage, draw_list.markers
    shown = (markers.cues & Cue.HIDDEN) == 0
    signs = stage.to_scene(warning_sign_points(draw_list, stage))
    discs = np.concatenate([markers.positions[shown], draw_list.gap.reshape(-1, 3)])
    projected = view.project(np.concatenate([discs, signs]))
    # From the middle of each to its sides, and how far that is above its point.
    sizes = [[RADII[HANDLE] + 1.5, RADII[WARNING_SIGN]], [0.0, SIGN_ABOVE]]
    reach, above = np.repeat(sizes, [len(discs), len(signs)], axis=1)[:, :, None] * view.pixel_ratio
    middles = projected[:, :2] - above * (0.0, 1.0)
    rects: Array = np.hstack([middles - reach, middles + reach])
    return rects[projected[:, 2] > 0]


def draw(view: View, markers: Array, beside: Texts, wrong: Sequence[picture_marks.WrongMark]) -> _OccupiedAreas:
    """Draw marks, and texts on the first free side of each point; return what other labels must not cover."""
    radius = pixels(picture_marks.RADIUS)
    around = [(x - radius, y - radius, x + radius, y + radius) for x, y, _ in wrong]
    occupied = _OccupiedAreas(np.concatenate([markers, np.array(around, float).reshape(-1, 4)]))
    for x, y, pair in wrong:
        _draw_wrong_sign(imgui.get_background_draw_list(), ImVec2(x, y), radius, pair.is_decided_wrongly)
    if not beside:
        return occupied
    left, top, width, height = view.viewport
    projected = view.project(np.array([point for _, point in beside])).tolist()
    with text.small():
        for (words, _), (x, y, depth) in zip(beside, projected, strict=True):
            if not (depth > 0 and left <= x < left + width and top <= y < top + height):
                continue
            fitted = text.cut_middle(words, pixels(WIDEST))
            room_x, room_y = _size(fitted)
            for away, below, before in product((NEAR, FAR), (False, True), (False, True)):
                corner_x = x - pixels(away) - room_x if before else x + pixels(away)
                corner_y = y + pixels(away) + room_y if below else y - pixels(away)
                if _label(view.viewport, occupied, corner_x, corner_y, fitted):
                    break
    return occupied


def _draw_wrong_sign(draw: imgui.ImDrawList, middle: ImVec2, radius: float, decided: bool) -> None:
    """Draw the sign of a wrong answer, filled where the deciding method gives it."""
    disc, ink = (style.WARNING, style.LABEL) if decided else (style.LABEL, style.WARNING)
    draw.add_circle_filled(middle, radius, imgui.get_color_u32(disc))
    draw.add_circle(middle, radius, imgui.get_color_u32(style.WARNING), 0, pixels(1))
    for x, y, end_x, end_y in ((-0.5, -0.22, 0.5, -0.22), (-0.5, 0.22, 0.5, 0.22), (-0.3, 0.55, 0.3, -0.55)):
        start = ImVec2(middle.x + x * radius, middle.y + y * radius)
        end = ImVec2(middle.x + end_x * radius, middle.y + end_y * radius)
        draw.add_line(start, end, imgui.get_color_u32(ink), max(pixels(1.5), 1.0))


def _size(words: str) -> tuple[float, float]:
    return text.width(words) + 2 * pixels(PADDING[0]), imgui.get_text_line_height() + 2 * pixels(PADDING[1])


def _label(picture: Viewport, occupied: _OccupiedAreas, x: float, y: float, words: str) -> bool:
    """Draw a label with its lower left corner near a pixel inside the picture, and return whether it was free."""
    left, top, width, height = picture
    words = text.escaped(words)
    room_x, room_y = _size(words)
    x = max(left, min(x, left + width - room_x))
    y = max(top, min(y - room_y, top + height - room_y))
    if not occupied.claim(x, y, x + room_x, y + room_y):
        return False
    draw, end = imgui.get_background_draw_list(), ImVec2(x + room_x, y + room_y)
    draw.add_rect_filled(ImVec2(x, y), end, imgui.get_color_u32(style.LABEL), pixels(PADDING[0]))
    corner = ImVec2(round(x + pixels(PADDING[0])), round(y + pixels(PADDING[1])))
    draw.add_text(corner, imgui.get_color_u32(style.TEXT), words)
    return True


MOST = 150
"""The largest number of primitives whose ids are written beside them."""


def _middle(shape: Shape) -> Array:
    """The point (3,) of a shape's id: amid it, at the beginning of a line, of a plane nearest to the origin."""
    while isinstance(shape, Wrapped):
        shape = shape.inner
    points = shape_drawings.bounding_points(shape)
    points = points if len(points) else element_arrays.corners_of([shape])
    points = points if len(points) else np.zeros((1, 3))
    middle = points[0] if KINDS[type(shape)].dimension < 2 else (points / len(points)).sum(axis=0)
    return facets.foot_of(shape, middle)


def labels_with_points(session: Session, selection: Selection) -> Iterator[tuple[str, Array]]:
    """Texts with the points (3,) of the scene that they belong to, the most important first."""
    if selection.last is not None and (shape := labelled_shape(session, selection.last)) is not None:
        kind = KINDS[type(shape)]
        points = kind.points(shape)
        names = kind.corner_names or map(str, range(len(points)))
        yield from ((name, np.array(point)) for name, point in zip(names, points, strict=False) if name)
    pointed_at = (*selection.targets, *([selection.hovered] if selection.hovered else ()))
    done = selection.hidden | {target[:2] for target in pointed_at}
    for target in dict.fromkeys(target._replace(handle=None) for target in pointed_at):
        if (shape := labelled_shape(session, target)) is not None:
            yield target.id, _middle(shape)
    for _, probe in session.picture.layouts.single_probes:
        if ("probe", probe.id) not in done:
            yield probe.id, _middle(probe.shape)
    for element in islice(session.report.elements, MOST):
        target = Target("primitive", element.id)
        if target[:2] not in done and target.item not in selection.hidden:
            yield element.id, _middle(element.shape)


def labelled_shape(session: Session, target: Target) -> Shape | None:
    """The shape of a target; None for a bundle, which has many, and for a disabled probe."""
    report = session.report
    elements = report.elements if target.kind == "primitive" else report.probes
    index = elements.find_index(target.id)
    return None if index is None else elements[index].shape


MOST_PROBES, MOST_NAMES = 12, 12
"""The largest numbers of probes that have a line, and of primitives that are named in one; more are counted."""


def show_notes(state: State, draw_list: DrawList, view: View, options: dialogs.PictureOptions) -> float:
    """Draw the notes of a picture and return the height of those below it, in pixels."""
    if options.labels:
        beside = texts_with_points(state, draw_list, True, state.session.picture)
        markers = marker_rects(view, draw_list, beside)
        draw(view, markers, beside, picture_marks.wrong_marks(state.session, state.selection, view))
    if not (options.verdicts or options.legend):
        return 0.0
    report = state.session.report
    with style.window("notes", (0, view.viewport.height, view.viewport.width, 0)):
        if options.verdicts:
            for line in verdict_lines(report):
                text.paragraph(line, TEXT)
        if options.verdicts and options.legend:
            widgets.vertical_space()
        if options.legend:
            entries = legend.entries_of(report, legend.drawn_in(draw_list, bool(options.labels)))
            legend.show(entries, state.display.theme, len(legend.ENTRIES))
            imgui.dummy(ImVec2(0, 0))
        return float(imgui.get_window_height())


def verdict_lines(report: Report) -> Iterator[str]:
    """A line for each probe: its hits, the nearest first, and its misses; of many primitives only the numbers."""
    for part in report.probes.parts[:MOST_PROBES]:
        if part.size == 1 and len(report.elements) <= MOST_NAMES:
            yield _named(report, part.first)
        else:
            hit = sum(np.count_nonzero(report.shown_row(p)) for p in range(part.first, part.first + part.size))
            yield f"{part.id} hits {hit:,} of {part.size * len(report.elements):,}"
    if (rest := len(report.probes.parts) - MOST_PROBES) > 0:
        yield f"and {numerals.counted(rest, 'more probe')}"


def _named(report: Report, i: int) -> str:
    row = report.shown_row(i)
    hits = [report.verdict(i, int(e)) for e in np.flatnonzero(row)]
    hits.sort(key=lambda verdict: (verdict.t_enter is None, verdict.t_enter))
    ends = ["" if hit.t_enter is None else f" at t {numerals.label(hit.t_enter)}" for hit in hits]
    words = []
    if hits:
        named = ", ".join(hit.primitive + end for hit, end in zip(hits, ends, strict=True))
        words.append(f"hits {named}{' first' * report.nearest_only}")
    if not row.all():
        words.append("misses " + ", ".join(report.elements[int(e)].id for e in np.flatnonzero(~row)))
    return f"{report.probes[i].id} {'; '.join(words) or 'has nothing to hit'}"
