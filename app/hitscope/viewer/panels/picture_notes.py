"""What is written into an exported picture, and below it: labels, verdicts and the legend."""

from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import DrawList
from hitscope.render.view import View
from hitscope.viewer.panels import labels, legend, text, widgets
from hitscope.viewer.panels.style import FIXED, TEXT
from hitscope.viewer.panels.verdict_lines import verdict_lines
from hitscope.viewer.state.dialogs import PictureOptions
from hitscope.viewer.state.state import State
from hitscope.viewer.state.wrong_marks import wrong_marks


def show(state: State, draw_list: DrawList, view: View, options: PictureOptions) -> float:
    """Draw the notes of a picture and return the height of those below it, in pixels."""
    if options.labels:
        session, selection = state.session, state.selection
        beside = labels.texts_with_points(session, selection, draw_list, True, session.picture)
        markers = labels.marker_rects(view, draw_list, beside)
        labels.draw(view, markers, beside, wrong_marks(session, selection, view))
    if not (options.verdicts or options.legend):
        return 0.0
    imgui.set_next_window_pos(ImVec2(0, view.viewport.height))
    imgui.set_next_window_size(ImVec2(view.viewport.width, 0))
    imgui.begin("notes", None, FIXED)
    report = state.session.report
    if options.verdicts:
        for line in verdict_lines(report):
            text.paragraph(line, TEXT)
    if options.verdicts and options.legend:
        widgets.vertical_space(0.4)
    if options.legend:
        legend.show(report, state.display.theme, len(legend.ENTRIES))
        imgui.dummy(ImVec2(0, 0))
    height = imgui.get_window_height()
    imgui.end()
    return float(height)
