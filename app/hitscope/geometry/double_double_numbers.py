"""Numbers of two float64 in compiled code, as `a * b - c` on values of Numba's type `DoubleDouble`.

Sums and products lose less than 2**-101 of their terms; differences of two float64 are exact. Operators are
+, -, *, comparisons, negation and `abs`, of two of them or of one and a float64 or int64. It imports Numba.
"""

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from hitscope.geometry import double_double
from hitscope.geometry.lanes import inlined

PAIR = types.UniTuple(types.float64, 2)


class DoubleDouble(types.Type):
    """Numba's type of numbers of two float64, of which the second is at most half an ulp of the first."""

    def __init__(self) -> None:
        """Make the type."""
        super().__init__(name="DoubleDouble")


KIND = DoubleDouble()


@register_model(DoubleDouble)
class _DoubleDoubleModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: DoubleDouble) -> None:
        super().__init__(manager, kind, manager.lookup(PAIR).get_value_type())  # type: ignore[no-untyped-call]


def _operator(function: Any, result: Any, of_pairs: Callable[..., Any], operands: int = 2) -> None:
    """Register an operator with Numba by the same on tuples of two float64."""
    others = (types.float64, types.int64) if operands == 2 else ()
    mixed = [pair for other in others for pair in ((KIND, other), (other, KIND))]
    cases = [(KIND,) * operands, *mixed]
    for taken in cases:
        lower_builtin(function, *taken)(partial(_emit, of_pairs, PAIR if result is KIND else result, taken))
    template = {"cases": [signature(result, *taken) for taken in cases]}
    infer_global(function)(type("_Operator", (ConcreteTemplate,), template))


def _emit(of_pairs: Any, result: Any, kinds: Any, context: Any, builder: Any, _: Any, args: Any) -> Any:
    values = [_pair(context, builder, kind, value) for kind, value in zip(kinds, args, strict=True)]
    return context.compile_internal(builder, of_pairs, result(*[PAIR] * len(values)), values)


def _pair(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return a value of any of the types as a tuple of two float64."""
    if kind is KIND:
        return value
    high = context.cast(builder, value, kind, types.float64)
    return context.make_tuple(builder, PAIR, (high, ir.Constant(ir.DoubleType(), 0.0)))


@inlined
def _normalized(number: Any) -> Any:
    high = number[0] + number[1]
    return high, number[1] - (high - number[0])


def _sum(x: Any, y: Any) -> Any:
    return _normalized(double_double.total(x, y))


def _difference(x: Any, y: Any) -> Any:
    return _normalized(double_double.total(x, (-y[0], -y[1])))


def _product(x: Any, y: Any) -> Any:
    return _normalized(double_double.product(x, y))


def _negative(x: Any) -> Any:
    return -x[0], -x[1]


def _magnitude(x: Any) -> Any:
    return (-x[0], -x[1]) if x[0] < 0 else x


_operator(operator.add, KIND, _sum)
_operator(operator.sub, KIND, _difference)
_operator(operator.mul, KIND, _product)
_operator(operator.neg, KIND, _negative, operands=1)
_operator(abs, KIND, _magnitude, operands=1)
# The tuples of ordered parts compare as the numbers do; an infinity has no second part.
_operator(operator.lt, types.boolean, lambda x, y: x[0] < y[0] or (x[0] == y[0] and x[1] < y[1]))
_operator(operator.gt, types.boolean, lambda x, y: x[0] > y[0] or (x[0] == y[0] and x[1] > y[1]))
_operator(operator.eq, types.boolean, lambda x, y: x[0] == y[0] and x[1] == y[1])
_operator(operator.ne, types.boolean, lambda x, y: x[0] != y[0] or x[1] != y[1])


@intrinsic
def double_double_of(_: Any, x: Any) -> Any:
    """Return a float64 as a DoubleDouble."""
    emit = lambda context, builder, _, args: _pair(context, builder, types.float64, args[0])  # noqa: E731
    return KIND(types.float64), emit
