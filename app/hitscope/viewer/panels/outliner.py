"""The outliner: the lists of probes and primitives, with search, filter and visibility."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.draw.target import Target, Targets
from hitscope.evaluate import Report
from hitscope.scene.edits import Kind, ids_of
from hitscope.scene.model import Bulk
from hitscope.scene.named import split
from hitscope.viewer.actions import appearance, inspector_edits, view
from hitscope.viewer.actions.opening import title_of
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.item_tree import Filter, ItemTree, SceneTrees, Toggled, TreeCache
from hitscope.viewer.panels.list_row import ICON, Caption, row
from hitscope.viewer.panels.pair_panel import HIT_ICON, MISS_ICON
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, WARNING, Fonts
from hitscope.viewer.state.layout import is_low
from hitscope.viewer.state.state import State

PROBE_ICONS = {
    "point": "\N{BULLET}",
    "segment": icons.ICON_FA_MINUS,
    "ray": icons.ICON_FA_ARROW_RIGHT_LONG,
    "line": icons.ICON_FA_ARROWS_LEFT_RIGHT,
    "triangle": icons.ICON_FA_CARET_UP,
    "aabb": icons.ICON_FA_CUBE,
    "obb": icons.ICON_FA_CUBE,
    "parallelepiped": icons.ICON_FA_CUBE,
}
FILTERS: dict[Filter, str] = {
    "all": "Every probe and primitive. The elements of a bulk item appear when it is opened.",
    "hits": "Only the primitives that are hit, and the probes that hit something; of bulk items, such elements.",
    "mismatches": "Only the probes and primitives whose expectations fail.",
}
LINES, LINES_IF_LOW = 6, 2
"""The number of lines of the description that are shown."""
LOW = 600
"""A window lower than this, in points, is low."""
INDENT = 12.0
"""The indent of elements, in points."""
BAR = 2.0
"""The width of the mark at the row of the selected shape's partner, in points."""
MOST_PROBES = 0.4
"""The largest part of the lists' height that the probes take; they scroll by themselves."""


class HitCounts:
    """Counts of hits, computed once for each report."""

    def __init__(self) -> None:
        self._report: Report | None = None
        self.green = 0
        self.probes: dict[str, int] = {}
        """The number of primitives that each enabled probe item hits, by id."""
        self.hitting: dict[str, int] = {}
        """The number of probes of each enabled bundle that hit something, by id."""
        self._hit: dict[int, int] = {}
        self.contradicted: set[tuple[Kind, str]] = set()
        """The subjects of failing expectations: elements, items, and the items of elements."""

    def of(self, report: Report) -> "HitCounts":
        """This object, with the counts of a report."""
        if self._report is not report:
            self._report = report
            self.green = int(np.count_nonzero(report.hit_elements))
            tallies = {part.id: (part, report.tally(k)) for k, part in enumerate(report.probes.parts)}
            self.probes = {name: int(np.count_nonzero(tally.primitives)) for name, (_, tally) in tallies.items()}
            self.hitting = {
                name: int(np.count_nonzero(tally.probes)) for name, (part, tally) in tallies.items() if part.shapes
            }
            self._hit = {}
            self.contradicted = set()
            for mismatch in report.mismatches:
                for name in {mismatch.probe, split(mismatch.probe)[0]}:
                    self.contradicted.add(("probe", name))
                if mismatch.primitive:
                    for name in {mismatch.primitive, split(mismatch.primitive)[0]}:
                        self.contradicted.add(("primitive", name))
        return self

    def hit(self, k: int) -> int:
        """The number of elements of a primitive item that are hit; counted on first use."""
        assert self._report is not None
        if k not in self._hit:
            indices = self._report.elements.parts[k].indices
            self._hit[k] = int(np.count_nonzero(self._report.hit_elements[indices]))
        return self._hit[k]


class RowContent(NamedTuple):
    """A row's icon, its caption at the right with the tooltip of that, and the kind of its item."""

    icon: Caption
    aside: Caption
    meaning: str
    kind: str = ""


