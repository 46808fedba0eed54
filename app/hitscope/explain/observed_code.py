"""Functions that report what they compare: the same source, compiled with a call around each operand and test."""

import ast
import inspect
import types
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

OPERAND, OUTCOME, TEST = "__hitscope_operand__", "__hitscope_outcome__", "__hitscope_test__"
"""The names of the reporting functions, which are variables of a function around the observed one."""
REPORTERS = (OPERAND, OUTCOME, TEST)

FunctionNode: TypeAlias = ast.FunctionDef | ast.Lambda


class Comparison(NamedTuple):
    """A comparison in a source file: its first line, its text, and the texts of its operands and operators."""

    line: int
    text: str
    operands: tuple[str, ...]
    operators: tuple[str, ...]


class ObservedCode(NamedTuple):
    """The code of a function that reports, and the comparisons that it reports by their indices."""

    code: types.CodeType
    comparisons: tuple[Comparison, ...]


OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


class Reports(NamedTuple):
    """What an observed function calls as it runs."""

    operand: Callable[[int, int, Any], Any]
    """Takes the index of a comparison, that of an operand and its value; returns the value."""
    outcome: Callable[[int, Any], Any]
    """Takes the index of a comparison and its result; returns the result."""
    test: Callable[[int, Any], Any]
    """Takes the line of an `if`, a `while` or a conditional expression and what it tests; returns that."""


def observed(function: Callable[..., Any], reports: Reports) -> tuple[Callable[..., Any], ObservedCode] | None:
    """Return a function of the same source that reports, and its code; None where the source is not at hand.

    Its globals, defaults and closure are those of the function.
    """
    if not isinstance(function, types.FunctionType):
        return None
    try:
        found = _observed_code(function.__code__)
    except (OSError, SyntaxError, TypeError):
        return None
    if found is None:
        return None
    own = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    cells = dict(own) | {name: types.CellType(report) for name, report in zip(REPORTERS, reports, strict=True)}
    closure = tuple(cells[name] for name in found.code.co_freevars)
    made = types.FunctionType(found.code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made, found


@lru_cache(maxsize=256)
def _observed_code(code: types.CodeType) -> ObservedCode | None:
    lines = inspect.findsource(code)[0]
    node = _definition(ast.parse("".join(lines)), code)
    if node is None:
        return None
    comparisons: list[Comparison] = []
    reporting: FunctionNode = _Reporting(comparisons).visit(node)
    if isinstance(reporting, ast.FunctionDef):
        reporting.decorator_list = []
    # In an outer function that has the names of the closure and the reporters they are free here too.
    inner: ast.stmt = ast.Expr(reporting) if isinstance(reporting, ast.Lambda) else reporting
    outer = ast.FunctionDef(
        name="outer",
        args=ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name) for name in (*code.co_freevars, *REPORTERS)],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        ),
        body=[inner],
        decorator_list=[],
    )
    module = ast.fix_missing_locations(ast.Module([outer], []))
    compiled = compile(module, code.co_filename, "exec", dont_inherit=True, flags=_future_flags(code))
    for name in ("outer", code.co_name):
        compiled = next(
            part for part in compiled.co_consts if isinstance(part, types.CodeType) and part.co_name == name
        )
    return ObservedCode(compiled, tuple(comparisons))


def _future_flags(code: types.CodeType) -> int:
    """The flags of `from __future__ import annotations` and the like that the function was compiled with."""
    import __future__

    features = (getattr(__future__, name) for name in __future__.all_feature_names)
    return sum(feature.compiler_flag for feature in features if code.co_flags & feature.compiler_flag)


def _definition(tree: ast.Module, code: types.CodeType) -> FunctionNode | None:
    """The definition of a function in the tree of its file; None where two are on one line."""
    found: list[FunctionNode] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = node.decorator_list[0] if node.decorator_list else node
            if first.lineno == code.co_firstlineno:
                found.append(node)
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno:
            found.append(node)
    return found[0] if len(found) == 1 else None


class _Reporting(ast.NodeTransformer):
    """Puts the calls around what is compared and tested; functions inside are left as they are."""

    def __init__(self, comparisons: list[Comparison]) -> None:
        self._comparisons = comparisons
        self._is_inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self._outermost(node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self._outermost(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node

    def _outermost(self, node: FunctionNode) -> Any:
        if self._is_inside:
            return node
        self._is_inside = True
        if isinstance(node, ast.Lambda):
            node.body = self.visit(node.body)
        else:
            node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        index = len(self._comparisons)
        given = (node.left, *node.comparators)
        self._comparisons.append(
            Comparison(
                node.lineno,
                ast.unparse(node),
                tuple(map(ast.unparse, given)),
                tuple(OPERATORS[type(operator)] for operator in node.ops),
            )
        )
        operands = [_call(OPERAND, operand, index, k, self.visit(operand)) for k, operand in enumerate(given)]
        reporting = ast.copy_location(ast.Compare(operands[0], node.ops, operands[1:]), node)
        return _call(OUTCOME, node, index, reporting)

    def visit_If(self, node: ast.If) -> Any:
        return self._tested(node)

    def visit_While(self, node: ast.While) -> Any:
        return self._tested(node)

    def _tested(self, node: ast.If | ast.While) -> Any:
        line, test = node.lineno, node.test
        self.generic_visit(node)
        node.test = _call(TEST, test, line, node.test)
        return node


def _call(name: str, at: ast.expr, *arguments: int | ast.expr) -> ast.expr:
    given = [ast.copy_location(ast.Constant(part), at) if isinstance(part, int) else part for part in arguments]
    function = ast.copy_location(ast.Name(name, ast.Load()), at)
    return ast.copy_location(ast.Call(function, given, []), at)
