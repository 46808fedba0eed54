"""The conventions by which a target is judged."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault
from hitscope.geometry import shapes, traits
from hitscope.scene.model import PRECONDITION, Boundary
from hitscope.targets.calls import OpenTarget
from hitscope.targets.cases import Cases, kinds
from hitscope.targets.judging.precisions import largest_lengths
from hitscope.targets.target import OUTSIDE, Answers


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
        required = f", required: {', '.join(self.require)}" if self.require else ""
        return f"boundary {self.boundary}, slack {self.slack:g} ulps, t within {self.t_words}{required}"

    def as_dict(self) -> dict[str, Any]:
        tolerance, require = [self.t_ulps, self.t_distance], list(self.require)
        return {"boundary": self.boundary, "slack": self.slack, "t_tolerance": tolerance, "require": require}


DEFAULT_RULES = Rules()


PRECONDITIONS = "unit-direction, non-degenerate or max-coordinate=N"
UNIT_ULPS = 8
"""The ulps of 1 by which the squared length of a unit direction may be off, as normalizing leaves it."""


def precondition(text: str) -> str:
    """Return a precondition; raises Fault for another text."""
    if not re.fullmatch(PRECONDITION, text):
        raise Fault((), PRECONDITIONS, text)
    return text


def meeting(cases: Cases, require: Sequence[str]) -> NDArray[np.bool_]:
    """Return which of n cases meet all preconditions, of directions of rays and lines, and of lengths; (n,)."""
    met = np.ones(len(cases), np.bool_)
    for text in require:
        name, _, number = text.partition("=")
        if name == "max-coordinate":
            met &= largest_lengths(cases.pair, cases.numbers) <= float(number)
        elif name == "unit-direction" and kinds(cases.pair)[0] in (shapes.Ray, shapes.Line):
            with np.errstate(all="ignore"):
                squares = np.square(cases.rows[3:6]).sum(axis=0)
            met &= np.abs(squares - 1) <= UNIT_ULPS * float(np.finfo(cases.numbers.dtype).eps)
    if "non-degenerate" in require:
        for i in np.flatnonzero(met).tolist():
            met[i] = not any(map(traits.is_degenerate, cases.shapes(i)))
    return met


def answers_of_met(target: OpenTarget, cases: Cases, require: Sequence[str], **most: Any) -> Answers:
    """Call a target on cases that meet preconditions, timed as if on all of them; the others are OUTSIDE."""
    indices = np.flatnonzero(meeting(cases, require)) if require else np.arange(len(cases))
    if len(indices) == len(cases):
        return target.answer(cases, **most)
    called = target.answer(Cases(cases.pair, np.ascontiguousarray(cases.numbers[indices])), **most)
    found = Answers(np.full(len(cases), OUTSIDE, np.int8), np.full(len(cases), np.nan, cases.numbers.dtype))
    found.hit[indices], found.t_enter[indices] = called.hit, called.t_enter
    normal = None
    if called.normal is not None:
        normal = np.full((len(cases), 3), np.nan, cases.numbers.dtype)
        normal[indices] = called.normal
    failures = {int(indices[k]): failure for k, failure in called.failures.items()}
    seconds = called.seconds * len(cases) / max(1, len(indices))
    return found._replace(normal=normal, failures=failures, seconds=seconds)
