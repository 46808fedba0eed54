"""The names of expectations, PROBE-PRIMITIVE[METHOD], and the expression of `check -k` that selects among them."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import UNSET

from hitscope.errors import HitscopeError, quoted
from hitscope.scene.model import Expectation, Scene
from hitscope.targets.method_text import method_text

_TOKEN = re.compile(r"[()]|[^\s()]+")
_PRECEDENCE = {"or": 1, "and": 2, "not": 3}


@dataclass(frozen=True)
class Selection:
    """An expression in reverse Polish notation, so that it is evaluated without recursion and can be pickled."""

    steps: tuple[tuple[str, str], ...]
    """An operator and "", or "contains" and a part of a name in lower case."""

    def __call__(self, path: str, name: str) -> bool:
        """Whether the expectation of a name in the file at `path` is selected."""
        text = f"{path}::{name}".lower()
        stack: list[bool] = []
        for step, part in self.steps:
            if step == "contains":
                stack.append(part in text)
            elif step == "not":
                stack.append(not stack.pop())
            else:
                second, first = stack.pop(), stack.pop()
                stack.append(first and second if step == "and" else first or second)
        return stack.pop()


def selection(expression: str) -> Selection | None:
    """Return what an expression of `check -k` selects, None for all; raises HitscopeError for a wrong one."""
    steps: list[tuple[str, str]] = []
    waiting: list[str] = []
    is_operand_next = True
    for match in _TOKEN.finditer(expression):
        word = match[0]
        begins_operand = word not in ("and", "or", ")")
        if begins_operand != is_operand_next or (word == ")" and "(" not in waiting):
            raise _wrong(expression, match.start(), quoted(word), is_operand_next, "(" in waiting)
        if word in ("(", "not"):
            waiting.append(word)
        elif word == ")":
            while (operator := waiting.pop()) != "(":
                steps.append((operator, ""))
        elif word in _PRECEDENCE:
            while waiting and _PRECEDENCE.get(waiting[-1], 0) >= _PRECEDENCE[word]:
                steps.append((waiting.pop(), ""))
            waiting.append(word)
            is_operand_next = True
        else:
            steps.append(("contains", word.lower()))
            is_operand_next = False
    if not (steps or waiting):
        return None
    if is_operand_next or "(" in waiting:
        raise _wrong(expression, len(expression), "the end", is_operand_next, "(" in waiting)
    steps += ((operator, "") for operator in reversed(waiting))
    return Selection(tuple(steps))


def _wrong(expression: str, offset: int, found: str, is_operand_next: bool, is_open: bool) -> HitscopeError:
    operator = '"and", "or" or ")"' if is_open else '"and" or "or"'
    expected = '"not", "(" or a part of a name' if is_operand_next else operator
    return HitscopeError(f"-k {quoted(expression)}: expected {expected} at column {offset + 1}, found {found}")


ALL_HITS = "hits"
"""The word in place of the primitive in the name of an expectation about all hits of a probe."""


def expectation_names(scene: Scene) -> tuple[str, ...]:
    """Return a name for each expectation of a scene; those of the same name are numbered from the second on."""
    return numbered(map(_name, scene.expect))


def numbered(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of which each is there once: those of the same name are numbered from the second on."""
    repeated: Counter[str] = Counter()
    found: dict[str, None] = {}
    for name in names:
        unique = name
        while unique in found:
            repeated[name] += 1
            unique = f"{name}#{repeated[name] + 1}"
        found[unique] = None
    return tuple(found)


def _name(expectation: Expectation) -> str:
    subject = ALL_HITS if expectation.primitive is UNSET else expectation.primitive
    method = "" if expectation.method is UNSET else f"[{method_text(expectation.method)}]"
    return f"{expectation.probe}-{subject}{method}"
