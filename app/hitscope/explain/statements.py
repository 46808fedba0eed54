"""The statements of a source file or a function, each with all its lines and the loops that it is in."""

import ast
import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import Any, NamedTuple


class Statement(NamedTuple):
    """A statement, or the header of a compound one: its first line's number in the file, and its text."""

    line: int
    source: str
    loops: tuple[int, ...] = ()
    """The first lines of the loops that it is in, the outermost first; the header of a loop is in the loop."""


@lru_cache(maxsize=32)
def statements_by_line(text: str) -> dict[int, Statement]:
    """Return the statement that each line of a file belongs to; statements that share a line are one."""
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    loops = dict(_loops(tree, ()))
    found: dict[int, Statement] = {}
    for first, last in _joined(sorted(_spans(tree, lines))):
        statement = Statement(first, "".join(lines[first - 1 : last]).rstrip("\n"), loops.get(first, ()))
        found.update(dict.fromkeys(range(first, last + 1), statement))
    return found


class SourceText(NamedTuple):
    """The source of a function, or the facts of `exact`, a line each."""

    first: int
    """The number of the first line in its file."""
    lines: tuple[str, ...]
    code: frozenset[int]
    """The numbers of the lines of statements, without heads of functions, texts about them and comments."""
    parameters: tuple[str, ...] = ()
    """The names of the function's arguments."""


@lru_cache(maxsize=32)
def source_text_of(function: Callable[..., Any]) -> SourceText:
    """The source of a function from its `def` on; raises OSError where it is not at hand."""
    code = inspect.unwrap(function).__code__
    file, _ = inspect.findsource(code)
    lines, first = inspect.getsourcelines(code)
    text = dedent("".join(lines))
    head, body = _head(text)
    known = statements_by_line("".join(file))
    statements = frozenset(known).intersection(range(first + body, first + len(lines)))
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return SourceText(first + head, tuple(text.rstrip("\n").split("\n")[head:]), statements, parameters)


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


def _loops(node: ast.AST, around: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the first line of each statement below a node with the loops that it is in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.For | ast.While):
            inside = (*around, child.lineno)
            yield child.lineno, inside
            yield from _loops(ast.Module(child.body, []), inside)
            yield from _loops(ast.Module(child.orelse, []), around)
            continue
        if isinstance(child, ast.stmt):
            yield child.lineno, around
        begins_anew = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef)
        yield from _loops(child, () if begins_anew else around)


def _spans(tree: ast.Module, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each statement, of a compound one up to its body."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            first = _first_line(node)
            last = getattr(node, "end_lineno", None) or first
            parts: list[Any] = getattr(node, "cases", None) or getattr(node, "body", [])
            if parts:
                last = max(first, _first_line(parts[0]) - 1)
                while last > first and lines[last - 1].strip()[:1] in ("", "#"):
                    last -= 1
            yield first, last


def _first_line(node: ast.stmt | ast.ExceptHandler | ast.match_case) -> int:
    if isinstance(node, ast.match_case):
        return node.pattern.lineno
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(part.lineno for part in (node, *decorators))


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in spans:
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined
