"""The outliner: the lists of probes and primitives, with search, filter and visibility."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.draw.target import Target, Targets, targets_of
from hitscope.evaluate import Report
from hitscope.evaluate.method_differences import MethodDifferences, WrongPair
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.geometry import shapes
from hitscope.geometry.kinds import ShapeTable
from hitscope.scene.bulk import Bulk
from hitscope.scene.edits import Kind, ids_of
from hitscope.viewer.actions import selecting, view
from hitscope.viewer.panels import empty_scene, menus, scene_heading, signs, style, text, widgets
from hitscope.viewer.panels.item_tree import Filter, ItemTree, SceneTrees, Toggled, trees_of
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, WARNING, pixels
from hitscope.viewer.panels.widgets import ICON, Caption, row, rows_in_sight, sign_of
from hitscope.viewer.state.edit_targets import find_item
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State

PROBE_ICONS: ShapeTable[str] = ShapeTable(
    f"{__name__}.PROBE_ICONS",
    {
        shapes.Point: "\N{BULLET}",
        shapes.Segment: icons.ICON_FA_MINUS,
        shapes.Ray: icons.ICON_FA_ARROW_RIGHT_LONG,
        shapes.Line: icons.ICON_FA_ARROWS_LEFT_RIGHT,
        shapes.Triangle: icons.ICON_FA_CARET_UP,
        shapes.Aabb: icons.ICON_FA_CUBE,
        shapes.Obb: icons.ICON_FA_CUBE,
        shapes.Parallelepiped: icons.ICON_FA_CUBE,
        shapes.Polyhedron: icons.ICON_FA_CUBE,
        shapes.Frustum: icons.ICON_FA_VIDEO,
        shapes.Sphere: icons.ICON_FA_CIRCLE,
        shapes.Capsule: icons.ICON_FA_CAPSULES,
    },
    role="probe",
)
NEUTRAL_ICON = "\N{BULLET}"
"""The icon of a primitive that no enabled probe is tested against."""
FILTERS: dict[Filter, str] = {
    "all": "Every probe and primitive. The elements of a bulk item appear when it is opened.",
    "hits": "Only the primitives that are hit, and the probes that hit something; of bulk items, such elements.",
    "wrong": "What has expectations that fail, and the pairs on which a method differs from exact.",
}
"""The choices of what is listed; the last one is offered while there is any."""
INDENT, BAR, NAME_MARGIN = 12.0, 2.0, 8.0
"""The indent of elements, the width of the mark at the row of the selected shape's partner, and the free space at
the right of the names of a wrong pair, in points."""
ARROW = f" {icons.ICON_FA_ANGLE_RIGHT} "


class RowContent(NamedTuple):
    """A row's icon, its caption at the right with the tooltip of that, and the kind of its item."""

    icon: Caption
    aside: Caption
    meaning: str
    kind: str = ""


class HitCounts:
    """Counts of hits in a report."""

    def __init__(self, report: Report) -> None:
        self.hit_elements = int(np.count_nonzero(report.hit_elements))
        """The number of primitives that are hit, those of bulk items one by one."""
        parts = report.probes.parts
        tallies = {part.id: report.tally(k) for k, part in enumerate(parts)}
        self.probes = {name: int(np.count_nonzero(tally.primitives)) for name, tally in tallies.items()}
        """The number of primitives that each enabled probe item hits, by id."""
        self.hitting = {part.id: int(np.count_nonzero(tallies[part.id].probes)) for part in parts if part.shapes}
        """The number of probes of each enabled bundle that hit something, by id."""
        failing = (targets_of(mismatch.probe, mismatch.primitive or None) for mismatch in report.mismatches)
        self.contradicted = {of for targets in failing for target in targets for of in (target[:2], target.item)}
        """The subjects of failing expectations: elements, items, and the items of elements."""


counts_of = lru_cache(maxsize=1)(HitCounts)  # every frame asks


