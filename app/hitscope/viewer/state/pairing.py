"""The other half of the pair that is looked at, beside what is selected."""

from typing import NamedTuple

from hitscope.draw.target import Target, Targets


class Pairing(NamedTuple):
    """The candidates for the other half of the pair with what was selected last."""

    partner: Target | None = None
    """The target selected with it, or before it."""
    together: bool = False
    """Whether the partner was selected with it, and so stays the other half whatever else is hit."""
    met: Target | None = None
    """The target that it hit, or that hit it, until one of them was moved."""

    def after(self, before: Target | None, selection: Targets, beside: Target | None) -> "Pairing":
        """The pairing after a new selection; `before` was selected last until then, `beside` goes with it."""
        if not selection:
            return Pairing()
        selected = selection[-1]
        others = [target for target in (beside, *reversed(selection)) if target and target.kind != selected.kind]
        if others:
            return Pairing(others[0], together=True)
        return Pairing(before if before is not None and before.kind != selected.kind else self.partner)
