"""The legend: the colours and lines of the picture, each as a small drawing with its meaning."""

from collections.abc import Callable, Collection
from functools import lru_cache, partial
from math import ceil
from typing import NamedTuple, TypeAlias

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import Cue, DrawList, Role
from hitscope.evaluate import Report
from hitscope.render.palette import Theme
from hitscope.viewer.panels import text, widgets
from hitscope.viewer.panels.style import QUIET, ink, pixels

WIDTH, HEIGHT, GAP, SPACE = 16.0, 12.0, 5.0, 9.0
"""The size of a swatch, from there to its word, and from that to the next swatch, in points."""
MOST_COLUMNS = 4


class Swatch:
    """A small drawing in the legend, with coordinates in points from its top left corner."""

    def __init__(self, theme: Theme, corner: ImVec2) -> None:
        self.theme = theme
        self._corner = corner
        self._draw = imgui.get_window_draw_list()

    def face(self, role: Role, opacity: float) -> None:
        colour = ink(self.theme.roles[role], opacity)
        self._draw.add_rect_filled(self._at(1, 1), self._at(WIDTH - 1, HEIGHT - 1), colour)

    def border(self, role: Role, width: float) -> None:
        """Draw the edges of the swatch like those of a face; `width` is in points."""
        colour = ink(self.theme.roles[role])
        self._draw.add_rect(self._at(1, 1), self._at(WIDTH - 1, HEIGHT - 1), colour, 0.0, pixels(width))

    def line(self, x: float, y: float, end_x: float, end_y: float, colour: str, width: float) -> None:
        self._draw.add_line(self._at(x, y), self._at(end_x, end_y), ink(colour), pixels(width))

    def disc(self, radius: float, colour: str, x: float = WIDTH / 2) -> None:
        self._draw.add_circle_filled(self._at(x, HEIGHT / 2), pixels(radius), ink(colour))

    def triangle(self, colour: str, *corners: tuple[float, float]) -> None:
        tip, left, right = (self._at(x, y) for x, y in corners)
        self._draw.add_triangle_filled(tip, left, right, ink(colour))

    def _at(self, x: float, y: float) -> ImVec2:
        return ImVec2(self._corner.x + pixels(x), self._corner.y + pixels(y))


def _face(swatch: Swatch, role: Role = Role.HIT, opacity: float = 0.35, width: float = 1.75) -> None:
    swatch.face(role, opacity)
    swatch.border(role, width)


_neutral = partial(_face, role=Role.NEUTRAL, opacity=0.2, width=1.25)


def _miss(swatch: Swatch) -> None:
    swatch.face(Role.MISS, 0.14)
    colour, right, bottom = swatch.theme.roles[Role.MISS], WIDTH - 1, HEIGHT - 1
    for x, end in ((1, 4.5), (6.5, 9.5), (11.5, right)):
        swatch.line(x, 1, end, 1, colour, 1.5)
        swatch.line(x, bottom, end, bottom, colour, 1.5)
    for x in (1.0, right):
        for y, end in ((1.0, 3.0), (5.0, 7.0), (9.0, bottom)):
            swatch.line(x, y, x, end, colour, 1.5)


def _probe(swatch: Swatch) -> None:
    theme = swatch.theme
    swatch.line(0, HEIGHT / 2, WIDTH, HEIGHT / 2, theme.roles[Role.PROBE], 2.5)
    swatch.disc(4.0, theme.roles[Role.PROBE], 4.0)
    swatch.disc(1.8, theme.core, 4.0)


def _within(swatch: Swatch) -> None:
    theme = swatch.theme
    for colour, width in ((theme.halo, 7.5), (theme.roles[Role.PROBE], 5.5), (theme.core, 2.8)):
        swatch.line(0, HEIGHT / 2, WIDTH, HEIGHT / 2, colour, width)


def _entry(swatch: Swatch) -> None:
    swatch.disc(4.5, swatch.theme.roles[Role.ENTRY])


def _exit(swatch: Swatch) -> None:
    swatch.disc(4.5, swatch.theme.roles[Role.EXIT])
    swatch.disc(2.3, swatch.theme.halo)


