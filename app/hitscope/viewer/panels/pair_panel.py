"""The head of the panel, the current pair in a sentence, and below it its numbers and every method's answer."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from sys import float_info
from typing import NamedTuple, TypeAlias

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope import numerals
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, Verdict
from hitscope.evaluate.method_differences import Difference, difference_from_exact
from hitscope.evaluate.verdict_words import STATES, Decider, decider_of, hit_or_miss, sentence_of, unbroken
from hitscope.geometry.exact import length_of
from hitscope.geometry.registry import EXACT, Method, pair_of, pair_words
from hitscope.geometry.shapes import is_linear, linear, rational
from hitscope.scene import fields
from hitscope.targets.target import OWN_CODE
from hitscope.viewer.actions import inspector_edits, stepping
from hitscope.viewer.panels import signs, text, widgets
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.panels.widgets import BUTTON, Caption, fitted_alike, row, row_button, sign_of
from hitscope.viewer.state.state import State

FEWEST_DIGITS = 3
"""The fewest significant digits of a number beside two others; with fewer they get a line."""
BETWEEN = 10.0
"""The space between two columns, in points."""
Numbers: TypeAlias = tuple[float | None, ...]
"""One number or the three of a vector; None is a dash."""


class Answer(NamedTuple):
    """A row of the table."""

    name: str
    value: str | Numbers
    meaning: str
    """The tooltip; the full numbers follow it."""
    aside: str = ""
    """Words beside one number, left out where there is no space."""
    more: str = ""
    """Words after the full numbers in the tooltip."""


def show_answers(answers: Sequence[Answer]) -> None:
    start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    names = max(text.width(answer.name) for answer in answers) + pixels(BETWEEN)
    numbers = [answer.value for answer in answers if isinstance(answer.value, tuple)]
    vectors = [value for value in numbers if len(value) > 1]
    below = not _fit(vectors, room - names, FEWEST_DIGITS)
    digits = next(
        (n for n in range(numerals.SHORT, FEWEST_DIGITS, -1) if _fit(vectors, room - names * (not below), n)),
        FEWEST_DIGITS,
    )
    for answer in answers:
        y = imgui.get_cursor_screen_pos().y
        text.draw_at(start.x, y, answer.name, QUIET)
        if isinstance(answer.value, str):
            imgui.set_cursor_screen_pos(ImVec2(start.x + names, y))
            text.paragraph(answer.value, TEXT)
        else:
            own_line = below and len(answer.value) > 1
            top = y + imgui.get_text_line_height_with_spacing() * own_line
            corner = ImVec2(start.x + names * (not own_line), top)
            aligned = vectors if own_line else [value for value in numbers if not below or len(value) == 1]
            _draw_numbers(answer.value, answer.aside, aligned, corner, start.x + room - corner.x, digits)
            imgui.set_cursor_screen_pos(ImVec2(start.x, top))
            imgui.dummy(ImVec2(room, imgui.get_text_line_height()))
        if widgets.is_line_hovered(ImVec2(start.x, y), start.x + room, imgui.get_cursor_screen_pos().y - y):
            values = () if isinstance(answer.value, str) else answer.value
            full = (numerals.whole(value) for value in values if value is not None)
            with widgets.tooltip_window():
                imgui.text_unformatted("\n".join([answer.meaning, *full, *filter(None, [answer.more])]))
    imgui.set_cursor_screen_pos(ImVec2(start.x, imgui.get_cursor_screen_pos().y))


def _draw_numbers(
    numbers: Numbers, aside: str, aligned: Sequence[Numbers], corner: ImVec2, room: float, digits: int
) -> None:
    """Draw numbers in three columns of `room`, the decimal point where those of the `aligned` rows are."""
    for k, value in enumerate(numbers):
        before = max(text.width(_parts(row[k], digits)[0]) for row in aligned if len(row) > k)
        x = corner.x + k * room / 3 + before - text.width(_parts(value, digits)[0])
        text.draw_at(x, corner.y, numerals.typeset(value, digits), FAINT if value is None else TEXT)
    ends = [text.width(numerals.typeset(row[0], digits)) for row in aligned if len(row) == 1]
    if aside and (left := max(room / 3, max(ends) + pixels(BETWEEN))) + text.width(aside) <= room:
        text.draw_at(corner.x + left, corner.y, aside, FAINT)


def _fit(vectors: Sequence[Numbers], room: float, digits: int) -> bool:
    """Whether the columns of vectors fit into `room` pixels with so many digits."""
    for column in zip(*vectors, strict=True):
        parts = [_parts(value, digits) for value in column]
        width = max(text.width(before) for before, _ in parts) + max(text.width(after) for _, after in parts)
        if width + pixels(BETWEEN) > room / 3:
            return False
    return True


def _parts(value: float | None, digits: int) -> tuple[str, str]:
    """A number's text up to its decimal point or exponent, and from there."""
    words = numerals.typeset(value, digits)
    at = next((i for i, sign in enumerate(words) if sign in ".e"), len(words))
    return words[:at], words[at:]


