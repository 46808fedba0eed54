"""Float32 numbers in compiled code: Numba's type `Single`, which stays float32 whatever it is mixed with.

Numba's own float32 becomes a float64 beside an integer or a float literal. A Single does as a float32 of NumPy
beside Python's numbers: the other number is rounded to float32 first. So one source gives the same bits
interpreted and compiled. Importing this module imports Numba.
"""

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AbstractTemplate, ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, overload, register_model

LLVM_SINGLE = ir.FloatType()


class _SingleType(types.Type):
    """Numba's type of float32 numbers that stay so."""

    def __init__(self) -> None:
        """Name the type."""
        super().__init__(name="Single")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Convert any other number to it."""
        return Conversion.safe if isinstance(other, types.Number) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Be the type of a variable that also has any other number."""
        return self if isinstance(other, types.Number) else None


SINGLE = _SingleType()


@register_model(_SingleType)
class _SingleModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, LLVM_SINGLE)  # type: ignore[no-untyped-call]


def _cast(kind: Any, to: Any) -> Callable[..., Any]:
    """Register a function that converts a value in LLVM's code."""
    register: Callable[..., Any] = lower_cast(kind, to)
    return register


@_cast(types.Float, SINGLE)
def _from_float(context: Any, builder: Any, kind: Any, to: Any, value: Any) -> Any:
    return builder.fptrunc(value, LLVM_SINGLE) if kind == types.float64 else value


@_cast(types.Integer, SINGLE)
@_cast(types.IntegerLiteral, SINGLE)
@_cast(types.Boolean, SINGLE)
def _from_integer(context: Any, builder: Any, kind: Any, to: Any, value: Any) -> Any:
    return _from_float(context, builder, types.float64, to, context.cast(builder, value, kind, types.float64))


@_cast(SINGLE, types.Float)
def _to_float(context: Any, builder: Any, kind: Any, to: Any, value: Any) -> Any:
    return builder.fpext(value, ir.DoubleType()) if to == types.float64 else value


def _operator(function: Any, result: Any, emit: Callable[..., Any]) -> None:
    """Register an operator on two Singles, or on a Single and another number on either side."""
    pairs: list[tuple[Any, Any]] = [(SINGLE, SINGLE)]
    for other in (types.float64, types.int64):
        pairs += [(SINGLE, other), (other, SINGLE)]

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        given = zip(args, sig.args, strict=True)
        return emit(builder, *(context.cast(builder, value, kind, SINGLE) for value, kind in given))

    for pair in pairs:
        lower_builtin(function, *pair)(lowered)
    cases = [signature(result, *pair) for pair in pairs]
    infer_global(function)(type("_Operator", (ConcreteTemplate,), {"cases": cases}))


def _in_place(function: Any, same: Any) -> None:
    """Register an assigning operator, which does the same as its operator."""

    @overload(function, strict=False)
    def of_singles(x: Any, y: Any) -> Any:
        return (lambda x, y: same(x, y)) if x is SINGLE else None  # noqa: PLW0108 # Numba wants a Python function


def _comparison(function: Any, sign: str, emit: str) -> None:
    _operator(function, types.boolean, lambda builder, x, y: getattr(builder, emit)(sign, x, y))


_operator(operator.add, SINGLE, lambda builder, x, y: builder.fadd(x, y))
_operator(operator.sub, SINGLE, lambda builder, x, y: builder.fsub(x, y))
_operator(operator.mul, SINGLE, lambda builder, x, y: builder.fmul(x, y))
_operator(operator.truediv, SINGLE, lambda builder, x, y: builder.fdiv(x, y))
for _function, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
    _comparison(_function, _sign, "fcmp_ordered")
_comparison(operator.eq, "==", "fcmp_ordered")
_comparison(operator.ne, "!=", "fcmp_unordered")


for _function, _same in (
    (operator.iadd, operator.add),
    (operator.isub, operator.sub),
    (operator.imul, operator.mul),
    (operator.itruediv, operator.truediv),
):
    _in_place(_function, _same)


def _unified(self: Any, typingctx: Any, other: Any) -> Any:
    """Unify two types of one named tuple by their fields."""
    if getattr(other, "instance_class", None) is not self.instance_class:
        return None
    fields = [typingctx.unify_pairs(one, two) for one, two in zip(self.types, other.types, strict=True)]
    return None if None in fields else types.BaseTuple.from_types(fields, self.instance_class)


