"""Functions rewritten from their own source for the compiler: their verdict alone, or with float32 numbers.

Compiled float32 numbers are float64 ones, and each result is rounded to float32: +, -, *, / and square roots of
float32 numbers then have the bits of float32 arithmetic (Figueroa 1995), and types are those of the float64 code,
which knows no float32 beside an integer. Importing this module imports Numba.
"""

import ast
import inspect
import math
from collections.abc import Callable
from functools import cache
from textwrap import dedent
from typing import Any

import numpy as np
from numba import types
from numba.extending import lower_builtin, type_callable

from hitscope.geometry.registry import KERNELS, kernel

ROUNDED = "rounded_to_float32"
"""The name by which rewritten source calls `_rounded`."""


@cache
def verdict_alone(function: Callable[..., Any]) -> Callable[..., bool]:
    """Return the same function with every `return x` as `return x.hit`: the rest of its answer is not computed."""
    definition = _definition(function)
    for node in ast.walk(definition):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = ast.Attribute(node.value, "hit", ast.Load())
    alone: Callable[..., bool] = _defined(definition, function, function.__globals__)
    return alone


@cache
def in_float32(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function with every result rounded to float32, in the functions that it calls, too.

    As with NumPy's float32 beside Python's numbers, what has none but literals, constants and named arguments is
    computed in float64, and rounded where it meets another number.
    """
    definition, rounding = _definition(function), _Rounding(function)
    definition.body = [rounding.visit(statement) for statement in definition.body]
    made: Callable[..., Any] = _defined(definition, function, rounding.names)
    made.__qualname__ += "_in_float32"
    return made


def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    (definition,) = ast.parse(dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    return definition


def _defined(definition: ast.FunctionDef, function: Callable[..., Any], names: dict[str, Any]) -> Any:
    """Return the function of a definition, registered for compiled code, in place of another one."""
    names = dict(names)
    source = ast.fix_missing_locations(ast.Module([definition], []))
    exec(compile(source, inspect.getfile(function), "exec"), names)
    return kernel(names[definition.name])


def _rounded(number: Any) -> Any:
    return float(np.float32(number)) if isinstance(number, float) else number


def _lowered_rounded(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    (number,), (kind,) = arguments, signature.args
    if isinstance(kind, types.Float):
        number, kind = context.cast(builder, number, kind, types.float32), types.float32
    return context.cast(builder, number, kind, signature.return_type)


type_callable(_rounded)(lambda context: types.unliteral)
lower_builtin(_rounded, types.Any)(_lowered_rounded)


class _Rounding(ast.NodeTransformer):
    """Rounds every number that an expression gives and float32 may not have."""

    def __init__(self, function: Callable[..., Any]) -> None:
        parameters = inspect.signature(function).parameters.values()
        self.names = {**function.__globals__, ROUNDED: _rounded}
        self._named_arguments = {one.name for one in parameters if one.default is not one.empty}
        self._local = set(function.__code__.co_varnames)

    def visit_Call(self, node: ast.Call) -> Any:
        """Call what the function calls in float32; the functions of `math` compute in float64."""
        self.generic_visit(node)
        called = self._value(node.func)
        if getattr(called, "__module__", None) == math.__name__:
            return _call(node)
        source = next((source for function, source in KERNELS if function is called), None)
        if source is not None:
            made = in_float32(source)
            self.names[made.__qualname__] = made
            node.func = ast.Name(made.__qualname__, ast.Load())
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Round the result, and no part of what meets no float32."""
        if not self._meets_none(node):
            self.generic_visit(node)
        return _call(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Make it an assignment of the rounded result."""
        before = ast.parse(ast.unparse(node.target), mode="eval").body
        return ast.Assign([node.target], self.visit(ast.BinOp(before, node.op, node.value)))

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Leave indices as they are."""
        node.value = self.visit(node.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        return self._constant(node) or self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        if isinstance(node.ctx, ast.Store):
            return node
        return _call(node) if node.id in self._named_arguments else self._constant(node) or node

    def visit_Constant(self, node: ast.Constant) -> Any:
        return ast.Constant(_rounded(node.value))

    def _constant(self, node: ast.expr) -> ast.Constant | None:
        value = self._value(node)
        return ast.Constant(_rounded(value)) if isinstance(value, float) else None

    def _meets_none(self, node: ast.expr) -> bool:
        """Whether an expression has none but literals, constants and named arguments."""
        match node:
            case ast.BinOp(left, _, right):
                return self._meets_none(left) and self._meets_none(right)
            case ast.UnaryOp(_, operand):
                return self._meets_none(operand)
            case ast.Name(name) if name in self._named_arguments:
                return True
        return isinstance(node, ast.Constant) or isinstance(self._value(node), int | float)

    def _value(self, node: ast.expr) -> Any:
        """Return what a name of the function's module stands for, None of another expression."""
        match node:
            case ast.Name(name) if name not in self._local:
                return self.names.get(name)
            case ast.Attribute(ast.Name() as module, name):
                return getattr(self._value(module), name, None)
        return None


def _call(node: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(ROUNDED, ast.Load()), [node], [])