def _arrow(swatch: Swatch, role: Role) -> None:
    colour, middle = swatch.theme.roles[role], HEIGHT / 2
    swatch.line(0, middle, WIDTH - 6, middle, colour, 2.0)
    swatch.triangle(colour, (WIDTH, middle), (WIDTH - 8, middle - 4), (WIDTH - 8, middle + 4))


def _touching(swatch: Swatch) -> None:
    bright = swatch.theme.bright
    swatch.face(Role.HIT, 0.35)
    for y in (2.5, HEIGHT - 2.5):
        swatch.line(1, y, WIDTH - 1, y, bright, 2.5)
    for x in (2.5, WIDTH - 2.5):
        swatch.line(x, 1, x, HEIGHT - 1, bright, 2.5)
    swatch.border(Role.HIT, 1.25)


def _coplanar(swatch: Swatch) -> None:
    swatch.face(Role.HIT, 0.35)
    colour = swatch.theme.roles[Role.HIT]
    for x in (3.0, 9.0):
        swatch.line(x - 2 + HEIGHT / 2, 1, x - 2, HEIGHT / 2 + 1, colour, 1.5)
        swatch.line(x + HEIGHT / 2, HEIGHT / 2 - 1, x, HEIGHT - 1, colour, 1.5)
    swatch.border(Role.HIT, 1.25)


def _degenerate(swatch: Swatch) -> None:
    swatch.triangle(swatch.theme.warning, (WIDTH / 2, 0), (1.5, HEIGHT), (WIDTH - 1.5, HEIGHT))
    for y, end in ((3.5, 8.0), (9.2, 10.8)):
        swatch.line(WIDTH / 2, y, WIDTH / 2, end, swatch.theme.halo, 1.6)


def _wrong(swatch: Swatch) -> None:
    swatch.disc(6.0, swatch.theme.warning)
    for x, y, end_x, end_y in ((5.0, -1.5, 11.0, -1.5), (5.0, 1.5, 11.0, 1.5), (6.0, 3.5, 10.0, -3.5)):
        swatch.line(x, HEIGHT / 2 + y, end_x, HEIGHT / 2 + end_y, swatch.theme.halo, 1.3)


class Entry(NamedTuple):
    """A word of the legend with its swatch, and the tooltip."""

    name: str
    draw: Callable[[Swatch], None]
    meaning: str


Entries: TypeAlias = tuple[Entry, ...]
ENTRIES = (
    Entry("Hit", _face, "A primitive that a probe meets. Touching counts."),
    Entry("Inside", partial(_face, opacity=0.75), "A primitive that contains a probe: it is filled."),
    Entry("Touching", _touching, "A primitive that a probe only touches from outside: it has a bright rim."),
    Entry(
        "Miss", _miss, "A primitive that no probe meets. Its edges are dashed; in large scenes they are fainter."
    ),
    Entry(
        "Normal",
        partial(_arrow, role=Role.NORMAL),
        "The outward normal at the entry. A plane's own arrow shows its front.",
    ),
    Entry("Coplanar", _coplanar, "A primitive whose plane contains the probe that meets it: it is hatched."),
    Entry("Probe", _probe, "A shape that you drag to test the primitives."),
    Entry("Within", _within, "The part of a probe inside a primitive that it hits: it has a bright core."),
    Entry(
        "Degenerate", _degenerate, "A shape that has lost a dimension: a segment of no length, a box of no volume."
    ),
    Entry("Entry", _entry, "The point where a probe enters, at t enter."),
    Entry("Exit", _exit, "The point where a probe exits, at t exit."),
    Entry(
        "Wrong",
        _wrong,
        "A pair on which a method differs from exact, filled where that method decides. "
        "The filter Wrong lists them.",
    ),
    Entry("Axis", partial(_arrow, role=Role.AXIS), "The axis that separates the current pair."),
)


NEUTRAL = Entry("Neutral", _neutral, "A primitive while no enabled probe tests it.")
NEAREST = Entry(
    "Nearest", _face, "The primitive that a segment, ray or line enters first, or that another probe meets."
)
NOT_NEAREST = Entry("Other", _neutral, "A primitive that no probe meets, or that a line only meets later.")


