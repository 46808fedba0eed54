"""The values beside the source: the comparison of the next line, the helpers it calls, every name, the answer."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope import numerals
from hitscope.draw.items import Role
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.explain import Compared, Step
from hitscope.explain.snapshot import value_text
from hitscope.explain.step_words import branch_words, comparison_words, wrong_line_words
from hitscope.viewer.actions import stepping as actions
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.state import State
from hitscope.viewer.state.stepping import Run

BAR, BETWEEN = 3.0, 12.0
"""The width of the bar beside what has changed, and the space between two columns, in points."""
LARGEST_TOP = 0.6
"""The largest part of the height that what happens next takes above the values."""
DIGITS = (None, 12, 9, 7, 6, 5, 4, 3)
"""The significant digits of numbers, as many as fit; None is full precision."""
MOST_ROWS = 12
"""The most rows that a value has."""
MANY_ULPS = 4.0
"""From so many ulps on an error stands out."""


class ValueRow(NamedTuple):
    """A value, or a part of one, as it is shown in a line."""

    name: str
    values: tuple[Any, ...]
    """Numbers side by side, or one value of another kind."""


class StepValues:
    """The values of the run."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._scrolled_for: tuple[Run, int, float] | None = None

    def show(self, run: Run, width: float, height: float) -> None:
        with widgets.child("step values", ImVec2(width, height)):
            step = run.next
            if step is None or step.comparisons or step.calls or step.branch is not None:
                imgui.set_next_window_size_constraints(ImVec2(0, 0), ImVec2(width, height * LARGEST_TOP))
                with widgets.child("step happens", ImVec2(width, 0), imgui.ChildFlags_.auto_resize_y):
                    if step is None:
                        self._answer(run)
                    else:
                        self._what_happens(step)
            if run.values:
                widgets.paragraphs(["Values" if run.at else "Arguments"], QUIET)
            with widgets.scroll_area("step names", 0):
                self._table(run)

    def _what_happens(self, step: Step) -> None:
        """Draw what the next line compares and calls, and which way it goes."""
        widgets.paragraphs([f"Next: line {step.line}"], QUIET)
        for compared in step.comparisons:
            self._comparison(compared)
        if words := branch_words(step):
            icon = icons.ICON_FA_ARROW_RIGHT if step.branch else icons.ICON_FA_ARROW_DOWN
            text.paragraph(f"{icon}  {text.sentence(words)}", QUIET)
        for k, call in enumerate(step.calls):
            self._call(k, call.name, call.arguments, call.answer, call.function is not None)
        widgets.vertical_space()

    def _comparison(self, compared: Compared) -> None:
        stepping = self._state.display.stepping
        in_hex = stepping.in_hex
        with text.mono():
            text.paragraph(compared.text, TEXT)
            sign = style.role(Role.HIT if compared.result else Role.MISS)
            text.paragraph(comparison_words(compared, in_hex), TEXT if in_hex else sign)
        wrong_line, explanation = stepping.wrong_line, stepping.explanation
        if explanation is not None and wrong_line is not None and wrong_line.ours == compared:
            text.paragraph(f"{icons.ICON_FA_BUG}  {text.sentence(wrong_line_words(explanation, in_hex))}", WARNING)

    def _call(self, k: int, name: str, arguments: Any, answer: Any, can_open: bool) -> None:
        """Draw a call of a helper, folded; a click opens it."""
        given = ", ".join(value_text(value, digits=numerals.SHORT) for value in arguments.values())
        words = f"{name}({given}) = {value_text(answer)}"
        start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        height = imgui.get_text_line_height_with_spacing()
        clicked = imgui.invisible_button(f"##call {k} {name}", ImVec2(room, height), style.NAVIGABLE)
        icon = icons.ICON_FA_ANGLE_RIGHT if can_open else icons.ICON_FA_MINUS
        colour = TEXT if can_open and imgui.is_item_hovered() else QUIET
        text.draw_at(start.x, start.y, icon, colour)
        with text.mono():
            text.draw_at(start.x + pixels(16), start.y, text.cut_end(words, room - pixels(16)), colour)
        hint = "Click to step through it" if can_open else "It cannot be run again on its own"
        widgets.tooltip(f"{words}\n{hint}")
        if clicked and can_open:
            self._state.do(actions.open_helper, k)

    def _answer(self, run: Run) -> None:
        widgets.paragraphs(["Answer"], QUIET)
        if run.trace.error:
            text.paragraph(run.trace.error, WARNING)
            return
        answer, hit = run.trace.answer, run.trace.hit
        is_method = run is self._state.display.stepping.runs[0]
        if is_method:
            sign, colour, *_ = widgets.sign_of(hit)
            text.paragraph(f"{sign}  {hit_or_miss(hit)}", colour)
        if not is_method or isinstance(answer, tuple):
            rows = (row for row in rows_of("returns", answer) if row.name != "returns.hit")
            self._rows([row._replace(name=row.name.removeprefix("returns.")) for row in rows])
        widgets.vertical_space()

    def _table(self, run: Run) -> None:
        stepping = self._state.display.stepping
        ulps = stepping.shown.ulps if stepping.shown is not None and run is stepping.runs[0] else {}
        rows = {name: rows_of(name, value) for name, value in run.values.items()}
        changed = {row.name for name in rows.keys() & run.changed for row in rows[name]}
        if rows:
            self._rows(list(chain.from_iterable(rows.values())), changed, ulps, run)

    def _rows(
        self, rows: Sequence[ValueRow], changed: Collection[str] = (), ulps: Any = (), run: Run | None = None
    ) -> None:
        """Draw names and values, aligned; bars mark what has changed."""
        in_hex = self._state.display.stepping.in_hex
        if in_hex:
            rows = [part for row in rows for part in _one_a_row(row)]
        scrolls = False
        if run is not None:
            # What happens above takes its height only in the second frame.
            shown = run, run.at, imgui.get_window_height()
            scrolls, self._scrolled_for = self._scrolled_for != shown, shown
        with text.mono():
            letter, line = text.width("0"), imgui.get_text_line_height()
            room = imgui.get_content_region_avail().x
            names = min(max(len(row.name) for row in rows) * letter, room * 0.4)
            left = pixels(BAR + 6) + names + pixels(BETWEEN)
            errors = {name: numerals.ulps(value) for name, value in dict(ulps).items()}
            right = max((len(words) for words in errors.values()), default=0) * letter
            free = room - left - (right + pixels(BETWEEN) if right else 0)
            columns = _aligned(rows, in_hex, int(free / letter))
            if not in_hex and max(map(len, columns)) > int(free / letter):
                rows = [part for row in rows for part in _one_a_row(row)]
                columns = _aligned(rows, in_hex, int(free / letter))
                # Of one number a row the name has what the number leaves.
                longest = max(len(row.name) for row in rows) * letter
                more = min(longest - names, free - max(map(len, columns)) * letter)
                names, left, free = names + more, left + more, free - more
            for row, words in zip(rows, columns, strict=True):
                is_changed = row.name in changed or row.name.rpartition(" ")[0] in changed
                error = errors.get(row.name, "")
                self._row(row, words, (line, room, names, left, free), error, is_changed, scrolls)
                scrolls = scrolls and row.name not in changed

    def _row(
        self, row: ValueRow, words: str, sizes: tuple[float, ...], error: str, is_changed: bool, scrolls: bool
    ) -> None:
        line, room, names, left, free = sizes
        start = imgui.get_cursor_screen_pos()
        if is_changed:
            style.fill(start.x, start.y, room, line + pixels(2), style.faded(ACCENT, 0.13))
            style.fill(start.x, start.y, pixels(BAR), line + pixels(2), ACCENT)
        colour = TEXT if is_changed else QUIET
        text.draw_at(start.x + pixels(BAR + 6), start.y, text.cut_middle(row.name, names), colour)
        has_nan = any(isinstance(value, float | np.floating) and np.isnan(value) for value in row.values)
        text.draw_at(start.x + left, start.y, text.cut_end(words, free), WARNING if has_nan else colour)
        if error:
            many = float(error.partition(" ")[0]) >= MANY_ULPS
            text.draw_right_aligned(start.x + room, start.y, error, WARNING if many else FAINT)
        imgui.dummy(ImVec2(room, line))
        top = imgui.get_window_pos().y
        if scrolls and is_changed and not top <= start.y <= top + imgui.get_window_height() - line:
            imgui.set_scroll_here_y(0.5)
        if widgets.is_line_hovered(start, start.x + room, line):
            full = [value_text(value) for value in row.values]
            bits = [value_text(value, as_hex=True) for value in row.values if isinstance(value, float)]
            notes = ["It has just changed"] if is_changed else []
            notes += [f"{error} from the value without rounding"] if error else []
            widgets.show_tooltip("\n".join([row.name, *full, *bits, *notes]))


