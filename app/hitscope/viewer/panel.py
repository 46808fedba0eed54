"""The panel at the side: the scene, its expectations, its probes and primitives, one pair, the legend."""

import numpy as np
from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.draw.target import Target
from hitscope.evaluate import Report
from hitscope.geometry.shapes import word
from hitscope.scene.model import Bulk
from hitscope.viewer import style, text
from hitscope.viewer.app import App
from hitscope.viewer.pair_panel import HIT_ICON, LINES, MISS_ICON, PairPanel
from hitscope.viewer.rows import Said, row
from hitscope.viewer.style import ACCENT, FAINT, FIXED, QUIET, TEXT, WARNING, Fonts

PROBE_ICONS = {
    "point": icons.ICON_FA_CIRCLE,
    "segment": icons.ICON_FA_MINUS,
    "ray": icons.ICON_FA_ARROW_RIGHT_LONG,
    "line": icons.ICON_FA_ARROWS_LEFT_RIGHT,
    "triangle": icons.ICON_FA_CARET_UP,
    "aabb": icons.ICON_FA_CUBE,
    "obb": icons.ICON_FA_CUBE,
    "parallelepiped": icons.ICON_FA_CUBE,
}
LEGEND = (
    (Role.HIT, "hit", "A primitive that some probe meets. Touching counts."),
    (Role.MISS, "miss", "A primitive that no probe meets. Its edges are dashed."),
    (Role.PROBE, "probe", "What you drag. Inside of what it hits it has a bright core."),
    (Role.ENTRY, "entry", "Where a probe goes in, at t enter."),
    (Role.EXIT, "exit", "Where a probe comes out again, at t exit."),
    (Role.NORMAL, "normal", "The outward normal at the entry. A plane's own arrow shows its front."),
)
LIST_LINES = 9
"""A window too low to show so many lines of the lists above the pair has the pair among them, at their end."""
MISMATCHES = 8
"""So many mismatches are told one by one."""


class Counts:
    """How many hits there are, counted once for each report."""

    def __init__(self) -> None:
        self._report: Report | None = None
        self.green = 0
        self.probes: dict[str, int] = {}
        """Of each enabled probe item, how many elements it hits."""
        self.hitting: dict[str, int] = {}
        """Of each enabled bundle, how many of its probes hit anything."""

    def of(self, report: Report) -> "Counts":
        """Give the counts of a report."""
        if self._report is not report:
            self._report = report
            self.green = int(np.count_nonzero(report.green))
            tallies = {part.id: (part, report.tally(k)) for k, part in enumerate(report.probes.parts)}
            self.probes = {name: int(np.count_nonzero(tally.primitives)) for name, (_, tally) in tallies.items()}
            self.hitting = {
                name: int(np.count_nonzero(tally.probes)) for name, (part, tally) in tallies.items() if part.shapes
            }
        return self


class Panel:
    """The panel at the side; what is pointed at and clicked in it is hovered and selected in the app."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._pair = PairPanel(fonts)
        self._counts = Counts()
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
        pair_height = line * LINES
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
            self._pair.show(app)
        imgui.end_child()
        if shows_pair:
            imgui.begin_child("pair", ImVec2(0, pair_height))
            self._pair.show(app)
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
        counts = self._counts.of(app.report)
        self._heading("Probes", f"{len(app.scene.probes):,}")
        of = f"of {len(app.report.elements):,}"
        for name, probe in zip(app.scene.probe_ids, app.scene.probes, strict=True):
            icon, said, kind = Said(PROBE_ICONS[probe.element_word], FAINT), Said("off", FAINT), ""
            if name in counts.probes:
                icon, said = icon._replace(colour=ACCENT), Said(f"hits {counts.probes[name]:,} {of}", QUIET)
            if isinstance(probe, Bulk):
                kind = f"{len(probe.shapes):,} {probe.word}"
                if name in counts.hitting:
                    kind += f", {counts.hitting[name]:,} hit"
            self._row(app, Target("probe", name), icon, said, kind)

    def _primitives(self, app: App) -> None:
        report = app.report
        green = self._counts.of(report).green
        self._heading("Primitives", f"{green:,} hit, {len(report.elements) - green:,} missed")
        clipper = imgui.ListClipper()
        clipper.begin(len(report.elements))
        if self._shown_selection != app.selected and app.selected and app.selected.kind == "primitive":
            place = app.picture.element_index(app.selected.id)
            if place is not None:
                clipper.include_item_by_index(place)
        while clipper.step():
            for place in range(clipper.display_start, clipper.display_end):
                element = report.elements[place]
                hit = report.green[place]
                icon, said, role = (HIT_ICON, "hit", Role.HIT) if hit else (MISS_ICON, "miss", Role.MISS)
                colour = style.role(role)
                target, kind = Target("primitive", element.id), word(element.shape)
                self._row(app, target, Said(icon, colour), Said(said, colour), kind)

    def _row(self, app: App, target: Target, icon: Said, aside: Said, kind: str = "") -> None:
        """Make a line of a list that stands for a probe or primitive."""
        selected = app.selected == target
        hovered = app.hovered is not None and app.hovered[:2] == target[:2]
        key, look = f"{target.kind} {target.id}", {"selected": selected, "hovered": hovered}
        if row(key, target.id, icon, (aside,), app.points, kind=kind, **look):
            app.select(None if selected else target)
        if imgui.is_item_hovered():
            app.hovered = target
        if selected and self._shown_selection != target:
            imgui.set_scroll_here_y()

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
