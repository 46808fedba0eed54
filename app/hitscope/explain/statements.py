"""The statements of a source file, each with all its lines."""

import ast
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple


class Statement(NamedTuple):
    """A statement, or the header of a compound one: its first line's number in the file, and its text."""

    line: int
    source: str


def statements_by_line(lines: Sequence[str]) -> dict[int, Statement]:
    """Return the statement that each line of a file belongs to; statements that share a line are one."""
    found: dict[int, Statement] = {}
    for first, last in _joined(sorted(_spans(lines))):
        statement = Statement(first, "".join(lines[first - 1 : last]).rstrip("\n"))
        found.update(dict.fromkeys(range(first, last + 1), statement))
    return found


def _spans(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each statement, of a compound one up to its body."""
    for node in ast.walk(ast.parse("".join(lines))):
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            first = _first_line(node)
            parts: list[Any] = getattr(node, "cases", None) or getattr(node, "body", [])
            if not parts:
                yield first, getattr(node, "end_lineno", None) or first
                continue
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