def is_number(value: Any) -> bool:
    """Whether a value is a number, and not a truth value."""
    return isinstance(value, int | float | np.floating | np.integer | Fraction) and not isinstance(value, bool)


def rows_of(name: str, value: Any) -> list[ValueRow]:
    """The rows of a value: one, or one for each part of what has parts with parts."""
    rows = list(_rows(name, value))
    return rows if len(rows) <= MOST_ROWS else [ValueRow(name, (value,))]


def _rows(name: str, value: Any) -> Iterator[ValueRow]:
    if not isinstance(value, tuple | list) or not value:
        yield ValueRow(name, (value,))
    elif len(value) <= 4 and all(map(is_number, value)):
        yield ValueRow(name, tuple(value))
    else:
        fields = getattr(value, "_fields", None)
        for k, part in enumerate(value):
            yield from _rows(f"{name}.{fields[k]}" if fields else f"{name}[{k}]", part)


def _one_a_row(row: ValueRow) -> list[ValueRow]:
    if len(row.values) == 1:
        return [row]
    return [ValueRow(f"{row.name} {'xyzw'[k]}", (value,)) for k, value in enumerate(row.values)]


def _aligned(rows: Sequence[ValueRow], in_hex: bool, letters: int) -> list[str]:
    """The values of each row as one text of at most so many letters, numbers aligned at their points."""
    alike = ([row.values for row in rows if (len(row.values) > 1) == is_vector] for is_vector in (False, True))
    one, many = (iter(_fitted(values, in_hex, letters)) for values in alike)
    return [next(one) if len(row.values) == 1 else next(many) for row in rows]


