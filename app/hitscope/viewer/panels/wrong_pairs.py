"""The list of the pairs on which a method differs from exact, below the outliner's lists."""

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from hitscope.draw.target import Target
from hitscope.evaluate.method_differences import MethodDifferences, WrongPair
from hitscope.viewer.actions import selecting
from hitscope.viewer.panels import signs, text, widgets
from hitscope.viewer.panels.list_row import ICON, Caption, row, rows_in_sight
from hitscope.viewer.panels.style import FAINT, QUIET, WARNING, pixels
from hitscope.viewer.state.state import State

ARROW = f" {icons.ICON_FA_ANGLE_RIGHT} "
NAME_MARGIN = 8.0
"""The free space at the right of the names, in points."""


class WrongPairs:
    """The section of the pairs; a click on one selects its probe and its primitive."""

    def __init__(self, state: State) -> None:
        self._state, self._session = state, state.session

    def show(self, sought: str) -> None:
        """Draw the pairs with a text in the name of the probe or the primitive."""
        differences = self._session.differences
        pairs = () if differences is None else _named(differences.wrong, sought.strip().casefold())
        meaning = "The pairs on which any method differs from exact; first those on which the deciding one does."
        aside = "" if differences is None else f"{len(pairs):,}"
        if widgets.section(self._state.display, self._state.do, "Wrong answers", aside, meaning=meaning):
            widgets.paragraphs(_notes(differences), FAINT)
            for at in rows_in_sight(len(pairs)):
                self._row(pairs[at])

    def _row(self, pair: WrongPair) -> None:
        targets = Target("primitive", pair.primitive), Target("probe", pair.probe)
        room = imgui.get_content_region_avail().x - pixels(ICON + NAME_MARGIN)
        names = text.pair_to_fit(pair.probe, ARROW, pair.primitive, room)
        sign = Caption(signs.DIFFERS, WARNING if pair.is_decided_wrongly else QUIET)
        wrong = list(pair.differences)
        words = wrong[0] if len(wrong) == 1 else f"{len(wrong)} methods"
        key, selected = f"wrong {pair.probe} {pair.primitive}", set(targets) == set(self._state.selection.targets)
        if row(key, names, sign, [], selected=selected, kind=words):
            self._state.do(selecting.select, *targets)
        if imgui.is_item_hovered():
            with widgets.tooltip_window():
                imgui.text_unformatted(text.escaped(ARROW.join((pair.probe, pair.primitive))))
                for name, differs in pair.differences.items():
                    decides = ", which decides," if name == pair.decides else ""
                    words = f"{name}{decides} differs from exact in its {differs.replace('_', ' ')}"
                    imgui.text_unformatted(f"{signs.DIFFERS} {words}")


def _named(pairs: tuple[WrongPair, ...], sought: str) -> tuple[WrongPair, ...]:
    if not sought:
        return pairs
    return tuple(pair for pair in pairs if sought in f"{pair.probe}\n{pair.primitive}".casefold())


def _notes(differences: MethodDifferences | None) -> list[str]:
    """How far the list can be relied on, and why it may be empty."""
    if differences is None:
        return ["The methods are compared while the scene rests."]
    notes = []
    if differences.is_sample:
        asked = sum(differences.asked.values())
        notes.append(f"Of {differences.pairs:,} pairs, {asked:,} spread evenly were compared.")
    if not differences.wrong:
        notes.append("Every method agrees with exact on every pair compared.")
    return notes
