"""Functions that report what they compare: the same source, compiled with a call around each operand and test."""

import ast
import inspect
import linecache
import types
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

OPERAND, OUTCOME, TEST = "__hitscope_operand__", "__hitscope_outcome__", "__hitscope_test__"
"""The names of the reporting functions, variables of a function around the observed one: each takes the index of a
comparison, the first one that of an operand, too, then a value, and returns that."""
REPORTERS = (OPERAND, OUTCOME, TEST)

FunctionNode: TypeAlias = ast.FunctionDef | ast.Lambda


class Comparison(NamedTuple):
    """A comparison in a source file, or what an `if` or a `while` tests: a single operand without an operator."""

    line: int
    text: str
    operators: tuple[str, ...]
    operands: tuple[str, ...]


class ObservedCode(NamedTuple):
    """The code of a function that reports, and the comparisons that it reports by their indices."""

    code: types.CodeType
    comparisons: tuple[Comparison, ...]


def source_of(function: Callable[..., Any]) -> str:
    """Return the text of a function's file; raises OSError where there is none, or one that has changed."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        raise OSError(f"{function!r} has no source in Python")
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, getattr(function, "__globals__", None)))
    if not text:
        raise OSError(f"the source of {code.co_name} is not at hand")
    if not _is_compiled_from(text, code):
        raise OSError(f"{code.co_filename} has changed since {code.co_name} was loaded from it")
    return text


def observed(
    function: Callable[..., Any], reports: tuple[Callable[..., Any], ...]
) -> tuple[Callable[..., Any], ObservedCode] | None:
    """Return the same function but for calls of the `reports`, and its code; None where that cannot be."""
    inner = inspect.unwrap(function)
    if not isinstance(inner, types.FunctionType):
        return None
    if (found := _observed_code(inner.__code__, source_of(inner))) is None:
        return None
    cells = _cells(inner) | dict(zip(REPORTERS, map(types.CellType, reports), strict=True))
    whole = _rewrapped(function, inner, _with_closure(inner, found.code, cells))
    return None if whole is None else (whole, found)


def _cells(function: types.FunctionType) -> dict[str, types.CellType]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def _with_closure(function: types.FunctionType, code: types.CodeType, cells: Mapping[str, Any]) -> Any:
    closure = tuple(cells[name] for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _rewrapped(function: Any, inner: Any, made: Any) -> Any:
    """Put a function into the decorators of another one; None where they are not closures."""
    if function is inner:
        return made
    if not isinstance(function, types.FunctionType):
        return None
    cells = _cells(function)
    for name, cell in cells.items():
        held = cell.cell_contents
        if callable(held) and inspect.unwrap(held) is inner:
            new = _rewrapped(held, inner, made)
            return new and _with_closure(function, function.__code__, {**cells, name: types.CellType(new)})
    return None


@lru_cache(maxsize=256)
def _is_compiled_from(text: str, code: types.CodeType) -> bool:
    try:
        module = compile(text, code.co_filename, "exec", dont_inherit=True, flags=_future_flags(code))
    except SyntaxError:
        return False
    return any(_content(part) == _content(code) for part in _codes(module) if part.co_name == code.co_name)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield part
            yield from _codes(part)


def _content(code: types.CodeType) -> tuple[Any, ...]:
    """Return the contents of a code without its file, for comparison with another."""
    inner = [_content(part) if isinstance(part, types.CodeType) else (type(part), part) for part in code.co_consts]
    return code.co_code, inner, code.co_names, code.co_varnames, list(code.co_lines())


@lru_cache(maxsize=256)
def _observed_code(code: types.CodeType, text: str) -> ObservedCode | None:
    if (node := _definition(ast.parse(text), code)) is None:
        return None
    comparisons: list[Comparison] = []
    reporting: FunctionNode = _Reporting(comparisons).visit(node)
    if isinstance(reporting, ast.FunctionDef):
        reporting.decorator_list = []
    # In an outer function that has the names of the closure and the reporters they are free here too.
    inner: ast.stmt = ast.Expr(reporting) if isinstance(reporting, ast.Lambda) else reporting
    module = ast.parse(f"def outer({', '.join((*code.co_freevars, *REPORTERS))}): pass")
    outer: Any = module.body[0]
    # A function that calls itself by a global name still does.
    is_global = code.co_name not in ("<lambda>", *code.co_freevars)
    outer.body = [ast.Global([code.co_name]), inner] if is_global else [inner]
    ast.fix_missing_locations(module)
    compiled = compile(module, code.co_filename, "exec", dont_inherit=True, flags=_future_flags(code))
    _, *inside = _codes(compiled)
    return ObservedCode(next(part for part in inside if part.co_name == code.co_name), tuple(comparisons))


def _future_flags(code: types.CodeType) -> int:
    """The flags of `from __future__ import annotations` and the like that the function was compiled with."""
    import __future__

    features = (getattr(__future__, name) for name in __future__.all_feature_names)
    return sum(feature.compiler_flag for feature in features if code.co_flags & feature.compiler_flag)


def _definition(tree: ast.Module, code: types.CodeType) -> FunctionNode | None:
    """The definition of a function in the tree of its file; None where two are on one line."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    named = (node for node in nodes if getattr(node, "name", "<lambda>") == code.co_name)
    begun = ((*getattr(node, "decorator_list", []), node) for node in named)
    found = [parts[-1] for parts in begun if parts[0].lineno == code.co_firstlineno]
    return found[0] if len(found) == 1 else None


