"""The panel section of the current pair: the relation of the two shapes, and the answer of every method."""

import math
from collections.abc import Mapping, Sequence

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.errors import HitscopeError
from hitscope.evaluate import Verdict
from hitscope.geometry.registry import EXACT, Method, of_pair, pair_of
from hitscope.geometry.shapes import Vec3
from hitscope.scene import fields
from hitscope.viewer.actions import inspector_edits
from hitscope.viewer.panels import pair_details, style, text, widgets
from hitscope.viewer.panels.list_row import Caption, row
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, WARNING, Fonts, pixels
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import Do

HIT_ICON, MISS_ICON = icons.ICON_FA_CHECK, icons.ICON_FA_XMARK
DIFFERS_ICON = icons.ICON_FA_TRIANGLE_EXCLAMATION
STATES = {
    "apart": "apart: no common point.",
    "coplanar": "coplanar: the primitive is flat and the probe lies wholly in its plane.",
    "inside": "inside: the probe's start is in the open interior.",
    "touching": "touching: they have common points, but their interiors do not meet.",
    "crossing": "crossing: their interiors meet.",
}
SIDES = "Of the plane, or of the triangle's plane: front, back, on it, or both sides of it."
ANSWERS = {
    "State": "How the two lie: exact, whatever method decides.",
    "Side": SIDES,
    "t enter": "Where the probe enters: t is a fraction of its vector, beside it the length from its start.",
    "t exit": "Where the probe exits or ends: a fraction of its vector, beside it the length from its start.",
    "Point": "The exact point at t enter, rounded once.",
    "Normal": "The unit normal of the face at the entry; none where the probe starts inside.",
    "Decided by": (
        "Exact, whatever method decides. For a hit, the primitive's feature at t enter. For a miss, the "
        "separating axis: a face's normal, else two edges' cross product, else the line between the nearest "
        "points. For bodies that meet, the axis along which they overlap least."
    ),
    "Gap": "How far apart the two are along the deciding axis, exact.",
    "Overlap": "How far the two overlap along the deciding axis, exact: moved that far, they only touch.",
    "Distance": "The shortest distance between the two, exact; negative for a point inside or behind.",
}
NO_PAIR = [
    "Point at a probe or a primitive to see how they meet.",
    "Select one of each, the second with Shift, to keep the pair here.",
]
METHODS = "Every method's answer for this pair: hit or miss, and t enter, a distance or a gap, if it has one."
METHOD_LINES = 2
"""The number of lines shown of the deciding method's source, and of its deviations."""
T_WIDTH, T_WIDE = 62, 280
"""The width of the column of t in a panel at least `T_WIDE` wide, in points; narrower in a narrower one."""


