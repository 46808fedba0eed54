"""The orientation gizmo, drawn: near ends full and with a letter, far ones fainter."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.app import App
from hitscope.viewer.panels import text
from hitscope.viewer.panels.style import ink
from hitscope.viewer.tools import compass

LINE = 2.0
RING = 1.3
GROUND = 13.0
"""So many points beyond its ends it is pointed at."""


def show(app: App) -> None:
    """Make its part of a frame, over the picture."""
    view, points, theme = app.view, app.points, app.theme
    ends = compass.ends(view)
    if not ends:
        return
    paper = imgui.get_background_draw_list()
    middle = ImVec2(*compass.middle(view))
    mouse = imgui.get_mouse_pos()
    pointed = compass.end_at(view, mouse.x, mouse.y) if app.drag is None else None
    if pointed is not None:
        paper.add_circle_filled(middle, (compass.ARM + GROUND) * points, ink(theme.outline, 0.08))
    for end in ends:
        strength = 0.75 + 0.25 * end.nearness
        place, radius, own = ImVec2(end.x, end.y), compass.DISC * points, theme.axes[end.axis]
        if end.sign > 0:
            paper.add_line(middle, place, ink(own, strength), LINE * points)
            paper.add_circle_filled(place, radius, ink(own, strength))
            with text.small():
                letter = "XYZ"[end.axis]
                x, y = place.x - text.width(letter) / 2, place.y - imgui.get_text_line_height() / 2
                paper.add_text(ImVec2(round(x), round(y)), ink(theme.halo), letter)
        else:
            paper.add_circle_filled(place, 0.8 * radius, ink(own, 0.22 * strength))
            paper.add_circle(place, 0.8 * radius, ink(own, 0.8 * strength), 0, RING * points)
        if end == pointed:
            paper.add_circle(place, radius + RING * points, ink(theme.outline, 0.9), 0, RING * points)
