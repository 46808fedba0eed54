"""When the variables of a traced run were set, so that a value of an earlier pass of a loop is known as stale."""

import ast
from collections.abc import Sequence
from functools import lru_cache
from textwrap import dedent

from hitscope.explain.trace import Step


class Assignments:
    """The steps of a run that set each variable."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._by_name: dict[str, list[int]] = {}
        for k, step in enumerate(steps):
            for name in names_set_in(step):
                self._by_name.setdefault(name, []).append(k)

    def is_current(self, name: str, step: int) -> bool:
        """Whether a variable was set in the passes of the loops that a step is in, or before these loops.

        One that a loop sets anew in each pass is not, until it is set: its value is of another axis or face.
        """
        passes = set(self._steps[step].iterations)
        steps = self._by_name.get(name)
        return steps is None or any(passes.issuperset(self._steps[k].iterations) for k in steps if k <= step)

    def times_set(self, name: str, step: int) -> int:
        """How often a variable was set up to a step."""
        return sum(k <= step for k in self._by_name.get(name, ()))


def ends_loop(step: Step) -> bool:
    """Whether a step is the header of a loop that had no other pass."""
    passes = step.iterations
    return step.branch is False and bool(passes) and passes[-1].line == step.line


def names_set_in(step: Step) -> frozenset[str]:
    """Return the variables that a step set; the header of a loop that had no other pass set none."""
    return frozenset() if ends_loop(step) else _names_in(step.source)[0]


def names_read_in(step: Step) -> frozenset[str]:
    """Return the variables that the statement of a step reads; the list of a loop is read for each pass."""
    return frozenset() if ends_loop(step) and not step.comparisons else _names_in(step.source)[1]


@lru_cache(maxsize=1 << 12)
def _names_in(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """The variables that a statement, or the header of a compound one, sets, and those that it reads."""
    code = dedent(source)
    for text in (code, f"{code} pass", f"if True: pass\n{code} pass"):
        try:
            names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
        except SyntaxError:
            continue
        stored = frozenset(name.id for name in names if isinstance(name.ctx, ast.Store))
        return stored, frozenset(name.id for name in names if isinstance(name.ctx, ast.Load))
    return frozenset(), frozenset()