def _convertible(self: Any, typingctx: Any, other: Any) -> Any:
    """Convert a named tuple by its fields."""
    if getattr(other, "instance_class", None) is not self.instance_class:
        return None
    kinds = [typingctx.can_convert(one, two) for one, two in zip(self.types, other.types, strict=True)]
    return None if None in kinds else max(kinds)


# Numba unifies and converts plain tuples by their parts, and leaves named tuples out: a miss with constants for
# its numbers and a hit with Singles are one answer.
for _kind in (types.NamedTuple, types.NamedUniTuple):
    setattr(_kind, "unify", _unified)  # noqa: B010 # a method, which mypy would not have replaced
    setattr(_kind, "can_convert_to", _convertible)  # noqa: B010


@_cast(types.BaseNamedTuple, types.BaseNamedTuple)
def _named_to_named(context: Any, builder: Any, kind: Any, to: Any, value: Any) -> Any:
    parts = zip(cgutils.unpack_tuple(builder, value, len(kind)), kind.types, to.types, strict=True)
    return context.make_tuple(builder, to, [context.cast(builder, *part) for part in parts])


def _of_one(function: Any, emit: Callable[[Any, Any], Any]) -> None:
    """Register a function of one Single."""
    lower_builtin(function, SINGLE)(lambda context, builder, sig, args: emit(builder, args[0]))
    infer_global(function)(type("_Function", (ConcreteTemplate,), {"cases": [signature(SINGLE, SINGLE)]}))


def _magnitude(builder: Any, value: Any) -> Any:
    kind = ir.FunctionType(LLVM_SINGLE, [LLVM_SINGLE])
    return builder.call(builder.module.declare_intrinsic("llvm.fabs.f32", (), kind), [value])


_of_one(operator.neg, lambda builder, value: builder.fneg(value))
_of_one(operator.pos, lambda builder, value: value)
_of_one(abs, _magnitude)


class _Extreme(AbstractTemplate):
    """The type of min and max of several numbers, Singles among them."""

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(SINGLE, *args) if SINGLE in args and len(args) > 1 and not kws else None


def _extreme(function: Any, sign: str) -> None:
    """Register min or max: as in Python, the first of the numbers unless a later one compares beyond it."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first, *others = (context.cast(builder, *given, SINGLE) for given in zip(args, sig.args, strict=True))
        for other in others:
            first = builder.select(builder.fcmp_ordered(sign, other, first), other, first)
        return first

    lower_builtin(function, types.VarArg(types.Any))(lowered)
    infer_global(function)(type("_Extreme", (_Extreme,), {}))


_extreme(builtins.min, "<")
_extreme(builtins.max, ">")


def _typed(function: Callable[..., Any]) -> Any:
    """Return the compiled function of a code generator, whose first argument is Numba's typing context."""
    return intrinsic(function)


@_typed
def single(_: Any, number: Any) -> Any:
    """Return any number as a Single."""
    return SINGLE(number), lambda context, builder, sig, args: context.cast(builder, args[0], number, SINGLE)


@_typed
def double(_: Any, number: Any) -> Any:
    """Return any number as a float64."""
    cast: Callable[..., Any] = lambda context, builder, sig, args: context.cast(  # noqa: E731
        builder, args[0], number, types.float64
    )
    return types.float64(number), cast


def _through_double(function: Callable[[float], float]) -> None:
    """Register a function of one number that is computed in float64 and rounded."""

    @overload(function, strict=False)
    def of_single(x: Any) -> Any:
        return (lambda x: single(function(double(x)))) if x is SINGLE else None


for _one in (math.sqrt, math.acos):
    _through_double(_one)


@overload(math.isnan, strict=False)
def _isnan(x: Any) -> Any:
    return (lambda x: x != x) if x is SINGLE else None  # noqa: PLR0124


@overload(math.copysign, strict=False)
def _copysign(x: Any, y: Any) -> Any:
    if SINGLE not in (x, y):
        return None
    return lambda x, y: single(math.copysign(double(x), double(y)))


@overload(float, strict=False)
def _float(x: Any) -> Any:
    return (lambda x: x) if x is SINGLE else None