class PairPanel:
    """The section of the current pair."""

    def __init__(self, fonts: Fonts, session: Session, selection: Selection, display: Display, do: Do) -> None:
        self._session, self._selection, self._display = session, selection, display
        self._do, self._fonts = do, fonts
        self._shown: tuple[Verdict, pair_details.Decider | None, float] | None = None
        """The verdict of the current pair, its deciding feature or axis, and its distance."""
        self._method_verdicts = pair_details.MethodVerdicts()
        self._verdicts: Mapping[str, Verdict] = {}
        """The current pair's verdicts by method, as long as they are shown."""
        self._entry = widgets.TextField()
        self._problem = ""

    def update(self) -> None:
        """Answer the current pair by the methods that are shown; called before a frame, which only draws them."""
        session, closed = self._session, self._display.closed_parts
        pair = None if "Pair" in closed else self._selection.pair(session.picture)
        self._shown, self._verdicts = None, {}
        if pair is not None:
            verdict = session.report.verdict(*pair)
            self._shown = verdict, pair_details.decider_of(verdict), verdict.distance
            self._verdicts = {} if "Methods" in closed else self._method_verdicts.of(session.report, pair)

    def show(self) -> None:
        """Draw the section."""
        meaning = "How the current probe and primitive meet."
        if not widgets.section(self._display, self._do, "Pair", meaning=meaning):
            return
        if self._shown is None:
            widgets.paragraphs(NO_PAIR, FAINT)
        else:
            self._show_pair(*self._shown)

    def _show_pair(self, pair: Verdict, decider: pair_details.Decider | None, distance: float) -> None:
        start = imgui.get_cursor_screen_pos()
        right = start.x + imgui.get_content_region_avail().x - pixels(6)
        verdict = hit_or_miss(pair)
        text.draw_right_aligned(right, start.y, verdict.words, verdict.colour)
        if widgets.is_line_hovered(start, right, imgui.get_text_line_height()):
            with widgets.tooltip_window():
                imgui.text_unformatted(f"Whether {pair.probe} and {pair.primitive} meet, by {pair.method}.")
        room = right - start.x - text.width(verdict.words) - pixels(12)
        with text.bold(self._fonts):
            arrow = f"{icons.ICON_FA_ANGLE_RIGHT} "
            if text.width(f"{pair.probe} {arrow}{pair.primitive}") <= room:
                imgui.text_unformatted(text.escaped(f"{pair.probe} {arrow}{pair.primitive}"))
            else:
                imgui.text_unformatted(text.cut_middle(pair.probe, room))
                whole = right - start.x - text.width(arrow)
                imgui.text_unformatted(f"{arrow}{text.cut_middle(pair.primitive, whole)}")
        if pair_details.contradiction(pair):
            widgets.paragraphs([f"{DIFFERS_ICON} Exact geometry disagrees"], WARNING)
        self._answer("State", [pair.state], right, STATES[pair.state])
        if pair.side is not None:
            self._answer("Side", [pair.side], right)
        if pair_details.has_t(pair):
            self._t("t enter", pair.t_enter, pair, right)
            self._t("t exit", pair.t_exit, pair, right)
            self._numbers("Point", pair.point, right)
            self._numbers("Normal", pair.normal, right)
        self._answer("Decided by", [decider and decider.brief], right, decider.whole if decider else "")
        if decider is not None and decider.along:
            self._answer(decider.along.capitalize(), [decider.gap], right, fields.to_text(decider.gap))
        self._answer("Distance", [distance], right, fields.to_text(distance))
        self._methods(pair)

    def _t(self, name: str, t: float | None, pair: Verdict, right: float) -> None:
        if t is None:
            self._answer(name, [None], right)
            return
        length = pair_details.length_at(pair, t)
        beyond = math.isinf(length) and not math.isinf(t)
        units = "beyond the range of float64" if beyond else f"{fields.to_text(length)} scene units"
        words = "beyond float64" if beyond else f"{text.number(length)} long"
        self._answer(name, [t, words], right, f"{fields.to_text(t)} of its vector\n{units}")

    def _numbers(self, name: str, values: tuple[float, ...] | None, right: float) -> None:
        more = "" if values is None else "\n".join(map(fields.to_text, values))
        self._answer(name, list(values or (None,)), right, more)

    def _answer(self, name: str, values: Sequence[str | float | None], right: float, more: str = "") -> None:
        """Draw an answer's name and its values in columns that end at `right`; `more` is added to the tooltip."""
        start = imgui.get_cursor_screen_pos()
        text.paragraph(name, QUIET)
        if imgui.is_item_hovered() or widgets.is_line_hovered(start, right, imgui.get_text_line_height()):
            with widgets.tooltip_window():
                imgui.text_unformatted(f"{ANSWERS[name]}\n{more}" if more else ANSWERS[name])
        y, left = start.y, start.x + text.width("Decided by") + pixels(8)
        words = self._fitted(values, right - left)
        full = [x if isinstance(x, str) else word for word, x in zip(words, values, strict=True)]
        if any(text.width(word) > (right - left) / len(values) for word in full):
            # A line of their own, so that no words are cut and no numbers overlap.
            y, left = imgui.get_cursor_screen_pos().y, start.x
            words = self._fitted(values, right - left)
            text.paragraph(" ", QUIET)
        for i, (word, value) in enumerate(zip(words, values, strict=True)):
            end = right - (len(values) - 1 - i) * (right - left) / len(values)
            text.draw_right_aligned(end, y, word, FAINT if value is None else TEXT)

    def _fitted(self, values: Sequence[str | float | None], room: float) -> list[str]:
        """Words and numbers as texts that fit into equal columns of `room` pixels together."""
        column = room / len(values) - pixels(4)
        return [
            text.cut_middle(x, column) if isinstance(x, str) else text.rounded_to_fit(x, column) for x in values
        ]

    def _methods(self, pair: Verdict) -> None:
        """Draw each method's answer; a click makes the method decide pairs of these types."""
        types = pair_of(*pair.shapes)
        methods = of_pair(types)
        with_t = any("t_enter" in method.answers for method in methods.values())
        words, aside = f"Methods for {types.replace('_', ' and ', 1)}", "t enter" if with_t else ""
        if not widgets.section(self._display, self._do, "Methods", aside, words=words, meaning=METHODS):
            return
        t_width = T_WIDTH * min(1.0, imgui.get_content_region_avail().x / (pixels(T_WIDE)))
        for name, verdict in self._verdicts.items():
            decides = name == pair.method
            icon = Caption(icons.ICON_FA_CIRCLE_DOT, ACCENT) if decides else Caption("", FAINT)
            differs = pair_details.difference_from_exact(verdict, self._verdicts[EXACT])
            asides = [hit_or_miss(verdict)]
            if differs:
                words = DIFFERS_ICON if with_t else f"{DIFFERS_ICON} differs"
                asides.insert(0, Caption(words, WARNING, brief=DIFFERS_ICON))
            if length := pair_details.answered_length(verdict):
                asides.insert(0, Caption(f"{length[0]} {text.number(length[1], 5)}", QUIET, brief=""))
            if with_t:
                t = text.number(verdict.t_enter, 5) if "t_enter" in methods[name].answers else ""
                asides.append(Caption(t, WARNING if differs == "t" else QUIET, t_width))
            if row(f"method {name}", name, icon, asides, selected=decides):
                self._do(inspector_edits.decide_by, types, name)
            if imgui.is_item_hovered():
                _show_tooltip(methods[name], verdict, differs, decides)
        decider = methods[pair.method]
        whole = "\n".join([decider.source, *decider.deviations])
        with text.small():
            for words in filter(None, (decider.source, "; ".join(decider.deviations))):
                text.paragraph(text.cut_lines(words, METHOD_LINES), FAINT)
                widgets.tooltip(whole)
        if decider.arguments:
            self._arguments(types, decider)

    def _arguments(self, types: str, method: Method) -> None:
        """Draw a field for each named argument of the deciding method."""
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
            known = fields.to_text(float(value))  # type: ignore[arg-type]
            typed = self._entry.show(f"argument {types} {name}", known, width, right=True)
            widgets.tooltip(f"An argument of {method.name}; the default is {fields.to_text(float(default))}.")
            if typed is not None:
                try:
                    number = fields.parse_number(typed)
                    self._do(inspector_edits.set_argument, types, self._session.report, name, number)
                    self._problem = ""
                except HitscopeError as error:
                    self._problem = str(error)
        if self._problem:
            widgets.paragraphs([f"{DIFFERS_ICON} {self._problem}"], WARNING)


