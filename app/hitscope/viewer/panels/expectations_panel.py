"""The panel section of expectations: the list, which of them fail, and buttons to add and accept."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons
from msgspec import UNSET

from hitscope.draw.items import Role
from hitscope.evaluate import Mismatch, Report, acceptance, expectation_words, expectations
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.scene.model import Expectation
from hitscope.viewer.actions import expectation_edits, scene_change
from hitscope.viewer.panels import signs, style, text, widgets
from hitscope.viewer.panels.style import FAINT, QUIET, pixels
from hitscope.viewer.panels.widgets import BUTTON, ICON, Caption, row, row_button, rows_in_sight
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.state import State

NAME_MARGIN, BUTTON_MARGIN = 18.0, 40.0
"""The free space at the right of a name, and a button's width beside its words, its icon included, in points."""
SHOWN_FIRST = 4
"""The number of expectations that fail which are shown above all else."""


class Compared(NamedTuple):
    """The expectations of a scene, by their indices, as they compare with a report."""

    failing: Mapping[int, list[Mismatch]]
    """The mismatches of the ones that fail."""
    uncompared: Mapping[int, list[Mismatch]]
    """The mismatches of the others that cannot be compared, or not in every part."""
    passing: list[int]
    pairs: frozenset[tuple[str, object]]
    """The pairs with an expectation that names no method."""


@lru_cache(maxsize=1)  # every frame asks
def compared_with(report: Report) -> Compared:
    failing: dict[int, list[Mismatch]] = defaultdict(list)
    others: dict[int, list[Mismatch]] = defaultdict(list)
    for mismatch in report.comparison:
        (failing if mismatch.kind == "differs" else others)[mismatch.expectation_index].append(mismatch)
    expect = report.scene.expect
    return Compared(
        failing,
        {index: found for index, found in others.items() if index not in failing},
        [index for index in range(len(expect)) if index not in failing and index not in others],
        frozenset((item.probe, item.primitive) for item in expect if item.method is UNSET),
    )


@lru_cache(maxsize=1)  # every frame asks
def wrong_answer(report: Report, pair: tuple[int, int] | None) -> tuple[str, str]:
    """The exact answer of a pair in words, where the deciding one is wrong, and what pins the latter; else ""."""
    if pair is None:
        return "", ""
    verdict, right = report.verdict(*pair), acceptance.right_verdict(report, *pair)
    exact = "" if right is verdict else acceptance.correction(verdict, right).removeprefix("a ")
    if acceptance.pinned(report, *pair) is None:
        return exact, ""
    return exact, f"{icons.ICON_FA_THUMBTACK}  Expect {verdict.method}: {hit_or_miss(verdict.hit)}"