ANSWERS = {
    "side": "Of the plane, or of the triangle's plane: front, back, on it, or both sides of it.",
    "t enter": "Where the probe enters: t is a fraction of its vector, beside it the length from its start.",
    "t exit": "Where the probe exits or ends: a fraction of its vector, beside it the length from its start.",
    "point": "The exact point at t enter, rounded once.",
    "normal": "The unit normal of the face at the entry; none where the probe starts inside.",
    "decided by": (
        "Exact, whatever method decides. For a hit, the primitive's feature at t enter. For a miss, the "
        "separating axis: a face's normal, else two edges' cross product, else the line between the nearest "
        "points. For bodies that meet, the axis along which they overlap least."
    ),
    "overlap": "How far the two overlap along the deciding axis, exact: moved that far, they only touch.",
    "distance": "The shortest distance between the two, exact; negative for a point inside or behind.",
}
NUMBERS = "How the two meet, in numbers: exact, whatever method decides."
NO_PAIR = "Point at a probe or a primitive to see how they meet, click to keep it here."
METHODS = "Every method's answer for this pair: hit or miss, and t enter, a distance or a gap, if it has one."
T_WIDTH, T_WIDE = 62, 280
"""The width of the column of t in a panel at least `T_WIDE` wide, in points; narrower in a narrower one."""


class ShownPair(NamedTuple):
    """The current pair as it is shown."""

    verdict: Verdict
    answer: Verdict
    """The verdict of the deciding method, or the exact one while that of one's own method is old."""
    sentence: str
    is_wrong: bool
    """Whether the deciding method differs from exact."""
    decider: Decider | None