class Outliner:
    """The lists; a row under the mouse is hovered in the picture, too, and a clicked one selected."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._counts = HitCounts()
        self._trees = TreeCache()
        self._text = ""
        self._filter: Filter = "all"
        self._toggled: frozenset[Toggled] = frozenset()
        """The bulk items that the user opened or closed; see `TreeCache.of`."""
        self._shown_selection: Target | None = None
        self._partner: Target | None = None
        self._selected: frozenset[Target] = frozenset()
        self._selected_of: Targets = ()
        self._anchor: tuple[str, int] | None = None
        """The kind and the row of the last click: Shift+click selects from there."""

    def show(self, state: State, below: float) -> None:
        """Draw the lists, and leave `below` pixels free under them."""
        self._heading(state)
        self._search(state)
        self._reveal(state)
        listed, self._partner = self._current_trees(state), state.selection.partner(state.session.picture)
        if self._selected_of is not state.selection.targets:
            self._selected, self._selected_of = frozenset(state.selection.targets), state.selection.targets
        bottom = imgui.get_cursor_screen_pos().y + imgui.get_content_region_avail().y - below
        if is_low(state.display.size[1], state.display.pixel_ratio):
            with widgets.scroll_area("lists", bottom - imgui.get_cursor_screen_pos().y, state.display.pixel_ratio):
                if self._begin_probes(state, listed.probes):
                    self._list(state, "probe", listed.probes, self._probe)
                if self._begin_primitives(state, listed.primitives):
                    self._list(state, "primitive", listed.primitives, self._primitive)
        else:
            line = imgui.get_text_line_height_with_spacing()
            if self._begin_probes(state, listed.probes):
                room = bottom - imgui.get_cursor_screen_pos().y
                height = max(len(listed.probes), 1) * (line + imgui.get_style().item_spacing.y)
                with widgets.scroll_area("probes", min(height, room * MOST_PROBES), state.display.pixel_ratio):
                    self._list(state, "probe", listed.probes, self._probe)
            if self._begin_primitives(state, listed.primitives):
                room = bottom - imgui.get_cursor_screen_pos().y
                with widgets.scroll_area("primitives", max(room, 3 * line), state.display.pixel_ratio):
                    self._list(state, "primitive", listed.primitives, self._primitive)
                bottom = imgui.get_cursor_screen_pos().y
            imgui.set_cursor_screen_pos(ImVec2(imgui.get_cursor_screen_pos().x, bottom))
        self._shown_selection = state.selection.last

    def _begin_probes(self, state: State, listed: ItemTree) -> bool:
        """Begin the section of the probes and return whether it is open."""
        probes = len(state.session.scene.probes)
        meaning = "The number of probes, a bundle counting as one, and how many of them are listed."
        return widgets.section(state, "Probes", self._count(len(listed.items), probes), meaning=meaning)

    def _begin_primitives(self, state: State, listed: ItemTree) -> bool:
        """Begin the section of the primitives and return whether it is open."""
        green, elements = self._counts.of(state.session.report).green, len(state.session.report.elements)
        aside = f"{green:,} hit, {elements - green:,} missed"
        if listed.shapes != elements:
            aside = self._count(listed.shapes, elements)
        meaning = "The primitives that any enabled probe hits, and the others; of bulk items every shape counts."
        return widgets.section(state, "Primitives", aside, meaning=meaning)

    def _current_trees(self, state: State) -> SceneTrees:
        return self._trees.of(state.session.report, self._text, self._filter, self._toggled)

    def _reveal(self, state: State) -> None:
        """Open the item of an element that was just selected, if the element passes the filter."""
        target = state.selection.last
        if target is None or target == self._shown_selection:
            return
        k, _, element = inspector_edits.find_item(state, target)
        listed = self._current_trees(state)[target.kind == "primitive"]
        if element is not None and k in listed.within and k not in listed.opened:
            self._toggled ^= {Toggled(target.kind, split(target.id)[0], k in listed.filtered)}

    def _heading(self, state: State) -> None:
        with text.bold(self._fonts):
            text.paragraph(title_of(state), TEXT)
        if state.session.scene.description and not is_low(state.display.size[1], state.display.pixel_ratio):
            most = LINES if state.display.layout.panel.height > LOW * state.display.pixel_ratio else LINES_IF_LOW
            with text.small():
                text.paragraph(text.cut_lines(state.session.scene.description, most), QUIET)
            widgets.tooltip(state.session.scene.description, state.display.pixel_ratio)

    def _search(self, state: State) -> None:
        widgets.vertical_space(0.2)
        imgui.push_style_var(
            imgui.StyleVar_.frame_padding, ImVec2(8 * state.display.pixel_ratio, 3 * state.display.pixel_ratio)
        )
        imgui.set_next_item_width(-1)
        hint = f"{icons.ICON_FA_MAGNIFYING_GLASS}  Search by name"
        imgui.push_style_color(imgui.Col_.text_disabled, FAINT)
        _, self._text = imgui.input_text_with_hint("##search", hint, self._text)
        widgets.tooltip(
            "List only items with this text in their id; name[12] is element 12 of a bulk item.",
            state.display.pixel_ratio,
        )
        imgui.pop_style_color()
        imgui.pop_style_var()
        self._filter = widgets.choice("filter", FILTERS, self._filter, state.display.pixel_ratio)

    def _count(self, listed: int, total: int) -> str:
        return f"{total:,}" if listed == total else f"{listed:,} of {total:,}"

    def _list(
        self,
        state: State,
        kind: Kind,
        listed: ItemTree,
        content_of: Callable[[State, int, int | None], RowContent],
    ) -> None:
        """Draw the visible rows, and scroll to the row of what was just selected."""
        if not len(listed):
            keys = state.shortcuts.pressed("new_segment")
            none = f"None yet: {keys} draws a segment" if kind == "probe" and keys else "None yet"
            widgets.paragraphs(["None match" if ids_of(state.session.scene, kind) else none], FAINT)
        clipper = imgui.ListClipper()
        clipper.begin(len(listed))
        if (
            state.selection.last != self._shown_selection
            and state.selection.last is not None
            and state.selection.last.kind == kind
        ):
            k, _, element = inspector_edits.find_item(state, state.selection.last)
            row_of_selected = listed.row(k, element)
            if row_of_selected is not None:
                clipper.include_item_by_index(row_of_selected)
        while clipper.step():
            for at in range(clipper.display_start, clipper.display_end):
                k, element = listed.at(at)
                content = content_of(state, k, element)
                if k in listed.within and element is None:
                    icon = icons.ICON_FA_ANGLE_DOWN if k in listed.opened else icons.ICON_FA_ANGLE_RIGHT
                    content = content._replace(icon=content.icon._replace(words=icon))
                self._row(state, listed, at, Target(kind, _name(state, kind, k, element)), content)

    def _probe(self, state: State, k: int, element: int | None) -> RowContent:
        """The content of the row of a probe item, or of one element of a bundle."""
        name, probe, counts = (
            state.session.scene.probe_ids[k],
            state.session.scene.probes[k],
            self._counts.of(state.session.report),
        )
        icon = PROBE_ICONS[probe.element_word]
        if name not in counts.probes:
            kind = f"{len(probe.shapes):,} {probe.word}" if isinstance(probe, Bulk) and element is None else ""
            return RowContent(
                Caption(icon, FAINT), Caption("off", FAINT), "It is disabled and not evaluated.", kind
            )
        if element is not None:
            index = state.session.report.probes.index_of(f"{name}[{element}]")
            meaning = "Whether it hits any primitive."
            return RowContent(
                Caption(icon, ACCENT), _verdict(bool(state.session.report.hitting_probes[index])), meaning
            )
        kind = ""
        if isinstance(probe, Bulk):
            kind = f"{len(probe.shapes):,} {probe.word}, {counts.hitting[name]:,} hit"
        of_all = f"{counts.probes[name]:,} of {len(state.session.report.elements):,}"
        aside = Caption(f"hits {of_all}", QUIET, brief=of_all)
        return RowContent(Caption(icon, ACCENT), aside, "How many of the primitives it hits.", kind)

    def _primitive(self, state: State, k: int, element: int | None) -> RowContent:
        """The content of the row of a primitive item, or of one element of a bulk item."""
        report, part = state.session.report, state.session.report.elements.parts[k]
        if isinstance(part.item, Bulk) and element is None:
            hit = self._counts.of(report).hit(k)
            role = style.role(Role.HIT if hit else Role.MISS)
            words = "none" if not part.size else f"{hit:,} of {part.size:,} hit"
            aside = Caption(words, role if part.size else FAINT)
            return RowContent(
                Caption("", role), aside, "How many of its shapes any enabled probe hits.", part.item.word
            )
        hit = bool(report.hit_elements[part.first + (element or 0)])
        icon = Caption(HIT_ICON if hit else MISS_ICON, style.role(Role.HIT if hit else Role.MISS))
        kind = part.item.word if element is None else ""
        return RowContent(icon, _verdict(hit), "Whether any enabled probe hits it.", kind)

    def _row(self, state: State, listed: ItemTree, at: int, target: Target, content: RowContent) -> None:
        """Draw the row of an item or of an element, and do what a click or a double click on it asks for."""
        icon, aside, meaning, kind = content
        k, element = listed.at(at)
        hovered = state.selection.hovered is not None and state.selection.hovered[:2] == target[:2]
        hidden = (target.kind, split(target.id)[0]) in state.selection.hidden
        asides = [aside]
        if target[:2] in self._counts.of(state.session.report).contradicted:
            asides = [Caption(icons.ICON_FA_TRIANGLE_EXCLAMATION, WARNING), aside]
            meaning = f"{meaning} An expectation about it fails."
        start = imgui.get_cursor_screen_pos()
        edge = start.x + imgui.get_content_region_avail().x
        if hidden:
            asides = [
                *(caption._replace(colour=FAINT) for caption in asides),
                Caption(icons.ICON_FA_EYE_SLASH, FAINT),
            ]
            icon = icon._replace(colour=FAINT)
        elif hovered:
            asides.append(Caption(icons.ICON_FA_EYE, FAINT))
        clicked = row(
            f"{target.kind} {target.id}",
            target.id,
            icon,
            asides,
            state.display.pixel_ratio,
            selected=target in self._selected,
            hovered=hovered,
            quiet=hidden,
            kind=kind,
            indent=0 if element is None else INDENT,
        )
        if target == self._partner and target not in self._selected:
            # The partner in the current pair is outlined in the picture, too.
            end = ImVec2(start.x + BAR * state.display.pixel_ratio, imgui.get_item_rect_max().y)
            imgui.get_window_draw_list().add_rect_filled(start, end, imgui.get_color_u32(ACCENT))
        over = imgui.get_mouse_pos().x if imgui.is_item_hovered() else None
        opens = k in listed.within and element is None
        over_eye = over is not None and over > edge - ICON * state.display.pixel_ratio
        over_arrow = opens and over is not None and over < start.x + ICON * state.display.pixel_ratio
        if over_eye:
            imgui.set_tooltip("Show again" if hidden else "Hide")
        elif over_arrow:
            imgui.set_tooltip("Close" if k in listed.opened else "List its elements")
        elif over is not None and over > edge - ICON * state.display.pixel_ratio - sum(
            text.width(caption.words) for caption in asides
        ):
            with widgets.tooltip_window(state.display.pixel_ratio):
                imgui.text_unformatted(meaning)
        if clicked and over_eye:
            state.do(partial(appearance.toggle_hidden, state, target))
        elif clicked and over_arrow:
            self._toggled ^= {Toggled(target.kind, target.id, k in listed.filtered)}
        elif clicked:
            self._select(state, listed, at, target)
        if over is not None:
            state.selection.hovered = target
            if imgui.is_mouse_double_clicked(0) and not over_eye and not over_arrow:
                state.do(partial(state.selection.select, target))
                state.do(partial(view.frame_selection, state))
        if state.selection.last == target and self._shown_selection != target:
            imgui.set_scroll_here_y()

    def _select(self, state: State, listed: ItemTree, at: int, target: Target) -> None:
        """Select what was clicked; Ctrl adds or removes it, Shift selects the range from the last click."""
        io = imgui.get_io()
        if io.key_shift and self._anchor is not None and self._anchor[0] == target.kind:
            first, last = sorted((self._anchor[1], at))
            names = [
                _name(state, target.kind, *listed.at(row)) for row in range(first, min(last + 1, len(listed)))
            ]
            others = [Target(target.kind, name) for name in names if name != target.id]
            state.do(partial(state.selection.select, *others, target))
            return
        self._anchor = target.kind, at
        if io.key_ctrl:
            state.do(partial(state.selection.select, target, more=True))
        else:
            state.do(partial(state.selection.select, target))


def _verdict(hit: bool) -> Caption:
    """The caption of a hit or a miss."""
    return Caption("hit" if hit else "miss", style.role(Role.HIT if hit else Role.MISS))


def _name(state: State, kind: Kind, k: int, element: int | None) -> str:
    """The id of an item, or of one of its elements."""
    name = ids_of(state.session.scene, kind)[k]
    return name if element is None else f"{name}[{element}]"
