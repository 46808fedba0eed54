"""The panel's part about expectations: what is expected, what of it fails, and how to make it agree."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui
from msgspec import UNSET

from hitscope.draw.items import Role
from hitscope.evaluate import Mismatch, Report
from hitscope.evaluate.accepting import accepted
from hitscope.scene.model import Expectation
from hitscope.viewer.app import App
from hitscope.viewer.panels import expectation_edits, expectation_text, style, text, widgets
from hitscope.viewer.panels.list_row import ICON, Caption, row
from hitscope.viewer.panels.pair_panel import HIT_ICON, MISS_ICON
from hitscope.viewer.panels.style import FAINT, QUIET

HEAD_LINES, TOLD_LINES = 3, 2
"""The heading and the buttons take about so many lines, and the words of a mismatch."""
SPARE = 18.0
"""The room at the right of a name, in points."""
HIGHEST, HIGHEST_ASKING = 0.22, 0.6
"""Below the pair, the part has at most this part of the panel's height; more while it asks."""


class ExpectationsPanel:
    """The part of the panel that tells of expectations."""

    def __init__(self) -> None:
        self._report: Report | None = None
        self._failing: Mapping[int, list[Mismatch]] = {}
        self._holding: list[int] = []
        self._pairs: dict[tuple[str, object], int] = {}
        """Of which pairs something is expected, whatever the method."""
        self._accepting: tuple[Report, list[tuple[int, str]]] | None = None
        """What is shown before it is accepted: of each expectation what becomes of it."""

    def height(self, app: App) -> float:
        """Give how high the part is below the others, in pixels."""
        line = imgui.get_text_line_height_with_spacing()
        if "Expectations" in app.closed:
            return 1.5 * line
        asks = self._asks(app)
        rows = len(self._accepting[1]) if asks and self._accepting else len(app.scene.expect)
        told = rows if asks else TOLD_LINES * len(app.report.mismatches)
        height = (HEAD_LINES + max(rows, 2) + told) * line + rows * imgui.get_style().item_spacing.y
        return min(height, (HIGHEST_ASKING if asks else HIGHEST) * app.layout.panel.height)

    def _asks(self, app: App) -> bool:
        return self._accepting is not None and self._accepting[0] is app.report

    def show(self, app: App) -> None:
        """Make the part."""
        report = app.report
        if self._report is not report:
            self._report, failing = report, defaultdict(list)
            for mismatch in report.mismatches:
                failing[mismatch.place].append(mismatch)
            self._failing = failing
            expect = app.scene.expect
            self._holding = [place for place in range(len(expect)) if place not in failing]
            self._pairs = {
                (item.probe, item.primitive): place for place, item in enumerate(expect) if item.method is UNSET
            }
        number, failing_number = len(app.scene.expect), len(self._failing)
        aside = f"{number:,} hold" if number else ""
        if failing_number:
            aside = f"{failing_number:,} of {number:,} fail"
        elif number == 1:
            aside = "it holds"
        elif number:
            aside = f"all {number:,} hold"
        colour = style.role(Role.MISS if failing_number else Role.HIT)
        says = "What the scene file expects of its pairs, and how much of that is found."
        if not widgets.section(app, "Expectations", aside, colour, says=says):
            return
        if self._accepting is not None and self._asks(app):
            self._ask(app, self._accepting[1])
            return
        self._buttons(app)
        if number:
            self._list(app)
        else:
            widgets.paragraphs(["Nothing is expected yet. What is expected is checked by hitscope check."], FAINT)

    def _buttons(self, app: App) -> None:
        pair = app.pair
        ids = None if pair is None else (app.report.probes[pair[0]].id, app.report.elements[pair[1]].id)
        words = "Expect this now" if ids in self._pairs else "Expect this"
        says = "Expect of the pair above what is found of it now: hit, state, side, t and normal."
        if widgets.button(f"{icons.ICON_FA_PLUS}  {words}", app.points, says, pair is not None):
            assert pair is not None
            expectation_edits.expect_current_answer(app, pair)
        if self._failing:
            imgui.same_line(0, 6 * app.points)
            says = "Rewrite all that fail to what is found now; what becomes of each is shown first."
            if widgets.button(f"{icons.ICON_FA_CHECK_DOUBLE}  Accept all…", app.points, says):
                expect, changed = app.scene.expect, accepted(app.report)
                self._accepting = (
                    app.report,
                    [(k, expectation_text.change(expect[k], new)) for k, new in changed.items()],
                )

    def _ask(self, app: App, changes: Sequence[tuple[int, str]]) -> None:
        """Ask whether to rewrite what fails, and show what becomes of each expectation, two lines each."""
        if widgets.button(f"Accept {len(changes):,}", app.points, "Expect this from now on."):
            expectation_edits.accept_all(app)
            self._accepting = None
        imgui.same_line(0, 6 * app.points)
        if widgets.button("Cancel", app.points, "Leave what is expected as it is."):
            self._accepting = None
        with widgets.scroll_area("changes", 0, app.points):
            clipper = imgui.ListClipper()
            clipper.begin(len(changes))
            while clipper.step():
                for at in range(clipper.display_start, clipper.display_end):
                    place, change = changes[at]
                    expectation, room = app.scene.expect[place], imgui.get_content_region_avail().x
                    name = _fitted(expectation, room - (ICON + SPARE) * app.points)
                    row(f"change {place}", name, Caption(icons.ICON_FA_PEN, FAINT), [], app.points, selected=False)
                    whole = f"{expectation_text.subject(expectation)}\n{change}"
                    widgets.tooltip(whole, app.points)
                    imgui.indent(ICON * app.points)
                    with text.small():
                        text.paragraph(text.cut_end(change, imgui.get_content_region_avail().x), QUIET)
                    widgets.tooltip(whole, app.points)
                    imgui.unindent(ICON * app.points)

    def _list(self, app: App) -> None:
        """List all that is expected, each on a line; what fails has its words below."""
        for place in sorted(self._failing):
            self._row(app, place)
        clipper = imgui.ListClipper()
        clipper.begin(len(self._holding))
        while clipper.step():
            for at in range(clipper.display_start, clipper.display_end):
                self._row(app, self._holding[at])

    def _row(self, app: App, place: int) -> None:
        expectation = app.scene.expect[place]
        failing = self._failing.get(place, [])
        icon = Caption(MISS_ICON, style.role(Role.MISS)) if failing else Caption(HIT_ICON, style.role(Role.HIT))
        start = imgui.get_cursor_screen_pos()
        edge = start.x + imgui.get_content_region_avail().x
        probe = app.selected is not None and app.selected.id == expectation.probe
        selected = probe and app.partner is not None and app.partner.id == expectation.primitive
        hovered = widgets.is_line_hovered(start, edge, imgui.get_text_line_height_with_spacing())
        asides = [Caption(icons.ICON_FA_TRASH_CAN, FAINT)] if hovered else []
        name = _fitted(expectation, edge - start.x - (ICON + SPARE) * app.points)
        clicked = row(
            f"expect {place}",
            name,
            icon,
            asides,
            app.points,
            selected=selected,
            hovered=hovered,
            kind=expectation_text.summary(expectation),
        )
        if not imgui.is_item_hovered():
            pass
        elif imgui.get_mouse_pos().x > edge - 26 * app.points:
            imgui.set_tooltip("remove it")
            if clicked:
                expectation_edits.remove(app, place)
                return
        else:
            _tell(expectation, failing, app.points)
            if clicked:
                first = failing[0].primitive if failing else None
                expectation_edits.select_pair(app, expectation.probe, first or expectation.primitive or None)
        for mismatch in failing:
            imgui.indent(24 * app.points)
            widgets.paragraphs([expectation_text.mismatch(mismatch)], style.role(Role.MISS))
            imgui.unindent(24 * app.points)


def _fitted(expectation: Expectation, room: float) -> str:
    """Write of what something is expected so that of long names both are known."""
    whole, half = expectation_text.subject(expectation), (room - text.width(expectation_text.OF)) / 2
    names = (expectation.probe, expectation.primitive or expectation_text.ALL)
    return (
        whole
        if text.width(whole) <= room
        else expectation_text.OF.join(text.cut_middle(name, half) for name in names)
    )


def _tell(expectation: Expectation, failing: list[Mismatch], points: float) -> None:
    said = [expectation_text.subject(expectation), expectation_text.summary(expectation)]
    if expectation.method is not UNSET:
        method = expectation.method
        said.append(f"asked of {method if isinstance(method, str) else method['name']}")
    if expectation.why is not UNSET:
        said.append(expectation.why)
    said.append("click to select the pair")
    widgets.tooltip("\n".join([*(expectation_text.mismatch(mismatch) for mismatch in failing), *said]), points)