class PairPanel:
    """The section of the current pair."""

    def __init__(self, state: State) -> None:
        self._session, self._selection, self._display = state.session, state.selection, state.display
        self._state, self._own, self._do = state, state.session.own, state.do
        self._shown: ShownPair | None = None
        self._verdicts: Mapping[str, Verdict] = {}
        """The current pair's verdicts by method, as long as they are shown."""
        self._wrong = Counter[str]()
        """The number of pairs of the same types on which each method is wrong."""
        self._entry = widgets.TextField()
        self._problem = ""

    def update(self) -> None:
        """Answer the current pair by the methods that are shown; called before a frame, which only draws them."""
        session, closed = self._session, self._display.closed_parts
        pair = self._selection.pair(session.picture)
        self._shown, self._verdicts, self._wrong = None, {}, Counter()
        if pair is not None:
            verdict, referee = session.report.verdict(*pair), session.report.verdict(*pair, EXACT)
            # An old answer is that of another position: it says nothing of this one.
            answer = referee if self._is_behind(verdict) else verdict
            differs = difference_from_exact(answer, referee)
            sentence = sentence_of(answer, referee, differs, session.scene.view.up)
            decider = decider_of(answer, numerals.typeset_name)
            self._shown = ShownPair(verdict, answer, sentence, differs is not None, decider)
            self._verdicts = {} if "Methods" in closed else method_verdicts(session.report, pair)
            if session.differences is not None:
                self._wrong = session.differences.counts(pair_of(*verdict.shapes))

    def show_answer(self) -> None:
        """Draw the pair in a sentence, and what decides it."""
        if self._shown is not None:
            self._sentence(self._shown)
        elif self._display.is_short and len(self._session.report.probes):
            widgets.paragraphs([NO_PAIR], FAINT)
        self._decides()

    def show_sections(self) -> None:
        """Draw the numbers of the pair, and every method's answer."""
        if self._shown is not None:
            if widgets.section(self._state, "Numbers", meaning=NUMBERS):
                show_answers(list(_answers(self._shown)))
            self._methods(self._shown.verdict)

    def _sentence(self, shown: ShownPair) -> None:
        pair, arrow = shown.verdict, f" {icons.ICON_FA_ANGLE_RIGHT} "
        room = imgui.get_content_region_avail().x
        imgui.text_colored(QUIET, text.pair_to_fit(pair.probe, arrow, pair.primitive, room))
        widgets.tooltip(f"Whether {pair.probe} and {pair.primitive} meet, by {pair.method}.")
        sign, colour, *_ = sign_of(shown.answer.hit)
        with text.large():
            answer, *rest = unbroken(shown.sentence)
            first = (signs.DIFFERS, WARNING) if shown.is_wrong else (sign, colour)
            text.flow([first, (answer, colour), *((words, TEXT) for words in rest)])

    def _decides(self) -> None:
        """Draw the names of the methods that decide the pair, without one all of the scene, and mark one's own."""
        report = self._session.report
        if self._shown is None:
            uses = ((use, f"{use.probe.__name__}_{use.group.kind.__name__}") for use in report.methods_in_use())
            used = [(use.chosen.method, types.lower()) for use, types in uses]
        else:
            pair = self._shown.verdict
            types = pair_of(*pair.shapes)
            used = [(report.methods_of(types)[pair.method], types)]
        if not used:
            return
        pieces = [("Decided by", QUIET)]
        for method in {method.name: method for method, _ in used}.values():
            pieces += [(method.name, TEXT), *(mark[:2] for mark in self._own_mark(method))]
        with text.small():
            start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
            text.flow([*pieces, (icons.ICON_FA_CIRCLE_INFO, FAINT)])
            height = imgui.get_cursor_screen_pos().y - start.y
        if widgets.is_line_hovered(start, start.x + room, height):
            lines = []
            for method, types in used:
                lines.append((f"{method.name} decides {' and '.join(pair_words(types))}", TEXT))
                lines += [(words, QUIET) for words in (method.source, *method.deviations)]
            widgets.show_tooltip(*lines)

    def _methods(self, pair: Verdict) -> None:
        """Draw each method's answer; a click makes the method decide pairs of these types."""
        types = pair_of(*pair.shapes)
        methods = self._session.report.methods_of(types)
        with_t = any("t_enter" in method.parts for method in methods.values())
        words, aside = f"Methods for {' and '.join(pair_words(types))}", "t enter" if with_t else ""
        if not widgets.section(self._state, "Methods", aside, words=words, meaning=METHODS):
            return
        width = imgui.get_content_region_avail().x
        t_width = T_WIDTH * min(1.0, width / pixels(T_WIDE)) if with_t else 0.0
        differences = {
            name: None if self._is_behind(verdict) else difference_from_exact(verdict, self._verdicts[EXACT])
            for name, verdict in self._verdicts.items()
        }
        rows = []
        for name, verdict in self._verdicts.items():
            captions = self._captions(verdict, differences[name], types, t_width)
            rows.append((name, [*self._own_mark(methods[name]), *captions, Caption("", FAINT, BUTTON)]))
        for (name, verdict), asides in zip(self._verdicts.items(), fitted_alike(rows, width), strict=True):
            decides = name == pair.method
            icon = Caption(icons.ICON_FA_CIRCLE_DOT, ACCENT) if decides else Caption("", FAINT)
            start = imgui.get_cursor_screen_pos()
            imgui.set_next_item_allow_overlap()
            if row(f"method {name}", name, icon, asides, selected=decides):
                self._do(inspector_edits.decide_by, types, name)
            is_hovered, corner = imgui.is_item_hovered(), ImVec2(start.x + width, start.y)
            meaning = f"Step through {name}, line by line, on this pair."
            if row_button(f"Step {name}", corner, signs.STEP, meaning, is_seen=decides or is_hovered):
                self._do(stepping.step_through, name)
            if is_hovered and not imgui.is_item_hovered():
                _show_tooltip(methods[name], verdict, differences[name], self._wrong_words(name, types), decides)
        decider = methods[pair.method]
        choice = self._session.scene.methods.get(types, EXACT)
        if decider.arguments and decider.name == (choice if isinstance(choice, str) else choice["name"]):
            self._arguments(types, decider)

    def _own_mark(self, method: Method) -> list[Caption]:
        """The caption that marks a method of the user's own, and says whether its answers are old; else none."""
        if method.source != OWN_CODE:
            return []
        is_old = self._own.is_old(self._session.scene)
        return [Caption("yours, old", WARNING) if is_old else Caption("yours", ACCENT)]

    def _is_behind(self, verdict: Verdict) -> bool:
        """Whether a verdict is that of a method of the user's own on the scene as it was before."""
        method = self._session.report.methods_of(pair_of(*verdict.shapes))[verdict.method]
        return method.source == OWN_CODE and self._own.is_behind(self._session.scene)

    def _captions(self, verdict: Verdict, differs: Difference | None, types: str, t_width: float) -> list[Caption]:
        """The captions of a method: a length, how often it is wrong, its verdict and, with a `t_width`, its t."""
        name, captions = verdict.method, []
        if length := answered_length(verdict):
            captions.append(Caption(f"{length[0]} {numerals.label(length[1])}", QUIET, brief=""))
        wrong = self._wrong_words(name, types)
        if differs or wrong:
            brief = wrong.removesuffix(" wrong").replace(" of ", "/")
            colour = WARNING if differs else QUIET
            words, brief = (f"{signs.DIFFERS} {words}".rstrip() for words in (wrong, brief))
            captions.append(Caption(words, colour, brief=brief))
        sign, colour, *_ = sign_of(verdict.hit)
        captions.append(Caption(f"{sign} {hit_or_miss(verdict.hit)}", colour, brief=sign))
        if t_width:
            t = verdict.t_enter if "t_enter" in verdict.answered else None
            words = "" if t is None else numerals.label(t)
            captions.append(Caption(words, WARNING if differs == "t_enter" else QUIET, t_width))
        return captions

    def _wrong_words(self, name: str, types: str) -> str:
        """On how many pairs of two types a method is wrong; empty while that is unknown or where it is on none."""
        differences = self._session.differences
        if differences is None or not self._wrong[name]:
            return ""
        return f"{self._wrong[name]:,} of {differences.asked[types]:,} wrong"

    def _arguments(self, types: str, method: Method) -> None:
        choice = self._session.scene.methods.get(types, method.name)
        given: Mapping[str, object] = {} if isinstance(choice, str) else choice
        for name, default in method.arguments.items():
            value = given.get(name, default)
            if isinstance(value, bool):
                changed, flag = imgui.checkbox(name, value)
                if changed:
                    self._do(inspector_edits.set_argument, types, self._session.report, name, flag)
                continue
            start = imgui.get_cursor_screen_pos()
            text.draw_at(start.x, start.y + pixels(3), name, QUIET)
            width = imgui.get_content_region_avail().x / 2
            imgui.set_cursor_screen_pos(ImVec2(start.x + width, start.y))
            known = numerals.whole(float(value))  # type: ignore[arg-type]
            typed = self._entry.show(f"argument {types} {name}", known, width, right=True)
            widgets.tooltip(f"An argument of {method.name}; the default is {numerals.whole(float(default))}.")
            if typed is not None:
                try:
                    number = fields.parse_number(typed)
                    self._do(inspector_edits.set_argument, types, self._session.report, name, number)
                    self._problem = ""
                except HitscopeError as error:
                    self._problem = str(error)
        if self._problem:
            widgets.paragraphs([f"{signs.PROBLEM} {self._problem}"], WARNING)


