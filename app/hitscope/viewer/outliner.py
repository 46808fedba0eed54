"""The panel that lists the scene: its probes and primitives, with a search, a filter and what is hidden."""

import numpy as np
from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.draw.target import Target
from hitscope.evaluate import Report
from hitscope.geometry.shapes import word
from hitscope.scene.model import Bulk
from hitscope.scene.named import split
from hitscope.viewer import appearance, commands, style, text, widgets
from hitscope.viewer.app import App
from hitscope.viewer.outline import Filter, Listed, Outline
from hitscope.viewer.pair_panel import HIT_ICON, MISS_ICON
from hitscope.viewer.rows import Said, row
from hitscope.viewer.style import ACCENT, FAINT, QUIET, TEXT, WARNING, Fonts

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
FILTERS: dict[Filter, str] = {
    "all": "",
    "hits": "Only the primitives that are hit, and the probes that hit something.",
    "mismatches": "Only what an expectation that does not hold is about.",
}
NO_PROBES = "none yet: N then S draws a segment"
LINES, LINES_IF_LOW = 6, 2
"""So much is shown of the description."""
LOW = 600
"""A window is low that is lower than this, in points."""
MOST_PROBES = 0.4
"""The probes have at most this part of the list's height, and scroll by themselves."""


class Counts:
    """How many hits there are, counted once for each report."""

    def __init__(self) -> None:
        self._report: Report | None = None
        self.green = 0
        self.probes: dict[str, int] = {}
        """Of each enabled probe item, how many elements it hits."""
        self.hitting: dict[str, int] = {}
        """Of each enabled bundle, how many of its probes hit anything."""
        self.contradicted: set[str] = set()
        """The names, of probes and of primitives, that expectations which fail are about."""

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
            self.contradicted = {mismatch.primitive for mismatch in report.mismatches if mismatch.primitive}
        return self


