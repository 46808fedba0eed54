"""The partner of the selection: the other half of the current pair."""

from typing import NamedTuple

from hitscope.draw.target import Target, Targets


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
