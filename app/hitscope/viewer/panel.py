"""The panel at the side: the scene, its expectations, its probes and primitives, one pair, the legend."""

from imgui_bundle import ImVec2, ImVec4, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.draw.target import Target
from hitscope.evaluate import Verdict
from hitscope.geometry.shapes import Vec3, word
from hitscope.viewer import style, text
from hitscope.viewer.app import App
from hitscope.viewer.pairs import looked_at
from hitscope.viewer.style import FAINT, FIXED, QUIET, TEXT, WARNING, Fonts

PROBE_ICONS = {
    "segment": icons.ICON_FA_MINUS,
    "ray": icons.ICON_FA_ARROW_RIGHT_LONG,
    "line": icons.ICON_FA_ARROWS_LEFT_RIGHT,
    "triangle": icons.ICON_FA_CARET_UP,
}
HIT_ICON, MISS_ICON = icons.ICON_FA_CHECK, icons.ICON_FA_XMARK
LEGEND = (
    (Role.HIT, "hit", "A primitive that some probe meets. Touching counts."),
    (Role.MISS, "miss", "A primitive that no probe meets. Its edges are dashed."),
    (Role.PROBE, "probe", "What you drag. Inside of what it hits it has a bright core."),
    (Role.ENTRY, "entry", "Where a probe goes in, at t enter."),
    (Role.EXIT, "exit", "Where a probe comes out again, at t exit."),
    (Role.NORMAL, "normal", "The outward normal at the entry."),
)
ANSWERS = {
    "t enter": "Where the probe goes in, as a fraction of its vector: 0 at its start, 1 at its tip.",
    "t exit": "Where the probe comes out again, or ends inside.",
    "point": "The exact point of t enter, rounded once.",
    "normal": "The unit normal of the face at the entry; none where the probe starts inside.",
    "distance": "The shortest distance between the two; 0 on a hit.",
}
LIST_LINES = 9
"""A window too low to show so many lines of the lists above the pair has the pair among them, at their end."""
MISMATCHES = 8
"""So many mismatches are told one by one."""


