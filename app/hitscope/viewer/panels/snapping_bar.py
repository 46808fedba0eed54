"""The snapping bar at the top of the picture while snapping is on: a checkbox for each kind of feature."""

from imgui_bundle import ImVec2, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.actions import appearance
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import FAINT, QUIET, TEXT, pixels
from hitscope.viewer.state.settings import SNAP_KINDS, SnapKind
from hitscope.viewer.state.state import State

WORDS: dict[SnapKind, tuple[str, str]] = {
    "vertex": ("Corners", "The corners of shapes, the ends of segments, the origins of rays."),
    "edge": ("Edges", "The middle of an edge, or any point of it."),
    "parallel": ("Parallel", "Directions: parallel to an axis, an edge or a face, or perpendicular to one."),
    "boundary": ("Boundary", "The last position where the probe still hits: one ulp further, it misses."),
    "face": ("Faces", "The faces of shapes, and their planes."),
    "grid": ("Grid", "The points of the grid: of the ground, or of an upright one where you look along an axis."),
}
HEIGHT, MARGIN, BETWEEN = 28.0, 10.0, 12.0
"""In points."""
COMPASS = 130.0
"""The width and height of the top right corner, which the orientation gizmo has, in points."""


def show(state: State) -> None:
    """Draw the bar while snapping is on and the picture is wide enough."""
    display, tool = state.display, state.tool
    if not tool.snapping:
        return
    (left, upper, width, _), label = display.layout.picture, "Snap to"
    boxes = {kind: icons.ICON_FA_SQUARE_CHECK if kind in tool.snap_to else icons.ICON_FA_SQUARE for kind in WORDS}
    labels = {kind: f"{boxes[kind]} {words}" for kind, (words, _) in WORDS.items()}
    with text.small():
        wanted = text.width(label) + sum(text.width(words) + pixels(BETWEEN) for words in labels.values())
    size = ImVec2(wanted + 2 * pixels(MARGIN), pixels(HEIGHT))
    if size.x > width - 2 * pixels(MARGIN):
        return
    top = upper + pixels(MARGIN if size.x < width - pixels(COMPASS) else COMPASS)
    background = imgui_ctx.push_style_color(imgui.Col_.window_bg, style.RAISED)
    rect = left + pixels(MARGIN), top, size.x, size.y
    with background, style.window("snapping", rect, (0, 0)), text.small():
        x, y = left + 2 * pixels(MARGIN), top + (size.y - imgui.get_text_line_height()) / 2
        x = text.draw_at(x, y, label, QUIET) + pixels(BETWEEN)
        for kind in SNAP_KINDS:
            wide, corner = text.width(labels[kind]) + pixels(BETWEEN), ImVec2(x - pixels(BETWEEN) / 2, top)
            area, colour = ImVec2(wide, size.y), TEXT if kind in tool.snap_to else FAINT
            meaning = f"{WORDS[kind][1]}\nClick to turn it on or off."
            if widgets.flat_button(kind, corner, area, labels[kind], meaning, colour=colour, has_ground=False):
                state.do(appearance.toggle_snap_kind, kind)
            x += wide