class ExpectationsPanel:
    """The section of expectations."""

    def __init__(self, state: State) -> None:
        self._session, self._selection, self._display = state.session, state.selection, state.display
        self._state, self._lessons, self._do = state, state.messages.lessons, state.do
        self._accepting: tuple[Report, list[tuple[int, str]]] | None = None
        """The changes by accepting, shown for confirmation: the index of each expectation, and its change."""
        self._unfolded: Document | None = None
        """The example whose expectations are listed; those of others are one line."""

    @property
    def _is_closed(self) -> bool:
        document = self._session.document
        return self._unfolded is not document if document.ships else "Expectations" in self._display.closed_parts

    @property
    def fails(self) -> bool:
        """Whether an expectation fails, and not because an example or a lesson is tried out."""
        return bool(self._compared.failing) and not self._differs_from_saved

    @property
    def _differs_from_saved(self) -> bool:
        """Whether an example or a lesson was changed so that its expectations no longer hold."""
        return bool(self._compared.failing) and self._lessons.is_tried_out(self._session)

    def update(self) -> None:
        """Compare the expectations with a new report; called before a frame, which only draws what differs."""
        compared_with(self._session.report)
        wrong_answer(self._session.report, self._selection.pair(self._session.picture))

    @property
    def _compared(self) -> Compared:
        return compared_with(self._session.report)

    def show_failing(self) -> None:
        """Draw what fails, if anything does, in a section of its own: the first ones, and what mends them."""
        if not self.fails:
            return
        aside = f"{len(self._compared.failing):,} of {len(self._session.scene.expect):,} fail"
        meaning = "The answers that the scene file expects and that are wrong now."
        colour = style.role(Role.MISS)
        if not widgets.section(self._state, "Failing", aside, colour, words="Expectations", meaning=meaning):
            return
        if self._accepting is not None and self._accepting[0] is self._session.report:
            self._confirm(self._accepting[1])
        else:
            for index in sorted(self._compared.failing)[:SHOWN_FIRST]:
                self._row(index)
            self._buttons()

    def show(self, short: bool) -> None:
        """Draw the section; in a `short` panel only what does not hold is listed, but for an unfolded example."""
        expect, failing = self._session.scene.expect, sorted(self._compared.failing)[SHOWN_FIRST * self.fails :]
        listed = [*failing, *sorted(self._compared.uncompared)]
        passing = () if short and not self._session.document.ships else self._compared.passing
        if (short and not expect) or (self.fails and not (listed or passing)):
            return
        if not (self._head_of_example() if self._session.document.ships else self._head()):
            return
        if not self.fails:
            self._buttons()
        if not expect:
            widgets.paragraphs(["No expectations yet. hitscope check compares them with the answers."], FAINT)
        for index in listed:
            self._row(index)
        for at in rows_in_sight(len(passing)):
            self._row(passing[at])

    def _head(self) -> bool:
        """Draw the heading and return whether the section is open."""
        number, passing_number = len(self._session.scene.expect), len(self._compared.passing)
        aside, colour, words = "", style.role(Role.HIT), ""
        if self._differs_from_saved:
            words = self._tally()
        elif self._compared.failing or self._compared.uncompared:
            rest = "".join(f", {count:,} {kind}" for kind, count in self._uncompared_kinds.items())
            more = len(self._compared.failing) - SHOWN_FIRST
            aside, colour = f"{f'{more:,} fail, ' * (more > 0)}{passing_number:,} pass{rest}", QUIET
            words = "Other expectations" * self.fails
        elif number:
            aside = "1 passes" if number == 1 else f"all {number:,} pass"
        meaning = "The answers that the scene file expects, and how many of them are wrong."
        return widgets.section(self._state, "Expectations", aside, colour, words=words, meaning=meaning)

    def _head_of_example(self) -> bool:
        """Draw the one line about the expectations of an example; return whether they are listed below."""
        meaning = "The answers that this example expects: hitscope check compares them, too."
        if widgets.heading("Expectations", self._is_closed, self._tally(), meaning=meaning):
            self._unfolded = self._session.document if self._is_closed else None
        if self._differs_from_saved:
            back = "Show the example as it ships again; undo brings your changes back."
            if widgets.button(f"{icons.ICON_FA_ARROW_ROTATE_LEFT}  Go back", back):
                self._do(scene_change.go_back_to_saved)
        return not self._is_closed

    def _tally(self) -> str:
        """How many expectations hold, differ or fail, and are not compared."""
        numbers = len(self._compared.passing), len(self._compared.failing), self._uncompared_kinds
        return expectation_words.tally(*numbers, changed=self._differs_from_saved)

    @property
    def _uncompared_kinds(self) -> Counter[expectations.Kind]:
        return Counter(found[0].kind for found in self._compared.uncompared.values())

    def _buttons(self) -> None:
        pair = self._selection.pair(self._session.picture)
        report = self._session.report
        exact, pins = wrong_answer(report, pair)
        ids = None if pair is None else (report.probes[pair[0]].id, report.elements[pair[1]].id)
        label = "Expect this now" if ids in self._compared.pairs else "Expect this"
        if exact:
            room = imgui.get_content_region_avail().x - pixels(BUTTON_MARGIN)
            label = text.cut_end(f"Expect the exact answer: {exact}", room)
        meaning = "Expect the right answer of the pair above: hit, state, side, t and normal."
        if pair is not None and widgets.button(f"{icons.ICON_FA_PLUS}  {label}", meaning):
            self._do(expectation_edits.expect_pair)
        if pins:
            meaning = "Expect the wrong answer of this method by its name, with a reason, as a known deviation."
            if widgets.button(pins, meaning):
                self._do(expectation_edits.pin_pair)
        if self._compared.failing:
            if pins or (pair is not None and not exact):
                imgui.same_line(0, pixels(6))
            meaning = "Rewrite all that do not hold to the right answers; the changes are shown first."
            if widgets.button(f"{icons.ICON_FA_CHECK_DOUBLE}  Accept all…", meaning):
                self._do(self._begin_accepting)

    def _begin_accepting(self, state: State) -> None:
        """Show for confirmation what accepting changes."""
        report, expect = state.session.report, state.session.scene.expect
        new = {k: item for k, item in acceptance.accepted(report).items() if item != expect[k]}
        if new:
            self._accepting = report, [(k, expectation_words.change(expect[k], item)) for k, item in new.items()]
        else:
            expectation_edits.accept_all(state)  # says why there is nothing to accept

    def _confirm(self, changes: Sequence[tuple[int, str]]) -> None:
        """Draw the changes to be accepted, two lines each, with buttons to accept and to cancel."""
        if widgets.button(f"Accept {len(changes):,}", "Write these changes into the scene."):
            self._do(expectation_edits.accept_all)
            self._accepting = None
        imgui.same_line(0, pixels(6))
        if widgets.button("Cancel", "Leave the expectations as they are."):
            self._accepting = None
        for at in rows_in_sight(len(changes)):
            index, change = changes[at]
            expectation, width = self._session.scene.expect[index], imgui.get_content_region_avail().x
            name = _fitted(expectation, width - pixels(ICON + NAME_MARGIN))
            row(f"change {index}", name, Caption(icons.ICON_FA_PEN, FAINT), [], selected=False)
            whole = f"{expectation_words.subject(expectation)}\n{change}"
            widgets.tooltip(whole)
            imgui.indent(pixels(ICON))
            with text.small():
                text.paragraph(text.cut_end(change, imgui.get_content_region_avail().x), QUIET)
            widgets.tooltip(whole)
            imgui.unindent(pixels(ICON))

    def _row(self, index: int) -> None:
        """Draw an expectation, and the reasons why it does not hold below it."""
        expectation = self._session.scene.expect[index]
        failing, uncompared = self._compared.failing.get(index, []), self._compared.uncompared.get(index, [])
        colour = QUIET if self._differs_from_saved else style.role(Role.MISS)
        icon = Caption(signs.UNANSWERED, FAINT) if uncompared else Caption(signs.HOLDS, QUIET)
        if failing:
            icon = Caption(signs.FAILS, colour)
        start, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height_with_spacing()
        edge = start.x + imgui.get_content_region_avail().x
        pair = self._selection.last, self._selection.partner(self._session.picture)
        ids = [target.id for target in pair if target is not None]
        selected = ids == [expectation.probe, expectation.primitive]
        hovered = widgets.is_line_hovered(start, edge, height)
        asides = [Caption("", FAINT, BUTTON)] * (1 + bool(failing))
        name = _fitted(expectation, edge - start.x - pixels(ICON + NAME_MARGIN + len(asides) * BUTTON))
        says_all = bool(failing and expectation.primitive) and not any(found.answer for found in failing)
        method = expectation.method_name
        expected = f"expected: {hit_or_miss(bool(expectation.hit))}{f' by {method}' * bool(method)}"
        kind = expected if says_all else expectation_words.summary(expectation)
        imgui.set_next_item_allow_overlap()
        clicked = row(f"expect {index}", name, icon, asides, selected=selected, hovered=hovered, kind=kind)
        is_over = imgui.is_item_hovered()
        if clicked:
            first = failing[0].primitive if failing else None
            self._do(expectation_edits.select_pair, expectation.probe, first or expectation.primitive or None)
        remove, corner = "Remove the expectation.", ImVec2(edge, start.y)
        if row_button(f"remove {index}", corner, icons.ICON_FA_TRASH_CAN, remove, is_seen=hovered):
            self._do(expectation_edits.remove, index)
        is_over &= not imgui.is_item_hovered()
        if failing:
            corner.x -= pixels(BUTTON + 8)
            accept = "Expect the right answer instead."
            if row_button(f"accept {index}", corner, icons.ICON_FA_PEN, accept, is_seen=True):
                self._do(expectation_edits.accept, (index,))
            is_over &= not imgui.is_item_hovered()
        if is_over:
            _show_tooltip(expectation, [*failing, *uncompared])
        for mismatch in [] if says_all else [*failing, *uncompared]:
            imgui.indent(pixels(24))
            widgets.paragraphs([expectation_words.mismatch(mismatch)], colour if failing else FAINT)
            imgui.unindent(pixels(24))


def _fitted(expectation: Expectation, room: float) -> str:
    primitive = expectation.primitive or expectation_words.ALL
    return text.pair_to_fit(expectation.probe, expectation_words.OF, primitive, room)


def _show_tooltip(expectation: Expectation, failing: list[Mismatch]) -> None:
    lines = [*map(expectation_words.mismatch, failing), expectation_words.subject(expectation)]
    lines.append(expectation_words.summary(expectation))
    if method := expectation.method_name:
        lines.append(f"Method: {method}")
    if expectation.why is not UNSET:
        lines.append(expectation.why)
    widgets.tooltip("\n".join([*lines, "Click to select the pair."]))