class Panel:
    """The panel at the side; what is pointed at and clicked in it is hovered and selected in the app."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._shown_selection: Target | None = None

    def show(self, app: App) -> None:
        """Make the panel's part of a frame."""
        left, top, width, height = app.layout.panel
        imgui.set_next_window_pos(ImVec2(left, top))
        imgui.set_next_window_size(ImVec2(width, height))
        imgui.begin("panel", None, FIXED)
        border = imgui.get_color_u32(style.LINE)
        imgui.get_window_draw_list().add_line(ImVec2(left, top), ImVec2(left, top + height), border)
        line = imgui.get_text_line_height_with_spacing()
        pair_height = line * 8.2
        legend_height = line * 3.1
        room = imgui.get_content_region_avail().y - legend_height
        shows_pair = room - pair_height > LIST_LINES * line
        imgui.begin_child("scene", ImVec2(0, room - (pair_height if shows_pair else 0)))
        self._scene(app)
        self._expectations(app)
        self._probes(app)
        self._primitives(app)
        self._shown_selection = app.selected
        if not shows_pair:
            self._pair(app)
        imgui.end_child()
        if shows_pair:
            imgui.begin_child("pair", ImVec2(0, pair_height))
            self._pair(app)
            imgui.end_child()
        self._legend()
        imgui.end()

    def _scene(self, app: App) -> None:
        if app.problem:
            text.coloured(f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {app.problem}", WARNING)
            imgui.separator()
        with text.bold(self._fonts):
            text.coloured(app.document.title, TEXT)
        if app.scene.description:
            with text.small():
                text.coloured(app.scene.description, QUIET)

    def _expectations(self, app: App) -> None:
        number = len(app.scene.expect)
        if not number:
            return
        imgui.dummy(ImVec2(0, imgui.get_style().item_spacing.y))
        failing = app.report.mismatches
        if not failing:
            holds = "the one expectation holds" if number == 1 else f"all {number} expectations hold"
            text.coloured(f"{HIT_ICON} {holds}", style.role(Role.HIT))
        for mismatch in failing[:MISMATCHES]:
            text.coloured(f"{MISS_ICON} {mismatch.words}", style.role(Role.MISS))
        if len(failing) > MISMATCHES:
            text.coloured(f"and {len(failing) - MISMATCHES} more", QUIET)

    def _probes(self, app: App) -> None:
        report = app.report
        indices = app.picture.probe_indices
        self._heading("Probes", str(len(app.scene.probes)))
        for name, probe in zip(app.scene.probe_ids, app.scene.probes, strict=True):
            if name in indices:
                hits = int(report.hits[indices[name]].sum())
                aside = f"hits {hits} of {len(report.elements)}"
                self._row(app, Target("probe", name), PROBE_ICONS[probe.word], style.ACCENT, aside, QUIET)
            else:
                self._row(app, Target("probe", name), PROBE_ICONS[probe.word], FAINT, "off", FAINT)

    def _primitives(self, app: App) -> None:
        report = app.report
        hits = int(report.green.sum())
        self._heading("Primitives", f"{hits} hit, {len(report.elements) - hits} missed")
        clipper = imgui.ListClipper()
        clipper.begin(len(report.elements))
        if self._shown_selection != app.selected and app.selected and app.selected.kind == "primitive":
            clipper.include_item_by_index(app.picture.bodies.indices[app.selected.id])
        while clipper.step():
            for element, green in zip(
                report.elements[clipper.display_start : clipper.display_end],
                report.green[clipper.display_start : clipper.display_end],
                strict=True,
            ):
                icon, said, role = (HIT_ICON, "hit", Role.HIT) if green else (MISS_ICON, "miss", Role.MISS)
                colour = style.role(role)
                self._row(app, Target("primitive", element.id), icon, colour, said, colour, word(element.shape))

    def _row(
        self, app: App, target: Target, icon: str, icon_colour: ImVec4, aside: str, colour: ImVec4, kind: str = ""
    ) -> None:
        """Make a line of a list: icon, name and kind, and at the right what is known of it."""
        selected = app.selected == target
        hovered = app.hovered is not None and app.hovered[:2] == target[:2]
        start = imgui.get_cursor_screen_pos()
        height = imgui.get_text_line_height_with_spacing()
        edge = start.x + imgui.get_content_region_avail().x
        if hovered and not selected:
            end = ImVec2(edge, start.y + height)
            shade = imgui.get_color_u32(imgui.Col_.header_hovered)
            imgui.get_window_draw_list().add_rect_filled(start, end, shade, 3 * app.points)
        clicked, _ = imgui.selectable(f"##{target.kind}{target.id}", selected, 0, ImVec2(0, height))
        if clicked:
            app.select(None if selected else target)
        if imgui.is_item_hovered():
            app.hovered = target
        if selected and self._shown_selection != target:
            imgui.set_scroll_here_y()
        y = start.y + (height - imgui.get_text_line_height()) / 2
        left, right = start.x + 24 * app.points, edge - 6 * app.points
        text.centred_at(start.x + 12 * app.points, y, icon, icon_colour)
        text.right_at(right, y, aside, colour)
        name = text.fitted(target.id, right - text.width(aside) - left - 8 * app.points)
        text.at(left, y, name, TEXT)
        after = left + text.width(name) + 8 * app.points
        if kind and after + text.width(kind) < right - text.width(aside) - 8 * app.points:
            with text.small():
                text.at(after, y + (style.BODY - style.SMALL) * 0.8 * app.points, kind, FAINT)

    def _pair(self, app: App) -> None:
        """Tell of one pair, always on the same number of lines, so that nothing else moves."""
        imgui.separator()
        pair = looked_at(app)
        if pair is None:
            with text.small():
                text.coloured("Point at a probe or a primitive to see its t, point and normal here.", FAINT)
            return
        role = Role.HIT if pair.hit else Role.MISS
        start = imgui.get_cursor_screen_pos()
        right = start.x + imgui.get_content_region_avail().x
        state = f"{HIT_ICON if pair.hit else MISS_ICON} {pair.state}"
        text.right_at(right, start.y, state, style.role(role))
        room = right - start.x - text.width(state) - 12 * app.points
        with text.bold(self._fonts):
            imgui.text_unformatted(text.fitted(f"{pair.probe} {icons.ICON_FA_ANGLE_RIGHT} {pair.primitive}", room))
        for name, values in _answers(pair).items():
            self._answer(name, values, right)
        with text.small():
            text.coloured(f"decided by {pair.method}" + (f", {pair.side} side" if pair.side else ""), QUIET)

    def _answer(self, name: str, values: list[float | None], right: float) -> None:
        start = imgui.get_cursor_screen_pos()
        text.coloured(name, QUIET)
        if imgui.is_item_hovered():
            imgui.set_tooltip(ANSWERS[name])
        column = (right - start.x - text.width("distance") - 8) / 3
        for i, value in enumerate(reversed(values)):
            said = text.fitted(text.number(value), column - 4)
            text.right_at(right - i * column, start.y, said, FAINT if value is None else TEXT)

    def _legend(self) -> None:
        imgui.separator()
        start = imgui.get_cursor_screen_pos()
        column = imgui.get_content_region_avail().x / 3
        line = imgui.get_text_line_height_with_spacing()
        for i, (role, name, meaning) in enumerate(LEGEND):
            x, y = start.x + i % 3 * column, start.y + i // 3 * line
            radius = imgui.get_text_line_height() * 0.3
            middle = ImVec2(x + radius + 1, y + imgui.get_text_line_height() / 2)
            imgui.get_window_draw_list().add_circle_filled(middle, radius, imgui.get_color_u32(style.role(role)))
            imgui.set_cursor_screen_pos(ImVec2(x + 3.4 * radius, y))
            text.coloured(name, QUIET)
            if imgui.is_item_hovered():
                imgui.set_tooltip(meaning)

    def _heading(self, words: str, aside: str) -> None:
        imgui.dummy(ImVec2(0, imgui.get_style().item_spacing.y * 1.5))
        with text.small():
            start = imgui.get_cursor_screen_pos()
            edge = start.x + imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x * 0.75
            text.right_at(edge, start.y, aside, QUIET)
            text.coloured(words, QUIET)


def _answers(pair: Verdict) -> dict[str, list[float | None]]:
    return {
        "t enter": [pair.t_enter],
        "t exit": [pair.t_exit],
        "point": _parts(pair.point),
        "normal": _parts(pair.normal),
        "distance": [pair.distance],
    }


def _parts(vector: Vec3 | None) -> list[float | None]:
    return [None] if vector is None else list(vector)