def drawn_in(draw_list: DrawList, has_wrong: bool) -> frozenset[str]:
    """The names of the entries that a picture needs; with `has_wrong` there are marks of wrong answers."""
    facets, markers, arrows, strokes = draw_list.facets, draw_list.markers, draw_list.arrows, draw_list.strokes
    coded = [(facets.roles, facets.cues), (markers.roles, markers.cues)]
    for boxes, triangles, rounds in draw_list.primitives:
        coded += [(boxes.roles, boxes.cues), (triangles.roles, triangles.cues), (rounds.roles, rounds.cues)]
    roles = [*(codes for codes, _ in coded), arrows.roles, strokes.roles]
    counts = np.bincount(np.concatenate(roles), minlength=len(Role))
    cues = int(np.bitwise_or.reduce([np.bitwise_or.reduce(marks, initial=0) for _, marks in coded]))
    found = {role.name.capitalize() for role in Role if counts[role]}
    found |= {cue.name.capitalize() for cue in Cue if cue & cues and cue.name}
    found |= {"Within"} if strokes.inside.any() else set()
    # The front of a plane is an arrow of the plane's role.
    found |= {"Normal"} if (arrows.roles != Role.AXIS).any() else set()
    found |= {"Probe"} if len(draw_list.thin_lines.starts) else set()
    return frozenset(found | ({"Wrong"} if has_wrong else set()))


def entries_of(report: Report, drawn: Collection[str] = ()) -> tuple[Entry, ...]:
    """The entries for the picture of a report, of those that are `drawn`; by default all."""
    instead = {"Hit": NEAREST, "Miss": NOT_NEAREST} if report.nearest_only else {}
    if not len(report.probes):
        instead = {"Miss": NEUTRAL}
    shown = (entry for entry in ENTRIES if not drawn or entry.name in drawn or entry.name in instead)
    return tuple(instead.get(entry.name, entry) for entry in shown)


def height(entries: Entries) -> float:
    return len(_rows(entries, MOST_COLUMNS)[0]) * _line()


def show(entries: Entries, theme: Theme, most_columns: int = MOST_COLUMNS) -> None:
    if not entries:
        return
    x, y = imgui.get_cursor_screen_pos()
    left, (rows, widths) = x, _rows(entries, most_columns)
    for row in rows:
        for entry, room in zip(row, widths, strict=False):
            with text.small():
                middle = y + imgui.get_text_line_height() / 2
                entry.draw(Swatch(theme, ImVec2(round(x), round(middle - pixels(HEIGHT) / 2))))
                imgui.set_cursor_screen_pos(ImVec2(x + pixels(WIDTH + GAP), y))
                text.paragraph(entry.name, QUIET)
            widgets.tooltip(entry.meaning)
            x += room
        x, y = left, y + _line()
    imgui.set_cursor_screen_pos(ImVec2(left, y))


def _line() -> float:
    with text.small():
        return imgui.get_text_line_height_with_spacing()


def _rows(entries: Entries, most_columns: int) -> tuple[list[Entries], list[float]]:
    """The entries in rows of as many columns as fit, and the widths of those in pixels."""
    return _fitted(entries, most_columns, imgui.get_content_region_avail().x, pixels(1))


@lru_cache(maxsize=8)  # a frame asks twice, and the next one again
def _fitted(entries: Entries, most_columns: int, room: float, _point: float) -> tuple[list[Entries], list[float]]:
    if not entries:
        return [], []
    for columns in range(most_columns, 0, -1):
        rows = [entries[i : i + columns] for i in range(0, len(entries), columns)]
        if sum(_widths(rows)) - pixels(SPACE) <= room:
            break
    even = ceil(len(entries) / len(rows))
    rows = [entries[i : i + even] for i in range(0, len(entries), even)]
    return rows, _widths(rows)


def _widths(rows: list[Entries]) -> list[float]:
    with text.small():
        columns = ([row[k].name for row in rows if k < len(row)] for k in range(len(rows[0])))
        return [max(map(text.width, names)) + pixels(WIDTH + GAP + SPACE) for names in columns]
