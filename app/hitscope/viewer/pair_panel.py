"""The panel's part about one pair: how the two lie, what the deciding method answers, what the others say."""

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.evaluate import Verdict
from hitscope.geometry.registry import EXACT, Method, of_pair, pair_of
from hitscope.viewer import commands, style, text
from hitscope.viewer.app import App
from hitscope.viewer.pairs import Comparison, looked_at
from hitscope.viewer.rows import Said, row
from hitscope.viewer.style import ACCENT, FAINT, QUIET, TEXT, WARNING, Fonts

HIT_ICON, MISS_ICON = icons.ICON_FA_CHECK, icons.ICON_FA_XMARK
ANSWERS = {
    "state": "How the two lie, and on which side of a plane the probe is: exact, whatever method decides.",
    "t": "Where the probe goes in, and where it comes out or ends, as fractions of its vector.",
    "point": "The exact point of t enter, rounded once.",
    "normal": "The unit normal of the face at the entry; none where the probe starts inside.",
    "distance": "The shortest distance between the two, exact; of a point inside or behind it is negative.",
}
LINES = 15.5
"""The part is so many lines high; of more methods the list is scrolled."""
TOOLTIP_WIDTH = 340


class PairPanel:
    """The part of the panel that tells of one pair."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._comparison = Comparison()

    def show(self, app: App) -> None:
        """Make the part; it is always as high, so that nothing else moves."""
        imgui.separator()
        places = looked_at(app)
        if places is None:
            with text.small():
                words = (
                    "Point at a probe or a primitive to see how they meet; select one of each to keep them here."
                )
                text.coloured(words, FAINT)
            return
        pair = app.report.verdict(*places)
        start = imgui.get_cursor_screen_pos()
        right = start.x + imgui.get_content_region_avail().x
        said = _hit_or_miss(pair)
        text.right_at(right, start.y, *said)
        room = right - start.x - text.width(said.words) - 12 * app.points
        with text.bold(self._fonts):
            imgui.text_unformatted(text.fitted(f"{pair.probe} {icons.ICON_FA_ANGLE_RIGHT} {pair.primitive}", room))
        self._answer("state", [pair.state if pair.side is None else f"{pair.state}, {pair.side}"], right)
        for name, values in _numbers(pair).items():
            self._answer(name, [text.number(value) for value in values], right)
        self._methods(app, places, pair)

    def _answer(self, name: str, said: list[str], right: float) -> None:
        start = imgui.get_cursor_screen_pos()
        text.coloured(name, QUIET)
        if imgui.is_item_hovered():
            imgui.set_tooltip(ANSWERS[name])
        room = right - start.x - text.width("distance") - 8
        column = room / 3 if len(said) > 1 else room
        for i, value in enumerate(reversed(said)):
            colour = FAINT if value == text.number(None) else TEXT
            text.right_at(right - i * column, start.y, text.fitted(value, column - 4), colour)

    def _methods(self, app: App, places: tuple[int, int], pair: Verdict) -> None:
        """List what each method says of the pair; a click lets it decide."""
        imgui.dummy(ImVec2(0, imgui.get_style().item_spacing.y))
        types = pair_of(*pair.shapes)
        with text.small():
            text.coloured(f"Methods for {types.replace('_', ' and ', 1)}", QUIET)
        verdicts = self._comparison.of(app.report, places)
        for name, verdict in verdicts.items():
            decides = name == pair.method
            icon = Said(icons.ICON_FA_CIRCLE_DOT, ACCENT) if decides else Said("", FAINT)
            asides = [_hit_or_miss(verdict)]
            if verdict.hit != verdicts[EXACT].hit:
                asides.insert(0, Said(f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} differs", WARNING))
            if row(f"method {name}", name, icon, asides, app.points, selected=decides):
                commands.decide_by(app, types, name)
            if imgui.is_item_hovered():
                _tell(of_pair(types)[name], decides, app.points)


def _tell(method: Method, decides: bool, points: float) -> None:
    """Show where a method comes from and how it is known to go wrong."""
    imgui.begin_tooltip()
    imgui.push_text_wrap_pos(TOOLTIP_WIDTH * points)
    imgui.text_unformatted(method.source)
    for deviation in method.deviations:
        imgui.text_colored(WARNING, icons.ICON_FA_TRIANGLE_EXCLAMATION)
        imgui.same_line()
        imgui.text_unformatted(deviation)
    imgui.text_colored(QUIET, "decides" if decides else "click to let it decide")
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()


def _hit_or_miss(verdict: Verdict) -> Said:
    if verdict.hit:
        return Said(f"{HIT_ICON} hit", style.role(Role.HIT))
    return Said(f"{MISS_ICON} miss", style.role(Role.MISS))


def _numbers(pair: Verdict) -> dict[str, Sequence[float | None]]:
    return {
        "t": [pair.t_enter] if pair.t_enter is None and pair.t_exit is None else [pair.t_enter, pair.t_exit],
        "point": pair.point or [None],
        "normal": pair.normal or [None],
        "distance": [pair.distance],
    }