def _fitted(values: Sequence[tuple[Any, ...]], in_hex: bool, letters: int) -> list[str]:
    """The texts of rows of values with the first of `DIGITS` with which all fit, else the last."""
    for digits in DIGITS:
        columns = _columns(values, in_hex, digits)
        if all(len(words) <= letters for words in columns):
            break
    return columns


def _columns(values: Sequence[tuple[Any, ...]], in_hex: bool, digits: int | None) -> list[str]:
    """The texts of rows of values, each column aligned at the points of its numbers."""
    parts = [[_parts(value, in_hex, digits) for value in row] for row in values]
    whole, rest = Counter[int](), Counter[int]()
    for row in parts:
        for k, (before, after, is_number) in enumerate(row):
            if is_number:
                whole[k], rest[k] = max(whole[k], len(before)), max(rest[k], len(after))
    return [
        "  ".join(
            before.rjust(whole[k]) + after.ljust(rest[k]) if is_number else before
            for k, (before, after, is_number) in enumerate(row)
        ).rstrip()
        for row in parts
    ]


def _parts(value: Any, in_hex: bool, digits: int | None) -> tuple[str, str, bool]:
    """A value's text up to its point, from there on, and whether it is a number."""
    words = value_text(value, in_hex, digits)
    if not is_number(value):
        return words, "", False
    at = next((i for i, sign in enumerate(words) if sign in ".ep/"), len(words))
    return words[:at], words[at:], True