def _answers(shown: ShownPair) -> Iterator[Answer]:
    pair, decider = shown.verdict, shown.decider
    yield Answer("state", pair.state, f"{pair.state}: {STATES[pair.state]}.")
    if pair.side is not None:
        yield Answer("side", pair.side, ANSWERS["side"])
    if is_linear(pair.shapes[0]):
        for name, t in (("t enter", pair.t_enter), ("t exit", pair.t_exit)):
            if t is not None:
                length = length_at(pair, t)
                words = f"length {numerals.label(length)}", f"{numerals.whole(length)} scene units from the start"
                if math.isinf(length) and not math.isinf(t):
                    words = "beyond float64", "beyond the range of float64"
                yield Answer(name, (t,), ANSWERS[name], *words)
        for name, vector in (("point", pair.point), ("normal", pair.normal)):
            if vector is not None:
                yield Answer(name, vector, ANSWERS[name])
    if decider is not None:
        yield Answer("decided by", decider.brief, f"{ANSWERS['decided by']}\n{decider.whole}")
        if decider.along == "overlap":
            yield Answer("overlap", (decider.gap,), ANSWERS["overlap"])
    if shown.answer.distance:
        yield Answer("distance", (shown.answer.distance,), ANSWERS["distance"])


def _show_tooltip(method: Method, verdict: Verdict, differs: Difference | None, wrong: str, decides: bool) -> None:
    """Show a method's answer, its source and its known deviations."""
    with widgets.tooltip_window():
        imgui.text_unformatted(method.source)
        answered = {name: value for name, value in verdict.answered.items() if value is not None}
        parts = (f"{name} {numerals.answer(value, numerals.whole)}" for name, value in answered.items())
        imgui.text_colored(QUIET, ", ".join([hit_or_miss(verdict.hit), *parts]))
        if differs:
            what = differs.replace("_", " ")
            imgui.text_colored(WARNING, f"{signs.DIFFERS} Its {what} differs from exact on this pair")
        if wrong:
            imgui.text_colored(QUIET, f"{wrong}: pairs of these types in the scene")
        for deviation in method.deviations:
            imgui.text_unformatted(f"Known deviation: {deviation}")
        imgui.text_colored(QUIET, "Decides" if decides else "Click to let it decide")


