"""A user's own Python function, explained like the methods of the catalogue."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hitscope.errors import HitscopeError
from hitscope.explain.explanation import Explanation
from hitscope.explain.trace import Trace, trace
from hitscope.geometry.registry import Chosen, Method, pair_of
from hitscope.geometry.shapes import Shape
from hitscope.targets.fixes import Kept, known_of
from hitscope.targets.runners.python_function import NoAnswer, parts_of
from hitscope.targets.target import OUTSIDE, OWN_CODE, Skip, TargetSpec, one_line

OUTSIDE_CONTRACT = "the pair is outside its contract"
"""The error of a run that answers None, or skips its pair."""


def explain_function(name: str, function: Callable[..., Any], probe: Shape, primitive: Shape) -> Explanation:
    """Explain a function of a probe and a primitive; raises HitscopeError for one without a source to trace."""
    function = getattr(function, "py_func", function)  # numba compiles it, and keeps what was written
    readings = ("interpreted", "stepped", "unrounded")
    method = Method(name, function, (pair_of(probe, primitive),), OWN_CODE, readings=readings)
    try:
        inspect.findsource(inspect.unwrap(function).__code__)
        run = trace(Chosen(method, {}), probe, primitive)
    except (OSError, TypeError, AttributeError):
        raise HitscopeError(f"{name}: expected a Python function whose source is at hand, found none") from None
    return Explanation(Chosen(method, {}), probe, primitive, "interpreted", with_verdict(run))


@dataclass(frozen=True, eq=False)
class UntracedExplanation(Explanation):
    """An explanation of a function that cannot be stepped through: of its answer, and of what is known of it."""

    spec: TargetSpec
    without_rounding: bool | None
    """Whether it hits without rounding, or nearly so; None where that is unknown."""

    @property
    def unrounded(self) -> Trace | None:
        """The answer without rounding, as a trace without steps."""
        return None if self.without_rounding is None else Trace(self.without_rounding, ())

    @property
    def departs(self) -> None:
        """No comparison is known."""

    @property
    def by_zero_sign(self) -> None:
        """No step is known."""

    def known(self, kind: type[Kept]) -> Kept | None:
        """Return what was found of the function, as its file is now."""
        return known_of(kind, self.spec.text, self.spec.pair)


def with_verdict(run: Trace) -> Trace:
    """Return the run of a user's function, with an error where its answer is no verdict."""
    if run.error:
        return run._replace(error=OUTSIDE_CONTRACT) if run.error.partition(":")[0] == Skip.__name__ else run
    try:
        verdict, *_ = parts_of(run.answer)
    except NoAnswer as found:
        return run._replace(error=str(found))
    except Exception as raised:  # by an object of the user's that is compared
        return run._replace(error=one_line(raised))
    return run._replace(error=OUTSIDE_CONTRACT) if verdict == OUTSIDE else run