class Outliner:
    """The lists; a row under the mouse is hovered in the picture, too, and a clicked one selected."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._session, self._selection, self._do = state.session, state.selection, state.do
        self._heading = scene_heading.SceneHeading(state)
        self._text = ""
        self._filter: Filter = "all"
        self._to_top = False
        """Whether the lists begin at the top, as the search has changed."""
        self._toggled: frozenset[Toggled] = frozenset()
        """The bulk items that the user opened or closed; see `trees_of`."""
        self._shown_selection: Target | None = None
        self._partner: Target | None = None
        self._pair: tuple[int, int] | None = None
        self._selected: frozenset[Target] = frozenset()
        self._selected_of: Targets = ()
        self._anchor: tuple[str, int] | None = None
        """The kind and the row of the last click: Shift+click selects from there."""

    def show(self, below: float) -> None:
        """Draw the lists, and leave `below` pixels free under them."""
        self._heading.show()
        if self._has_items:
            self._search()
        self._reveal()
        picture = self._session.picture
        listed, self._partner = self._current_trees(), self._selection.partner(picture)
        self._pair = self._selection.pair(picture)
        if self._selected_of is not self._selection.targets:
            self._selected, self._selected_of = frozenset(self._selection.targets), self._selection.targets
        bottom = imgui.get_cursor_screen_pos().y + imgui.get_content_region_avail().y - below
        with widgets.scroll_area("lists", bottom - imgui.get_cursor_screen_pos().y, self._to_top):
            if self._filter != "wrong" or counts_of(self._session.report).contradicted:
                aside = _count(len(listed.probes.items), len(self._session.scene.probes))
                meaning = "The number of probes, a bundle counting as one, and how many of them are listed."
                if self._section("Probes", aside, meaning, "Add a probe"):
                    self._list("probe", listed.probes, self._probe)
                if self._begin_primitives(listed.primitives):
                    self._list("primitive", listed.primitives, self._primitive)
            if self._filter == "wrong" and (differences := self._session.differences) and differences.wrong:
                _show_wrong_pairs(self._state, differences, self._text)
        self._shown_selection = self._selection.last

    def _begin_primitives(self, listed: ItemTree) -> bool:
        """Begin the section of the primitives and return whether it is open."""
        report, elements = self._session.report, len(self._session.report.elements)
        hit = counts_of(report).hit_elements
        if len(report.probes):
            aside = f"{hit:,} hit, {elements - hit:,} missed"
            meaning = (
                "The primitives that any enabled probe hits, and the others; of bulk items every shape counts."
            )
        else:
            aside = f"{elements:,} not tested"
            meaning = "The number of primitives; of bulk items every shape counts. No enabled probe tests them."
        if not elements or listed.shapes != elements:
            aside = _count(listed.shapes, elements)
        return self._section("Primitives", aside, meaning, "Add a primitive")

    def _section(self, name: str, aside: str, meaning: str, adds: str) -> bool:
        """Begin a section with a + that opens the menu of what can be added; return whether it is open."""
        opened = widgets.section(self._state, name, aside, meaning=meaning, adds=adds)
        if menus.begin(f"add {name}"):
            menus.group_items(self._state, menus.NEW, name)
            imgui.end_popup()
        return opened

    def _current_trees(self) -> SceneTrees:
        return trees_of(self._session.report, self._text, self._filter, self._toggled)

    def _reveal(self) -> None:
        """Open the item of an element that was just selected, if the element passes the filter."""
        target = self._selection.last
        if target is None or target == self._shown_selection:
            return
        k, _, element = find_item(self._session.scene, target)
        listed = self._current_trees()[target.kind == "primitive"]
        if element is not None and k in listed.within and k not in listed.opened:
            self._toggled ^= {Toggled(*target.item, k in listed.filtered)}

    def _search(self) -> None:
        widgets.vertical_space(0.2)
        imgui.set_next_item_width(-1)
        hint, padding = f"{icons.ICON_FA_MAGNIFYING_GLASS}  Search by name", ImVec2(pixels(8), pixels(3))
        before = self._text, self._filter
        with (
            imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, padding),
            imgui_ctx.push_style_color(imgui.Col_.text_disabled, FAINT),
        ):
            _, self._text = imgui.input_text_with_hint("##search", hint, self._text)
        widgets.tooltip("List only items with this text in their id; name[12] is element 12 of a bulk item.")
        offered = dict(FILTERS)
        if not (self._session.has_wrong or counts_of(self._session.report).contradicted):
            del offered["wrong"]
        self._filter = widgets.choice("filter", offered, self._filter if self._filter in offered else "all")
        self._to_top = (self._text, self._filter) != before

    @property
    def _has_items(self) -> bool:
        return bool(self._session.scene.primitives or self._session.scene.probes)

    def _list(self, kind: Kind, listed: ItemTree, content_of: Callable[[int, int | None], RowContent]) -> None:
        """Draw the visible rows, and scroll to the row of a new selection."""
        if not len(listed) and ids_of(self._session.scene, kind):
            widgets.paragraphs(["None match"], FAINT)
        elif not len(listed) and not self._has_items:
            widgets.paragraphs(["None yet"], FAINT)
        elif not len(listed):
            empty_scene.offer(self._state, empty_scene.PROBES if kind == "probe" else empty_scene.PRIMITIVES)
        last, row_of_selected = self._selection.last, None
        if last is not None and last != self._shown_selection and last.kind == kind:
            k, _, element = find_item(self._session.scene, last)
            row_of_selected = listed.row(k, element)
        for at in rows_in_sight(len(listed), row_of_selected):
            k, element = listed.at(at)
            content = content_of(k, element)
            if k in listed.within and element is None:
                icon = icons.ICON_FA_ANGLE_DOWN if k in listed.opened else icons.ICON_FA_ANGLE_RIGHT
                content = content._replace(icon=content.icon._replace(words=icon))
            self._row(listed, at, Target(kind, _name(self._session, kind, k, element)), content)

    def _probe(self, k: int, element: int | None) -> RowContent:
        """The content of the row of a probe item, or of one element of a bundle."""
        scene, report = self._session.scene, self._session.report
        name, probe, counts = scene.probe_ids[k], scene.probes[k], counts_of(report)
        icon = PROBE_ICONS[shapes.PROBES[probe.element_word]]
        size = f"{len(probe.shapes):,} {probe.word}" if isinstance(probe, Bulk) and element is None else ""
        if name not in counts.probes:
            off = Caption("off", FAINT)
            return RowContent(Caption(icon, FAINT), off, "It is disabled and not evaluated.", size)
        if element is not None:
            hit = bool(report.hitting_probes[report.probes.index_of(f"{name}[{element}]")])
            return RowContent(Caption(icon, ACCENT), _verdict(hit), "Whether it hits any primitive.")
        kind = f"{size}, {counts.hitting[name]:,} hit" if size else ""
        of_all = f"{counts.probes[name]:,} of {len(report.elements):,}"
        aside = Caption(f"hits {of_all}", QUIET, brief=of_all)
        return RowContent(Caption(icon, ACCENT), aside, "How many of the primitives it hits.", kind)

    def _primitive(self, k: int, element: int | None) -> RowContent:
        """The content of the row of a primitive item, or of one element of a bulk item."""
        report, part = self._session.report, self._session.report.elements.parts[k]
        kind = part.item.word if element is None else ""
        is_bulk = isinstance(part.item, Bulk) and element is None
        if not len(report.probes):
            dot = Caption("" if is_bulk else NEUTRAL_ICON, style.role(Role.NEUTRAL))
            size = Caption(f"{part.size:,}" if is_bulk else "", QUIET)
            return RowContent(dot, size, "No enabled probe tests it.", kind)
        if is_bulk:
            hit = int(np.count_nonzero(report.hit_elements[part.indices]))
            role = style.role(Role.HIT if hit else Role.MISS)
            aside = Caption(f"{hit:,} of {part.size:,} hit", role) if part.size else Caption("none", FAINT)
            return RowContent(Caption("", role), aside, "How many of its shapes any enabled probe hits.", kind)
        e, by = part.first + (element or 0), "any enabled probe"
        hit = bool(report.hit_elements[e])
        if self._pair is not None and self._pair[1] == e:
            verdict = report.verdict(*self._pair)
            hit, by = verdict.hit, verdict.probe
        return RowContent(sign_of(hit), _verdict(hit), f"Whether {by} hits it.", kind)

    def _row(self, listed: ItemTree, at: int, target: Target, content: RowContent) -> None:
        """Draw the row of an item or of an element, with the actions of a click and a double click."""
        icon, aside, meaning, kind = content
        k, element = listed.at(at)
        hovered = self._selection.hovered is not None and self._selection.hovered[:2] == target[:2]
        hidden = target.item in self._selection.hidden
        asides = [aside]
        if target[:2] in counts_of(self._session.report).contradicted:
            differs = self._state.messages.lessons.is_tried_out(self._session)
            asides = [Caption(signs.FAILS, QUIET if differs else style.role(Role.MISS)), aside]
            meaning += " It differs from the saved test." if differs else " An expectation about it fails."
        start = imgui.get_cursor_screen_pos()
        edge = start.x + imgui.get_content_region_avail().x
        if hidden:
            asides = [caption._replace(colour=FAINT) for caption in asides]
            asides.append(Caption(icons.ICON_FA_EYE_SLASH, FAINT))
            icon = icon._replace(colour=FAINT)
        elif hovered:
            asides.append(Caption(icons.ICON_FA_EYE, FAINT))
        key, selected = f"{target.kind} {target.id}", target in self._selected
        inset = INDENT * (element is not None)
        clicked = row(
            key, target.id, icon, asides, selected=selected, hovered=hovered, quiet=hidden, kind=kind, indent=inset
        )
        if target == self._partner and not selected:
            # The partner in the current pair is outlined in the picture, too.
            style.fill(start.x, start.y, pixels(BAR), imgui.get_item_rect_max().y - start.y, ACCENT)
        is_over, mouse = imgui.is_item_hovered(), imgui.get_mouse_pos().x
        over_eye = is_over and mouse > edge - pixels(ICON)
        over_arrow = is_over and k in listed.within and element is None and mouse < start.x + pixels(ICON)
        if over_eye:
            imgui.set_tooltip("Show again" if hidden else "Hide")
        elif over_arrow:
            imgui.set_tooltip("Close" if k in listed.opened else "List its elements")
        elif is_over and mouse > edge - pixels(ICON) - sum(text.width(aside.words) for aside in asides):
            widgets.tooltip(meaning)
        if clicked and over_eye:
            self._do(selecting.toggle_hidden, target)
        elif clicked and over_arrow:
            self._toggled ^= {Toggled(target.kind, target.id, k in listed.filtered)}
        elif clicked:
            self._select(listed, at, target)
        if is_over and target != self._selection.hovered:
            self._do(selecting.hover, target)
        if is_over and imgui.is_mouse_double_clicked(0) and not over_eye and not over_arrow:
            self._do(view.select_and_frame, target)
        if self._selection.last == target and self._shown_selection != target:
            imgui.set_scroll_here_y()

    def _select(self, listed: ItemTree, at: int, target: Target) -> None:
        """Select the target of a clicked row; Ctrl toggles it, Shift selects the range from the last click."""
        io = imgui.get_io()
        if io.key_shift and self._anchor is not None and self._anchor[0] == target.kind:
            first, last = sorted((self._anchor[1], at))
            rows = range(first, min(last + 1, len(listed)))
            names = [_name(self._session, target.kind, *listed.at(row)) for row in rows]
            others = [Target(target.kind, name) for name in names if name != target.id]
            self._do(selecting.select, *others, target)
            return
        self._anchor = target.kind, at
        self._do(selecting.select, target, toggle=io.key_ctrl)


def _count(listed: int, total: int) -> str:
    return f"{total:,}" if listed == total else f"{listed:,} of {total:,}"


def _verdict(hit: bool) -> Caption:
    return sign_of(hit)._replace(words=hit_or_miss(hit))


def _name(session: Session, kind: Kind, k: int, element: int | None) -> str:
    name = ids_of(session.scene, kind)[k]
    return name if element is None else f"{name}[{element}]"


def _show_wrong_pairs(state: State, differences: MethodDifferences, sought: str) -> None:
    """Draw the section of the pairs with a text in the name of the probe or the primitive."""
    pairs, sought = differences.wrong, sought.strip().casefold()
    if sought:
        pairs = tuple(pair for pair in pairs if sought in f"{pair.probe}\n{pair.primitive}".casefold())
    meaning = "The pairs on which any method differs from exact; first those on which the deciding one does."
    if widgets.section(state, "Wrong answers", f"{len(pairs):,}", meaning=meaning):
        if differences.is_sample:
            asked = sum(differences.asked.values())
            widgets.paragraphs([f"Of {differences.pairs:,} pairs, {asked:,} spread evenly were compared."], FAINT)
        for at in rows_in_sight(len(pairs)):
            _wrong_pair(state, pairs[at])


def _wrong_pair(state: State, pair: WrongPair) -> None:
    """Draw the row of a pair; a click selects its probe and its primitive."""
    targets = Target("primitive", pair.primitive), Target("probe", pair.probe)
    room = imgui.get_content_region_avail().x - pixels(ICON + NAME_MARGIN)
    names = text.pair_to_fit(pair.probe, ARROW, pair.primitive, room)
    sign = Caption(signs.DIFFERS, WARNING if pair.is_decided_wrongly else QUIET)
    kind = next(iter(pair.differences)) if len(pair.differences) == 1 else f"{len(pair.differences)} methods"
    key, selected = f"wrong {pair.probe} {pair.primitive}", set(targets) == set(state.selection.targets)
    if row(key, names, sign, [], selected=selected, kind=kind):
        state.do(selecting.select, *targets)
    if imgui.is_item_hovered():
        with widgets.tooltip_window():
            imgui.text_unformatted(text.escaped(ARROW.join((pair.probe, pair.primitive))))
            for name, differs in pair.differences.items():
                decides = ", which decides," if name == pair.decides else ""
                words = f"{name}{decides} differs from exact in its {differs.replace('_', ' ')}"
                imgui.text_unformatted(f"{signs.DIFFERS} {words}")