def hit_or_miss(verdict: Verdict) -> Caption:
    """The caption of a verdict, in its colour."""
    if verdict.hit:
        return Caption(f"{HIT_ICON} hit", style.role(Role.HIT), brief=HIT_ICON)
    return Caption(f"{MISS_ICON} miss", style.role(Role.MISS), brief=MISS_ICON)


def _in_words(value: float | Vec3 | str) -> str:
    """A part of a method's answer: a number, a vector in parentheses or the name of a feature."""
    if isinstance(value, tuple):
        return f"({', '.join(map(fields.to_text, value))})"
    return value if isinstance(value, str) else fields.to_text(value)


def _show_tooltip(method: Method, verdict: Verdict, differs: str | None, decides: bool) -> None:
    """Show a method's answer, its source and its known deviations."""
    with widgets.tooltip_window():
        imgui.text_unformatted(method.source)
        parts = ["hit" if verdict.hit else "miss"]
        parts += [f"{name} {_in_words(value)}" for name, value in verdict.answered.items() if value is not None]
        imgui.text_colored(QUIET, ", ".join(parts))
        if differs:
            imgui.text_colored(WARNING, f"{DIFFERS_ICON} Its {differs} differs from exact")
        for deviation in method.deviations:
            imgui.text_colored(WARNING, icons.ICON_FA_TRIANGLE_EXCLAMATION)
            imgui.same_line()
            imgui.text_unformatted(deviation)
        imgui.text_colored(QUIET, "Decides" if decides else "Click to let it decide")
