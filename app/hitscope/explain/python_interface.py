"""`hitscope.explain`: why a method, or a function of one's own, answers a pair of shapes as it does."""

from __future__ import annotations  # so that signatures are short in help()

from collections.abc import Callable
from typing import Any

from hitscope.errors import ArgumentFault, Fault, HitscopeError, shown
from hitscope.evaluate.verdict import check_pair
from hitscope.explain import explanation
from hitscope.explain.explanation import Explanation
from hitscope.geometry.registry import Chosen, checked_arguments, method_of, pair_of
from hitscope.geometry.shapes import Shape, in_floats


class ListedExplanation(Explanation):
    """An explanation that shows itself as `hitscope explain` prints it, at 80 columns."""

    def __repr__(self) -> str:
        from hitscope.explain.listing import listing  # rich is slow to import

        return "\n".join(listing(self))

    def _repr_html_(self) -> str:
        from hitscope import notebook

        return notebook.preformatted(repr(self).splitlines())


def explain(
    probe: Shape, primitive: Shape, method: str | Callable[..., Any] = "exact", **arguments: Any
) -> ListedExplanation:
    """Run a method on a pair of shapes, traced; the repr lists its source line by line, with the values.

    `method` is a name of the catalogue with its named `arguments`, or a Python function of a probe and a primitive
    that answers as a TARGET does. Raises HitscopeError for shapes that are no probe and primitive, for an unknown
    method or argument, and where the source is not at hand.

    >>> from hitscope import Aabb, Point, explain
    >>> explanation = explain(Point((0, 0, 0)), Aabb((0, 0, 0), (1, 1, 1)), "bounds")
    >>> explanation.hit, explanation.cause, len(explanation.trace.steps)
    (True, '', 11)
    """
    try:
        check_pair(probe, primitive)
        probe, primitive = in_floats(probe), in_floats(primitive)
        if isinstance(method, str):
            entry = method_of(pair_of(probe, primitive), method, ("method",))
            chosen = Chosen(entry, checked_arguments(entry, arguments))
            return _listed(explanation.explain(chosen, probe, primitive))
        if not callable(method):
            raise Fault(("method",), "the name of a method, or a function", shown(method))
        if arguments:
            raise Fault(tuple(arguments)[:1], "no arguments with a function", "some", at_key=True)
        from hitscope.explain.own_function import explain_function  # slow to import, with what judges

        name = getattr(method, "__name__", repr(method))
        return _listed(explain_function(name, method, probe, primitive))
    except Fault as fault:
        raise ArgumentFault("explain", fault) from None
    except OSError as error:
        raise HitscopeError(f"explain: expected a method whose source is at hand, found: {error}") from None


def _listed(found: Explanation) -> ListedExplanation:
    return ListedExplanation(found.chosen, found.probe, found.primitive, found.reading, found.trace)
