"""Which pair of probe and primitive is looked at, what the methods say of it, and which hits have labels."""

from collections.abc import Callable

from hitscope.draw.target import Kind
from hitscope.evaluate import Report, Verdict
from hitscope.geometry.registry import of_pair, pair_of
from hitscope.viewer.app import App


def looked_at(app: App) -> tuple[int, int] | None:
    """Give the probe and the element that are hovered or selected; where only one is, with its nearest hit.

    Where it hits nothing the other one is the only one of its kind, if there is one.
    """
    probe = _index(app, "probe", app.picture.probe_indices.get)
    element = _index(app, "primitive", app.picture.element_index)
    if probe is None and element is None:
        return None
    if probe is None or element is None:
        for (p, e), verdict in app.picture.verdicts.items():
            if verdict.hit and (probe in (p, None)) and (element in (e, None)):
                return p, e
    if probe is None and len(app.report.probes) == len(app.picture.singles) == 1:
        probe = 0
    if element is None and len(app.report.elements) == 1:
        element = 0
    return None if probe is None or element is None else (probe, element)


class Comparison:
    """What every method says of one pair; asked again only when the scene or the pair is another."""

    def __init__(self) -> None:
        self._asked: tuple[Report, tuple[int, int]] | None = None
        self._verdicts: dict[str, Verdict] = {}

    def of(self, report: Report, pair: tuple[int, int]) -> dict[str, Verdict]:
        """Give the verdicts by the methods' names: the deciding one as the scene sets it, `exact` first."""
        if self._asked is None or self._asked[0] is not report or self._asked[1] != pair:
            self._asked = report, pair
            decided = report.verdict(*pair)
            names = of_pair(pair_of(*decided.shapes))
            self._verdicts = {
                name: decided if name == decided.method else report.verdict(*pair, name) for name in names
            }
        return self._verdicts


def labelled(app: App) -> list[Verdict]:
    """Give the hits of what is hovered or selected, those of each probe from near to far."""
    ids = {target.id for target in (app.hovered, app.selected) if target is not None}
    return [
        verdict
        for verdict in app.picture.verdicts.values()
        if verdict.hit and (verdict.probe in ids or verdict.primitive in ids)
    ]


def _index(app: App, kind: Kind, index: Callable[[str], int | None]) -> int | None:
    for target in (app.hovered, app.selected, app.partner):
        if target is not None and target.kind == kind and (found := index(target.id)) is not None:
            return found
    return None
