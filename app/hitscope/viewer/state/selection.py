"""What is selected, hovered and hidden, and which pair is looked at."""

import math
from collections.abc import Callable

from hitscope.draw.picture import Picture
from hitscope.draw.target import Hidden, Target, Targets
from hitscope.viewer.state.pairing import Pairing


class Selection:
    """The targets that the user has chosen. Written by clicks, the panels' lists and selection commands.

    `refresh` removes what is no longer in the scene; `apply_pointer` sets what is hovered.
    """

    def __init__(self) -> None:
        self.targets: Targets = ()
        """What is selected, in the order of selection."""
        self.hovered: Target | None = None
        self.handle: Target | None = None
        """The handle of a selected item that was clicked: the arrow keys nudge it."""
        self.hidden: Hidden = frozenset()
        self.pairing = Pairing()
        """What may be the other half of the pair that is looked at."""
        self.is_fresh = False
        """Whether the selection changed since the pointer was applied last."""
        self._passed_over: Target | None = None
        """What was hovered already when something was selected."""
        self._clicked: tuple[float, float] | None = None

    @property
    def last(self) -> Target | None:
        """The target that was selected last."""
        return self.targets[-1] if self.targets else None

    def clear(self) -> None:
        """Select, hover and hide nothing, as when another document is shown."""
        self.targets, self.hovered, self.handle = (), None, None
        self.pairing, self.hidden = Pairing(), frozenset()

    def select(self, *targets: Target | None, more: bool = False, beside: Target | None = None) -> None:
        """Select probes and primitives, a handle standing for its item; `beside` is looked at with them.

        With `more` they are added to the selection, or removed from it where they are selected already.
        """
        before, self._clicked, self.handle = self.last, None, None
        given = tuple(dict.fromkeys(target._replace(handle=None) for target in targets if target is not None))
        if more:
            known, new = set(self.targets), set(given)
            kept = (target for target in self.targets if target not in new)
            given = (*kept, *(target for target in given if target not in known))
        self.targets = given
        self.pairing = self.pairing.after(before, given, beside)
        self.is_fresh = bool(given)

    def click(
        self, x: float, y: float, found: list[Target], handle: Target | None, more: bool, reach: float
    ) -> None:
        """Select the first of what was `found` at a pixel; a second click within `reach` pixels selects the next.

        With `more` it is added to the selection. `handle` is the handle at the pixel, if there is one.
        """
        again = self._clicked is not None and math.dist(self._clicked, (x, y)) <= reach
        if again and not more and self.last in found:
            self.select(found[(found.index(self.last) + 1) % len(found)])
        elif found or not more:
            self.select(*found[:1], more=more)
        if handle is not None and handle._replace(handle=None) == self.last:
            self.handle = handle
        self._clicked = (x, y)

    def keep_existing(self, exists: Callable[[Target | None], bool], has_handle: Callable[[Target], bool]) -> None:
        """Let go of targets that are no longer there."""
        self.hovered = self.hovered if exists(self.hovered) else None
        self.targets = tuple(target for target in self.targets if exists(target))
        if not exists(self.pairing.partner):
            self.pairing = self.pairing._replace(partner=None, together=False)
        handle = self.handle
        if handle is not None and (handle._replace(handle=None) not in self.targets or not has_handle(handle)):
            self.handle = None

    def note_hovered(self) -> None:
        """Remember what was hovered already when the selection changed; it is not looked at as a pair."""
        if self.is_fresh:
            self.is_fresh, self._passed_over = False, self.hovered
        elif not self._is_passed_over:
            self._passed_over = None

    def pair(self, picture: Picture) -> tuple[int, int] | None:
        """The indices of the probe and the element that are looked at.

        What is hovered counts first, except as long as it was hovered already when something was selected.
        """
        partner, together, met = self.pairing
        over = None if self.targets and (self.is_fresh or self._is_passed_over) else self.hovered
        chosen = partner if together or (partner is not None and partner.kind == "probe") else None
        return picture.pairs.find((over, self.last, chosen), (met, partner))

    def partner(self, picture: Picture) -> Target | None:
        """The other half of the pair that is looked at, where it was selected too or met the selection before."""
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