class Outliner:
    """The list; what is pointed at and clicked in it is hovered and selected in the app."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._counts = Counts()
        self._outline = Outline()
        self._text = ""
        self._filter: Filter = "all"
        self._shown_selection: Target | None = None
        self._anchor: tuple[str, int] | None = None
        """The kind and the place in its list of the row that was clicked last: Shift+click selects from there."""

    def show(self, app: App, below: float) -> None:
        """Make the list, so that `below` it so many pixels are left."""
        self._scene(app)
        self._search(app)
        listed = self._outline.of(app.report, self._text, self._filter)
        room = imgui.get_content_region_avail().y - below
        line = imgui.get_text_line_height_with_spacing()
        counts = self._counts.of(app.report)
        widgets.heading("Probes", self._count(len(listed.probes), len(app.scene.probes)))
        top = imgui.get_cursor_screen_pos().y
        height = min(max(len(listed.probes), 1) * (line + imgui.get_style().item_spacing.y), room * MOST_PROBES)
        imgui.begin_child("probes", ImVec2(0, height))
        self._probes(app, listed)
        imgui.end_child()
        green = counts.green
        total = len(app.report.elements)
        aside = f"{green:,} hit, {total - green:,} missed"
        if len(listed.elements) != total:
            aside = self._count(len(listed.elements), total)
        widgets.heading("Primitives", aside)
        used = imgui.get_cursor_screen_pos().y - top
        imgui.begin_child("primitives", ImVec2(0, max(room - used - 2.5 * line, 3 * line)))
        self._primitives(app, listed)
        imgui.end_child()
        self._shown_selection = app.selected

    def _scene(self, app: App) -> None:
        with text.bold(self._fonts):
            text.coloured(app.document.title, TEXT)
        if app.scene.description:
            most = LINES if app.layout.panel.height > LOW * app.points else LINES_IF_LOW
            with text.small():
                text.coloured(text.in_lines(app.scene.description, most), QUIET)
            widgets.hint(app.scene.description, app.points)

    def _search(self, app: App) -> None:
        widgets.gap(0.2)
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(8 * app.points, 3 * app.points))
        imgui.set_next_item_width(-1)
        hint = f"{icons.ICON_FA_MAGNIFYING_GLASS}  search by name"
        imgui.push_style_color(imgui.Col_.text_disabled, FAINT)
        _, self._text = imgui.input_text_with_hint("##search", hint, self._text)
        imgui.pop_style_color()
        imgui.pop_style_var()
        self._filter = widgets.choice("filter", FILTERS, self._filter, app.points)

    def _count(self, listed: int, total: int) -> str:
        return f"{total:,}" if listed == total else f"{listed:,} of {total:,}"

    def _nothing(self, listed: int, total: int, otherwise: str) -> None:
        if not listed:
            widgets.lines(["none of them" if total else otherwise], FAINT)

    def _probes(self, app: App, listed: Listed) -> None:
        counts = self._counts.of(app.report)
        of = f"of {len(app.report.elements):,}"
        self._nothing(len(listed.probes), len(app.scene.probes), NO_PROBES)
        ids, probes = app.scene.probe_ids, app.scene.probes
        for at in self._rows(app, "probe", len(listed.probes), lambda: self._place_of_probe(app, listed)):
            name, probe = ids[listed.probes[at]], probes[listed.probes[at]]
            icon, said, kind = Said(PROBE_ICONS[probe.element_word], FAINT), Said("off", FAINT), ""
            if name in counts.probes:
                icon, said = icon._replace(colour=ACCENT), Said(f"hits {counts.probes[name]:,} {of}", QUIET)
            if isinstance(probe, Bulk):
                kind = f"{len(probe.shapes):,} {probe.word}"
                if name in counts.hitting:
                    kind += f", {counts.hitting[name]:,} hit"
            self._row(app, listed, at, Target("probe", name), icon, said, kind)

    def _primitives(self, app: App, listed: Listed) -> None:
        report, counts = app.report, self._counts.of(app.report)
        self._nothing(len(listed.elements), len(report.elements), "none")
        for at in self._rows(app, "primitive", len(listed.elements), lambda: self._place_of_element(app, listed)):
            place = int(listed.elements[at])
            element = report.elements[place]
            hit = report.green[place]
            icon, said, role = (HIT_ICON, "hit", Role.HIT) if hit else (MISS_ICON, "miss", Role.MISS)
            colour = style.role(role)
            aside = Said(said, colour)
            if element.id in counts.contradicted:
                aside = Said(f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {said}", WARNING)
            target = Target("primitive", element.id)
            self._row(app, listed, at, target, Said(icon, colour), aside, word(element.shape))

    def _rows(self, app: App, kind: str, size: int, place_of_selected):  # type: ignore[no-untyped-def]
        """Give the places of the rows in sight, and of the one that was just selected."""
        clipper = imgui.ListClipper()
        clipper.begin(size)
        if self._shown_selection != app.selected and app.selected and app.selected.kind == kind:
            place = place_of_selected()
            if place is not None:
                clipper.include_item_by_index(place)
        while clipper.step():
            yield from range(clipper.display_start, clipper.display_end)

    def _place_of_probe(self, app: App, listed: Listed) -> int | None:
        assert app.selected is not None
        index = app.scene.probe_ids.index(split(app.selected.id)[0])
        return listed.probes.index(index) if index in listed.probes else None

    def _place_of_element(self, app: App, listed: Listed) -> int | None:
        assert app.selected is not None
        place = app.picture.element_index(app.selected.id)
        if place is None:
            return None
        if isinstance(listed.elements, range):
            return place
        at = int(np.searchsorted(listed.elements, place))
        return at if at < len(listed.elements) and listed.elements[at] == place else None

    def _row(self, app: App, listed: Listed, at: int, target: Target, icon: Said, aside: Said, kind: str) -> None:
        """Make a line of a list that stands for a probe or primitive."""
        selected = target in app.selection
        hovered = app.hovered is not None and app.hovered[:2] == target[:2]
        hidden = (target.kind, split(target.id)[0]) in app.hidden
        asides = [aside]
        start = imgui.get_cursor_screen_pos()
        edge = start.x + imgui.get_content_region_avail().x
        eye = 24 * app.points
        if hidden:
            asides = [aside._replace(colour=FAINT), Said(icons.ICON_FA_EYE_SLASH, FAINT)]
            icon = icon._replace(colour=FAINT)
        elif hovered:
            asides.append(Said(icons.ICON_FA_EYE, FAINT))
        key, look = f"{target.kind} {target.id}", {"selected": selected, "hovered": hovered}
        clicked = row(key, target.id, icon, asides, app.points, kind=kind, quiet=hidden, **look)
        over_eye = imgui.is_item_hovered() and imgui.get_mouse_pos().x > edge - eye
        if over_eye:
            imgui.set_tooltip("show it again" if hidden else "hide it")
        if clicked and over_eye:
            appearance.toggle_hidden(app, target)
        elif clicked:
            self._select(app, listed, at, target)
        if imgui.is_item_hovered():
            app.hovered = target
            if imgui.is_mouse_double_clicked(0) and not over_eye:
                app.select(target)
                commands.frame_selection(app)
        if app.selected == target and self._shown_selection != target:
            imgui.set_scroll_here_y()

    def _select(self, app: App, listed: Listed, at: int, target: Target) -> None:
        """Select what was clicked; Ctrl adds it or takes it away, Shift takes all from the last click on."""
        held = imgui.get_io()
        if held.key_shift and self._anchor is not None and self._anchor[0] == target.kind:
            first, last = sorted((self._anchor[1], at))
            names = [self._name(app, listed, target, k) for k in range(first, last + 1)]
            others = [Target(target.kind, name) for name in names if name != target.id]
            app.select(*others, target)
            return
        self._anchor = target.kind, at
        if held.key_ctrl:
            app.select(target, more=True)
        elif app.selection == (target,):
            app.select()
        else:
            app.select(target)

    def _name(self, app: App, listed: Listed, target: Target, at: int) -> str:
        if target.kind == "probe":
            return app.scene.probe_ids[listed.probes[at]] if at < len(listed.probes) else target.id
        return app.report.elements[int(listed.elements[at])].id if at < len(listed.elements) else target.id
