"""The notes of an exported picture: labels in it, and verdicts and the legend below."""

from collections.abc import Iterator

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope import numerals
from hitscope.draw.items import DrawList
from hitscope.evaluate import Report
from hitscope.render.view import View
from hitscope.viewer.panels import labels, legend, style, text, widgets
from hitscope.viewer.panels.style import TEXT
from hitscope.viewer.state.dialogs import PictureOptions
from hitscope.viewer.state.picture_marks import wrong_marks
from hitscope.viewer.state.state import State

MOST_PROBES = 12
"""The largest number of probes that have a line."""
MOST_NAMES = 12
"""The largest number of primitives that are named in a line; more are counted."""


def show(state: State, draw_list: DrawList, view: View, options: PictureOptions) -> float:
    """Draw the notes of a picture and return the height of those below it, in pixels."""
    if options.labels:
        beside = labels.texts_with_points(state, draw_list, True, state.session.picture)
        markers = labels.marker_rects(view, draw_list, beside)
        labels.draw(view, markers, beside, wrong_marks(state.session, state.selection, view))
    if not (options.verdicts or options.legend):
        return 0.0
    report = state.session.report
    with style.window("notes", (0, view.viewport.height, view.viewport.width, 0)):
        if options.verdicts:
            for line in verdict_lines(report):
                text.paragraph(line, TEXT)
        if options.verdicts and options.legend:
            widgets.vertical_space(0.4)
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
            hit = sum(
                int(np.count_nonzero(report.shown_row(i))) for i in range(part.first, part.first + part.size)
            )
            yield f"{part.id} hits {hit:,} of {part.size * len(report.elements):,}"
    if (rest := len(report.probes.parts) - MOST_PROBES) > 0:
        yield f"and {numerals.counted(rest, 'more probe')}"


def _named(report: Report, i: int) -> str:
    row = report.shown_row(i)
    hits = [report.verdict(i, int(e)) for e in np.flatnonzero(row)]
    hits.sort(key=lambda verdict: (verdict.t_enter is None, verdict.t_enter))
    misses = [report.elements[int(e)].id for e in np.flatnonzero(~row)]
    named = [
        verdict.primitive
        if verdict.t_enter is None
        else f"{verdict.primitive} at t {numerals.label(verdict.t_enter)}"
        for verdict in hits
    ]
    hit = "hits " + (" first" if report.nearest_only else "").join([", ".join(named), ""]) if hits else ""
    words = [hit, "misses " + ", ".join(misses) if misses else ""]
    return f"{report.probes[i].id} {'; '.join(filter(None, words)) or 'has nothing to hit'}"
