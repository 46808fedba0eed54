"""The selected, hovered and hidden targets, and the current pair."""

import math
from collections.abc import Callable
from typing import NamedTuple

from hitscope.draw.picture import Picture
from hitscope.draw.step_marks import ChartFocus
from hitscope.draw.target import Hidden, Target, Targets
from hitscope.viewer.state.edit_targets import title


class Pairing(NamedTuple):
    """The candidates for the partner of the target that was selected last."""

    partner: Target | None = None
    """The target selected with it, or before it."""
    together: bool = False
    """Whether the partner was selected with it, and so stays its partner whatever else is hit."""
    met: Target | None = None
    """The target that it hit, or that hit it, until one of the two was moved."""

    def after(self, before: Target | None, selection: Targets, beside: Target | None) -> "Pairing":
        """The pairing after a new selection; `before` was the last target until then, `beside` is the partner."""
        if not selection:
            return Pairing()
        selected = selection[-1]
        others = [target for target in (beside, *reversed(selection)) if target and target.kind != selected.kind]
        if others:
            return Pairing(others[0], together=True)
        return Pairing(before if before is not None and before.kind != selected.kind else self.partner)


class Selection:
    """The targets that the user has chosen. Written by clicks, the panels' lists and selection commands.

    `refresh` removes targets that are no longer in the scene; `apply_pointer` sets the hovered one.
    """

    def __init__(self) -> None:
        self.targets: Targets = ()
        """The selected targets, in the order of selection."""
        self.hovered: Target | None = None
        self.handle: Target | None = None
        """The handle of a selected item that was clicked: the arrow keys nudge it."""
        self.hidden: Hidden = frozenset()
        self.pairing = Pairing()
        """The candidates for the partner of the target that was selected last."""
        self.chart: ChartFocus | None = None
        """The row of the chart of the pair that is lit in the scene; written by the chart's actions."""
        self.is_fresh = False
        """Whether the selection changed since the pointer was applied last."""
        self._passed_over: Target | None = None
        """The target that was hovered already when the selection changed."""
        self._clicked: tuple[float, float] | None = None

    @property
    def last(self) -> Target | None:
        return self.targets[-1] if self.targets else None

    @property
    def title(self) -> str:
        return title([target.id for target in self.targets])

    def clear(self) -> None:
        """Select, hover and hide nothing, as when another document is shown."""
        self.targets, self.hovered, self.handle = (), None, None
        self.pairing, self.hidden, self.chart = Pairing(), frozenset(), None

    def select(self, *targets: Target | None, toggle: bool = False, beside: Target | None = None) -> None:
        """Select probes and primitives, a handle standing for its item; `beside` is paired with them.

        With `toggle` they are added to the selection, or removed from it where they are selected already.
        """
        before, self._clicked, self.handle = self.last, None, None
        given = tuple(dict.fromkeys(target._replace(handle=None) for target in targets if target is not None))
        if toggle:
            known, new = set(self.targets), set(given)
            kept = (target for target in self.targets if target not in new)
            given = (*kept, *(target for target in given if target not in known))
        self.targets = given
        self.pairing = self.pairing.after(before, given, beside)
        self.is_fresh = bool(given)

    def click(
        self, x: float, y: float, found: list[Target], handle: Target | None, toggle: bool, reach: float
    ) -> None:
        """Select the first of what was `found` at a pixel; a second click within `reach` pixels selects the next.

        With `toggle` it is added to the selection. `handle` is the handle at the pixel, if there is one.
        """
        again = self._clicked is not None and math.dist(self._clicked, (x, y)) <= reach
        if again and not toggle and self.last in found:
            self.select(found[(found.index(self.last) + 1) % len(found)])
        elif found or not toggle:
            self.select(*found[:1], toggle=toggle)
        if handle is not None and handle._replace(handle=None) == self.last:
            self.handle = handle
        self._clicked = (x, y)

    def keep_existing(self, exists: Callable[[Target | None], bool], has_handle: Callable[[Target], bool]) -> None:
        """Deselect, and no longer hover, targets that do not exist."""
        self.hovered = self.hovered if exists(self.hovered) else None
        self.targets = tuple(target for target in self.targets if exists(target))
        if not exists(self.pairing.partner):
            self.pairing = self.pairing._replace(partner=None, together=False)
        handle = self.handle
        if handle is not None and (handle._replace(handle=None) not in self.targets or not has_handle(handle)):
            self.handle = None

    def note_hovered(self) -> None:
        """Remember the target that was hovered already when the selection changed; it makes no pair."""
        if self.is_fresh:
            self.is_fresh, self._passed_over = False, self.hovered
        elif not self._is_passed_over:
            self._passed_over = None

    def pair(self, picture: Picture, hover: bool = True) -> tuple[int, int] | None:
        """The indices of the current pair's probe and element; with `hover` the hovered target counts first."""
        partner, together, met = self.pairing
        is_over = hover and not (self.targets and (self.is_fresh or self._is_passed_over))
        over = self.hovered if is_over else None
        chosen = partner if together or (partner is not None and partner.kind == "probe") else None
        return picture.pairs.find((over, self.last, chosen), (met, partner))

    def partner(self, picture: Picture) -> Target | None:
        """The partner of the selection in the current pair, if it was selected too or met the selection before."""
        if (pair := self.pair(picture)) is None:
            return None
        report = picture.report
        probe, element = report.probes[pair[0]], report.elements[pair[1]]
        halves = Target("probe", probe.id), Target("primitive", element.id)
        return next((target for target in (self.pairing.partner, self.pairing.met) if target in halves), None)

    @property
    def _is_passed_over(self) -> bool:
        over, passed = self.hovered, self._passed_over
        return over is not None and passed is not None and over[:2] == passed[:2]
