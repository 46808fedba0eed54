"""What is looked at together with what is selected."""

from typing import NamedTuple

from hitscope.draw.target import Target, Targets


class Pairing(NamedTuple):
    """What may be the other half of a pair with what was selected last."""

    partner: Target | None = None
    """It was selected with that, or before it."""
    together: bool = False
    """Whether it was selected with that, and so is looked at whatever else is hit."""
    met: Target | None = None
    """It and that met until one of them was moved."""

    def after(self, before: Target | None, selection: Targets, beside: Target | None) -> "Pairing":
        """Give what is looked at with another selection, in which `before` was the last before it."""
        if not selection:
            return Pairing()
        selected = selection[-1]
        others = [target for target in (beside, *reversed(selection)) if target and target.kind != selected.kind]
        if others:
            return Pairing(others[0], together=True)
        return Pairing(before if before is not None and before.kind != selected.kind else self.partner)
