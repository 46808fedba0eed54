"""The conventions by which a target is judged."""

from typing import Any, NamedTuple

from hitscope.scene.model import Boundary


class Rules(NamedTuple):
    """The rules by which an answer counts as an error of a target."""

    boundary: Boundary = "closed"
    """Touching and coplanar pairs are hits if closed, misses if open; with either they count for neither side."""
    slack: float = 0.0
    """A wrong verdict counts only where the pair is further than so many of its ulps from the other answer."""
    t_ulps: float = 8.0
    """A t that is off by more ulps than this, and by more than `t_distance`, is wrong."""
    t_distance: float = 0.0
    """In scene units along the probe."""
    require: tuple[str, ...] = ()
    """A case that does not meet all of these preconditions is neither right nor wrong, and is not called."""

    @property
    def t_words(self) -> str:
        """Within what a t is right."""
        return f"{self.t_ulps:g} ulps" + (f" or {self.t_distance:g} units" if self.t_distance else "")

    @property
    def words(self) -> str:
        """The rules in a line of a report."""
        required = f", required: {', '.join(self.require)}" if self.require else ""
        return f"boundary {self.boundary}, slack {self.slack:g} ulps, t within {self.t_words}{required}"

    def as_dict(self) -> dict[str, Any]:
        """Return the rules as JSON has them."""
        return {
            "boundary": self.boundary,
            "slack": self.slack,
            "t_tolerance": [self.t_ulps, self.t_distance],
            "require": list(self.require),
        }


DEFAULT_RULES = Rules()
