"""The source of a function that is stepped through."""

import ast
import inspect
from collections.abc import Callable
from functools import lru_cache
from textwrap import dedent
from types import CodeType
from typing import Any, NamedTuple

from hitscope.explain import Explanation
from hitscope.explain.statements import statements_by_line
from hitscope.geometry.registry import EXACT


class SourceText(NamedTuple):
    """The source of a function, or the facts of `exact`, a line each."""

    first: int
    """The number of the first line in its file."""
    lines: tuple[str, ...]
    code: frozenset[int]
    """The numbers of the lines of statements, without heads of functions, texts about them and comments."""
    parameters: tuple[str, ...] = ()
    """The names of the function's arguments."""


def source_of_method(explanation: Explanation) -> SourceText:
    """The source of an explained method, or the facts of `exact`; raises OSError where it is not at hand."""
    if explanation.chosen.method.name == EXACT:
        facts = tuple(step.source for step in explanation.trace.steps)
        return SourceText(1, facts, frozenset(range(1, len(facts) + 1)))
    return source_of(explanation.chosen.method.function)


@lru_cache(maxsize=32)
def source_of(function: Callable[..., Any]) -> SourceText:
    """The source of a function from its `def` on; raises OSError where it is not at hand."""
    code = inspect.unwrap(function).__code__
    file, _ = inspect.findsource(code)
    lines, first = inspect.getsourcelines(code)
    text = dedent("".join(lines))
    head, body = _head(text)
    known = statements_by_line("".join(file))
    last = first + len(lines)
    statements = {line for line in range(first + body, last) if line in known}
    return SourceText(
        first + head, tuple(text.rstrip("\n").split("\n")[head:]), frozenset(statements), _parameters(code)
    )


def _head(text: str) -> tuple[int, int]:
    """The indices of the line of a `def` and of its first statement that is not a text about it."""
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):  # a lambda within a statement
        return 0, 0
    if not isinstance(node, ast.FunctionDef):
        return 0, 0
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return node.lineno - 1, (body[0].lineno if body else node.body[-1].end_lineno or 0) - 1


def _parameters(code: CodeType) -> tuple[str, ...]:
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def stored_names(statement: str) -> set[str]:
    """The names that a statement, or the head of a compound one, sets."""
    try:
        tree = ast.parse(dedent(statement) + (" pass" if statement.rstrip().endswith(":") else ""))
    except SyntaxError:  # the head of an `else` or an `except`
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