class _Reporting(ast.NodeTransformer):
    """Puts the calls around what is compared and tested; functions inside are left as they are."""

    def __init__(self, comparisons: list[Comparison]) -> None:
        self._comparisons = comparisons
        self._is_inside = False

    def visit(self, node: ast.AST) -> Any:
        match node:
            case ast.AsyncFunctionDef() | ast.ClassDef():
                return node
            case ast.FunctionDef() | ast.Lambda():
                return self._outermost(node)
            case ast.If() | ast.While():
                return self._tested(node)
            case ast.Compare():
                return self._compared(node)
        return self.generic_visit(node)

    def _outermost(self, node: FunctionNode) -> Any:
        if self._is_inside:
            return node
        self._is_inside = True
        if isinstance(node, ast.Lambda):
            node.body = self.visit(node.body)
        else:
            node.body = [self.visit(statement) for statement in node.body]
        return node

    def _compared(self, node: ast.Compare) -> Any:
        given = (node.left, *node.comparators)
        index = self._noted(node, given, tuple(map(_sign, node.ops)))
        operands = [_call(OPERAND, operand, index, k, self.visit(operand)) for k, operand in enumerate(given)]
        reporting = ast.copy_location(ast.Compare(operands[0], node.ops, operands[1:]), node)
        return _call(OUTCOME, node, index, reporting)

    def _tested(self, node: ast.If | ast.While) -> Any:
        test = node.test
        index = self._noted(test, (test,), ())
        self.generic_visit(node)
        node.test = _call(TEST, test, index, node.test)
        return node

    def _noted(self, node: ast.expr, operands: tuple[ast.expr, ...], operators: tuple[str, ...]) -> int:
        texts = tuple(map(ast.unparse, operands))
        self._comparisons.append(Comparison(node.lineno, ast.unparse(node), operators, texts))
        return len(self._comparisons) - 1


def _sign(operator: ast.cmpop) -> str:
    return ast.unparse(ast.Compare(ast.Name(""), [operator], [ast.Name("")])).strip()


def _call(name: str, at: ast.expr, *arguments: int | ast.expr) -> ast.expr:
    given = [ast.copy_location(ast.Constant(part), at) if isinstance(part, int) else part for part in arguments]
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), at), given, []), at)