@lru_cache(maxsize=1)  # every frame asks
def method_verdicts(report: Report, pair: tuple[int, int]) -> dict[str, Verdict]:
    """The verdicts by method name, the user's own first; the deciding method with the scene's arguments."""
    decided = report.verdict(*pair)
    names = report.methods_of(pair_of(*decided.shapes))
    return {name: decided if name == decided.method else report.verdict(*pair, name) for name in names}


def answered_length(verdict: Verdict) -> tuple[str, float] | None:
    """The name and value of the "distance" or "gap" that a method answers; None if it answers a t or no length."""
    for name in ("distance", "gap") if "t_enter" not in verdict.answered else ():
        if isinstance(length := verdict.answered.get(name), float):
            return name, length
    return None


def length_at(verdict: Verdict, t: float) -> float:
    """The length from the probe's start to a t, negative behind it, infinite beyond float64; raises TypeError."""
    shape = verdict.shapes[0]
    if not is_linear(shape):
        raise TypeError(f"{shape} has no t")
    vector = [Fraction(number) for number in linear(rational(shape)).direction]
    if math.isinf(t):
        return t
    squared = Fraction(t) ** 2 * sum(number**2 for number in vector)
    length = length_of(squared) if squared <= Fraction(float_info.max) ** 2 else math.inf
    return math.copysign(length, t)
