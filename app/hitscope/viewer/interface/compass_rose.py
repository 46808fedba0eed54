"""The compass in the corner of the picture: positive axis ends filled and lettered, far ends fainter."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.panels import text
from hitscope.viewer.panels.style import ink
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.tool import Tool
from hitscope.viewer.tools import compass

LINE_WIDTH, RING_WIDTH = 2.0, 1.3
"""The widths of the axes and of rings, in points."""
MARGIN = 13.0
"""The margin in points of the disc under a hovered compass beyond its ends."""


def show(display: Display, tool: Tool) -> None:
    """Draw the compass over the picture."""
    view, ratio, theme = display.view, display.pixel_ratio, display.theme
    ends = compass.ends(view)
    if not ends:
        return
    draw = imgui.get_background_draw_list()
    middle = ImVec2(*compass.middle(view))
    mouse = imgui.get_mouse_pos()
    pointed = compass.end_at(view, mouse.x, mouse.y) if tool.drag is None else None
    if pointed is not None:
        draw.add_circle_filled(middle, (compass.ARM + MARGIN) * ratio, ink(theme.outline, 0.08))
    for end in ends:
        strength = 0.75 + 0.25 * end.nearness
        tip, radius, own = ImVec2(end.x, end.y), compass.DISC * ratio, theme.axes[end.axis]
        if end.sign > 0:
            draw.add_line(middle, tip, ink(own, strength), LINE_WIDTH * ratio)
            draw.add_circle_filled(tip, radius, ink(own, strength))
            with text.small():
                letter = "XYZ"[end.axis]
                x, y = tip.x - text.width(letter) / 2, tip.y - imgui.get_text_line_height() / 2
                draw.add_text(ImVec2(round(x), round(y)), ink(theme.halo), letter)
        else:
            draw.add_circle_filled(tip, 0.8 * radius, ink(own, 0.22 * strength))
            draw.add_circle(tip, 0.8 * radius, ink(own, 0.8 * strength), 0, RING_WIDTH * ratio)
        if end == pointed:
            draw.add_circle(tip, radius + RING_WIDTH * ratio, ink(theme.outline, 0.9), 0, RING_WIDTH * ratio)
